package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// holder is as every secret type is made.
type holder struct {
	Redacted
	box Box[bytes4]
}

type bytes4 struct{ b [4]byte }

func TestRedacted(t *testing.T) {
	h := holder{box: NewBox(&bytes4{[4]byte{222, 173, 190, 239}})}
	for _, v := range []any{h, &h} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%X", "%s", "%q", "%d", "%20v"} {
			if got := fmt.Sprintf(verb, v); got != Text {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
		j, err := json.Marshal(v)
		var back string
		if err != nil || json.Unmarshal(j, &back) != nil || back != Text {
			t.Errorf("JSON of %T: %s, %v", v, j, err)
		}
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "k", v)
		if !strings.Contains(log.String(), Text) {
			t.Errorf("log of %T: %s", v, log.String())
		}
	}
	if reflect.TypeFor[holder]().Comparable() {
		t.Error("a secret type has ==")
	}
	// Where fmt can call no method it prints the address, never what is there.
	// An address alone is taken out, whatever its digits are: on 32 bits it is as short as
	// the secret.
	var addresses []string
	for _, p := range []unsafe.Pointer{unsafe.Pointer(h.box.Get()), unsafe.Pointer(&h)} {
		addresses = append(addresses, fmt.Sprintf("%x", uintptr(p)), "", fmt.Sprintf("%d", uintptr(p)), "")
	}
	strip := strings.NewReplacer(addresses...)
	for _, hidden := range []any{struct{ h holder }{h}, struct{ h *holder }{&h}, &struct{ h holder }{h}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%q", "%d", "%t"} {
			got := strip.Replace(strings.ToLower(fmt.Sprintf(verb, hidden)))
			for _, leak := range []string{"222", "173", "dead", "de ad", "0xde", "0xad"} {
				if strings.Contains(got, leak) {
					t.Errorf("%s shows %s", verb, got)
				}
			}
		}
	}
}

func TestBox(t *testing.T) {
	v := 7
	if got := NewBox(&v).Get(); got != &v {
		t.Errorf("%v", got)
	}
	if got := (Box[int]{}).Get(); got != nil {
		t.Errorf("the zero Box gives %v", got)
	}
}

func TestWipe(t *testing.T) {
	b := []byte{1, 2, 3}
	Wipe(b[:2])
	if !bytes.Equal(b, []byte{0, 0, 3}) {
		t.Errorf("%v", b)
	}
	Wipe(nil)
}

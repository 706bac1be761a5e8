package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
)

// holder is as every secret type is made: the bytes behind one pointer.
type holder struct {
	Redacted
	p *[4]byte
}

func TestRedacted(t *testing.T) {
	h := holder{p: &[4]byte{0xde, 0xad, 0xbe, 0xef}}
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
	// Where fmt can call no method it prints the pointer, never what is behind.
	hidden := struct{ h holder }{h}
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		got := fmt.Sprintf(verb, hidden)
		for _, leak := range []string{"222", "173", "dead", "de ad", "0xde"} {
			if strings.Contains(strings.ToLower(got), leak) && !strings.Contains(fmt.Sprintf("%p %d", h.p, h.p), leak) {
				t.Errorf("%s shows %s", verb, got)
			}
		}
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

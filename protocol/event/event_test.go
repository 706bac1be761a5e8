package event

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

func parse(t testing.TB, text string) *Event {
	t.Helper()
	e, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func secretKey(t testing.TB, digits string) *keys.SecretKey {
	t.Helper()
	sk, err := keys.ParseSecretKey(digits)
	if err != nil {
		t.Fatal(err)
	}
	return sk
}

// one is the secret key 1, whose public key is the generator's x.
const (
	one       = "0000000000000000000000000000000000000000000000000000000000000001"
	generator = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
)

// VerifyBy says what Verify says, and refuses another author's event.
func TestVerifyBy(t *testing.T) {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		t.Fatal(err)
	}
	e := &Event{Kind: 1, CreatedAt: 1700000000, Content: "x"}
	if err := e.Sign(sk); err != nil {
		t.Fatal(err)
	}
	v, err := bip340.NewVerifier(e.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Event)
		want  error
	}{
		{"nothing", func(*Event) {}, nil},
		{"signature", func(e *Event) { e.Sig[63] ^= 1 }, ErrSignature},
		{"id", func(e *Event) { e.ID[0] ^= 1 }, ErrID},
		{"kind", func(e *Event) { e.Kind = MaxKind + 1 }, ErrKind},
		{"author", func(e *Event) { e.PubKey[0] ^= 1; e.ID = e.ComputeID() }, ErrWrongKey},
	} {
		bad := *e
		c.spoil(&bad)
		if err := bad.VerifyBy(v); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if err := (*Event)(nil).VerifyBy(v); !errors.Is(err, ErrNil) {
		t.Errorf("no event: %v", err)
	}
}

// The preimages are written by hand, and hashed by the standard library.
func TestComputeID(t *testing.T) {
	pub, err := keys.ParsePublicKey(generator)
	if err != nil {
		t.Fatal(err)
	}
	const head = `[0,"` + generator + `",`
	long := strings.Repeat("0123456789abcdef", 4096)
	for _, tt := range []struct {
		name     string
		event    Event
		preimage string
	}{
		{"nil tags", Event{}, head + `0,0,[],""]`},
		{"empty tags", Event{CreatedAt: 1, Kind: 2, Tags: Tags{}, Content: "a"}, head + `1,2,[],"a"]`},
		{"bounds", Event{CreatedAt: 9007199254740991, Kind: 65535}, head + `9007199254740991,65535,[],""]`},
		{"raw (41)", Event{Content: "&<>/'\u2028\u2029\x7f\u0080\ufeff\U0001F600e\u0301"}, head + "0,0,[],\"&<>/'\u2028\u2029\x7f\u0080\ufeff\U0001F600e\u0301\"]"},
		{"named escapes (41)", Event{Content: "\n\"\\\r\t\b\f"}, head + `0,0,[],"\n\"\\\r\t\b\f"]`},
		{"controls (41)", Event{Content: "\x00\x01\x07\x0b\x0e\x0f\x10\x1a\x1f"}, head + `0,0,[],"\u0000\u0001\u0007\u000b\u000e\u000f\u0010\u001a\u001f"]`},
		{"tags", Event{Tags: Tags{{"a"}, {"b", ""}, {"", "\"", "\n", "\x1f"}}}, head + `0,0,[["a"],["b",""],["","\"","\n","\u001f"]],""]`},
		{"long", Event{Tags: Tags{{long, "x", long}}, Content: long}, head + `0,0,[["` + long + `","x","` + long + `"]],"` + long + `"]`},

		// What Validate refuses has an id all the same.
		{"empty tag", Event{Tags: Tags{{}}}, head + `0,0,[[]],""]`},
		{"bad UTF-8", Event{Content: "\xff"}, head + "0,0,[],\"\xff\"]"},
		{"extremes", Event{CreatedAt: math.MinInt64, Kind: math.MinInt32}, head + `-9223372036854775808,-2147483648,[],""]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.event.PubKey = pub
			if got, want := tt.event.ComputeID(), ID(sha256.Sum256([]byte(tt.preimage))); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// Escapes and long runs meet the end of the hash's buffer at every place.
func TestComputeIDAcrossTheBuffer(t *testing.T) {
	for n := range 1200 {
		e := Event{Content: strings.Repeat("a", n) + "\x01" + strings.Repeat("b", 1200-n) + "\n"}
		preimage := `[0,"` + strings.Repeat("0", 64) + `",0,0,[],"` + strings.Repeat("a", n) + `\u0001` + strings.Repeat("b", 1200-n) + `\n"]`
		if e.ComputeID() != sha256.Sum256([]byte(preimage)) {
			t.Fatalf("an escape behind %d bytes: wrong id", n)
		}
	}
}

func TestPublishedIDs(t *testing.T) {
	var file struct {
		Cases []struct {
			Note       string
			PubKey     keys.PublicKey
			CreatedAt  int64 `json:"created_at"`
			Kind       int
			Tags       Tags
			Content    string
			Serialized string `json:"serialized_hex"`
			ID         ID
		}
	}
	testkit.VectorsJSON(t, "nip01_id.json", &file)
	if len(file.Cases) != 7 {
		t.Fatalf("%d cases, want 7", len(file.Cases))
	}
	for _, c := range file.Cases {
		e := Event{PubKey: c.PubKey, CreatedAt: c.CreatedAt, Kind: c.Kind, Tags: c.Tags, Content: c.Content}
		if got := e.ComputeID(); got != c.ID {
			t.Errorf("%s: id %s, want %s", c.Note, got, c.ID)
		}
		// The JSON of an event holds the preimage's own text of tags and content.
		preimage := string(testkit.Hex(t, c.Serialized))
		rest, _ := strings.CutPrefix(preimage, fmt.Sprintf(`[0,"%s",%d,%d,`, c.PubKey, c.CreatedAt, c.Kind))
		cut := len(rest) - len(`]`) - len(appendString(nil, c.Content))
		want := fmt.Sprintf(`{"id":"%s","pubkey":"%s","created_at":%d,"kind":%d,"tags":%s"content":%s}`,
			strings.Repeat("0", 64), c.PubKey, c.CreatedAt, c.Kind, rest[:cut], rest[cut:len(rest)-1])
		if got := string(e.AppendUnsignedJSON(nil)); got != want {
			t.Errorf("%s: %s, want %s", c.Note, got, want)
		}
	}
}

func TestPublishedEvents(t *testing.T) {
	var file struct {
		Valid []struct {
			From  string
			Event json.RawMessage
		} `json:"nip01_events_valid"`
		Invalid []struct {
			From     string
			Event    json.RawMessage
			Computed ID `json:"computed_id"`
		} `json:"nip01_events_invalid"`
		NIP59 struct {
			Seal, Wrap json.RawMessage
			GiftWrap   json.RawMessage `json:"gift_wrap"`
			Rumor      string          `json:"rumor_json_decrypted"`
			SealText   string          `json:"seal_json_decrypted"`
		}
	}
	testkit.VectorsJSON(t, "nips_examples.json", &file)
	if len(file.Valid) != 3 || len(file.Invalid) != 3 {
		t.Fatalf("%d valid and %d invalid events, want 3 and 3", len(file.Valid), len(file.Invalid))
	}
	for _, c := range file.Valid {
		e := parse(t, string(c.Event))
		if err := e.Verify(); err != nil {
			t.Errorf("%s: %v", c.From, err)
		}
	}
	for _, c := range file.Invalid { // case 44: two of the three have a true signature over a false id
		e := parse(t, string(c.Event))
		if err := e.Verify(); !errors.Is(err, ErrID) {
			t.Errorf("%s: %v, want %v", c.From, err, ErrID)
		}
		if got := e.ComputeID(); got != c.Computed {
			t.Errorf("%s: id %s, want %s", c.From, got, c.Computed)
		}
	}
	for _, text := range []string{string(file.NIP59.Seal), string(file.NIP59.GiftWrap), file.NIP59.SealText} {
		if err := parse(t, text).Verify(); err != nil {
			t.Errorf("NIP-59: %v", err)
		}
	}
	rumor, present, err := ParseUnsigned([]byte(file.NIP59.Rumor))
	if err != nil {
		t.Fatal(err)
	}
	if (present != Present{ID: true, PubKey: true, CreatedAt: true, Tags: true}) {
		t.Errorf("rumor: present %+v", present)
	}
	if got := rumor.ComputeID(); got != rumor.ID {
		t.Errorf("rumor: id %s, want %s", got, rumor.ID)
	}
}

// Case 44: nothing of a signed event can be changed.
func TestVerify(t *testing.T) {
	if err := parse(t, mined).Verify(); err != nil {
		t.Fatal(err)
	}
	var none *Event
	if err := none.Verify(); !errors.Is(err, ErrNil) {
		t.Errorf("nil: %v", err)
	}
	// The example event of NIP-70: its signature is true over the id that it
	// claims, which is not its hash.
	claimed := parse(t, `{"id":"cb8feca582979d91fe90455867b34dbf4d65e4b86e86b3c68c368ca9f9eef6f2","pubkey":"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798","created_at":1707409439,"kind":1,"tags":[["-"]],"content":"hello members of the secret group","sig":"fa163f5cfb75d77d9b6269011872ee22b34fb48d23251e9879bb1e4ccbdd8aaaf4b6dc5f5084a65ef42c52fbcde8f3178bac3ba207de827ec513a6aa39fa684c"}`)
	if err := claimed.Verify(); !errors.Is(err, ErrID) {
		t.Errorf("true signature over a false id: %v, want %v", err, ErrID)
	}
	if err := bip340.Verify(claimed.PubKey, claimed.ID[:], claimed.Sig); err != nil {
		t.Errorf("the signature over the claimed id: %v", err)
	}
	// A public key that is no x-coordinate: 5, as in BIP-340's lift_x.
	offCurve := keys.PublicKey{31: 5}
	for _, tt := range []struct {
		name   string
		change func(e *Event)
		want   error
	}{
		{"content", func(e *Event) { e.Content += "." }, ErrID},
		{"content with its own id", func(e *Event) { e.Content += "."; e.ID = e.ComputeID() }, ErrSignature},
		{"kind", func(e *Event) { e.Kind = 2 }, ErrID},
		{"time", func(e *Event) { e.CreatedAt++ }, ErrID},
		{"tag", func(e *Event) { e.Tags[0][1] = "776798" }, ErrID},
		{"tag added", func(e *Event) { e.Tags = append(e.Tags, Tag{"t", "x"}) }, ErrID},
		{"tags merged", func(e *Event) { e.Tags = Tags{{"nonce"}, {"776797", "20"}} }, ErrID},
		{"id", func(e *Event) { e.ID[31] ^= 1 }, ErrID},
		{"signature, first half", func(e *Event) { e.Sig[0] ^= 1 }, ErrSignature},
		{"signature, second half", func(e *Event) { e.Sig[63] ^= 1 }, ErrSignature},
		{"signature of zeros", func(e *Event) { e.Sig = Signature{} }, ErrSignature},
		{"author", func(e *Event) { e.PubKey = secretKey(t, one).PublicKey(); e.ID = e.ComputeID() }, ErrSignature},
		{"author off the curve", func(e *Event) { e.PubKey = offCurve; e.ID = e.ComputeID() }, keys.ErrPublicKey},
		{"kind out of range", func(e *Event) { e.Kind = 65536; e.ID = e.ComputeID() }, ErrKind},
		{"bad UTF-8", func(e *Event) { e.Content = "\xff"; e.ID = e.ComputeID() }, ErrUTF8},
	} {
		e := parse(t, mined)
		tt.change(e)
		if err := e.Verify(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event *Event
		field string
		tag   int
		cause error
	}{
		{"zero", &Event{}, "", 0, nil},
		{"bounds", &Event{Kind: 65535, CreatedAt: 9007199254740991, Tags: Tags{{""}}, Content: "\x00\ufffd"}, "", 0, nil},
		{"kind -1", &Event{Kind: -1}, "kind", -1, ErrKind},
		{"kind 65536", &Event{Kind: 65536}, "kind", -1, ErrKind},
		{"time -1", &Event{CreatedAt: -1}, "created_at", -1, ErrCreatedAt},
		{"time 2^53", &Event{CreatedAt: 9007199254740992}, "created_at", -1, ErrCreatedAt},
		{"content", &Event{Content: "a\x80"}, "content", -1, ErrUTF8},
		{"surrogate", &Event{Content: "\xed\xa0\x80"}, "content", -1, ErrUTF8},
		{"empty tag", &Event{Tags: Tags{{"a"}, {}}}, "tags", 1, ErrEmptyTag},
		{"nil tag", &Event{Tags: Tags{nil}}, "tags", 0, ErrEmptyTag},
		{"tag", &Event{Tags: Tags{{"a"}, {"b", "c", "\xc3"}}}, "tags", 1, ErrUTF8},
	} {
		err := tt.event.Validate()
		if tt.cause == nil {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		var fe *FieldError
		if !errors.As(err, &fe) || !errors.Is(err, tt.cause) || fe.Field != tt.field || fe.Tag != tt.tag {
			t.Errorf("%s: %v, want %v in %s, tag %d", tt.name, err, tt.cause, tt.field, tt.tag)
		}
		sk := secretKey(t, one)
		before := *tt.event
		if err := tt.event.Sign(sk); !errors.Is(err, tt.cause) || !reflect.DeepEqual(*tt.event, before) {
			t.Errorf("%s: Sign: %v", tt.name, err)
		}
		if _, err := json.Marshal(tt.event); !errors.Is(err, tt.cause) {
			t.Errorf("%s: Marshal: %v", tt.name, err)
		}
	}
}

func TestSign(t *testing.T) {
	sk := secretKey(t, one)
	e := Event{CreatedAt: 1700000000, Kind: KindTextNote, Tags: Tags{{"t", "a\nb"}}, Content: "a < b & \u2028"}
	if err := e.Sign(sk); err != nil {
		t.Fatal(err)
	}
	if e.PubKey.String() != generator {
		t.Errorf("pubkey %s", e.PubKey)
	}
	if err := e.Verify(); err != nil {
		t.Error(err)
	}
	want := sha256.Sum256([]byte(`[0,"` + generator + `",1700000000,1,[["t","a\nb"]],"a < b & ` + "\u2028" + `"]`))
	if e.ID != want {
		t.Errorf("id %s, want %x", e.ID, want)
	}

	// Again with the public key in place: another signature, by fresh
	// randomness, of the same id.
	first := e
	if err := e.Sign(sk); err != nil {
		t.Fatal(err)
	}
	if e.ID != first.ID || e.Sig == first.Sig {
		t.Error("signing again changed the id or repeated the signature")
	}
	if err := e.Verify(); err != nil {
		t.Error(err)
	}

	wiped := secretKey(t, one)
	wiped.Zero()
	other := parse(t, mined)
	for _, tt := range []struct {
		name  string
		event *Event
		sk    *keys.SecretKey
		want  error
	}{
		{"another's", other, sk, ErrWrongKey},
		{"wiped key", &Event{Content: "a"}, wiped, keys.ErrDestroyed},
		{"zero key", &Event{Content: "a"}, new(keys.SecretKey), keys.ErrDestroyed},
		{"nil key", &Event{Content: "a"}, nil, keys.ErrDestroyed},
		{"nil event", nil, sk, ErrNil},
	} {
		var before Event
		if tt.event != nil {
			before = *tt.event
		}
		if err := tt.event.Sign(tt.sk); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if tt.event != nil && !reflect.DeepEqual(*tt.event, before) {
			t.Errorf("%s: the event was changed", tt.name)
		}
	}
}

// Cases 45 and 46.
func TestVerifyAll(t *testing.T) {
	events := make([]*Event, 40)
	want := make([]error, len(events))
	for i := range events {
		events[i] = parse(t, mined)
		switch i % 8 {
		case 3:
			events[i].Sig[40] ^= 1
			want[i] = ErrSignature
		case 5:
			events[i].Content = "another"
			want[i] = ErrID
		case 6:
			events[i] = nil
			want[i] = ErrNil
		}
	}
	for _, o := range []*BatchOptions{nil, {}, {Workers: 1}, {Workers: 3}, {Workers: 100}} {
		calls := 0
		if o != nil {
			o.Progress = func(done, total int) {
				calls++
				if done != calls || total != len(events) {
					t.Errorf("progress %d of %d at call %d", done, total, calls)
				}
			}
		}
		errs := VerifyAll(t.Context(), events, o)
		for i := range want {
			if !errors.Is(errs[i], want[i]) || want[i] == nil && errs[i] != nil {
				t.Errorf("event %d: %v, want %v", i, errs[i], want[i])
			}
		}
		if o != nil && calls != len(events) {
			t.Errorf("%d calls of progress", calls)
		}
	}
	if errs := VerifyAll(t.Context(), nil, nil); len(errs) != 0 {
		t.Errorf("no events: %v", errs)
	}

	// Cancelled in the middle: what was begun is answered, the rest is not.
	ctx, cancel := context.WithCancel(t.Context())
	errs := VerifyAll(ctx, events, &BatchOptions{Workers: 1, Progress: func(done, _ int) {
		if done == 10 {
			cancel()
		}
	}})
	for i, err := range errs {
		if i < 10 && !errors.Is(err, want[i]) || i >= 10 && !errors.Is(err, context.Canceled) {
			t.Errorf("event %d: %v", i, err)
		}
	}
}

// Batches of every size, of many authors and of few: each event is answered as alone.
func TestVerifyAllLarge(t *testing.T) {
	var sks []*keys.SecretKey
	for range 40 {
		sk, err := keys.GenerateSecretKey()
		if err != nil {
			t.Fatal(err)
		}
		sks = append(sks, sk)
	}
	events := make([]*Event, 1100)
	want := make([]error, len(events))
	for i := range events {
		events[i] = &Event{CreatedAt: int64(i), Kind: 1, Content: "hello"}
		if err := events[i].Sign(sks[i*i%len(sks)]); err != nil {
			t.Fatal(err)
		}
		switch {
		case i%400 == 7, i > 900 && i%5 == 0:
			events[i].Sig[i%64] ^= 1
			want[i] = ErrSignature
		case i%400 == 8:
			events[i].CreatedAt++
			want[i] = ErrID
		case i%400 == 9:
			// No point has x = 5.
			events[i].PubKey = keys.PublicKey{31: 5}
			events[i].ID = events[i].ComputeID()
			want[i] = keys.ErrPublicKey
		case i%400 == 10:
			events[i] = nil
			want[i] = ErrNil
		}
	}
	for _, n := range []int{1, 3, 4, 5, 12, 64, 129, 512, 513, 1100} {
		for _, workers := range []int{0, 1, 2, 3, 40, 5000, math.MaxInt} {
			calls := 0
			errs := VerifyAll(t.Context(), events[:n], &BatchOptions{Workers: workers, Progress: func(done, total int) {
				if calls++; done != calls || total != n {
					t.Errorf("progress %d of %d at call %d of %d", done, total, calls, n)
				}
			}})
			if len(errs) != n || calls != n {
				t.Fatalf("%d answers and %d calls for %d events", len(errs), calls, n)
			}
			for i, err := range errs {
				if !errors.Is(err, want[i]) || want[i] == nil && err != nil {
					t.Fatalf("event %d of %d, %d workers: %v, want %v", i, n, workers, err, want[i])
				}
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for i, err := range VerifyAll(ended, events, nil) {
		if err != context.Canceled {
			t.Fatalf("event %d: %v", i, err)
		}
	}
}

func TestAppendJSON(t *testing.T) {
	if got := string(parse(t, mined).AppendJSON([]byte("x"))); got != "x"+mined {
		t.Errorf("got %s", got)
	}
	const zeros = `0000000000000000000000000000000000000000000000000000000000000000`
	e := Event{CreatedAt: 5, Kind: 7, Tags: Tags{{"a", "\"\\"}, {"\x00"}}, Content: "<\u2028>/\b\f\n\r\t\v"}
	unsigned := `{"id":"` + zeros + `","pubkey":"` + zeros + `","created_at":5,"kind":7,"tags":[["a","\"\\"],["\u0000"]],"content":"<` + "\u2028" + `>/\b\f\n\r\t\u000b"`
	if got, want := string(e.AppendUnsignedJSON(nil)), unsigned+`}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(e.AppendJSON(nil)), unsigned+`,"sig":"`+zeros+zeros+`"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(new(Event).AppendUnsignedJSON(nil)), `{"id":"`+zeros+`","pubkey":"`+zeros+`","created_at":0,"kind":0,"tags":[],"content":""}`; got != want {
		t.Errorf("nil tags: %s", got)
	}
}

// awkward holds every control character and what encoding/json escapes beyond
// NIP-01.
func awkward(t testing.TB) *Event {
	e := parse(t, mined)
	for c := range 0x80 {
		e.Content += string(rune(c))
	}
	e.Content += "\u0080\u2028\u2029\ufeff\ufffd\uffff\U0001F600e\u0301\U0010FFFF</script>&amp;"
	e.Tags = append(e.Tags, Tag{e.Content, "", e.Content}, Tag{""})
	return e
}

// The standard library compacts what MarshalJSON returns and escapes < > & and
// the two separators; the event stays the same.
func TestStandardJSON(t *testing.T) {
	e := awkward(t)
	for _, escapeHTML := range []bool{true, false} {
		for name, v := range map[string]any{"pointer": e, "value": *e} {
			var buf bytes.Buffer
			enc := json.NewEncoder(&buf)
			enc.SetEscapeHTML(escapeHTML)
			if err := enc.Encode(v); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(buf.String(), `\u003c/script\u003e\u0026`); got != escapeHTML {
				t.Errorf("%s, escape %v: %s", name, escapeHTML, buf.String())
			}
			var back Event
			if err := json.Unmarshal(buf.Bytes(), &back); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(&back, e) {
				t.Errorf("%s, escape %v: %+v, want %+v", name, escapeHTML, &back, e)
			}
			if back := parse(t, buf.String()); !reflect.DeepEqual(back, e) {
				t.Errorf("%s, escape %v: Parse: %+v, want %+v", name, escapeHTML, back, e)
			}
		}
	}

	// Inside other types, too.
	var list []Event
	if err := json.Unmarshal([]byte("[ "+mined+" , "+mined+"]"), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || !reflect.DeepEqual(&list[1], parse(t, mined)) {
		t.Errorf("list: %+v", list)
	}

	// Strictness is not lost on the way, and nothing is half-filled.
	for _, text := range []string{`null`, `{}`, with(t, minedSig, minedSig+`,"KIND":2`)} {
		before := *e
		if err := json.Unmarshal([]byte(text), e); err == nil || !reflect.DeepEqual(*e, before) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	e := awkward(t)
	if back := parse(t, string(e.AppendJSON(nil))); !reflect.DeepEqual(back, e) {
		t.Errorf("%+v, want %+v", back, e)
	}
	back, present, err := ParseUnsigned(e.AppendUnsignedJSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	back.Sig = e.Sig
	if !reflect.DeepEqual(back, e) || (present != Present{ID: true, PubKey: true, CreatedAt: true, Tags: true}) {
		t.Errorf("%+v, %+v, want %+v", back, present, e)
	}
}

func TestText(t *testing.T) {
	const id = "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358"
	v, err := ParseID(id)
	if err != nil || v.String() != id || v[0] != 0 || v[2] != 0x06 || v[31] != 0x58 {
		t.Errorf("%v, %v", v, err)
	}
	text, err := json.Marshal(map[ID]Signature{v: {63: 0xaf}})
	if want := `{"` + id + `":"` + strings.Repeat("0", 126) + `af"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	var back map[ID]Signature
	if err := json.Unmarshal(text, &back); err != nil || (back[v] != Signature{63: 0xaf}) {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{"", id[1:], id + "0", strings.ToUpper(id), id[:63] + "g", id[:63] + "`", id[:63] + "/", id[:63] + ":", id[:62] + "\u00e9", id[:63] + "\x80"} {
		if _, err := ParseID(bad); !errors.Is(err, ErrHex) {
			t.Errorf("%q: %v", bad, err)
		}
		sig := Signature{1}
		if err := sig.UnmarshalText([]byte(bad + id)); bad != "" && (!errors.Is(err, ErrHex) || sig != Signature{1}) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTags(t *testing.T) {
	tags := Tags{{"e", "1"}, {"p", "2", "wss://relay.example"}, {"p"}, {}}
	for _, tt := range []struct {
		tag         Tag
		name, value string
	}{{tags[0], "e", "1"}, {tags[2], "p", ""}, {tags[3], "", ""}, {nil, "", ""}} {
		if tt.tag.Name() != tt.name || tt.tag.Value() != tt.value {
			t.Errorf("%q: %q, %q", tt.tag, tt.tag.Name(), tt.tag.Value())
		}
	}
	if got := tags.Find("p"); len(got) != 3 || got[1] != "2" {
		t.Errorf("Find(p): %q", got)
	}
	if got := tags.Find(""); got != nil {
		t.Errorf("Find of an empty name: %q", got)
	}
	clone := tags.Clone()
	if !clone.Equal(tags) || !tags.Equal(clone) {
		t.Errorf("clone %q", clone)
	}
	clone[0][1] = "x"
	if tags[0][1] != "1" || clone.Equal(tags) {
		t.Error("the clone shares memory")
	}
	if (Tags{{"a", "b"}}).Equal(Tags{{"a"}, {"b"}}) || !Tags(nil).Equal(Tags{}) || Tags(nil).Clone() != nil {
		t.Error("Equal or Clone of other shapes")
	}
}

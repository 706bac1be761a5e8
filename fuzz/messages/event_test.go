package messages

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/fuzz/internal/reference"
	"github.com/sealwright/sealwright/protocol/event"
)

// checkParse holds both parsers against the reference, and what we write
// against what we read.
func checkParse(t *testing.T, text []byte) {
	t.Helper()
	want := reference.ParseEvent(text, false)
	got, err := event.Parse(text)
	if (err == nil) != (want != nil) {
		t.Fatalf("Parse(%q): %v; the reference accepts: %v", text, err, want != nil)
	}
	if err == nil {
		sameEvent(t, fmt.Sprintf("Parse(%q)", text), got, want)
		if got.ComputeID() != want.ComputeID() {
			t.Fatalf("the id of %q is %s, want %x", text, got.ComputeID(), want.ComputeID())
		}
		ours := got.AppendJSON(nil)
		if string(ours) != want.JSON() {
			t.Fatalf("%q is written as %q, want %q", text, ours, want.JSON())
		}
		if back, err := event.Parse(ours); err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", text, ours, err)
		} else {
			sameEvent(t, fmt.Sprintf("%q after a round trip", text), back, want)
		}
	}

	want = reference.ParseEvent(text, true)
	got, present, err := event.ParseUnsigned(text)
	if (err == nil) != (want != nil) {
		t.Fatalf("ParseUnsigned(%q): %v; the reference accepts: %v", text, err, want != nil)
	}
	if err == nil {
		sameEvent(t, fmt.Sprintf("ParseUnsigned(%q)", text), got, want)
		for _, f := range []struct {
			name    string
			present bool
		}{{"id", present.ID}, {"pubkey", present.PubKey}, {"created_at", present.CreatedAt}, {"tags", present.Tags}, {"sig", present.Sig}} {
			if f.present != want.Has[f.name] {
				t.Fatalf("ParseUnsigned(%q): %s present: %v, want %v", text, f.name, f.present, want.Has[f.name])
			}
		}
	}
}

var (
	hex32 = strings.Repeat("0123456789abcdef", 4)
	hex64 = hex32 + hex32
)

// members are members of an object, good and bad, which FuzzEventMembers puts
// together.
var members = []string{
	`"id":"` + hex32 + `"`, `"pubkey":"` + hex32 + `"`, `"created_at":1700000000`, `"kind":1`, `"tags":[]`, `"content":"x"`, `"sig":"` + hex64 + `"`,
	`"id":""`, `"id":null`, `"id":"` + hex32[:62] + `"`, `"id":"` + hex32 + `00"`, `"id":"` + strings.ToUpper(hex32) + `"`, `"id":"\u0030` + hex32[1:] + `"`, `"id":0`,
	`"pubkey":""`, `"pubkey":null`, `"pubkey":"` + hex32[:63] + `g"`, `"pubkey":["` + hex32 + `"]`,
	`"created_at":0`, `"created_at":-1`, `"created_at":-0`, `"created_at":1.0`, `"created_at":1e9`, `"created_at":9007199254740991`, `"created_at":9007199254740992`, `"created_at":01`, `"created_at":"1"`, `"created_at":99999999999999999999`, `"created_at":null`,
	`"kind":0`, `"kind":65535`, `"kind":65536`, `"kind":-1`, `"kind":1059`, `"kind":00`, `"kind":1E0`, `"kind":true`, `"kind":4294967297`, `"kind":18446744073709551617`, `"kind":36893488147419103232`, `"created_at":18446744073709551617`, `"created_at":9223372036854775808`,
	`"tags":[["p","` + hex32 + `"],["e"]]`, `"tags":[[]]`, `"tags":[["a",null]]`, `"tags":[["a",1]]`, `"tags":["a"]`, `"tags":null`, `"tags":{}`, `"tags":[["a"],]`, `"tags":[["\ud83d\ude00","\u0000","\/"]]`, `"tags":[[["a"]]]`,
	`"content":""`, `"content":"\ud83d"`, `"content":"\ude00\ud83d"`, `"content":"\ud83d\ud83d\ude00"`, `"content":"\uD83D\uDE00"`, "\"content\":\"\n\"", "\"content\":\"\xff\"", "\"content\":\"\xc0\x80\"", "\"content\":\"\xed\xa0\x80\"", "\"content\":\"\xf4\x90\x80\x80\"", `"content":"\x41"`, `"content":"\u00g0"`, `"content":{}`, `"content":null`,
	"\"content\":\"\x7f\u2028\u2029<>&'/\U0001F600\"", `"content":"\"\\\/\b\f\n\r\t\u001f\u007f\u2028"`, `"content":"` + strings.Repeat(`0123456789abcde\n`, 40) + `"`,
	`"sig":""`, `"sig":null`, `"sig":"` + hex64[:126] + `"`, `"sig":"` + strings.ToUpper(hex64) + `"`,
	`"Kind":1`, `"KIND":1`, `"\u006bind":1`, `"\u212aind":1`, "\"\u212aind\":1", `"tag\u017f":[]`, "\"\u017fig\":\"\"", `"kind ":1`, `"ıd":""`, `"contents":1`, `"":0`,
	`"x":1`, `"x":-1.5e+3`, `"x":1.`, `"x":.5`, `"x":1e`, `"x":+1`, `"x":NaN`, `"x":nul`, `"x":[1,{"y":[null,true,false]}]`, `"x":{"y":1,"y":2}`, `"x":{"y"}`, `"x":[1 2]`, `"x":1e999`,
	`"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31), `"x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32), `"x":` + strings.Repeat(`{"x":`, 31) + "0" + strings.Repeat("}", 31), `"x":` + strings.Repeat(`{"x":`, 32) + "0" + strings.Repeat("}", 32),
}

// FuzzEventParse compares with jsontext on any text. Cases 42 and 43.
func FuzzEventParse(f *testing.F) {
	good := reference.Signed(aliceKey, 1, 1700000000, [][]string{{"p", hex32}, {"e", "\u2028", ""}}, "a \"quoted\" \\ line\nand \x01\x1f\u00e9\U0001F600").JSON()
	fuzzkit.Seed(f, []byte(good))
	for _, around := range []string{" \t\r\n%s \t\r\n", "%s,", "%s}", "\ufeff%s", "[%s]", "%s%s", "%s\x00", "\v%s", "%s/**/"} {
		fuzzkit.Seed(f, []byte(strings.ReplaceAll(around, "%s", good)))
	}
	for i := 1; i < len(good); i += 37 {
		fuzzkit.Seed(f, []byte(good[:i]))
		fuzzkit.Seed(f, []byte(good[:i]+" "+good[i:]))
	}
	for _, m := range members {
		fuzzkit.Seed(f, []byte(`{"kind":1,"content":"",`+m+`}`))
	}
	f.Fuzz(checkParse)
}

// FuzzEventMembers compares with jsontext on objects put together from members:
// the seven good ones, with others put in or put in place of one.
func FuzzEventMembers(f *testing.F) {
	for i := range members {
		fuzzkit.Seed(f, []byte{0, byte(i % 8), byte(i)})
		for at, good := range members[:7] {
			if key, _, _ := strings.Cut(good, ":"); strings.HasPrefix(members[i], key) {
				fuzzkit.Seed(f, []byte{1, byte(at), byte(i)})
			}
		}
	}
	for at := range byte(7) {
		fuzzkit.Seed(f, []byte{2, at})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list := append([]string(nil), members[:7]...)
		in := fuzzkit.New(data)
		for n := range (len(data) + 2) / 3 {
			form, at, i := in.Byte(), int(in.Byte()), int(in.Byte())
			m := members[i%len(members)]
			switch at %= len(list) + 1; {
			case form&3 == 1 && at < len(list): // replace
				list[at] = m
			case form&3 == 2 && at < len(list): // remove
				list = append(list[:at], list[at+1:]...)
			case n < 20:
				list = append(list[:at], append([]string{m}, list[at:]...)...)
			}
		}
		checkParse(t, []byte("{"+strings.Join(list, ",")+"}"))
	})
}

// FuzzEventString compares with jsontext on a content put together from escapes,
// half of them near the surrogates, and raw bytes. Case 43.
func FuzzEventString(f *testing.F) {
	for _, u := range []uint16{0, 0x1f, 0x22, 0x5c, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfffd, 0xffff} {
		for _, form := range []byte{0, 3, 5, 6, 7} {
			fuzzkit.Seed(f, []byte{form, byte(u), byte(u >> 8)})
			fuzzkit.Seed(f, []byte{0, 0x00, 0xd8, form, byte(u), byte(u >> 8)})
			fuzzkit.Seed(f, []byte{4, 0xff, 0xdb, form, byte(u), byte(u >> 8), 2, 'x', 0})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		var content []byte
		for range min(len(data)+2, 300) / 3 {
			form, u := in.Byte(), in.Uint16()
			if form&8 != 0 {
				u = 0xd800 | u&0x7ff
			}
			switch form & 7 {
			case 0, 1, 2:
				content = fmt.Appendf(content, `\u%04x`, u)
			case 3, 4:
				content = fmt.Appendf(content, `\u%04X`, u)
			case 5:
				content = append(content, byte(u), byte(u>>8))
			case 6:
				content = append(content, '\\', byte(u))
			case 7:
				content = append(content, string(rune(u))...)
			}
		}
		head := strings.Join(members[:5], ",")
		checkParse(t, fmt.Appendf(nil, `{%s,"content":"%s",%s}`, head, content, members[6]))
		checkParse(t, fmt.Appendf(nil, `{%s,"%s":0,"content":"",%s}`, head, content, members[6]))
	})
}

// FuzzEventNumber compares with jsontext on numbers: near a power of two, or of
// any characters that numbers have.
func FuzzEventNumber(f *testing.F) {
	for bits := range byte(130) {
		fuzzkit.Seed(f, []byte{bits, 2})
		fuzzkit.Seed(f, []byte{bits, 1, 0, 9})
	}
	for _, number := range []string{"0", "-0", "00", "1.0", "1e0", "1E+1", "-", "+1", ".1", "1.", "1e", "0x1", "65535", "9007199254740991"} {
		var in []byte
		for _, c := range number {
			in = append(in, byte(strings.IndexRune(numeric, c)))
		}
		fuzzkit.Seed(f, []byte{255, 0}, in)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		bits, delta := in.Byte(), int64(int8(in.Byte()))
		var number []byte
		if bits < 200 {
			n := new(big.Int).Lsh(big.NewInt(1), uint(bits))
			number = n.Add(n, big.NewInt(delta)).Append(nil, 10)
		}
		for _, c := range in.Take(40) {
			number = append(number, numeric[int(c)%len(numeric)])
		}
		for i := 2; i < 4; i++ {
			list := append([]string(nil), members[:7]...)
			key, _, _ := strings.Cut(list[i], ":")
			list[i] = key + ":" + string(number)
			checkParse(t, []byte("{"+strings.Join(list, ",")+"}"))
		}
		checkParse(t, fmt.Appendf(nil, `{"x":%s,%s}`, number, strings.Join(members[:7], ",")))
	})
}

const numeric = "0123456789-+.eExn \"_"

// FuzzEventID compares the id and the JSON of events of any text with the
// reference and with go-nostr, in both directions. Case 41.
func FuzzEventID(f *testing.F) {
	for c := range byte(0x20) {
		fuzzkit.Seed(f, []byte{c, 0, 0, 0, 1, 0, 1, 2, 3, 'a', c, 'b', 1, c}, []byte{c, '"', c, '\\'})
	}
	for n := range 6 { // an escape across the end of any buffer
		fuzzkit.Seed(f, []byte{0, 0, 0, 0, 0, 0, 0}, []byte(strings.Repeat("x", n)+strings.Repeat("\x01", 400)))
	}
	for _, s := range []string{"", "&<>'/", "\u2028\u2029", "\U0001F600", "\x7f\u0080\ufffd\ufeff", "\\u0041", strings.Repeat("x", 511) + "\x01" + strings.Repeat("\"", 513)} {
		fuzzkit.Seed(f, []byte{0, 0, 0, 0, 0, 0, 0}, []byte(s))
		fuzzkit.Seed(f, []byte{255, 255, 255, 255, 255, 255, 1, 1, 31}, []byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		createdAt, kind := int64(in.Uint32())<<21^int64(in.Byte()), int(in.Byte())*257
		tags := tagsOf(in)
		content := in.Text(len(data))
		want := reference.Signed(aliceKey, kind, createdAt, tags, content)
		ours := &event.Event{PubKey: want.PubKey, CreatedAt: createdAt, Kind: kind, Tags: ourTags(tags), Content: content}
		theirs := nostr.Event{PubKey: hex.EncodeToString(want.PubKey[:]), CreatedAt: nostr.Timestamp(createdAt), Kind: kind, Tags: goNostrTags(tags), Content: content}
		if id := theirs.GetID(); id != hex.EncodeToString(want.ID[:]) {
			t.Fatalf("the references differ on %q: go-nostr %s, ours by the text %x", want.JSON(), id, want.ID)
		}
		fuzzkit.EachTier(func(tier string) {
			if id := ours.ComputeID(); id != want.ID {
				t.Fatalf("%s: the id of %q is %s, want %x", tier, want.JSON(), id, want.ID)
			}
		}, "sha256")

		ours.ID, ours.Sig = want.ID, want.Sig
		text := ours.AppendJSON([]byte("head"))
		if string(text) != "head"+want.JSON() {
			t.Fatalf("written as %q, want %q", text[4:], want.JSON())
		}
		back, err := event.Parse(text[4:])
		if err != nil {
			t.Fatalf("%q: %v", text[4:], err)
		}
		sameEvent(t, "after a round trip", back, want)

		var read nostr.Event
		if err := read.UnmarshalJSON(text[4:]); err != nil || !read.CheckID() || read.Content != content || len(read.Tags) != len(tags) {
			t.Fatalf("go-nostr reads %q as %+v, %v", text[4:], read, err)
		}
		if back, err = event.Parse([]byte(read.String())); err != nil {
			t.Fatalf("go-nostr writes %q, which we refuse: %v", read.String(), err)
		}
		sameEvent(t, "by way of go-nostr", back, want)
	})
}

// FuzzEventTamper changes one byte of a signed event's JSON: it is an error, or
// another spelling of the same event. Our verdict is the reference's and
// go-nostr's. Cases 43 and 44.
func FuzzEventTamper(f *testing.F) {
	n := len(reference.Signed(aliceKey, 1, 1700000000, nil, "text").JSON())
	for at := 0; at < n; at += 7 {
		fuzzkit.Seed(f, []byte{0, byte(at), byte(at >> 8), 1, 0}, []byte("text"))
		fuzzkit.Seed(f, []byte{0, byte(at), byte(at >> 8), 0x20, 1, 1, 1, 'p'}, []byte("text\x0b"))
	}
	fuzzkit.Seed(f, []byte{1, 0, 0, 0, 0}, []byte("text"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		form, at, c := in.Byte(), int(in.Uint16()), in.Byte()
		tags := tagsOf(in)
		content := in.Text(len(data))
		signed := reference.Signed(bobKey, 1, 1700000000, tags, content)
		text := []byte(signed.JSON())
		switch form & 3 {
		case 0:
			text[at%len(text)] ^= c
		case 1: // a true signature over a claimed id that is not the hash
			signed.ID[at&31] ^= c
			signed.Sign(bobKey)
			text = []byte(signed.JSON())
		case 2: // one byte less
			text = append(text[:at%len(text)], text[at%len(text)+1:]...)
		}
		read := reference.ParseEvent(text, false)
		want := read != nil && read.Verify()
		fuzzkit.EachTier(func(tier string) {
			e, err := event.Parse(text)
			if err == nil {
				err = e.Verify()
				theirs := nostr.Event{ID: e.ID.String(), PubKey: e.PubKey.String(), CreatedAt: nostr.Timestamp(e.CreatedAt), Kind: e.Kind,
					Tags: goNostrTags(read.Tags), Content: e.Content, Sig: e.Sig.String()}
				good, _ := theirs.CheckSignature()
				if good = good && theirs.CheckID(); good != (err == nil) {
					t.Fatalf("%s: %q: %v, go-nostr: %v", tier, text, err, good)
				}
			}
			if (err == nil) != want {
				t.Fatalf("%s: %q: %v, want success: %v", tier, text, err, want)
			}
			if err == nil {
				sameEvent(t, "what still verifies", e, signed)
			}
		}, "sha256", "secp256k1")
	})
}

// FuzzEventSign: what we sign verifies elsewhere.
func FuzzEventSign(f *testing.F) {
	fuzzkit.Seed(f, []byte{1, 1, 2, 1, 'p', 1, 'x'}, []byte("text"))
	fuzzkit.Seed(f, []byte{0x22, 0}, []byte("\x00\u2028"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		key := in.Integer()
		tags := tagsOf(in)
		content := in.Text(len(data))
		if _, err := reference.ConversationKey(key, reference.PublicKey(aliceKey)); err != nil {
			key = carolKey
		}
		sk := secretKey(t, key)
		fuzzkit.EachTier(func(tier string) {
			e := &event.Event{CreatedAt: 1, Kind: 1, Tags: ourTags(tags), Content: content}
			if err := e.Sign(sk); err != nil {
				t.Fatal(err)
			}
			if err := e.Verify(); err != nil {
				t.Fatalf("%s: we refuse what we signed: %v", tier, err)
			}
			if read := reference.ParseEvent(e.AppendJSON(nil), false); read == nil || read.PubKey != reference.PublicKey(key) || !read.Verify() {
				t.Fatalf("%s: the reference refuses %q", tier, e.AppendJSON(nil))
			}
		}, "sha256", "secp256k1")
	})
}

// FuzzEventMemory parses long texts made of a repeated piece: a refusal costs
// the allocation of its error, an event at most eight bytes for each of its
// text's.
func FuzzEventMemory(f *testing.F) {
	for _, p := range [][3]string{
		{`{"kind":1,"content":"`, `a`, `"}`}, {`{"kind":1,"content":"`, `\n`, `"}`}, {`{"kind":1,"content":"`, "\u2028", `"}`},
		{`{"kind":1,"content":"","tags":[["a"]`, `,["a"]`, `]}`}, {`{"kind":1,"content":"","tags":[["a"`, `,""`, `]]}`},
		{`{"kind":1,"content":"","x":`, `[`, ``}, {`{"kind":1,"content":"","x":`, `{"":`, ``}, {`{"kind":1,"content":"","created_at":`, `9`, `}`},
		{`{"kind":1,"content":"","id":"`, `0`, `"}`}, {`{"kind":1,"content":"","x":0`, `,"x":0`, `}`}, {``, ` `, ``}, {`{"kind":1,"content":"","`, `k`, `":0}`},
	} {
		fuzzkit.Seed(f, []byte{byte(len(p[0])), byte(len(p[1])), 0, 0, 4}, []byte(p[0]+p[1]+p[2]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		headLen, unitLen, n := int(in.Byte()), int(in.Byte()), int(in.Uint16())|int(in.Byte()&15)<<16
		head, unit := in.Take(headLen), in.Take(unitLen)
		if len(unit) == 0 {
			unit = []byte{' '}
		}
		text := append(bytes.Clone(head), bytes.Repeat(unit, n/len(unit))...)
		text = append(text, in.Rest()...)
		var err error
		got := fuzzkit.Allocated(func() { _, _, err = event.ParseUnsigned(text) })
		allowed := uint64(slack)
		if err == nil {
			allowed += 8 * uint64(len(text))
		}
		if got > allowed {
			t.Fatalf("%d bytes, %q… %q…, allocate %d bytes: %v", len(text), head, unit, got, err)
		}
		if reference.ParseEvent(text, true) != nil != (err == nil) {
			t.Fatalf("%d bytes, %q… %q…: %v", len(text), head, unit, err)
		}
	})
}

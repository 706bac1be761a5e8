package signertest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

var cipherChecks = []check{
	{"round trip", (*tester).checkRoundTrip},
	{"shared x with a leading zero", (*tester).checkLeadingZero},
	{"encryption anew", (*tester).checkAnew},
	{"sizes", (*tester).checkSizes},
	{"limit", (*tester).checkLimit},
	{"empty plaintext", (*tester).checkEmpty},
	{"bytes that are no text", (*tester).checkBytes},
	{"slices", (*tester).checkSlices},
	{"wrong peer", (*tester).checkWrongPeer},
	{"changed payload", (*tester).checkChanged},
	{"malformed payload", (*tester).checkMalformed},
	{"padding", (*tester).checkPadding},
	{"peer off the curve", (*tester).checkOffCurve},
}

// text returns n bytes of text.
func text(n int) []byte {
	return bytes.Repeat([]byte("the boat leaves at six, tell nobody. "), n/37+1)[:n]
}

// sends asks that plaintext, encrypted by the signer, opens on both sides.
func (t *tester) sends(p *peer, plaintext []byte) {
	payload, err := t.encrypt(t.ctx, plaintext, p.pub)
	if err != nil {
		t.faultf("Encrypt of %d bytes: %w", len(plaintext), err)
		return
	}
	// Fewer bytes may occur in a payload by chance.
	if bytes.Equal(payload, plaintext) || len(plaintext) >= 16 && bytes.Contains(payload, plaintext) {
		t.faultf("the payload shows the plaintext")
	}
	got, err := p.ck.AppendDecrypt(nil, payload, &noLimit)
	if err != nil {
		t.faultf("the peer, reading the payload of %d bytes: %w", len(plaintext), err)
	} else if !bytes.Equal(got, plaintext) {
		t.faultf("the peer reads another plaintext than the one of %d bytes", len(plaintext))
	}
	t.opens("the payload it made itself", payload, p.pub, plaintext)
}

// receives asks that the signer opens what the peer encrypted.
func (t *tester) receives(p *peer, plaintext []byte) {
	t.opens("the peer's payload", p.encrypt(plaintext), p.pub, plaintext)
}

func (t *tester) opens(what string, payload []byte, from keys.PublicKey, plaintext []byte) {
	got, err := t.decrypt(t.ctx, payload, from)
	if err != nil {
		t.faultf("Decrypt of %s, of %d bytes: %w", what, len(plaintext), err)
	} else if !bytes.Equal(got, plaintext) {
		t.faultf("Decrypt of %s gives another plaintext than the one of %d bytes", what, len(plaintext))
	}
}

// fails asks that Decrypt fails, for the cause given or, when that is nil, with
// any error of the class.
func (t *tester) fails(what string, payload []byte, from keys.PublicKey, cause error, class nip59.Class) {
	_, err := t.decrypt(t.ctx, payload, from)
	t.told("Decrypt of "+what, err, cause, class)
}

// told asks that err is there and tells the cause, or the class.
func (t *tester) told(what string, err, cause error, class nip59.Class) {
	switch {
	case errors.Is(err, errPanicked):
	case err == nil:
		t.faultf("%s succeeds", what)
	case cause != nil && !errors.Is(err, cause):
		t.faultf("%s: the error %q is not %q", what, err, cause)
	case cause == nil && nip59.Classify(err) != class:
		t.faultf("%s: the error %q is of class %s, not %s", what, err, nip59.Classify(err), class)
	}
}

// Several peers in turn find a signer that mixes up what it keeps of them; the
// second round, one that goes wrong with what it kept.
func (t *tester) checkRoundTrip() {
	peers := []*peer{newPeer(t.pub), newPeer(t.pub), newPeer(t.pub)}
	for round := range 2 {
		for i, p := range peers {
			m := fmt.Appendf(nil, "message %d to peer %d: \x00 \\ \" <&> \r\n \u2028 é 漢 🎁", round, i)
			t.sends(p, m)
			t.receives(p, m)
		}
	}
	m := []byte("a note to oneself")
	payload, err := t.encrypt(t.ctx, m, t.pub)
	if err != nil {
		t.faultf("Encrypt to oneself: %w", err)
		return
	}
	t.opens("the payload to oneself", payload, t.pub, m)
}

// Case 14: all 32 bytes are hashed.
func (t *tester) checkLeadingZero() {
	p := findPeer(t.pub, func(x *[32]byte) bool { return x[0] == 0 }) // 1 in 256
	t.sends(p, text(40))
	t.receives(p, text(40))
}

func (t *tester) checkAnew() {
	p := newPeer(t.pub)
	seen := make(map[string]bool)
	for range 8 {
		payload, err := t.encrypt(t.ctx, text(20), p.pub)
		if err != nil {
			t.faultf("Encrypt: %w", err)
			return
		}
		if seen[string(payload)] {
			t.faultf("two encryptions of one plaintext are the same")
			return
		}
		seen[string(payload)] = true
	}
}

// The lengths around 65,536 are where the form changes, 65,408 and 65,500 where
// buffers counted by hand end, the last two those of follow lists.
func (t *tester) checkSizes() {
	p := newPeer(t.pub)
	for _, n := range []int{1, 2, 31, 32, 33, 64, 65, 255, 256, 257, 1000, 65_408, 65_409, 65_500, 65_535, 65_536, 65_537, 70_000, 200_000} {
		if t.o.MaxPlaintext == 0 || uint64(n) <= t.o.MaxPlaintext {
			t.sends(p, text(n))
			t.receives(p, text(n))
		}
	}
}

func (t *tester) checkLimit() {
	limit := t.o.MaxPlaintext
	if limit == 0 || limit > 16<<20 {
		return
	}
	p := newPeer(t.pub)
	t.sends(p, text(int(limit)))
	t.receives(p, text(int(limit)))

	over := limit + 1
	_, err := t.encrypt(t.ctx, text(int(over)), p.pub)
	t.told("Encrypt of one byte over the limit", err, nip44.ErrTooLarge, "")
	// A payload tells the padded length alone before it is opened.
	if nip44.EncryptedLen(over) == nip44.EncryptedLen(limit) {
		over = nip44.PaddedLen(limit) + 1
	}
	t.fails("a payload over the limit", p.encrypt(text(int(over))), p.pub, nip44.ErrTooLarge, "")
}

func (t *tester) checkEmpty() {
	p := newPeer(t.pub)
	for _, plaintext := range [][]byte{nil, {}} {
		_, err := t.encrypt(t.ctx, plaintext, p.pub)
		t.told("Encrypt of nothing", err, nip44.ErrEmpty, "")
	}
}

// A signer that speaks JSON cannot carry every byte; it has to say so, rather
// than carry others.
func (t *tester) checkBytes() {
	p := newPeer(t.pub)
	m := []byte("cut in a letter: \xc3, then \xff\xfe and half a pair \xed\xa0\x80.")
	payload, err := t.encrypt(t.ctx, m, p.pub)
	if err != nil {
		t.told("Encrypt", err, nip44.ErrUTF8, "")
	} else if got, err := p.ck.AppendDecrypt(nil, payload, &noLimit); err != nil || !bytes.Equal(got, m) {
		t.faultf("the peer reads %q, %v", got, err)
	}
	got, err := t.decrypt(t.ctx, p.encrypt(m), p.pub)
	if err != nil {
		t.told("Decrypt", err, nip44.ErrUTF8, "")
	} else if !bytes.Equal(got, m) {
		t.faultf("Decrypt gives %q", got)
	}
}

// Slices belong to the caller before and after: what it passes is not changed,
// not even behind its end, and not kept; what it gets is its own to overwrite.
func (t *tester) checkSlices() {
	p := newPeer(t.pub)
	m := text(100)
	room := append(bytes.Clone(m), "guard"...)
	payload, err := t.encrypt(t.ctx, room[:100], p.pub)
	if err != nil {
		t.faultf("Encrypt: %w", err)
		return
	}
	if string(room[100:]) != "guard" {
		t.faultf("Encrypt wrote behind the plaintext")
	}
	overwrite(room)
	t.sends(p, room[:100]) // another text in the same place
	kept := bytes.Clone(payload)
	if second, err := t.encrypt(t.ctx, m, p.pub); err == nil {
		overwrite(second)
		if !bytes.Equal(payload, kept) {
			t.faultf("two payloads share their memory")
		}
	}

	payload = p.encrypt(m)
	room = append(bytes.Clone(payload), "guard"...)
	opened, err := t.decrypt(t.ctx, room[:len(payload)], p.pub)
	if err != nil {
		t.faultf("Decrypt: %w", err)
		return
	}
	if string(room[len(payload):]) != "guard" {
		t.faultf("Decrypt wrote behind the payload")
	}
	other := text(101)[1:]
	copy(room, p.encrypt(other))
	t.opens("a payload in the place of another", room[:len(payload)], p.pub, other)
	if second, err := t.decrypt(t.ctx, payload, p.pub); err == nil {
		overwrite(second)
		if !bytes.Equal(opened, m) {
			t.faultf("two plaintexts share their memory")
		}
	}
	overwrite(opened)
	t.opens("a payload again, its first plaintext overwritten,", payload, p.pub, m)
}

func overwrite(b []byte) {
	for i := range b {
		b[i] ^= 0x55
	}
}

func (t *tester) checkWrongPeer() {
	p, q := newPeer(t.pub), newPeer(t.pub)
	t.receives(p, text(40)) // both are known
	t.receives(q, text(40))
	t.fails("a payload of another peer than named", p.encrypt(text(40)), q.pub, nip44.ErrMAC, "")
	t.fails("a payload of two strangers", newPeer(q.pub).encrypt(text(40)), q.pub, nip44.ErrMAC, "")
	t.receives(p, text(40))
}

func (t *tester) checkChanged() {
	p := newPeer(t.pub)
	raw := must(base64.StdEncoding.DecodeString(string(p.encrypt(text(40)))))
	for part, i := range map[string]int{"nonce": 1, "ciphertext": 33, "padding": len(raw) - 33, "MAC": len(raw) - 1} {
		changed := bytes.Clone(raw)
		changed[i] ^= 1
		t.fails("a payload with a changed "+part, encode(changed), p.pub, nip44.ErrMAC, "")
	}
}

func (t *tester) checkMalformed() {
	p := newPeer(t.pub)
	good := string(p.encrypt(text(40)))
	for what, payload := range map[string]string{
		"an empty payload":               "",
		"a payload of a future encoding": "#" + good[1:],
		"a payload of version 1":         "AQ" + good[2:],
		"a payload of one group":         good[:4],
		"a payload cut short":            good[:len(good)-4],
		"a payload with a line break":    good[:76] + "\n" + good[76:],
		"a payload in the URL alphabet":  good[:40] + "-_-_" + good[44:],
		"plain text":                     string(text(140)),
		"a NIP-04 payload":               strings.Repeat("QUFB", 8) + "?iv=AAAAAAAAAAAAAAAAAAAAAA==",
	} {
		t.fails(what, []byte(payload), p.pub, nil, nip59.ClassMalformed)
	}
}

// Whoever holds the conversation key can authenticate nonsense.
func (t *tester) checkPadding() {
	p := newPeer(t.pub)
	for what, padded := range map[string][]byte{
		"a length of zero":               make([]byte, 2+32),
		"a length beyond the end":        append([]byte{0, 33}, make([]byte, 32)...),
		"a length that needs less":       append([]byte{0, 5}, make([]byte, 64)...),
		"an extended length below 65536": append([]byte{0, 0, 0, 0, 0, 5}, make([]byte, 28)...),
		"an extended length beyond":      append([]byte{0, 0, 255, 255, 255, 255}, make([]byte, 60)...),
	} {
		t.fails("an authentic payload with "+what, p.seal(padded), p.pub, nil, nip59.ClassMalformed)
	}
}

func (t *tester) checkOffCurve() {
	payload := newPeer(t.pub).encrypt(text(40))
	for what, digits := range map[string]string{
		"of zero":              strings.Repeat("00", 32),
		"off the curve":        "4a298dacae57395a15d0795ddbfd1dcb564da82b0f269bc70a74f8220429ba1d", // BIP-340, test vector 5
		"of the field's prime": "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
		"of all ones":          strings.Repeat("ff", 32),
	} {
		pub := keys.PublicKey(must(hex.DecodeString(digits)))
		_, err := t.encrypt(t.ctx, text(40), pub)
		t.told("Encrypt to a key "+what, err, keys.ErrPublicKey, "")
		t.fails("a payload from a key "+what, payload, pub, keys.ErrPublicKey, "")
	}
}

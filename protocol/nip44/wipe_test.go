package nip44

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/sealwright/sealwright/internal/testkit"
	kernel "github.com/sealwright/sealwright/kernels/sha256"
)

// inMemory is what v looks like in memory.
func inMemory[T any](v T) []byte {
	return slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
}

// TestNothingLeft looks for keys, their states and the text in the dead frames of
// encryption, of decryption and of a refused forgery.
func TestNothingLeft(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector's code has frames of its own")
	}
	ck := conversationKey(t, testKey)
	nonce := [nonceLen]byte(testkit.Hex(t, testNonce))
	okm, err := hkdf.Expand(sha256.New, testkit.Hex(t, testKey), string(nonce[:]), 76)
	if err != nil {
		t.Fatal(err)
	}
	var macKey kernel.HMACKey
	macKey.Init(okm[44:])
	prk := ck.box.Get().prk
	secrets := map[string][]byte{
		"the cipher's key":                    okm[:32],
		"the MAC's key":                       okm[44:],
		"the inner state of the MAC's key":    inMemory(macKey.Inner),
		"the outer state of the MAC's key":    inMemory(macKey.Outer),
		"the inner state of the conversation": inMemory(prk.Inner),
		"the outer state of the conversation": inMemory(prk.Outer),
	}
	if left := testkit.LeftOnStack(func() { leave(&prk) }); !bytes.Contains(left, secrets["the inner state of the conversation"]) {
		t.Fatal("a state that is left is not found")
	}

	eachTier(t, func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{44})
		for _, n := range []int{40, 1000, 3060, 3080, 6200, 20000} {
			text := make([]byte, n)
			random.Read(text)
			payload, err := ck.seal(nil, text, &nonce, nil)
			if err != nil {
				t.Fatal(err)
			}
			forged := bytes.Clone(payload)
			if c := &forged[headerChars]; *c == 'A' {
				*c = 'B'
			} else {
				*c = 'A'
			}
			// The tag that the forger would have needed.
			raw, err := base64.StdEncoding.DecodeString(string(forged))
			if err != nil {
				t.Fatal(err)
			}
			mac := hmac.New(sha256.New, okm[44:])
			mac.Write(raw[1 : len(raw)-macLen])
			tag := mac.Sum(nil)
			var keys messageKeys
			room := make([]byte, 0, len(payload))
			for name, call := range map[string]func(){
				"encryption": func() { _, err = ck.seal(room, text, &nonce, nil) },
				"decryption": func() { _, err = ck.AppendDecrypt(room, payload, nil) },
				"derivation": func() { keys.derive(&prk, &nonce); err = nil },
				"a forgery":  func() { _, err = ck.AppendDecrypt(room, forged, nil) },
			} {
				// What is wiped by no code of ours is left every time; what preemption
				// saves of the registers, which SECURITY.md excepts, only now and then.
				const looks = 5
				times := make(map[string]int)
				for range looks {
					left := testkit.LeftOnStack(call)
					for secret, b := range secrets {
						if bytes.Contains(left, b) {
							times[secret]++
						}
					}
					if name == "a forgery" && bytes.Contains(left, tag) {
						times["the tag that it lacks"]++
					}
					for at := 0; at+16 <= n; at += max(1, n/50) {
						if bytes.Contains(left, text[at:at+16]) {
							times["the text"]++
							break
						}
					}
				}
				for secret, k := range times {
					if k == looks {
						t.Errorf("%s of %d bytes leaves %s on the stack", name, n, secret)
					}
				}
				if name == "a forgery" && !errors.Is(err, ErrMAC) || name != "a forgery" && err != nil {
					t.Errorf("%s of %d bytes: %v", name, n, err)
				}
			}
		}
	})
}

// leave leaves a key on the stack.
//
//go:noinline
func leave(k *kernel.HMACKey) {
	left := *k
	use(&left)
}

//go:noinline
func use(*kernel.HMACKey) {}

// Whatever is wrong with a payload, dst is returned as it was, and what was written
// behind it holds none of the message.
func TestRefusedIsWiped(t *testing.T) {
	ck := conversationKey(t, testKey)
	key, nonce := testkit.Hex(t, testKey), testkit.Hex(t, testNonce)
	// A block of 5,120 bytes behind the length, which lies when it says more.
	block := func(length int) []byte {
		b := bytes.Repeat([]byte("a text of sixteen"), 400)[:2+5120]
		b[0], b[1] = byte(length>>8), byte(length)
		return b
	}
	good := []byte(reference(t, key, nonce, block(5000)))
	if got, err := ck.AppendDecrypt(nil, good, nil); err != nil || !bytes.Equal(got, block(5000)[2:5002]) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	changed := func(at int, c byte) []byte {
		p := bytes.Clone(good)
		if p[at] == c {
			c++
		}
		p[at] = c
		return p
	}
	for _, c := range []struct {
		name    string
		payload []byte
		options *Options
		want    func(error) bool
	}{
		{"alphabet", changed(len(good)-3, '*'), nil, func(err error) bool { return errors.Is(err, ErrBase64) }},
		{"MAC", changed(len(good)-3, 'A'), nil, func(err error) bool { return errors.Is(err, ErrMAC) }},
		{"ciphertext", changed(100, 'A'), nil, func(err error) bool { return errors.Is(err, ErrMAC) }},
		{"padding", []byte(reference(t, key, nonce, block(4000))), nil, func(err error) bool { return errors.Is(err, ErrPadding) }},
		{"limit", good, &Options{MaxPlaintext: 4999}, func(err error) bool { var size *SizeError; return errors.As(err, &size) }},
	} {
		room := MaxDecryptedLen(c.payload)
		arena := bytes.Repeat([]byte{0xa5}, 64+room+64)
		dst := arena[: 64 : 64+room]
		got, err := ck.AppendDecrypt(dst, c.payload, c.options)
		if err == nil || !c.want(err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(got) != 64 || &got[0] != &arena[0] || !bytes.Equal(arena[:64], bytes.Repeat([]byte{0xa5}, 64)) || !bytes.Equal(arena[64+room:], bytes.Repeat([]byte{0xa5}, 64)) {
			t.Errorf("%s: written outside the room, or dst is not as it was", c.name)
		}
		// Wiped, or never written.
		behind := arena[64 : 64+room]
		if !bytes.Equal(behind, make([]byte, room)) && !bytes.Equal(behind, bytes.Repeat([]byte{0xa5}, room)) {
			t.Errorf("%s: something is left behind dst", c.name)
		}
	}
}

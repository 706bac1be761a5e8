package kernels

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	stdsha256 "crypto/sha256"
	"encoding"
	stdbase64 "encoding/base64"
	"encoding/binary"
	"io"
	"testing"

	xchacha20 "golang.org/x/crypto/chacha20"
	xhkdf "golang.org/x/crypto/hkdf"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/sha256"
)

// seedLengths adds inputs that end in a stretch of the lengths at which blocks
// and counters do.
func seedLengths(f *testing.F, head ...byte) {
	stretched := []byte("a piece of 31 bytes, repeated. ")
	for _, n := range []int{0, 8191, 16385, 16448, 65535, 65600, 131071} {
		fuzzkit.Seed(f, head, []byte{0xc0, byte(n), byte(n >> 8), byte(n >> 16)}, stretched)
	}
	for _, n := range []int{0, 1, 2, 3, 31, 32, 33, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 255, 256, 257, 512, 1023, 1024, 1025, 4096} {
		tail := make([]byte, n)
		for i := range tail {
			tail[i] = byte(37*i + 11)
		}
		fuzzkit.Seed(f, head, []byte{0}, tail)
	}
}

// stateAfter is crypto/sha256's state after whole blocks, by its marshalled form: four
// bytes, and then the state.
func stateAfter(t fuzzkit.T, blocks []byte) (h sha256.State) {
	d := stdsha256.New()
	d.Write(blocks)
	form, err := d.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for i := range h {
		h[i] = binary.BigEndian.Uint32(form[4+4*i:])
	}
	return h
}

// FuzzSHA256 compares hashing of the whole, in parts, by a copy and from a state after
// some blocks with crypto/sha256.
func FuzzSHA256(f *testing.F) {
	seedLengths(f, 0, 0, 0, 0)
	seedLengths(f, 1, 0, 63, 0)
	seedLengths(f, 64, 0, 65, 0)
	seedLengths(f, 1, 0, 0xff, 0xff)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		i, j := int(in.Uint16()), int(in.Uint16())
		p := in.Stretched()
		i = min(i, len(p))
		j = min(i+j, len(p))
		want, wantPart := stdsha256.Sum256(p), stdsha256.Sum256(p[:i])
		whole := j / sha256.BlockSize
		midstate := stateAfter(t, p[:whole*sha256.BlockSize])
		fuzzkit.EachTier(func(tier string) {
			if got := sha256.Sum256(p); got != want {
				t.Errorf("%s: Sum256(%x) = %x, want %x", tier, p, got, want)
			}
			var d sha256.Digest
			var got, part [32]byte
			d.Reset()
			d.Write(p[:i])
			d.Sum(&part)
			d.Write(p[i:j])
			other := d
			d.Write(p[j:])
			d.Sum(&got)
			if got != want || part != wantPart {
				t.Errorf("%s: a digest of %x, %x, %x gives %x, want %x; after the first part %x, want %x",
					tier, p[:i], p[i:j], p[j:], got, want, part, wantPart)
			}
			// A copy goes on by itself, and so does what begins after the first blocks.
			other.Write(p[j:])
			if other.Sum(&got); got != want {
				t.Errorf("%s: the copy of a digest gives %x, want %x", tier, got, want)
			}
			d.Init(&midstate, uint64(whole))
			d.Write(p[whole*sha256.BlockSize : j])
			d.Write(p[j:])
			if d.Sum(&got); got != want {
				t.Errorf("%s: from the state after %d blocks, %x gives %x, want %x", tier, whole, p, got, want)
			}
		}, "sha256")
	})
}

// FuzzSHA256s compares the hashing of many messages with crypto/sha256. They are the
// ends of one text, of the lengths that stand before it.
func FuzzSHA256s(f *testing.F) {
	text := []byte("a piece of 31 bytes, repeated. ")
	long := []byte{0xc0, 0x88, 0x13, 0} // Stretched to 5,000 bytes
	fuzzkit.Seed(f, []byte{5, 0, 0, 9, 0, 3, 0, 1, 0, 2, 0}, []byte{0}, text)
	for _, count := range []int{1, 2, 7, 8, 15, 16, 17, 40} {
		for _, lengths := range [][]uint16{{64}, {64, 1224, 55, 5000}, {0, 56, 4096, 119, 120}} {
			head := []byte{byte(count)}
			for i := range count {
				head = binary.LittleEndian.AppendUint16(head, lengths[i%len(lengths)])
			}
			fuzzkit.Seed(f, head, long, text)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		lengths := make([]int, in.Byte())
		for i := range lengths {
			lengths[i] = int(in.Uint16())
		}
		p := in.Stretched()
		var messages [][]byte
		var want [][sha256.Size]byte
		for _, n := range lengths {
			m := p[len(p)-min(n, len(p)):]
			messages, want = append(messages, m), append(want, stdsha256.Sum256(m))
		}
		behind := [sha256.Size]byte(bytes.Repeat([]byte{0xee}, sha256.Size))
		fuzzkit.EachTier(func(tier string) {
			got := append(make([][sha256.Size]byte, len(messages)), behind)
			sha256.Sum256s(got, messages)
			for i, m := range messages {
				if got[i] != want[i] {
					t.Fatalf("%s: number %d of %d messages, %x, gives %x, want %x", tier, i, len(messages), m, got[i], want[i])
				}
			}
			if got[len(messages)] != behind {
				t.Fatalf("%s: %d messages: wrote behind the end", tier, len(messages))
			}
		}, "sha256")
	})
}

// FuzzHMAC compares with crypto/hmac.
func FuzzHMAC(f *testing.F) {
	seedLengths(f, 0, 0, 0)
	seedLengths(f, 32, 0, 5)
	seedLengths(f, 64, 0, 64)
	seedLengths(f, 65, 0, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		n, cut := int(in.Uint16())%300, int(in.Byte())
		key := in.Take(n)
		msg := in.Stretched()
		cut = min(cut, len(msg))
		h := hmac.New(stdsha256.New, key)
		h.Write(msg)
		want := h.Sum(nil)
		fuzzkit.EachTier(func(tier string) {
			var k sha256.HMACKey
			k.Init(key)
			for range 2 { // a key serves many messages
				var m sha256.HMAC
				var got [32]byte
				m.Init(&k)
				m.Write(msg[:cut])
				m.Sum(&got)
				m.Write(msg[cut:])
				m.Sum(&got)
				if !bytes.Equal(got[:], want) {
					t.Fatalf("%s: HMAC(%x, %x) = %x, want %x", tier, key, msg, got, want)
				}
			}
		}, "sha256")
	})
}

// FuzzHKDF compares with crypto/hkdf and golang.org/x/crypto/hkdf.
func FuzzHKDF(f *testing.F) {
	for _, n := range []uint16{0, 1, 31, 32, 33, 76, 96, 97, 8159, 8160} {
		seedLengths(f, byte(n), byte(n>>8), 8, 32)
		seedLengths(f, byte(n), byte(n>>8), 0, 65)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		n := int(in.Uint16()) % (sha256.MaxExpand + 1)
		saltLen, ikmLen := int(in.Byte()), int(in.Byte())
		salt, ikm := in.Take(saltLen), in.Take(ikmLen)
		info := in.Rest()
		prk := xhkdf.Extract(stdsha256.New, ikm, salt)
		std, err := hkdf.Extract(stdsha256.New, ikm, salt)
		if err != nil || !bytes.Equal(std, prk) {
			t.Fatalf("the references differ: %v", err)
		}
		want := make([]byte, n)
		if _, err := io.ReadFull(xhkdf.Expand(stdsha256.New, prk, info), want); err != nil {
			t.Fatal(err)
		}
		fuzzkit.EachTier(func(tier string) {
			var got [32]byte
			if sha256.Extract(&got, salt, ikm); !bytes.Equal(got[:], prk) {
				t.Fatalf("%s: Extract(%x, %x) = %x, want %x", tier, salt, ikm, got, prk)
			}
			var k sha256.HMACKey
			k.Init(prk)
			okm := make([]byte, n)
			if sha256.Expand(okm, &k, info); !bytes.Equal(okm, want) {
				t.Fatalf("%s: Expand(%d, %x, %x) = %x, want %x", tier, n, prk, info, okm, want)
			}
		}, "sha256")
	})
}

// FuzzChaCha20 compares with golang.org/x/crypto/chacha20: any counter, in
// place and from another buffer, with bytes behind the output that must stay.
func FuzzChaCha20(f *testing.F) {
	key := bytes.Repeat([]byte{0xa5, 0x01}, 16)
	nonce := []byte("twelve bytes")
	for _, counter := range [][]byte{{0, 0, 0, 0}, {1, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff}, {0xfc, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0x7f}} {
		seedLengths(f, bytes.Join([][]byte{key, nonce, counter, {3}}, nil)...)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		key := in.Array()
		var nonce [12]byte
		copy(nonce[:], in.Take(12))
		counter, tail := in.Uint32(), int(in.Byte())
		src := in.Stretched()
		want := make([]byte, len(src))
		stream := func(dst, src []byte, counter uint32) {
			c, err := xchacha20.NewUnauthenticatedCipher(key[:], nonce[:])
			if err != nil {
				t.Fatal(err)
			}
			c.SetCounter(counter)
			c.XORKeyStream(dst, src)
		}
		// x/crypto's counter does not wrap: behind block 2³² − 1 begins another stream.
		first := min(uint64(len(src)), (1<<32-uint64(counter))*chacha20.BlockSize)
		stream(want[:first], src[:first], counter)
		stream(want[first:], src[first:], 0)
		mark := bytes.Repeat([]byte{0xee}, tail)
		fuzzkit.EachTier(func(tier string) {
			dst := append(make([]byte, len(src)), mark...)
			chacha20.XORKeyStream(dst, src, &key, &nonce, counter)
			if !bytes.Equal(dst[:len(src)], want) {
				t.Fatalf("%s: key %x, nonce %x, counter %d, %d bytes: %x, want %x", tier, key, nonce, counter, len(src), dst[:len(src)], want)
			}
			if !bytes.Equal(dst[len(src):], mark) {
				t.Fatalf("%s: %d bytes: wrote behind the end: %x", tier, len(src), dst[len(src):])
			}
			copy(dst, src)
			chacha20.XORKeyStream(dst[:len(src)], dst[:len(src)], &key, &nonce, counter)
			if !bytes.Equal(dst[:len(src)], want) || !bytes.Equal(dst[len(src):], mark) {
				t.Fatalf("%s: in place, counter %d: %x, want %x", tier, counter, dst, want)
			}
		}, "chacha20")
	})
}

// FuzzETM compares encryption beside authentication with golang.org/x/crypto/chacha20 and
// crypto/hmac: a message that has begun, and goes on with what is not encrypted here.
func FuzzETM(f *testing.F) {
	key := bytes.Repeat([]byte{0xa5, 0x01}, 16)
	for _, n := range []uint16{0, 319, 320, 639, 640, 1280, 3072, 3200, 3201, 20000} {
		for _, counter := range []uint32{0, 48, 1<<32 - 20} {
			seedLengths(f, binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(append(bytes.Clone(key), 32), counter), n)...)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		key := in.Array()
		nonce := [12]byte(key[:])
		before := bytes.Repeat([]byte{'b'}, int(in.Byte()))
		counter := in.Uint32()
		p := bytes.Repeat([]byte("a message of 29 bytes, cut off"), 2200)[:in.Uint16()]
		src := in.Stretched()
		if blocks := uint64(len(src)+63) / 64; uint64(counter)+blocks > 1<<32 {
			counter = uint32(1<<32 - blocks)
		}
		c, err := xchacha20.NewUnauthenticatedCipher(key[:], nonce[:])
		if err != nil {
			t.Fatal(err)
		}
		c.SetCounter(counter)
		want := make([]byte, len(src))
		c.XORKeyStream(want, src)
		mac := hmac.New(stdsha256.New, key[:])
		mac.Write(before)
		mac.Write(p)
		tag := mac.Sum(nil)
		fuzzkit.EachTier(func(tier string) {
			var k sha256.HMACKey
			var m sha256.HMAC
			var got [sha256.Size]byte
			k.Init(key[:])
			m.Init(&k)
			m.Write(before)
			dst := append(make([]byte, len(src)), 0xee)
			etm.XORKeyStreamWrite(dst, src, &key, &nonce, counter, &m, p)
			m.Sum(&got)
			if !bytes.Equal(dst, append(want, 0xee)) || !bytes.Equal(got[:], tag) {
				t.Fatalf("%s: key %x, counter %d, %d bytes, a message of %d and %d: tag %x, want %x, ciphertext right: %v", tier, key, counter, len(src), len(before), len(p), got, tag, bytes.Equal(dst[:len(src)], want))
			}
		}, "etm")
	})
}

// strict decodes with encoding/base64's strict form and refuses the line breaks
// that it skips.
func strict(text []byte) ([]byte, bool) {
	if bytes.ContainsAny(text, "\r\n") {
		return nil, false
	}
	b, err := stdbase64.StdEncoding.Strict().DecodeString(string(text))
	if err != nil {
		return nil, false
	}
	return b, true
}

// FuzzBase64Decode compares with encoding/base64, strict and without line
// breaks. Case 10.
func FuzzBase64Decode(f *testing.F) {
	for _, text := range []string{
		"", "A", "AA", "AAA", "AAAA", "AA==", "AAA=", "AB==", "AAB=", "A===", "====", "AA=A", "AA==AAAA", "AA", "AAAAA",
		"AA\r\n==", "AAAA\n", " AAAA", "AA-_", "AA+/", "AAAA\x00AAA", "\x80AAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/w==",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nAAAAAAA", "AAAAAAAAAAAAAAAA=AAAAAAAAAAAAAAA",
	} {
		fuzzkit.Seed(f, []byte(text))
	}
	for _, spare := range "BCDEFGHIJKLMNOPQgw/" {
		fuzzkit.Seed(f, []byte("AAA"+string(spare)+"A"+string(spare)+"=="))
		fuzzkit.Seed(f, []byte("AAA"+string(spare)+"AA"+string(spare)+"="))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want, ok := strict(text)
		fuzzkit.EachTier(func(tier string) {
			got, err := base64.AppendDecode([]byte("head"), text)
			if (err == nil) != ok || string(got) != "head"+string(want) {
				t.Fatalf("%s: AppendDecode(%q) = %x, %v; want %x, %v", tier, text, got, err, want, ok)
			}
			if !ok {
				return
			}
			if n, isLen := base64.DecodedLen(text); !isLen || n != len(want) {
				t.Fatalf("%s: DecodedLen(%q) = %d, %v; want %d", tier, text, n, isLen, len(want))
			}
			if back := base64.AppendEncode(nil, want); !bytes.Equal(back, text) {
				t.Fatalf("%s: %q decodes, and encodes as %q", tier, text, back)
			}
		}, "base64")
	})
}

// FuzzBase64Encode compares with encoding/base64, and holds that a changed
// character never gives the same bytes.
func FuzzBase64Encode(f *testing.F) {
	seedLengths(f, 0, 0, 1)
	seedLengths(f, 0xff, 0xff, '=')
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		at, c := int(in.Uint16()), in.Byte()
		p := in.Stretched()
		want := stdbase64.StdEncoding.EncodeToString(p)
		fuzzkit.EachTier(func(tier string) {
			text := base64.AppendEncode(nil, p)
			if string(text) != want || base64.EncodedLen(len(p)) != len(want) {
				t.Fatalf("%s: %x encodes as %q, want %q", tier, p, text, want)
			}
			if len(text) == 0 || c == 0 {
				return
			}
			text[at%len(text)] ^= c
			got := make([]byte, len(p)+2)
			n, ok := base64.Decode(got, text)
			back, wantOK := strict(text)
			if ok != wantOK || ok && !bytes.Equal(got[:n], back) {
				t.Fatalf("%s: Decode(%q) = %x, %v; want %x, %v", tier, text, got[:n], ok, back, wantOK)
			}
			if ok && bytes.Equal(got[:n], p) {
				t.Fatalf("%s: %q and %q are one value", tier, text, want)
			}
		}, "base64")
	})
}

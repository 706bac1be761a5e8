package sha256

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
)

// The examples of FIPS 180-4, and the digest of nothing.
func TestFIPS180(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
		{strings.Repeat("a", 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	} {
		if got := Sum256([]byte(c.text)); hex.EncodeToString(got[:]) != c.want {
			t.Errorf("%.20q: %x, want %s", c.text, got, c.want)
		}
	}
}

func TestRFC4231(t *testing.T) {
	repeat := func(b byte, n int) []byte { return bytes.Repeat([]byte{b}, n) }
	for _, c := range []struct {
		section   string
		key, text []byte
		want      string // of 4.6 the first half
	}{
		{"4.2", repeat(0x0b, 20), []byte("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{"4.3", []byte("Jefe"), []byte("what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{"4.4", repeat(0xaa, 20), repeat(0xdd, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
		{"4.5", unhex(t, "0102030405060708090a0b0c0d0e0f10111213141516171819"), repeat(0xcd, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
		{"4.6", repeat(0x0c, 20), []byte("Test With Truncation"), "a3b6167473100ee06e0c796c2955552b"},
		{"4.7", repeat(0xaa, 131), []byte("Test Using Larger Than Block-Size Key - Hash Key First"), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
		{"4.8", repeat(0xaa, 131), []byte("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."), "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
	} {
		k := NewHMACKey(c.key)
		got := HMAC(&k, c.text)
		if hex.EncodeToString(got[:])[:len(c.want)] != c.want {
			t.Errorf("%s: %x, want %s", c.section, got, c.want)
		}
	}
}

func TestRFC5869(t *testing.T) {
	upTo := func(from, to byte) (b []byte) {
		for i := int(from); i <= int(to); i++ {
			b = append(b, byte(i))
		}
		return b
	}
	for _, c := range []struct {
		section         string
		ikm, salt, info []byte
		prk, okm        string
	}{
		{"A.1", bytes.Repeat([]byte{0x0b}, 22), upTo(0x00, 0x0c), upTo(0xf0, 0xf9),
			"077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
			"3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
		{"A.2", upTo(0x00, 0x4f), upTo(0x60, 0xaf), upTo(0xb0, 0xff),
			"06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
			"b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09" +
				"da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"},
		{"A.3", bytes.Repeat([]byte{0x0b}, 22), nil, nil,
			"19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
			"8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"},
	} {
		prk := Extract(c.salt, c.ikm)
		if hex.EncodeToString(prk[:]) != c.prk {
			t.Errorf("%s: PRK %x, want %s", c.section, prk, c.prk)
		}
		k := NewHMACKey(prk[:])
		okm := make([]byte, len(c.okm)/2)
		Expand(okm, &k, c.info)
		if hex.EncodeToString(okm) != c.okm {
			t.Errorf("%s: OKM %x, want %s", c.section, okm, c.okm)
		}
	}
}

// Every length around the block and padding bounds, against the standard
// library; keys of the same lengths.
func TestLengths(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for n := range 4*BlockSize + 2 {
		p := make([]byte, n)
		random.Read(p)
		if Sum256(p) != sha256.Sum256(p) {
			t.Errorf("length %d: digest differs", n)
		}
		k := NewHMACKey(p)
		m := hmac.New(sha256.New, p)
		m.Write(p)
		if got := HMAC(&k, p); !hmac.Equal(got[:], m.Sum(nil)) {
			t.Errorf("length %d: HMAC differs", n)
		}
	}
}

// Every output length that takes one to four rounds, and the longest.
func TestExpandLengths(t *testing.T) {
	prk := []byte("a pseudorandom key of 32 bytes..")
	k := NewHMACKey(prk)
	for n := range MaxExpand + 1 {
		if n > 4*Size && n < MaxExpand {
			continue
		}
		want, err := hkdf.Expand(sha256.New, prk, "information", n)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, n)
		Expand(got, &k, []byte("information"))
		if !bytes.Equal(got, want) {
			t.Errorf("length %d: differs", n)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an output too long does not panic")
		}
	}()
	Expand(make([]byte, MaxExpand+1), &k, nil)
}

// Blocks goes on from any state and ignores what is no whole block.
func TestBlocks(t *testing.T) {
	p := bytes.Repeat([]byte("0123456789abcdef"), 5*4)
	var whole, parts, longer State
	whole.Init()
	Blocks(&whole, p)
	parts.Init()
	for i := 0; i < len(p); i += BlockSize {
		Blocks(&parts, p[i:i+BlockSize])
	}
	longer.Init()
	Blocks(&longer, append(p, make([]byte, BlockSize-1)...))
	if whole != parts || whole != longer {
		t.Errorf("%x, %x, %x", whole, parts, longer)
	}
}

func FuzzSum256(f *testing.F) {
	f.Add([]byte(""))
	f.Add(make([]byte, 55))
	f.Add(make([]byte, 56))
	f.Fuzz(func(t *testing.T, p []byte) {
		if Sum256(p) != sha256.Sum256(p) {
			t.Error("differs from crypto/sha256")
		}
	})
}

func FuzzHKDF(f *testing.F) {
	f.Add([]byte("ikm"), []byte("salt"), []byte("info"), uint16(76))
	f.Add(make([]byte, 65), make([]byte, 65), make([]byte, 65), uint16(MaxExpand))
	f.Fuzz(func(t *testing.T, ikm, salt, info []byte, n uint16) {
		n %= MaxExpand + 1
		prk := Extract(salt, ikm)
		wantPRK, err := hkdf.Extract(sha256.New, ikm, salt)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(prk[:], wantPRK) {
			t.Error("Extract differs from crypto/hkdf")
		}
		want, err := hkdf.Expand(sha256.New, prk[:], string(info), int(n))
		if err != nil {
			t.Fatal(err)
		}
		k := NewHMACKey(prk[:])
		got := make([]byte, n)
		Expand(got, &k, info)
		if !bytes.Equal(got, want) {
			t.Error("Expand differs from crypto/hkdf")
		}
	})
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

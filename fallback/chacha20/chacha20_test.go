package chacha20

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/chacha20"
)

// The examples of RFC 8439. An empty text stands for 64 zero bytes, whose
// ciphertext is the keystream.
var rfc8439 = []struct {
	section    string
	key, nonce string
	counter    uint32
	text       string
	want       string
}{
	{"2.3.2", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "000000090000004a00000000", 1,
		"",
		"10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2" +
			"b5129cd1de164eb9cbd083e8a2503c4e"},
	{"2.4.2", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "000000000000004a00000000", 1,
		"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
		"6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357" +
			"1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736" +
			"5af90bbf74a35be6b40b8eedf2785e42874d"},
	{"A.1 #1", "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", 0,
		"",
		"76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a37" +
			"6a43b8f41518a11cc387b669b2ee6586"},
	{"A.1 #2", "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", 1,
		"",
		"9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d5" +
			"31ed1f28510afb45ace10a1f4b794d6f"},
	{"A.1 #3", "0000000000000000000000000000000000000000000000000000000000000001", "000000000000000000000000", 1,
		"",
		"3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a8eca00bbb4a73bdad192b5c42f73f2fd" +
			"4e273644c8b36125a64addeb006c13a0"},
	{"A.1 #4", "00ff000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", 2,
		"",
		"72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca13b25aa26cb4a648cb9b9d1be65b2c09" +
			"24a66c54d545ec1b7374f4872e99f096"},
	{"A.1 #5", "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000002", 0,
		"",
		"c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c78a970e0e955c14f3a88e741b97c286f7" +
			"5f8fc299e8148362fa198a39531bed6d"},
	{"A.2 #1", "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", 0,
		"",
		"76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a37" +
			"6a43b8f41518a11cc387b669b2ee6586"},
	{"A.2 #2", "0000000000000000000000000000000000000000000000000000000000000001", "000000000000000000000002", 1,
		"Any submission to the IETF intended by the Contributor for publication as all or part of an IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is considered an \"IETF Contribution\". Such statements include oral statements in IETF sessions, as well as written and electronic communications made at any time or place, which are addressed to",
		"a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec2a97948bd3722915c8f3d337f7d37005" +
			"0e9e96d647b7c39f56e031ca5eb6250d4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e527950" +
			"42bdfa7773d8a9051447b3291ce1411c680465552aa6c405b7764d5e87bea85ad00f8449ed8f72d0d662ab052691ca66" +
			"424bc86d2df80ea41f43abf937d3259dc4b2d0dfb48a6c9139ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b" +
			"0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6ccc3aaf9f3979c92b3720fc88dc95ed84" +
			"a1be059c6499b9fda236e7e818b04b0bc39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80ef2554d7189c411f" +
			"5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e698ced759c3ff9b6477338f3da4f9cd85" +
			"14ea9982ccafb341b2384dd902f3d1ab7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221"},
	{"A.2 #3", "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0", "000000000000000000000002", 42,
		"'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll mimsy were the borogoves,\nAnd the mome raths outgrabe.",
		"62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf166d3df2d721caf9b21e5fb14c616871" +
			"fd84c54f9d65b283196c7fe4f60553ebf39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77" +
			"04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1"},
}

func TestRFC8439(t *testing.T) {
	for _, c := range rfc8439 {
		key, nonce := [KeySize]byte(unhex(t, c.key)), [NonceSize]byte(unhex(t, c.nonce))
		text := []byte(c.text)
		if len(text) == 0 {
			text = make([]byte, BlockSize)
		}
		got := make([]byte, len(text))
		XORKeyStream(got, text, &key, &nonce, c.counter)
		if hex.EncodeToString(got) != c.want {
			t.Errorf("%s: %x, want %s", c.section, got, c.want)
		}
	}
}

// RFC 8439, section 2.1.1.
func TestQuarterRound(t *testing.T) {
	a, b, c, d := quarterRound(0x11111111, 0x01020304, 0x9b8d6f43, 0x01234567)
	if a != 0xea2a92f4 || b != 0xcb1cf8ce || c != 0x4581472e || d != 0x5881c4bb {
		t.Errorf("%08x %08x %08x %08x", a, b, c, d)
	}
}

// Every length up to five blocks, and some longer, against x/crypto, apart and
// in place, with bytes behind that must stay.
func TestLengths(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for n := range 5*BlockSize + 2 {
		check(t, random, n, uint32(n))
	}
	for _, n := range []int{1023, 1024, 1025, 4096, 40960, 65535, 65536, 65538} {
		check(t, random, n, 0)
	}
}

func check(t *testing.T, random *rand.ChaCha8, n int, counter uint32) {
	t.Helper()
	key, nonce := [KeySize]byte{}, [NonceSize]byte{}
	random.Read(key[:])
	random.Read(nonce[:])
	text := make([]byte, n)
	random.Read(text)
	want := reference(t, text, &key, &nonce, counter)

	got := bytes.Repeat([]byte{0xa5}, n+9)
	XORKeyStream(got, text, &key, &nonce, counter)
	if !bytes.Equal(got[:n], want) {
		t.Errorf("length %d, counter %#x: differs from x/crypto", n, counter)
	}
	if !bytes.Equal(got[n:], bytes.Repeat([]byte{0xa5}, 9)) {
		t.Errorf("length %d: writes behind the end", n)
	}
	XORKeyStream(text, text, &key, &nonce, counter)
	if !bytes.Equal(text, want) {
		t.Errorf("length %d, counter %#x: in place differs", n, counter)
	}
}

// reference is XORKeyStream of x/crypto, which stops at the counter's end:
// what comes after it is its keystream from counter 0.
func reference(t *testing.T, text []byte, key *[KeySize]byte, nonce *[NonceSize]byte, counter uint32) []byte {
	t.Helper()
	want := make([]byte, len(text))
	before := min(uint64(len(text)), (1<<32-uint64(counter))*BlockSize)
	for _, part := range []struct {
		dst, src []byte
		counter  uint32
	}{{want[:before], text[:before], counter}, {want[before:], text[before:], 0}} {
		c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
		if err != nil {
			t.Fatal(err)
		}
		c.SetCounter(part.counter)
		c.XORKeyStream(part.dst, part.src)
	}
	return want
}

// The last block that the counter can name, and the wrap behind it.
func TestCounterEnd(t *testing.T) {
	random := rand.NewChaCha8([32]byte{2})
	for _, counter := range []uint32{1<<31 - 1, 1<<32 - 4, 1<<32 - 2, 1<<32 - 1} {
		for _, n := range []int{1, 63, 64, 65, 128, 200, 600} {
			check(t, random, n, counter)
		}
	}
}

func FuzzXORKeyStream(f *testing.F) {
	f.Add([]byte(""), []byte("key"), []byte("nonce"), uint32(0))
	f.Add(make([]byte, 65), make([]byte, 32), make([]byte, 12), uint32(1<<32-1))
	f.Fuzz(func(t *testing.T, text, k, n []byte, counter uint32) {
		var key [KeySize]byte
		var nonce [NonceSize]byte
		copy(key[:], k)
		copy(nonce[:], n)
		got := make([]byte, len(text))
		XORKeyStream(got, text, &key, &nonce, counter)
		if !bytes.Equal(got, reference(t, text, &key, &nonce, counter)) {
			t.Error("differs from x/crypto")
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

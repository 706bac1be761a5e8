package sha256

import (
	"bytes"
	stdhmac "crypto/hmac"
	reference "crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	fallback "github.com/sealwright/sealwright/fallback/sha256"
	"github.com/sealwright/sealwright/internal/testkit"
)

// The tests below call what a tier does in a routine of its own, with every argument
// against pages that cannot be touched: hmac and pair are hmacSHANI and pairSHANI where
// the processor has the SHA extensions, pair is pairSHA2 where it has those of arm64.

// drawn returns random bytes.
func drawn(r *rand.ChaCha8, n int) []byte {
	p := make([]byte, n)
	r.Read(p)
	return p
}

// compress is the standard library's compression of whole blocks onto a state, by the
// marshalled form of a hash: four bytes, the state, a buffer, a length.
func compress(t *testing.T, h State, blocks []byte) State {
	t.Helper()
	d := reference.New()
	form, err := d.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range h {
		binary.BigEndian.PutUint32(form[4+4*i:], w)
	}
	if err := d.(encoding.BinaryUnmarshaler).UnmarshalBinary(form); err != nil {
		t.Fatal(err)
	}
	d.Write(blocks)
	if form, err = d.(encoding.BinaryMarshaler).MarshalBinary(); err != nil {
		t.Fatal(err)
	}
	for i := range h {
		h[i] = binary.BigEndian.Uint32(form[4+4*i:])
	}
	return h
}

// padded is a message with its padding: FIPS 180-4, section 5.1.1, for one that comes
// behind so many bytes.
func padded(message []byte, behind int) []byte {
	p := append(bytes.Clone(message), 0x80)
	for len(p)%BlockSize != BlockSize-8 {
		p = append(p, 0)
	}
	return binary.BigEndian.AppendUint64(p, uint64(behind+len(message))*8)
}

// ends returns guarded memory of n bytes, at both ends.
func ends(t *testing.T, n int) [][]byte {
	t.Helper()
	low, high := testkit.Guard(t, n)
	return [][]byte{low, high}
}

func stateAt(p []byte) *State { return (*State)(unsafe.Pointer(unsafe.SliceData(p))) }

func twoAt(p []byte) *[2][BlockSize]byte {
	return (*[2][BlockSize]byte)(unsafe.Pointer(unsafe.SliceData(p)))
}

// Every length of a message to beyond four blocks, with every number of its last blocks
// left to hmac.
func TestHMACRoutine(t *testing.T) {
	r := rand.NewChaCha8([32]byte{50})
	const longest = 300
	tags, inners, outers := ends(t, Size), ends(t, Size), ends(t, Size)
	blocks := ends(t, longest+2*BlockSize)
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for n := range longest + 1 {
			key, message := drawn(r, 1+n%BlockSize), drawn(r, n)
			m := stdhmac.New(reference.New, key)
			m.Write(message)
			want := m.Sum(nil)
			k := fallback.NewHMACKey(key)
			all := padded(message, BlockSize)
			for from := 0; from < len(all); from += BlockSize {
				state := compress(t, k.Inner, all[:from])
				for end := range 2 {
					last := blocks[end][:len(all)-from]
					if end == 1 {
						last = blocks[end][len(blocks[end])-len(last):]
					}
					copy(last, all[from:])
					tag, inner, outer := (*[Size]byte)(tags[end]), stateAt(inners[end]), stateAt(outers[end])
					*tag, *inner, *outer = [Size]byte{}, state, k.Outer
					hmac(tag, inner, outer, last)
					if !bytes.Equal(tag[:], want) {
						t.Fatalf("length %d, the blocks from %d on, end %d: %x, want %x", n, from, end, *tag, want)
					}
					if *inner != state || *outer != k.Outer || !bytes.Equal(last, all[from:]) {
						t.Fatalf("length %d, the blocks from %d on, end %d: an argument is changed", n, from, end)
					}
				}
			}
		}
	})
}

// The first three cases of RFC 4231, section 4, each as the one block that a message so
// short is.
func TestHMACRoutineRFC4231(t *testing.T) {
	blocks, tags := ends(t, BlockSize), ends(t, Size)
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for _, c := range []struct{ key, text, want string }{
			{strings.Repeat("\x0b", 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
			{"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
			{strings.Repeat("\xaa", 20), strings.Repeat("\xdd", 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
		} {
			var inner, outer State
			inner.Init()
			outer.Init()
			var pads [2][BlockSize]byte
			for i := range BlockSize {
				k := byte(0)
				if i < len(c.key) {
					k = c.key[i]
				}
				pads[0][i], pads[1][i] = k^0x36, k^0x5c
			}
			pair(&inner, &outer, &pads)
			for end, p := range blocks {
				copy(p, padded([]byte(c.text), BlockSize))
				tag := (*[Size]byte)(tags[end])
				if hmac(tag, &inner, &outer, p); hex.EncodeToString(tag[:]) != c.want {
					t.Errorf("%q: %x, want %s", c.text, *tag, c.want)
				}
			}
		}
	})
}

// Every alignment of the tag and of the blocks, and the tag where the blocks are, as
// Expand has it.
func TestHMACRoutinePlaces(t *testing.T) {
	r := rand.NewChaCha8([32]byte{51})
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		k := fallback.NewHMACKey(drawn(r, 32))
		for _, n := range []int{10, 100} {
			message := drawn(r, n)
			want := fallback.HMAC(&k, message)
			all := padded(message, BlockSize)
			place, room := make([]byte, len(all)+64), make([]byte, Size+64)
			for at := range 64 {
				for _, tag := range [][]byte{room[at:], room[63-at:], place[at:]} {
					p := place[at : at+len(all)]
					copy(p, all)
					if hmac((*[Size]byte)(tag), (*State)(&k.Inner), (*State)(&k.Outer), p); [Size]byte(tag) != want {
						t.Fatalf("length %d at %d: %x, want %x", n, at, tag[:Size], want)
					}
				}
			}
		}
	})
}

// Random states and blocks, with all three at either end, and every alignment of the
// blocks. Each state has the block of its own.
func TestPairRoutine(t *testing.T) {
	r := rand.NewChaCha8([32]byte{52})
	states, others, blocks := ends(t, Size), ends(t, Size), ends(t, 2*BlockSize)
	room := make([]byte, 2*BlockSize+64)
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		for round := range 64 {
			var before, want [2]State
			p := drawn(r, 2*BlockSize)
			for i := range before {
				before[i] = *stateAt(drawn(r, Size))
				want[i] = compress(t, before[i], p[BlockSize*i:BlockSize*(i+1)])
			}
			for c := range 8 {
				h0, h1, at := stateAt(states[c&1]), stateAt(others[c>>1&1]), blocks[c>>2]
				*h0, *h1 = before[0], before[1]
				copy(at, p)
				pair(h0, h1, twoAt(at))
				if *h0 != want[0] || *h1 != want[1] {
					t.Fatalf("ends %03b: %x and %x, want %x", c, *h0, *h1, want)
				}
				if !bytes.Equal(at, p) {
					t.Fatalf("ends %03b: the blocks are changed", c)
				}
			}
			h := before
			copy(room[round:], p)
			if pair(&h[0], &h[1], twoAt(room[round:])); h != want {
				t.Fatalf("blocks at %d: %x, want %x", round, h, want)
			}
		}
	})
}

// Two messages of FIPS 180-4 that are one block each: "abc", and nothing.
func TestPairRoutineFIPS180(t *testing.T) {
	testkit.EachTier(t, "sha256", func(t *testing.T) {
		var h [2]State
		h[0].Init()
		h[1].Init()
		blocks := [2][BlockSize]byte{[BlockSize]byte(padded([]byte("abc"), 0)), [BlockSize]byte(padded(nil, 0))}
		pair(&h[0], &h[1], &blocks)
		for i, want := range []string{
			"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
			"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		} {
			var got [Size]byte
			if h[i].Bytes(&got); hex.EncodeToString(got[:]) != want {
				t.Errorf("block %d: %x, want %s", i, got, want)
			}
		}
	})
}

package secp256k1_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

var prime, _ = new(big.Int).SetString("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16)

// fromBig is any x below 2²⁵⁶.
func fromBig(x *big.Int) (e Element) {
	var b [32]byte
	x.FillBytes(b[:])
	for i := range e {
		for _, c := range b[24-8*i : 32-8*i] {
			e[i] = e[i]<<8 | uint64(c)
		}
	}
	return e
}

// edges are inputs at the limits of inversion, up to 2²⁵⁶ − 1: the least and
// largest values, powers of two, their neighbours and inverses, runs of ones,
// those that took the most and the fewest division steps in a search, and those for
// which a quadratic symbol takes the longest.
func edges() []*big.Int {
	one := big.NewInt(1)
	var l []*big.Int
	add := func(x *big.Int) {
		for d := range int64(3) {
			y := new(big.Int).Add(x, big.NewInt(d-1))
			if y.Sign() >= 0 && y.BitLen() <= 256 {
				l = append(l, y)
			}
		}
	}
	add(one)
	add(prime)
	for k := range uint(257) {
		power := new(big.Int).Lsh(one, k)
		add(power)
		add(new(big.Int).Sub(prime, new(big.Int).Mod(power, prime)))
		add(new(big.Int).Rsh(prime, k))
		add(new(big.Int).ModInverse(power, prime))
		add(new(big.Int).Sub(new(big.Int).Lsh(one, 256), power))
	}
	for _, s := range slices.Concat(extreme, slow) {
		x, _ := new(big.Int).SetString(s, 16)
		add(x)
	}
	for _, s := range slowSymbols {
		add(s.x())
	}
	return l
}

// extreme are those of edges that a search found.
var extreme = []string{
	"7c6663b93d3d6a0d489e434ddc0123db5fa627c7f6e22ddacaceffff83999a6c",
	"f8ccc7727a7ad41a913c869bb80247b6bf4c4f8fedc45bb5959dffff073334d8",
	"e3331dc9e9eb506a44f21a6ee0091edafd313e3fb7116ed65677ffff1cccded3",
	"90a0b02244dde8ff9ee37fcc3a0acc8853fef6847ef07c648b5f24fd88c89560",
	"cc75abd4984a0e23d7b23a89c14507f113912a7030d845cbd3f0353b94cc7c5c",
	"d373b61637a3d9faba09890ffc65b324f4c5e5e6d931a7a8f9b9895a7c8665bc",
	"c90ca7fc418c871e2bedcf204dc0d4acd4eef875814808867f17cbb7e54d3d45",
	"13c",
	"140",
	"fbfffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
	"f7fffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
}

// TestInverse compares with math/big.
func TestInverse(t *testing.T) {
	inputs := edges()
	n := 2000
	if testkit.Long() {
		n = 100_000
	}
	r := testkit.Rand(t)
	for range n {
		x := new(big.Int)
		for range 4 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(r.Uint64()))
		}
		inputs = append(inputs, x)
	}
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		for _, x := range inputs {
			want := new(big.Int).ModInverse(x, prime)
			if want == nil {
				want = new(big.Int)
			}
			e, w := fromBig(x), fromBig(want)
			for _, op := range []struct {
				name string
				f    func(z, x *Element)
			}{
				{"Invert", secp256k1.Invert},
				{"InvertVartime", secp256k1.InvertVartime},
			} {
				var z Element
				op.f(&z, &e)
				z.Normalize()
				if z != w {
					t.Fatalf("%s of %x: %x, want %x", op.name, x, z, w)
				}
				z = e
				op.f(&z, &z)
				z.Normalize()
				if z != w {
					t.Fatalf("%s of %x in place: %x, want %x", op.name, x, z, w)
				}
			}
			if got, want := secp256k1.IsSquareVartime(&e), big.Jacobi(x, prime) >= 0; got != want {
				t.Fatalf("IsSquareVartime(%x) is %v", x, got)
			}
		}
	})
}

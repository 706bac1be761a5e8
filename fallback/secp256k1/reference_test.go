package secp256k1

import (
	"fmt"
	"math/big"
	"math/rand/v2"
)

// The independent implementation of the tests: math/big, affine formulas.

var (
	bigP = number("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	bigN = number("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	// A cube root of one modulo p.
	bigBeta = number("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee")
	bigG    = point{
		number("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
		number("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
	}
)

func number(hex string) *big.Int {
	x, ok := new(big.Int).SetString(hex, 16)
	if !ok {
		panic(hex)
	}
	return x
}

func mod(x, m *big.Int) *big.Int { return new(big.Int).Mod(x, m) }

func bigLimbs(x []uint64) *big.Int {
	r := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		r.Lsh(r, 64)
		r.Or(r, new(big.Int).SetUint64(x[i]))
	}
	return r
}

func limbs(x *big.Int) (r [4]uint64) {
	for i := range r {
		r[i] = new(big.Int).Rsh(x, uint(64*i)).Uint64()
	}
	return r
}

// bigE is the integer that the limbs of x are, not reduced.
func bigE(x *Element) *big.Int { return bigLimbs(x[:]) }
func bigS(x *Scalar) *big.Int  { return bigLimbs(x[:]) }

// element takes 0 ≤ x < 2²⁵⁶ as it is; scalar reduces.
func element(x *big.Int) Element { return limbs(x) }
func scalar(x *big.Int) Scalar   { return limbs(mod(x, bigN)) }

// edges are the integers below 2²⁵⁶ around which carries and reductions turn.
var edges = func() []*big.Int {
	one := big.NewInt(1)
	pow := func(n uint) *big.Int { return new(big.Int).Lsh(one, n) }
	half := func(x *big.Int) *big.Int { return new(big.Int).Rsh(x, 1) }
	var list []*big.Int
	for _, x := range []*big.Int{
		big.NewInt(1), bigP, bigN, pow(256), half(bigP), half(bigN), bigBeta,
		big.NewInt(fold), new(big.Int).Sub(pow(256), bigN),
		pow(32), pow(64), pow(128), pow(192), pow(255),
	} {
		for d := int64(-2); d <= 2; d++ {
			y := new(big.Int).Add(x, big.NewInt(d))
			if y.Sign() >= 0 && y.BitLen() <= 256 {
				list = append(list, y)
			}
		}
	}
	// All-ones limbs in every combination.
	for m := range uint(16) {
		var l [4]uint64
		for i := range l {
			l[i] = -uint64(m >> i & 1)
		}
		list = append(list, bigLimbs(l[:]))
	}
	return list
}()

// newRand has a fixed seed: a failure repeats.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(2, 256)) }

// biased is an integer below 2²⁵⁶ whose limbs are often at a boundary.
func biased(r *rand.Rand) *big.Int {
	if r.IntN(8) == 0 {
		return edges[r.IntN(len(edges))]
	}
	var l [4]uint64
	for i := range l {
		switch r.IntN(5) {
		case 0:
		case 1:
			l[i] = allOnes
		case 2:
			l[i] = -r.Uint64N(1 << 34)
		case 3:
			l[i] = r.Uint64N(1 << 34)
		default:
			l[i] = r.Uint64()
		}
	}
	return bigLimbs(l[:])
}

// point is an affine point, or infinity where x is nil.
type point struct{ x, y *big.Int }

func (a point) infinite() bool { return a.x == nil }

func (a point) equal(b point) bool {
	if a.infinite() || b.infinite() {
		return a.infinite() == b.infinite()
	}
	return a.x.Cmp(b.x) == 0 && a.y.Cmp(b.y) == 0
}

func (a point) neg() point {
	if a.infinite() {
		return a
	}
	return point{a.x, mod(new(big.Int).Neg(a.y), bigP)}
}

// lambda is the endomorphism (βx, y).
func (a point) lambda() point {
	if a.infinite() {
		return a
	}
	return point{mod(new(big.Int).Mul(a.x, bigBeta), bigP), a.y}
}

func (a point) add(b point) point {
	if a.infinite() {
		return b
	}
	if b.infinite() {
		return a
	}
	var num, den *big.Int
	switch {
	case a.x.Cmp(b.x) != 0:
		num = new(big.Int).Sub(b.y, a.y)
		den = new(big.Int).Sub(b.x, a.x)
	case a.y.Cmp(b.y) == 0:
		num = new(big.Int).Mul(a.x, a.x)
		num.Mul(num, big.NewInt(3))
		den = new(big.Int).Lsh(a.y, 1)
	default:
		return point{}
	}
	s := new(big.Int).ModInverse(mod(den, bigP), bigP)
	s.Mul(s, num)
	x := new(big.Int).Mul(s, s)
	x.Sub(x, a.x).Sub(x, b.x).Mod(x, bigP)
	y := new(big.Int).Sub(a.x, x)
	y.Mul(y, s).Sub(y, a.y).Mod(y, bigP)
	return point{x, y}
}

func (a point) mul(k *big.Int) (r point) {
	for i := k.BitLen() - 1; i >= 0; i-- {
		r = r.add(r)
		if k.Bit(i) == 1 {
			r = r.add(a)
		}
	}
	return r
}

func (a point) affine() Affine { return Affine{element(a.x), element(a.y)} }

// jacobian is a with the given Z, which is ignored for infinity: there, X and
// Y are z and Z is zero, in one of its two forms.
func (a point) jacobian(z *big.Int) Jacobian {
	if a.infinite() {
		j := Jacobian{X: element(z), Y: element(z)}
		if z.Bit(3) == 1 {
			j.Z = element(bigP)
		}
		return j
	}
	zz := new(big.Int).Mul(z, z)
	x := new(big.Int).Mul(a.x, zz)
	y := new(big.Int).Mul(a.y, zz)
	y.Mul(y, z)
	return Jacobian{element(mod(x, bigP)), element(mod(y, bigP)), element(z)}
}

// pointOf is the inverse of jacobian.
func pointOf(j *Jacobian) point {
	z := mod(bigE(&j.Z), bigP)
	if z.Sign() == 0 {
		return point{}
	}
	z.ModInverse(z, bigP)
	zz := new(big.Int).Mul(z, z)
	x := new(big.Int).Mul(bigE(&j.X), zz)
	y := new(big.Int).Mul(bigE(&j.Y), zz)
	y.Mul(y, z)
	return point{x.Mod(x, bigP), y.Mod(y, bigP)}
}

func (a point) String() string {
	if a.infinite() {
		return "infinity"
	}
	return fmt.Sprintf("(%x, %x)", a.x, a.y)
}

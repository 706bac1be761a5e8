package curve

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// The independent implementation of the tests: math/big, affine formulas.

var (
	bigP = number("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	bigN = number("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	bigG = point{
		number("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
		number("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
	}
	bigLambda = number("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72")
	bigBeta   = number("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee")
	one       = big.NewInt(1)
)

func number(hex string) *big.Int {
	x, ok := new(big.Int).SetString(hex, 16)
	if !ok {
		panic(hex)
	}
	return x
}

func pow2(n uint) *big.Int           { return new(big.Int).Lsh(one, n) }
func add(x, y *big.Int) *big.Int     { return new(big.Int).Add(x, y) }
func sub(x, y *big.Int) *big.Int     { return new(big.Int).Sub(x, y) }
func mul(x, y *big.Int) *big.Int     { return new(big.Int).Mul(x, y) }
func mod(x, m *big.Int) *big.Int     { return new(big.Int).Mod(x, m) }
func inverse(x, m *big.Int) *big.Int { return new(big.Int).ModInverse(x, m) }

// small returns x, taken modulo n, as the integer of least size.
func small(x *big.Int) *big.Int {
	x = mod(x, bigN)
	if x.Cmp(new(big.Int).Rsh(bigN, 1)) > 0 {
		x.Sub(x, bigN)
	}
	return x
}

func limbs(x *big.Int) (r [4]uint64) {
	for i := range r {
		r[i] = new(big.Int).Rsh(x, uint(64*i)).Uint64()
	}
	return r
}

func bytes32(x *big.Int) (b [32]byte) {
	x.FillBytes(b[:])
	return b
}

func scalar(x *big.Int) secp256k1.Scalar { return limbs(mod(x, bigN)) }

func bigS(s *secp256k1.Scalar) *big.Int {
	b := s.Bytes()
	return new(big.Int).SetBytes(b[:])
}

func bigE(e *secp256k1.Element) *big.Int {
	b := e.Bytes()
	return new(big.Int).SetBytes(b[:])
}

// point is an affine point, or infinity where x is nil.
type point struct{ x, y *big.Int }

func (a point) String() string {
	if a.infinite() {
		return "infinity"
	}
	return fmt.Sprintf("(%x, %x)", a.x, a.y)
}

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
		num, den = sub(b.y, a.y), sub(b.x, a.x)
	case a.y.Cmp(b.y) == 0:
		num, den = mul(mul(a.x, a.x), big.NewInt(3)), add(a.y, a.y)
	default:
		return point{}
	}
	s := mod(mul(num, inverse(mod(den, bigP), bigP)), bigP)
	x := mod(sub(sub(mul(s, s), a.x), b.x), bigP)
	return point{x, mod(sub(mul(s, sub(a.x, x)), a.y), bigP)}
}

// doublings holds 2ⁱ·a for the points multiplied last, by their text.
var doublings = map[string][]point{}

// mul takes any integer k.
func (a point) mul(k *big.Int) (r point) {
	powers := doublings[a.String()]
	if powers == nil {
		for p := a; len(powers) < 256; p = p.add(p) {
			powers = append(powers, p)
		}
		if len(doublings) > 100 {
			clear(doublings)
		}
		doublings[a.String()] = powers
	}
	k = mod(k, bigN)
	for i := range k.BitLen() {
		if k.Bit(i) == 1 {
			r = r.add(powers[i])
		}
	}
	return r
}

func (a point) affine() secp256k1.Affine {
	return secp256k1.Affine{X: limbs(a.x), Y: limbs(a.y)}
}

// pointOf takes (0, 0) for infinity.
func pointOf(a *secp256k1.Affine) point {
	p := point{bigE(&a.X), bigE(&a.Y)}
	if p.x.Sign() == 0 && p.y.Sign() == 0 {
		return point{}
	}
	return p
}

// liftable returns the point with even y over x, if there is one.
func liftable(x *big.Int) (point, bool) {
	if x.Cmp(bigP) >= 0 {
		return point{}, false
	}
	c := mod(add(mul(mul(x, x), x), big.NewInt(7)), bigP)
	y := new(big.Int).ModSqrt(c, bigP)
	if y == nil {
		return point{}, false
	}
	if y.Bit(0) == 1 {
		y.Sub(bigP, y)
	}
	return point{x, y}, true
}

// newRand has a fixed seed: a failure repeats.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(7, 256)) }

func random(r *rand.Rand) *big.Int {
	var b [32]byte
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return mod(new(big.Int).SetBytes(b[:]), bigN)
}

// The short basis of the lattice of (a, b) with a + bλ ≡ 0 modulo n.
var (
	bigA1 = number("3086d221a7d46bcde86c90e49284eb15")
	bigB1 = new(big.Int).Neg(number("e4437ed6010e88286f547fa90abfe4c3"))
	bigA2 = number("114ca50f7a8e2f3f657c1108d9d44cfd8")
	bigB2 = bigA1
)

// scalarEdges are the scalars at which recoding, splitting and the exceptional
// cases of addition turn. Some are zero modulo n.
func scalarEdges() []*big.Int {
	list := []*big.Int{
		bigLambda, mul(bigLambda, bigLambda), add(bigLambda, one), sub(bigLambda, one),
		new(big.Int).Rsh(bigN, 1), add(new(big.Int).Rsh(bigN, 1), one),
		number("ffffffffffffffffffffffffffffffff"),
		number("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
		number("5555555555555555555555555555555555555555555555555555555555555555"),
	}
	for i := int64(-40); i <= 40; i++ {
		list = append(list, big.NewInt(i), mul(big.NewInt(i), bigLambda))
	}
	for i := uint(0); i < 256; i += 5 {
		list = append(list, pow2(i), sub(pow2(i), one), new(big.Int).Neg(pow2(i)))
	}
	// The halves are extreme at the corners of the lattice's cell: k1 + k2·λ
	// for (k1, k2) = ±(v1 ± v2)/2, and beside them.
	for _, s1 := range []int64{-1, 1} {
		for _, s2 := range []int64{-1, 1} {
			k1 := add(mul(big.NewInt(s1), bigA1), mul(big.NewInt(s2), bigA2))
			k2 := add(mul(big.NewInt(s1), bigB1), mul(big.NewInt(s2), bigB2))
			k1.Rsh(k1, 1)
			k2.Rsh(k2, 1)
			for d1 := int64(-1); d1 <= 1; d1++ {
				for d2 := int64(-1); d2 <= 1; d2++ {
					list = append(list, add(add(k1, big.NewInt(d1)), mul(add(k2, big.NewInt(d2)), bigLambda)))
				}
			}
		}
	}
	// The same for the scalar that recodeHalves splits: s = (k + offset)/2.
	offset := mul(sub(sub(pow2(130), pow2(129)), one), add(bigLambda, one))
	for _, s := range list[len(list)-36:] {
		list = append(list, sub(add(s, s), offset))
	}
	// The last window of the base table: ±1, ±3, … ±63 times 64⁴²·G/2, and
	// twice that.
	for i := int64(-63); i <= 63; i += 2 {
		k := mul(big.NewInt(i), pow2(252))
		list = append(list, k, mod(mul(k, inverse(big.NewInt(2), bigN)), bigN))
	}
	return list
}

func nonZeroEdges() (list []*big.Int) {
	for _, k := range scalarEdges() {
		if mod(k, bigN).Sign() != 0 {
			list = append(list, mod(k, bigN))
		}
	}
	return list
}

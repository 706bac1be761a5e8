package curve

import (
	"math/big"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

func TestConstants(t *testing.T) {
	for _, c := range []struct {
		name string
		x, m *big.Int
	}{{"λ", bigLambda, bigN}, {"β", bigBeta, bigP}} {
		if c.x.Cmp(one) == 0 || new(big.Int).Exp(c.x, big.NewInt(3), c.m).Cmp(one) != 0 {
			t.Errorf("%s is no cube root of one", c.name)
		}
	}
	if got, want := bigG.mul(bigLambda), (point{mod(mul(bigG.x, bigBeta), bigP), bigG.y}); !got.equal(want) {
		t.Errorf("λG = %v, want (β·x, y) = %v", got, want)
	}
	for _, v := range [][2]*big.Int{{bigA1, bigB1}, {bigA2, bigB2}} {
		if mod(add(v[0], mul(v[1], bigLambda)), bigN).Sign() != 0 {
			t.Errorf("(%x, %x) is not in the lattice", v[0], v[1])
		}
	}
	if sub(mul(bigA1, bigB2), mul(bigA2, bigB1)).Cmp(bigN) != 0 {
		t.Error("the basis does not have determinant n")
	}
	nearest := func(x *big.Int) *big.Int {
		x = add(new(big.Int).Lsh(x, 385), bigN)
		return x.Div(x, add(bigN, bigN))
	}
	halfInverse := inverse(big.NewInt(2), bigN)
	neg := func(x *big.Int) *big.Int { return new(big.Int).Neg(x) }
	for _, c := range []struct {
		name string
		got  *big.Int
		want *big.Int
	}{
		{"lambda", bigS(&lambda), bigLambda},
		{"beta", bigE(&beta), bigBeta},
		{"minusLambda", bigS(&minusLambda), mod(neg(bigLambda), bigN)},
		{"minusB1", bigS(&minusB1), mod(neg(bigB1), bigN)},
		{"minusB2", bigS(&minusB2), mod(neg(bigB2), bigN)},
		{"g1", bigS(&g1), nearest(bigB2)},
		{"g2", bigS(&g2), nearest(neg(bigB1))},
		{"baseOffset", bigS(&baseOffset), mod(mul(sub(pow2(258), one), halfInverse), bigN)},
		{"halvesOffset", bigS(&halvesOffset), mod(mul(sub(sub(pow2(130), pow2(129)), one), add(one, bigLambda)), bigN)},
		{"two128", bigS(&two128), pow2(128)},
	} {
		if c.got.Cmp(c.want) != 0 {
			t.Errorf("%s = %x, want %x", c.name, c.got, c.want)
		}
	}
}

// splitBounds are those that split states: 0.636·2¹²⁸ and 0.541·2¹²⁸.
var splitBounds = func() (b [2]*big.Int) {
	for i, thousandths := range []int64{636, 541} {
		b[i] = new(big.Int).Div(mul(big.NewInt(thousandths), pow2(128)), big.NewInt(1000))
	}
	return b
}()

func checkSplit(t *testing.T, k *big.Int) (k1, k2 *big.Int) {
	t.Helper()
	s := scalar(k)
	var s1, s2 secp256k1.Scalar
	split(&s1, &s2, &s)
	k1, k2 = small(bigS(&s1)), small(bigS(&s2))
	if mod(sub(add(k1, mul(k2, bigLambda)), k), bigN).Sign() != 0 {
		t.Fatalf("split(%x) = %x + %x·λ", k, k1, k2)
	}
	if k1.CmpAbs(splitBounds[0]) >= 0 || k2.CmpAbs(splitBounds[1]) >= 0 {
		t.Fatalf("split(%x) = %x, %x: out of bounds", k, k1, k2)
	}
	return k1, k2
}

func TestSplit(t *testing.T) {
	// The bounds are what the argument beside split derives, and are nearly
	// met.
	for i, sum := range []*big.Int{add(bigA1, bigA2), sub(bigB2, bigB1)} {
		if sum.Rsh(sum, 1); sum.Cmp(splitBounds[i]) >= 0 {
			t.Fatalf("half of the basis vectors' sum, %x, is not below %x", sum, splitBounds[i])
		}
	}
	var max1, max2 big.Int
	note := func(k1, k2 *big.Int) {
		if k1.CmpAbs(&max1) > 0 {
			max1.Abs(k1)
		}
		if k2.CmpAbs(&max2) > 0 {
			max2.Abs(k2)
		}
	}
	for _, k := range scalarEdges() {
		note(checkSplit(t, k))
	}
	r := newRand()
	for range 5000 {
		note(checkSplit(t, random(r)))
	}
	for i, m := range []*big.Int{&max1, &max2} {
		if near := new(big.Int).Div(mul(splitBounds[i], big.NewInt(99)), big.NewInt(100)); m.Cmp(near) < 0 {
			t.Errorf("no scalar tried came near bound %d: largest %x", i+1, m)
		}
	}
}

// value is what windows of a secret stand for, each of that many bits.
func value(w []uint8, bits uint) *big.Int {
	sum := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		sum.Lsh(sum, bits)
		sum.Add(sum, big.NewInt(2*int64(w[i])-(1<<bits-1)))
	}
	return sum
}

func TestRecodeSecrets(t *testing.T) {
	check := func(k *big.Int) {
		s := scalar(k)
		var w [baseWindows]uint8
		recodeBase(&w, &s)
		if mod(sub(value(w[:], baseBits), add(k, k)), bigN).Sign() != 0 {
			t.Fatalf("recodeBase(%x) stands for %x", k, value(w[:], baseBits))
		}
		var w1, w2 [halfWindows]uint8
		recodeHalves(&w1, &w2, &s)
		if mod(sub(add(value(w1[:], halfBits), mul(value(w2[:], halfBits), bigLambda)), k), bigN).Sign() != 0 {
			t.Fatalf("recodeHalves(%x) stands for %x and %x", k, value(w1[:], halfBits), value(w2[:], halfBits))
		}
		for _, c := range []struct {
			windows []uint8
			most    uint8
		}{{w[:], 63}, {w1[:], 31}, {w2[:], 31}} {
			if v := slices.Max(c.windows); v > c.most {
				t.Fatalf("window %d for %x", v, k)
			}
		}
	}
	for _, k := range scalarEdges() {
		check(k)
	}
	r := newRand()
	for range 2000 {
		check(random(r))
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		bits            uint
		values, entries uint64
		largest         int64
	}{{halfBits, 32, halfEntries, 31}, {baseBits, 64, uint64(len(baseTable[0])), 63}} {
		for v := range c.values {
			i, neg := window(v, c.bits)
			got := int64(2*i + 1)
			if neg == 1 {
				got = -got
			}
			if want := 2*int64(v) - c.largest; got != want || i >= c.entries || neg > 1 {
				t.Errorf("window(%d, %d) = %d, %d: digit %d, want %d", v, c.bits, i, neg, got, want)
			}
		}
	}
}

func TestWNAF(t *testing.T) {
	check := func(k *big.Int, w uint) {
		s := scalar(k)
		for _, neg := range []bool{false, true} {
			naf := [nafDigits]int16{5, 5, 5}
			n := wnafVartime(&naf, &s, w, neg)
			sum := new(big.Int)
			last := -1000
			for i := nafDigits - 1; i >= 0; i-- {
				sum.Lsh(sum, 1)
				sum.Add(sum, big.NewInt(int64(naf[i])))
			}
			for i, d := range naf {
				if d == 0 {
					continue
				}
				if d%2 == 0 || int(d) >= 1<<(w-1) || int(d) <= -1<<(w-1) || i-last < int(w) || i >= n {
					t.Fatalf("width %d NAF of %x: digit %d at %d, the one before at %d, length %d", w, k, d, i, last, n)
				}
				last = i
			}
			want := k
			if neg {
				want = new(big.Int).Neg(k)
			}
			if sum.Cmp(want) != 0 || n != last+1 && n != 0 {
				t.Fatalf("width %d NAF of %x stands for %x, length %d", w, want, sum, n)
			}
		}
	}
	for _, w := range []uint{nafWidthP, nafWidthG} {
		for i := uint(0); i <= 128; i++ {
			if i < 128 {
				check(pow2(i), w)
			}
			check(sub(pow2(i), one), w)
		}
		check(new(big.Int), w)
		r := newRand()
		for range 2000 {
			check(new(big.Int).Rsh(random(r), 128), w)
		}
	}
}

func TestSplitSigned(t *testing.T) {
	check := func(k *big.Int) {
		s := scalar(k)
		var s1, s2 secp256k1.Scalar
		neg1, neg2 := splitSignedVartime(&s1, &s2, &s)
		k1, k2 := bigS(&s1), bigS(&s2)
		if k1.BitLen() > 128 || k2.BitLen() > 128 {
			t.Fatalf("splitSignedVartime(%x) = %x, %x", k, k1, k2)
		}
		if neg1 {
			k1.Neg(k1)
		}
		if neg2 {
			k2.Neg(k2)
		}
		if mod(sub(add(k1, mul(k2, bigLambda)), k), bigN).Sign() != 0 {
			t.Fatalf("splitSignedVartime(%x) = %x + %x·λ", k, k1, k2)
		}
	}
	for _, k := range scalarEdges() {
		check(k)
	}
}

func TestOddMultiples(t *testing.T) {
	r := newRand()
	for _, p := range []point{bigG, bigG.mul(random(r)).neg()} {
		a := p.affine()
		var table, endo [halfEntries]secp256k1.Affine
		var ratios [halfEntries]secp256k1.Element
		var gz secp256k1.Element
		oddMultiples(table[:], ratios[:], &gz, &a)
		endomorphism(endo[:], table[:])
		check := func(name string, i int, e *secp256k1.Affine, want point) {
			t.Helper()
			j := secp256k1.Jacobian{X: e.X, Y: e.Y, Z: gz}
			var got secp256k1.Affine
			secp256k1.ToAffine(&got, &j)
			if !pointOf(&got).equal(want) {
				t.Fatalf("%s, entry %d: %v, want %v", name, i, pointOf(&got), want)
			}
		}
		for i := range table {
			want := p.mul(big.NewInt(int64(2*i + 1)))
			check("table", i, &table[i], want)
			check("λ times the table", i, &endo[i], want.mul(bigLambda))
		}
	}
}

// TestBaseTable proves every entry: by the reference, one addition each, and
// the first of each window by a multiplication of its own.
func TestBaseTable(t *testing.T) {
	half := inverse(big.NewInt(2), bigN)
	for i := range baseTable {
		p := bigG.mul(mul(half, pow2(uint(baseBits*i))))
		step := p.add(p)
		for j := range baseTable[i] {
			if got := pointOf(&baseTable[i][j]); !got.equal(p) {
				t.Fatalf("window %d, entry %d: %v, want %v", i, j, got, p)
			}
			p = p.add(step)
		}
	}
}

// Infinity is no nonce, whatever stands beside Z = 0 and though x·Z² is X; nor is a point
// of another x or of odd y.
func TestIsNonce(t *testing.T) {
	p := secp256k1.Element(limbs(bigP)) // the other form of zero
	two, three := secp256k1.Element{2}, secp256k1.Element{3}
	g, minus := bigG.affine(), bigG.neg().affine() // y is even and odd
	gx := g.X
	var scaled secp256k1.Jacobian // G over Z = 2
	scaled.SetAffine(&g)
	secp256k1.Add(&scaled.X, &g.X, &g.X)
	secp256k1.Add(&scaled.X, &scaled.X, &scaled.X)
	for range 3 {
		secp256k1.Add(&scaled.Y, &scaled.Y, &scaled.Y)
	}
	scaled.Z = two
	for _, c := range []struct {
		name string
		p    secp256k1.Jacobian
		x    secp256k1.Element
		want bool
	}{
		{"(0, 2, 0)", secp256k1.Jacobian{Y: two}, secp256k1.Element{}, false},
		{"(0, 2, 0) and x = 1", secp256k1.Jacobian{Y: two}, secp256k1.Element{1}, false},
		{"(0, 2, p)", secp256k1.Jacobian{Y: two, Z: p}, secp256k1.Element{}, false},
		{"(p, 2, p)", secp256k1.Jacobian{X: p, Y: two, Z: p}, secp256k1.Element{}, false},
		{"(0, 0, 0)", secp256k1.Jacobian{}, secp256k1.Element{}, false},
		{"(1, 1, 0)", secp256k1.Jacobian{X: secp256k1.Element{1}, Y: secp256k1.Element{1}}, secp256k1.Element{}, false},
		{"(1, 1, 0) and x = 1", secp256k1.Jacobian{X: secp256k1.Element{1}, Y: secp256k1.Element{1}}, secp256k1.Element{1}, false},
		{"(0, 2, 1)", secp256k1.Jacobian{Y: two, Z: secp256k1.Element{1}}, secp256k1.Element{}, true},
		{"(p, 2, 1)", secp256k1.Jacobian{X: p, Y: two, Z: secp256k1.Element{1}}, secp256k1.Element{}, true},
		{"(0, 3, 1)", secp256k1.Jacobian{Y: three, Z: secp256k1.Element{1}}, secp256k1.Element{}, false},
		{"G", secp256k1.Jacobian{X: g.X, Y: g.Y, Z: secp256k1.Element{1}}, gx, true},
		{"G and x = 0", secp256k1.Jacobian{X: g.X, Y: g.Y, Z: secp256k1.Element{1}}, secp256k1.Element{}, false},
		{"−G", secp256k1.Jacobian{X: minus.X, Y: minus.Y, Z: secp256k1.Element{1}}, gx, false},
		{"G over Z = 2", scaled, gx, true},
		{"G over Z = 2 and x = 4·G.x", scaled, scaled.X, false},
	} {
		if got := isNonceVartime(&c.p, &c.x); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestGeneratorOdd(t *testing.T) {
	for _, c := range []struct {
		table []secp256k1.Affine
		p     point
	}{
		{generatorOdd(), bigG},
		{generatorHighOdd(), bigG.mul(pow2(64))},
	} {
		p := c.p
		step := p.add(p)
		for i, e := range c.table {
			if got := pointOf(&e); !got.equal(p) {
				t.Fatalf("entry %d: %v, want %v", i, got, p)
			}
			p = p.add(step)
		}
	}
}

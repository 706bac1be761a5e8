package secp256k1

import (
	"math/big"
	"testing"
)

var unaryOps = []struct {
	name string
	f    func(z, x *Element)
	want func(x *big.Int) *big.Int // modulo p
}{
	{"Sqr", Sqr, func(x *big.Int) *big.Int { return new(big.Int).Mul(x, x) }},
	{"Neg", Neg, func(x *big.Int) *big.Int { return new(big.Int).Neg(x) }},
	{"Half", Half, half},
	{"halfAgain", halfAgain, func(x *big.Int) *big.Int { return new(big.Int).Add(x, half(x)) }},
	{"Invert", Invert, inverse},
	{"InvertVartime", InvertVartime, inverse},
}

var binaryOps = []struct {
	name string
	f    func(z, x, y *Element)
	want func(x, y *big.Int) *big.Int
}{
	{"Add", Add, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
	{"Sub", Sub, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }},
	{"Mul", Mul, func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }},
}

func half(x *big.Int) *big.Int {
	return new(big.Int).Mul(x, new(big.Int).ModInverse(big.NewInt(2), bigP))
}

func inverse(x *big.Int) *big.Int {
	if x = mod(x, bigP); x.Sign() == 0 {
		return x
	}
	return x.ModInverse(x, bigP)
}

func checkElement(t *testing.T, name string, got *Element, want *big.Int, args ...*big.Int) {
	t.Helper()
	if mod(bigE(got), bigP).Cmp(mod(want, bigP)) != 0 {
		t.Fatalf("%s(%x) = %x, want %x", name, args, bigE(got), mod(want, bigP))
	}
}

// checkUnary and checkBinary run every operation with every aliasing of its
// variables.
func checkUnary(t *testing.T, x *big.Int) {
	t.Helper()
	for _, op := range unaryOps {
		want := op.want(x)
		e, z := element(x), Element{1, 2, 3, 4}
		op.f(&z, &e)
		checkElement(t, op.name, &z, want, x)
		if e != element(x) {
			t.Fatalf("%s changed its argument %x", op.name, x)
		}
		op.f(&e, &e)
		checkElement(t, op.name+" z=x", &e, want, x)
	}
}

func checkBinary(t *testing.T, x, y *big.Int) {
	t.Helper()
	for _, op := range binaryOps {
		want := op.want(x, y)
		a, b, z := element(x), element(y), Element{1, 2, 3, 4}
		op.f(&z, &a, &b)
		checkElement(t, op.name, &z, want, x, y)
		if a != element(x) || b != element(y) {
			t.Fatalf("%s changed an argument: %x %x", op.name, x, y)
		}
		op.f(&a, &a, &b)
		checkElement(t, op.name+" z=x", &a, want, x, y)
		a = element(x)
		op.f(&b, &a, &b)
		checkElement(t, op.name+" z=y", &b, want, x, y)
		want = op.want(x, x)
		op.f(&z, &a, &a)
		checkElement(t, op.name+" x=y", &z, want, x, x)
		op.f(&a, &a, &a)
		checkElement(t, op.name+" z=x=y", &a, want, x, x)
	}
}

func TestElementEdges(t *testing.T) {
	for _, x := range edges {
		checkUnary(t, x)
		for _, y := range edges {
			checkBinary(t, x, y)
		}
	}
}

func TestElementRandom(t *testing.T) {
	r := newRand()
	for range 3000 {
		checkUnary(t, biased(r))
		checkBinary(t, biased(r), biased(r))
	}
}

// nearZero are the results around which the last carries of a reduction turn:
// below fold² + fold, where the fold of a carry reaches the second limb.
func nearZero() []*big.Int {
	var list []*big.Int
	for _, base := range []*big.Int{
		new(big.Int),
		big.NewInt(fold),
		new(big.Int).Lsh(big.NewInt(1), 64),
		new(big.Int).SetUint64(p0),
		new(big.Int).Lsh(big.NewInt(fold), 32),
		new(big.Int).Mul(big.NewInt(fold), big.NewInt(fold)),
	} {
		for _, d := range []int64{-fold - 1, -fold, -2, -1, 0, 1, 2, fold - 1, fold, fold + 1} {
			list = append(list, mod(new(big.Int).Add(base, big.NewInt(d)), bigP))
		}
	}
	return list
}

// TestReductionNearZero chooses factors whose product is close to a multiple of
// p: random ones reach the last carry once in 2¹⁹⁰.
func TestReductionNearZero(t *testing.T) {
	r := newRand()
	squares := 0
	for _, s := range nearZero() {
		for range 40 {
			x := biased(r)
			if mod(x, bigP).Sign() == 0 {
				continue
			}
			y := new(big.Int).Mul(s, inverse(x))
			checkBinary(t, x, mod(y, bigP))
		}
		if root := new(big.Int).ModSqrt(s, bigP); root != nil {
			squares++
			checkUnary(t, root)
			checkUnary(t, mod(new(big.Int).Neg(root), bigP))
		}
	}
	if squares < 20 {
		t.Fatalf("only %d squares tried", squares)
	}
}

func checkFused(t *testing.T, a, b, c, d *big.Int) {
	t.Helper()
	ab := new(big.Int).Mul(a, b)
	ea, eb, ec, ed := element(a), element(b), element(c), element(d)
	var z Element
	want := new(big.Int).Sub(ab, new(big.Int).Mul(c, d))
	mulSubMul(&z, &ea, &eb, &ec, &ed)
	checkElement(t, "mulSubMul", &z, want, a, b, c, d)
	for i, alias := range []*Element{&ea, &eb, &ec, &ed} {
		saved := *alias
		mulSubMul(alias, &ea, &eb, &ec, &ed)
		checkElement(t, "mulSubMul aliased", alias, want, a, b, c, d, big.NewInt(int64(i)))
		*alias = saved
	}
	want = new(big.Int).Sub(ab, new(big.Int).Mul(c, c))
	mulSubSqr(&z, &ea, &eb, &ec)
	checkElement(t, "mulSubSqr", &z, want, a, b, c)
	for i, alias := range []*Element{&ea, &eb, &ec} {
		saved := *alias
		mulSubSqr(alias, &ea, &eb, &ec)
		checkElement(t, "mulSubSqr aliased", alias, want, a, b, c, big.NewInt(int64(i)))
		*alias = saved
	}

	wantZ := new(big.Int).Sub(a, b)
	wantZ.Sub(wantZ, b)
	wantD := new(big.Int).Sub(b, wantZ)
	var e Element
	subTwice(&z, &e, &ea, &eb)
	checkElement(t, "subTwice z", &z, wantZ, a, b)
	checkElement(t, "subTwice d", &e, wantD, a, b)
	z, e = ea, eb
	subTwice(&z, &e, &z, &e)
	checkElement(t, "subTwice z, z=x", &z, wantZ, a, b)
	checkElement(t, "subTwice d, d=v", &e, wantD, a, b)
}

func TestFused(t *testing.T) {
	for _, a := range edges {
		for _, b := range edges {
			checkFused(t, a, b, b, a)
			checkFused(t, a, b, edges[0], edges[0])
			checkFused(t, edges[0], b, a, a)
		}
	}
	r := newRand()
	for range 3000 {
		checkFused(t, biased(r), biased(r), biased(r), biased(r))
	}
	// Differences near zero.
	for _, s := range nearZero() {
		for range 40 {
			a, b, c := biased(r), biased(r), biased(r)
			d := new(big.Int).Mul(a, b)
			d.Sub(d, s).Mul(d, inverse(c))
			checkFused(t, a, b, c, mod(d, bigP))
		}
	}
}

func TestElementEncoding(t *testing.T) {
	for _, x := range edges {
		var b [32]byte
		x.FillBytes(b[:])
		canonical := x.Cmp(bigP) < 0
		e := Element{9, 9, 9, 9}
		if ok := e.SetBytes(&b); ok != canonical {
			t.Fatalf("SetBytes(%x) = %v", x, ok)
		}
		want := new(big.Int)
		if canonical {
			want = x
		}
		if bigE(&e).Cmp(want) != 0 {
			t.Fatalf("SetBytes(%x) sets %x", x, bigE(&e))
		}

		e = element(x)
		low := mod(x, bigP)
		if got := e.Bytes(); new(big.Int).SetBytes(got[:]).Cmp(low) != 0 {
			t.Fatalf("Bytes of %x = %x", x, got)
		}
		if e.IsZero() != (low.Sign() == 0) {
			t.Fatalf("IsZero of %x = %v", x, e.IsZero())
		}
		if e.IsOdd() != (low.Bit(0) == 1) {
			t.Fatalf("IsOdd of %x = %v", x, e.IsOdd())
		}
		if e != element(x) {
			t.Fatalf("a predicate changed %x", x)
		}
		for _, y := range edges {
			f := element(y)
			if e.Equal(&f) != (low.Cmp(mod(y, bigP)) == 0) {
				t.Fatalf("Equal of %x and %x = %v", x, y, e.Equal(&f))
			}
		}
		e.Normalize()
		if bigE(&e).Cmp(low) != 0 {
			t.Fatalf("Normalize of %x gives %x", x, bigE(&e))
		}
		e.Zero()
		if e != (Element{}) {
			t.Fatal("Zero leaves something")
		}
	}
}

func TestSqrt(t *testing.T) {
	r := newRand()
	squares, others := 0, 0
	check := func(x *big.Int) {
		e := element(x)
		var z Element
		ok := Sqrt(&z, &e)
		low := mod(x, bigP)
		if ok != (big.Jacobi(low, bigP) >= 0) {
			t.Fatalf("Sqrt(%x) = %v", x, ok)
		}
		if IsSquareVartime(&e) != ok {
			t.Fatalf("IsSquareVartime(%x) = %v", x, !ok)
		}
		if ok {
			squares++
		} else {
			others++
			low = mod(new(big.Int).Neg(low), bigP)
		}
		checkElement(t, "the square of Sqrt", squared(z), low, x)
		w := e
		if Sqrt(&w, &w) != ok || w != z {
			t.Fatalf("Sqrt(%x) differs when z = x", x)
		}
	}
	for _, x := range edges {
		check(x)
	}
	for range 500 {
		x := biased(r)
		check(x)
		check(mod(new(big.Int).Mul(x, x), bigP))
	}
	if squares < 500 || others < 200 {
		t.Fatalf("%d squares and %d others tried", squares, others)
	}
}

func squared(x Element) *Element {
	z := element(mod(new(big.Int).Mul(bigE(&x), bigE(&x)), bigP))
	return &z
}

func TestSelect(t *testing.T) {
	x, y := Element{1, 2, 3, allOnes}, Element{allOnes, 6, 7, 8}
	for bit, want := range []Element{y, x} {
		var z Element
		Select(&z, &x, &y, uint64(bit))
		if z != want {
			t.Fatalf("Select by %d = %x", bit, z)
		}
		z = x
		Select(&z, &z, &y, uint64(bit))
		if z != want {
			t.Fatalf("Select by %d, z = x, is %x", bit, z)
		}
		z = y
		Select(&z, &x, &z, uint64(bit))
		if z != want {
			t.Fatalf("Select by %d, z = y, is %x", bit, z)
		}
	}
}

// Inversion does not depend on the form of its argument, and takes every
// number of division steps that 590 leave room for.
func TestInvertMany(t *testing.T) {
	r := newRand()
	for i := range 20000 {
		x := biased(r)
		if i < 2000 {
			x = big.NewInt(int64(i))
		}
		e := element(x)
		var z, v, one Element
		Invert(&z, &e)
		InvertVartime(&v, &e)
		if z != v {
			t.Fatalf("Invert(%x) = %x, InvertVartime %x", x, z, v)
		}
		Mul(&one, &z, &e)
		one.Normalize()
		if want := (Element{1}); one != want && !e.IsZero() {
			t.Fatalf("x·Invert(x) = %x for %x", one, x)
		}
	}
}

package curve

import (
	"encoding/base64"
	"math/big"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// Multiples of G as published with the curve's test vectors.
var multiples = []struct {
	k    *big.Int
	x, y string
}{
	{one, "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"},
	{big.NewInt(2), "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", "1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a"},
	{big.NewInt(3), "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9", "388f7b0f632de8140fe337e62a37f3566500a99934c2231b6cb9fd7584b8e672"},
	{big.NewInt(4), "e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13", "51ed993ea0d455b75642e2098ea51448d967ae33bfbdfe40cfe97bdc47739922"},
	{sub(bigN, one), "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "b7c52588d95c3b9aa25b0403f1eef75702e84bb7597aabe663b82f6f04ef2777"},
	{sub(bigN, big.NewInt(2)), "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", "e51e970159c23cc65c3a7be6b99315110809cd9acd992f1edc9bce55af301705"},
}

func checkBaseMult(t *testing.T, k *big.Int, want point) {
	t.Helper()
	s := scalar(k)
	var p secp256k1.Affine
	BaseMult(&p, &s)
	if got := pointOf(&p); !got.equal(want) {
		t.Fatalf("BaseMult(%x) = %v, want %v", k, got, want)
	}
	if p.X != limbs(bigE(&p.X)) || p.Y != limbs(bigE(&p.Y)) {
		t.Fatalf("BaseMult(%x) is not below p", k)
	}
	if s != scalar(k) {
		t.Fatalf("BaseMult changed %x", k)
	}
}

func TestBaseMult(t *testing.T) {
	for _, m := range multiples {
		checkBaseMult(t, m.k, point{number(m.x), number(m.y)})
	}
	for _, k := range scalarEdges() {
		checkBaseMult(t, k, bigG.mul(k))
	}
	r := newRand()
	for range 200 {
		k := random(r)
		checkBaseMult(t, k, bigG.mul(k))
	}
}

func TestEvenScalar(t *testing.T) {
	odd := 0
	for i := range int64(20) {
		k := scalar(big.NewInt(i + 1))
		var p, q secp256k1.Affine
		BaseMult(&p, &k)
		var even secp256k1.Scalar
		EvenScalar(&even, &k, &p)
		BaseMult(&q, &even)
		if bigE(&q.Y).Bit(0) != 0 || q.X != p.X {
			t.Fatalf("EvenScalar of %d gives %x", i+1, even)
		}
		if even != k {
			odd++
		}
		EvenScalar(&k, &k, &p)
		if k != even {
			t.Fatalf("EvenScalar of %d differs when z = k", i+1)
		}
	}
	if odd == 0 || odd == 20 {
		t.Fatalf("%d of 20 points have odd y", odd)
	}
}

func checkECDH(t *testing.T, k *big.Int, p, want point) {
	t.Helper()
	s, x := scalar(k), bytes32(p.x)
	var shared [32]byte
	if !ECDH(&shared, &s, &x) || shared != bytes32(want.x) {
		t.Fatalf("ECDH(%x, %v) = %x, want %x", k, p, shared, want.x)
	}
	if s != scalar(k) || x != bytes32(p.x) {
		t.Fatal("ECDH changed an argument")
	}
}

func TestECDH(t *testing.T) {
	r := newRand()
	points := []point{bigG, bigG.neg(), bigG.mul(bigLambda), bigG.mul(random(r))}
	for i, k := range nonZeroEdges() {
		p := points[i%len(points)]
		checkECDH(t, k, p, p.mul(k))
	}
	for range 200 {
		k, p := random(r), bigG.mul(random(r))
		checkECDH(t, k, p, p.mul(k))
	}
}

// TestECDHSmallHalves takes every k = i + jλ with small i and j: among them are
// those whose last additions meet equal and opposite points.
func TestECDHSmallHalves(t *testing.T) {
	const limit = 36
	p := bigG.mul(number("5eed"))
	var rows, columns [2*limit + 1]point
	for i := range rows {
		rows[i] = p.mul(big.NewInt(int64(i - limit)))
		columns[i] = rows[i].mul(bigLambda)
	}
	for i := range rows {
		for j := range columns {
			if i == limit && j == limit {
				continue
			}
			k := add(big.NewInt(int64(i-limit)), mul(big.NewInt(int64(j-limit)), bigLambda))
			checkECDH(t, mod(k, bigN), p, rows[i].add(columns[j]))
		}
	}
}

// For k = 0 the results are what the doc comments say, not a panic.
func TestZeroScalar(t *testing.T) {
	var zero secp256k1.Scalar
	p := bigG.affine()
	shared, x := [32]byte{1}, p.X.Bytes()
	ECDH(&shared, &zero, &x)
	if shared != [32]byte{} {
		t.Errorf("ECDH with zero = %x", shared)
	}
	BaseMult(&p, &zero)
	if p != (secp256k1.Affine{}) {
		t.Errorf("BaseMult of zero = %x", p)
	}
}

// Both sides agree, also where the shared x begins with a zero byte.
func TestECDHAgree(t *testing.T) {
	r := newRand()
	leadingZero := 0
	for range 1000 {
		a, b := scalar(random(r)), scalar(random(r))
		var pa, pb secp256k1.Affine
		BaseMult(&pa, &a)
		BaseMult(&pb, &b)
		var ab, ba [32]byte
		xa, xb := pa.X.Bytes(), pb.X.Bytes()
		ECDH(&ab, &a, &xb)
		ECDH(&ba, &b, &xa)
		if ab != ba {
			t.Fatalf("a·B = %x, b·A = %x for a = %x, b = %x", ab, ba, a, b)
		}
		if ab[0] == 0 {
			leadingZero++
		}
	}
	if leadingZero == 0 {
		t.Error("no shared x began with a zero byte")
	}
}

func TestLiftX(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *big.Int
	}{
		{"order 3 on the twist", new(big.Int)},
		{"order 13 on the twist", number("eb1f7200aecaa86682376fb1c13cd12b732221e774f553b0a0857f88fa20f86d")},
		{"order 3319 on the twist", number("709858a4c121e4a84eb59c0ded0261093c71e8ca29efeef21a6161c447bcaf9f")},
		{"not on the curve (BIP-340, vector 5)", number("eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34")},
		{"p", bigP},
		{"p + 1, though 1 lifts", add(bigP, one)},
		{"2²⁵⁶ − 1", sub(pow2(256), one)},
	} {
		b := bytes32(c.x)
		var p secp256k1.Affine
		if LiftX(&p, &b) {
			t.Errorf("LiftX accepts %x: %s", c.x, c.name)
		}
		shared, k := [32]byte{1}, scalar(bigLambda)
		if ECDH(&shared, &k, &b) || shared != [32]byte{} {
			t.Errorf("ECDH takes %x, and gives %x: %s", c.x, shared, c.name)
		}
	}

	check := func(x *big.Int) bool {
		t.Helper()
		b := bytes32(x)
		var p secp256k1.Affine
		want, ok := liftable(x)
		if got := LiftX(&p, &b); got != ok {
			t.Fatalf("LiftX(%x) = %v, want %v", x, got, ok)
		}
		if ok && !pointOf(&p).equal(want) {
			t.Fatalf("LiftX(%x) = %v, want %v", x, pointOf(&p), want)
		}
		var c secp256k1.Element
		if got := liftIsomorphic(&p, &c, &b); got != ok {
			t.Fatalf("liftIsomorphic(%x) = %v, want %v", x, got, ok)
		}
		return ok
	}
	lifted := 0
	for _, base := range []*big.Int{new(big.Int), bigN, bigBeta, pow2(128), pow2(255), sub(bigP, big.NewInt(100))} {
		for i := range int64(100) {
			if check(add(base, big.NewInt(i))) {
				lifted++
			}
		}
	}
	if lifted < 200 || lifted > 400 {
		t.Errorf("%d of 600 lift", lifted)
	}
	for _, m := range multiples {
		if !check(number(m.x)) {
			t.Errorf("%s does not lift", m.x)
		}
	}
}

// verify asks VerifyVartime and the point's multiples, which must agree.
func verify(t *testing.T, s, e *secp256k1.Scalar, p *secp256k1.Affine, r *[32]byte) bool {
	t.Helper()
	var m Multiples
	m.InitVartime(p)
	verdict := VerifyVartime(s, e, p, r)
	if got := m.VerifyVartime(s, e, r); got != verdict {
		t.Fatalf("VerifyVartime = %v, that of Multiples %v: s = %x, e = %x, P = %x, r = %x", verdict, got, s, e, p, r)
	}
	return verdict
}

// verifyCase computes R = sG − eP = (s − e·d)G for P = dG, and checks the
// verdict on its x and on others.
func verifyCase(t *testing.T, s, e, d *big.Int) {
	t.Helper()
	p, r := bigG.mul(d), bigG.mul(sub(s, mul(e, d)))
	ss, se, a := scalar(s), scalar(e), p.affine()
	if r.infinite() {
		for _, x := range []*big.Int{new(big.Int), one, p.x, bigG.x} {
			b := bytes32(x)
			if verify(t, &ss, &se, &a, &b) {
				t.Fatalf("infinity passes as %x: s = %x, e = %x, P = %v", x, s, e, p)
			}
		}
		return
	}
	b := bytes32(r.x)
	if got, want := verify(t, &ss, &se, &a, &b), r.y.Bit(0) == 0; got != want {
		t.Fatalf("VerifyVartime = %v, want %v: s = %x, e = %x, P = %v, R = %v", got, want, s, e, p, r)
	}
	b[31] ^= 1
	if verify(t, &ss, &se, &a, &b) {
		t.Fatalf("another r passes: s = %x, e = %x, P = %v, R = %v", s, e, p, r)
	}
	if ss != scalar(s) || se != scalar(e) || a != p.affine() {
		t.Fatal("VerifyVartime changed an argument")
	}
}

func TestVerifyVartime(t *testing.T) {
	r := newRand()
	for range 200 {
		verifyCase(t, random(r), random(r), random(r))
	}
	// The same multiples of G on both sides: additions of equal and opposite
	// points, infinity on the way and at the end.
	ks := []*big.Int{new(big.Int), one, big.NewInt(2), big.NewInt(3), sub(bigN, one), bigLambda, mod(new(big.Int).Neg(bigLambda), bigN), pow2(128)}
	for _, d := range ks[1:] {
		for _, s := range ks {
			for _, e := range ks {
				verifyCase(t, s, e, d)
			}
		}
		e := random(r)
		verifyCase(t, mod(mul(e, d), bigN), e, d)           // infinity
		verifyCase(t, mod(mul(e, sub(one, d)), bigN), e, d) // opposite terms' sizes
	}
	for i, k := range scalarEdges() {
		verifyCase(t, mod(k, bigN), random(r), big.NewInt(int64(i+1)))
		verifyCase(t, random(r), mod(k, bigN), big.NewInt(int64(i+1)))
	}
}

// Multiples that InitVartime did not make verify nothing, not even where none is used.
func TestZeroMultiples(t *testing.T) {
	s, e, r := secp256k1.Scalar{1}, secp256k1.Scalar{}, bytes32(bigG.x) // R = G, of even y
	p := bigG.affine()
	var m Multiples
	if m.VerifyVartime(&s, &e, &r) {
		t.Error("multiples of no point verify")
	}
	if m.InitVartime(&p); !m.VerifyVartime(&s, &e, &r) {
		t.Error("R = G does not verify")
	}
}

// r of p and above is refused, though it equals R.x modulo p.
func TestVerifyRange(t *testing.T) {
	refused := 0
	for x := int64(1); x < 20; x++ {
		r, ok := liftable(big.NewInt(x))
		if !ok {
			continue
		}
		// R = sG − eP with s = 0, e = 1, P = −R: R has even y.
		s, e, p := secp256k1.Scalar{}, secp256k1.Scalar{1}, r.neg().affine()
		b := bytes32(r.x)
		if !verify(t, &s, &e, &p, &b) {
			t.Fatalf("r = %d fails", x)
		}
		b = bytes32(add(r.x, bigP))
		if verify(t, &s, &e, &p, &b) {
			t.Fatalf("r = p + %d passes", x)
		}
		refused++
	}
	if refused < 5 {
		t.Fatalf("only %d cases", refused)
	}
}

// wycheproofECDH runs one valid case on the x-coordinate of the public key
// alone, whichever y goes with it.
func wycheproofECDH(t *testing.T, id int, x, d []byte, shared string) {
	t.Helper()
	k := scalar(new(big.Int).SetBytes(d))
	var got [32]byte
	if want := testkit.Hex32(t, shared); !ECDH(&got, &k, (*[32]byte)(x)) || got != want {
		t.Errorf("case %d: %x, want %x", id, got, want)
	}
}

func TestWycheproofWebcrypto(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				ID      int `json:"tcId"`
				Public  struct{ X, Crv string }
				Private struct{ D string }
				Shared  string
				Result  string
			}
		}
	}
	testkit.VectorsJSON(t, "wycheproof/ecdh_secp256k1_webcrypto_test.json", &file)
	// Points of the right curve whose x is wrong; of the other invalid cases,
	// 478 to 481 and 491 are wrong in y alone, and 490 and 493 to 496 are of
	// another curve.
	offCurve := map[int]bool{492: true}
	for id := 474; id <= 477; id++ {
		offCurve[id] = true
	}
	for id := 482; id <= 489; id++ {
		offCurve[id] = true
	}
	valid, invalid, notApplicable := 0, 0, 0
	decode := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			switch {
			case c.Result == "valid":
				valid++
				wycheproofECDH(t, c.ID, decode(c.Public.X), decode(c.Private.D), c.Shared)
			case offCurve[c.ID]:
				invalid++
				// Some are coordinates of too many or too few bytes: as
				// integers, they may be too large for 32 bytes.
				x := new(big.Int).SetBytes(decode(c.Public.X))
				if x.BitLen() > 256 {
					t.Errorf("case %d has an x of %d bits", c.ID, x.BitLen())
					continue
				}
				b := bytes32(x)
				var p secp256k1.Affine
				if LiftX(&p, &b) {
					t.Errorf("case %d: %x lifts", c.ID, b)
				}
			default:
				notApplicable++
			}
		}
	}
	if valid != 473 || invalid != 13 || notApplicable != 10 {
		t.Errorf("%d valid, %d invalid, %d not applicable; want 473, 13, 10", valid, invalid, notApplicable)
	}
}

func TestWycheproofASN(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				ID                      int `json:"tcId"`
				Public, Private, Shared string
				Result                  string
			}
		}
	}
	testkit.VectorsJSON(t, "wycheproof/ecdh_secp256k1_test.json", &file)
	valid := 0
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			// The other cases test a parser of ASN.1.
			if c.Result != "valid" {
				continue
			}
			valid++
			// SubjectPublicKeyInfo that ends in 04, x, y.
			public := testkit.Hex(t, c.Public)
			if len(public) != 88 || public[23] != 4 {
				t.Fatalf("case %d: unexpected form of key", c.ID)
			}
			wycheproofECDH(t, c.ID, public[24:56], testkit.Hex(t, c.Private), c.Shared)
		}
	}
	if valid != 473 {
		t.Errorf("%d valid cases, want 473", valid)
	}
}

func TestAllocations(t *testing.T) {
	k, e := scalar(number("123456789abcdef")), scalar(bigLambda)
	p := bigG.mul(big.NewInt(99)).affine()
	x := bytes32(bigG.x)
	generatorOdd()
	generatorHighOdd()
	var q secp256k1.Affine
	var m Multiples
	var shared [32]byte
	// R = sG − eP with P = 99G and a small e: s − 99e times G, with even y.
	s, small := big.NewInt(99*7+1), scalar(big.NewInt(7))
	r := bigG
	if r.y.Bit(0) != 0 {
		t.Fatal("the generator's y is odd")
	}
	rx, sScalar := bytes32(r.x), scalar(s)
	for _, f := range []struct {
		name string
		run  func() bool // to the end of the work
	}{
		{"BaseMult", func() bool { BaseMult(&q, &k); return true }},
		{"ECDH", func() bool { return ECDH(&shared, &k, &x) }},
		{"VerifyVartime", func() bool { return VerifyVartime(&sScalar, &small, &p, &rx) }},
		{"Multiples", func() bool { m.InitVartime(&p); return m.VerifyVartime(&sScalar, &small, &rx) }},
		{"LiftX", func() bool { return LiftX(&q, &x) }},
		{"EvenScalar", func() bool { EvenScalar(&e, &k, &p); return true }},
	} {
		if n := testing.AllocsPerRun(20, func() {
			if !f.run() {
				t.Errorf("%s refuses", f.name)
			}
		}); n != 0 {
			t.Errorf("%s allocates %v times", f.name, n)
		}
	}
}

// The x-coordinate may lie where the shared one goes.
func TestECDHInPlace(t *testing.T) {
	k, x := scalar(number("123456789abcdef")), bytes32(bigG.x)
	want := bytes32(bigG.mul(number("123456789abcdef")).x)
	if !ECDH(&x, &k, &x) || x != want {
		t.Errorf("in place: %x, want %x", x, want)
	}
	off := [32]byte{31: 5} // 5³ + 7 is no square
	if ECDH(&off, &k, &off) || off != [32]byte{} {
		t.Errorf("not on the curve: %x", off)
	}
}

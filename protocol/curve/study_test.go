package curve

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// BenchmarkStudy measures other choices than the package's: other windows, tables and
// ways to cut a scalar, each through a form of the loop that takes them as parameters.
// It prints the time of each and its ratio to the choice, which comes first, of minima
// over rounds in which all take turns; the package's own function stands beside them.
// ARCHITECTURE.md has the results.
func BenchmarkStudy(b *testing.B) {
	r := newRand()
	d := scalar(random(r))
	var p secp256k1.Affine
	BaseMult(&p, &d)
	// Signatures, since how many digits are not zero differs from one to another.
	var signed [64]struct {
		s, e secp256k1.Scalar
		x    [32]byte
	}
	one := func(name string, run func() bool) studied {
		return studied{name, 1, func(int) bool { return run() }}
	}
	each := func(name string, verify func(s, e *secp256k1.Scalar, x *[32]byte) bool) studied {
		return studied{name, len(signed), func(i int) bool { return verify(&signed[i].s, &signed[i].e, &signed[i].x) }}
	}
	for i := range signed {
		// s = k + e·d, R = kG of even y.
		c, k := &signed[i], scalar(random(r))
		var nonce secp256k1.Affine
		BaseMult(&nonce, &k)
		EvenScalar(&k, &k, &nonce)
		c.e, c.x = scalar(random(r)), nonce.X.Bytes()
		secp256k1.ScalarMul(&c.s, &c.e, &d)
		secp256k1.ScalarAdd(&c.s, &c.s, &k)
	}

	x := signed[0].x
	var shared [32]byte
	ECDH(&shared, &d, &x)
	ecdh := func(bits uint, oneTable bool) studied {
		v := newHalves(bits, oneTable)
		return one(fmt.Sprintf("bits=%d,oneTable=%v", bits, oneTable), func() bool {
			var got [32]byte
			v.ecdh(&got, &d, &x)
			return got == shared
		})
	}
	study(b, "part=ecdhWindows", ecdh(5, false), ecdh(4, false), ecdh(6, false), ecdh(5, true),
		one("the package", func() bool {
			var got [32]byte
			ECDH(&got, &d, &x)
			return got == shared
		}))

	comb := func(blocks int, teeth, spacing uint) studied {
		c := newComb(blocks, teeth, spacing)
		return one(fmt.Sprintf("%dx%dx%d,KB=%d", blocks, teeth, spacing, blocks<<(teeth-1)*64>>10), func() bool {
			var q secp256k1.Affine
			c.multiply(&q, &d)
			return q == p
		})
	}
	study(b, "part=baseMult", comb(43, 6, 1), comb(52, 5, 1), comb(64, 4, 1), comb(37, 7, 1),
		comb(22, 6, 2), comb(11, 6, 4), comb(26, 5, 2),
		one("the package", func() bool {
			var q secp256k1.Affine
			BaseMult(&q, &d)
			return q == p
		}))

	var m Multiples
	m.InitVartime(&p)
	verify := func(v *verifier) studied {
		return each(v.name(), func(s, e *secp256k1.Scalar, x *[32]byte) bool { return v.verify(s, e, &p, x) })
	}
	fresh := verifier{wP: nafWidthP, wG: nafWidthG, pieces: 1}
	with := func(v verifier, change func(*verifier)) studied {
		change(&v)
		v.init(nil)
		return verify(&v)
	}
	widthP := func(w uint) studied { return with(fresh, func(v *verifier) { v.wP = w }) }
	study(b, "part=verifyWidthP", widthP(5), widthP(4), widthP(6),
		each("the package", func(s, e *secp256k1.Scalar, x *[32]byte) bool { return VerifyVartime(s, e, &p, x) }))
	widthG := func(w uint) studied { return with(fresh, func(v *verifier) { v.wG = w }) }
	study(b, "part=verifyWidthG", widthG(12), widthG(8), widthG(10), widthG(11), widthG(13), widthG(14), widthG(15))

	known := func(pieces int, w uint) *verifier {
		v := &verifier{wP: w, wG: nafWidthG, pieces: pieces, known: true}
		v.init(&p)
		return v
	}
	var all, made []studied
	for _, v := range []*verifier{known(2, 6), known(2, 4), known(2, 5), known(2, 7), known(2, 8),
		known(1, 6), known(1, 7), known(1, 8), known(4, 4), known(4, 5), known(4, 6), known(4, 7)} {
		all = append(all, verify(v))
		made = append(made, one(v.name(), func() bool { v.initKnown(&p); return true }))
	}
	study(b, "part=knownKey", append(all, each("the package", m.VerifyVartime))...)
	study(b, "part=knownKeyMaking", append(made, one("the package", func() bool { m.InitVartime(&p); return true }))...)
}

// studied is one way to do what the others of a study do too, on several inputs.
type studied struct {
	name   string
	inputs int
	run    func(i int) bool // on input number i: whether the result is right
}

func study(b *testing.B, name string, all ...studied) {
	const rounds = 400
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			best := make([][]time.Duration, len(all)) // of each input
			for range rounds {
				for i, s := range all {
					if best[i] == nil {
						best[i] = slices.Repeat([]time.Duration{time.Hour}, s.inputs)
					}
					for j := range best[i] {
						start := time.Now()
						ok := s.run(j)
						best[i][j] = min(best[i][j], time.Since(start))
						if !ok {
							b.Fatalf("%s: a wrong result", s.name)
						}
					}
				}
			}
			first := float64(0)
			fmt.Println()
			for i, s := range all {
				sum := time.Duration(0)
				for _, d := range best[i] {
					sum += d
				}
				mean := float64(sum) / float64(s.inputs)
				if i == 0 {
					first = mean
				}
				fmt.Printf("%-30s %8.2f µs %.3f\n", s.name, mean/1000, mean/first)
			}
		}
	})
}

// halves is ECDH with windows of any size.
type halves struct {
	bits, windows int
	oneTable      bool // β at each look-up instead of a second table
	offset        secp256k1.Scalar
}

func newHalves(bits uint, oneTable bool) *halves {
	h := &halves{bits: int(bits), windows: (129 + int(bits) - 1) / int(bits), oneTable: oneTable}
	total := uint(h.bits * h.windows)
	h.offset = scalar(mod(mul(sub(sub(pow2(total), pow2(129)), one), add(one, bigLambda)), bigN))
	return h
}

func (h *halves) ecdh(shared *[32]byte, k *secp256k1.Scalar, x *[32]byte) {
	var p, e secp256k1.Affine
	var c, z, gz secp256k1.Element
	var s, s1, s2 secp256k1.Scalar
	var t1, t2 [32]secp256k1.Affine
	var ratios [32]secp256k1.Element
	var w1, w2 [33]uint8
	var acc secp256k1.Jacobian
	liftIsomorphic(&p, &c, x)
	secp256k1.ScalarAdd(&s, k, &h.offset)
	secp256k1.ScalarHalf(&s, &s)
	split(&s1, &s2, &s)
	secp256k1.ScalarAdd(&s1, &s1, &two128)
	secp256k1.ScalarAdd(&s2, &s2, &two128)
	windows(w1[:h.windows], &s1, uint(h.bits))
	windows(w2[:h.windows], &s2, uint(h.bits))

	n := 1 << (h.bits - 1)
	oddMultiples(t1[:n], ratios[:n], &gz, &p)
	if !h.oneTable {
		endomorphism(t2[:n], t1[:n])
	}
	second := func(w uint8) {
		if h.oneTable {
			lookupSigned(&e, t1[:n], w, uint(h.bits))
			secp256k1.Mul(&e.X, &e.X, &beta)
			return
		}
		lookupSigned(&e, t2[:n], w, uint(h.bits))
	}
	top := h.windows - 1
	lookupSigned(&e, t1[:n], w1[top], uint(h.bits))
	acc.SetAffine(&e)
	second(w2[top])
	secp256k1.AddMixedDistinct(&acc, &acc, &e)
	for i := top - 1; i >= 0; i-- {
		add := secp256k1.AddMixedDistinct
		if i == 0 {
			add = secp256k1.AddMixed
		}
		secp256k1.DoubleN(&acc, &acc, h.bits)
		lookupSigned(&e, t1[:n], w1[i], uint(h.bits))
		add(&acc, &acc, &e)
		second(w2[i])
		add(&acc, &acc, &e)
	}
	secp256k1.Mul(&acc.Z, &acc.Z, &gz)
	secp256k1.Sqr(&z, &acc.Z)
	secp256k1.Mul(&z, &z, &c)
	secp256k1.Invert(&z, &z)
	secp256k1.Mul(&z, &z, &acc.X)
	z.PutBytes(shared)
}

// comb multiplies G by a signed comb (libsecp256k1, ecmult_gen): bit
// (block·teeth + tooth)·spacing + i is of the look-up number i of its block. Windows are
// combs of spacing one.
type comb struct {
	teeth, spacing uint
	offset         secp256k1.Scalar
	table          [][]secp256k1.Affine // by block
}

func newComb(blocks int, teeth, spacing uint) *comb {
	half := inverse(big.NewInt(2), bigN)
	c := &comb{teeth: teeth, spacing: spacing, table: make([][]secp256k1.Affine, blocks)}
	total := uint(blocks) * teeth * spacing
	c.offset = scalar(mod(mul(sub(pow2(total), one), half), bigN))
	for block := range c.table {
		c.table[block] = make([]secp256k1.Affine, 1<<(teeth-1))
		for j := range c.table[block] {
			sum := new(big.Int)
			for tooth := range teeth {
				bit := pow2((uint(block)*teeth + tooth) * spacing)
				if tooth == teeth-1 || j>>tooth&1 == 1 {
					sum = add(sum, bit)
				} else {
					sum = sub(sum, bit)
				}
			}
			k := scalar(mod(mul(sum, half), bigN))
			BaseMult(&c.table[block][j], &k)
		}
	}
	return c
}

func (c *comb) multiply(p *secp256k1.Affine, k *secp256k1.Scalar) {
	var streams [4]secp256k1.Scalar // of every spacing-th bit
	var w [64]uint8
	var acc secp256k1.Jacobian
	var e secp256k1.Affine
	secp256k1.ScalarAdd(&streams[0], k, &c.offset)
	switch c.spacing {
	case 2:
		streams[0], streams[1] = unzip(&streams[0])
	case 4:
		even, odd := unzip(&streams[0])
		streams[0], streams[2] = unzip(&even)
		streams[1], streams[3] = unzip(&odd)
	}
	for i := int(c.spacing) - 1; i >= 0; i-- {
		if i < int(c.spacing)-1 {
			secp256k1.Double(&acc, &acc)
		}
		windows(w[:len(c.table)], &streams[i], c.teeth)
		for block := range c.table {
			lookupSigned(&e, c.table[block], w[block], c.teeth)
			switch {
			case block == 0 && i == int(c.spacing)-1:
				acc.SetAffine(&e)
			case block == len(c.table)-1 && i == 0:
				secp256k1.AddMixed(&acc, &acc, &e)
			default:
				secp256k1.AddMixedDistinct(&acc, &acc, &e)
			}
		}
	}
	secp256k1.ToAffine(p, &acc)
}

// unzip parts the even bits from the odd ones.
func unzip(v *secp256k1.Scalar) (even, odd secp256k1.Scalar) {
	compact := func(x uint64) uint64 {
		x &= 0x5555555555555555
		for i, mask := range []uint64{0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff} {
			x = (x | x>>(1<<i)) & mask
		}
		return x
	}
	for i := range 2 {
		even[i] = compact(v[2*i]) | compact(v[2*i+1])<<32
		odd[i] = compact(v[2*i]>>1) | compact(v[2*i+1]>>1)<<32
	}
	return even, odd
}

// verifier is VerifyVartime, or that of Multiples, with any widths, and with the halves of
// scalars cut into any number of pieces, each with tables of their own.
type verifier struct {
	wP, wG uint
	pieces int
	known  bool
	g, p   [][]secp256k1.Affine // by piece
}

func (v *verifier) name() string {
	return fmt.Sprintf("pieces=%d,widthP=%d,widthG=%d", v.pieces, v.wP, v.wG)
}

// init makes the tables of G, and of p for a known key.
func (v *verifier) init(p *secp256k1.Affine) {
	g := bigG.affine()
	v.g = v.tables(&g, v.wG)
	if v.known {
		v.p = v.tables(p, v.wP)
	}
}

// initKnown makes those of p anew.
func (v *verifier) initKnown(p *secp256k1.Affine) { v.fill(v.p, p) }

func (v *verifier) tables(p *secp256k1.Affine, w uint) [][]secp256k1.Affine {
	t := make([][]secp256k1.Affine, v.pieces)
	for i := range t {
		t[i] = make([]secp256k1.Affine, 1<<(w-2))
	}
	v.fill(t, p)
	return t
}

func (v *verifier) fill(tables [][]secp256k1.Affine, p *secp256k1.Affine) {
	q := *p
	ratios := make([]secp256k1.Element, len(tables[0]))
	for i := range tables {
		oddMultiplesAffineVartime(tables[i], ratios, &q)
		if i < len(tables)-1 {
			var d secp256k1.Jacobian
			d.SetAffine(&q)
			secp256k1.DoubleN(&d, &d, 128/len(tables))
			secp256k1.ToAffine(&q, &d)
		}
	}
}

func (v *verifier) verify(s, e *secp256k1.Scalar, p *secp256k1.Affine, r *[32]byte) bool {
	var x, gz secp256k1.Element
	x.SetBytes(r)
	var acc secp256k1.Jacobian
	var terms [16]term
	var t1, t2 [16]secp256k1.Affine
	if v.known {
		count := 4 * v.pieces
		n := v.cut(terms[:count/2], s, v.wG, v.g, false)
		n = max(n, v.cut(terms[count/2:count], e, v.wP, v.p, true))
		straussVartime(&acc, n, terms[:count])
		return isNonceVartime(&acc, &x)
	}
	var ratios [16]secp256k1.Element
	entries := 1 << (v.wP - 2)
	oddMultiples(t1[:entries], ratios[:entries], &gz, p)
	endomorphism(t2[:entries], t1[:entries])
	n := v.cut(terms[:2], s, v.wG, v.g, false)
	terms[0].scale, terms[1].scale = &gz, &gz
	n = max(n, v.cut(terms[2:4], e, v.wP, [][]secp256k1.Affine{t1[:entries]}, true))
	terms[3].table, terms[3].lambda = t2[:entries], false
	straussVartime(&acc, n, terms[:4])
	secp256k1.Mul(&acc.Z, &acc.Z, &gz)
	return isNonceVartime(&acc, &x)
}

// cut is quartersVartime for any number of pieces.
func (v *verifier) cut(terms []term, k *secp256k1.Scalar, w uint, tables [][]secp256k1.Affine, minus bool) (n int) {
	var half [2]secp256k1.Scalar
	var neg [2]bool
	neg[0], neg[1] = splitSignedVartime(&half[0], &half[1], k)
	bits := uint(128 / v.pieces)
	for h := range half {
		for i := range tables {
			t := &terms[h*len(tables)+i]
			t.table, t.lambda = tables[i], h == 1
			piece := secp256k1.Scalar{half[h][uint(i)*bits/64] >> (uint(i) * bits % 64)}
			if bits < 64 {
				piece[0] &= 1<<bits - 1
			} else if bits == 128 {
				piece[1] = half[h][1]
			}
			n = max(n, wnafVartime(&t.naf, &piece, w, neg[h] != minus))
		}
	}
	return n
}

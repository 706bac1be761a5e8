package curve

import "github.com/sealwright/sealwright/kernels/secp256k1"

// oddMultiples sets table[i] = (2i+1)·p for i < len(table), all over one common
// Z: the point meant is (X/gz², Y/gz³), or, put differently, table[i] lies on
// the isomorphic curve y² = x³ + 7·gz⁶, where the same formulas hold because
// they do not use the 7. ratios is scratch as long as the table.
//
// No addition meets equal or opposite points: (2i−1)·p = ±2p would need an
// order of p below 2·len(table). The sequence is fixed.
func oddMultiples(table []secp256k1.Affine, ratios []secp256k1.Element, gz *secp256k1.Element, p *secp256k1.Affine) {
	// p and 2p over the Z of 2p, then 2p added again and again.
	var d secp256k1.Jacobian
	d.SetAffine(p)
	secp256k1.Double(&d, &d)
	sum, step := *p, secp256k1.Affine{X: d.X, Y: d.Y}
	rescale(&sum, &d.Z)
	table[0] = sum
	for i := 1; i < len(table); i++ {
		secp256k1.AddCoZ(&sum, &step, &ratios[i])
		table[i] = sum
	}

	// scale is the ratio of the last Z to that of entry i.
	scale := secp256k1.Element{1}
	for i := len(table) - 1; i > 0; i-- {
		secp256k1.Mul(&scale, &scale, &ratios[i])
		rescale(&table[i-1], &scale)
	}
	secp256k1.Mul(gz, &scale, &d.Z)
}

// oddMultiplesAffineVartime sets table[i] = (2i+1)·p on the curve of p itself. Public
// data only.
func oddMultiplesAffineVartime(table []secp256k1.Affine, ratios []secp256k1.Element, p *secp256k1.Affine) {
	var gz secp256k1.Element
	oddMultiples(table, ratios, &gz, p)
	secp256k1.InvertVartime(&gz, &gz)
	for i := range table {
		rescale(&table[i], &gz)
	}
}

// rescale sets p to (X·s², Y·s³).
func rescale(p *secp256k1.Affine, s *secp256k1.Element) {
	var t secp256k1.Element
	secp256k1.Sqr(&t, s)
	secp256k1.Mul(&p.X, &p.X, &t)
	secp256k1.Mul(&t, &t, s)
	secp256k1.Mul(&p.Y, &p.Y, &t)
}

// endomorphism sets dst[i] = λ·src[i].
func endomorphism(dst, src []secp256k1.Affine) {
	for i := range src {
		secp256k1.Mul(&dst[i].X, &src[i].X, &beta)
		dst[i].Y = src[i].Y
	}
}

// lookupSigned sets z to the table's entry for value v of a window, with its sign.
// It reads the whole table. Constant time.
func lookupSigned(z *secp256k1.Affine, table []secp256k1.Affine, v uint8, bits uint) {
	i, neg := window(uint64(v), bits)
	secp256k1.Lookup(z, table, i, neg)
}

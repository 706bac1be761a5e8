package curve

import "github.com/sealwright/sealwright/kernels/secp256k1"

// minLanes is the smallest number of points that are multiplied in less time side by side
// than one by one: a group of one to eight takes the time of 2.9 points on Zen 4, of 1.8 on
// Zen 5 (go test -run '^$' -bench ECDHEach ./protocol/curve).
const minLanes = 3

// ECDHEach is [ECDH] of one k with many x: it sets shared[i], and ok[i] to whether there is
// a point with x-coordinate x[i]. The three have one length. By tier several go side by side.
// Constant time in k.
func ECDHEach(shared [][32]byte, ok []bool, k *secp256k1.Scalar, x [][32]byte) {
	for secp256k1.HasLanes() && len(x) >= minLanes {
		n := min(len(x), secp256k1.Lanes)
		ecdhLanes(shared[:n], ok[:n], k, x[:n])
		shared, ok, x = shared[n:], ok[n:], x[n:]
	}
	for i := range x {
		ok[i] = ECDH(&shared[i], k, &x[i])
	}
}

// ecdhLanes is ECDHEach for as many as go side by side, or fewer.
func ecdhLanes(shared [][32]byte, ok []bool, k *secp256k1.Scalar, x [][32]byte) {
	var points [secp256k1.Lanes]secp256k1.Affine
	var p secp256k1.AffineLanes
	liftSome(points[:len(x)], ok, x)
	for i := range points {
		if i >= len(x) || !ok[i] {
			points[i] = generatorOdd()[0]
		}
		p.Put(i, &points[i])
	}

	var w1, w2 [halfWindows]uint8
	var sums [secp256k1.Lanes]secp256k1.Jacobian
	recodeHalves(&w1, &w2, k)
	multiplyLanes(&sums, &w1, &w2, &p)

	// x is X/Z², by one inversion for all.
	var squares, before [secp256k1.Lanes]secp256k1.Element
	inverse := secp256k1.Element{1}
	for i := range sums {
		secp256k1.Sqr(&squares[i], &sums[i].Z)
		before[i] = inverse
		secp256k1.Mul(&inverse, &inverse, &squares[i])
	}
	secp256k1.Invert(&inverse, &inverse)
	for i := len(sums) - 1; i >= 0; i-- {
		secp256k1.Mul(&before[i], &before[i], &inverse)
		secp256k1.Mul(&inverse, &inverse, &squares[i])
		if i < len(x) {
			secp256k1.Mul(&before[i], &before[i], &sums[i].X)
			before[i].PutBytes(&shared[i])
			if !ok[i] {
				shared[i] = [32]byte{}
			}
		}
	}
	wipe(w1[:])
	wipe(w2[:])
	for i := range sums {
		sums[i].Zero()
		squares[i].Zero()
		before[i].Zero()
	}
}

// liftSome is [LiftX] of as many as go side by side, or fewer.
func liftSome(points []secp256k1.Affine, ok []bool, x [][32]byte) {
	var lifted [secp256k1.Lanes]*secp256k1.Affine
	for i := range points {
		lifted[i] = &points[i]
		points[i].X.SetBytes(&x[i])
	}
	LiftEach(lifted[:len(points)], ok)
}

// multiplyLanes is [multiply] of points side by side, by the same windows. The last window,
// which needs the complete addition, goes one by one.
func multiplyLanes(sums *[secp256k1.Lanes]secp256k1.Jacobian, w1, w2 *[halfWindows]uint8, p *secp256k1.AffineLanes) {
	var t1, t2 [halfEntries]secp256k1.AffineLanes
	var gz secp256k1.Elements
	var acc secp256k1.JacobianLanes
	var e1, e2 secp256k1.AffineLanes
	oddMultiplesLanes(t1[:], &gz, p)
	endomorphismLanes(t2[:], t1[:])

	const top = halfWindows - 1
	lookupLanes(&e1, t1[:], w1[top])
	lookupLanes(&e2, t2[:], w2[top])
	acc.SetAffine(&e1)
	secp256k1.AddMixedDistinctLanes(&acc, &acc, &e2)
	for i := top - 1; i > 0; i-- {
		secp256k1.DoubleNLanes(&acc, &acc, halfBits)
		lookupLanes(&e1, t1[:], w1[i])
		secp256k1.AddMixedDistinctLanes(&acc, &acc, &e1)
		lookupLanes(&e2, t2[:], w2[i])
		secp256k1.AddMixedDistinctLanes(&acc, &acc, &e2)
	}
	secp256k1.DoubleNLanes(&acc, &acc, halfBits)
	lookupLanes(&e1, t1[:], w1[0])
	lookupLanes(&e2, t2[:], w2[0])
	for i := range sums {
		var q secp256k1.Affine
		var z secp256k1.Element
		sum := &sums[i]
		acc.Get(i, sum)
		e1.Get(i, &q)
		secp256k1.AddMixed(sum, sum, &q)
		e2.Get(i, &q)
		secp256k1.AddMixed(sum, sum, &q)
		gz.Get(i, &z)
		secp256k1.Mul(&sum.Z, &sum.Z, &z)
		q.Zero()
	}
	acc.Zero()
	e1.Zero()
	e2.Zero()
}

// oddMultiplesLanes is [oddMultiples] of points side by side.
func oddMultiplesLanes(table []secp256k1.AffineLanes, gz *secp256k1.Elements, p *secp256k1.AffineLanes) {
	var ratios [halfEntries]secp256k1.Elements
	var d secp256k1.JacobianLanes
	d.SetAffine(p)
	secp256k1.DoubleNLanes(&d, &d, 1)
	sum, step := *p, secp256k1.AffineLanes{X: d.X, Y: d.Y}
	rescaleLanes(&sum, &d.Z)
	table[0] = sum
	for i := 1; i < len(table); i++ {
		secp256k1.AddCoZLanes(&sum, &step, &ratios[i])
		table[i] = sum
	}
	last := len(table) - 1
	scale := ratios[last]
	for i := last; i > 0; i-- {
		if i < last {
			secp256k1.MulLanes(&scale, &scale, &ratios[i])
		}
		rescaleLanes(&table[i-1], &scale)
	}
	secp256k1.MulLanes(gz, &scale, &d.Z)
}

// rescaleLanes is [rescale] of points side by side.
func rescaleLanes(p *secp256k1.AffineLanes, s *secp256k1.Elements) {
	var t secp256k1.Elements
	secp256k1.MulLanes(&t, s, s)
	secp256k1.MulLanes(&p.X, &p.X, &t)
	secp256k1.MulLanes(&t, &t, s)
	secp256k1.MulLanes(&p.Y, &p.Y, &t)
}

// endomorphismLanes is [endomorphism] of points side by side.
func endomorphismLanes(dst, src []secp256k1.AffineLanes) {
	var b secp256k1.Elements
	for i := range secp256k1.Lanes {
		b.Put(i, &beta)
	}
	for i := range src {
		secp256k1.MulLanes(&dst[i].X, &src[i].X, &b)
		dst[i].Y = src[i].Y
	}
}

// lookupLanes is [lookupSigned] of points side by side.
func lookupLanes(z *secp256k1.AffineLanes, table []secp256k1.AffineLanes, v uint8) {
	i, neg := window(uint64(v), halfBits)
	secp256k1.LookupLanes(z, table, i, neg)
}

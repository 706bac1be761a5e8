package secp256k1

// Lanes is how many elements or points go side by side.
const Lanes = 8

// Elements are elements side by side: limb i, of 52 bits, of element j is e[i][j]. The
// last limb has what is left, at most 49 bits.
type Elements [5][Lanes]uint64

// AffineLanes are finite points side by side.
type AffineLanes struct{ X, Y Elements }

// JacobianLanes are Jacobian points side by side.
type JacobianLanes struct{ X, Y, Z Elements }

const low52 = 1<<52 - 1

// Put sets element j to x.
func (e *Elements) Put(j int, x *Element) {
	e[0][j] = x[0] & low52
	e[1][j] = (x[0]>>52 | x[1]<<12) & low52
	e[2][j] = (x[1]>>40 | x[2]<<24) & low52
	e[3][j] = (x[2]>>28 | x[3]<<36) & low52
	e[4][j] = x[3] >> 16
}

// Get sets x to element j. What is above 2²⁵⁶ is added times 2²⁵⁶ − p.
func (e *Elements) Get(j int, x *Element) {
	x[0] = e[0][j] | e[1][j]<<52
	x[1] = e[1][j]>>12 | e[2][j]<<40
	x[2] = e[2][j]>>24 | e[3][j]<<28
	x[3] = e[3][j]>>36 | e[4][j]<<16
	Add(x, x, &Element{e[4][j] >> 48 * fold})
}

// SetOne sets all elements to one.
func (e *Elements) SetOne() { *e = Elements{{1, 1, 1, 1, 1, 1, 1, 1}} }

// RaiseLanes sets z to x to the power 2ⁿ, times y, n ≥ 0, each element of its own.
func RaiseLanes(z, x *Elements, n int, y *Elements) {
	var r Elements
	for j := range Lanes {
		var a, b Element
		x.Get(j, &a)
		y.Get(j, &b)
		for range n {
			Sqr(&a, &a)
		}
		Mul(&a, &a, &b)
		r.Put(j, &a)
	}
	*z = r
}

// Put sets point j to p, Get sets p to point j.
func (l *AffineLanes) Put(j int, p *Affine) {
	l.X.Put(j, &p.X)
	l.Y.Put(j, &p.Y)
}

func (l *AffineLanes) Get(j int, p *Affine) {
	l.X.Get(j, &p.X)
	l.Y.Get(j, &p.Y)
}

// Put sets point j to p, Get sets p to point j.
func (l *JacobianLanes) Put(j int, p *Jacobian) {
	l.X.Put(j, &p.X)
	l.Y.Put(j, &p.Y)
	l.Z.Put(j, &p.Z)
}

func (l *JacobianLanes) Get(j int, p *Jacobian) {
	l.X.Get(j, &p.X)
	l.Y.Get(j, &p.Y)
	l.Z.Get(j, &p.Z)
}

// SetAffine sets l = p.
func (l *JacobianLanes) SetAffine(p *AffineLanes) {
	l.X, l.Y = p.X, p.Y
	l.Z.SetOne()
}

// Zero wipes l; see [Affine.Zero].
//
//go:noinline
func (l *AffineLanes) Zero() { *l = AffineLanes{} }

// Zero wipes l; see [Affine.Zero].
//
//go:noinline
func (l *JacobianLanes) Zero() { *l = JacobianLanes{} }

// DoubleNLanes is [DoubleN] of each point.
func DoubleNLanes(z, p *JacobianLanes, n int) {
	for j := range Lanes {
		var a Jacobian
		p.Get(j, &a)
		DoubleN(&a, &a, n)
		z.Put(j, &a)
	}
}

// AddMixedDistinctLanes is [AddMixedDistinct] of each two points.
func AddMixedDistinctLanes(z, p *JacobianLanes, q *AffineLanes) {
	for j := range Lanes {
		var a Jacobian
		var b Affine
		p.Get(j, &a)
		q.Get(j, &b)
		AddMixedDistinct(&a, &a, &b)
		z.Put(j, &a)
	}
}

// AddCoZLanes is [AddCoZ] of each two points.
func AddCoZLanes(p, q *AffineLanes, h *Elements) {
	for j := range Lanes {
		var a, b Affine
		var r Element
		p.Get(j, &a)
		q.Get(j, &b)
		AddCoZ(&a, &b, &r)
		p.Put(j, &a)
		q.Put(j, &b)
		h.Put(j, &r)
	}
}

// A Pair are two points by their places.
type Pair struct{ I, J int32 }

// MulDifferenceLanes sets z to x times the difference of the X of two points, those of each
// pair: of the second less that of the first.
func MulDifferenceLanes(z, x *Elements, points []Affine, pairs *[Lanes]Pair) {
	for k, pair := range pairs {
		var d, e Element
		Sub(&d, &points[pair.J].X, &points[pair.I].X)
		x.Get(k, &e)
		Mul(&d, &d, &e)
		z.Put(k, &d)
	}
}

// AddAffineLanes is [AddAffine] of the points of each pair. No point is of two pairs.
func AddAffineLanes(points []Affine, pairs *[Lanes]Pair, inverse, before *Elements) {
	for k, pair := range pairs {
		var i, b Element
		inverse.Get(k, &i)
		before.Get(k, &b)
		AddAffine(&points[pair.I], &points[pair.J], &i, &b)
		inverse.Put(k, &i)
	}
}

// LookupLanes sets z to table[i], i < len(table), or to the negatives of its points for neg 1.
// It reads every entry, whatever i is. z does not lie in the table.
func LookupLanes(z *AffineLanes, table []AffineLanes, i, neg uint64) {
	*z = AffineLanes{}
	for k := range table {
		m := equalMask(uint64(k), i)
		for l := range z.X {
			for j := range Lanes {
				z.X[l][j] |= table[k].X[l][j] & m
				z.Y[l][j] |= table[k].Y[l][j] & m
			}
		}
	}
	for j := range Lanes {
		var p Affine
		z.Get(j, &p)
		NegAffine(&p, &p, neg)
		z.Put(j, &p)
	}
}

package curve

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	voi "gitlab.com/yawning/secp256k1-voi"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	ours "github.com/sealwright/sealwright/kernels/secp256k1"
)

// scalar is one scalar in three forms.
type scalar struct {
	bytes  [32]byte // below n
	ours   ours.Scalar
	decred secp256k1.ModNScalar
	voi    *voi.Scalar
}

// reduced takes any 32 bytes modulo n.
func reduced(b [32]byte) (s scalar) {
	s.decred.SetBytes(&b)
	s.bytes = s.decred.Bytes()
	s.ours.SetBytes(&s.bytes)
	s.voi, _ = voi.NewScalarFromBytes(&s.bytes)
	return s
}

// point is one finite point in the references' forms.
type point struct {
	decred secp256k1.JacobianPoint // affine
	voi    *voi.Point
}

// lifted takes an x-coordinate to the point with even y. The references must
// agree on whether there is one.
func lifted(t fuzzkit.T, x [32]byte) (p point, ok bool) {
	t.Helper()
	text := append([]byte{2}, x[:]...)
	pub, err := secp256k1.ParsePubKey(text)
	other, otherErr := voi.NewPointFromBytes(text)
	if (err == nil) != (otherErr == nil) {
		t.Fatalf("the references differ on %x: decred %v, secp256k1-voi %v", x, err, otherErr)
	}
	if err != nil {
		return p, false
	}
	pub.AsJacobian(&p.decred)
	p.voi = other
	return p, true
}

// multiple returns kG, k not zero.
func multiple(k *scalar) (p point) {
	secp256k1.ScalarBaseMultNonConst(&k.decred, &p.decred)
	p.decred.ToAffine()
	p.voi = voi.NewIdentityPoint().ScalarBaseMult(k.voi)
	return p
}

// times returns kP, k not zero.
func (p *point) times(k *scalar) (q point) {
	secp256k1.ScalarMultNonConst(&k.decred, &p.decred, &q.decred)
	q.decred.ToAffine()
	q.voi = voi.NewIdentityPoint().ScalarMult(k.voi, p.voi)
	return q
}

// coordinates returns x and y, on which the references must agree.
func (p *point) coordinates(t fuzzkit.T) (x, y [32]byte) {
	t.Helper()
	p.decred.X.Normalize()
	p.decred.Y.Normalize()
	x, y = *p.decred.X.Bytes(), *p.decred.Y.Bytes()
	if text := p.voi.UncompressedBytes(); len(text) != 65 || x != [32]byte(text[1:33]) || y != [32]byte(text[33:]) {
		t.Fatalf("the references differ: decred %x %x, secp256k1-voi %x", x, y, text)
	}
	return x, y
}

// abscissa draws an x-coordinate: any integer, which is one half of the time,
// or that of a multiple of G.
func abscissa(t fuzzkit.T, in *fuzzkit.Input) [32]byte {
	spelt, x := in.Bool(), in.Integer()
	if k := reduced(x); !spelt && !k.decred.IsZero() {
		p := multiple(&k)
		x, _ = p.coordinates(t)
	}
	return x
}

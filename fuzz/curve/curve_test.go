package curve

import (
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	voi "gitlab.com/yawning/secp256k1-voi"
	"gitlab.com/yawning/secp256k1-voi/secec"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	ours "github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/curve"
)

// FuzzLiftX compares with decred, btcec's x-only parser and secp256k1-voi.
// Case 15.
func FuzzLiftX(f *testing.F) {
	for i := range 16 {
		for delta := range 3 {
			fuzzkit.Seed(f, []byte{byte(delta<<4 | i)})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x := fuzzkit.New(data).Integer()
		want, ok := lifted(t, x)
		if _, err := schnorr.ParsePubKey(x[:]); (err == nil) != ok {
			t.Fatalf("the references differ on %x: btcec %v", x, err)
		}
		fuzzkit.EachTier(func(tier string) {
			var p ours.Affine
			if got := curve.LiftX(&p, &x); got != ok {
				t.Fatalf("%s: LiftX(%x) = %v, want %v", tier, x, got, ok)
			}
			if !ok {
				return
			}
			wx, wy := want.coordinates(t)
			if gx, gy := p.X.Bytes(), p.Y.Bytes(); gx != wx || gy != wy {
				t.Fatalf("%s: LiftX(%x) = %x %x, want %x %x", tier, x, gx, gy, wx, wy)
			}
		}, "secp256k1")
	})
}

// FuzzBaseMult compares with decred and secp256k1-voi.
func FuzzBaseMult(f *testing.F) {
	for i := range 16 {
		for delta := range 3 {
			fuzzkit.Seed(f, []byte{byte(delta<<4 | i)})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k := reduced(fuzzkit.New(data).Integer())
		if k.decred.IsZero() {
			return
		}
		want := multiple(&k)
		wx, wy := want.coordinates(t)
		even := k.decred
		if wy[31]&1 != 0 {
			even.Negate()
		}
		fuzzkit.EachTier(func(tier string) {
			var p ours.Affine
			curve.BaseMult(&p, &k.ours)
			if gx, gy := p.X.Bytes(), p.Y.Bytes(); gx != wx || gy != wy {
				t.Fatalf("%s: %x times G = %x %x, want %x %x", tier, k.bytes, gx, gy, wx, wy)
			}
			z := k.ours
			if curve.EvenScalar(&z, &z, &p); z.Bytes() != even.Bytes() {
				t.Fatalf("%s: EvenScalar(%x) = %x, want %x", tier, k.bytes, z.Bytes(), even.Bytes())
			}
		}, "secp256k1")
	})
}

// checkECDH compares one shared secret with decred's two ways and with
// secp256k1-voi's, and returns it.
func checkECDH(t *testing.T, k *scalar, x [32]byte) (shared [32]byte) {
	t.Helper()
	p, ok := lifted(t, x)
	if !ok {
		t.Fatalf("%x is not on the curve", x)
	}
	product := p.times(k)
	want, _ := product.coordinates(t)
	public := secp256k1.NewPublicKey(&p.decred.X, &p.decred.Y)
	if s := secp256k1.GenerateSharedSecret(secp256k1.NewPrivateKey(&k.decred), public); [32]byte(s) != want {
		t.Fatalf("decred's GenerateSharedSecret differs from its own ScalarMultNonConst")
	}
	sk, err := secec.NewPrivateKeyFromScalar(k.voi)
	if err != nil {
		t.Fatal(err)
	}
	peer, err := secec.NewPublicKeyFromPoint(p.voi)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := sk.ECDH(peer); err != nil || [32]byte(s) != want {
		t.Fatalf("secp256k1-voi's ECDH gives %x, %v; want %x", s, err, want)
	}
	fuzzkit.EachTier(func(tier string) {
		var lift ours.Affine
		if !curve.LiftX(&lift, &x) {
			t.Fatalf("%s: LiftX(%x) fails", tier, x)
		}
		if ok := curve.ECDH(&shared, &k.ours, &x); !ok || shared != want {
			t.Fatalf("%s: ECDH of %x and %x: %x, %v; want %x", tier, k.bytes, x, shared, ok, want)
		}
		// Beside the points with x = 1 and none, in a place that x itself chooses.
		xs := slices.Repeat([][32]byte{{31: 1}, {}}, 4)
		place := int(x[31]) % len(xs)
		xs[place] = x
		each, oks := make([][32]byte, len(xs)), make([]bool, len(xs))
		if curve.ECDHEach(each, oks, &k.ours, xs); !oks[place] || each[place] != want {
			t.Fatalf("%s: ECDHEach of %x and %x in place %d: %x, %v; want %x", tier, k.bytes, x, place, each[place], oks[place], want)
		}
	}, "secp256k1")
	return shared
}

// FuzzECDH compares with decred and secp256k1-voi. Cases 14 and 15.
func FuzzECDH(f *testing.F) {
	for i := range byte(16) {
		for _, x := range []byte{1, 3, 0x13, 11, 0x22} {
			fuzzkit.Seed(f, []byte{i, 0, x})
			fuzzkit.Seed(f, []byte{i | 1<<4, 1, x})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		k := reduced(in.Integer())
		x := abscissa(t, in)
		if _, ok := lifted(t, x); ok && !k.decred.IsZero() {
			checkECDH(t, &k, x)
		}
	})
}

// FuzzVerifyEquation compares R = sG − eP, and what VerifyVartime and Multiples say of it,
// with decred and secp256k1-voi. One bit makes e and s such that R is infinite.
func FuzzVerifyEquation(f *testing.F) {
	for i := range byte(16) {
		for _, e := range []byte{0, 1, 2, 11, 0x13} {
			fuzzkit.Seed(f, []byte{0, i, e, 1})
			fuzzkit.Seed(f, []byte{1, i | 2<<4, e, 3})
			fuzzkit.Seed(f, []byte{2, i | 1<<4, e, 5})
			fuzzkit.Seed(f, []byte{4, i, e, 1})
			fuzzkit.Seed(f, []byte{8, i, e, 1, i}) // among them p and more
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := fuzzkit.New(data)
		form := in.Byte()
		s, e, d := reduced(in.Integer()), reduced(in.Integer()), reduced(in.Integer())
		if d.decred.IsZero() {
			return
		}
		// P is dG with even y, as every public key is.
		base := multiple(&d)
		px, py := base.coordinates(t)
		if py[31]&1 != 0 {
			d.decred.Negate()
			d = reduced(d.decred.Bytes())
		}
		p, ok := lifted(t, px)
		if !ok {
			t.Fatalf("%x is not on the curve", px)
		}
		switch form & 3 {
		case 1: // s = e·d: R is infinite
			s.decred.Mul2(&e.decred, &d.decred)
			s = reduced(s.decred.Bytes())
		case 2: // s = −e·d: both terms are one point
			s.decred.Mul2(&e.decred, &d.decred).Negate()
			s = reduced(s.decred.Bytes())
		}

		minus := e.decred
		minus.Negate()
		var sg, ep, r secp256k1.JacobianPoint
		secp256k1.ScalarBaseMultNonConst(&s.decred, &sg)
		secp256k1.ScalarMultNonConst(&minus, &p.decred, &ep)
		secp256k1.AddNonConst(&sg, &ep, &r)
		r.ToAffine()
		sum := voi.NewIdentityPoint().DoubleScalarMultBasepointVartime(s.voi, voi.NewScalar().Negate(e.voi), p.voi)
		infinite := sum.IsIdentity() == 1
		var rx [32]byte
		even := false
		if !infinite {
			result := point{r, sum}
			var ry [32]byte
			rx, ry = result.coordinates(t)
			even = ry[31]&1 == 0
		}
		want := !infinite && even
		if form&4 != 0 && !infinite { // another x
			rx[in.Byte()&31] ^= 1 << (in.Byte() & 7)
			want = false
		}
		if form&8 != 0 { // any integer
			x := in.Integer()
			want = want && x == rx
			rx = x
		}
		fuzzkit.EachTier(func(tier string) {
			var lift ours.Affine
			if !curve.LiftX(&lift, &px) {
				t.Fatalf("%s: LiftX(%x) fails", tier, px)
			}
			if got := curve.VerifyVartime(&s.ours, &e.ours, &lift, &rx); got != want {
				t.Fatalf("%s: s = %x, e = %x, P = %x, r = %x: %v, want %v (R infinite: %v, even: %v)",
					tier, s.bytes, e.bytes, px, rx, got, want, infinite, even)
			}
			var m curve.Multiples
			m.InitVartime(&lift)
			if got := m.VerifyVartime(&s.ours, &e.ours, &rx); got != want {
				t.Fatalf("%s: by multiples: s = %x, e = %x, P = %x, r = %x: %v, want %v (R infinite: %v, even: %v)",
					tier, s.bytes, e.bytes, px, rx, got, want, infinite, even)
			}
		}, "secp256k1")
	})
}

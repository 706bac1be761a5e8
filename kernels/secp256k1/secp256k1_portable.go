//go:build (!amd64 && !arm64) || !gc || purego

package secp256k1

import "github.com/sealwright/sealwright/fallback/secp256k1"

func mul(z, x, y *Element)                       { secp256k1.Mul(z, x, y) }
func sqr(z, x *Element)                          { secp256k1.Sqr(z, x) }
func sqrt(z, x *Element) bool                    { return secp256k1.Sqrt(z, x) }
func invert(z, x *Element)                       { secp256k1.Invert(z, x) }
func invertVartime(z, x *Element)                { secp256k1.InvertVartime(z, x) }
func isSquareVartime(x *Element) bool            { return secp256k1.IsSquareVartime(x) }
func doubleN(z, p *Jacobian, n int)              { secp256k1.DoubleN(z, p, n) }
func addMixed(z, p *Jacobian, q *Affine)         { secp256k1.AddMixed(z, p, q) }
func addMixedDistinct(z, p *Jacobian, q *Affine) { secp256k1.AddMixedDistinct(z, p, q) }
func addMixedVartime(z, p *Jacobian, q *Affine)  { secp256k1.AddMixedVartime(z, p, q) }
func addCoZ(p, q *Affine, h *Element)            { secp256k1.AddCoZ(p, q, h) }

func addAffine(p, q *Affine, inverse, before *Element) {
	secp256k1.AddAffine(p, q, inverse, before)
}

func addScaledVartime(z, p *Jacobian, q *Affine, s *Element) {
	secp256k1.AddScaledVartime(z, p, q, s)
}

func lookup(z *Affine, table []Affine, i, neg uint64) { secp256k1.Lookup(z, table, i, neg) }

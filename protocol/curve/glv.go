package curve

import "github.com/sealwright/sealwright/kernels/secp256k1"

// λ is a cube root of one modulo n and β one modulo p, such that
// λ·(x, y) = (βx, y) for every point.
var (
	lambda = secp256k1.Scalar{0xdf02967c1b23bd72, 0x122e22ea20816678, 0xa5261c028812645a, 0x5363ad4cc05c30e0}
	beta   = secp256k1.Element{0xc1396c28719501ee, 0x9cf0497512f58995, 0x6e64479eac3434e9, 0x7ae96a2b657c0710}
)

// The integers (a, b) with a + bλ ≡ 0 modulo n form a lattice. (a1, b1) and
// (a2, b2), with a1·b2 − a2·b1 = n, are a short basis of it:
//
//	a1 =  0x3086d221a7d46bcde86c90e49284eb15
//	b1 = −0xe4437ed6010e88286f547fa90abfe4c3
//	a2 =  0x114ca50f7a8e2f3f657c1108d9d44cfd8
//	b2 =  a1
//
// g1 = ⌊b2·2³⁸⁴/n⌉ and g2 = ⌊−b1·2³⁸⁴/n⌉ serve the division.
var (
	minusB1     = secp256k1.Scalar{0x6f547fa90abfe4c3, 0xe4437ed6010e8828}
	minusB2     = secp256k1.Scalar{0xd765cda83db1562c, 0x8a280ac50774346d, 0xfffffffffffffffe, 0xffffffffffffffff}
	minusLambda = secp256k1.Scalar{0xe0cfc810b51283cf, 0xa880b9fc8ec739c2, 0x5ad9e3fd77ed9ba4, 0xac9c52b33fa3cf1f}
	g1          = secp256k1.Scalar{0xe893209a45dbb031, 0x3daa8a1471e8ca7f, 0xe86c90e49284eb15, 0x3086d221a7d46bcd}
	g2          = secp256k1.Scalar{0x1571b4ae8ac47f71, 0x221208ac9df506c6, 0x6f547fa90abfe4c4, 0xe4437ed6010e8828}
)

// split sets k1 + k2·λ ≡ k modulo n, each of them within 2¹²⁸ of zero: it is
// stored modulo n, so that a negative one is just below n. Constant time.
//
// The bound: with c1 = ⌊k·g1/2³⁸⁴⌉ and c2 = ⌊k·g2/2³⁸⁴⌉, k1 is
// k − c1·a1 − c2·a2 and k2 is −c1·b1 − c2·b2. Were c1 and c2 the exact
// k·b2/n and −k·b1/n, both would be zero. Each is off by at most 1/2 for its
// rounding and, since g is off by at most 1/2, by k/2³⁸⁵ < 2⁻¹²⁹. Hence
//
//	|k1| ≤ (1/2 + 2⁻¹²⁹)·(a1 + a2)    < 0.636·2¹²⁸
//	|k2| ≤ (1/2 + 2⁻¹²⁹)·(|b1| + |b2|) < 0.541·2¹²⁸
func split(k1, k2, k *secp256k1.Scalar) {
	var c1, c2 secp256k1.Scalar
	secp256k1.ScalarMulShift(&c1, k, &g1)
	secp256k1.ScalarMulShift(&c2, k, &g2)
	secp256k1.ScalarMul(&c1, &c1, &minusB1)
	secp256k1.ScalarMul(&c2, &c2, &minusB2)
	secp256k1.ScalarAdd(&c2, &c1, &c2)
	secp256k1.ScalarMul(&c1, &c2, &minusLambda)
	secp256k1.ScalarAdd(k1, k, &c1)
	*k2 = c2
	c1.Zero()
	c2.Zero()
}

//go:build gc && !purego

package secp256k1

import (
	"unsafe"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// four are elements side by side as the routines of the tier ifma take them: limb i, of 52
// bits, of element j is four[i][j].
type four [5][4]uint64

const low52 = 1<<52 - 1

func (f *four) put(j int, x *Element) {
	f[0][j] = x[0] & low52
	f[1][j] = (x[0]>>52 | x[1]<<12) & low52
	f[2][j] = (x[1]>>40 | x[2]<<24) & low52
	f[3][j] = (x[2]>>28 | x[3]<<36) & low52
	f[4][j] = x[3] >> 16
}

// get takes the upper limb below 2⁴⁹, as the routines leave it: what is above 2²⁵⁶ is added
// times 2²⁵⁶ − p.
func (f *four) get(j int, x *Element) {
	x[0] = f[0][j] | f[1][j]<<52
	x[1] = f[1][j]>>12 | f[2][j]<<40
	x[2] = f[2][j]>>24 | f[3][j]<<28
	x[3] = f[3][j]>>36 | f[4][j]<<16
	Add(x, x, &Element{f[4][j] >> 48 * 0x1000003d1})
}

func (f *four) limbs() *[20]uint64 { return (*[20]uint64)(unsafe.Pointer(f)) }

// sqrtSome takes the roots of the first elements and returns how many: up to four at once,
// for which the tier ifma takes the time of one.
func sqrtSome(z, x []Element, ok []bool) int {
	if !cpu.Secp256k1IFMA || len(x) == 1 {
		ok[0] = sqrt(&z[0], &x[0])
		return 1
	}
	x = x[:min(len(x), 4)]
	var a [powers]four
	var one four
	for j := range x {
		a[a1].put(j, &x[j])
		one[0][j] = 1
	}
	for _, s := range chain {
		raise4IFMA(a[s.to].limbs(), a[s.x].limbs(), s.n, a[s.y].limbs())
	}
	raise4IFMA(a[at].limbs(), a[at].limbs(), 2, one.limbs())
	for j := range x {
		var root, square Element
		a[at].get(j, &root)
		asmSqrN(&square, &root, 1)
		ok[j] = square.Equal(&x[j])
		z[j] = root
	}
	return len(x)
}

package secp256k1

import (
	"regexp"

	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/check"
)

// arithmetic is what a tier gives for the formulas in point.go: the operations of the
// field modulo p = 2²⁵⁶ − c, and what a routine consists of besides. An element is four
// limbs of 64 bits, the least significant first, and any value below 2²⁵⁶; so is every
// result.
//
// Operands lie in memory: behind a pointer, or in the frame. A result is first in
// the accumulator, from which store takes it, so that a sum or a difference can
// follow a product without a way through memory. Every operation is a straight
// line: nothing depends on a value.
type arithmetic interface {
	mul(x, y operand.Mem) // the accumulator is x·y
	sqr(x operand.Mem)    // and x²
	load(x operand.Mem)
	store(z operand.Mem)
	// mulWide and sqrWide put x·y and x² where there is room for a product that need not
	// be reduced; mulSub sets the accumulator to x·y less such a product.
	mulWide(x, y, z operand.Mem)
	sqrWide(x, z operand.Mem)
	mulSub(x, y, z operand.Mem)
	add(x operand.Mem) // adds x to the accumulator
	sub(x operand.Mem) // takes x from it
	// sum adds the first elements to the accumulator and takes the others from it, at
	// most four of them, all at once.
	sum(add, take []operand.Mem)
	double() // adds the accumulator to itself
	neg()    // changes its sign
	half()   // divides it by two
	// isZero sets a mask to all ones when x is zero modulo p, to zero when it is not.
	isZero(x, mask operand.Mem)
	// choose replaces the accumulator by x where the mask is all ones, chooseOne by one.
	choose(x, mask operand.Mem)
	chooseOne(mask operand.Mem)
	copy(x, z operand.Mem)

	// routine begins a routine of the tier, whose name is that of its functions with
	// the tier's behind. begin comes after the room in the frame is given out.
	routine(name string, c contract)
	begin()
	room(bytes int) operand.Mem         // room in the frame
	wide() operand.Mem                  // and for a product, an element among others
	at(p pointer, i int) operand.Mem    // element number i behind a pointer
	point(name string, p pointer)       // loads an argument that is a pointer
	counter() operand.Mem               // a local variable that begins as the argument n
	again(n operand.Mem, label string)  // goes back to the label until it was there n times
	ifZero(x operand.Mem, label string) // goes to the label if x, public, is zero
	result(v uint8)                     // returns a bool
	wipe(elements ...operand.Mem)       // overwrites what was secret in the frame
	wipeMasks(masks operand.Mem)        // and two masks, after wipe
	Label(name string)
	RET()
}

// c is 2²⁵⁶ − p.
const c = 0x1000003d1

// A pointer is one of two that a routine has at hand.
type pointer int

const (
	from pointer = iota
	to
)

// sizes are those of the rooms that a routine has given out in its frame.
type sizes map[operand.Mem]int

// of refuses what is no room: nothing of it would be wiped.
func (s sizes) of(room operand.Mem) int {
	n, ok := s[room]
	if !ok {
		panic("secp256k1: " + room.Asm() + " is no room in the frame")
	}
	return n
}

func limb(x operand.Mem, i int) operand.Mem { return x.Offset(8 * i) }

var braces = regexp.MustCompile(`\{(\w+)\}`)

// named puts the tier behind the names of routines in a comment.
func named(doc, tier string) string { return braces.ReplaceAllString(doc, "${1}"+tier) }

// A contract is what a routine takes and promises. A name in braces in doc is that of a
// routine of the same tier.
type contract struct {
	signature string
	spec      check.Spec
	doc       string
}

// public is that of the routines in variable time.
var public = check.Spec{Public: []string{"z", "p", "q"}}

// Those of the routines that a tier writes in its own way.

var doubleN = contract{"func(z, p *[12]uint64, n int)", check.Spec{}, `
{doubleN} sets z = 2ⁿ·p for Jacobian points, n ≥ 1, for infinity too. The two may be
the same. Constant time in p.

3 multiplications and 4 squarings a step (Explicit-Formulas Database, dbl-2009-l).`}

var addMixedDistinct = contract{"func(z, p *[12]uint64, q *[8]uint64)", check.Spec{}, `
{addMixedDistinct} sets z = p + q, p Jacobian and finite, q affine and not ±p. z may be
p. Constant time.

8 multiplications and 3 squarings (Explicit-Formulas Database, madd).`}

var addMixedVartime = contract{"func(z, p *[12]uint64, q *[8]uint64) bool", public, `
{addMixedVartime} is {addMixedDistinct} where q may be ±p: then it returns false and
leaves z as it was. Public data only.`}

var addScaledVartime = contract{
	"func(z, p *[12]uint64, q *[8]uint64, s *[4]uint64) bool",
	check.Spec{Public: []string{"s", "z", "p", "q"}}, `
{addScaledVartime} is {addMixedVartime} for p on the isomorphic curve y² = x³ + 7·s⁶
and q on the curve itself: (q.X·s², q.Y·s³) is what is added. One multiplication more.`,
}

var sqrN = contract{"func(z, x *[4]uint64, n int)", check.Spec{}, `
{sqrN} sets z to x squared n times modulo p, n ≥ 1. The two may be the same. Constant
time in x.`}

var lookup = contract{
	"func(z *[8]uint64, table *[8]uint64, n int, i, neg uint64)",
	check.Spec{Secret: []string{"i", "neg"}}, `
{lookup} sets z to entry i of the n ≥ 1 affine points at table, i < n, or to its negative
for neg 1. It reads every entry, whatever i is. Constant time.`,
}

var invert = contract{"func(z, x *[4]uint64)", check.Spec{}, `
{invert} sets z = 1/x modulo p, below p, and zero for zero. The two may be the same.
Constant time.

600 division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular
inversion", 2019). For δ starting at 1/2 and 256 bits, 590 are enough by the analysis
that libsecp256k1 publishes (doc/safegcd_implementation.md).`}

var invertVartime = contract{"func(z, x *[4]uint64)", check.Spec{Public: []string{"z", "x"}}, `
{invertVartime} is {invert} with as many rounds as x needs. Public data only.`}

var jacobiVartime = contract{"func(x *[4]uint64) int", check.Spec{Public: []string{"x"}}, `
{jacobiVartime} returns the Jacobi symbol of x modulo p, 1 or −1, or 0 where it is not
known after 25 rounds of 60 steps, as for x = 0. Public data only.

Division steps in their positive form (see fallback/secp256k1/jacobi.go).`}

package main

import (
	"fmt"
	"math"
	"strconv"
)

// curveRows are the operations of the curve: those of a peer, and the verification by a
// key whose multiples are kept, which no peer has.
var curveRows = []operation{
	{"ECDH, key unparsed", "ECDH"},
	{"public key", "BaseMult"},
	{"sign, key pair kept", "SchnorrSign"},
	{"verify, key unparsed", "SchnorrVerify"},
	{"verify, known key", "SchnorrVerifyKnown"},
}

// A step is what the operations are made of: calls of the kernel, the row that times one
// of them, the multiplications and squarings in its formula, and how many there are in
// each of curveRows. TestSteps counts them.
type step struct {
	name, row string
	calls     []string
	mul, sqr  float64
	counts    [5]float64
}

// ECDH has 26 windows of 5 bits for each of two halves: 25·5 doublings, and one for the
// table; 2·26 look-ups and 51 additions, the last two complete; 15 additions and 48 + 15 +
// 1 multiplications for the table, 16 for λ times it; for the x-coordinate 2 before and 3
// after. A public key has 43 look-ups and 42 additions, the last complete. Signing
// adds a multiplication of scalars. The numbers of a verification depend on its digits:
// of those of wNAF of width w one in w+1 is not zero, so that two halves of 128 bits have
// 42.7 of width 5, and 19.7 of width 12.
var curveSteps = []step{
	{"doubling", "PointDouble", []string{"DoubleN"}, 3, 4, [5]float64{126, 0, 0, 126.9, 63.2}},
	{"addition, distinct points", "PointAddDistinct", []string{"AddMixedDistinct"}, 8, 3, [5]float64{49, 41, 41, 0, 0}},
	{"addition, complete", "PointAddMixed", []string{"AddMixed"}, 7, 5, [5]float64{2, 1, 1, 0, 0}},
	{"addition, variable time", "PointAddVartime", []string{"AddMixedVartime"}, 8, 3, [5]float64{0, 0, 0, 42.5, 58.1}},
	{"addition, to an isomorphic curve", "PointAddScaled", []string{"AddScaledVartime"}, 9, 3, [5]float64{0, 0, 0, 20.1, 0}},
	{"addition, one Z", "PointAddCoZ", []string{"AddCoZ"}, 4, 2, [5]float64{15, 0, 0, 7, 0}},
	{"look-up among 16", "Lookup/n=16", []string{"Lookup/n=16"}, 0, 0, [5]float64{52, 0, 0, 0, 0}},
	{"look-up among 32", "Lookup/n=32", []string{"Lookup/n=32"}, 0, 0, [5]float64{0, 43, 43, 0, 0}},
	{"multiplication", "FieldMul", []string{"Mul"}, 1, 0, [5]float64{85, 3, 3, 55.2, 32.4}},
	{"squaring", "FieldSqr", []string{"Sqr"}, 0, 1, [5]float64{19, 1, 1, 10, 1}},
	{"square root", "FieldSqrt", []string{"Sqrt"}, 13, 254, [5]float64{0, 0, 0, 1, 0}},
	{"Jacobi symbol", "FieldIsSquare", []string{"IsSquareVartime"}, 0, 0, [5]float64{1, 0, 0, 0, 0}},
	{"inversion, constant time", "FieldInvert", []string{"Invert"}, 0, 0, [5]float64{1, 1, 1, 0, 0}},
	{"inversion, variable time", "FieldInvertVartime", []string{"InvertVartime"}, 0, 0, [5]float64{0, 0, 0, 1, 1}},
	{"multiplication of scalars", "ScalarMul", []string{"ScalarMul", "ScalarMulShift"}, 0, 0, [5]float64{5, 0, 1, 10, 10}},
}

// peersOfCurve sets the operations of the curve beside C, and beside what go-nostr
// stands on.
func peersOfCurve(in *input) *table {
	c := "libsecp256k1" + in.optional(" ", "libsecp256k1", "") + " of Debian"
	t := &table{title: "Beside C, and beside btcec", left: 1, header: []string{"operation", "Sealwright, ns",
		c + ", ns", "of it", "btcec, ns", "of it", "newest libsecp256k1, estimated, ns", "of the estimate"}}
	for _, o := range curveRows[:4] {
		ours, ok := in.median(one(o.row, "sealwright"), seconds)
		cells := []string{o.name, nanoseconds(ours, ok)}
		beside := func(theirs float64, okTheirs bool) {
			cells = append(cells, nanoseconds(theirs, okTheirs), ratio(ours, ok, theirs, okTheirs))
		}
		inC, okC := in.median(one(o.row, "libsecp256k1"), seconds)
		beside(inC, okC)
		beside(in.median(one(o.row, "btcec"), seconds))
		beside(newest*inC, okC)
		t.add(cells...)
	}
	t.notes = append(t.notes, fmt.Sprintf("The last two columns are an estimate, not a measurement: that the newest release of libsecp256k1 takes %.1f of the time of the one measured.", newest))
	t.sources = in.sources()
	return t
}

// countsOfCurve tells the steps of each operation of the curve.
func countsOfCurve(in *input) *table {
	t := &table{title: "How many steps each has", left: 1, header: []string{"step", "of one, ns"}}
	for _, o := range curveRows {
		t.header = append(t.header, o.name)
	}
	var mul, sqr [5]float64
	line := func(name, price string, counts [5]float64) {
		cells := []string{name, price}
		for _, n := range counts {
			cells = append(cells, strconv.FormatFloat(n, 'f', -1, 64))
		}
		t.add(cells...)
	}
	for _, s := range curveSteps {
		line(s.name, nanoseconds(in.median(one(s.row, "sealwright"), seconds)), s.counts)
		for i, n := range s.counts {
			mul[i] += n * s.mul
			sqr[i] += n * s.sqr
		}
	}
	for i := range curveRows {
		mul[i], sqr[i] = math.Round(mul[i]), math.Round(sqr[i])
	}
	line("multiplications in all", "", mul)
	line("squarings in all", "", sqr)
	t.notes = append(t.notes,
		"Counted on the benchmarks' own calls, with a kernel that counts in place of the kernel, of a verification the mean of the signatures that are timed (`go test -run TestSteps ./report`).",
		"The last two lines count the multiplications and squarings in the formulas of the steps too, but not in inversions and Jacobi symbols, which have none.")
	t.sources = in.sources()
	return t
}

// stepsOfCurve sets the operations of the curve beside the sum of their steps.
func stepsOfCurve(in *input) *table {
	var names []string
	for _, o := range curveRows {
		names = append(names, o.name)
	}
	t := newParts("How far each is from the sum of its steps", names...)
	t.header[0] = "step"
	whole := func(i int) (float64, bool) { return in.median(one(curveRows[i].row, "sealwright"), seconds) }
	var parts []times
	for _, s := range curveSteps {
		part := func(i int) (float64, bool) {
			if s.counts[i] == 0 {
				return 0, true
			}
			price, ok := in.median(one(s.row, "sealwright"), seconds)
			return s.counts[i] * price, ok
		}
		parts = append(parts, part)
		t.part(s.name, part, whole)
	}
	sum := plus(parts...)
	t.part("sum of the steps", sum, whole)
	t.part("whole", whole, whole)
	t.part("left: the whole less the sum", less(whole, sum), whole)
	t.notes = append(t.notes, "What is left is sums of field elements and of scalars, digits, reading and writing bytes, hashes (five blocks of SHA-256 and 32 random bytes to sign, two blocks to verify), wiping and calls. The time of a step is that in a chain, where each waits for the one before: what is left is below zero where steps overlap, and has the noise of rows that ran one after another.")
	t.sources = in.sources()
	return t
}

package secp256k1_test

import (
	"math/big"
	"testing"
)

// slow are numbers whose inversion takes long. The first 256 division steps follow from
// the low bits of x alone, and in those of these numbers f and g lose less than in nearly
// any others; the high bits are from a search. Of 3000 random numbers none took more than
// 532 steps. None takes more than 590 (Pieter Wuille, safegcd-bounds: by convex hulls, for
// 256 bits and δ starting at 1/2), and none is known that takes so many.
var slow = []string{
	"f9a1bbee7c401b3eea37607a383b8336cff44f357b9edcec416b4828dbf125aa",
	"f8c1c58e0c7f618f8dc00981594142a16f3115b1c97ebc2f89d571af4bf125aa",
	"ff5fc44d61da3f7c59f039293769abcfa3bbdefd58d3841778ad8dfd71254daa",
	"cbfa3df329f902c5264d8e634bc62ed269fbccd11f741756a31a5ac4810ee9e4",
}

// slowSymbols are numbers x = factor·2^shift whose quadratic symbol takes long by division
// steps in the positive form, for which there is no bound. These need the last of the 25
// rounds that there are, or more.
var slowSymbols = []slowSymbol{
	{171, 23, 25, 25},
	{897, 20, 25, 25},
	{1185, 17, 25, 25},
	{405, 22, 26, 29},
	{529, 28, 26, 26},
	{243, 28, 30, 27},
}

type slowSymbol struct {
	factor int64
	shift  uint
	// The round of 60 steps from δ = 1/2, as in assembly, and that of 62 from δ = 1, as in
	// portable code, after which f is 1.
	rounds60, rounds62 int
}

func (s slowSymbol) x() *big.Int {
	x := big.NewInt(s.factor)
	return x.Lsh(x, s.shift)
}

// divisionStep does one by its definition (see fallback/secp256k1/invert.go) and returns
// 2·δ after it. In the positive form f is added to g where it would be taken away from it.
func divisionStep(twiceDelta int, f, g *big.Int, positive bool) int {
	sum := new(big.Int).Set(g)
	switch {
	case g.Bit(0) == 0:
	case twiceDelta <= 0:
		sum.Add(g, f)
	case positive:
		sum.Add(g, f)
		f.Set(g)
		twiceDelta = -twiceDelta
	default:
		sum.Sub(g, f)
		f.Set(g)
		twiceDelta = -twiceDelta
	}
	g.Rsh(sum, 1)
	return twiceDelta + 2
}

// TestSlowInversions counts what slow is for: were a round left out, of the ten of 60 steps
// in assembly or of the ten of 59 in portable code, [TestInverse] would meet numbers that
// are not done.
func TestSlowInversions(t *testing.T) {
	for _, s := range slow {
		g, _ := new(big.Int).SetString(s, 16)
		f, twiceDelta, steps := new(big.Int).Set(prime), 1, 0
		for ; g.Sign() != 0; steps++ {
			twiceDelta = divisionStep(twiceDelta, f, g, false)
		}
		if steps <= 9*60 || steps > 590 {
			t.Errorf("%s takes %d steps", s, steps)
		}
	}
}

// TestSlowSymbols counts what slowSymbols are for: in [TestInverse], the last round and
// what comes after it.
func TestSlowSymbols(t *testing.T) {
	one := big.NewInt(1)
	for _, s := range slowSymbols {
		for _, c := range []struct{ perRound, twiceDelta, rounds int }{{60, 1, s.rounds60}, {62, 2, s.rounds62}} {
			f, g, rounds := new(big.Int).Set(prime), s.x(), 0
			for twiceDelta := c.twiceDelta; f.Cmp(one) != 0; rounds++ {
				for range c.perRound {
					twiceDelta = divisionStep(twiceDelta, f, g, true)
				}
			}
			if rounds != c.rounds {
				t.Errorf("%d·2^%d takes %d rounds of %d steps, not %d", s.factor, s.shift, rounds, c.perRound, c.rounds)
			}
		}
	}
}

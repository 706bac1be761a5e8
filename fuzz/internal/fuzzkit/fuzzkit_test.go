package fuzzkit

import (
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/kernels/cpu"
)

func hexadecimal(s string) *big.Int {
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic(s)
	}
	return x
}

// The edges are the integers that their comments name, by SEC 2 and the cube roots of
// one that belong together.
func TestEdges(t *testing.T) {
	one := big.NewInt(1)
	pow := func(n uint) *big.Int { return new(big.Int).Lsh(one, n) }
	sub := func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
	half := func(x *big.Int) *big.Int { return new(big.Int).Rsh(x, 1) }
	p := sub(sub(pow(256), pow(32)), big.NewInt(977))
	n := hexadecimal("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	lambda := hexadecimal("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72")
	beta := hexadecimal("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee")
	want := [...]*big.Int{
		new(big.Int), one, p, n, sub(pow(256), one), sub(pow(256), p), sub(pow(256), n), half(n), half(p),
		pow(128), pow(255), lambda, beta, sub(p, n), pow(64), pow(192),
	}
	for i, w := range want {
		var b [32]byte
		for j, limb := range edges[i] {
			binary.BigEndian.PutUint64(b[24-8*j:], limb)
		}
		if got := new(big.Int).SetBytes(b[:]); got.Cmp(w) != 0 {
			t.Errorf("edge %d is %x, want %x", i, got, w)
		}
		// The input that spells the edge out.
		if got := New([]byte{byte(i)}).Limbs(); got != edges[i] {
			t.Errorf("Limbs of %d: %x, want %x", i, got, edges[i])
		}
	}
}

// EachTier comes to every tier that the processor has, and leaves the one in use as
// it was.
func TestEachTier(t *testing.T) {
	info, err := cpu.Report()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range info.Kernels {
		var want, got []string
		for _, tier := range k.Tiers {
			if tier.Available {
				want = append(want, tier.Name)
			}
		}
		EachTier(func(string) { got = append(got, inUse(t, k.Name)) }, k.Name)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: ran with %v, want %v", k.Name, got, want)
		}
		if now := inUse(t, k.Name); now != selected(k) {
			t.Errorf("%s: left with %s, begun with %s", k.Name, now, selected(k))
		}
	}
}

func inUse(t *testing.T, kernel string) string {
	t.Helper()
	info, err := cpu.Report()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range info.Kernels {
		if k.Name == kernel {
			return selected(k)
		}
	}
	t.Fatalf("no kernel %s", kernel)
	return ""
}

func selected(k cpu.Kernel) string {
	for _, tier := range k.Tiers {
		if tier.Selected {
			return tier.Name
		}
	}
	return ""
}

package testkit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// words are what SEALWRIGHT_REQUIRE may hold besides the names of tiers: the
// published vectors, the peers of fuzz/interop, and the programs that run tests
// for other processors.
var words = []string{"vectors", "interop", "qemu", "node", "bochs"}

// Required reports whether $SEALWRIGHT_REQUIRE, a comma-separated list, holds
// word: what it names fails a test where it would otherwise skip. It panics at a
// word that no test asks for, which would demand nothing.
func Required(word string) bool {
	var list []string
	if s := os.Getenv("SEALWRIGHT_REQUIRE"); s != "" {
		list = strings.Split(s, ",")
	}
	known := append(cpu.TierNames(), words...)
	for _, w := range append(list, word) {
		if !slices.Contains(known, w) {
			panic(fmt.Sprintf("SEALWRIGHT_REQUIRE: %q is none of %s", w, strings.Join(known, ", ")))
		}
	}
	return slices.Contains(list, word)
}

// Long reports whether sweeps run whole ($SEALWRIGHT_LONG=1, as in make
// test-long) and not as a sample.
func Long() bool { return os.Getenv("SEALWRIGHT_LONG") == "1" }

// Rand returns the generator for a test's sample. Its seed is that of
// $SEALWRIGHT_SEED, or a new one, and is logged either way.
func Rand(tb testing.TB) *rand.Rand {
	tb.Helper()
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("SEALWRIGHT_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			tb.Fatalf("SEALWRIGHT_SEED: %v", err)
		}
	}
	tb.Logf("SEALWRIGHT_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

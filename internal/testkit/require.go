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
// published vectors, the peers of fuzz/interop, the programs that run tests for other
// processors, and the peer of bench/arm64model.
var words = []string{"vectors", "interop", "qemu", "node", "bochs", "libsecp256k1"}

// Required reports whether $SEALWRIGHT_REQUIRE, a comma-separated list, holds
// word: what it names fails a test where it would otherwise skip. It panics at a
// word that no test asks for, which would demand nothing; [Tiers] and [Vectors], by
// which most tests go, fail at it, and where nothing is missing too.
func Required(word string) bool {
	list, err := Requirements(word)
	if err != nil {
		panic(err)
	}
	return slices.Contains(list, word)
}

// Requirements returns the words of $SEALWRIGHT_REQUIRE. It is an error when one of
// them, or of those that the caller is about to look for, is unknown.
func Requirements(ask ...string) ([]string, error) {
	var list []string
	if s := os.Getenv("SEALWRIGHT_REQUIRE"); s != "" {
		list = strings.Split(s, ",")
	}
	known := append(cpu.TierNames(), words...)
	for _, w := range append(ask, list...) {
		if !slices.Contains(known, w) {
			return nil, fmt.Errorf("SEALWRIGHT_REQUIRE: %q is none of %s", w, strings.Join(known, ", "))
		}
	}
	return list, nil
}

// Long reports whether sweeps run whole ($SEALWRIGHT_LONG=1, as in make
// test-long) and not as a sample. It panics at any other value than 0.
func Long() bool {
	switch s := os.Getenv("SEALWRIGHT_LONG"); s {
	case "1":
		return true
	case "", "0":
		return false
	default:
		panic(fmt.Sprintf("SEALWRIGHT_LONG: %q is neither 0 nor 1", s))
	}
}

// Seed returns the seed of this run's samples: that of $SEALWRIGHT_SEED, or a new
// one. The error tells that the variable is no number.
func Seed() (uint64, error) {
	s := os.Getenv("SEALWRIGHT_SEED")
	if s == "" {
		return uint64(time.Now().UnixNano()), nil
	}
	seed, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("SEALWRIGHT_SEED: %w", err)
	}
	return seed, nil
}

// Rand returns the generator for a test's sample. Its seed is that of [Seed], and is
// logged.
func Rand(tb testing.TB) *rand.Rand {
	tb.Helper()
	seed, err := Seed()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Logf("SEALWRIGHT_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

package testkit

import (
	"fmt"
	"runtime"
	"testing"
)

func TestRequired(t *testing.T) {
	t.Setenv("SEALWRIGHT_REQUIRE", "vectors,avx512")
	if !Required("vectors") || !Required("avx512") || Required("qemu") {
		t.Error("Required does not tell what the list holds")
	}
	t.Setenv("SEALWRIGHT_REQUIRE", "")
	if Required("vectors") {
		t.Error("an empty list requires something")
	}
}

// A word that demands nothing must not look as if it did, whether or not something is
// missing, and the message names the words that there are.
func TestUnknownRequirement(t *testing.T) {
	for _, word := range []string{"vektors", "vectors,avx-512", " vectors", "vectors,"} {
		t.Setenv("SEALWRIGHT_REQUIRE", word)
		unknown := map[string]string{"vektors": "vektors", "vectors,avx-512": "avx-512", " vectors": " vectors", "vectors,": ""}[word]
		want := fmt.Sprintf("SEALWRIGHT_REQUIRE: %q is none of portable, avx2, avx512, shani, adx, ifma, neon, sha2, mul, vectors, interop, qemu, node, bochs, libsecp256k1", unknown)
		for name, ask := range map[string]func(tb testing.TB){
			"Required": func(tb testing.TB) {
				defer func() {
					if p := recover(); p != nil {
						tb.Fatal(p)
					}
				}()
				Required("vectors")
			},
			"Requirements": func(tb testing.TB) {
				if _, err := Requirements(); err != nil {
					tb.Fatal(err)
				}
			},
			"Tiers":   func(tb testing.TB) { Tiers(tb, "sha256") },
			"Vectors": func(tb testing.TB) { Vectors(tb, Files[0].Name) },
		} {
			if got := fatal(t, ask); got != want {
				t.Errorf("%s at %q fails with %q, want %q", name, word, got, want)
			}
		}
	}
	// Not as the whole of the known words does.
	t.Setenv("SEALWRIGHT_REQUIRE", "interop,qemu,node,bochs,portable")
	if got := fatal(t, func(tb testing.TB) { Tiers(tb, "sha256") }); got != "" {
		t.Errorf("Tiers fails with %q", got)
	}
}

// fatal returns what a test would fail with, or nothing.
func fatal(t *testing.T, test func(tb testing.TB)) string {
	f := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(f)
	}()
	<-done
	return f.said
}

// recorder is a test that keeps to itself that it failed.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatal(args ...any) {
	r.said = fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

func (r *recorder) Skipf(format string, args ...any) { runtime.Goexit() }

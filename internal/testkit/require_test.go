package testkit

import "testing"

func TestRequired(t *testing.T) {
	t.Setenv("SEALWRIGHT_REQUIRE", "vectors,avx512")
	if !Required("vectors") || !Required("avx512") || Required("qemu") {
		t.Error("Required does not tell what the list holds")
	}
	t.Setenv("SEALWRIGHT_REQUIRE", "")
	if Required("vectors") {
		t.Error("an empty list requires something")
	}
	// A word that demands nothing must not look as if it did.
	t.Setenv("SEALWRIGHT_REQUIRE", "vektors")
	defer func() {
		if recover() == nil {
			t.Error("a word that no test asks for passes")
		}
	}()
	Required("vectors")
}

package view

import "testing"

func TestViews(t *testing.T) {
	for _, s := range []string{"", "a", "hello"} {
		b := Bytes(s)
		if string(b) != s || len(b) != len(s) {
			t.Errorf("Bytes(%q) = %q", s, b)
		}
		if got := String([]byte(s)); got != s {
			t.Errorf("String(%q) = %q", s, got)
		}
	}
	if got := String(nil); got != "" {
		t.Errorf("String(nil) = %q", got)
	}
}

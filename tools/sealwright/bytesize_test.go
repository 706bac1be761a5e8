package main

import "testing"

func TestByteSize(t *testing.T) {
	for s, want := range map[string]byteSize{"1": 1, "1000": 1000, "1KiB": 1 << 10, "8MiB": 8 << 20, "1GiB": 1 << 30, "1024MiB": 1 << 30, "1073741824": 1 << 30} {
		var b byteSize
		if err := b.Set(s); err != nil || b != want {
			t.Errorf("%q: %d, %v; want %d", s, b, err, want)
		}
	}
	for _, s := range []string{"", "0", "-1", "1.5MiB", "8MB", "8 MiB", "KiB", "2GiB", "1073741825", "4294967295KiB", "99999999999999999999", "0x10", "1_000"} {
		b := byteSize(7)
		if err := b.Set(s); err == nil || b != 7 {
			t.Errorf("%q: %d, no error", s, b)
		}
	}
	for b, want := range map[byteSize]string{1: "1", 1025: "1025", 1 << 10: "1KiB", 8 << 20: "8MiB", 1 << 30: "1GiB"} {
		if got := b.String(); got != want {
			t.Errorf("%d prints %q, want %q", int64(b), got, want)
		}
	}
}

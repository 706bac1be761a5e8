package alias

import "testing"

func TestOverlap(t *testing.T) {
	buf, other := make([]byte, 20), make([]byte, 20)
	for _, c := range []struct {
		name         string
		x, y         []byte
		any, inexact bool
	}{
		{"the same", buf[:10], buf[:10], true, false},
		{"one ahead", buf[1:11], buf[:10], true, true},
		{"the last byte", buf[9:19], buf[:10], true, true},
		{"side by side", buf[10:20], buf[:10], false, false},
		{"apart", buf[15:20], buf[:5], false, false},
		{"other memory", buf, other, false, false},
		{"one byte, the same", buf[5:6], buf[5:6], true, false},
		{"one byte and the next", buf[5:6], buf[6:7], false, false},
		{"capacity alone", buf[:5], buf[5:10], false, false},
		{"nothing at the start", buf[:0], buf[:0], false, false},
		{"nothing inside", buf[5:5], buf[5:5], false, false},
		{"nil", nil, nil, false, false},
	} {
		for _, s := range [][2][]byte{{c.x, c.y}, {c.y, c.x}} {
			if got := AnyOverlap(s[0], s[1]); got != c.any {
				t.Errorf("%s: AnyOverlap is %v, want %v", c.name, got, c.any)
			}
			if got := InexactOverlap(s[0], s[1]); got != c.inexact {
				t.Errorf("%s: InexactOverlap is %v, want %v", c.name, got, c.inexact)
			}
		}
	}
	// Of unlike lengths.
	for _, c := range []struct {
		name string
		x, y []byte
		any  bool
	}{
		{"inside", buf, buf[5:6], true},
		{"before the end", buf[:10], buf[9:10], true},
		{"behind the end", buf[:10], buf[10:11], false},
		{"before the start", buf[10:], buf[9:10], false},
		{"nothing inside", buf, buf[5:5], false},
		{"nil", buf, nil, false},
	} {
		if AnyOverlap(c.x, c.y) != c.any || AnyOverlap(c.y, c.x) != c.any {
			t.Errorf("%s: AnyOverlap is not %v", c.name, c.any)
		}
	}
}

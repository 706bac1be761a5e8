package event

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes are tested at once, one to a lane of a 64-bit word.
const (
	lanes = 0x0101010101010101
	highs = 0x80 * lanes
)

// masks are constants in a variable: in a loop the compiler keeps variables in
// registers, but builds a constant of 64 bits anew wherever it is used.
var masks = [4]uint64{0x02 * lanes, 0x21 * lanes, 0x5c * lanes, 0x01 * lanes}

// stops has the top bit of a lane set where the byte, when it is below 0x80,
// ends a plain run: a control character, a quote or a backslash. Lanes of other
// bytes are unspecified. Only the lowest lane set is exact: a lane that is set
// borrows from the one above it; no other lane below 0x80 does.
//
// XOR with 2 moves the quote (0x22) to 0x20, just above the controls, and
// keeps them below 0x20; the bytes 0x20, 0x21 and 0x23 stay above 0x20.
func stops(w, x02, x21, x5c, x01 uint64) uint64 {
	return ((w ^ x02) - x21) | ((w ^ x5c) - x01)
}

// plainLen returns the number of bytes before the first control character,
// quote or backslash, which is what JSON strings may hold as it is. When ascii
// is true, all of them are below 0x80; when it is false, they may be.
func plainLen(p []byte) (n int, ascii bool) {
	x02, x21, x5c, x01 := masks[0], masks[1], masks[2], masks[3]
	rest := p
	for len(rest) >= 32 {
		w0 := binary.LittleEndian.Uint64(rest)
		w1 := binary.LittleEndian.Uint64(rest[8:])
		w2 := binary.LittleEndian.Uint64(rest[16:])
		w3 := binary.LittleEndian.Uint64(rest[24:])
		m0 := stops(w0, x02, x21, x5c, x01) | w0
		m1 := stops(w1, x02, x21, x5c, x01) | w1
		m2 := stops(w2, x02, x21, x5c, x01) | w2
		m3 := stops(w3, x02, x21, x5c, x01) | w3
		if (m0|m1|m2|m3)&highs != 0 {
			break
		}
		rest = rest[32:]
	}
	var seen uint64
	for len(rest) >= 8 {
		w := binary.LittleEndian.Uint64(rest)
		seen |= w
		// A byte of 0x80 and above never borrows.
		if m := stops(w, x02, x21, x5c, x01) &^ w & highs; m != 0 {
			return len(p) - len(rest) + bits.TrailingZeros64(m)/8, seen&highs == 0
		}
		rest = rest[8:]
	}
	for i, c := range rest {
		if c < 0x20 || c == '"' || c == '\\' {
			return len(p) - len(rest) + i, seen&highs == 0
		}
		seen |= uint64(c)
	}
	return len(p), seen&highs == 0
}

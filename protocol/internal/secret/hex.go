package secret

// EncodeHex returns b in lower-case hexadecimal, by arithmetic alone: no address
// and no branch depends on its values.
func EncodeHex(b []byte) string {
	text := make([]byte, 0, 2*len(b))
	for _, v := range b {
		text = append(text, digit(v>>4), digit(v&15))
	}
	s := string(text)
	Wipe(text)
	return s
}

// digit returns the hexadecimal digit of v < 16.
func digit(v byte) byte {
	letter := byte((9 - int16(v)) >> 15) // all ones when v > 9
	return '0' + v + letter&('a'-'0'-10)
}

// DecodeHex fills dst from exactly twice as many hexadecimal digits, which are
// lower case unless anyCase is set, and reports whether s is that. Its time
// depends on the length of s and on nothing else.
func DecodeHex[S ~string | ~[]byte](dst []byte, s S, anyCase bool) bool {
	if len(s) != 2*len(dst) {
		return false
	}
	fold := byte(0)
	if anyCase {
		fold = 'a' - 'A'
	}
	bad := byte(0)
	for i := range dst {
		hi, badHi := nibble(s[2*i], fold)
		lo, badLo := nibble(s[2*i+1], fold)
		dst[i] = hi<<4 | lo
		bad |= badHi | badLo
	}
	return bad == 0
}

// nibble returns the value of a digit; bad is not zero for any other byte.
func nibble(c, fold byte) (v, bad byte) {
	decimal := c - '0'                             // 0…9 for '0'…'9'
	letter := (c | fold) - 'a'                     // 0…5 for 'a'…'f'
	isDecimal := byte((int16(decimal) - 10) >> 15) // all ones when decimal < 10
	isLetter := byte((int16(letter) - 6) >> 15)    // all ones when letter < 6
	return decimal&isDecimal | (letter+10)&isLetter, ^(isDecimal | isLetter)
}

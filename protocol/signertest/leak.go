package signertest

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// forms returns how bytes may stand in a text: themselves, and as the verbs of
// fmt, JSON and base64 write them. Hexadecimal is in lower case.
func forms(b []byte) []string {
	decimal := strings.Trim(fmt.Sprint(b), "[]")
	return []string{
		string(b),
		inner(strconv.Quote(string(b))),
		inner(strconv.QuoteToASCII(string(b))),
		decimal,
		strings.ReplaceAll(decimal, " ", ","),
		strings.ReplaceAll(decimal, " ", ", "),
		// Without the padding, which may be there or not.
		base64.RawStdEncoding.EncodeToString(b),
		base64.RawURLEncoding.EncodeToString(b),
		hex.EncodeToString(b),
		fmt.Sprintf("% x", b),
		strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", b), "[]byte{"), "}"),
	}
}

// inner returns what is between quotes.
func inner(quoted string) string { return quoted[1 : len(quoted)-1] }

// nsec is a secret key as NIP-19 writes it. An error has no business with any,
// so it need not be decoded.
var nsec = regexp.MustCompile(`(?i)nsec1[02-9ac-hj-np-z]{58}`)

// showsKey reports whether a text shows the secret key, in whatever form, or any
// nsec. key is nil where it cannot be known.
func showsKey(text string, key []byte) bool {
	if nsec.MatchString(text) {
		return true
	}
	if key == nil {
		return false
	}
	lower := strings.ToLower(text)
	for _, form := range forms(key) {
		if strings.Contains(text, form) || strings.Contains(lower, form) {
			return true
		}
	}
	return false
}

const (
	// window is how long a piece of the data must be to be one: fewer bytes may
	// occur in a text by chance. Data that is shorter is looked for as a whole,
	// down to leastData bytes.
	window    = 32
	leastData = 16
	// formed is how much of the data is looked for in other forms than its own.
	formed = 4096
)

// showsData reports whether a text shows the data, or any piece of it.
func showsData(text, data string) bool {
	if len(data) < leastData {
		return false
	}
	pieces := map[string]bool{} // all of the text, so that each byte of the data is looked at once
	for _, text := range []string{text, strings.ToLower(text)} {
		for i := 0; i+window <= len(text); i++ {
			pieces[text[i:i+window]] = true
		}
	}
	shows := func(form string) bool {
		if len(form) < window {
			return strings.Contains(text, form)
		}
		for i := 0; i+window <= len(form); i++ {
			if pieces[form[i:i+window]] {
				return true
			}
		}
		return false
	}
	if shows(data) {
		return true
	}
	for _, form := range forms([]byte(data[:min(len(data), formed)])) {
		if shows(form) {
			return true
		}
	}
	return false
}

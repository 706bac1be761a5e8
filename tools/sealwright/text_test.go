package main

import (
	"strings"
	"testing"

	"github.com/sealwright/sealwright/protocol/nip59"
)

func TestAbridge(t *testing.T) {
	for _, test := range []struct {
		in, want string
		whole    bool
	}{
		{"", "", true},
		{"Grüße 👋🏽 שלום", "Grüße 👋🏽 שלום", true},
		{"a\tb", "a b", true},
		{"1\n2\n3\n4", "1\n2\n3\n4", true},
		{"1\n2\n3\n4\n", "1\n2\n3\n4", true},
		{"1\n2\n3\n4\n5", "1\n2\n3\n4", false},
		{"1\u20282", "1\n2", true},
		{strings.Repeat("é", textRunes), strings.Repeat("é", textRunes), true},
		{strings.Repeat("é", textRunes+1), strings.Repeat("é", textRunes), false},
		// What would drive a terminal or reorder a line.
		{"\x1b[2Jgone\a\b\r\x7f\u009b31m", "\uFFFD[2Jgone\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD31m", true},
		{"a\u202Eb\u2066c\u2069", "a\uFFFDb\uFFFDc\uFFFD", true},
	} {
		if got, whole := abridge(test.in); got != test.want || whole != test.whole {
			t.Errorf("abridge(%q) = %q, %v", test.in, got, whole)
		}
	}
}

func TestMessageText(t *testing.T) {
	m := &nip59.Message{Rumor: &nip59.Rumor{Kind: 14, CreatedAt: 1 << 52, Content: "a\n" + strings.Repeat("b", 1000)}}
	got := string(appendMessageText(nil, &line{number: 7}, m))
	head, body := "    7  time 4503599627370496  from npub1qqqqqqqqqq…", "\n       a\n       "+strings.Repeat("b", textRunes-1)+"… (1002 bytes in all)\n"
	if !strings.HasPrefix(got, head) || !strings.HasSuffix(got, body) {
		t.Errorf("%q; want %q at its start and %q at its end", got, head, body)
	}
}

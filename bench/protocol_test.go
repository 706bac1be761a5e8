package bench

import (
	"fmt"
	"testing"
)

// BenchmarkConversationKey derives the conversation key (NIP-44) of a kept secret
// key and a public key as it stands in an event.
func BenchmarkConversationKey(b *testing.B) {
	each(b, func(c *candidate) func() work { return c.conversationKey })
}

// BenchmarkSign computes the id of an event with ten tags and signs it with a
// kept key.
func BenchmarkSign(b *testing.B) {
	each(b, func(c *candidate) func() work { return c.sign })
}

// BenchmarkVerify parses the JSON of an event with ten tags, recomputes its id and
// verifies its signature.
func BenchmarkVerify(b *testing.B) {
	each(b, func(c *candidate) func() work { return c.verify })
}

// BenchmarkWrap makes a durable gift wrap, for a peer that was written to before,
// of a message of so many bytes.
func BenchmarkWrap(b *testing.B) {
	sizes(b, func(c *candidate) func(int) work { return c.wrap })
}

// BenchmarkUnwrap parses the JSON of a gift wrap, from a peer that has written
// before, verifies the wrap's id and signature, decrypts it, verifies the seal,
// decrypts that, and reads the rumor.
func BenchmarkUnwrap(b *testing.B) {
	sizes(b, func(c *candidate) func(int) work { return c.unwrap })
}

// sizes runs a row for messages of the audit's three lengths.
func sizes(b *testing.B, row func(c *candidate) func(int) work) {
	for _, n := range []int{32, 1024, 64000} {
		b.Run(fmt.Sprintf("len=%d", n), func(b *testing.B) {
			each(b, func(c *candidate) func() work {
				f := row(c)
				if f == nil || c.maxMessage != 0 && n > c.maxMessage {
					return nil
				}
				return func() work { return f(n) }
			})
		})
	}
}

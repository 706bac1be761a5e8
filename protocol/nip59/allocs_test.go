package nip59

import (
	"fmt"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
)

// What a message with ten tags may allocate, with a key in this process.
func TestAllocs(t *testing.T) {
	alice, bob := newIdentity(t), newIdentity(t)
	var tags event.Tags
	for i := range 10 {
		tags = append(tags, event.Tag{"t", fmt.Sprint("topic ", i)})
	}
	rumor := NewRumor(alice.PublicKey(), 1700000000, 14, tags, "hello")
	wrap, err := Wrap(ctx, alice, rumor, bob.PublicKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Allocs(t, "Wrap", 12, func() {
		if _, err := Wrap(ctx, alice, rumor, bob.PublicKey(), nil); err != nil {
			t.Fatal(err)
		}
	})
	testkit.Allocs(t, "Unwrap", 16, func() {
		if _, err := Unwrap(ctx, bob, wrap, nil); err != nil {
			t.Fatal(err)
		}
	})
}

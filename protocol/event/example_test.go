package event_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// An event from elsewhere is parsed, then verified.
func Example() {
	text := []byte(`{"id":"000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358",
		"pubkey":"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243",
		"created_at":1651794653,"kind":1,"tags":[["nonce","776797","20"]],
		"content":"It's just me mining my own business",
		"sig":"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"}`)
	e, err := event.Parse(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := e.Verify(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Content)
	fmt.Println(e.Tags.Find("nonce").Value())
	// Output:
	// It's just me mining my own business
	// 776797
}

// An event is made and signed; its JSON carries a true id and signature.
func ExampleEvent_Sign() {
	sk, err := keys.ParseSecretKey("0000000000000000000000000000000000000000000000000000000000000001")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sk.Zero()
	e := &event.Event{
		CreatedAt: 1700000000,
		Kind:      event.KindTextNote,
		Tags:      event.Tags{{"t", "boats"}},
		Content:   "a < b",
	}
	if err := e.Sign(sk); err != nil {
		fmt.Println(err)
		return
	}
	parsed, err := event.Parse(e.AppendJSON(nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(parsed.PubKey, parsed.Verify())
	// Output: 79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798 <nil>
}

// A refused text tells where and why.
func ExampleParseError() {
	_, err := event.Parse([]byte(`{"kind": 65537}`))
	var pe *event.ParseError
	if errors.As(err, &pe) {
		fmt.Println(pe.Field, pe.Offset, errors.Is(err, event.ErrKind))
	}
	// Output: kind 9 true
}

// A rumor has no signature; what else it has is told.
func ExampleParseUnsigned() {
	e, present, err := event.ParseUnsigned([]byte(`{"kind":14,"content":"hi","tags":[],"created_at":1700000000}`))
	fmt.Println(e.Kind, present.PubKey, present.Sig, err)
	// Output: 14 false false <nil>
}

// Answers come in the order of the events.
func ExampleVerifyAll() {
	events := []*event.Event{{Content: "unsigned"}, nil}
	for _, err := range event.VerifyAll(context.Background(), events, nil) {
		fmt.Println(err)
	}
	// Output:
	// event: id is not the hash of the event
	// event: nil event
}

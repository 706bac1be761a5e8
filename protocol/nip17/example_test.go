package nip17_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/identity"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip17"
	"github.com/sealwright/sealwright/protocol/nip59"
)

func login() *identity.Identity {
	sk, err := keys.GenerateSecretKey()
	if err != nil {
		log.Fatal(err)
	}
	defer sk.Zero()
	id, err := identity.New(sk)
	if err != nil {
		log.Fatal(err)
	}
	return id
}

// publish stands for the relays: it sorts wraps by their receivers.
func publish(inboxes map[keys.PublicKey][]*event.Event, results []nip59.WrapResult, err error) {
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		if r.Err != nil {
			log.Fatal(r.Err)
		}
		inboxes[r.To] = append(inboxes[r.To], r.Event)
	}
}

// read opens an inbox: every message once, in the order in which they were
// written.
func read(ctx context.Context, me *identity.Identity, wraps []*event.Event) []*nip17.Message {
	var messages []*nip17.Message
	seen := map[event.ID]bool{}
	for _, result := range nip59.UnwrapAll(ctx, me, wraps, nil) {
		if result.Err != nil {
			continue // nip59.Classify tells whether to keep the wrap
		}
		m, err := nip17.Parse(result.Message, me.PublicKey())
		if err != nil || seen[m.ID] {
			continue
		}
		seen[m.ID] = true
		messages = append(messages, m)
	}
	slices.SortStableFunc(messages, func(a, b *nip17.Message) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	return messages
}

// Send a message: one wrap for the receiver, one for the sender.
func ExampleSend() {
	ctx := context.Background()
	alice, bob := login(), login()
	defer alice.Close()
	defer bob.Close()

	room := nip17.NewRoom(alice.PublicKey(), bob.PublicKey())
	rumor, err := nip17.Chat(alice.PublicKey(), room, "the boat leaves at six", &nip17.Options{Subject: "Saturday"})
	if err != nil {
		log.Fatal(err)
	}
	results, err := nip17.Send(ctx, alice, rumor, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		// Publish r.Event on the relays of r.To: see ParseRelayList.
		fmt.Println(r.Event.Kind, r.To == bob.PublicKey(), r.To == alice.PublicKey(), r.Err)
	}
	// Output:
	// 1059 true false <nil>
	// 1059 false true <nil>
}

// Read an inbox: open all wraps, then parse what is inside.
func ExampleParse() {
	ctx := context.Background()
	alice, bob := login(), login()
	defer alice.Close()
	defer bob.Close()
	inboxes := map[keys.PublicKey][]*event.Event{}
	room := nip17.NewRoom(alice.PublicKey(), bob.PublicKey())
	for i, text := range []string{"the boat leaves at six", "bring rope"} {
		rumor, err := nip17.Chat(alice.PublicKey(), room, text, &nip17.Options{CreatedAt: time.Unix(1700000000+int64(i), 0)})
		if err != nil {
			log.Fatal(err)
		}
		results, err := nip17.Send(ctx, alice, rumor, nil)
		publish(inboxes, results, err)
	}

	for _, result := range nip59.UnwrapAll(ctx, bob, inboxes[bob.PublicKey()], nil) {
		if result.Err != nil {
			continue // nip59.Classify tells whether to keep the wrap
		}
		m, err := nip17.Parse(result.Message, bob.PublicKey())
		if err != nil {
			continue
		}
		fmt.Println(m.CreatedAt, m.Sender == alice.PublicKey(), m.Room == room, m.Content)
	}
	// Output:
	// 1700000000 true true the boat leaves at six
	// 1700000001 true true bring rope
}

// Reply in a room of three: everybody gets it, and it names what it answers.
func ExampleReply() {
	ctx := context.Background()
	alice, bob, carol := login(), login(), login()
	defer alice.Close()
	defer bob.Close()
	defer carol.Close()
	inboxes := map[keys.PublicKey][]*event.Event{}
	room := nip17.NewRoom(alice.PublicKey(), bob.PublicKey(), carol.PublicKey())
	question, err := nip17.Chat(alice.PublicKey(), room, "who has a boat?", &nip17.Options{CreatedAt: time.Unix(1700000000, 0)})
	if err != nil {
		log.Fatal(err)
	}
	results, err := nip17.Send(ctx, alice, question, nil)
	publish(inboxes, results, err)

	received := read(ctx, bob, inboxes[bob.PublicKey()])[0]
	reply, err := nip17.Reply(bob.PublicKey(), received, "I have", nil)
	if err != nil {
		log.Fatal(err)
	}
	results, err = nip17.Send(ctx, bob, reply, nil)
	publish(inboxes, results, err)

	for _, m := range read(ctx, carol, inboxes[carol.PublicKey()]) {
		fmt.Println(m.Room == room, m.Parent == question.ID, m.Content)
	}
	// Output:
	// true false who has a boat?
	// true true I have
}

// Send a file: encrypt it, upload what comes out, send where it is.
func ExampleFile() {
	alice, bob := login(), login()
	defer alice.Close()
	defer bob.Close()

	uploaded, file, err := nip17.EncryptFile([]byte("a map of the harbour"), "text/plain")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Key.Zero()
	file.URL = "https://files.example/" + file.X.String()
	rumor, err := nip17.File(alice.PublicKey(), nip17.NewRoom(alice.PublicKey(), bob.PublicKey()), file, nil)
	if err != nil {
		log.Fatal(err)
	}

	// Bob, after Send and Unwrap, and with what he downloaded.
	m, err := nip17.Parse(&nip59.Message{Sender: alice.PublicKey(), Rumor: rumor}, bob.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	plain, err := m.File.Decrypt(uploaded)
	fmt.Println(m.File.Type, m.File.Size, m.File.Key)
	fmt.Printf("%s %v\n", plain, err)
	// Output:
	// text/plain 36 <redacted>
	// a map of the harbour <nil>
}

// Announce where one takes private messages, and learn where another does.
func ExampleRelayList() {
	ctx := context.Background()
	bob := login()
	defer bob.Close()
	list, err := nip17.RelayList([]string{"wss://inbox.example"}, time.Time{})
	if err != nil {
		log.Fatal(err)
	}
	if err := bob.SignEvent(ctx, list); err != nil {
		log.Fatal(err)
	}

	relays, err := nip17.ParseRelayList(list, bob.PublicKey())
	fmt.Println(relays, err)
	// Output: [wss://inbox.example] <nil>
}

package conformance

import (
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
)

// TestChains opens wraps layer by layer and at once.
func TestChains(t *testing.T) {
	var file struct {
		Chains []struct {
			Why, Author, Recipient string
			OneTime                string `json:"one_time"`
			Rumor                  eventJSON
			RumorJSON              string `json:"rumor_json"`
			SealJSON               string `json:"seal_json"`
			WrapJSON               string `json:"wrap_json"`
		}
		Library []struct {
			Author, Recipient string
			Rumor             eventJSON
			SealJSON          string `json:"seal_json"`
			WrapJSON          string `json:"wrap_json"`
		}
	}
	testkit.Testdata(t, "protocol/testdata/nip59.json", &file)

	chains, ephemeral, extended := 0, 0, 0
	for _, c := range file.Chains {
		t.Run(c.Why, func(t *testing.T) {
			wrap, seal := decodeEvent(t, c.WrapJSON), decodeEvent(t, c.SealJSON)
			author, oneTime, recipient := secretKey(t, c.Author), secretKey(t, c.OneTime), secretKey(t, c.Recipient)
			if author.PublicKey().String() != seal.PubKey || oneTime.PublicKey().String() != wrap.PubKey {
				t.Error("keys and events of the case do not belong together")
			}
			for _, layer := range []struct{ payload, text, peer string }{
				{wrap.Content, c.SealJSON, wrap.PubKey},
				{seal.Content, c.RumorJSON, seal.PubKey},
			} {
				ck, err := nip44.DeriveConversationKey(recipient, publicKey(t, layer.peer))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := ck.Decrypt(layer.payload); err != nil || got != layer.text {
					t.Errorf("a layer decrypts to other text, error %v", err)
				}
			}
			message := unwrap(t, c.Recipient, c.WrapJSON)
			if message.Sender != author.PublicKey() || message.SealID.String() != seal.ID {
				t.Errorf("sender %v, seal %v, want %v, %s", message.Sender, message.SealID, author.PublicKey(), seal.ID)
			}
			checkRumor(t, message.Rumor, c.Rumor)
			if wrap.Kind == 21059 {
				ephemeral++
			}
			if len(wrap.Content) > 87472 {
				extended++
			}
		})
		chains++
	}
	ran(t, "chains", chains, 19)
	ran(t, "ephemeral chains", ephemeral, 1)
	ran(t, "chains with an extended wrap", extended, 1)

	library := 0
	for _, c := range file.Library {
		message := unwrap(t, c.Recipient, c.WrapJSON)
		if message.Sender.String() != c.Author || message.SealID.String() != decodeEvent(t, c.SealJSON).ID {
			t.Errorf("sender %v, want %s", message.Sender, c.Author)
		}
		checkRumor(t, message.Rumor, c.Rumor)
		library++
	}
	ran(t, "wraps by nostr-tools alone", library, 24)
}

// TestNIPExamples reads what the NIPs print: the chain of NIP-59, the two
// wraps of NIP-17, and events.
func TestNIPExamples(t *testing.T) {
	type example struct {
		From  string
		Event eventJSON
		Valid bool `json:"sig_valid_over_claimed_id"`
	}
	var file struct {
		NIP59 struct {
			AuthorSec    string `json:"author_sec"`
			RecipientSec string `json:"recipient_sec"`
			WrapperSec   string `json:"wrapper_sec"`
			Rumor, Seal  eventJSON
			GiftWrap     eventJSON `json:"gift_wrap"`
			SealJSON     string    `json:"seal_json_decrypted"`
			RumorJSON    string    `json:"rumor_json_decrypted"`
		}
		NIP17 struct {
			SenderSec   string `json:"sender_sec"`
			SenderPub   string `json:"sender_pub"`
			ReceiverSec string `json:"receiver_sec"`
			Wraps       []struct {
				To        string
				GiftWrap  eventJSON `json:"gift_wrap"`
				SealJSON  string    `json:"seal_json_decrypted"`
				RumorJSON string    `json:"rumor_json_decrypted"`
			}
		}
		Valid   []example `json:"nip01_events_valid"`
		Invalid []example `json:"nip01_events_invalid"`
	}
	testkit.VectorsJSON(t, "nips_examples.json", &file)

	opened := 0
	n59 := file.NIP59
	message := unwrap(t, n59.RecipientSec, encodeEvent(t, n59.GiftWrap))
	checkRumor(t, message.Rumor, n59.Rumor)
	checkRumor(t, message.Rumor, decodeEvent(t, n59.RumorJSON))
	if message.Sender != secretKey(t, n59.AuthorSec).PublicKey() || message.SealID.String() != n59.Seal.ID || message.SealID.String() != decodeEvent(t, n59.SealJSON).ID {
		t.Errorf("NIP-59: sender %v, seal %v", message.Sender, message.SealID)
	}
	if got := secretKey(t, n59.WrapperSec).PublicKey().String(); got != n59.GiftWrap.PubKey {
		t.Errorf("NIP-59: one-time key %s, want %s", got, n59.GiftWrap.PubKey)
	}
	opened++
	for _, w := range file.NIP17.Wraps {
		secret := map[string]string{"receiver": file.NIP17.ReceiverSec, "sender": file.NIP17.SenderSec}[w.To]
		message := unwrap(t, secret, encodeEvent(t, w.GiftWrap))
		checkRumor(t, message.Rumor, decodeEvent(t, w.RumorJSON))
		if message.Sender.String() != file.NIP17.SenderPub || message.SealID.String() != decodeEvent(t, w.SealJSON).ID {
			t.Errorf("NIP-17, to the %s: sender %v, seal %v", w.To, message.Sender, message.SealID)
		}
		if message.Rumor.Content != "Hola, que tal?" {
			t.Errorf("NIP-17, to the %s: %q", w.To, message.Rumor.Content)
		}
		opened++
	}
	ran(t, "wraps", opened, 3)

	valid := 0
	for _, c := range file.Valid {
		e, err := event.Parse([]byte(encodeEvent(t, c.Event)))
		if err != nil {
			t.Fatalf("%s: %v", c.From, err)
		}
		if err := e.Verify(); err != nil {
			t.Errorf("%s: %v", c.From, err)
		}
		valid++
	}
	ran(t, "valid events", valid, 3)

	// Two of them bear a signature that is true over the id they claim, which
	// is not their hash.
	invalid := 0
	for _, c := range file.Invalid {
		e, err := event.Parse([]byte(encodeEvent(t, c.Event)))
		if err != nil {
			t.Fatalf("%s: %v", c.From, err)
		}
		if err := e.Verify(); !isOneOf(err, event.ErrID, event.ErrSignature, keys.ErrPublicKey) {
			t.Errorf("%s: %v", c.From, err)
		}
		if c.Valid {
			if err := e.Verify(); !isOneOf(err, event.ErrID) {
				t.Errorf("%s: %v, want %v", c.From, err, event.ErrID)
			}
		}
		invalid++
	}
	ran(t, "invalid events", invalid, 3)
}

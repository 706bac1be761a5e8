package bench

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/nbd-wtf/go-nostr"
)

var inputsFile = flag.String("inputs", "", "`file` that TestExportInputs writes")

// exported are the inputs, and answers by the Go peers, for the peers that are
// not written in Go. Bytes are hexadecimal; maps are by the length of the message.
type exported struct {
	Alice  exportedPerson   `json:"alice"`
	Bob    exportedPerson   `json:"bob"`
	People []exportedPerson `json:"people"`

	// Of alice with each of the people.
	SharedX          []string `json:"sharedX"`
	ConversationKeys []string `json:"conversationKeys"`

	Messages map[string]string   `json:"messages"`
	Payloads map[string][]string `json:"payloads"` // from each of the people to alice
	Rumors   map[string]string   `json:"rumors"`   // by alice, as JSON
	Wraps    map[string][]string `json:"wraps"`    // from alice to bob, as JSON

	Note  string   `json:"note"`  // by alice, as JSON without id and signature
	Notes []string `json:"notes"` // by each of the people, as JSON

	// Each of the notes with another content, with the signature and with the id of
	// another note.
	Changed [][3]string `json:"changed"`

	// Signatures of BIP-340 with its nonce function, whose bytes are therefore
	// determined.
	Signatures []exportedSignature `json:"signatures"`
}

type exportedPerson struct {
	Secret string `json:"secret"`
	Pub    string `json:"pub"`
}

type exportedSignature struct {
	Secret string `json:"secret"`
	Msg    string `json:"msg"`
	Aux    string `json:"aux"`
	Sig    string `json:"sig"`
}

// unsigned is an event without signature, and without id where that is empty.
type unsigned struct {
	ID        string          `json:"id,omitempty"`
	PubKey    string          `json:"pubkey"`
	CreatedAt nostr.Timestamp `json:"created_at"`
	Kind      int             `json:"kind"`
	Tags      nostr.Tags      `json:"tags"`
	Content   string          `json:"content"`
}

// TestExportInputs writes what exported describes to the file of the flag
// -inputs, for make bench-js and make bench-jvm.
func TestExportInputs(t *testing.T) {
	if *inputsFile == "" {
		t.Skip("the flag -inputs names the file to write")
	}
	out := exported{
		Alice:    exportPerson(alice),
		Bob:      exportPerson(bob),
		Messages: make(map[string]string),
		Payloads: make(map[string][]string),
		Rumors:   make(map[string]string),
		Wraps:    make(map[string][]string),
		Note:     exportUnsigned(note(0), alice, ""),
	}
	texts := notes()
	for i, p := range people() {
		out.People = append(out.People, exportPerson(p))
		out.SharedX = append(out.SharedX, hex.EncodeToString(sharedX(alice, p)))
		ck := conversationKey(alice, p)
		out.ConversationKeys = append(out.ConversationKeys, hex.EncodeToString(ck[:]))
		out.Notes = append(out.Notes, string(texts[i]))
		var changed [3]string
		for j, text := range spoiled(i) {
			changed[j] = string(text)
		}
		out.Changed = append(out.Changed, changed)
		msg := signatures()[i].msg
		sig := must(schnorr.Sign(secp256k1.PrivKeyFromBytes(p.secret[:]), msg[:], schnorr.CustomNonce(chachaKey)))
		out.Signatures = append(out.Signatures, exportedSignature{
			p.secretHex, hex.EncodeToString(msg[:]), hex.EncodeToString(chachaKey[:]), hex.EncodeToString(sig.Serialize()),
		})
	}
	for _, n := range []int{32, 1024, 64000} {
		size := strconv.Itoa(n)
		all := payloads(n)
		out.Messages[size] = message(n)
		out.Payloads[size] = all[:]
		rumor := gonostrRumor(alice, n)
		out.Rumors[size] = exportUnsigned(rumor, alice, rumor.ID)
		count := 1
		if n == 32 {
			count = 100
		}
		for _, text := range wraps(n, count) {
			out.Wraps[size] = append(out.Wraps[size], string(text))
		}
	}
	if err := os.WriteFile(*inputsFile, must(json.Marshal(out)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exportPerson(p person) exportedPerson { return exportedPerson{p.secretHex, p.pubHex} }

func exportUnsigned(e nostr.Event, author person, id string) string {
	return string(must(json.Marshal(unsigned{id, author.pubHex, e.CreatedAt, e.Kind, e.Tags, e.Content})))
}

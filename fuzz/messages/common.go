package messages

import (
	"bytes"

	"github.com/nbd-wtf/go-nostr"

	"github.com/sealwright/sealwright/fuzz/internal/fuzzkit"
	"github.com/sealwright/sealwright/fuzz/internal/reference"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

// kernels are all that messages stand on.
var kernels = []string{"chacha20", "sha256", "base64", "secp256k1"}

// Secrets of the people in these tests.
var (
	aliceKey = [32]byte{31: 3}
	bobKey   = [32]byte{0: 0x7f, 31: 5}
	onceKey  = [32]byte{0: 0x11, 15: 0x22, 31: 0x33}
	carolKey = [32]byte{0: 0xee, 31: 7}
)

// limit is nip44.DefaultMaxPlaintext, 1 MiB.
const limit = 1048576

// slack is what a call may allocate beside what its input explains: an error,
// its arguments, and what the fuzzer does meanwhile.
const slack = 32768

func secretKey(t fuzzkit.T, b [32]byte) *keys.SecretKey {
	t.Helper()
	sk, err := keys.NewSecretKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return sk
}

// sizes are where the padding or the form of a payload changes.
var sizes = [...]int{
	1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 319, 320, 321, 1023, 1024, 1025, 32767, 32768, 32769,
	40959, 40960, 40961, 57344, 57345, 65407, 65408, 65409, 65500, 65534, 65535, 65536, 65537, 70000,
	81919, 81920, 81921, 98304, 131072, 131073, 200000, 262145,
}

// body draws what to say: as it stands, or repeated up to one of the sizes or
// up to a few bytes beside it.
func body(in *fuzzkit.Input) []byte {
	form, delta := in.Byte(), int(in.Byte()%5)-2
	p := in.Rest()
	if len(p) == 0 {
		p = []byte{'a'}
	}
	if form < 128 {
		return p
	}
	n := max(1, sizes[int(form-128)%len(sizes)]+delta)
	return bytes.Repeat(p, n/len(p)+1)[:n]
}

// tagsOf draws up to 15 tags of up to eight strings.
func tagsOf(in *fuzzkit.Input) (tags [][]string) {
	tags = [][]string{}
	for range in.Byte() & 15 {
		var tag []string
		for range in.Byte()&7 + 1 {
			tag = append(tag, in.Text(int(in.Byte()&31)))
		}
		tags = append(tags, tag)
	}
	return tags
}

func ourTags(tags [][]string) (list event.Tags) {
	list = event.Tags{}
	for _, tag := range tags {
		list = append(list, tag)
	}
	return list
}

func goNostrTags(tags [][]string) (list nostr.Tags) {
	list = nostr.Tags{}
	for _, tag := range tags {
		list = append(list, tag)
	}
	return list
}

// sameEvent fails unless ours is what the reference read.
func sameEvent(t fuzzkit.T, name string, got *event.Event, want *reference.Event) {
	t.Helper()
	tags := event.Tags(nil)
	if want.Tags != nil {
		tags = ourTags(want.Tags)
	}
	if got.ID != want.ID || got.PubKey != want.PubKey || got.CreatedAt != want.CreatedAt || got.Kind != want.Kind ||
		!got.Tags.Equal(tags) || (got.Tags == nil) != (tags == nil) || got.Content != want.Content || got.Sig != want.Sig {
		t.Fatalf("%s: %+v, want %+v", name, got, want)
	}
}

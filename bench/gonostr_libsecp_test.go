//go:build libsecp256k1

package bench

// gonostrPeer is go-nostr with its build tag libsecp256k1: it then signs and
// verifies events with that C library (Debian's libsecp256k1-dev), and does all
// else as without: these are the rows that it changes. A binary has one or the other,
// so they want one of their own:
//
//	CGO_ENABLED=1 go test -tags libsecp256k1 -run '^$' -bench '/impl=gonostr-libsecp$|//impl=gonostr-libsecp$'
//
// The tags libsecp256k1 and cpeers can be given together.
var gonostrPeer = candidate{"gonostr-libsecp", "github.com/nbd-wtf/go-nostr", map[string]func(params) *work{
	"Sign":          gonostr.rows["Sign"],
	"Verify":        gonostr.rows["Verify"],
	"Wrap":          gonostr.rows["Wrap"],
	"Unwrap":        gonostr.rows["Unwrap"],
	"UnwrapUnknown": gonostr.rows["UnwrapUnknown"],
	"UnwrapInTurn":  gonostr.rows["UnwrapInTurn"],
	"VerifyAll":     gonostr.rows["VerifyAll"],
	"UnwrapAll":     gonostr.rows["UnwrapAll"],
}}

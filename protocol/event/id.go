package event

import (
	"encoding/hex"
	"strconv"

	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/internal/view"
)

// ComputeID returns the id that the event must have: the SHA-256 of
//
//	[0,"<pubkey>",<created_at>,<kind>,<tags>,"<content>"]
//
// without white space (NIP-01). It never fails, and allocates nothing. Of an
// event that [Event.Validate] refuses, others may compute another id.
func (e *Event) ComputeID() ID {
	var p preimage
	p.hash.Reset()

	// The head has at most 113 bytes: it fits the empty buffer.
	head := append(p.buf[:0], `[0,"`...)
	head = hex.AppendEncode(head, e.PubKey[:])
	head = append(head, `",`...)
	head = strconv.AppendInt(head, e.CreatedAt, 10)
	head = append(head, ',')
	head = strconv.AppendInt(head, int64(e.Kind), 10)
	p.n = len(append(head, `,[`...))
	for i, tag := range e.Tags {
		if i > 0 {
			p.write(",")
		}
		p.write("[")
		for j, s := range tag {
			if j > 0 {
				p.write(",")
			}
			p.string(s)
		}
		p.write("]")
	}
	p.write("],")
	p.string(e.Content)
	p.write("]")

	var id ID
	p.hash.Write(p.buf[:p.n])
	p.hash.Sum((*[32]byte)(&id))
	return id
}

// preimage hashes what is written to it. Short pieces are gathered in the
// buffer, long ones are hashed where they lie.
type preimage struct {
	hash sha256.Digest
	n    int // bytes in use of buf
	buf  [512]byte
}

func (p *preimage) write(s string) {
	if len(s) > len(p.buf)-p.n {
		p.hash.Write(p.buf[:p.n])
		p.n = 0
		if len(s) > len(p.buf) {
			p.hash.Write(view.Bytes(s))
			return
		}
	}
	p.n += copy(p.buf[p.n:], s)
}

// string writes s as a JSON string, as [appendString] does.
func (p *preimage) string(s string) {
	p.write(`"`)
	for {
		n, _ := plainLen(view.Bytes(s))
		p.write(s[:n])
		if n == len(s) {
			p.write(`"`)
			return
		}
		const longest = len(`\u0000`)
		if len(p.buf)-p.n < longest {
			p.hash.Write(p.buf[:p.n])
			p.n = 0
		}
		p.n = len(appendEscape(p.buf[:p.n], s[n]))
		s = s[n+1:]
	}
}

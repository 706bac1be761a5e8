//go:build (amd64 || arm64) && gc && !purego

package sha256

// sum256s does what [Sum256s] promises.
func sum256s(out [][Size]byte, messages [][]byte) {
	if !haveLanes() || len(messages) < minLanes {
		for i, m := range messages {
			out[i] = Sum256(m)
		}
		return
	}
	var s streams
	s.sum(out, messages)
	s = streams{}
}

// streams hashes messages in lanes. It holds no pointers, so that it can be on the
// stack.
type streams struct {
	h    [8][lanes]uint32 // the state of lane i is in column i
	lane [lanes]lane
}

// A lane works on one message, or is idle when nothing of it is left.
type lane struct {
	number int // of the message
	at     int // how many bytes are hashed, of
	whole  int // those of the message's whole blocks, and after these
	end    int // those of pad
	pad    [2 * BlockSize]byte
}

// left returns the blocks that come next and lie together: those of the message, or
// of its padded end.
func (l *lane) left(message []byte) []byte {
	if l.at < l.whole {
		return message[l.at:l.whole]
	}
	return l.pad[l.at-l.whole : l.end]
}

func (s *streams) sum(out [][Size]byte, messages [][]byte) {
	next := 0   // the message that the next free lane takes
	var h State // of the lane at hand
	for next < min(lanes, len(messages)) {
		s.begin(next, next, messages[next])
		next++
	}
	for {
		var p [lanes]*byte
		var some *byte
		busy, n := 0, maxLaneBlocks
		for i := range s.lane {
			l := &s.lane[i]
			if left := l.left(messages[l.number]); len(left) > 0 {
				busy++
				n = min(n, len(left)/BlockSize)
				some = &left[0]
				p[i] = some
			}
		}
		if busy < minLanes {
			break // and no message waits
		}
		for i := range p {
			if p[i] == nil {
				p[i] = some // n blocks, for a state that nobody reads
			}
		}
		blocksOfLanes(&s.h, &p, n)
		for i := range s.lane {
			l := &s.lane[i]
			if l.at == l.whole+l.end {
				continue
			}
			l.at += n * BlockSize
			if l.at < l.whole+l.end {
				continue
			}
			s.state(&h, i)
			h.Bytes(&out[l.number])
			if next < len(messages) {
				s.begin(i, next, messages[next])
				next++
			}
		}
	}
	for i := range s.lane {
		l := &s.lane[i]
		if l.at == l.whole+l.end {
			continue
		}
		s.state(&h, i)
		for l.at < l.whole+l.end {
			left := l.left(messages[l.number])
			blocks(&h, left)
			l.at += len(left)
		}
		h.Bytes(&out[l.number])
	}
	h = State{}
}

// begin gives lane i a message.
func (s *streams) begin(i, number int, message []byte) {
	var h State
	h.Init()
	for w := range h {
		s.h[w][i] = h[w]
	}
	l := &s.lane[i]
	l.number, l.at, l.whole = number, 0, len(message)&^(BlockSize-1)
	l.end = pad(&l.pad, message[l.whole:], uint64(len(message)))
}

// state sets h to the state of lane i. A result would stay where it is returned.
func (s *streams) state(h *State, i int) {
	for w := range h {
		h[w] = s.h[w][i]
	}
}

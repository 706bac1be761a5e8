// Package sha256 is SHA-256 (FIPS 180-4), HMAC-SHA-256 (RFC 2104) and HKDF
// (RFC 5869), by the best means that the processor has. Digest and HMAC are
// values that live on the stack: nothing here allocates. It carries no
// compatibility promise.
//
// Lengths are in bytes, messages below 2^61 of them. Every tier takes time
// that depends on lengths alone.
package sha256

import (
	"encoding/binary"

	"github.com/sealwright/sealwright/fallback/sha256"
)

// Sizes in bytes, and the longest output of Expand.
const (
	Size      = sha256.Size
	BlockSize = sha256.BlockSize
	MaxExpand = sha256.MaxExpand
)

// State is the chaining value: eight words, FIPS 180-4, section 6.2.
type State = sha256.State

// Sum256 returns the SHA-256 digest of p.
func Sum256(p []byte) (out [Size]byte) {
	var h State
	h.Init()
	whole := len(p) &^ (BlockSize - 1)
	blocks(&h, p[:whole])
	var end [2 * BlockSize]byte
	n := pad(&end, p[whole:], uint64(len(p)))
	blocks(&h, end[:n])
	h.Bytes(&out)
	clear(end[:n])
	h = State{}
	return out
}

// Sum256s sets out[i] to the SHA-256 digest of messages[i], for each of them.
// Sixteen messages at a time go side by side where the processor has AVX-512, two where
// it has the SHA2 instructions of arm64, the next one into the place of one that ends:
// many of about the same length, or the long ones first, gain most. With AVX-512, fewer
// than eight messages are hashed singly, and so is what is left when fewer than eight
// have not ended. out shares no memory with the messages; Sum256s panics when it is
// shorter than their number.
//
// The packages of protocol do not call it: event hashes what an id is made of while it
// writes it, and whole texts in memory would cost more than the part of a microsecond
// that is gained beside the tens of them that a signature takes.
func Sum256s(out [][Size]byte, messages [][]byte) {
	if len(out) < len(messages) {
		panic("sha256: more messages than places for digests")
	}
	sum256s(out, messages)
}

// pad sets the first n bytes of end to the last blocks of a message of length bytes,
// whose last ones, less than a block, are rest: FIPS 180-4, section 5.1.1.
func pad(end *[2 * BlockSize]byte, rest []byte, length uint64) (n int) {
	k := copy(end[:BlockSize], rest)
	n = BlockSize
	if k >= BlockSize-8 {
		n = 2 * BlockSize
	}
	end[k] = 0x80
	clear(end[k+1 : n-8])
	binary.BigEndian.PutUint64(end[n-8:n], length<<3)
	return n
}

// A Digest hashes a message that comes in parts. It is a value: a copy goes on
// by itself. The zero value is not ready; Reset or Init comes first.
type Digest struct {
	h      State
	buf    [BlockSize]byte // its first length%BlockSize bytes wait for a block
	length uint64          // of the message so far
}

// Reset begins a message.
func (d *Digest) Reset() {
	d.h.Init()
	d.length = 0
}

// Init begins a message whose first blocks, that many, led to midstate.
func (d *Digest) Init(midstate *State, blocks uint64) {
	d.h = *midstate
	d.length = blocks * BlockSize
}

// Write adds p to the message.
func (d *Digest) Write(p []byte) { blocks(&d.h, d.take(p)) }

// take adds p to the message but for whole blocks of it, which it returns. They belong
// onto d.h before anything else.
func (d *Digest) take(p []byte) (whole []byte) {
	n := int(d.length % BlockSize)
	d.length += uint64(len(p))
	if n > 0 {
		taken := copy(d.buf[n:], p)
		if n+taken < BlockSize {
			return nil
		}
		blocks(&d.h, d.buf[:])
		p = p[taken:]
	}
	end := len(p) &^ (BlockSize - 1)
	copy(d.buf[:], p[end:])
	return p[:end]
}

// Sum writes the digest of the message so far. Writing may go on afterwards.
func (d *Digest) Sum(out *[Size]byte) {
	var end [2 * BlockSize]byte
	h, n := d.h, d.pad(&end)
	blocks(&h, end[:n])
	h.Bytes(out)
	clear(end[:n])
	h = State{}
}

// pad sets the first n bytes of end to the last blocks of the message so far.
func (d *Digest) pad(end *[2 * BlockSize]byte) (n int) {
	return pad(end, d.buf[:d.length%BlockSize], d.length)
}

// Zero wipes d.
func (d *Digest) Zero() { *d = Digest{} }

// HMACKey is an HMAC key as the two states after its padded blocks, inner and
// outer. Both are as secret as the key.
type HMACKey struct {
	Inner, Outer State
}

// Init sets k to a key of any length; one longer than a block stands for its
// digest (RFC 2104, section 2).
func (k *HMACKey) Init(key []byte) {
	var pads [2][BlockSize]byte
	inner, outer := &pads[0], &pads[1]
	if len(key) > BlockSize {
		// Sum256 would leave the digest where it returns it.
		var d Digest
		d.Reset()
		d.Write(key)
		d.Sum((*[Size]byte)(inner[:]))
		d.Zero()
	} else {
		copy(inner[:], key)
	}
	*outer = *inner
	xorEach(inner, 0x36)
	xorEach(outer, 0x5c)
	k.Inner.Init()
	k.Outer.Init()
	pair(&k.Inner, &k.Outer, &pads)
	pads = [2][BlockSize]byte{}
}

// xorEach changes every byte of pad by XOR with b.
func xorEach(pad *[BlockSize]byte, b byte) {
	mask := uint64(b) * 0x0101010101010101
	for i := 0; i < BlockSize; i += 8 {
		binary.NativeEndian.PutUint64(pad[i:], binary.NativeEndian.Uint64(pad[i:])^mask)
	}
}

// Zero wipes k.
func (k *HMACKey) Zero() { *k = HMACKey{} }

// HMAC authenticates a message that comes in parts. Like [Digest] it is a
// value; Init comes first.
type HMAC struct {
	inner Digest
	outer State
	owes  bool // inner.h lacks blocks: see WriteLater
}

// Init begins a message under k, which is copied.
func (m *HMAC) Init(k *HMACKey) {
	m.inner.Init(&k.Inner, 1)
	m.outer = k.Outer
	m.owes = false
}

// Write adds p to the message.
func (m *HMAC) Write(p []byte) {
	m.settled()
	m.inner.Write(p)
}

// WriteLater adds p to the message, but leaves whole blocks of it to the caller, who
// hashes as many of the first ones onto h as he likes, and then gives Blocks the rest,
// though it be empty. Before that m takes nothing else: Write, WriteLater and Sum panic.
func (m *HMAC) WriteLater(p []byte) (h *State, whole []byte) {
	m.settled()
	m.owes = true
	whole = m.inner.take(p)
	return &m.inner.h, whole
}

// Blocks hashes the rest of the whole blocks that WriteLater left.
func (m *HMAC) Blocks(rest []byte) {
	if !m.owes {
		panic("sha256: blocks that no WriteLater left")
	}
	blocks(&m.inner.h, rest)
	m.owes = false
}

// settled panics when the tag would lack a part of the message.
func (m *HMAC) settled() {
	if m.owes {
		panic("sha256: WriteLater without Blocks")
	}
}

// Sum writes the tag of the message so far. Writing may go on afterwards.
func (m *HMAC) Sum(tag *[Size]byte) {
	m.settled()
	var end [2 * BlockSize]byte
	n := m.inner.pad(&end)
	hmac(tag, &m.inner.h, &m.outer, end[:n])
	clear(end[:n])
}

// hmacOfBlocks is hmac by blocks.
func hmacOfBlocks(tag *[Size]byte, inner, outer *State, p []byte) {
	h := *inner
	blocks(&h, p)
	var block [BlockSize]byte
	h.Bytes((*[Size]byte)(block[:]))
	block[Size] = 0x80
	binary.BigEndian.PutUint64(block[BlockSize-8:], (BlockSize+Size)<<3)
	h = *outer
	blocks(&h, block[:])
	h.Bytes(tag)
	clear(block[:])
	h = State{}
}

// pairOfBlocks is pair by blocks.
func pairOfBlocks(h0, h1 *State, p *[2][BlockSize]byte) {
	blocks(h0, p[0][:])
	blocks(h1, p[1][:])
}

// Zero wipes m.
func (m *HMAC) Zero() { *m = HMAC{} }

// Extract is HKDF-Extract, RFC 5869, section 2.2: prk = HMAC(salt, ikm). An
// empty salt stands for 32 zero bytes.
func Extract(prk *[Size]byte, salt, ikm []byte) {
	var k HMACKey
	k.Init(salt)
	var m HMAC
	m.Init(&k)
	m.Write(ikm)
	m.Sum(prk)
	k.Zero()
	m.Zero()
}

// Expand is HKDF-Expand, RFC 5869, section 2.3, into all of out, which
// shares no memory with prk and info. It panics when out is longer than
// MaxExpand: the format has no more to give.
func Expand(out []byte, prk *HMACKey, info []byte) {
	if len(out) > MaxExpand {
		panic("sha256: HKDF output too long")
	}
	if len(info) <= shortInfo {
		expandShort(out, prk, info)
		return
	}
	var m HMAC
	var t [Size]byte
	var i [1]byte
	for len(out) > 0 {
		m.Init(prk)
		if i[0] > 0 {
			m.Write(t[:])
		}
		i[0]++
		m.Write(info)
		m.Write(i[:])
		m.Sum(&t)
		out = out[copy(out, t[:]):]
	}
	m.Zero()
	clear(t[:])
}

// shortInfo is the longest info whose first block, with the counter and the padding,
// is the only one.
const shortInfo = BlockSize - 8 - 2

// expandShort is Expand with an info of at most shortInfo bytes. It lays the blocks
// out once: the last output, info, the counter, the padding. Without the first of
// these they are the first message.
func expandShort(out []byte, prk *HMACKey, info []byte) {
	var b [2 * BlockSize]byte
	t := (*[Size]byte)(b[:])
	counter := Size + copy(b[Size:], info)
	b[counter+1] = 0x80
	message := b[Size : Size+BlockSize]
	length := message[BlockSize-8:]
	binary.BigEndian.PutUint64(length, uint64(BlockSize+len(info)+1)<<3)
	for len(out) > 0 {
		b[counter]++
		hmac(t, &prk.Inner, &prk.Outer, message)
		out = out[copy(out, t[:]):]
		if b[counter] == 1 {
			clear(length)
			message = b[:]
			if counter+2 <= BlockSize-8 {
				message = b[:BlockSize]
			}
			binary.BigEndian.PutUint64(message[len(message)-8:], uint64(BlockSize+Size+len(info)+1)<<3)
		}
	}
	clear(b[:])
}

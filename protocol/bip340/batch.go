package bip340

import (
	"encoding/binary"
	"slices"

	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/keys"
)

// Signed is one signature with what it signs, for [VerifyBatch].
type Signed struct {
	PublicKey keys.PublicKey
	Message   []byte
	Signature [64]byte
}

// MaxBatch is the largest number of signatures that are verified together.
const MaxBatch = 512

// Figures are ratios of the time of one by one, on Zen 4 with the tier ifma, and in
// brackets with adx (go test -run '^$' -bench Study ./protocol/bip340, SEALWRIGHT_CPU=-ifma
// for the latter). Differences below 0.05 are not resolved.
const (
	// minBatch is the smallest number of signatures that are verified together. Two by as
	// many authors take 0.81 (0.96), and 1.25 (1.41) where one is wrong; two by one author
	// 0.66 (0.74) and 1.54 (1.65).
	minBatch = 2
	// A batch that does not hold is tried again in up to so many pieces. Of 512
	// signatures with one, two and all wrong, 8 pieces take 0.97, 1.06 and 1.43 (0.99,
	// 1.11 and 1.51), 4 pieces 1.01, 1.18 and 1.53, and 16 pieces 0.98, 1.03 and 1.37: too
	// little for nearly twice as many sums.
	pieces = 8
	// They have at least so many signatures. With two wrong of 64, pieces of 8 take 1.29
	// (1.40), and of 16 1.47; with all wrong of 24, 8 take 1.55 (1.63), and 4 1.77.
	minPiece = 8
	// Where they would be fewer than this, the signatures are verified one by one. With
	// all wrong of 24, 4 take 1.55 (1.63), and 3 1.95 (2.06); with one wrong of 32, 4 take
	// 1.37 (1.47), and 6 1.50.
	minPieces = 4
)

// VerifyBatch returns one answer for each item, in order, as [Verify] gives it, in about
// half the time where there are hundreds. Variable time; see [Batch] for the chance
// of an error, and what wrong signatures cost.
func VerifyBatch(items []Signed) []error {
	errs := make([]error, len(items))
	new(Batch).Verify(errs, items)
	return errs
}

// A Batch verifies many signatures together ("Batch Verification" of BIP-340). It keeps
// the memory that it works in, up to 1.5 MB, for the next call, and nothing else. One
// goroutine may use it at a time. The zero value is ready.
//
// All signatures Rᵢ, sᵢ of a batch are right when Σ aᵢ·(sᵢ·G − Rᵢ − eᵢ·Pᵢ) is infinity.
// The first aᵢ is 1, the others are numbers of 128 bits that whoever made the
// signatures cannot choose, being drawn from a hash of all of them. Where a signature
// is wrong, a sum is infinity with a probability of 2⁻¹²⁸ at most: whatever the other
// coefficients are, one value of its own at most can make it so; and if the first one alone
// is wrong, the sum is its error, and never infinity. Of a batch up to nine
// sums are tried, so whoever makes q batches in the hope of that has 9·q·2⁻¹²⁸.
//
// Where the sum is not infinity, four to eight pieces of the batch are tried, and those
// that do not hold are verified one by one; so are all that remain once two more pieces
// have failed than have held, and all of a batch of fewer than 32. ARCHITECTURE.md says
// what wrong signatures cost: about twice the time of [Verify] at worst.
type Batch struct {
	sum     curve.Sum
	entries []entry
	authors []author
	table   []int32             // of the authors, by key: an index and one, or zero
	points  []*secp256k1.Affine // to be lifted
	oks     []*bool             // of what these are
	found   []bool
	stream  []byte
	effort  effort
}

// An effort is what all answers of a Batch took. The answers do not tell, and tests look
// at it instead.
type effort struct {
	sums  int // equations that were tried
	alone int // well-formed signatures of batches that were verified one by one
}

// An entry is a signature that is well-formed, as far as that is known.
type entry struct {
	item   int
	author int
	ok     bool
	r      secp256k1.Affine
	s, e   secp256k1.Scalar
	a      [2]uint64 // the coefficient
}

type author struct {
	pub   keys.PublicKey
	p     secp256k1.Affine
	ok    bool             // pub is on the curve
	e     secp256k1.Scalar // the sum of the coefficients of P
	inSum bool
}

// Verify sets errs[i] to the answer for items[i], as the function [Verify] gives it.
// The two have the same length. Variable time.
func (b *Batch) Verify(errs []error, items []Signed) {
	for n := len(items); n > 0; n = len(items) {
		// Parts of about the same size.
		parts := (n + MaxBatch - 1) / MaxBatch
		n = (n + parts - 1) / parts
		if n < minBatch {
			for i := range n {
				errs[i] = Verify(items[i].PublicKey, items[i].Message, items[i].Signature)
			}
		} else {
			b.verify(errs[:n], items[:n])
		}
		errs, items = errs[n:], items[n:]
	}
}

func (b *Batch) verify(errs []error, items []Signed) {
	b.read(errs, items)
	if len(b.entries) >= minBatch {
		b.draw()
		if b.holds(b.entries) {
			return
		}
	}
	b.search(errs, items, pieces, minPiece, minPieces)
}

// read makes an entry of each signature that is well-formed, and answers the others.
func (b *Batch) read(errs []error, items []Signed) {
	b.entries, b.authors = b.entries[:0], b.authors[:0]
	clear(b.table)
	size := 2 * MaxBatch
	for size/4 >= len(items) {
		size /= 2
	}
	if len(b.table) < size {
		b.table = make([]int32, size)
	}
	for i := range items {
		b.entries = append(b.entries, entry{item: i, author: b.author(&items[i].PublicKey)})
	}
	for i := range b.authors {
		b.toLift(&b.authors[i].p, &b.authors[i].ok)
	}
	b.lift()
	for i := range b.entries {
		e := &b.entries[i]
		item := &items[e.item]
		e.ok = b.authors[e.author].ok &&
			equation(&e.s, &e.e, &item.PublicKey, item.Message, &item.Signature) &&
			e.r.X.SetBytes((*[32]byte)(item.Signature[:32]))
		b.toLift(&e.r, &e.ok)
	}
	b.lift()
	good := b.entries[:0]
	for i := range b.entries {
		e := &b.entries[i]
		switch {
		case !b.authors[e.author].ok:
			errs[e.item] = keys.ErrPublicKey
		case !e.ok:
			errs[e.item] = ErrSignature
		default:
			errs[e.item] = nil
			good = append(good, *e)
		}
	}
	b.entries = good
}

// author returns the number of the author with that key.
func (b *Batch) author(pub *keys.PublicKey) int {
	i := binary.LittleEndian.Uint32(pub[:])
	for ; ; i++ {
		at := &b.table[i%uint32(len(b.table))]
		if *at == 0 {
			a := author{pub: *pub}
			a.ok = a.p.X.SetBytes((*[32]byte)(pub))
			b.authors = append(b.authors, a)
			*at = int32(len(b.authors))
		}
		if b.authors[*at-1].pub == *pub {
			return int(*at - 1)
		}
	}
}

// toLift has lift find the Y of p if ok, and take ok back if there is none.
func (b *Batch) toLift(p *secp256k1.Affine, ok *bool) {
	if *ok {
		b.points, b.oks = append(b.points, p), append(b.oks, ok)
	}
}

// lift lifts the points of toLift, together.
func (b *Batch) lift() {
	b.found = slices.Grow(b.found[:0], len(b.points))[:len(b.points)]
	curve.LiftEach(b.points, b.found)
	for i, ok := range b.oks {
		*ok = b.found[i]
	}
	b.points, b.oks = b.points[:0], b.oks[:0]
}

// draw draws the coefficients. Each e is a hash of R, P and the message, so that the
// seed is a hash of everything.
func (b *Batch) draw() {
	var seed, word [32]byte
	var h sha256.Digest
	h.Reset()
	for i := range b.entries {
		e := &b.entries[i]
		e.e.PutBytes(&word)
		h.Write(word[:])
		e.s.PutBytes(&word)
		h.Write(word[:])
	}
	h.Sum(&seed)
	n := 16 * len(b.entries)
	if cap(b.stream) < n {
		b.stream = make([]byte, n)
	}
	stream := b.stream[:n]
	clear(stream)
	chacha20.XORKeyStream(stream, stream, &seed, new([chacha20.NonceSize]byte), 0)
	for i := range b.entries {
		a := stream[16*i:]
		b.entries[i].a = [2]uint64{binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(a[8:])}
	}
	b.entries[0].a = [2]uint64{1}
}

// holds reports whether the sum over these entries is infinity.
func (b *Batch) holds(entries []entry) bool {
	b.effort.sums++
	b.sum.Reset()
	var base secp256k1.Scalar
	for i := range entries {
		e := &entries[i]
		a := secp256k1.Scalar{e.a[0], e.a[1]}
		var t secp256k1.Scalar
		secp256k1.ScalarMul(&t, &a, &e.s)
		secp256k1.ScalarAdd(&base, &base, &t)
		b.sum.AddShort(&e.a, &e.r)
		secp256k1.ScalarMul(&t, &a, &e.e)
		p := &b.authors[e.author]
		if !p.inSum {
			p.inSum = true
			p.e = t
		} else {
			secp256k1.ScalarAdd(&p.e, &p.e, &t)
		}
	}
	secp256k1.ScalarNeg(&base, &base)
	b.sum.AddBase(&base)
	for i := range entries {
		if p := &b.authors[entries[i].author]; p.inSum {
			p.inSum = false
			b.sum.AddVartime(&p.e, &p.p)
		}
	}
	return b.sum.IsInfinityVartime()
}

// search finds the wrong ones among the entries, which do not hold, or are too few to
// be tried. The last three are the constants of these names; a study gives others.
func (b *Batch) search(errs []error, items []Signed, pieces, minPiece, minPieces int) {
	rest := b.entries
	size := max(minPiece, (len(rest)+pieces-1)/pieces)
	if len(rest) < minPieces*size {
		b.verifyEach(errs, items, rest)
		return
	}
	held, failed := 0, 0
	for len(rest) > 0 && failed < held+2 {
		piece := rest[:min(size, len(rest))]
		rest = rest[len(piece):]
		// The last piece does not hold if all others do.
		if (len(rest) > 0 || failed > 0) && b.holds(piece) {
			held++
			continue
		}
		failed++
		b.verifyEach(errs, items, piece)
	}
	b.verifyEach(errs, items, rest)
}

func (b *Batch) verifyEach(errs []error, items []Signed, entries []entry) {
	b.effort.alone += len(entries)
	for i := range entries {
		e := &entries[i]
		r := (*[32]byte)(items[e.item].Signature[:32])
		if !curve.VerifyVartime(&e.s, &e.e, &b.authors[e.author].p, r) {
			errs[e.item] = ErrSignature
		}
	}
}

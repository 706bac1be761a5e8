package bip340

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/keys"
)

// sameAsSingle checks a batch against Verify, item by item, and returns how many are
// wrong.
func sameAsSingle(t *testing.T, name string, b *Batch, items []Signed) (wrong int) {
	t.Helper()
	errs := make([]error, len(items))
	for i := range errs {
		errs[i] = errors.New("never answered")
	}
	b.Verify(errs, items)
	for i := range items {
		want := Verify(items[i].PublicKey, items[i].Message, items[i].Signature)
		if errs[i] != want {
			t.Fatalf("%s: item %d of %d: %v, alone %v", name, i, len(items), errs[i], want)
		}
		if want != nil {
			wrong++
		}
	}
	return wrong
}

// signers makes secret keys from a seed.
func signers(t testing.TB, r *rand.Rand, n int) (sks []*keys.SecretKey) {
	t.Helper()
	for range n {
		var b [32]byte
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		b[0] &= 0x7f
		sk, err := keys.NewSecretKey(b[:])
		if err != nil {
			t.Fatal(err)
		}
		sks = append(sks, sk)
	}
	return sks
}

// signed makes n items, signed by the keys in turn.
func signed(t testing.TB, r *rand.Rand, sks []*keys.SecretKey, n int) []Signed {
	t.Helper()
	items := make([]Signed, n)
	for i := range items {
		sk := sks[i%len(sks)]
		msg := fmt.Appendf(nil, "message %d, %d", i, r.Uint64())
		sig, err := SignWithAux(sk, msg, [32]byte{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		items[i] = Signed{sk.PublicKey(), msg, sig}
	}
	return items
}

// shift adds d to the s of a signature, or takes it away.
func shift(item *Signed, d uint64, minus bool) {
	var s secp256k1.Scalar
	s.SetBytes((*[32]byte)(item.Signature[32:]))
	delta := secp256k1.Scalar{d}
	if minus {
		secp256k1.ScalarNeg(&delta, &delta)
	}
	secp256k1.ScalarAdd(&s, &s, &delta)
	s.PutBytes((*[32]byte)(item.Signature[32:]))
}

// Each of the BIP's vectors at the beginning, in the middle and at the end of batches of
// good signatures, and all vectors together.
func TestBatchVectors(t *testing.T) {
	data := testkit.Vectors(t, "bip340-test-vectors.csv")
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 340))
	good := signed(t, r, signers(t, r, 7), 35)
	var b Batch
	var all []Signed
	bad := 0
	for _, row := range rows[1:] {
		v := Signed{testkit.Hex32(t, row[2]), testkit.Hex(t, row[4]), [64]byte(testkit.Hex(t, row[5]))}
		all = append(all, v)
		want := 0
		if row[6] == "FALSE" {
			want = 1
			bad++
		}
		for _, n := range []int{1, 4, 5, 17, 35} {
			for _, at := range []int{0, n / 2, n - 1} {
				items := slices.Clone(good[:n])
				items[at] = v
				if got := sameAsSingle(t, "row "+row[0], &b, items); got != want {
					t.Errorf("row %s at %d of %d: %d wrong", row[0], at, n, got)
				}
			}
		}
	}
	if got := sameAsSingle(t, "all rows", &b, all); got != bad || bad != 10 {
		t.Errorf("%d of all rows are wrong, want %d", got, bad)
	}
}

// Signatures spoiled in every way, as many as there may be, anywhere.
func TestBatchRandom(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := testkit.Rand(t)
		many, one := signers(t, r, 300), signers(t, r, 1)
		var b Batch
		total := 0
		for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 33, 65, 130, MaxBatch + 1} {
			for _, sks := range [][]*keys.SecretKey{many, many[:5], one} {
				good := signed(t, r, sks, n)
				for _, bad := range []int{0, 1, 2, n / 8, n} {
					if n > 65 && (bad > 2 || len(sks) != len(many)) && !testkit.Long() {
						continue
					}
					items := slices.Clone(good)
					for _, i := range r.Perm(n)[:min(bad, n)] {
						spoil(r, items, i)
					}
					total += sameAsSingle(t, fmt.Sprintf("%d spoiled", bad), &b, items)
				}
			}
		}
		if total == 0 {
			t.Error("none was wrong")
		}
	})
}

// spoil changes item i, so that most often it is wrong.
func spoil(r *rand.Rand, items []Signed, i int) {
	item, other := &items[i], items[r.IntN(len(items))]
	sig := &item.Signature
	switch r.IntN(12) {
	case 0:
		sig[r.IntN(32)] ^= 1 << r.IntN(8) // R
	case 1:
		sig[32+r.IntN(32)] ^= 1 << r.IntN(8) // s
	case 2:
		item.Message = append(slices.Clone(item.Message), 0)
	case 3:
		item.Message = other.Message
	case 4:
		item.PublicKey = other.PublicKey
	case 5:
		item.PublicKey[31-r.IntN(8)] ^= 1 // half of these do not lift
	case 6:
		copy(sig[:32], other.Signature[:32])
	case 7:
		copy(sig[32:], other.Signature[32:])
	case 8: // −s
		var s secp256k1.Scalar
		s.SetBytes((*[32]byte)(sig[32:]))
		secp256k1.ScalarNeg(&s, &s)
		s.PutBytes((*[32]byte)(sig[32:]))
	case 9: // s or R out of range
		for j := range 32 {
			sig[j+32*r.IntN(2)] = 0xff
		}
	case 10: // R = P
		copy(sig[:32], item.PublicKey[:])
	case 11:
		*sig = [64]byte{}
	}
}

// Errors that cancel each other where all coefficients are equal, or those of a pair:
// only coefficients that nobody knows beforehand tell them.
func TestBatchCancelling(t *testing.T) {
	r := testkit.Rand(t)
	for _, sks := range [][]*keys.SecretKey{signers(t, r, 9), signers(t, r, 1)} {
		for _, n := range []int{4, 5, 20, 40} {
			good := signed(t, r, sks, n)
			var b Batch
			for _, pair := range [][2]int{{0, 1}, {0, n - 1}, {n - 2, n - 1}, {n / 2, n/2 + 1}} {
				i, j := pair[0], pair[1]
				for _, minus := range []bool{true, false} {
					items := slices.Clone(good)
					shift(&items[i], 5, false)
					shift(&items[j], 5, minus)
					if got := sameAsSingle(t, "two errors", &b, items); got != 2 {
						t.Errorf("%d are wrong", got)
					}
				}
				// Two signatures that swapped their s, and one twice with opposite errors.
				items := slices.Clone(good)
				items[i].Signature, items[j].Signature = items[j].Signature, items[i].Signature
				sameAsSingle(t, "swapped", &b, items)
				items = slices.Clone(good)
				items[j] = items[i]
				if got := sameAsSingle(t, "twice the same", &b, items); got != 0 {
					t.Errorf("%d are wrong", got)
				}
				shift(&items[i], 1, false)
				shift(&items[j], 1, true)
				if got := sameAsSingle(t, "opposite errors in the same", &b, items); got != 2 {
					t.Errorf("%d are wrong", got)
				}
			}
		}
	}
}

// Nonces and keys that are equal or opposite points, so that a sum meets them again.
func TestBatchDegenerate(t *testing.T) {
	r := testkit.Rand(t)
	sk := signers(t, r, 1)[0]
	other := signers(t, r, 1)[0]
	var d secp256k1.Scalar
	if err := sk.CopyEvenScalar(&d); err != nil {
		t.Fatal(err)
	}
	// withNonce signs with the nonce ±k that has even y, x being that of kG.
	withNonce := func(k *secp256k1.Scalar, x [32]byte, msg byte) Signed {
		item := Signed{PublicKey: sk.PublicKey(), Message: []byte{msg}}
		copy(item.Signature[:32], x[:])
		var e secp256k1.Scalar
		challenge(&e, &x, &item.PublicKey, item.Message)
		secp256k1.ScalarMul(&e, &e, &d)
		secp256k1.ScalarAdd(&e, &e, k)
		e.PutBytes((*[32]byte)(item.Signature[32:]))
		return item
	}
	var items []Signed
	for i := range 40 {
		// R = P: the nonce is the key itself. And R = −P, with odd y, is wrong.
		items = append(items, withNonce(&d, sk.PublicKey(), byte(i)))
	}
	var b Batch
	for _, n := range []int{4, 6, 20, 40} {
		if got := sameAsSingle(t, "R = P", &b, items[:n]); got != 0 {
			t.Errorf("R = P: %d of %d are wrong", got, n)
		}
		var minus secp256k1.Scalar
		secp256k1.ScalarNeg(&minus, &d)
		mixed := slices.Clone(items[:n])
		mixed[n/2] = withNonce(&minus, sk.PublicKey(), 99)
		if got := sameAsSingle(t, "R = −P", &b, mixed); got != 1 {
			t.Errorf("R = −P: %d of %d are wrong", got, n)
		}
		// One item again and again.
		mixed = slices.Repeat(items[:1], n)
		if got := sameAsSingle(t, "one item", &b, mixed); got != 0 {
			t.Errorf("one item %d times: %d are wrong", n, got)
		}
		// s = 0: R = −eP cannot be met; all are wrong, and the sum is of R and P alone.
		for i := range mixed {
			clear(mixed[i].Signature[32:])
			mixed[i].PublicKey = []keys.PublicKey{sk.PublicKey(), other.PublicKey()}[i%2]
		}
		if got := sameAsSingle(t, "s = 0", &b, mixed); got != n {
			t.Errorf("s = 0: %d of %d are wrong", got, n)
		}
	}
}

// Answers alone do not tell whether a batch holds: it is searched where it does not.
func TestBatchHolds(t *testing.T) {
	r := testkit.Rand(t)
	for _, authors := range []int{1, 3, 200} {
		good := signed(t, r, signers(t, r, authors), 200)
		for _, n := range []int{1, 4, 20, 200} {
			items, errs := slices.Clone(good[:n]), make([]error, n)
			var b Batch
			holds := func(name string, want bool) {
				t.Helper()
				b.read(errs, items)
				b.draw()
				if got := b.holds(b.entries); got != want || len(b.entries) != n {
					t.Errorf("%s, %d authors: %d of %d hold: %v", name, authors, len(b.entries), n, got)
				}
			}
			holds("good", true)
			shift(&items[n/2], 1, false)
			holds("one wrong", false)
			items[n/2] = good[n/2]
			holds("good again", true)
			if first := b.entries[:n/2]; !b.holds(first) || !b.holds(b.entries[n/2:]) {
				t.Errorf("%d authors: the halves of %d do not hold", authors, n)
			}
		}
	}
}

// Which pieces of a batch hold, in every way that decides how the search goes on.
func TestBatchPieces(t *testing.T) {
	r := testkit.Rand(t)
	good := signed(t, r, signers(t, r, 3), 64)
	var b Batch
	step := 1
	if testing.Short() {
		step = 7
	}
	for pattern := 0; pattern < 1<<pieces; pattern += step {
		items := slices.Clone(good)
		wrong := 0
		for i := range pieces {
			if pattern>>i&1 != 0 {
				items[8*i+r.IntN(8)].Signature[63] ^= 1
				wrong++
			}
		}
		errs := make([]error, len(items))
		b.effort = effort{}
		b.Verify(errs, items)
		if b.effort.sums > 9 { // as Batch promises
			t.Errorf("pattern %b: %d sums are tried", pattern, b.effort.sums)
		}
		for i, err := range errs {
			if changed := items[i].Signature != good[i].Signature; changed != (err != nil) {
				t.Fatalf("pattern %b: item %d: %v", pattern, i, err)
			}
		}
	}
}

// How often the equation is tried, and how many signatures are verified one by one: a
// search in another order gives the same answers. The numbers follow from the comment of
// Batch. In the results, h is a piece that holds, F one that fails, and | where the
// search ends because of two more F than h: what remains is verified one by one. Where
// all but the last piece hold, the last fails without being tried: (F).
func TestBatchEffort(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 340))
	good := signed(t, r, signers(t, r, 3), 2*MaxBatch)
	malformed := func(item *Signed) { item.Signature = [64]byte{} } // no point has x = 0
	wrong := func(item *Signed) { shift(item, 1, false) }
	for _, c := range []struct {
		n           int
		spoil       func(*Signed)
		at          []int // spoiled
		sums, alone int
	}{
		// One is no batch.
		{0, nil, nil, 0, 0},
		{1, nil, nil, 0, 0},
		{1, wrong, []int{0}, 0, 0},
		// One batch is tried once if it holds: up to 512, and beyond that two parts.
		{2, nil, nil, 1, 0},
		{31, nil, nil, 1, 0},
		{512, nil, nil, 1, 0},
		{513, nil, nil, 2, 0},
		{1024, nil, nil, 2, 0},
		// Fewer than 32 have no pieces.
		{2, wrong, []int{0}, 1, 2},
		{31, wrong, []int{30}, 1, 31},
		// 32 are 4 pieces of 8: Fhhh, hhh(F), FF|.
		{32, wrong, []int{7}, 1 + 4, 8},
		{32, wrong, []int{24}, 1 + 3, 8},
		{32, wrong, []int{0, 8}, 1 + 2, 32},
		// 33 are 4 of 8 and one of 1: Fhhhh, hhhh(F).
		{33, wrong, []int{0}, 1 + 5, 8},
		{33, wrong, []int{32}, 1 + 4, 1},
		// 65 are 7 pieces of 9 and one of 2: Fhhhhhhh, hhhhhhh(F).
		{65, wrong, []int{8}, 1 + 8, 9},
		{65, wrong, []int{63}, 1 + 7, 2},
		// 64 are 8 pieces of 8.
		{64, wrong, []int{0}, 1 + 8, 8},                         // Fhhhhhhh
		{64, wrong, []int{0, 7}, 1 + 8, 8},                      // the same
		{64, wrong, []int{48}, 1 + 8, 8},                        // hhhhhhFh
		{64, wrong, []int{56}, 1 + 7, 8},                        // hhhhhhh(F)
		{64, wrong, []int{0, 8}, 1 + 2, 64},                     // FF|
		{64, wrong, []int{0, 16}, 1 + 8, 16},                    // FhFhhhhh
		{64, wrong, []int{0, 56}, 1 + 8, 16},                    // FhhhhhhF
		{64, wrong, []int{0, 16, 24}, 1 + 4, 24 + 32},           // FhFF|
		{64, wrong, []int{8, 16, 24}, 1 + 4, 24 + 32},           // hFFF|
		{64, wrong, []int{16, 24, 32, 40}, 1 + 6, 32 + 16},      // hhFFFF|
		{64, wrong, []int{0, 24, 32, 40}, 1 + 6, 32 + 16},       // FhhFFF|
		{64, wrong, []int{0, 16, 32, 48}, 1 + 8, 32},            // FhFhFhFh
		{64, wrong, []int{24, 32, 40, 48, 56}, 1 + 8, 40},       // hhhFFFFF
		{64, wrong, []int{0, 8, 16, 24, 32, 40, 48}, 1 + 2, 64}, // FF|
		{512, wrong, []int{511}, 1 + 7, 64},                     // hhhhhhh(F) of 64
		{513, wrong, []int{0}, 1 + 8 + 1, 33},                   // 257 and 256; Fhhhhhhh of 33, the last of 26
		{1024, wrong, []int{0, 512}, 1 + 8 + 1 + 8, 64 + 64},    // Fhhhhhhh of 64, twice
		// What is malformed is no part of the equation.
		{2, malformed, []int{1}, 0, 1},
		{3, malformed, []int{1}, 1, 0},
		{64, malformed, []int{0, 20, 63}, 1, 0},
	} {
		items, errs := slices.Clone(good[:c.n]), make([]error, c.n)
		for _, i := range c.at {
			c.spoil(&items[i])
		}
		var b Batch
		b.Verify(errs, items)
		if want := (effort{c.sums, c.alone}); b.effort != want {
			t.Errorf("%d signatures, %v spoiled: %+v, want %+v", c.n, c.at, b.effort, want)
		}
		for i, err := range errs {
			if (err != nil) != slices.Contains(c.at, i) {
				t.Errorf("%d signatures, %v spoiled: item %d: %v", c.n, c.at, i, err)
			}
		}
	}
}

// A Batch keeps up to 1.5 MB, as its comment says: by as many authors as signatures,
// which is the most, held or searched, at once or after smaller ones.
func TestBatchMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 340))
	good := signed(t, r, signers(t, r, 512), 512)
	bad := slices.Clone(good)
	shift(&bad[511], 1, false)
	errs := make([]error, 512)
	for name, start := range map[string]int{"at once": 512, "growing": 4} {
		before := testkit.Heap()
		b := new(Batch)
		for n := start; ; n = min(n+n/8+1, 512) {
			b.Verify(errs[:n], good[:n])
			b.Verify(errs[:n], bad[512-n:])
			if n == 512 {
				break
			}
		}
		kept := int64(testkit.Heap() - before)
		t.Logf("%s: %d KB", name, kept/1000)
		if kept > 1_500_000 {
			t.Errorf("%s: a batch keeps %d bytes", name, kept)
		}
		runtime.KeepAlive(b)
	}
}

// The first coefficient is one, the others are drawn anew when anything changes.
func TestBatchCoefficients(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 340))
	items := signed(t, r, signers(t, r, 2), 8)
	draw := func(items []Signed) (a [][2]uint64) {
		var b Batch
		b.read(make([]error, len(items)), items)
		b.draw()
		for i := range b.entries {
			a = append(a, b.entries[i].a)
		}
		return a
	}
	first := draw(items)
	if len(first) != len(items) || first[0] != [2]uint64{1} {
		t.Fatalf("%x", first)
	}
	if !slices.Equal(first, draw(items)) {
		t.Error("the same batch has other coefficients")
	}
	seen := map[uint64]bool{}
	note := func(a [][2]uint64) {
		t.Helper()
		if len(a) != len(items) || a[0] != [2]uint64{1} {
			t.Fatalf("%x", a)
		}
		for _, k := range a[1:] {
			for _, half := range k {
				if seen[half] || half == 0 {
					t.Errorf("half of %x is drawn again, or none", k)
				}
				seen[half] = true
			}
		}
	}
	note(first)
	for i := range items {
		for _, change := range []func(item *Signed){
			func(item *Signed) { item.Message = []byte("another") },
			func(item *Signed) { item.PublicKey = items[1-i%2].PublicKey },
			func(item *Signed) { shift(item, 1, false) },
			func(item *Signed) { copy(item.Signature[:32], items[(i+1)%8].Signature[:32]) },
		} {
			changed := slices.Clone(items)
			change(&changed[i])
			note(draw(changed))
		}
	}
}

// Keys whose first bytes, by which authors are found, are the same.
func TestBatchAuthors(t *testing.T) {
	var b Batch
	b.table = make([]int32, 2*MaxBatch)
	var pubs []keys.PublicKey
	for i := range MaxBatch {
		pubs = append(pubs, keys.PublicKey{31: byte(i), 30: byte(i >> 8), 0: byte(i & 1), 3: 0xff})
	}
	for range 2 {
		for i, pub := range pubs {
			if got := b.author(&pub); got != i {
				t.Fatalf("author %d is %d", i, got)
			}
		}
	}
	for i := range b.authors {
		b.toLift(&b.authors[i].p, &b.authors[i].ok)
	}
	b.lift()
	for i, pub := range pubs {
		var p secp256k1.Affine
		want := pub.Lift(&p)
		if a := &b.authors[i]; a.ok != (want == nil) || a.ok && a.p != p {
			t.Fatalf("author %d: %v %x, want %v %x", i, a.ok, a.p, want, p)
		}
	}
}

// A batch that is used again allocates nothing.
func TestBatchAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 340))
	items := signed(t, r, signers(t, r, 50), 600)
	var b Batch
	errs := make([]error, len(items))
	for _, n := range []int{600, 100, 10, 1} {
		testkit.Allocs(t, fmt.Sprint("a batch of ", n), 0, func() { b.Verify(errs[:n], items[:n]) })
	}
}

func FuzzBatch(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 340))
	good := signed(f, r, append(signers(f, r, 20), signers(f, r, 1)...), 60)
	f.Add([]byte{0}, uint64(1), uint8(4))
	f.Add([]byte{3, 7, 9}, uint64(2), uint8(40))
	f.Add([]byte{}, uint64(3), uint8(60))
	var b Batch
	f.Fuzz(func(t *testing.T, places []byte, seed uint64, n uint8) {
		r := rand.New(rand.NewPCG(seed, 341))
		items := slices.Clone(good[:1+int(n)%len(good)])
		for i := range items {
			if r.IntN(4) == 0 {
				items[i] = good[r.IntN(len(good))]
			}
		}
		for _, at := range places[:min(len(places), 20)] {
			spoil(r, items, int(at)%len(items))
		}
		sameAsSingle(t, "fuzzing", &b, items)
	})
}

func BenchmarkBatch(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 340))
	many, one := signed(b, r, signers(b, r, MaxBatch), MaxBatch), signed(b, r, signers(b, r, 1), MaxBatch)
	errs := make([]error, MaxBatch)
	for _, c := range []struct {
		authors string
		items   []Signed
		wrong   int
	}{{"many", many, 0}, {"one", one, 0}, {"many", many, 1}, {"many", many, 2}, {"many", many, MaxBatch}} {
		for _, n := range []int{1, 4, 10, 31, 32, 64, MaxBatch} {
			wrong := min(c.wrong, n)
			b.Run(fmt.Sprintf("n=%d/authors=%s/wrong=%d", n, c.authors, wrong), func(b *testing.B) {
				var batch Batch
				items := slices.Clone(c.items[:n])
				for b.Loop() {
					at := r.Perm(n)[:wrong]
					for _, i := range at {
						items[i].Signature[63] ^= 1
					}
					batch.Verify(errs[:n], items)
					for _, i := range at {
						items[i].Signature[63] ^= 1
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/signature")
			})
		}
	}
}

// BenchmarkStudy measures other constants than those of batch.go. It prints the time of
// each and its ratio to the first, of minima over rounds in which all take turns, as mean
// of some placements of the wrong signatures.
func BenchmarkStudy(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 340))
	many, one := signed(b, r, signers(b, r, MaxBatch), MaxBatch), signed(b, r, signers(b, r, 1), MaxBatch)
	errs := make([]error, MaxBatch)
	type studied struct {
		name string
		run  func(items []Signed)
	}
	study := func(name string, items []Signed, wrong int, all ...studied) {
		b.Run(fmt.Sprintf("%s,signatures=%d,wrong=%d", name, len(items), wrong), func(b *testing.B) {
			for b.Loop() {
				const placements = 16
				sums := make([]time.Duration, len(all))
				for at := range placements {
					items := slices.Clone(items)
					// One anywhere, the others at random.
					first := (2*at + 1) * len(items) / (2 * placements)
					for _, i := range append([]int{first}, r.Perm(len(items))...)[:wrong] {
						items[i].Signature = many[0].Signature
					}
					best := slices.Repeat([]time.Duration{time.Hour}, len(all))
					for range max(4, 1000/len(items)) {
						for i, s := range all {
							start := time.Now()
							s.run(items)
							best[i] = min(best[i], time.Since(start))
						}
					}
					for i := range best {
						sums[i] += best[i]
					}
				}
				fmt.Println()
				for i, s := range all {
					mean := float64(sums[i].Nanoseconds()) / placements
					fmt.Printf("%-30s %8.2f µs %.3f\n", s.name, mean/1000, float64(sums[i])/float64(sums[0]))
				}
			}
		})
	}

	var batch Batch
	alone := studied{"one by one", func(items []Signed) {
		for i := range items {
			errs[i] = Verify(items[i].PublicKey, items[i].Message, items[i].Signature)
		}
	}}
	by := func(pieces, minPiece, minPieces int) studied {
		name := fmt.Sprintf("pieces %d, at least %d of %d", pieces, minPieces, minPiece)
		return studied{name, func(items []Signed) {
			errs := errs[:len(items)]
			batch.read(errs, items)
			batch.draw()
			if !batch.holds(batch.entries) {
				batch.search(errs, items, pieces, minPiece, minPieces)
			}
		}}
	}
	chosen := by(pieces, minPiece, minPieces)
	for _, n := range []int{2, 3, 4} {
		for _, wrong := range []int{0, 1, n} {
			study("part=minBatch,authors=many", many[:n], wrong, alone, chosen)
			study("part=minBatch,authors=one", one[:n], wrong, alone, chosen)
		}
	}
	// Authors of whom a Verifier is kept, as an identity keeps it.
	verifiers := map[keys.PublicKey]*Verifier{}
	for _, item := range many[:64] {
		v, err := NewVerifier(item.PublicKey)
		if err != nil {
			b.Fatal(err)
		}
		verifiers[item.PublicKey] = v
	}
	known := studied{"one by one, by verifiers", func(items []Signed) {
		for i := range items {
			errs[i] = verifiers[items[i].PublicKey].Verify(items[i].Message, items[i].Signature)
		}
	}}
	for _, n := range []int{4, 8, 16, 32, 64} {
		study("part=known,authors=many", many[:n], 0, known, chosen)
		study("part=known,authors=half", slices.Concat(many[:n/2], many[:n/2]), 0, known, chosen)
	}
	for _, n := range []int{24, 32, 64, MaxBatch} {
		for _, wrong := range []int{1, 2, n} {
			study("part=search,authors=many", many[:n], wrong, alone, chosen,
				by(4, 8, 4), by(16, 8, 4), by(8, 4, 4), by(8, 16, 4), by(8, 8, 3), by(8, 8, 6))
		}
	}
}

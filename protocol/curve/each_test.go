package curve

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// checkECDHEach multiplies points by k; one that is not there is none with the x of its own.
func checkECDHEach(t *testing.T, k *big.Int, x, want [][32]byte) {
	t.Helper()
	s, shared, ok := scalar(k), make([][32]byte, len(x)), make([]bool, len(x))
	for i := range shared {
		shared[i], ok[i] = [32]byte{1}, i%2 == 0
	}
	before := slices.Clone(x)
	ECDHEach(shared, ok, &s, x)
	for i := range x {
		if shared[i] != want[i] || ok[i] != (want[i] != [32]byte{}) {
			t.Fatalf("ECDHEach(%x) of %d, %d: %x, %v, want %x", k, len(x), i, shared[i], ok[i], want[i])
		}
	}
	if s != scalar(k) || !slices.Equal(x, before) {
		t.Fatal("ECDHEach changed an argument")
	}
	if ECDHEach(x, ok, &s, x); !slices.Equal(x, want) {
		t.Fatalf("ECDHEach(%x) in place: %x, want %x", k, x, want)
	}
}

func TestECDHEach(t *testing.T) {
	testkit.EachTier(t, "secp256k1", func(t *testing.T) {
		r := newRand()
		edges := nonZeroEdges()
		for n := range 2*secp256k1.Lanes + 2 {
			for missing := range 3 {
				k := random(r)
				if missing == 1 {
					k = edges[n%len(edges)]
				}
				var x, want [][32]byte
				for i := range n {
					switch {
					case missing == 2:
						x, want = append(x, bytes32(new(big.Int))), append(want, [32]byte{})
					case r.IntN(3) < missing:
						x, want = append(x, bytes32(add(bigP, big.NewInt(int64(i))))), append(want, [32]byte{})
					default:
						p := bigG.mul(random(r))
						x, want = append(x, bytes32(p.x)), append(want, bytes32(p.mul(k).x))
					}
				}
				checkECDHEach(t, k, x, want)
			}
		}
	})
}

// The cases of [TestECDHSmallHalves], and zero.
func TestECDHEachSmallHalves(t *testing.T) {
	const limit = 36
	p := bigG.mul(number("5eed"))
	x := slices.Repeat([][32]byte{bytes32(p.x)}, minLanes)
	var rows, columns [2*limit + 1]point
	for i := range rows {
		rows[i] = p.mul(big.NewInt(int64(i - limit)))
		columns[i] = rows[i].mul(bigLambda)
	}
	for i := range rows {
		for j := range columns {
			if i == limit && j == limit {
				continue
			}
			k := add(big.NewInt(int64(i-limit)), mul(big.NewInt(int64(j-limit)), bigLambda))
			want := bytes32(rows[i].add(columns[j]).x)
			checkECDHEach(t, mod(k, bigN), slices.Clone(x), slices.Repeat([][32]byte{want}, minLanes))
		}
	}
	var zero secp256k1.Scalar
	shared, ok := slices.Clone(x), make([]bool, len(x))
	if ECDHEach(shared, ok, &zero, x); slices.ContainsFunc(shared, func(s [32]byte) bool { return s != [32]byte{} }) {
		t.Errorf("ECDHEach with zero: %x", shared)
	}
}

// From how many on points go side by side, and what each takes.
func BenchmarkECDHEach(b *testing.B) {
	r := newRand()
	k := scalar(random(r))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8} {
		x, shared, ok := make([][32]byte, n), make([][32]byte, n), make([]bool, n)
		for i := range x {
			x[i] = bytes32(bigG.mul(random(r)).x)
		}
		for _, together := range []bool{false, true} {
			if together && !secp256k1.HasLanes() {
				continue
			}
			b.Run(fmt.Sprintf("n=%d/together=%v", n, together), func(b *testing.B) {
				for b.Loop() {
					if together {
						ecdhLanes(shared, ok, &k, x)
						continue
					}
					for i := range x {
						ECDH(&shared[i], &k, &x[i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/each")
			})
		}
	}
}

package bench

import (
	"crypto/sha256"
	"math"
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// The primitives of field, scalars and group: in chains, each result the input of
// the next step, where a step is too short to be timed alone. The time is that of
// a step.
const chain = 1000

// Two numbers below both moduli, and the moduli.
var (
	numberX = low("x")
	numberY = low("y")
	fieldP  = secp256k1.S256().P
	groupN  = secp256k1.S256().N
)

func low(name string) [32]byte {
	b := sha256.Sum256([]byte(name))
	b[0] = 0
	return b
}

func number(b [32]byte) *big.Int { return new(big.Int).SetBytes(b[:]) }

func bytes32(v *big.Int) (b [32]byte) {
	v.FillBytes(b[:])
	return b
}

// steps is a row of steps in a chain. Its result is what want tells.
func steps(want func() *big.Int, n int, run func() [32]byte) *work {
	var got [32]byte
	return &work{
		events: n,
		op:     func(int) { got = run() },
		check: func(int) error {
			b := bytes32(want())
			return same(got[:], b[:])
		},
	}
}

// What the chains have to end with: x·y^chain modulo m, x^(2^chain), 1/x, the root
// of x² that is not larger than the other, and the x-coordinates of 2^chain·A and of
// A + chain·B, where A is alice's point and B bob's of even y.
func power(m *big.Int) *big.Int {
	e := new(big.Int).Exp(number(numberY), big.NewInt(chain), m)
	return e.Mod(e.Mul(e, number(numberX)), m)
}

func squared() *big.Int {
	return new(big.Int).Exp(number(numberX), new(big.Int).Lsh(big.NewInt(1), chain), fieldP)
}

func inverse() *big.Int { return new(big.Int).ModInverse(number(numberX), fieldP) }

func root() *big.Int { return number(numberX) } // x is below 2²⁴⁸

// multiple is the x-coordinate of k·G, by decred.
func multiple(k *big.Int) *big.Int {
	x, _ := secp256k1.S256().ScalarBaseMult(new(big.Int).Mod(k, groupN).Bytes())
	return x
}

func doubled() *big.Int { return multiple(new(big.Int).Lsh(number(alice.secret), chain)) }

func summed() *big.Int {
	k := new(big.Int).Mul(number(evenSecret(bob)), big.NewInt(chain))
	return multiple(k.Add(k, number(alice.secret)))
}

// lookedUp is the x-coordinate at the end of a chain of look-ups in a table of G, 2G, …
// n·G, of which each result tells the next index.
func lookedUp(n int) *big.Int {
	table := make([]*big.Int, n)
	for i := range table {
		table[i] = multiple(big.NewInt(int64(i) + 1))
	}
	x := new(big.Int)
	for i := range uint64(chain) {
		low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		x = table[(low+i)%uint64(n)]
	}
	return x
}

// evenSecret is the secret of the point of even y with the person's x-coordinate.
func evenSecret(p person) [32]byte {
	if secp256k1.PrivKeyFromBytes(p.secret[:]).PubKey().SerializeCompressed()[0] == 2 {
		return p.secret
	}
	return bytes32(new(big.Int).Sub(groupN, number(p.secret)))
}

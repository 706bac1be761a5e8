// Subject does one operation as often as it is told, for arm64model, which runs it
// under qemu:
//
//	subject tiers         # the tier of each kernel
//	subject OP N INPUTS   # OP N times, and print the last answer
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"

	xchacha20 "golang.org/x/crypto/chacha20"

	"github.com/sealwright/sealwright/kernels/base64"
	"github.com/sealwright/sealwright/kernels/chacha20"
	"github.com/sealwright/sealwright/kernels/cpu"
	"github.com/sealwright/sealwright/kernels/etm"
	"github.com/sealwright/sealwright/kernels/secp256k1"
	kernel "github.com/sealwright/sealwright/kernels/sha256"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/curve"
	"github.com/sealwright/sealwright/protocol/keys"
)

// size is how many bytes an operation on bytes has: a multiple of what one pass of each
// kernel's loop takes, but of etm's, which leaves 128 to the other two.
const size = 12 << 10

// input is a record of what arm64model writes.
type input struct {
	secret, pub, peer, msg [32]byte
	sig                    [64]byte
}

// operations make what does the operation once, on input i, and returns the answer.
var operations = map[string]func([]input) func(i int) []byte{
	"ecdh": func(in []input) func(int) []byte {
		var x [32]byte
		return func(i int) []byte {
			var k secp256k1.Scalar
			must(k.SetBytes(&in[i].secret) && curve.ECDH(&x, &k, &in[i].peer))
			return x[:]
		}
	},
	// The signature depends on chance, the answer does not.
	"sign": func(in []input) func(int) []byte {
		secrets := make([]*keys.SecretKey, len(in))
		for i := range in {
			secrets[i], _ = keys.NewSecretKey(in[i].secret[:])
			secrets[i].PublicKey()
		}
		return func(i int) []byte {
			_, err := bip340.Sign(secrets[i], in[i].msg[:])
			must(err == nil)
			return []byte{1}
		}
	},
	"verify": func(in []input) func(int) []byte {
		return func(i int) []byte {
			must(bip340.Verify(in[i].pub, in[i].msg[:], in[i].sig) == nil)
			return []byte{1}
		}
	},
	"chacha20": onBytes(func(in *input, b []byte) []byte {
		chacha20.XORKeyStream(b, b, &in.secret, new([12]byte), 0)
		return b
	}),
	"peer-chacha20": onBytes(func(in *input, b []byte) []byte {
		c, err := xchacha20.NewUnauthenticatedCipher(in.secret[:], make([]byte, 12))
		must(err == nil)
		c.XORKeyStream(b, b)
		return b
	}),
	"sha256":          onBytes(hash),
	"sha256-neon":     onTier("sha256", "neon", onBytes(hash)),
	"sha256-portable": onTier("sha256", cpu.Portable, onBytes(hash)),
	"peer-sha256": onBytes(func(in *input, b []byte) []byte {
		sum := sha256.Sum256(b)
		return append(b[:0], sum[:]...)
	}),
	// The message is not what is encrypted, as the output may share no memory with it.
	"etm": func(in []input) func(int) []byte {
		b, message := make([]byte, size), make([]byte, size)
		var k kernel.HMACKey
		return func(i int) []byte {
			var mac kernel.HMAC
			var tag [kernel.Size]byte
			k.Init(in[i].secret[:])
			mac.Init(&k)
			etm.XORKeyStreamWrite(b, b, &in[i].secret, new([12]byte), 0, &mac, message)
			mac.Sum(&tag)
			return append(tag[:], b[:32]...)
		}
	},
	"encode": func([]input) func(int) []byte {
		data, text := make([]byte, size), make([]byte, base64.EncodedLen(size))
		return func(int) []byte {
			base64.Encode(text, data)
			return text[:4]
		}
	},
	"decode": func([]input) func(int) []byte {
		data := make([]byte, size)
		text := base64.AppendEncode(nil, data)
		return func(int) []byte {
			_, ok := base64.Decode(data, text)
			must(ok)
			return data[:4]
		}
	},
}

// onBytes is an operation on a buffer that keeps what the one before left in it.
func onBytes(f func(in *input, b []byte) []byte) func([]input) func(int) []byte {
	return func(in []input) func(int) []byte {
		b := make([]byte, size)
		return func(i int) []byte { return f(&in[i], b) }
	}
}

func hash(in *input, b []byte) []byte {
	sum := kernel.Sum256(b)
	return append(b[:0], sum[:]...)
}

// onTier is an operation on another tier of a kernel than the one that is chosen.
func onTier(kernel, tier string, operation func([]input) func(int) []byte) func([]input) func(int) []byte {
	return func(in []input) func(int) []byte {
		cpu.Force(program{}, kernel, tier)
		return operation(in)
	}
}

// program is a cpu.TB whose end is that of the program.
type program struct{}

func (program) Helper()                           {}
func (program) Cleanup(func())                    {}
func (program) Fatalf(format string, args ...any) { log.Panicf(format, args...) }

// init keeps main on the first thread, which is the one that is counted.
func init() { runtime.LockOSThread() }

func main() {
	log.SetFlags(0)
	// Nothing collects what an operation leaves.
	debug.SetGCPercent(-1)
	if len(os.Args) == 2 && os.Args[1] == "tiers" {
		info, err := cpu.Report()
		must(err == nil)
		for _, k := range info.Kernels {
			for _, t := range k.Tiers {
				if t.Selected {
					fmt.Println(k.Name, t.Name)
				}
			}
		}
		return
	}
	must(len(os.Args) == 4 && operations[os.Args[1]] != nil)
	n, err := strconv.Atoi(os.Args[2])
	must(err == nil)
	file, err := os.ReadFile(os.Args[3])
	must(err == nil)
	var in []input
	for b := file; len(b) > 0; {
		var r input
		for _, part := range [][]byte{r.secret[:], r.pub[:], r.peer[:], r.msg[:], r.sig[:]} {
			b = b[copy(part, b):]
		}
		in = append(in, r)
	}
	operation := operations[os.Args[1]](in)
	operation(0) // what is done once, and the first time alone
	fmt.Printf("%x\n", measured(n, operation))
}

// measured is what arm64model follows.
//
//go:noinline
func measured(n int, operation func(i int) []byte) (answer []byte) {
	for i := range n {
		answer = operation(i)
	}
	return answer
}

func must(ok bool) {
	if !ok {
		log.Panicf("subject %q failed", os.Args[1:])
	}
}

//go:build counted

package bench

import (
	"fmt"
	"testing"

	"github.com/sealwright/sealwright/kernels/secp256k1"
)

// TestSteps prints how often the operations of the curve call the kernel, the mean of
// the inputs that are timed. The tag is for the test of the report's steps alone,
// which builds this with a kernel that counts.
func TestSteps(t *testing.T) {
	for _, row := range []string{"ECDH", "BaseMult", "SchnorrSign", "SchnorrVerify", "SchnorrVerifyKnown"} {
		w := sealwright.rows[row](params{})
		inputs := max(w.inputs, 1)
		w.op(0) // which makes the tables of first use
		clear(secp256k1.Calls)
		for i := range inputs {
			w.op(i)
		}
		for call, n := range secp256k1.Calls {
			fmt.Printf("calls: %s %s %g\n", row, call, float64(n)/float64(inputs))
		}
	}
}

// Asm generates the assembly of the kernels, and the Go declarations that belong to it.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/sealwright/sealwright/asm/base64"
	"github.com/sealwright/sealwright/asm/chacha20"
	"github.com/sealwright/sealwright/asm/cpu"
	"github.com/sealwright/sealwright/asm/emit"
	"github.com/sealwright/sealwright/asm/etm"
	"github.com/sealwright/sealwright/asm/secp256k1"
	"github.com/sealwright/sealwright/asm/sha256"
)

// kernels are the packages of kernels/ that have assembly.
var kernels = map[string]emit.Kernel{
	"base64":    {AMD64: base64.AMD64, ARM64: base64.ARM64},
	"chacha20":  {AMD64: chacha20.AMD64, ARM64: chacha20.ARM64},
	"cpu":       {AMD64: cpu.AMD64},
	"etm":       {AMD64: etm.AMD64, ARM64: etm.ARM64},
	"secp256k1": {AMD64: secp256k1.AMD64, ARM64: secp256k1.ARM64},
	"sha256":    {AMD64: sha256.AMD64, ARM64: sha256.ARM64},
}

func main() { os.Exit(run(os.Args[1:])) }

// run returns the exit status: 2 for arguments that say nothing, 1 for a failure.
func run(args []string) int {
	if len(args) != 2 || kernels[args[0]].AMD64 == nil {
		fmt.Fprintf(os.Stderr, "usage: go run . KERNEL FOLDER\nkernels: %q\n", slices.Sorted(maps.Keys(kernels)))
		return 2
	}
	if err := kernels[args[0]].Write(args[0], args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

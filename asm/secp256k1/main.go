// Secp256k1 generates kernels/secp256k1: whole operations of field and group, with
// no call between the operations of the field inside them.
package main

import (
	"github.com/sealwright/sealwright/asm/emit"
)

func main() {
	emit.Main("secp256k1", func(g *emit.Generator) {
		f := newField(g)
		f.mulFunc()
		f.sqrNFunc()
		f.doubleNFunc()
		f.addMixedDistinctFunc()
		f.addMixedVartimeFunc()
		f.addScaledVartimeFunc()
		f.addMixedFunc()
		f.addCoZFunc()
		f.lookupFunc()
		f.invertFunc()
		f.invertVartimeFunc()
		f.jacobiVartimeFunc()
	})
}

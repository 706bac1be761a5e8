// Secp256k1 generates kernels/secp256k1: whole operations of field and group, with
// no call between the operations of the field inside them.
package main

import (
	"github.com/sealwright/sealwright/asm/emit"
)

func main() {
	emit.Main("secp256k1", func(g *emit.Generator) {
		f := newField(g)
		p := points{f}
		p.mulFunc()
		f.sqrNFunc()
		p.group()
		f.lookupFunc()
		f.invertFunc()
		f.invertVartimeFunc()
		f.jacobiVartimeFunc()
	}, func(g *emit.ARM64) {
		f := newMulField(g)
		p := points{f}
		p.mulFunc()
		f.sqrNFunc()
		p.group()
		f.lookupFunc()
		f.invertFunc()
		f.invertVartimeFunc()
		f.jacobiVartimeFunc()
	})
}

// group are the operations of the group.
func (f points) group() {
	f.doubleNFunc()
	f.addMixedDistinctFunc()
	f.addMixedVartimeFunc()
	f.addScaledVartimeFunc()
	f.addMixedFunc()
	f.addCoZFunc()
}

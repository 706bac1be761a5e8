// Package secp256k1 builds the functions of kernels/secp256k1: whole operations of field
// and group, with no call between the operations of the field inside them.
package secp256k1

import "github.com/sealwright/sealwright/asm/emit"

// AMD64 builds the functions for amd64.
func AMD64(g *emit.Generator) {
	f := newField(g)
	p := points{f}
	p.mulFunc()
	f.sqrNFunc()
	p.group()
	f.lookupFunc()
	f.invertFunc()
	f.invertVartimeFunc()
	f.jacobiVartimeFunc()
	four, eight := newLanes(g)
	four.group()
	eight.group()
}

// ARM64 builds the functions for arm64.
func ARM64(g *emit.ARM64) {
	f := newMulField(g)
	p := points{f}
	p.mulFunc()
	f.sqrNFunc()
	p.group()
	f.lookupFunc()
	f.invertFunc()
	f.invertVartimeFunc()
	f.jacobiVartimeFunc()
}

// group are the operations of the group.
func (f points) group() {
	f.doubleNFunc()
	f.addMixedDistinctFunc()
	f.addMixedVartimeFunc()
	f.addScaledVartimeFunc()
	f.addMixedFunc()
	f.addCoZFunc()
	f.addAffineFunc()
}

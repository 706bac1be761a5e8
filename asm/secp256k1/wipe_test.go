package secp256k1

import (
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/sealwright/sealwright/asm/arm64"
	"github.com/sealwright/sealwright/asm/emit"
)

// Only a room as it was given out can be wiped: of a part of one, of another routine's or
// of what a pointer points to the size is not known.
func TestWipeRefuses(t *testing.T) {
	amd64 := newField(&emit.Generator{Context: build.NewContext()})
	amd64.Function("x")
	arm := newMulField(&emit.ARM64{Context: arm64.NewContext()})
	arm.Function("x")
	for name, f := range map[string]interface {
		room(int) operand.Mem
		at(pointer, int) operand.Mem
		wipe(...operand.Mem)
	}{"amd64": amd64, "arm64": arm} {
		room := f.room(32)
		f.wipe(room)
		for what, m := range map[string]operand.Mem{"a part": limb(room, 1), "an argument": f.at(from, 0)} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s is wiped", name, what)
					}
				}()
				f.wipe(m)
			}()
		}
	}
}

package identity

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/sealwright/sealwright/kernels/secp256k1"
	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

// SpoilVerifier puts a verifier that refuses everything in the place of the peer's,
// which there must be.
func SpoilVerifier(t *testing.T, id *Identity, peer keys.PublicKey) {
	t.Helper()
	c := &id.state().cache
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.peek(peer)
	if k == nil || k.verifier == nil {
		t.Fatal("no verifier is kept")
	}
	k.verifier = new(bip340.Verifier)
}

// SpoilSignatures makes id sign with a scalar that is not that of its public key.
func SpoilSignatures(id *Identity) {
	box := reflect.ValueOf(id.state().sk).Elem().FieldByName("box")
	get, _ := box.Type().MethodByName("Get")
	p := *(*unsafe.Pointer)(unsafe.Pointer(box.UnsafeAddr()))
	pair := reflect.NewAt(get.Type.Out(0).Elem(), p).Elem()
	even := (*secp256k1.Scalar)(unsafe.Pointer(pair.FieldByName("even").UnsafeAddr()))
	secp256k1.ScalarAdd(even, even, &secp256k1.Scalar{1})
}

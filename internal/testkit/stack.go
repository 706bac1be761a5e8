package testkit

import (
	"runtime"
	"runtime/debug"
	"unsafe"
)

// stackBelow is how much of the stack LeftOnStack looks at, more than any call of the
// library takes.
const stackBelow = 32 << 10

// LeftOnStack calls f and returns what lies then in the stack under its own frame, the
// nearest last, and words at multiples of eight: what f and all that it called left
// there. The race detector's code has frames of its own, so that it tells nothing under
// [Race].
//
//go:noinline
//go:nocheckptr
func LeftOnStack(f func()) []byte {
	// No collection may move the stack meanwhile, one that runs already neither.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	left := make([]byte, stackBelow)
	var mark [8]uint64
	room(&mark)
	f()
	// One at a time: a call, of copy too, would write where this reads.
	stack := unsafe.Pointer(&mark)
	for i := range left {
		left[i] = *(*byte)(unsafe.Add(stack, i-stackBelow))
	}
	return left
}

// room makes the stack large enough, so that it does not move while f runs, and clears
// what is under the caller's frame.
//
//go:noinline
func room(mark *[8]uint64) {
	var space [stackBelow + 4096]byte
	clear(space[:])
	mark[0] = uint64(space[len(space)-1])
	runtime.KeepAlive(&space)
}

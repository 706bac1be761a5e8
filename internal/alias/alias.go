// Package alias tells whether slices share memory.
package alias

import "unsafe"

// AnyOverlap reports whether two slices share memory, up to their lengths.
func AnyOverlap(x, y []byte) bool {
	xStart, yStart := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	return len(x) > 0 && len(y) > 0 && xStart <= yStart+uintptr(len(y)-1) && yStart <= xStart+uintptr(len(x)-1)
}

// InexactOverlap reports whether two slices of one length share memory at different
// indices.
func InexactOverlap(x, y []byte) bool {
	return len(x) > 0 && &x[0] != &y[0] && AnyOverlap(x, y)
}

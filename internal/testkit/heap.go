package testkit

import "runtime"

// Heap returns how many bytes of the heap are in use, after a garbage collection.
func Heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Package parallel spreads independent items over the processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls f(i) once for every i in 0…n−1, from as many goroutines as
// workers says (all processors when it is not positive), and returns when the
// last call has. One item or one worker starts no goroutine. progress, when it
// is not nil, hears of every finished item, one call at a time.
func Each(n, workers int, progress func(done, total int), f func(i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, n)

	var next atomic.Int64
	p := Progress{Report: progress, Total: n}
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
			p.Done()
		}
	}
	if workers <= 1 {
		work()
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
}

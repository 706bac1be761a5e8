package parallel

import (
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 1000} {
		for _, workers := range []int{0, 1, 3, 2000} {
			calls := make([]atomic.Int32, n)
			last := 0
			Each(n, workers, func(done, total int) {
				if total != n || done != last+1 {
					t.Errorf("n=%d workers=%d: progress(%d, %d) after %d", n, workers, done, total, last)
				}
				last = done
			}, func(i int) { calls[i].Add(1) })
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("n=%d workers=%d: item %d ran %d times", n, workers, i, c)
				}
			}
			if last != n {
				t.Errorf("n=%d workers=%d: progress ended at %d", n, workers, last)
			}
		}
	}
}

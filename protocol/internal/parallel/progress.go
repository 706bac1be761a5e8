package parallel

import "sync"

// Progress counts what is done, from several goroutines. Report, when it is not nil, hears
// of every item, one call at a time.
type Progress struct {
	Report func(done, total int)
	Total  int

	mu   sync.Mutex
	done int
}

// Done counts an item.
func (p *Progress) Done() {
	if p.Report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.Report(p.done, p.Total)
}

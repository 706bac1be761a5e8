package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progressDelay keeps the bar of a short job from flashing up.
const progressDelay = 300 * time.Millisecond

// A progress shows how far a job is. The nil progress shows nothing.
type progress struct {
	screen    *screen
	container *mpb.Progress
	bar       *mpb.Bar
	lines     atomic.Int64
}

// newProgress shows a bar on stderr while a job of total bytes (-1: not known)
// runs, if stderr is a terminal.
func newProgress(stderr *os.File, total int64) *progress {
	fd := int(stderr.Fd())
	if !term.IsTerminal(fd) {
		return nil
	}
	return startProgress(&screen{tty: stderr, fd: fd, from: time.Now().Add(progressDelay)}, total)
}

func startProgress(s *screen, total int64) *progress {
	start := time.Now()
	p := &progress{screen: s, container: mpb.New(mpb.WithConsoleWriter(s))}
	rate := decor.Any(func(decor.Statistics) string {
		n := p.lines.Load()
		return fmt.Sprintf("  %d lines  %.0f/s", n, float64(n)/time.Since(start).Seconds())
	})
	if total > 0 {
		p.bar = p.container.New(total, mpb.BarStyle(),
			mpb.PrependDecorators(decor.Percentage(decor.WC{W: 5})),
			mpb.AppendDecorators(rate, decor.Name("  left "), decor.AverageETA(decor.ET_STYLE_GO)))
	} else {
		p.bar = p.container.New(0, mpb.SpinnerStyle(), mpb.BarWidth(1),
			mpb.AppendDecorators(rate, decor.CurrentKibiByte("  % .1f")))
	}
	return p
}

// add tells of lines done and bytes read for them.
func (p *progress) add(lines int, bytes int64) {
	if p != nil {
		p.lines.Add(int64(lines))
		p.bar.IncrInt64(bytes)
	}
}

// beside returns a writer to f, for whole lines, that the bar makes way for
// when f is a terminal too: the same one, presumably.
func (p *progress) beside(f *os.File) io.Writer {
	if p == nil || !term.IsTerminal(int(f.Fd())) {
		return f
	}
	return besideBar{p.screen, f}
}

// end takes the bar away.
func (p *progress) end() {
	if p != nil {
		p.bar.Abort(true)
		p.container.Wait()
		p.screen.close()
	}
}

// A screen is the terminal with the bar on its last line, the cursor behind
// it. It is mpb's ConsoleWriter: mpb writes a frame of one line, then flushes.
type screen struct {
	tty   io.Writer
	fd    int       // of tty, for its width
	from  time.Time // no bar before this time
	frame bytes.Buffer

	mu     sync.Mutex
	shown  []byte // the bar on the screen, empty when there is none
	closed bool
}

const eraseLine = "\r\x1b[K"

func (s *screen) Write(b []byte) (int, error)               { return s.frame.Write(b) }
func (s *screen) ReadFrom(r io.Reader) (int64, error)       { return s.frame.ReadFrom(r) }
func (s *screen) IsTerminal() bool                          { return true }
func (s *screen) GetTermSize() (width, height int, _ error) { return s.width(), 24, nil }

// width leaves the last column free: a character there may begin a new line.
func (s *screen) width() int {
	width, _, err := term.GetSize(s.fd)
	if err != nil || width < 20 {
		width = 80
	}
	return width - 1
}

// Flush shows the frame. It never fails: a bar that cannot be drawn must not
// stop the work.
func (s *screen) Flush(int) error {
	bar := bytes.TrimRight(s.frame.Bytes(), "\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && time.Now().After(s.from) {
		s.shown = append(s.shown[:0], bar...)
		s.tty.Write(append([]byte(eraseLine), bar...))
	}
	s.frame.Reset()
	return nil
}

func (s *screen) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.shown) > 0 {
		io.WriteString(s.tty, eraseLine)
	}
	s.shown, s.closed = nil, true
}

// besideBar writes whole lines to a terminal, above the bar.
type besideBar struct {
	*screen
	to io.Writer
}

func (w besideBar) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.shown) == 0 || len(b) == 0 {
		return w.to.Write(b)
	}
	io.WriteString(w.tty, eraseLine)
	n, err := w.to.Write(b)
	w.tty.Write(w.shown)
	return n, err
}

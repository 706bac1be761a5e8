package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds of what is in flight. A chunk is handed on at the latest when it has
// chunkLines lines or chunkBytes bytes; its last line may exceed the latter by
// --max-line. There are chunkCount chunks: one being filled, one being worked
// on, one being written, and one in between. Where a line of input gives several
// of output, a chunk is worked on and written in parts, whose output is of the
// order of partBytes.
const (
	blockSize  = 128 << 10
	chunkLines = 512
	chunkBytes = 16 << 20
	chunkCount = 4
	partBytes  = 8 << 20
)

// An input is one source of lines.
type input struct {
	name string // as the error object shows it
	size int64  // in bytes, -1 when not known
	open func() (io.ReadCloser, error)
}

// inputs resolves the arguments of a command: files, "-" for standard input,
// which is also the default. Files are looked at here, so that one that cannot
// be read fails before any work, and opened one at a time when their turn comes.
func inputs(args []string, stdin *os.File) ([]input, error) {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var list []input
	stdins := 0
	for _, name := range args {
		if name == "-" {
			if stdins++; stdins > 1 {
				return nil, usageError("standard input (-) can be read once only")
			}
			st, err := stdin.Stat()
			if err != nil {
				return nil, fmt.Errorf("standard input: %w", bareError(err))
			}
			if isOutput(st) {
				return nil, fmt.Errorf("standard input: %w", errIsOutput)
			}
			list = append(list, input{"-", sizeOf(st), func() (io.ReadCloser, error) { return stdin, nil }})
			continue
		}
		st, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, bareError(err))
		}
		if st.IsDir() {
			return nil, fmt.Errorf("%s: is a directory", name)
		}
		if isOutput(st) {
			return nil, fmt.Errorf("%s: %w", name, errIsOutput)
		}
		if st.Mode().IsRegular() {
			f, err := os.Open(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, bareError(err))
			}
			f.Close()
		}
		list = append(list, input{name, sizeOf(st), func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	return list, nil
}

var errIsOutput = errors.New("input file is output file")

// isOutput reports whether an input is a regular file to which results or errors
// are written: reading it would never end.
func isOutput(in os.FileInfo) bool {
	if !in.Mode().IsRegular() {
		return false
	}
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if out, err := f.Stat(); err == nil && os.SameFile(in, out) {
			return true
		}
	}
	return false
}

func sizeOf(st os.FileInfo) int64 {
	if st.Mode().IsRegular() {
		return st.Size()
	}
	return -1
}

// totalSize returns the bytes of all inputs, or -1 when one is not known.
func totalSize(list []input) int64 {
	var total int64
	for _, in := range list {
		if in.size < 0 {
			return -1
		}
		total += in.size
	}
	return total
}

// A line is one line of input that is not blank, and what became of it: out,
// lines of output with their LF, or err, or neither when the work was stopped
// before its turn.
type line struct {
	file   string
	number int64
	text   []byte // without its end; nil when too long. Valid until the line is written.
	out    []byte
	// more, if not nil, gives the output behind out, one piece a call, nil at its
	// end. It is called when the line is written: its output is too long to be
	// held. It does not end with the context, since its beginning is out by then.
	more    func() ([]byte, error)
	warning string // beside out
	err     *lineError
}

// A chunk is a run of lines in input order.
type chunk struct {
	lines []line
	bytes int64  // of input read into the chunk, with blank lines and line ends
	buf   []byte // what the lines' texts are slices of, once the chunk is sealed
	spans []span // of lines in buf
}

type span struct{ start, end int }

func (c *chunk) reset() {
	c.lines, c.spans, c.buf, c.bytes = c.lines[:0], c.spans[:0], c.buf[:0], 0
	if cap(c.buf) > 2*chunkBytes { // one huge line must not hold its memory for ever
		c.buf = nil
	}
	if cap(c.lines) > 4*chunkLines {
		c.lines, c.spans = nil, nil
	}
}

// full reports whether the chunk must be handed on before more is read. A line
// that has not ended is no reason: there is nothing to hand on yet.
func (c *chunk) full() bool {
	return len(c.lines) >= chunkLines || len(c.lines) > 0 && len(c.buf) >= chunkBytes
}

// seal sets the lines' texts. Until then buf may still move.
func (c *chunk) seal() {
	for i := range c.lines {
		if c.lines[i].err == nil {
			s := c.spans[i]
			c.lines[i].text = c.buf[s.start:s.end:s.end]
		}
	}
}

// A block is what one call of Read gave. The last block of an input has end set.
type block struct {
	file string
	data []byte
	end  bool
	err  error // the stream failed; nothing follows
}

// readBlocks reads the inputs one after another until their end, a failure, or
// the end of ctx. A read that hangs cannot be cancelled: nobody waits for this
// goroutine. Blocks come back through free.
func readBlocks(ctx context.Context, list []input, blocks chan<- block, free <-chan []byte) {
	defer close(blocks)
	send := func(b block) bool {
		select {
		case blocks <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, in := range list {
		r, err := in.open()
		if err != nil {
			send(block{err: fmt.Errorf("%s: %w", in.name, bareError(err))})
			return
		}
		for end := false; !end; {
			var buf []byte
			select {
			case buf = <-free:
			case <-ctx.Done():
				r.Close()
				return
			}
			n, err := r.Read(buf[:blockSize])
			b := block{file: in.name, data: buf[:n], end: errors.Is(err, io.EOF)}
			if err != nil && !b.end {
				b.err = fmt.Errorf("%s: %w", in.name, bareError(err))
			}
			if end = b.end; !send(b) || b.err != nil {
				r.Close()
				return
			}
		}
		r.Close()
	}
}

// A splitter cuts blocks into lines. It never holds more of a line than max
// bytes.
type splitter struct {
	max    int64
	cur    *chunk
	number int64 // of the current line
	start  int   // of the current line in cur.buf
	length int64 // of the current line until now; beyond max its text is dropped
}

// add cuts one block. The current line, if it has not ended, stays at the end
// of cur.buf.
func (s *splitter) add(b block) {
	s.cur.bytes += int64(len(b.data))
	for data := b.data; len(data) > 0; {
		part, rest, ended := bytes.Cut(data, []byte{'\n'})
		s.grow(part)
		if ended {
			s.endLine(b.file)
		}
		data = rest
	}
	if b.end {
		if s.length > 0 {
			s.endLine(b.file)
		}
		s.number = 0
	}
}

func (s *splitter) grow(part []byte) {
	s.length += int64(len(part))
	if s.length <= s.max {
		s.cur.buf = append(s.cur.buf, part...)
	} else {
		s.cur.buf = s.cur.buf[:s.start]
	}
}

func (s *splitter) endLine(file string) {
	s.number++
	ln := line{file: file, number: s.number}
	end := len(s.cur.buf)
	switch text := s.cur.buf[s.start:]; {
	case s.length > s.max:
		ln.err = newTooLong(s.length, s.max)
	case len(bytes.Trim(text, " \t\r")) == 0:
		s.cur.buf, s.length = s.cur.buf[:s.start], 0
		return
	case text[len(text)-1] == '\r':
		end--
	}
	s.cur.lines = append(s.cur.lines, ln)
	s.cur.spans = append(s.cur.spans, span{s.start, end})
	s.start, s.length = len(s.cur.buf), 0
}

// next seals the current chunk and goes on in empty, into which the line that
// has not ended is moved.
func (s *splitter) next(empty *chunk) *chunk {
	done := s.cur
	empty.buf = append(empty.buf, done.buf[s.start:]...)
	done.buf = done.buf[:s.start]
	done.seal()
	s.cur, s.start = empty, 0
	return done
}

// splitChunks turns blocks into chunks until the stream ends or fails, or ctx
// ends. Whoever wants a chunk sends an empty one and is then sent a filled
// one: at once when there is a line, so that a slow input is answered without
// delay. While nobody asks, the current chunk grows until it is full.
func splitChunks(ctx context.Context, max int64, blocks <-chan block, freeBlocks chan<- []byte, requests <-chan *chunk, chunks chan<- *chunk) (failed error) {
	defer close(chunks)
	s := splitter{max: max, cur: new(chunk)}
	for blocks != nil || len(s.cur.lines) > 0 {
		in, asked := blocks, requests
		if s.cur.full() {
			in = nil
		}
		if len(s.cur.lines) == 0 {
			asked = nil
		}
		select {
		case b, ok := <-in:
			if !ok {
				blocks = nil
				break
			}
			s.add(b)
			if b.data != nil {
				freeBlocks <- b.data
			}
			failed = b.err
		case empty := <-asked:
			chunks <- s.next(empty)
		case <-ctx.Done():
			return failed
		}
	}
	return failed
}

// A part is a run of a chunk's lines.
type part struct {
	lines []line
	of    *chunk // whose last part it is; nil when more follow
}

// cutPart returns the first of lines, at least one, whose output, fan lines for
// each of input and each as long and a bit, is about partBytes at most.
func cutPart(lines []line, fan int) []line {
	if fan <= 1 {
		return lines
	}
	var bytes int64
	for i := range lines {
		if bytes += int64(fan) * outputOf(lines[i].text); bytes > partBytes && i > 0 {
			return lines[:i]
		}
	}
	return lines
}

// outputOf is about how many bytes of output one copy of a text gives.
func outputOf(text []byte) int64 { return int64(len(text)) + 1<<10 }

// runLines reads the inputs, lets work set out or err of each line, and calls
// emit with the lines in input order. fan is how many lines of output one of
// input gives. work gets a part of a chunk at a time and returns early when its
// context ends; lines without a result, and all after them, are not emitted. The
// three stages run side by side.
//
// It returns the error of emit, else the cause of ctx's end, else the error of
// reading; what was read before a failure is emitted.
func runLines(ctx context.Context, list []input, maxLine int64, fan int, work func(context.Context, []line), emit func(lines []line, bytes int64) error) error {
	inner, stop := context.WithCancel(ctx)
	defer stop()

	blocks, freeBlocks := make(chan block), make(chan []byte, 2)
	for range cap(freeBlocks) {
		freeBlocks <- make([]byte, blockSize)
	}
	go readBlocks(inner, list, blocks, freeBlocks)

	requests, chunks := make(chan *chunk), make(chan *chunk, 1)
	readErr := make(chan error, 1)
	go func() { readErr <- splitChunks(inner, maxLine, blocks, freeBlocks, requests, chunks) }()

	worked, freeChunks := make(chan part), make(chan *chunk, chunkCount)
	for range chunkCount - 1 { // the splitter has one
		freeChunks <- new(chunk)
	}
	emitErr := make(chan error, 1)
	go func() {
		var err error
		stopped := false
		for p := range worked {
			lines := p.lines
			for i := range lines {
				if lines[i].out == nil && lines[i].err == nil {
					lines = lines[:i]
					break
				}
			}
			if !stopped {
				var read int64
				if p.of != nil {
					read = p.of.bytes
				}
				err = emit(lines, read)
				if stopped = err != nil || len(lines) < len(p.lines); stopped {
					stop()
				}
			}
			clear(p.lines)
			if p.of != nil {
				p.of.reset()
				freeChunks <- p.of
			}
		}
		emitErr <- err
	}()

	for empty := range freeChunks {
		var c *chunk
		select {
		case requests <- empty:
			c = <-chunks
		case c = <-chunks: // closed
		}
		if c == nil {
			break
		}
		for rest := c.lines; len(rest) > 0; {
			p := part{lines: cutPart(rest, fan)}
			if rest = rest[len(p.lines):]; len(rest) == 0 {
				p.of = c
			}
			work(inner, p.lines)
			worked <- p
		}
	}
	close(worked)
	if err := <-emitErr; err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return <-readErr
}

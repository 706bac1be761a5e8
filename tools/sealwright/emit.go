package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// An emitter writes results to standard output and errors to standard error,
// in the order it is given them, in whole lines, and counts both.
type emitter struct {
	stdout, stderr io.Writer
	interleave     bool // one person reads both streams: keep the order between them
	format         func(dst []byte, e *lineError) []byte
	progress       *progress

	lines, opened int64
	refused       map[string]int64 // by class
	out, err      []byte           // not yet written
	ends          []int            // in out, of the output of each line of input
	lost          bool             // standard error failed: errors were not told
}

// emitBuffer is how much an emitter gathers before it writes.
const emitBuffer = 64 << 10

func newEmitter(stdout, stderr io.Writer) *emitter {
	return &emitter{
		stdout:  stdout,
		stderr:  stderr,
		format:  func(dst []byte, e *lineError) []byte { return e.appendJSON(dst) },
		refused: make(map[string]int64),
	}
}

// emit is the last stage of runLines.
func (m *emitter) emit(lines []line, bytes int64) error {
	for i := range lines {
		ln := &lines[i]
		m.lines++
		if e := ln.err; e != nil {
			e.File, e.Line = ln.file, ln.number
			m.refused[e.Class]++
			if err := m.makeRoom(); err != nil {
				return err
			}
			m.err = m.format(m.err, e)
			continue
		}
		m.opened++
		if ln.warning != "" {
			if err := m.makeRoom(); err != nil {
				return err
			}
			m.err = fmt.Appendf(m.err, "sealwright: warning: %s: line %d: %s\n", oneLine(ln.file), ln.number, ln.warning)
		}
		if ln.more != nil {
			if err := m.long(ln); err != nil {
				return err
			}
			continue
		}
		if m.interleave && len(m.err) > 0 || len(m.out)+len(ln.out) > emitBuffer {
			if err := m.flush(); err != nil {
				return err
			}
		}
		m.out = append(m.out, ln.out...)
		m.ends = append(m.ends, len(m.out))
	}
	err := m.flush()
	m.progress.add(len(lines), bytes)
	return err
}

// makeRoom is called before something is added to the errors.
func (m *emitter) makeRoom() error {
	if m.interleave || len(m.err) >= emitBuffer {
		return m.flush()
	}
	return nil
}

// long writes the output of a line piece by piece, all of it or, on a regular
// file, nothing.
func (m *emitter) long(ln *line) error {
	if err := m.flush(); err != nil {
		return err
	}
	written := 0
	for piece := ln.out; ; {
		n, err := m.stdout.Write(piece)
		written += n
		if err != nil {
			cutBack(m.stdout, written)
			return outputError(err)
		}
		if piece, err = ln.more(); err != nil {
			cutBack(m.stdout, written)
			return fmt.Errorf("%s: line %d: %w", ln.file, ln.number, err)
		}
		if piece == nil {
			return nil
		}
	}
}

// flush writes what was gathered. A failure of standard error does not stop
// the results, but later errors, which would leave a gap; it is kept for the end.
func (m *emitter) flush() error {
	n, err := writeSome(m.stdout, m.out)
	if err != nil {
		// A line of input may give several of output: all of them or none.
		whole := 0
		for _, end := range m.ends {
			if end <= n {
				whole = end
			}
		}
		cutBack(m.stdout, n-whole)
	}
	if !m.lost {
		n, err := writeSome(m.stderr, m.err)
		if m.lost = err != nil; m.lost {
			cutBack(m.stderr, n-1-bytes.LastIndexByte(m.err[:n], '\n'))
		}
	}
	m.out, m.err, m.ends = m.out[:0], m.err[:0], m.ends[:0]
	return outputError(err)
}

// writeSome does not write what is empty, so that nothing fails for nothing.
func writeSome(w io.Writer, b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	return w.Write(b)
}

// cutBack takes the last n bytes, which were just written, from a regular file:
// a full disk took only a part of what it was given.
func cutBack(w io.Writer, n int) {
	f, ok := w.(*os.File)
	if !ok || n == 0 {
		return
	}
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	// Another program may write to the same file: then the end is not ours.
	at, err := f.Seek(0, io.SeekCurrent)
	if err == nil && at == st.Size() && f.Truncate(at-int64(n)) == nil {
		_, _ = f.Seek(-int64(n), io.SeekCurrent)
	}
}

// result is the error of the command when all lines have been emitted.
func (m *emitter) result() error {
	switch {
	case m.lost:
		return errErrorsLost
	case m.opened != m.lines:
		return errSome
	}
	return nil
}

// errErrorsLost ends a command whose errors could not all be told.
var errErrorsLost = errors.New("standard error: cannot be written")

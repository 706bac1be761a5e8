package main

import (
	"bytes"
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
	lost          error            // why errors could not be told, if so
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
			if m.interleave || len(m.err) >= emitBuffer {
				if err := m.flush(); err != nil {
					return err
				}
			}
			m.err = m.format(m.err, e)
			continue
		}
		m.opened++
		if m.interleave && len(m.err) > 0 || len(m.out)+len(ln.out) > emitBuffer {
			if err := m.flush(); err != nil {
				return err
			}
		}
		m.out = append(m.out, ln.out...)
	}
	err := m.flush()
	m.progress.add(len(lines), bytes)
	return err
}

// flush writes what was gathered. A failure of standard error does not stop
// the results; it is kept for the end.
func (m *emitter) flush() error {
	err := writeLines(m.stdout, m.out)
	if lost := writeLines(m.stderr, m.err); lost != nil {
		m.lost = lost
	}
	m.out, m.err = m.out[:0], m.err[:0]
	return outputError(err)
}

// writeLines writes whole lines. Where a file takes only a part of them, as on a
// full disk, it is cut back to the last line that it has whole.
func writeLines(w io.Writer, lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	n, err := w.Write(lines)
	if err != nil {
		cutBack(w, int64(n-1-bytes.LastIndexByte(lines[:n], '\n')))
	}
	return err
}

// cutBack takes the last n bytes from a regular file that ends where it was
// just written.
func cutBack(w io.Writer, n int64) {
	f, ok := w.(*os.File)
	if !ok || n == 0 {
		return
	}
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	if at, err := f.Seek(0, io.SeekCurrent); err == nil && at == st.Size() && f.Truncate(at-n) == nil {
		_, _ = f.Seek(-n, io.SeekCurrent)
	}
}

func (m *emitter) failed() bool { return m.opened != m.lines }

// errorsLost returns the error of a call whose errors could not all be told.
func (m *emitter) errorsLost() error {
	if m.lost == nil {
		return nil
	}
	return fmt.Errorf("standard error: %w", bareError(m.lost))
}

package main

import "io"

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

// flush writes what was gathered. A failure of standard error is not told:
// there is nowhere to tell it.
func (m *emitter) flush() error {
	var err error
	if len(m.out) > 0 {
		_, err = m.stdout.Write(m.out)
	}
	if len(m.err) > 0 {
		_, _ = m.stderr.Write(m.err)
	}
	m.out, m.err = m.out[:0], m.err[:0]
	return outputError(err)
}

func (m *emitter) failed() bool { return m.opened != m.lines }

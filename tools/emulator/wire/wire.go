// Package wire is what the emulator's two sides agree on: the list of jobs that
// the host puts into the guest's initramfs, and the frames in which the guest's
// init answers over the second serial port.
package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// JobsFile is where the guest finds the JSON of its []Job.
const JobsFile = "/emulator/jobs.json"

// Device is the serial port that carries frames, and nothing else. The first
// port is the kernel's console.
const Device = "/dev/ttyS1"

// Job is one program for the guest to run. Jobs run one after the other.
type Job struct {
	Program string   // path in the guest
	Args    []string // without the program's name
	Dir     string   // working directory
	Env     []string // the whole environment
}

// Kind tells what a frame holds.
type Kind byte

// Start, frames of Stdout and Stderr, and Exit come for every job in turn.
// Done follows the last job.
const (
	Start  Kind = 's' // no payload
	Stdout Kind = 'o' // what the program wrote
	Stderr Kind = 'e' // what the program wrote
	Exit   Kind = 'x' // the exit status in decimal, 128 + n after signal n
	Failed Kind = 'f' // in place of Exit: why the program could not be run
	Done   Kind = 'd' // no payload
)

// MaxPayload bounds a frame, so that a damaged length is found.
const MaxPayload = 1 << 16

// Write writes one frame: the kind, the length in 4 bytes, the payload. A
// payload that is too long becomes several frames of the same kind.
func Write(w io.Writer, kind Kind, payload []byte) error {
	for {
		n := min(len(payload), MaxPayload)
		frame := append([]byte{byte(kind)}, 0, 0, 0, 0)
		binary.BigEndian.PutUint32(frame[1:], uint32(n))
		if _, err := w.Write(append(frame, payload[:n]...)); err != nil {
			return err
		}
		if payload = payload[n:]; len(payload) == 0 {
			return nil
		}
	}
}

// Read reads one frame. It returns io.EOF at the end of the stream, and
// io.ErrUnexpectedEOF within a frame.
func Read(r io.Reader) (Kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	kind := Kind(head[0])
	switch kind {
	case Start, Stdout, Stderr, Exit, Failed, Done:
	default:
		return 0, nil, fmt.Errorf("wire: no frame starts with byte %#x", head[0])
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > MaxPayload {
		return 0, nil, fmt.Errorf("wire: a frame of %d bytes", n)
	}
	payload := make([]byte, n)
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return kind, payload, nil
}

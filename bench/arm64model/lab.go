package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sealwright/sealwright/protocol/bip340"
	"github.com/sealwright/sealwright/protocol/keys"
)

const portable = "portable"

var (
	errNoPeer  = errors.New("no peer")
	errMissing = errors.New("the peer is not on this machine")
)

// records is how many different inputs there are.
const records = 16

// inputs makes what the subjects read: secret key, its public key, public key of
// another, message and signature, 192 bytes for each record.
func inputs() ([]byte, error) {
	var secrets [records]*keys.SecretKey
	var raw [records][32]byte
	for i := range secrets {
		raw[i] = sha256.Sum256(fmt.Append(nil, "arm64model ", i))
		sk, err := keys.NewSecretKey(raw[i][:])
		if err != nil {
			return nil, err
		}
		secrets[i] = sk
	}
	var all []byte
	for i, sk := range secrets {
		pub, peer := sk.PublicKey(), secrets[(i+1)%records].PublicKey()
		msg := sha256.Sum256(pub[:])
		sig, err := bip340.SignWithAux(sk, msg[:], [32]byte{})
		if err != nil {
			return nil, err
		}
		for _, part := range [][]byte{raw[i][:], pub[:], peer[:], msg[:], sig[:]} {
			all = append(all, part...)
		}
	}
	return all, nil
}

// subject is a program whose arguments are an operation, how often, and the inputs.
type subject struct {
	path  string
	image *image
}

func buildSubject(ctx context.Context, temp string) (*subject, error) {
	path := filepath.Join(temp, "subject")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "./arm64model/subject")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build, in the folder bench: %w: %s", err, out)
	}
	m, err := openImage(path)
	return &subject{path, m}, err
}

// buildPeer links the subject in C with libsecp256k1. The error is an errMissing where
// the machine lacks the compiler or the library.
func buildPeer(ctx context.Context, temp, folder string) (*subject, error) {
	const gcc = "aarch64-linux-gnu-gcc"
	archive := filepath.Join(folder, "lib", "aarch64-linux-gnu", "libsecp256k1.a")
	if _, err := exec.LookPath(gcc); err != nil {
		return nil, fmt.Errorf("%w: no %s", errMissing, gcc)
	}
	if _, err := os.Stat(archive); err != nil {
		return nil, fmt.Errorf("%w: no libsecp256k1.a of arm64 (make deps)", errMissing)
	}
	path := filepath.Join(temp, "peer")
	cmd := exec.CommandContext(ctx, gcc, "-O2", "-Wall", "-Werror", "-static", "-no-pie", "-I"+filepath.Join(folder, "include"),
		"-o", path, filepath.Join("arm64model", "libsecp256k1", "subject.c"), archive)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", gcc, err, out)
	}
	m, err := openImage(path)
	return &subject{path, m}, err
}

// tiers returns the tier that each kernel runs.
func (s *subject) tiers(ctx context.Context) (map[string]string, error) {
	out, err := execute(ctx, []string{s.path, "tiers"}, func(uint64) {})
	if err != nil {
		return nil, err
	}
	tiers := map[string]string{}
	for line := range strings.Lines(out) {
		kernel, tier, _ := strings.Cut(strings.TrimSpace(line), " ")
		tiers[kernel] = tier
	}
	return tiers, nil
}

// lab runs each operation of each subject once and keeps what it saw.
type lab struct {
	ctx          context.Context
	n            int
	input        string
	ours, theirs *subject
	missing      error     // why theirs is nil
	routines     []routine // to record
	runs         map[string]*result
}

type result struct {
	perOperation float64
	answer       string                 // what the program printed
	code         map[string][]*recorder // by symbol, and so
	assembly     map[string]string      // what was disassembled
	err          error
}

// subjectOf returns the subject that has what belongs to whom.
func (l *lab) subjectOf(whose string) (*subject, error) {
	switch whose {
	case "":
		return nil, errNoPeer
	case libsecp256k1:
		return l.theirs, l.missing
	}
	return l.ours, nil // x/crypto and the standard library are linked with ours
}

// run runs an operation N and 2N times, unless it did already, and records every
// routine of the tables that it calls.
func (l *lab) run(op, whose string) (*result, error) {
	s, err := l.subjectOf(whose)
	if err != nil {
		return nil, err
	}
	key := op + " " + s.path
	if l.runs[key] == nil {
		l.runs[key] = l.measure(s, op)
	}
	return l.runs[key], l.runs[key].err
}

func (l *lab) measure(s *subject, op string) *result {
	r := &result{code: map[string][]*recorder{}, assembly: map[string]string{}}
	var executed [2]int
	for i := range executed {
		t := newTracer(s.image)
		if i == 0 {
			for _, routine := range l.routines {
				if f, err := s.image.function(routine.symbol); err == nil && routine.op == op && r.code[routine.symbol] == nil {
					r.code[routine.symbol] = t.record(f, routine.loop)
				}
			}
		}
		r.answer, r.err = execute(l.ctx, []string{s.path, op, strconv.Itoa(l.n << i), l.input}, t.step)
		if r.err != nil {
			return r
		}
		t.finish()
		if t.executed == 0 {
			r.err = fmt.Errorf("%s: nothing was executed on the first thread", op)
			return r
		}
		executed[i] = t.executed
	}
	r.perOperation = float64(executed[1]-executed[0]) / float64(l.n)
	return r
}

// count returns how many instructions an operation executes for each of its bytes, and
// what the program answered.
func (l *lab) count(op, whose string, bytes float64) (n float64, answer string, err error) {
	r, err := l.run(op, whose)
	if err != nil {
		return 0, "", err
	}
	return r.perOperation / bytes, r.answer, nil
}

// model returns how many cycles a core takes for a byte or an operation of routines that
// run one after the other.
func (l *lab) model(whose, core string, codes ...routine) (float64, error) {
	if _, err := l.subjectOf(whose); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, code := range codes {
		assembly, err := l.assembly(code, whose)
		if err != nil {
			return 0, err
		}
		c, err := cycles(l.ctx, assembly, core)
		if err != nil {
			return 0, err
		}
		sum += c / code.per
	}
	return sum, nil
}

// assembly returns a pass of a routine, a line for each instruction.
func (l *lab) assembly(code routine, whose string) (string, error) {
	r, err := l.run(code.op, whose)
	if err != nil {
		return "", err
	}
	all := r.code[code.symbol]
	if len(all) == 0 {
		return "", fmt.Errorf("no function %s, or no loop in it", code.symbol)
	}
	b := busiest(all)
	if b.steps == 0 {
		return "", fmt.Errorf("%s: no whole pass in %d × %s", code.symbol, l.n, code.op)
	}
	if all, done := float64(l.n*size), float64(b.begun)*code.per; code.per > 1 && (done < 0.9*all || done > 1.1*all) {
		return "", fmt.Errorf("%s: %d passes over %.0f bytes are not of %.0f bytes each", code.symbol, b.begun, all, code.per)
	}
	if r.assembly[code.symbol] == "" {
		words := make([]uint32, len(b.last))
		for i, pc := range b.last {
			words[i] = b.image.word(pc)
		}
		if r.assembly[code.symbol], err = disassemble(l.ctx, words); err != nil {
			return "", err
		}
	}
	return r.assembly[code.symbol], nil
}

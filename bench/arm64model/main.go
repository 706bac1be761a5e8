// Arm64model compares the arm64 kernels with their peers where no Arm processor is
// at hand. It prints two kinds of figures, and neither is a time:
//
//   - a model: the cycles that llvm-mca computes for a core of which LLVM has a
//     description, for machine code of the linked program in the order in which one
//     pass of a loop, or one call, executed it;
//   - a count: the instructions that qemu executed, as the difference of 2N and N
//     operations, on the first thread. Go's allocator and what surrounds a call of the
//     system are left out, as they depend on what else the runtime does: below 1 % of
//     an operation of the curve.
//
// What the model leaves out: caches, branch prediction, fetching, and that a load
// waits for the store before it. Passes run back to back, so a figure is of the
// throughput and not of the latency.
//
//	go run ./arm64model # in the folder bench
//
// It needs Debian's llvm-19 and qemu-user-static. libsecp256k1 is a peer when
// gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and Debian's libsecp256k1-dev of arm64,
// unpacked, are there; where not, its cells say so.
//
// The last line counts the targets that were met, MISSED and NOT MEASURED. It exits with
// 1 when one was missed, when something else than the peer's absence kept a figure from
// being measured, and, if $SEALWRIGHT_REQUIRE names libsecp256k1, when a target was not
// measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sealwright/sealwright/internal/testkit"
)

const library = "github.com/sealwright/sealwright/"

var cores = []string{"neoverse-n1", "neoverse-n2", "neoverse-v2", "ampere1"}

// judged is the core whose ratios the targets are of.
const judged = "neoverse-v2"

// routine is a piece of machine code, and what runs it.
type routine struct {
	op     string // the operation of the subject that calls it
	symbol string
	loop   bool    // a pass is one of its longest-running loop, not a whole call
	per    float64 // bytes or operations in a pass
}

// withoutSHA2 are cores that exist without the SHA2 instructions, as in the third and
// fourth Raspberry Pi. LLVM describes the latter by the Cortex-A57.
var withoutSHA2 = []string{"cortex-a53", "cortex-a72"}

// modelRow is a comparison of cycles. ours is the routine of a tier: its symbol is
// without the package kernels/<kernel> and without the tier in capitals at its end.
type modelRow struct {
	name           string
	kernel         string
	ours, portable routine
	peer           string
	theirs         []routine // one after the other
	asked          float64   // the ratio to reach, 0 for none
}

var bytesModel = []modelRow{
	{"ChaCha20", "chacha20",
		routine{"chacha20", "xor", true, 512},
		routine{"chacha20", library + "fallback/chacha20.xorBlocks", true, 64},
		"x/crypto", []routine{{"peer-chacha20", "golang.org/x/crypto/chacha20.xorKeyStreamVX", true, 256}}, 0.8},
	{"SHA-256", "sha256",
		routine{"sha256", "blocks", true, 64},
		routine{"sha256", library + "fallback/sha256.Blocks", true, 64},
		"crypto/sha256", []routine{{"peer-sha256", "crypto/internal/fips140/sha256.blockSHA2", true, 64}}, 1},
	{"base64 encode, per byte of data", "base64",
		routine{"encode", "encode", true, 48},
		routine{"encode", library + "fallback/base64.Encode", true, 6},
		"", nil, 0},
	{"base64 decode, per byte of data", "base64",
		routine{"decode", "decode", true, 48},
		routine{"decode", library + "fallback/base64.Decode", true, 6},
		"", nil, 0},
}

// apart is what kernels/etm does beside each other, one after the other.
const apart = "apart"

// etmModel has what encrypts one part of a message and hashes another.
var etmModel = []modelRow{
	{"ChaCha20 and SHA-256, per byte of both", "etm",
		routine{"etm", "xorAndHash", true, 320}, routine{},
		apart, []routine{
			{"chacha20", library + "kernels/chacha20.xorNEON", true, 512},
			{"sha256", library + "kernels/sha256.blocksSHA2", true, 64},
		}, 1},
}

// secondModel has tiers that are not the ones chosen, those of second, beside the portable
// code.
var secondModel = []modelRow{
	{"SHA-256 without the SHA2 instructions", "sha256",
		routine{"sha256-neon", "blocks", true, 64}, routine{},
		portable, []routine{{"sha256-portable", library + "fallback/sha256.Blocks", true, 64}}, 0},
}

var second = map[string]string{"sha256": "neon"}

const libsecp256k1 = "libsecp256k1"

// curveRow is a row of the curve, where one call is one operation: but sqrN and
// doubleN are loops of squarings and doublings.
func curveRow(name, op, ours, portable, theirs string, asked float64) modelRow {
	return modelRow{name, "secp256k1",
		routine{op, ours, strings.HasSuffix(ours, "N"), 1},
		routine{op, library + "fallback/secp256k1." + portable, false, 1},
		libsecp256k1, []routine{{op, "secp256k1_" + theirs, false, 1}}, asked}
}

var curveModel = []modelRow{
	curveRow("field mul", "ecdh", "mul", "Mul", "fe_mul_inner", 0.8),
	curveRow("field sqr", "verify", "sqrN", "Sqr", "fe_sqr_inner", 0.8),
	curveRow("double", "ecdh", "doubleN", "Double", "gej_double", 0.8),
	curveRow("mixed add, constant time, in the loop of ECDH", "ecdh", "addMixedDistinct", "AddMixedDistinct", "gej_add_ge", 0.8),
	curveRow("mixed add, constant time, every case", "ecdh", "addMixed", "AddMixed", "gej_add_ge", 0.8),
	curveRow("mixed add, public data", "verify", "addMixedVartime", "AddMixedVartime", "gej_add_ge_var", 0.8),
}

// countRow is a comparison of executed instructions, per operation or per byte.
type countRow struct {
	name, kernel, op string
	peer, theirs     string
	bytes            float64 // 1: per operation
	asked            float64
}

// size is how many bytes an operation on bytes has, as in the subject.
const size = 12 << 10

var counted = []countRow{
	{"ECDH", "secp256k1", "ecdh", libsecp256k1, "ecdh", 1, 0.75},
	{"BIP-340 sign", "secp256k1", "sign", libsecp256k1, "sign", 1, 0.75},
	{"BIP-340 verify", "secp256k1", "verify", libsecp256k1, "verify", 1, 0.75},
	{"ChaCha20, per byte", "chacha20", "chacha20", "x/crypto", "peer-chacha20", size, 0},
	{"SHA-256, per byte", "sha256", "sha256", "crypto/sha256", "peer-sha256", size, 0},
	{"SHA-256 without the SHA2 instructions, per byte", "sha256", "sha256-neon", portable, "sha256-portable", size, 0},
	{"base64 encode, per byte", "base64", "encode", "", "", size, 0},
	{"base64 decode, per byte", "base64", "decode", "", "", size, 0},
}

func main() {
	peer := flag.String("libsecp256k1", filepath.Join("..", "bin", "arm64", "usr"), "the `folder` usr of Debian's libsecp256k1-dev of arm64, unpacked")
	n := flag.Int("n", 4, "operations in the shorter run of a count, at most 8")
	flag.Parse()
	if flag.NArg() > 0 || *n < 1 || 2**n > records {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *peer, *n); err != nil {
		fmt.Fprintln(os.Stderr, "arm64model:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, peerFolder string, n int) error {
	required, err := testkit.Requirements(libsecp256k1)
	if err != nil {
		return err
	}
	for _, tool := range []string{llvmMC, llvmMCA, qemu} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("NOT RUN: %w (Debian's packages llvm-19 and qemu-user-static)", err)
		}
	}
	temp, err := os.MkdirTemp("", "arm64model")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	l := &lab{ctx: ctx, n: n, input: filepath.Join(temp, "input"), runs: map[string]*result{}}
	input, err := inputs()
	if err != nil {
		return err
	}
	if err := os.WriteFile(l.input, input, 0o600); err != nil {
		return err
	}
	if l.ours, err = buildSubject(ctx, temp); err != nil {
		return err
	}
	l.theirs, l.missing = buildPeer(ctx, temp, peerFolder)
	tiers, err := l.ours.tiers(ctx)
	if err != nil {
		return err
	}
	for _, m := range slices.Concat(bytesModel, etmModel, curveModel) {
		l.routines = append(append(l.routines, m.of(tiers[m.kernel])), m.theirs...)
	}
	for _, m := range secondModel {
		l.routines = append(append(l.routines, m.of(second[m.kernel])), m.theirs...)
	}
	fmt.Fprintln(w, "No figure here is a time. ours is the tier that is chosen under", qemu, "-cpu max; portable is a kernel without one for arm64.")

	r := report{w: w}
	r.models(l, tiers, cores, "Symmetric kernels: cycles per byte, a MODEL (llvm-mca)", bytesModel)
	r.models(l, second, slices.Concat(withoutSHA2, cores), "The same on less: cycles per byte, a MODEL (llvm-mca)", secondModel)
	r.models(l, tiers, cores, "Beside each other and one after the other: cycles per byte, a MODEL (llvm-mca)", etmModel)
	r.models(l, tiers, cores, "The curve: cycles per operation, a MODEL (llvm-mca)", curveModel)
	r.table("Executed instructions, a COUNT (qemu, single steps)")
	for _, c := range counted {
		ours, answer, err := l.count(c.op, "ours", c.bytes)
		theirs, answer2, err2 := l.count(c.theirs, c.peer, c.bytes)
		if err == nil && err2 == nil && answer != answer2 {
			err = fmt.Errorf("%s: the answer is not that of %s", c.op, c.peer)
		}
		tier := tiers[c.kernel]
		if _, other, ok := strings.Cut(c.op, "-"); ok {
			tier = other
		}
		r.row(c.name, "none: a count", tier, c.peer, cell{ours, err}, cell{theirs, err2}, c.asked)
	}
	return errors.Join(append(r.failed, r.verdict(slices.Contains(required, libsecp256k1)))...)
}

// of returns the routine of a tier.
func (m *modelRow) of(tier string) routine {
	if tier == portable {
		return m.portable
	}
	r := m.ours
	r.symbol = library + "kernels/" + m.kernel + "." + r.symbol + strings.ToUpper(tier)
	return r
}

// models prints a table with a line for each row and core.
func (r *report) models(l *lab, tiers map[string]string, cores []string, title string, rows []modelRow) {
	r.table(title)
	for _, m := range rows {
		ours := m.of(tiers[m.kernel])
		for _, core := range cores {
			a, err := l.model("ours", core, ours)
			b, err2 := l.model(m.peer, core, m.theirs...)
			asked := m.asked
			if core != judged {
				asked = 0
			}
			r.row(m.name, core, tiers[m.kernel], m.peer, cell{a, err}, cell{b, err2}, asked)
		}
	}
}

// report prints tables, counts the targets, and keeps what could not be measured.
type report struct {
	w                        io.Writer
	met, missed, notMeasured int
	failed                   []error
}

type cell struct {
	value float64
	err   error
}

func (r *report) table(title string) {
	fmt.Fprintf(r.w, "\n## %s\n\n| kernel | model core | ours (tier) | theirs | ratio | asked |\n|---|---|---|---|---|---|\n", title)
}

func (r *report) row(name, core, tier, peer string, ours, theirs cell, asked float64) {
	ratio, verdict := "–", "–"
	if ours.err == nil && theirs.err == nil {
		ratio = fmt.Sprintf("%.2f", ours.value/theirs.value)
	}
	if asked > 0 {
		verdict = fmt.Sprintf("≤ %.2f, ", asked)
		switch {
		case ratio == "–":
			r.notMeasured++
			verdict += "NOT MEASURED"
		case ours.value <= asked*theirs.value:
			r.met++
			verdict += "met"
		default:
			r.missed++
			verdict += "MISSED"
		}
	}
	fmt.Fprintf(r.w, "| %s | %s | %s | %s | %s | %s |\n", name, core, r.cell(ours, tier), r.cell(theirs, peer), ratio, verdict)
}

// verdict prints what the targets came to. One that was missed is an error, and one that
// was not measured is if all are required.
func (r *report) verdict(required bool) error {
	counts := fmt.Sprintf("targets: %d met, %d MISSED, %d NOT MEASURED", r.met, r.missed, r.notMeasured)
	fmt.Fprintf(r.w, "\n%s\n", counts)
	if r.missed > 0 || required && r.notMeasured > 0 {
		return errors.New(counts)
	}
	return nil
}

// cell prints a figure with whose it is. A peer that nobody has, or that this machine
// lacks, is no failure.
func (r *report) cell(c cell, label string) string {
	switch {
	case errors.Is(c.err, errNoPeer):
		return "–"
	case c.err != nil:
		if !errors.Is(c.err, errMissing) {
			r.failed = append(r.failed, c.err)
		}
		return "NOT MEASURED: " + strings.ReplaceAll(strings.TrimSpace(c.err.Error()), "\n", " ")
	case c.value < 10:
		return fmt.Sprintf("%.2f (%s)", c.value, label)
	default:
		return fmt.Sprintf("%.0f (%s)", c.value, label)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

const llvmMC, llvmMCA = "llvm-mc-19", "llvm-mca-19"

// features are those that some of the cores have as an option and the kernels use.
const features = "-mattr=+sha2,+aes,+sha3"

// disassemble returns one line of assembly for each instruction.
func disassemble(ctx context.Context, words []uint32) (string, error) {
	var hex strings.Builder
	for _, w := range words {
		fmt.Fprintf(&hex, "%#02x %#02x %#02x %#02x\n", w&0xff, w>>8&0xff, w>>16&0xff, w>>24)
	}
	out, err := pipe(ctx, hex.String(), llvmMC, "--disassemble", "--triple=aarch64", "--mattr=+all")
	if err != nil {
		return "", err
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '.' {
			lines = append(lines, line)
		}
	}
	if len(lines) != len(words) {
		return "", fmt.Errorf("%s made %d lines of %d instructions", llvmMC, len(lines), len(words))
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// cycles returns how many cycles a pass of the assembly takes on a core when passes
// follow each other.
func cycles(ctx context.Context, assembly, core string) (float64, error) {
	length := strings.Count(assembly, "\n")
	passes := min(max(20_000/length, 4), 100)
	out, err := pipe(ctx, assembly, llvmMCA, "--json", "-mtriple=aarch64", "-mcpu="+core, features, fmt.Sprintf("-iterations=%d", passes))
	if err != nil {
		return 0, err
	}
	s, err := parseMCA(out)
	if err != nil {
		return 0, err
	}
	if s.Instructions != length*passes || s.Iterations != passes {
		return 0, fmt.Errorf("%s took %d instructions in %d passes, not %d in %d", llvmMCA, s.Instructions, s.Iterations, length*passes, passes)
	}
	return float64(s.TotalCycles) / float64(s.Iterations), nil
}

// summary is the part of llvm-mca's output that is used. Instructions are those of
// all iterations.
type summary struct {
	Instructions, Iterations, TotalCycles int
}

func parseMCA(output []byte) (summary, error) {
	var report struct {
		CodeRegions []struct{ SummaryView *summary }
	}
	if err := json.Unmarshal(output, &report); err != nil {
		return summary{}, fmt.Errorf("%s: %w", llvmMCA, err)
	}
	if len(report.CodeRegions) != 1 || report.CodeRegions[0].SummaryView == nil || report.CodeRegions[0].SummaryView.TotalCycles <= 0 {
		return summary{}, fmt.Errorf("%s: no summary of one region", llvmMCA)
	}
	return *report.CodeRegions[0].SummaryView, nil
}

// pipe returns what a program prints. Its error holds the first line of what the
// program complains of.
func pipe(ctx context.Context, input, name string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &stderr
	out, err := cmd.Output()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("%s: %w: %s", name, err, line)
	}
	return out, nil
}

package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a routine that encrypts and hashes at once would be made of. It would hash what it
// encrypted a pass before, so that neither part waits for the other.
var (
	eightBlocks = routine{"chacha20", library + "kernels/chacha20.xorNEON", true, 512}
	fourBlocks  = routine{"chacha20-four", library + "kernels/chacha20.xorNEON", false, 256}
	hashBlock   = routine{"sha256", library + "kernels/sha256.blocksSHA2", true, 64}
)

// stitched prints what such a routine could take, beside what its parts take one after
// the other. With four blocks of ChaCha20 at a time there are registers left for SHA-256,
// so that the one can be woven into the other as they are. With eight there are none, and
// the figure is a bound: the cycles for which the units are busy, whatever the order.
func (r *report) stitched(l *lab) {
	r.table("ChaCha20 and SHA-256 stitched, which no kernel is: cycles per byte, a MODEL (llvm-mca)")
	parts := make([]string, 3)
	for i, code := range []routine{eightBlocks, fourBlocks, hashBlock} {
		var err error
		if parts[i], err = l.assembly(code, "ours"); err != nil {
			r.failed = append(r.failed, err)
			return
		}
	}
	eight, four, hash := parts[0], parts[1], parts[2]
	for _, core := range cores {
		a, err := l.model(eightBlocks, "ours", core)
		b, err2 := l.model(hashBlock, "ours", core)
		apart := cell{a + b, errors.Join(err, err2)}

		woven, err := besides(four, strings.Repeat(hash, 4))
		var c float64
		if err == nil {
			c, err = cycles(l.ctx, woven, core)
		}
		r.row("ChaCha20, four blocks at a time, with SHA-256", core, "woven", "apart", cell{c / 256, err}, apart, 0)

		s, err := simulate(l.ctx, eight+strings.Repeat(hash, 8), core)
		r.row("ChaCha20, eight blocks at a time, with SHA-256", core, "a lower bound", "apart", cell{s.BlockRThroughput / 512, err}, apart, 0)
	}
}

// besides returns the assembly a with b woven into it evenly, in registers that a does
// not use. What b only reads, constants in vectors, is loaded where it is read.
func besides(a, b string) (string, error) {
	b, err := inOtherRegisters(b, registersOf(a))
	if err != nil {
		return "", err
	}
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	var both strings.Builder
	n := 0
	for i, line := range x {
		both.WriteString(line)
		for ; n < len(y)*(i+1)/len(x); n++ {
			both.WriteString(y[n])
		}
	}
	return both.String(), nil
}

// register matches a register: its kind and its number.
var register = regexp.MustCompile(`\b([qvwx])(\d+)\b`)

// vector and general are the kinds, whatever the part of a register that is named.
const vector, general = 'v', 'x'

type numbered struct {
	kind   rune
	number int
}

func parseRegister(name string) numbered {
	n, _ := strconv.Atoi(name[1:])
	if strings.ContainsRune("qv", rune(name[0])) {
		return numbered{vector, n}
	}
	return numbered{general, n}
}

func registersOf(assembly string) map[numbered]bool {
	all := map[numbered]bool{}
	for _, name := range register.FindAllString(assembly, -1) {
		all[parseRegister(name)] = true
	}
	return all
}

// inOtherRegisters renames the registers of the assembly, in their order, so that those
// of a list still follow each other.
func inOtherRegisters(assembly string, used map[numbered]bool) (string, error) {
	written := map[numbered]bool{}
	for line := range strings.Lines(assembly) {
		_, operands, _ := strings.Cut(line, "\t")
		first, _, _ := strings.Cut(operands, ",")
		if list, _, ok := strings.Cut(operands, "}"); ok && operands[0] == '{' {
			first = list
		}
		maps.Copy(written, registersOf(first))
	}
	free := map[rune][]int{}
	for n := range 32 {
		if !used[numbered{vector, n}] {
			free[vector] = append(free[vector], n)
		}
		if !used[numbered{general, n}] && n < 26 && n != 18 { // the others are the system's and Go's
			free[general] = append(free[general], n)
		}
	}
	take := func(kind rune) (int, error) {
		if len(free[kind]) == 0 {
			return 0, fmt.Errorf("no register %c is left", kind)
		}
		n := free[kind][0]
		free[kind] = free[kind][1:]
		return n, nil
	}
	names := map[numbered]int{}
	all := slices.SortedFunc(maps.Keys(registersOf(assembly)), func(a, b numbered) int { return a.number - b.number })
	for _, r := range all {
		if r.kind == vector && !written[r] {
			continue
		}
		n, err := take(r.kind)
		if err != nil {
			return "", err
		}
		names[r] = n
	}
	constant, err := take(vector)
	table, err2 := take(general)
	if err := errors.Join(err, err2); err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(assembly) {
		line = register.ReplaceAllStringFunc(line, func(name string) string {
			r := parseRegister(name)
			n, ok := names[r]
			if !ok {
				fmt.Fprintf(&out, "ldr\tq%d, [x%d, #%d]\n", constant, table, 16*r.number)
				n = constant
			}
			return fmt.Sprintf("%c%d", name[0], n)
		})
		out.WriteString(line)
	}
	return out.String(), nil
}

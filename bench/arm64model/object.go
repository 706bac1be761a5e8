package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
)

// span is the addresses lo ≤ a < hi.
type span struct{ lo, hi uint64 }

func (s span) has(a uint64) bool { return s.lo <= a && a < s.hi }

// image is the machine code of a program that is linked to fixed addresses.
type image struct {
	sections  []section
	functions map[string]span
}

type section struct {
	span
	code []byte
}

func openImage(name string) (*image, error) {
	f, err := elf.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Machine != elf.EM_AARCH64 || f.Type != elf.ET_EXEC {
		return nil, fmt.Errorf("%s: not a program of arm64 at fixed addresses", name)
	}
	m := &image{functions: map[string]span{}}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Type == elf.SHT_PROGBITS {
			code, err := s.Data()
			if err != nil {
				return nil, err
			}
			m.sections = append(m.sections, section{span{s.Addr, s.Addr + uint64(len(code))}, code})
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
			m.functions[s.Name] = span{s.Value, s.Value + s.Size}
		}
	}
	return m, nil
}

// function finds a function. Where Go has an assembly routine and a wrapper for it
// under one name, it is the routine.
func (m *image) function(name string) (span, error) {
	for _, n := range []string{name + ".abi0", name} {
		if f, ok := m.functions[n]; ok {
			return f, nil
		}
	}
	return span{}, fmt.Errorf("no function %s in the program", name)
}

// entry reports whether a function begins at an address.
func (m *image) entry(pc uint64) bool {
	for _, f := range m.functions {
		if f.lo == pc {
			return true
		}
	}
	return false
}

// word returns the instruction at an address, 0 where there is no code.
func (m *image) word(pc uint64) uint32 {
	for _, s := range m.sections {
		if s.has(pc) && s.has(pc+3) {
			return binary.LittleEndian.Uint32(s.code[pc-s.lo:])
		}
	}
	return 0
}

// isCall reports whether an instruction is BL or BLR.
func isCall(w uint32) bool { return w>>26 == 0b100101 || w&0xfffffc1f == 0xd63f0000 }

// branch returns the distance in bytes that a direct branch other than a call goes.
func branch(w uint32) (distance int64, ok bool) {
	field := func(low, bits uint) int64 { return int64(w) << (64 - low - bits) >> (64 - bits) * 4 }
	switch {
	case w>>26 == 0b000101: // B
		return field(0, 26), true
	case w&0xff000000 == 0x54000000: // B.cond, BC.cond
		return field(5, 19), true
	case w&0x7e000000 == 0x34000000: // CBZ, CBNZ
		return field(5, 19), true
	case w&0x7e000000 == 0x36000000: // TBZ, TBNZ
		return field(5, 14), true
	}
	return 0, false
}

// loops returns the outermost loops of a function, by address: from where a branch
// goes back to, to behind the branch. A branch to the function's entry is none: it is
// how Go begins again with a larger stack.
func (m *image) loops(f span) []span {
	var all []span
	for pc := f.lo; pc < f.hi; pc += 4 {
		if d, ok := branch(m.word(pc)); ok && d <= 0 && pc+uint64(d) > f.lo {
			all = append(all, span{pc + uint64(d), pc + 4})
		}
	}
	slices.SortFunc(all, func(a, b span) int {
		if a.lo != b.lo {
			return int(int64(a.lo - b.lo))
		}
		return int(int64(b.hi - a.hi))
	})
	var outer []span
	for _, l := range all {
		if n := len(outer); n == 0 || l.lo >= outer[n-1].hi {
			outer = append(outer, l)
		}
	}
	return outer
}

package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An origin tells how a value became secret: what it was at first, or the
// instruction that made it and the secret that this instruction read.
type origin struct {
	what  string
	at    int
	from  *origin
	stale bool // left by whoever used the register or the stack before
	steps int
}

// worse returns the origin to keep of two: a secret before what is merely unknown,
// and the shorter path.
func worse(a, b *origin) *origin {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.stale != b.stale:
		if a.stale {
			return b
		}
		return a
	case b.steps < a.steps:
		return b
	}
	return a
}

// same reports whether two origins mean the same to the analysis.
func same(a, b *origin) bool {
	return (a == nil) == (b == nil) && (a == nil || a.stale == b.stale)
}

// pathEnds is how many instructions are shown at each end of a long path.
const pathEnds = 5

// path returns the root of a secret and the instructions through which it came.
func (f *function) path(o *origin) string {
	var steps []string
	for ; o.from != nil; o = o.from {
		steps = append(steps, f.show(o.at))
	}
	slices.Reverse(steps)
	if n := len(steps); n > 2*pathEnds+1 {
		steps = slices.Concat(steps[:pathEnds], []string{fmt.Sprintf("%d more", n-2*pathEnds)}, steps[n-pathEnds:])
	}
	return strings.Join(append([]string{o.what}, steps...), " → ")
}

// A value is what the analysis knows of a register or of bytes of memory.
type value struct {
	secret *origin // nil if public
	ptr    *region // what it points into, nil if it is a number
	off    int     // of a pointer into the frame: where, if exact
	exact  bool
}

func join(a, b value) value {
	v := value{secret: worse(a.secret, b.secret), ptr: a.ptr, off: a.off, exact: a.exact}
	if a.ptr != b.ptr {
		v.ptr = muddle
	}
	v.exact = a.ptr == b.ptr && a.exact && b.exact && a.off == b.off
	return v
}

// A cell is a byte of the frame: byte number part of value.
type cell struct {
	value
	part int
}

// A state is what is known before an instruction.
type state struct {
	gp    [32]value // without the lowest byte
	low   [32]value // the lowest byte of each
	vec   [32]value
	mask  [8]value
	flag  [nflags]*origin
	frame []cell
	dirty int // 1 + the number of the instruction that may have left an upper half
}

func (s *state) clone() *state {
	c := *s
	c.frame = slices.Clone(s.frame)
	return &c
}

// merge joins t into s and reports whether s changed.
func (s *state) merge(t *state) bool {
	changed := false
	values := func(a, b []value) {
		for i := range a {
			v := join(a[i], b[i])
			if !same(v.secret, a[i].secret) || v.ptr != a[i].ptr || v.exact != a[i].exact {
				a[i], changed = v, true
			}
		}
	}
	values(s.gp[:], t.gp[:])
	values(s.low[:], t.low[:])
	values(s.vec[:], t.vec[:])
	values(s.mask[:], t.mask[:])
	for i := range s.flag {
		if o := worse(s.flag[i], t.flag[i]); !same(o, s.flag[i]) {
			s.flag[i], changed = o, true
		}
	}
	for i := range s.frame {
		a, b := s.frame[i], t.frame[i]
		v := join(a.value, b.value)
		part := a.part
		if part != b.part {
			part = -1
		}
		if !same(v.secret, a.secret) || v.ptr != a.ptr || v.exact != a.exact || part != a.part {
			s.frame[i], changed = cell{v, part}, true
		}
	}
	if s.dirty == 0 && t.dirty != 0 {
		s.dirty, changed = t.dirty, true
	}
	return changed
}

// entry returns the state in which a function begins.
func (f *function) entry() *state {
	s := new(state)
	unknown := func(what string) value { return value{secret: &origin{what: what, stale: true}} }
	for i := range s.gp {
		s.gp[i] = unknown("a register as the caller left it")
	}
	s.gp[f.arch.stack] = value{ptr: frameRegion, off: -f.arch.frame, exact: true}
	s.low = s.gp
	for i := range s.vec {
		s.vec[i] = unknown("a vector register as the caller left it")
	}
	for i := range s.mask {
		s.mask[i] = unknown("a mask as the caller left it")
	}
	for i := range s.flag {
		s.flag[i] = unknown("the flags as the caller left them").secret
	}
	s.frame = make([]cell, f.fn.LocalSize)
	for i := range s.frame {
		s.frame[i] = cell{unknown("the stack as others left it"), -1}
	}
	return s
}

// analyse follows what is known along every path until nothing changes, and then
// looks at each instruction once.
func (f *function) analyse() {
	// A state is kept only where paths meet or part; between, there is one path.
	leader := make([]bool, len(f.code))
	leader[0] = true
	for n := range f.code {
		if len(f.succ[n]) != 1 || f.succ[n][0] != n+1 {
			for _, to := range f.succ[n] {
				leader[to] = true
			}
		}
	}
	in := map[int]*state{0: f.entry()}
	f.quiet = true
	for todo := []int{0}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s := in[n].clone()
		for {
			f.step(s, n)
			if len(f.succ[n]) == 1 && !leader[f.succ[n][0]] {
				n = f.succ[n][0]
				continue
			}
			break
		}
		for _, to := range f.succ[n] {
			if in[to] == nil {
				in[to] = s.clone()
				todo = append(todo, to)
			} else if in[to].merge(s) {
				todo = append(todo, to)
			}
		}
	}
	f.quiet = false
	left := false
	var s *state
	for n := range f.code {
		if leader[n] {
			s = in[n]
		}
		if s == nil {
			f.fail(n, "is never reached")
			continue
		}
		f.step(s, n)
		left = f.atReturn(s, n) || left
		if len(f.succ[n]) != 1 || f.succ[n][0] != n+1 {
			s = nil
		}
	}
	if !left && f.spec.Leaves != "" {
		f.fail(-1, "the specification tells why secrets stay in the frame, and none does")
	}
}

// atReturn checks the state in which a function ends, and reports whether secrets
// are in the frame.
func (f *function) atReturn(s *state, n int) (left bool) {
	if e, _ := f.arch.effect(f.code[n]); e.kind != ret {
		return false
	}
	if s.dirty != 0 {
		f.fail(n, "returns without VZEROUPPER after %s", f.show(s.dirty-1))
	}
	for at := 0; at < len(s.frame); at++ {
		o := s.frame[at].secret
		if o == nil || o.stale {
			continue
		}
		end := at
		for end < len(s.frame) && s.frame[end].secret != nil && !s.frame[end].secret.stale {
			end++
		}
		if f.spec.Leaves == "" {
			f.fail(n, "returns with a secret in bytes %d to %d of the frame: %s", at, end-1, f.path(o))
		}
		left, at = true, end
	}
	return left
}

// A place in memory that an instruction reaches: bytes lo to hi of its region, or
// any bytes if it is not exact.
type reference struct {
	*region
	lo, hi int
	exact  bool
}

// index returns where in its file a register is.
func index(r reg.Register) int { return int(r.ID().Index()) }

// get returns the value of a register.
func (s *state) get(r reg.Register) value {
	switch r.Kind() {
	case reg.KindGP:
		v := join(s.gp[index(r)], s.low[index(r)])
		switch r.Mask() {
		case uint16(reg.S8L):
			v = s.low[index(r)]
		case uint16(reg.S8H):
			v = s.gp[index(r)]
		}
		if r.Size() < 8 && v.ptr != nil {
			v.ptr, v.exact = muddle, false
		}
		return v
	case reg.KindVector:
		return s.vec[index(r)]
	case reg.KindOpmask:
		return s.mask[index(r)]
	}
	return value{ptr: muddle}
}

// set gives a register a value. Writes of 8 and 16 bits keep the rest of it.
func (s *state) set(r reg.Register, v value) {
	switch r.Kind() {
	case reg.KindGP:
		if r.Mask() != uint16(reg.S8H) {
			s.low[index(r)] = v
		}
		switch {
		case r.Size() >= 4:
			s.gp[index(r)] = v
		case r.Mask() != uint16(reg.S8L):
			s.gp[index(r)] = join(v, s.gp[index(r)])
		}
	case reg.KindVector:
		s.vec[index(r)] = v
	case reg.KindOpmask:
		s.mask[index(r)] = v
	}
}

// resolve finds what a memory operand of size bytes refers to, and checks that its
// address is public and of known provenance.
func (f *function) resolve(s *state, n int, m operand.Mem, size int) reference {
	if m.Base != nil && m.Base.Kind() == reg.KindPseudo {
		var base value
		switch m.Base.Asm() {
		case "FP":
			if m.Index != nil {
				f.fail(n, "indexes the arguments")
				return reference{region: muddle}
			}
			return reference{slotRegion, m.Disp, m.Disp + size, true}
		case "SB":
			base.ptr = f.global(m.Symbol.String())
		case "SP":
			if m.Symbol.Name != "" {
				f.fail(n, "names a part of the frame: offsets are from the frame's start here")
				return reference{region: muddle}
			}
			base = value{ptr: frameRegion, exact: true}
		}
		return f.place(s, n, m, base, size)
	}
	var base value
	if m.Base != nil {
		base = s.get(m.Base)
	}
	return f.place(s, n, m, base, size)
}

// global returns the region of a symbol, always the same one.
func (f *function) global(symbol string) *region {
	r := f.globals[symbol]
	if r == nil {
		r = &region{name: symbol, place: global}
		f.globals[symbol] = r
	}
	return r
}

// place adds the index and the displacement of m to base.
func (f *function) place(s *state, n int, m operand.Mem, base value, size int) reference {
	v := f.sum(s, m, base)
	switch {
	case v.secret != nil:
		f.fail(n, "an address depends on a secret: %s", f.path(v.secret))
		return reference{region: muddle}
	case v.ptr == nil || v.ptr.place == lost || v.ptr.place == slots:
		f.fail(n, "an address that is no pointer argument, frame or global plus a number")
		return reference{region: muddle}
	case v.ptr.place == frame && v.exact && (v.off < 0 || v.off+size > f.fn.LocalSize):
		f.fail(n, "reaches bytes %d to %d of a frame of %d", v.off, v.off+size-1, f.fn.LocalSize)
		return reference{region: muddle}
	}
	return reference{v.ptr, v.off, v.off + size, v.exact}
}

// sum returns base plus the index and displacement of m.
func (f *function) sum(s *state, m operand.Mem, base value) value {
	v := base
	v.off += m.Disp
	if m.Index == nil || m.Scale == 0 {
		return v
	}
	i := s.get(m.Index)
	if m.Scale != 1 && i.ptr != nil {
		i.ptr = muddle
	}
	return plus(v, i)
}

// plus returns what a + b is: a pointer if one of them is.
func plus(a, b value) value {
	v := value{secret: worse(a.secret, b.secret)}
	switch {
	case a.ptr != nil && b.ptr != nil:
		v.ptr = muddle
	case a.ptr != nil:
		v.ptr = a.ptr
	default:
		v.ptr = b.ptr
	}
	return v
}

// load returns what an instruction reads from memory: a pointer, if a whole one lies
// there.
func (f *function) load(s *state, n int, r reference) value {
	whole := r.hi-r.lo == 8
	switch r.place {
	case global:
		return value{}
	case argument:
		var v value
		if r.secret {
			v.secret = &origin{what: "the memory behind " + r.name}
		} else if r.inner != nil {
			v.ptr = r.inner
			if !whole {
				v.ptr = muddle
			}
		}
		return v
	case frame:
		lo, hi := r.lo, r.hi
		if !r.exact {
			lo, hi = 0, len(s.frame)
		}
		if lo >= hi {
			return value{}
		}
		v := s.frame[lo].value
		for at := lo; at < hi; at++ {
			c := s.frame[at]
			v = join(v, c.value)
			whole = whole && r.exact && c.part == at-lo
		}
		if v.ptr != nil && !whole {
			v.ptr, v.exact = muddle, false
		}
		return v
	case slots:
		var v value
		covered := 0
		for _, part := range f.slots {
			if part.hi <= r.lo || r.hi <= part.lo {
				continue
			}
			covered += min(part.hi, r.hi) - max(part.lo, r.lo)
			if part.result {
				v.secret = worse(v.secret, &origin{what: "the result " + part.name + " as the caller left it", stale: true})
			}
			if part.secret {
				v.secret = worse(v.secret, &origin{what: "the argument " + part.name})
			}
			if part.ptr != nil {
				v.ptr = muddle
				if whole && part.lo == r.lo && part.hi == r.hi {
					v.ptr = part.ptr
				}
			}
		}
		if covered != r.hi-r.lo {
			f.fail(n, "reads bytes %d to %d of the arguments, which are not all of an argument", r.lo, r.hi-1)
		}
		return v
	}
	return value{secret: &origin{what: "memory at an unknown address"}}
}

// store records a write to memory. A write under a mask keeps part of what was there.
func (f *function) store(s *state, n int, r reference, v value, masked bool) {
	switch r.place {
	case global:
		f.fail(n, "writes to the global %s", r.name)
	case argument:
		if v.secret != nil && !r.secret {
			f.fail(n, "stores a secret behind %s, which is public: %s", r.name, f.path(v.secret))
		}
		if v.ptr != nil {
			f.fail(n, "stores an address behind %s", r.name)
		}
	case frame:
		lo, hi := r.lo, r.hi
		if !r.exact {
			lo, hi, masked = 0, len(s.frame), true
		}
		for at := lo; at < hi; at++ {
			c := cell{v, at - lo}
			if masked {
				c = cell{join(v, s.frame[at].value), -1}
			}
			s.frame[at] = c
		}
	case slots:
		for _, part := range f.slots {
			if r.lo < part.hi && part.lo < r.hi && !part.result {
				f.fail(n, "writes over the argument %s", part.name)
				return
			}
		}
		if r.lo < 0 || r.hi > f.fn.ArgumentBytes() {
			f.fail(n, "writes outside the results")
		}
	}
}

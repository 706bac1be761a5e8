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
	at     bounds  // of a number; of a pointer into the frame, from where that begins
}

func join(a, b value) value {
	v := value{secret: worse(a.secret, b.secret), ptr: a.ptr, at: a.at.join(b.at)}
	if a.ptr != b.ptr {
		v.ptr, v.at = muddle, bounds{}
	}
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
	// results is what became secret of any result: they are told apart no further.
	results  *origin
	dirty    int        // 1 + the number of the instruction that may have left an upper half
	compared comparison // what the flags tell
	joined   int        // how often another state was merged into this one
}

func (s *state) clone() *state {
	c := *s
	c.frame = slices.Clone(s.frame)
	return &c
}

// merge joins t into s and reports whether s changed.
func (s *state) merge(t *state) bool {
	changed := false
	join := func(a, b value) value {
		v := join(a, b)
		if s.joined >= maxJoined && v.at != a.at {
			v.at = bounds{} // or a loop would widen them without end
		}
		return v
	}
	values := func(a, b []value) {
		for i := range a {
			v := join(a[i], b[i])
			if !same(v.secret, a[i].secret) || v.ptr != a[i].ptr || v.at != a[i].at {
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
		if !same(v.secret, a.secret) || v.ptr != a.ptr || v.at != a.at || part != a.part {
			s.frame[i], changed = cell{v, part}, true
		}
	}
	if o := worse(s.results, t.results); !same(o, s.results) {
		s.results, changed = o, true
	}
	if s.compared != t.compared && s.compared != (comparison{}) {
		s.compared, changed = comparison{}, true
	}
	if s.dirty == 0 && t.dirty != 0 {
		s.dirty, changed = t.dirty, true
	}
	if changed {
		s.joined++
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
	s.gp[f.arch.stack] = value{ptr: frameRegion, at: exactly(-f.arch.frame)}
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
// looks at each instruction once in each state.
func (f *function) analyse() {
	// States are kept only where paths meet or part; between, there is one path.
	leader := make([]bool, len(f.code))
	leader[0] = true
	for n := range f.code {
		if len(f.succ[n]) != 1 || f.succ[n][0] != n+1 {
			for _, to := range f.succ[n] {
				leader[to] = true
			}
		}
	}
	ends := func(n int) bool {
		return len(f.succ[n]) != 1 || f.succ[n][0] != n+1 || leader[n+1]
	}
	type point struct {
		at int
		position
	}
	in := make(map[point]*state)
	states := make([][]*state, len(f.code)) // those of each leader
	var todo []point
	arrive := func(to int, s *state) {
		p := point{to, f.position(s)}
		if in[p] == nil && len(states[to]) >= maxStates {
			p.position = position{}
		}
		if in[p] == nil {
			in[p] = s.clone()
			in[p].joined = 0
			states[to] = append(states[to], in[p])
			todo = append(todo, p)
		} else if in[p].merge(s) {
			todo = append(todo, p)
		}
	}
	// Where the numbers say that a branch never goes: the states before it.
	never := make(map[int]*state)
	f.quiet = true
	arrive(0, f.entry())
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s, n := in[p].clone(), p.at
		for f.step(s, n); !ends(n); f.step(s, n) {
			n++
		}
		for k, to := range f.succ[n] {
			t := s.clone()
			if t.goes(f.code[n].Opcode, k == 0) {
				arrive(to, t)
			} else if never[to] == nil {
				never[to] = t
			} else {
				never[to].merge(t)
			}
		}
		// Code that no number leads to is looked at like any other.
		for to := 0; len(todo) == 0 && to < len(f.code); to++ {
			if never[to] != nil && len(states[to]) == 0 {
				arrive(to, never[to])
			}
		}
	}
	f.quiet = false
	left := false
	reached := make([]bool, len(f.code))
	for first := range f.code {
		for _, s := range states[first] {
			f.pass++
			for n := first; ; n++ {
				reached[n] = true
				f.step(s, n)
				left = f.atReturn(s, n) || left
				if ends(n) {
					break
				}
			}
		}
	}
	for n := range f.code {
		if !reached[n] {
			f.fail(n, "is never reached")
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

// A reference is to memory that an instruction reaches: bytes lo to hi of its region, or
// some of them if it is not exact. Of the memory behind an argument and of a global, where
// it begins is not known, and it is from 0 on.
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
		if r.Size() < 8 {
			if v.ptr != nil {
				v.ptr = muddle
			}
			v.at = v.at.cut(int(r.Size()))
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
		if s.compared.register == index(r) {
			s.compared = comparison{}
		}
		if r.Size() < 8 {
			v.at = v.at.cut(int(r.Size()))
		}
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
			base = value{ptr: frameRegion, at: exactly(0)}
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
	case v.ptr.place != frame:
		return reference{v.ptr, 0, size, false}
	case !v.at.known:
		f.fail(n, "an address in the frame that nothing bounds")
		return reference{region: muddle}
	case v.at.lo < 0 || v.at.hi+size > f.fn.LocalSize:
		f.fail(n, "reaches bytes %d to %d of a frame of %d", v.at.lo, v.at.hi+size-1, f.fn.LocalSize)
		return reference{region: muddle}
	}
	return reference{v.ptr, v.at.lo, v.at.hi + size, v.at.exact()}
}

// sum returns base plus the index and displacement of m.
func (f *function) sum(s *state, m operand.Mem, base value) value {
	v := base
	v.at = v.at.plus(exactly(m.Disp))
	if m.Index == nil || m.Scale == 0 {
		return v
	}
	i := s.get(m.Index)
	if m.Scale != 1 && i.ptr != nil {
		i.ptr = muddle
	}
	i.at = i.at.times(int(m.Scale))
	return plus(v, i)
}

// plus returns what a + b is: a pointer if one of them is.
func plus(a, b value) value {
	v := value{secret: worse(a.secret, b.secret), at: a.at.plus(b.at)}
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
		if r.lo >= r.hi {
			return value{}
		}
		v := s.frame[r.lo].value
		for at := r.lo; at < r.hi; at++ {
			c := s.frame[at]
			v = join(v, c.value)
			whole = whole && r.exact && c.part == at-r.lo
		}
		if !whole {
			v.at = bounds{}
			if v.ptr != nil {
				v.ptr = muddle
			}
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
				v.secret = worse(v.secret, s.results)
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
		if r.hi-r.lo != 8 {
			v.at = bounds{} // the bytes behind it are of another number
		}
		for at := r.lo; at < r.hi; at++ {
			c := cell{v, at - r.lo}
			if masked || !r.exact {
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
		s.results = worse(s.results, v.secret)
	}
}

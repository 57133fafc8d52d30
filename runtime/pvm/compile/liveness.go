package compile

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Which temporaries hold values that are still needed, at each instruction: what
// a count of live memory looks at. Named variables and cells always count.
//
// It is the classical backward analysis over basic blocks. Sources made to have
// very many blocks and very many temporaries at once are not analysed: there,
// every temporary reserved at an instruction counts, and those that may hold old
// values are cleared when the frame is entered.
const (
	livenessLimit = 1 << 20 // words of block sets
	recordLimit   = 1 << 25 // words of the sets at all instructions together
	solveLimit    = 1 << 26 // words of sets computed until nothing changes
	setsLimit     = 256     // runs in the sets of a code, and so many more
	setsPerInstr  = 4       // for each instruction
)

type liveness struct {
	k     *object.Code
	base  int     // first temporary
	words int     // of a set
	start []int32 // first instruction of each block, ascending
	block []int32
	in    bits // at the start of each block, one set after the other
	sets  map[string]uint32
	runs  []object.Run // of one set
	key   []byte       // the same, for sets
	work  int          // words of sets computed
}

// temporaries fills in Live and LiveSets of a code.
func (c *coder) temporaries() {
	k := c.code
	l := &liveness{k: k, base: k.Locals + k.Cells, sets: map[string]uint32{}}
	l.words = (k.Regs - l.base + 63) / 64
	l.blocks()
	if l.words*len(l.start) > livenessLimit || l.words*len(k.Instrs) > recordLimit {
		k.ClearAll = true
		return
	}
	if !l.solve() || !l.record() {
		k.Live, k.LiveSets, k.ClearAll = nil, nil, true
	}
	c.work += l.work
}

// blocks finds the basic blocks: every target of a jump or handler begins one,
// and so does what follows a jump.
func (l *liveness) blocks() {
	k := l.k
	leader := make([]bool, len(k.Instrs)+1)
	leader[0] = true
	for i := range k.Instrs {
		if in := &k.Instrs[i]; jumps(in.Op) {
			leader[in.D] = true
			leader[i+1] = true
		}
	}
	for _, h := range k.Handlers {
		leader[h.Target] = true
	}
	l.block = make([]int32, len(k.Instrs))
	for i := range k.Instrs {
		if leader[i] {
			l.start = append(l.start, int32(i))
		}
		l.block[i] = int32(len(l.start) - 1)
	}
}

// jumps says whether operand D is a jump target.
func jumps(op Op) bool {
	return op >= OpJump && op <= OpJumpGeI || op == OpFor || op == OpFor2 || op == OpJumpNoMatch || op >= OpMatchSeq && op <= OpMatchLen
}

// solve computes the sets at the starts of blocks, walking backwards until
// nothing changes, and reports whether it got so far.
func (l *liveness) solve() bool {
	l.in = make(bits, len(l.start)*l.words)
	set := make(bits, l.words)
	for changed := true; changed; {
		changed = false
		for b := len(l.start) - 1; b >= 0; b-- {
			if l.work > solveLimit {
				return false
			}
			l.walk(b, set, nil)
			if !equal(set, l.at(b)) {
				copy(l.at(b), set)
				changed = true
			}
		}
	}
	return true
}

// at returns the set at the start of a block.
func (l *liveness) at(b int) bits { return l.in[b*l.words : (b+1)*l.words] }

func equal(a, b bits) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// walk goes through block b from its end, leaving in set what is needed at its
// start; each sees the set at every instruction.
func (l *liveness) walk(b int, set bits, each func(pc int, set bits)) {
	k := l.k
	end := len(k.Instrs)
	if b+1 < len(l.start) {
		end = int(l.start[b+1])
	}
	clear(set)
	l.work += l.words
	for pc := end - 1; pc >= int(l.start[b]); pc-- {
		l.work++
		in := &k.Instrs[pc]
		e := effectOf(in)
		if pc == end-1 {
			l.leave(set, in, b)
		}
		if in.Op != OpFor && in.Op != OpFor2 {
			l.kill(set, e.writes)
		}
		for _, s := range e.reads[:e.count] {
			l.need(set, s)
		}
		if k.Guard != nil && k.Guard[pc] >= 0 {
			h := k.Handlers[k.Guard[pc]]
			had := l.has(set, int(h.Reg))
			l.work += l.words
			for i, w := range l.at(int(l.block[h.Target])) {
				set[i] |= w
			}
			if !had {
				l.kill(set, span{int(h.Reg), 1})
			}
		}
		if each != nil {
			each(pc, set)
		}
	}
}

// leave adds what the successors of a block need; in is its last instruction.
func (l *liveness) leave(set bits, in *object.Instr, b int) {
	if in.Op != OpJump && in.Op != OpReturn && in.Op != OpReturnNone && in.Op != OpRaise && in.Op != OpReraise && b+1 < len(l.start) {
		copy(set, l.at(b+1))
	}
	if !jumps(in.Op) || int(in.D) >= len(l.block) {
		return
	}
	target := l.at(int(l.block[in.D]))
	e := effectOf(in)
	step := in.Op == OpFor || in.Op == OpFor2
	for i, w := range target {
		if step {
			w &^= l.mask(i, e.writes)
		}
		set[i] |= w
	}
}

// mask returns the bits of s in word i of a set.
func (l *liveness) mask(i int, s span) (w uint64) {
	for r := s.from; r < s.from+s.n; r++ {
		if t := r - l.base; t >= 0 && t/64 == i {
			w |= 1 << (t % 64)
		}
	}
	return w
}

func (l *liveness) kill(set bits, s span) {
	for r := max(s.from, l.base); r < s.from+s.n; r++ {
		set.clear(r - l.base)
	}
}

func (l *liveness) need(set bits, s span) {
	for r := max(s.from, l.base); r < s.from+s.n; r++ {
		set.set(r - l.base)
	}
}

func (l *liveness) has(set bits, r int) bool { return r >= l.base && set.has(r-l.base) }

// record stores the set of every instruction, equal sets once. It reports whether they stay within a multiple of the code's size.
func (l *liveness) record() bool {
	k := l.k
	k.Live = make([]uint32, len(k.Instrs))
	k.LiveSets = append(k.LiveSets, nil)
	set := make(bits, l.words)
	room := setsLimit + setsPerInstr*len(k.Instrs)
	for b := range l.start {
		l.walk(b, set, func(pc int, set bits) {
			if room >= 0 {
				k.Live[pc] = l.setOf(set, &room)
			}
		})
	}
	return room >= 0
}

// setOf returns the number of a set of registers, 0 for the empty one, and takes the runs of a new set off room.
func (l *liveness) setOf(set bits, room *int) uint32 {
	l.runs, l.key = l.runs[:0], l.key[:0]
	for t := set.next(0, true); t < 64*len(set); {
		end := set.next(t, false)
		l.runs = append(l.runs, object.Run{From: uint16(l.base + t), N: uint16(end - t)})
		l.key = binary.LittleEndian.AppendUint32(l.key, uint32(t)<<16|uint32(end-t))
		t = set.next(end, true)
	}
	if len(l.runs) == 0 {
		return 0
	}
	if n, ok := l.sets[string(l.key)]; ok {
		return n
	}
	*room -= len(l.runs)
	n := uint32(len(l.k.LiveSets))
	l.k.LiveSets = append(l.k.LiveSets, append([]object.Run(nil), l.runs...))
	l.sets[string(l.key)] = n
	return n
}

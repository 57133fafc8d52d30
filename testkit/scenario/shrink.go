package scenario

import (
	"slices"
	"strconv"

	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// shrinking shortens a sequence as long as it breaks the same invariant.
type shrinking struct {
	f     *fuzzing
	best  []step
	broke *broken
	left  int // sequences that may still be tried
}

// shrink gives the shortest sequence found and how it breaks the invariant.
func (f *fuzzing) shrink(steps []step, b *broken) ([]step, *broken) {
	s := &shrinking{f: f, best: slices.Clone(steps), broke: b, left: maxShrink}
	calls, faults := f.search.Calls, f.search.Faults
	for again := true; again && s.left > 0; {
		again = s.fewer()
		again = s.simpler() || again
	}
	f.search.Calls, f.search.Faults = calls, faults
	return s.best, s.broke
}

// try keeps a candidate if it breaks the invariant too.
func (s *shrinking) try(candidate []step) bool {
	if s.left == 0 || len(candidate) == 0 {
		return false
	}
	s.left--
	if last := &candidate[len(candidate)-1]; last.blocks == 0 {
		last.blocks = 1
	}
	b := s.f.run(candidate)
	if b == nil || b.invariant != s.broke.invariant {
		return false
	}
	s.best, s.broke = candidate[:b.after], b
	return true
}

// fewer leaves steps out, many at once first.
func (s *shrinking) fewer() (shorter bool) {
	for size := (len(s.best) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(s.best); {
			end := min(at+size, len(s.best))
			if s.try(slices.Concat(s.best[:at], s.best[end:])) {
				shorter = true
			} else {
				at = end
			}
		}
	}
	return shorter
}

// simpler puts the first sender in another's place everywhere, then makes single steps plainer: sooner, by the first sender, with smaller values.
func (s *shrinking) simpler() (changed bool) {
	for _, other := range s.f.senders[1:] {
		if candidate, differs := renamed(s.best, other, s.f.senders[0]); differs && s.try(candidate) {
			changed = true
		}
	}
	for i := 0; i < len(s.best); i++ {
		for _, edit := range s.edits(i) {
			if i >= len(s.best) {
				break
			}
			candidate := slices.Clone(s.best)
			candidate[i].payload.Pairs = slices.Clone(candidate[i].payload.Pairs)
			if edit(&candidate[i]) && s.try(candidate) {
				changed = true
			}
		}
	}
	return changed
}

// edits are what may make a step plainer; each reports whether it changed anything.
func (s *shrinking) edits(i int) []func(*step) bool {
	list := []func(*step) bool{
		func(x *step) bool { changed := x.blocks > 1; x.blocks = 1; return changed },
		func(x *step) bool { changed := x.blocks > 2; x.blocks /= 2; return changed },
		func(x *step) bool { changed := x.by != s.f.senders[0]; x.by = s.f.senders[0]; return changed },
	}
	for n := range s.best[i].payload.Pairs {
		list = append(list, func(x *step) bool { return drop(&x.payload, n) })
		for _, value := range plainer(s.best[i].payload.Pairs[n].Value) {
			list = append(list, func(x *step) bool { return replace(&x.payload, n, value) })
		}
	}
	return list
}

// renamed puts one sender in the place of another, also where payloads name it.
func renamed(steps []step, from, to string) (list []step, differs bool) {
	list = slices.Clone(steps)
	for i := range list {
		x := &list[i]
		x.payload.Pairs = slices.Clone(x.payload.Pairs)
		if x.by == from {
			x.by, differs = to, true
		}
		for n, pair := range x.payload.Pairs {
			if pair.Value == `"${`+from+`}"` {
				x.payload.Pairs[n].Value, differs = `"${`+to+`}"`, true
			}
		}
	}
	return list, differs
}

func drop(p *shape.Payload, n int) bool {
	if n >= len(p.Pairs) {
		return false
	}
	p.Pairs = slices.Delete(p.Pairs, n, n+1)
	return true
}

func replace(p *shape.Payload, n int, value string) bool {
	if n >= len(p.Pairs) || p.Pairs[n].Value == value {
		return false
	}
	p.Pairs[n].Value = value
	return true
}

// plainer gives plainer values than one, the plainest first.
func plainer(value string) []string {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err != nil && value != `""` && value[0] == '"' && value[1] != '$':
		return []string{`""`, `"a"`}
	case err != nil || n == 0:
		return nil
	}
	list := []string{"0", "1", "2", "10"}
	for half := n / 2; half != 0 && len(list) < 24; half /= 2 {
		list = append(list, strconv.FormatInt(n-half, 10), strconv.FormatInt(half, 10))
	}
	return slices.DeleteFunc(list, func(one string) bool {
		v, _ := strconv.ParseInt(one, 10, 64)
		return n > 0 && v >= n || n < 0 && v <= n && v < 0
	})
}

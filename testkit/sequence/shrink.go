package sequence

import (
	"errors"
	"slices"
	"strconv"

	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// shrinking shortens a sequence as long as it breaks the same rule.
type shrinking struct {
	space *Space
	run   func([]Call) *Broken
	best  []Call
	broke *Broken
	left  int // sequences that may still be tried
}

// shrink gives the shortest sequence found and how it breaks the rule.
func shrink(space *Space, calls []Call, b *Broken, run func([]Call) *Broken) ([]Call, *Broken) {
	s := &shrinking{space: space, run: run, best: slices.Clone(calls), broke: b, left: maxShrink}
	for again := true; again && s.left > 0; {
		again = s.fewer()
		again = s.simpler() || again
	}
	return s.best, s.broke
}

// try keeps a candidate if it breaks the rule too.
func (s *shrinking) try(candidate []Call) bool {
	if s.left == 0 || len(candidate) == 0 {
		return false
	}
	s.left--
	if last := &candidate[len(candidate)-1]; last.Blocks == 0 {
		last.Blocks = 1
	}
	b := s.run(candidate)
	if b == nil || b.Rule != s.broke.Rule {
		return false
	}
	s.best, s.broke = candidate[:b.After], b
	return true
}

// fewer leaves calls out, many at once first.
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

// simpler puts the first sender in another's place everywhere, then makes single calls plainer: sooner, by the first sender, with smaller values.
func (s *shrinking) simpler() (changed bool) {
	for _, other := range s.space.Senders[1:] {
		if candidate, differs := s.renamed(other); differs && s.try(candidate) {
			changed = true
		}
	}
	for i := 0; i < len(s.best); i++ {
		for _, edit := range s.edits(i) {
			if i >= len(s.best) {
				break
			}
			candidate := slices.Clone(s.best)
			candidate[i].Payload.Pairs = slices.Clone(candidate[i].Payload.Pairs)
			if edit(&candidate[i]) && s.try(candidate) {
				changed = true
			}
		}
	}
	return changed
}

// edits are what may make a call plainer; each reports whether it changed anything.
func (s *shrinking) edits(i int) []func(*Call) bool {
	first := s.space.Senders[0]
	list := []func(*Call) bool{
		func(c *Call) bool { changed := c.Blocks > 1; c.Blocks = 1; return changed },
		func(c *Call) bool { changed := c.Blocks > 2; c.Blocks /= 2; return changed },
		func(c *Call) bool { changed := c.By != first; c.By = first; return changed },
		func(c *Call) bool { changed := c.Payload.String() != ""; c.Payload = shape.Payload{}; return changed },
		func(c *Call) bool { changed := c.Coins > 0; c.Coins = 0; return changed },
		func(c *Call) bool { changed := c.Coins > 1; c.Coins = min(c.Coins, 1); return changed },
	}
	for n := range s.best[i].Payload.Pairs {
		list = append(list, func(c *Call) bool { return drop(&c.Payload, n) })
		for _, value := range plainer(s.best[i].Payload.Pairs[n].Value) {
			list = append(list, func(c *Call) bool { return replace(&c.Payload, n, value) })
		}
	}
	return list
}

// renamed puts the first sender in the place of another, also where payloads name it.
func (s *shrinking) renamed(from string) (list []Call, differs bool) {
	to := s.space.Senders[0]
	said, says := strconv.Quote(s.space.Mention(from)), strconv.Quote(s.space.Mention(to))
	list = slices.Clone(s.best)
	for i := range list {
		c := &list[i]
		c.Payload.Pairs = slices.Clone(c.Payload.Pairs)
		if c.By == from {
			c.By, differs = to, true
		}
		for n, pair := range c.Payload.Pairs {
			if pair.Value == said {
				c.Payload.Pairs[n].Value, differs = says, true
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
	if value == "" {
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return []string{"0", "1", "-1", "9223372036854775807", "18446744073709551616"}
	case err != nil && value != `""` && value[0] == '"' && value[1] != '$' && !isAddress(value):
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

// isAddress reports a JSON text that stands for an address.
func isAddress(value string) bool { return len(value) == 44 && value[:3] == `"0x` }

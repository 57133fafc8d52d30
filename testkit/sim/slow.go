package sim

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Slowness makes the turns of an actor take time on every machine, whatever they do. Otherwise nothing that is executed takes any.
type Slowness struct {
	Actor account.Address
	Takes time.Duration
	Own   time.Duration // in a block of the machine's own; 0: as long as in others'
	Deaf  bool          // such a turn goes on though it is to end
}

// sluggishLooks is how often a slow turn looks whether it is to end.
const sluggishLooks = 5 * time.Millisecond

// sluggish is a PVM worker whose turns may take time. They are run one after the other.
type sluggish struct {
	life *life
	to   executor.Performer
	line []*executor.Turn // the first is being run
}

// Perform implements executor.Performer.
func (s *sluggish) Perform(t *executor.Turn) supervision.Delivery {
	s.line = append(s.line, t)
	if len(s.line) == 1 {
		s.begin()
	}
	return supervision.Accepted
}

// begin runs turns from the head of the line until one takes time.
func (s *sluggish) begin() {
	for len(s.line) > 0 {
		t := s.line[0]
		if x := s.slowness(t); x.Takes > 0 && !t.Turn.Interrupt.Raised() {
			s.endure(t, x, s.length(t, x))
			return
		}
		s.line = s.line[1:]
		s.to.Perform(t)
	}
}

// endure lets a turn take the time that is left of it.
func (s *sluggish) endure(t *executor.Turn, x Slowness, left time.Duration) {
	if !x.Deaf && t.Turn.Interrupt.Raised() {
		s.line = s.line[1:]
		t.Interrupted()
		s.begin()
		return
	}
	if left <= 0 {
		s.line = s.line[1:]
		s.to.Perform(t)
		s.begin()
		return
	}
	step := min(left, sluggishLooks)
	if x.Deaf {
		step = left
	}
	(&clock{s.life}).AfterFunc(step, func() { s.endure(t, x, left-step) })
}

// length is how long a turn takes.
func (s *sluggish) length(t *executor.Turn, x Slowness) time.Duration {
	if keys := s.life.m.keys; x.Own > 0 && keys != nil && t.Turn.Block.Proposer == keys.Account.Address() {
		return x.Own
	}
	return x.Takes
}

func (s *sluggish) slowness(t *executor.Turn) Slowness {
	for _, x := range s.life.m.w.plan.Slow {
		if x.Actor == t.Turn.Target {
			return x
		}
	}
	return Slowness{}
}

// text gives the slowness as a line of a plan.
func (x Slowness) text() string {
	word := "slow"
	if x.Deaf {
		word = "deaf"
	}
	return fmt.Sprintf("%s %x %v %v", word, x.Actor[:], x.Takes, x.Own)
}

// readSlowness takes a line that text gave.
func (p *Plan) readSlowness(word string, args []string) error {
	x := Slowness{Deaf: word == "deaf"}
	data, err := hex.DecodeString(args[0])
	if err != nil || len(data) != len(x.Actor) {
		return fmt.Errorf("%q is no address", args[0])
	}
	copy(x.Actor[:], data)
	if x.Takes, err = readSpan(args[1]); err == nil {
		x.Own, err = readSpan(args[2])
	}
	p.Slow = append(p.Slow, x)
	return err
}

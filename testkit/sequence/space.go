package sequence

import (
	"math/rand/v2"

	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// Call is one drawn call.
type Call struct {
	By, Actor, Handler string // names of the Space
	Payload            shape.Payload
	Blocks             int // made after it; 0: the next call is in the same block
}

// Target is a handler that may be called.
type Target struct {
	Actor   string
	Handler shape.Handler
	Shape   string // the author's, with $number, $text, $flag and $address; "" draws by the source
}

// Space is what calls are drawn from. It has a target and a sender at least.
type Space struct {
	Targets []Target
	Senders []string
	People  []string                   // texts that stand for addresses in payloads
	Mention func(sender string) string // of them, the one that stands for a sender
}

// Draw makes a call.
func (s *Space) Draw(r *rand.Rand) Call {
	t := &s.Targets[r.IntN(len(s.Targets))]
	c := Call{By: s.Senders[r.IntN(len(s.Senders))], Actor: t.Actor, Handler: t.Handler.Name}
	if t.Shape != "" {
		c.Payload = t.Handler.Fill(r, t.Shape, s.People)
	} else {
		c.Payload = t.Handler.Draw(r, s.People)
	}
	switch n := r.IntN(16); {
	case n < 3: // the next call is in the same block
	case n < 12:
		c.Blocks = 1
	case n < 15:
		c.Blocks = 1 + r.IntN(8)
	default:
		c.Blocks = 1 + r.IntN(200)
	}
	return c
}

package sequence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// Call is one drawn call.
type Call struct {
	By, Actor, Handler string // names of the Space
	Payload            shape.Payload
	Coins              uint64 // that come with it, in base units
	Blocks             int    // made after it; 0: the next call is in the same block
}

// Target is a handler that may be called.
type Target struct {
	Actor   string
	Handler shape.Handler
	Shape   string // the author's, with $number, $text, $flag and $address; "" draws by the source
}

// Count is how often a handler was called, and how often it did what it was asked.
type Count struct {
	Handler   string `json:"handler"`
	Calls     int    `json:"calls"`
	Successes int    `json:"successes"`
	Fault     string `json:"fault,omitempty"` // of the newest call that failed
}

// Tally are the counts of the handlers of a Space, in its order.
type Tally []Count

// Add notes a call; fault is empty for a success.
func (t *Tally) Add(handler, fault string) {
	i := slices.IndexFunc(*t, func(c Count) bool { return c.Handler == handler })
	if i < 0 {
		i = len(*t)
		*t = append(*t, Count{Handler: handler})
	}
	c := &(*t)[i]
	if c.Calls++; fault == "" {
		c.Successes++
	} else {
		c.Fault = fault
	}
}

// Enough is how many calls of a handler are enough to say that none succeeds.
const Enough = 25

// Barren says which handlers were called often enough and never succeeded: whatever held after their calls says nothing. Empty: none.
func (t Tally) Barren() string {
	var list []string
	for _, c := range t {
		if c.Successes == 0 && c.Calls >= Enough {
			list = append(list, fmt.Sprintf("%s failed in all of %d calls, the last with %s", c.Handler, c.Calls, c.Fault))
		}
	}
	return strings.Join(list, "; ")
}

// String is the tally on one line: increment 12 of 12, value 0 of 7.
func (t Tally) String() string {
	list := make([]string, len(t))
	for i, c := range t {
		list[i] = fmt.Sprintf("%s %d of %d", c.Handler, c.Successes, c.Calls)
	}
	return strings.Join(list, ", ")
}

// Space is what calls are drawn from. It has a target and a sender at least.
type Space struct {
	Targets []Target
	Senders []string
	People  []string                   // texts that stand for addresses in payloads
	Mention func(sender string) string // of them, the one that stands for a sender
	Rules   int                        // how many must hold
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
	c.Coins = t.Handler.Coins(r)
	switch n := r.IntN(16); {
	case n < 3 && c.Coins == 0: // the next call is in the same block
	case n < 12:
		c.Blocks = 1
	case n < 15:
		c.Blocks = 1 + r.IntN(8)
	default:
		c.Blocks = 1 + r.IntN(200)
	}
	return c
}

package scenario

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/testkit"
	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// FuzzOptions bound a search for calls that break a story's invariants. What is found depends on Seed, Runs and Steps alone; Until ends a search early.
type FuzzOptions struct {
	Seed  uint64
	Runs  int         // sequences to try; 0 is no bound
	Steps int         // calls of one sequence; 0 is 30
	Until func() bool // asked between sequences; nil: never
}

const (
	defaultSteps = 30
	// maxShrink bounds the sequences tried to shorten a finding.
	maxShrink = 3_000
)

// Finding is the shortest sequence found that breaks an invariant.
type Finding struct {
	Run       int      `json:"run"`       // of the search, from 1
	Invariant string   `json:"invariant"` // the command
	Line      int      `json:"line"`      // of the story
	Want      []string `json:"want"`
	Got       []string `json:"got"`
	Steps     int      `json:"steps"`
	Story     string   `json:"story"` // an archive that fails until the actor is mended
}

// Search is what became of a fuzzing.
type Search struct {
	Runs, Calls, Faults int // sequences, calls made, and how many of them failed as actors refuse
	Handlers            []string
	Found               *Finding // nil: nothing
}

// ErrNothing says that a story declares no fuzzing.
var ErrNothing = errors.New("no story says `fuzz ACTOR` and `invariant COMMAND`: what is to be called and what must hold")

// step is one drawn call: who sends it, and how many blocks are made after it.
type step struct {
	by, actor, handler string
	payload            shape.Payload
	blocks             int
}

func (s *step) lines() []string {
	list := []string{strings.TrimSpace(fmt.Sprintf("send %s %s %s %s", s.by, s.actor, s.handler, s.payload))}
	if s.blocks > 0 {
		list = append(list, fmt.Sprintf("mine %d", s.blocks))
	}
	return list
}

// target is a handler the search may call.
type target struct {
	actor   string
	handler shape.Handler
	shape   string // the author's; "" draws by the source
}

// fuzzing is a story made ready for a search: its world stands where the first fuzz command is.
type fuzzing struct {
	story      *story
	world      *world
	start      *testkit.Snapshot
	targets    []target
	senders    []string
	people     []string
	invariants []line
	first      int // index of the first fuzz command
	search     Search
}

// Fuzzes tells whether a story may be fuzzed.
func Fuzzes(data []byte) bool {
	s, err := parse("", data)
	return err != nil || slices.ContainsFunc(s.lines, func(l line) bool { verb, _ := words(l.text, 1); return verb[0] == "fuzz" })
}

// Fuzz searches for calls after which an invariant of a story does not hold. The error is a *Error for a mistake in the story, and ErrNothing for one that
// declares nothing.
func Fuzz(name string, data []byte, o FuzzOptions) (*Search, error) {
	f, err := prepare(name, data)
	if err != nil {
		return nil, err
	}
	if o.Steps == 0 {
		o.Steps = defaultSteps
	}
	for f.search.Runs = 1; o.Runs == 0 || f.search.Runs <= o.Runs; f.search.Runs++ {
		r := rand.New(rand.NewPCG(o.Seed, uint64(f.search.Runs)))
		steps := make([]step, 1+r.IntN(o.Steps))
		for i := range steps {
			steps[i] = f.draw(r)
		}
		steps[len(steps)-1].blocks = max(steps[len(steps)-1].blocks, 1)
		if b := f.run(steps); b != nil {
			f.search.Found = f.report(f.shrink(steps[:b.after], b))
			return &f.search, nil
		}
		if o.Until != nil && o.Until() {
			return &f.search, nil
		}
	}
	f.search.Runs--
	return &f.search, nil
}

// prepare runs a story up to its first fuzz command and reads what it declares.
func prepare(name string, data []byte) (*fuzzing, error) {
	s, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	f := &fuzzing{story: s, world: newWorld(s), first: -1}
	for i, l := range s.lines {
		verb, rest := words(l.text, 1)
		switch verb[0] {
		case "fuzz":
			if f.first < 0 {
				f.first = i
			}
			if err := f.declare(l, rest); err != nil {
				return nil, err
			}
		case "invariant":
			f.invariants = append(f.invariants, line{l.number, rest, l.want})
		default:
			if f.first >= 0 {
				continue
			}
			if _, err := f.world.command(l); err != nil {
				return nil, err
			}
		}
	}
	if f.first < 0 || len(f.invariants) == 0 {
		return nil, ErrNothing
	}
	f.start = f.world.chain.Snapshot()
	for name := range f.world.accounts {
		f.senders = append(f.senders, name)
	}
	slices.Sort(f.senders)
	if len(f.senders) == 0 {
		return nil, &Error{name, s.lines[f.first].number, "nobody is there to call", "make accounts before: account alice"}
	}
	for name := range f.world.addresses {
		f.people = append(f.people, "${"+name+"}")
	}
	slices.Sort(f.people)
	return f, nil
}

// declare reads `fuzz ACTOR [HANDLER [SHAPE]]`.
func (f *fuzzing) declare(l line, rest string) error {
	args, form := words(rest, 2)
	mistake := func(text, hint string) error { return &Error{f.story.name, l.number, text, hint} }
	if len(args) == 0 {
		return mistake("usage: fuzz ACTOR [HANDLER [SHAPE]]", "")
	}
	addr, err := f.world.address(args[0])
	if err != nil {
		return mistake(err.Error(), "")
	}
	handlers, err := f.handlers(addr)
	if err != nil {
		return mistake(args[0]+": "+err.Error(), "")
	}
	found := false
	for _, h := range handlers {
		if len(args) == 2 && h.Name != args[1] {
			continue
		}
		found = true
		f.targets = append(f.targets, target{args[0], h, form})
		f.search.Handlers = append(f.search.Handlers, args[0]+"."+h.Name)
	}
	if !found {
		names := make([]string, len(handlers))
		for i, h := range handlers {
			names[i] = h.Name
		}
		return mistake("the actor has no such handler anyone may call", "it has "+strings.Join(names, ", "))
	}
	return nil
}

var errNoSource = errors.New("it is no actor")

func (f *fuzzing) handlers(addr account.Address) ([]shape.Handler, error) {
	a := f.world.chain.Record(addr)
	if a.Kind != account.Actor {
		return nil, errNoSource
	}
	source, ok, err := f.world.chain.State().Lookup(host.CodeKey(a.CodeHash))
	if err != nil || !ok {
		return nil, errors.Join(errNoSource, err)
	}
	return shape.Handlers(source)
}

func (f *fuzzing) draw(r *rand.Rand) step {
	t := &f.targets[r.IntN(len(f.targets))]
	s := step{by: f.senders[r.IntN(len(f.senders))], actor: t.actor, handler: t.handler.Name}
	if t.shape != "" {
		s.payload = t.handler.Fill(r, t.shape, f.people)
	} else {
		s.payload = t.handler.Draw(r, f.people)
	}
	switch n := r.IntN(16); {
	case n < 3: // the next call is in the same block
	case n < 12:
		s.blocks = 1
	case n < 15:
		s.blocks = 1 + r.IntN(8)
	default:
		s.blocks = 1 + r.IntN(200)
	}
	return s
}

// broken is an invariant that does not hold.
type broken struct {
	after     int // steps that were taken
	invariant int
	got       []string
}

// run takes steps from the start and gives the first invariant that breaks. A sequence the chain refuses, as of a sender without coins, breaks none.
func (f *fuzzing) run(steps []step) *broken {
	f.world.chain.Revert(f.start)
	for i := range steps {
		for _, text := range steps[i].lines() {
			before := len(f.world.chain.Blocks())
			if _, err := f.world.command(line{text: text}); err != nil {
				return nil
			}
			for _, b := range f.world.chain.Blocks()[before:] {
				for _, x := range b.Receipts {
					if f.search.Calls++; x.Fault.Code != 0 {
						f.search.Faults++
					}
				}
			}
		}
		if steps[i].blocks == 0 {
			continue
		}
		for n, l := range f.invariants {
			got, err := f.world.command(line{number: l.number, text: l.text})
			if err != nil {
				got = []string{err.Error()}
			}
			if !slices.Equal(got, l.want) {
				return &broken{i + 1, n, got}
			}
		}
	}
	return nil
}

// report writes a finding as a story.
func (f *fuzzing) report(steps []step, b *broken) *Finding {
	f.run(nil) // back to the start
	l := f.invariants[b.invariant]
	found := &Finding{
		Run: f.search.Runs, Invariant: l.text, Line: l.number, Want: l.want, Got: b.got, Steps: len(steps),
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Found by fuzzing %s. It passes when the invariant holds; --update then rewrites the rest.\n", f.story.name)
	write := func(command string, out []string) {
		text.WriteString(command + "\n")
		for _, one := range out {
			text.WriteString(strings.TrimRight("> "+one, " ") + "\n")
		}
	}
	for _, l := range f.story.lines[:f.first] {
		if verb, _ := words(l.text, 1); verb[0] != "invariant" {
			write(l.text, l.want)
		}
	}
	for i := range steps {
		for _, command := range steps[i].lines() {
			out, err := f.world.command(line{text: command})
			if err != nil {
				out = []string{err.Error()}
			}
			write(command, out)
		}
	}
	write(l.text, l.want)
	found.Story = string(f.story.archived(text.String()))
	return found
}

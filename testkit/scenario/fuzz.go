package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/testkit"
	"github.com/cowboyinc/cowboy-go/testkit/sequence"
	"github.com/cowboyinc/cowboy-go/testkit/shape"
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
	Tally               sequence.Tally
	Found               []*Finding // one for each invariant that breaks
}

// ErrNothing says that a story declares no fuzzing.
var ErrNothing = errors.New("no story says `fuzz ACTOR` and `invariant COMMAND`: what is to be called and what must hold")

// lines are a call as commands of a story.
func lines(c *sequence.Call) []string {
	list := []string{strings.TrimSpace(fmt.Sprintf("send %s %s %s %s", c.By, c.Actor, c.Handler, c.Payload))}
	blocks := c.Blocks
	if c.Coins > 0 { // in a block of its own
		list[0] = strings.TrimSpace(fmt.Sprintf("pay %s %s %s %s %s", c.By, c.Actor, c.Handler, unit.Amount(c.Coins).CBY(), c.Payload))
		blocks--
	}
	if blocks > 0 {
		list = append(list, fmt.Sprintf("mine %d", blocks))
	}
	return list
}

// fuzzing is a story made ready for a search: its world stands where the first fuzz command is.
type fuzzing struct {
	story      *story
	world      *world
	start      *testkit.Snapshot
	space      sequence.Space
	invariants []line
	first      int // index of the first fuzz command
	search     Search
	quiet      bool // what is tried from now on only shortens a finding, and is not counted
}

// Fuzzes tells whether a story may be fuzzed.
func Fuzzes(data []byte) bool {
	s, err := parse("", data)
	return err != nil || slices.ContainsFunc(s.lines, func(l line) bool { verb, _ := words(l.text, 1); return verb[0] == "fuzz" })
}

// Fuzz searches for calls after which an invariant of a story does not hold. The error is a *Error for a mistake in the story, and ErrNothing for one that
// declares nothing.
func Fuzz(name string, data []byte, o sequence.Options) (*Search, error) {
	f, err := prepare(name, data)
	if err != nil {
		return nil, err
	}
	f.space.Rules = len(f.invariants)
	runs, found := sequence.Search(&f.space, o, f.run)
	f.search.Runs = runs
	for _, x := range found {
		f.search.Found = append(f.search.Found, f.report(x))
	}
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
		f.space.Senders = append(f.space.Senders, name)
	}
	slices.Sort(f.space.Senders)
	if len(f.space.Senders) == 0 {
		return nil, &Error{name, s.lines[f.first].number, "nobody is there to call", "make accounts before: account alice"}
	}
	for name := range f.world.addresses {
		f.space.People = append(f.space.People, mention(name))
	}
	slices.Sort(f.space.People)
	f.space.Mention = mention
	return f, nil
}

// mention is what stands for an address in a story.
func mention(name string) string { return "${" + name + "}" }

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
		f.space.Targets = append(f.space.Targets, sequence.Target{Actor: args[0], Handler: h, Shape: form})
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

// run makes calls from the start and gives the first invariant that breaks. A sequence the chain refuses, as of a sender without coins, breaks none.
func (f *fuzzing) run(calls []sequence.Call, known func(rule int) bool) *sequence.Broken {
	f.world.chain.Revert(f.start)
	f.quiet = known(sequence.Shortening)
	for i := range calls {
		for _, text := range lines(&calls[i]) {
			before := len(f.world.chain.Blocks())
			if _, err := f.world.command(line{text: text}); err != nil {
				return nil
			}
			for _, b := range f.world.chain.Blocks()[before:] {
				for _, x := range b.Receipts {
					f.count(x)
				}
			}
		}
		if calls[i].Blocks == 0 {
			continue
		}
		for n, l := range f.invariants {
			if known(n) {
				continue
			}
			got, err := f.world.command(line{number: l.number, text: l.text})
			if err != nil {
				got = []string{err.Error()}
			}
			if !slices.Equal(got, l.want) {
				return &sequence.Broken{After: i + 1, Rule: n, Got: got}
			}
		}
	}
	return nil
}

func (f *fuzzing) count(x *block.Receipt) {
	if f.quiet {
		return
	}
	if f.search.Calls++; x.Fault.Code != 0 {
		f.search.Faults++
	}
	if handler, ours := f.world.handlers[x.ID.String()]; ours && x.Kind == block.Transaction {
		f.search.Tally.Add(handler, x.Fault.Text)
	}
}

// report writes a finding as a story.
func (f *fuzzing) report(x *sequence.Finding) *Finding {
	f.world.chain.Revert(f.start)
	l := f.invariants[x.Rule]
	found := &Finding{Run: x.Run, Invariant: l.text, Line: l.number, Want: l.want, Got: x.Got, Steps: len(x.Calls)}
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
	for i := range x.Calls {
		for _, command := range lines(&x.Calls[i]) {
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

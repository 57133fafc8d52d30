package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit"
	"github.com/cowboyinc/cowboy-go/testkit/coverage"
	"github.com/cowboyinc/cowboy-go/testkit/traced"
)

// Options say how a story runs.
type Options struct {
	Update bool // rewrite the expected output instead of comparing
	// Cover, if it is given, has the story run a second time with actors that note their lines into it; what the story prints is of the first run.
	Cover *coverage.Coverage
	// Profile has the cycles of actors counted by handler, function and line.
	Profile bool
}

// Difference is a command that did not print what it must.
type Difference struct {
	Line      int
	Command   string
	Want, Got []string
	// Failures are the tracebacks of what failed in the command: no part of what it prints, so that a story stands when a line moves.
	Failures []string
}

// String shows both outputs, line by line.
func (d Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "line %d: %s\n", d.Line, d.Command)
	for i := range max(len(d.Want), len(d.Got)) {
		switch {
		case i >= len(d.Got):
			fmt.Fprintf(&b, "  - %s\n", d.Want[i])
		case i >= len(d.Want):
			fmt.Fprintf(&b, "  + %s\n", d.Got[i])
		case d.Want[i] == d.Got[i]:
			fmt.Fprintf(&b, "    %s\n", d.Got[i])
		default:
			fmt.Fprintf(&b, "  - %s\n  + %s\n", d.Want[i], d.Got[i])
		}
	}
	for _, text := range d.Failures {
		for line := range strings.Lines(text) {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

// Result is what became of a story.
type Result struct {
	Differences   []Difference
	Cycles, Cells uint64 // used by everything that ran
	Updated       bool   // the file was rewritten
	// Profile says where the cycles of actors went, if it was asked for. Its files are those of the actors, and those of the library.
	Profile pvm.Stacks
}

// OK tells whether every command printed what it must.
func (r *Result) OK() bool { return len(r.Differences) == 0 }

// RunFile runs the story of a file. The error is a *Error for a mistake in it.
func RunFile(path string, o Options) (*Result, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r, text, err := Run(path, data, o)
	if err == nil && o.Update && string(text) != string(data) {
		r.Updated = true
		err = os.WriteFile(path, text, 0o644)
	}
	return r, err
}

// Run runs a story and gives, with Options.Update, the archive with its output rewritten.
func Run(name string, data []byte, o Options) (*Result, []byte, error) {
	s, err := parse(name, data)
	if err != nil {
		return nil, nil, err
	}
	w := newWorld(s)
	result := &Result{}
	profile := pvm.NewProfile()
	if o.Profile {
		w.chain.Profile(profile)
	}
	printed := map[int][]string{}
	for _, l := range s.lines {
		got, err := w.command(l)
		if err != nil {
			return nil, nil, err
		}
		printed[l.number] = got
		if !o.Update && !slices.Equal(got, l.want) {
			result.Differences = append(result.Differences, Difference{l.number, l.text, l.want, got, w.failures})
		}
	}
	for _, b := range w.chain.Blocks() {
		for _, x := range b.Receipts {
			result.Cycles += uint64(x.CyclesUsed)
			result.Cells += uint64(x.CellsUsed)
		}
	}
	if o.Profile {
		result.Profile = profile.Stacks().Renamed(w.fileNames()).Merged()
	}
	if o.Cover != nil {
		cover(s, o.Cover)
	}
	if o.Update {
		return result, s.rewritten(printed), nil
	}
	return result, nil, nil
}

// world is the chain of a story and its names.
type world struct {
	story     *story
	chain     *testkit.Chain
	accounts  map[string]*testkit.Account
	addresses map[string]account.Address
	names     map[account.Address]string
	snapshots map[string]*testkit.Snapshot
	answers   map[string]testkit.Answer
	roots     map[string]digest.Hash
	tokens    map[string]token.ID
	measured  int               // blocks that gas has reported
	handlers  map[string]string // by transaction: actor.handler
	out       []string
	files     map[string]string // by canonical source: the file it is from
	failures  []string          // tracebacks of the command
	last      string            // the newest traceback of the story
	tracer    *traced.Tracer    // executes blocks again for traces; nil before the first
}

// cover runs a story with actors that note their lines, as far as it comes.
func cover(s *story, c *coverage.Coverage) {
	var w *world
	w = worldOn(s, host.NewInstrumented(c.Instrument(func(source []byte) string { return w.fileOf(source) })))
	for _, l := range s.lines {
		if _, err := w.command(l); err != nil {
			return
		}
	}
}

// fileOf names the file of an actor's canonical source.
func (w *world) fileOf(source []byte) string {
	if name, ok := w.files[string(source)]; ok {
		return filepath.Join(filepath.Dir(w.story.name), name)
	}
	return "<text>"
}

// fileNames gives the names of files for those a profile has.
func (w *world) fileNames() func(string) string {
	names := map[string]string{}
	for source := range w.files { // order-free: a copy
		names[host.Profiled([]byte(source))] = w.fileOf([]byte(source))
	}
	return func(file string) string { return cmp.Or(names[file], file) }
}

func newWorld(s *story) *world { return worldOn(s, host.NewPrograms()) }

// worldOn is a new world over a cache of compiled programs.
func worldOn(s *story, programs *host.Programs) *world {
	w := &world{
		story: s, chain: testkit.NewChainOn(testkit.Outside{}, programs), accounts: map[string]*testkit.Account{}, addresses: map[string]account.Address{},
		names: map[account.Address]string{}, snapshots: map[string]*testkit.Snapshot{}, roots: map[string]digest.Hash{}, answers: map[string]testkit.Answer{},
		handlers: map[string]string{},
		tokens:   map[string]token.ID{},
		files:    map[string]string{},
	}
	w.chain.Jobs(w.answerTo)
	return w
}

// command runs one line and gives what it printed.
func (w *world) command(l line) (out []string, err error) {
	mistake := func(text, hint string) error { return &Error{w.story.name, l.number, text, hint} }
	defer func() {
		if p := recover(); p != nil {
			said, ok := p.(testkit.Refusal)
			if !ok {
				panic(p)
			}
			out, err = nil, mistake(said.Text, "")
		}
	}()
	list, rest := words(l.text, 1)
	verb, ok := verbs[list[0]]
	if !ok {
		return nil, mistake(fmt.Sprintf("there is no command %q", list[0]), nearest(list[0]))
	}
	args, payload := words(rest, verb.most)
	if len(args) < verb.least || payload != "" && !verb.payload {
		return nil, mistake("usage: "+list[0]+" "+verb.usage, "")
	}
	w.out, w.failures = nil, nil
	lost := w.chain.Lost()
	if err := verb.run(w, args, payload); err != nil {
		hint := ""
		if e := (*misnamed)(nil); errors.As(err, &e) {
			hint = e.hint
		}
		return nil, mistake(err.Error(), hint)
	}
	if w.chain.Lost() > lost {
		w.print("a turn was lost; its block was executed again")
	}
	return w.out, nil
}

func (w *world) print(format string, args ...any) {
	if len(w.out) == maxOutput {
		return
	}
	for text := range strings.SplitSeq(w.named(fmt.Sprintf(format, args...)), "\n") {
		w.out = append(w.out, strings.TrimRight(text, " \t\r"))
	}
}

// named replaces addresses that have a name.
func (w *world) named(text string) string {
	var pairs []string
	for addr, name := range w.names { // order-free: addresses do not overlap
		hex := addr.String()
		pairs = append(pairs, hex, name, strings.ToLower(hex), name, strings.ToLower(hex[2:]), name)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// receipt prints an outcome: what was returned, the events, the fault.
func (w *world) receipt(x *block.Receipt) {
	if x == nil {
		w.print("no receipt")
		return
	}
	w.printed(w.chain.Printed(x.ID))
	w.failed(w.chain.Failure(x.ID))
	if x.Status != block.Success {
		w.print("%v %d: %s", x.Status, x.Fault.Code, x.Fault.Text)
	} else if len(x.ReturnData) > 0 {
		w.print("= %s", shown(x.ReturnData))
	}
	for i := range x.Events {
		e := &x.Events[i]
		w.print("event %v %s %s", e.Actor, e.Topic, shown(e.Data))
	}
}

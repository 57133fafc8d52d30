package pytest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit"
	"github.com/cowboyinc/cowboy-go/testkit/sequence"
	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// Finding is the shortest sequence found that breaks an invariant of a Fuzz class.
type Finding struct {
	Run       int    // of the search, from 1
	Invariant string // the method's name
	Failure   string // the traceback
	Calls     int
	Test      string // a Python test that fails until the actor is mended
}

// Fuzzed is what became of the search of one Fuzz class.
type Fuzzed struct {
	Class               string
	Runs, Calls, Faults int // sequences, calls made, and how many of them failed as actors refuse
	Handlers            []string
	Tally               sequence.Tally
	Found               []*Finding // one for each invariant that breaks
	Failure             string     // why it could not begin, or that nothing it called succeeded
}

// fuzzes tells a Fuzz class from other tests by its name.
func fuzzes(name string) bool { return strings.HasPrefix(name, "Fuzz") && !strings.Contains(name, ".") }

// Fuzzers lists the Fuzz classes of the file: those with a method invariant_*, in order.
func (r *Runner) Fuzzers() ([]string, error) {
	names, err := r.Names()
	return slices.DeleteFunc(names, func(name string) bool { return !fuzzes(name) }), err
}

// briefly bounds the search that a Fuzz class has among the other tests.
const briefly = 20

// brief is a Fuzz class as one of the tests: some sequences of a fixed seed.
func (r *Runner) brief(class string) Result {
	f, t := r.fuzz(class, sequence.Options{Seed: 1, Runs: briefly})
	out := Result{Name: class, OK: len(f.Found) == 0 && f.Failure == "", Failure: f.Failure}
	if t != nil {
		out.Output, out.Cycles, out.Cells = t.output.String(), t.session.cycles, t.session.cells
	}
	for i, x := range f.Found {
		if i > 0 || out.Failure != "" {
			out.Failure += "\n\n"
		}
		out.Failure += fmt.Sprintf("%s\nafter %d calls drawn; as a test:\n%s", x.Failure, x.Calls, strings.TrimRight(x.Test, "\n"))
	}
	return out
}

// Fuzz searches for calls after which an invariant of a Fuzz class does not hold.
func (r *Runner) Fuzz(class string, o sequence.Options) *Fuzzed {
	out, _ := r.fuzz(class, o)
	return out
}

// fuzz is Fuzz with what it ran in, nil where nothing did.
func (r *Runner) fuzz(class string, o sequence.Options) (*Fuzzed, *running) {
	out := &Fuzzed{Class: class}
	t, err := r.start(class)
	if err != nil {
		out.Failure = err.Error()
		return out, nil
	}
	f := &fuzzing{running: t, class: class, out: out}
	if out.Failure = f.prepare(); out.Failure != "" {
		return out, t
	}
	f.space.Rules = len(f.rules)
	runs, found := sequence.Search(&f.space, o, f.run)
	out.Runs = runs
	for _, x := range found {
		out.Found = append(out.Found, f.report(x))
	}
	if barren := out.Tally.Barren(); barren != "" {
		out.Failure = class + ": " + barren +
			"\nsay what its payload is: handlers = {\"name\": {\"amount\": \"$number\"}}, or name the handlers to call in a list"
	}
	return out, t
}

// fuzzing is a Fuzz class made ready for a search: its chain stands where setUp left it.
type fuzzing struct {
	*running
	class      string
	out        *Fuzzed
	invariants []string
	rules      []object.Value // bound methods
	space      sequence.Space
	chain      *simulated
	start      *testkit.Snapshot
	people     map[string]account.Address // senders by name
	actors     map[string]account.Address // targets by what the found test calls them
	quiet      bool                       // what is tried from now on only shortens a finding, and is not counted
	sent       map[digest.Hash]string     // handlers by transaction
}

// prepare makes the instance and reads what it wants called; the text says what is wrong with it.
func (f *fuzzing) prepare() (failure string) {
	defer func() {
		if b, ok := recover().(broken); ok {
			failure = b.Text
		}
	}()
	class, ok := f.module.Lookup(f.class)
	if !ok {
		return "no class " + f.class
	}
	instance, fault := f.machine.Call(class)
	if fault != nil {
		return explain(fault)
	}
	f.machine.Inner().Pin(instance)
	if failure = f.around(instance, "setUp", "setup_method"); failure != "" {
		return failure
	}
	for _, name := range methods(f.machine.Inner(), class, f.class, "invariant_") {
		_, method, _ := strings.Cut(name, ".")
		bound, fault := f.machine.Attr(instance, method)
		if fault != nil {
			return explain(fault)
		}
		f.machine.Inner().Pin(bound)
		f.invariants, f.rules = append(f.invariants, method), append(f.rules, bound)
	}
	chain, fault := f.machine.Attr(instance, "chain")
	if fault != nil {
		return f.class + ".setUp has to leave a SimulatedChain in self.chain"
	}
	plan, fault := f.machine.Attr(chain, "_plan")
	if fault != nil {
		return f.class + ".chain is no SimulatedChain"
	}
	raw, fault := f.machine.Call(plan, instance)
	if fault != nil {
		return explain(fault)
	}
	return f.planned(octets(raw))
}

// planned reads the plan of SimulatedChain._plan: [chain, [target], [[name, sender]], [[handler, shape]]].
func (f *fuzzing) planned(data []byte) string {
	v, err := cbor.Parse(data)
	if err != nil {
		return err.Error()
	}
	parts := v.([]any)
	f.chain = f.session.chains[parts[0].(int64)]
	f.people, f.actors = map[string]account.Address{}, map[string]account.Address{}
	for _, s := range parts[2].([]any) {
		pair := s.([]any)
		name := pair[0].(string)
		f.people[name] = account.Address(pair[1].([]byte))
		f.space.Senders = append(f.space.Senders, name)
		f.space.People = append(f.space.People, f.people[name].String())
	}
	f.space.Mention = func(sender string) string { return f.people[sender].String() }
	shapes := map[string]string{}
	for _, h := range parts[3].([]any) {
		pair := h.([]any)
		shapes[pair[0].(string)] = pair[1].(string)
	}
	for i, target := range parts[1].([]any) {
		name := "case.chain"
		if len(parts[1].([]any)) > 1 {
			name = fmt.Sprintf("case.targets[%d]", i)
		}
		f.actors[name] = account.Address(target.([]byte))
		f.space.People = append(f.space.People, f.actors[name].String())
		if failure := f.target(name, shapes); failure != "" {
			return failure
		}
	}
	if len(f.space.Targets) == 0 {
		return f.class + ": no target has a handler that may be called"
	}
	f.start = f.chain.Snapshot()
	return ""
}

// target adds the handlers of an actor, or those of them that are named.
func (f *fuzzing) target(name string, shapes map[string]string) string {
	a := f.chain.Record(f.actors[name])
	source, ok, err := f.chain.State().Lookup(host.CodeKey(a.CodeHash))
	if err != nil || !ok {
		return name + " is no actor"
	}
	handlers, err := shape.Handlers(source)
	if err != nil {
		return name + ": " + err.Error()
	}
	for _, h := range handlers {
		form, named := shapes[h.Name]
		if len(shapes) > 0 && !named {
			continue
		}
		f.space.Targets = append(f.space.Targets, sequence.Target{Actor: name, Handler: h, Shape: form})
		f.out.Handlers = append(f.out.Handlers, h.Name)
	}
	for _, wanted := range slices.Sorted(maps.Keys(shapes)) {
		if !slices.ContainsFunc(f.space.Targets, func(t sequence.Target) bool { return t.Handler.Name == wanted }) && len(f.actors) == 1 {
			return fmt.Sprintf("%s has no handler %s anyone may call", name, wanted)
		}
	}
	return ""
}

// run makes calls from the start and gives the first invariant that breaks. A sequence the chain refuses, as of a sender without coins, breaks none.
func (f *fuzzing) run(calls []sequence.Call, known func(rule int) bool) (b *sequence.Broken) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case broken:
			b = nil
		default:
			panic(r)
		}
	}()
	f.chain.Revert(f.start)
	f.sent, f.quiet = map[digest.Hash]string{}, known(sequence.Shortening)
	for i := range calls {
		c := &calls[i]
		id := f.session.send(f.chain, f.people[c.By], f.actors[c.Actor], c.Handler, []byte(c.Payload.String()), unit.Amount(c.Coins))
		f.sent[id] = f.title(c)
		for range c.Blocks {
			f.count(f.chain.Mine().Receipts)
		}
		if c.Blocks == 0 {
			continue
		}
		for n := range f.rules {
			if known(n) {
				continue
			}
			if failure := f.check(n); failure != "" {
				return &sequence.Broken{After: i + 1, Rule: n, Got: []string{failure}}
			}
		}
	}
	return nil
}

// check asserts one invariant with cycles of its own.
func (f *fuzzing) check(n int) string {
	*f.meter = *pvm.NewMeter(f.runner.options.cycles(), maxCells)
	return f.call(f.rules[n])
}

func (f *fuzzing) count(receipts []*block.Receipt) {
	if f.quiet {
		return
	}
	f.session.count(nil, receipts) // what is printed in thousands of calls nobody reads
	for _, x := range receipts {
		if f.out.Calls++; x.Fault.Code != 0 {
			f.out.Faults++
		}
		if handler, ours := f.sent[x.ID]; ours && x.Kind == block.Transaction {
			f.out.Tally.Add(handler, x.Fault.Text)
		}
	}
}

// title is what a call's handler is called among the handlers.
func (f *fuzzing) title(c *sequence.Call) string {
	if len(f.actors) == 1 {
		return c.Handler
	}
	return c.Actor + "." + c.Handler
}

// report writes a finding as a test.
func (f *fuzzing) report(x *sequence.Finding) *Finding {
	invariant := f.invariants[x.Rule]
	var b strings.Builder
	fmt.Fprintf(&b, "# Found by fuzzing %s, beside which it belongs. It passes when the invariant holds.\n", f.class)
	fmt.Fprintf(&b, "def test_%s_holds():\n    case = %s()\n    case.setUp()\n", strings.TrimPrefix(invariant, "invariant_"), f.class)
	for i := range x.Calls {
		c := &x.Calls[i]
		verb := "try_call"
		if c.Blocks == 0 {
			verb = "send"
		}
		coins := ""
		if c.Coins > 0 {
			coins = fmt.Sprintf(", value=%d", c.Coins)
		}
		fmt.Fprintf(&b, "    %s.%s(%s, %s, sender=%s%s)\n", c.Actor, verb, python(c.Handler), python(c.Payload.String()), python(c.By), coins)
		if c.Blocks > 1 {
			fmt.Fprintf(&b, "    case.chain.advance_block(%d)\n", c.Blocks-1)
		}
	}
	fmt.Fprintf(&b, "    case.%s()\n", invariant)
	return &Finding{Run: x.Run, Invariant: invariant, Failure: strings.Join(x.Got, "\n"), Calls: len(x.Calls), Test: b.String()}
}

// python is a text as a Python literal.
func python(text string) string {
	if !strings.Contains(text, "'") && strconv.CanBackquote(text) && !strings.Contains(text, `\`) {
		return "'" + text + "'"
	}
	return strconv.QuoteToASCII(text)
}

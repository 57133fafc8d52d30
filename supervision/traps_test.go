package supervision

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// The framework's default strategy allows ten restarts in ten seconds and is used
// wherever none is named. Twelve crashes within a budget of hundred must not
// stop the leaf, and the second crash within a budget of one must.
func TestTrapDefaultStrategy(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Children: []Spec{
		{Name: "roomy", Limit: roomy, Children: b.leaves("a")},
		{Name: "tight", Limit: Limit{1, time.Minute}, Children: b.leaves("b")},
	}})
	for range 12 {
		b.send("a", "panic")
	}
	if s := b.tree.Status().Children[0].Children[0]; s.Restarts != 12 || s.State != "running" {
		t.Fatalf("after 12 crashes: %+v", s)
	}
	b.send("b", "panic")
	b.send("b", "panic")
	if b.halted() == nil {
		t.Error("the second crash within a budget of one did not escalate")
	}
}

// The root is guarded too: a failure of the root group's own actor halts.
func TestTrapUnguardedRoot(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: b.leaves("a")})
	b.tree.root.inbox.Reply(&started{member: 99})
	b.settle()
	if b.halted() == nil {
		t.Error("a crash of the root group did not halt the tree")
	}
}

// The framework's mailboxes grow without bound.
func TestTrapUnboundedMailbox(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Children: b.leaves("a")})
	accepted := 0
	for range 1000 {
		if b.leafs["a"].Send("work") == Accepted {
			accepted++
		}
	}
	if tally := b.leafs["a"].Tally(); accepted != 16 || tally.Depth != 16 || tally.Shed != 984 {
		t.Errorf("accepted %d, %+v", accepted, tally)
	}
}

// The framework drops the stack of a panic and the name of the message.
func TestTrapLostPanicStack(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: b.leaves("a")})
	b.send("a", "panic with reason")
	r := b.tree.Status().Children[0].Last
	if r == nil || !strings.Contains(r.Stack, "explode") || r.Reason != "panic with reason" || r.Command != "string" ||
		r.Subsystem != "node/a" || r.Instance != 1 || !strings.HasPrefix(r.Action, "restart a") {
		t.Errorf("report %+v", r)
	}
}

// A restart in the framework drops the failing message without telling anybody.
func TestTrapSilentlyDroppedCommand(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: b.leaves("a")})
	tree, question := b.tree, &asked{}
	tree.config.Inject = func(_ string, command any) {
		if command == any(question) {
			panic("injected")
		}
	}
	b.send("a", question)
	if question.cause != ErrAbandoned {
		t.Errorf("the sender was told %v", question.cause)
	}
}

// Children() of the framework is no longer in start order after a removal.
func TestTrapChildrenOrder(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Strategy: RestForOne, Limit: roomy, Children: b.leaves("a", "b", "c", "d")})
	b.send("b", "exit")
	b.send("a", "exit")
	b.send("c", "panic")
	b.log = nil
	b.tree.Halt()
	b.settle()
	b.expect("-d -c -b -a")
}

// ActorSystem.Shutdown stops nobody; our Stop does.
func TestTrapShutdownStopsNobody(t *testing.T) {
	b := newBench(t, 1)
	tree, err := New(Spec{Name: "node", Children: b.leaves("a", "b", "c")}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := tree.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.expect("+a +b +c -c -b -a")
}

// The framework's restart of an actor stops all of its children. Groups have
// children and are therefore never restarted by directive: siblings of a failed
// leaf keep their instance.
func TestTrapRestartKillsChildren(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: []Spec{
		{Name: "g", Limit: roomy, Children: b.leaves("a", "b")}, b.leaf("c"),
	}})
	b.send("a", "panic")
	g := b.tree.Status().Children[0]
	if g.Instance != 1 || g.Children[0].Instance != 2 || g.Children[1].Instance != 1 {
		t.Errorf("instances %d %d %d", g.Instance, g.Children[0].Instance, g.Children[1].Instance)
	}
}

// The framework's backoff has no cap, draws from a global source and restarts
// from a timer's goroutine. Ours sends a command to the group; see also
// TestBackoffBounds and TestBackoffIsWaitedOut.
func TestTrapBackoffGoroutine(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Backoff: Backoff{time.Second, time.Second}, Children: b.leaves("a")})
	b.send("a", "panic")
	b.send("a", "panic")
	b.log = nil
	b.clock.Advance(time.Second)
	b.expect("") // the deadline alone does nothing
	b.settle()
	b.expect("~a +a")
}

type batch []any

func (b batch) GetMessages() []any { return b }

// The framework delivers the elements of a batch and then the batch itself.
func TestTrapBatchDeliveredTwice(t *testing.T) {
	in, v, s := stepped(8)
	in.Send(batch{"x", "y"})
	in.PostUserMessage(batch{"x", "y"})
	s.Run(10)
	if len(v.user) != 2 {
		t.Errorf("delivered %v", v.user)
	}
}

// The framework never exports the mailbox length.
func TestTrapInvisibleMailboxLength(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Children: b.leaves("a")})
	for range 5 {
		b.leafs["a"].Send("work")
	}
	s := b.tree.Status()
	if s.Children[0].Inbox.Depth != 5 || !strings.Contains(s.Text(), "inbox 5/16") {
		t.Errorf("status %s", s.Text())
	}
}

// sulker panics at every farewell.
type sulker struct{}

func (sulker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Stopping, *actor.Stopped, *actor.Restarting:
		panic("not yet")
	case string:
		panic("work")
	}
}

// A panic while stopping leaves the framework waiting for ever.
func TestTrapPanicWhileStopping(t *testing.T) {
	in := NewInbox("a", 4)
	tree, err := New(Spec{Name: "node", Limit: roomy, Children: []Spec{
		{Name: "a", Inbox: in, New: func() actor.Actor { return sulker{} }},
	}}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.Send("work")
	if err := tree.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// The framework's restart statistics read the wall clock. Ours read the injected
// one: the window passes when that clock says so.
func TestTrapWallClock(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: Limit{1, time.Hour}, Children: b.leaves("a")})
	for range 5 {
		b.send("a", "panic")
		b.clock.Advance(time.Hour)
	}
	if h := b.halted(); h != nil {
		t.Errorf("halted: %v", h)
	}
}

// The framework's mailbox empties itself in one go, whatever its dispatcher says,
// so that a scheduler sees bursts. Ours hands out one message at a time: two
// inboxes with three commands each can be run in each of the twenty ways.
func TestTrapBurstPerSchedule(t *testing.T) {
	ways := map[string]bool{}
	for seed := range uint64(400) {
		s := NewSequence(seed)
		way := ""
		for _, name := range []string{"a", "b"} {
			in := NewInbox(name, 4)
			in.attach(s)
			in.RegisterHandlers(&countingInvoker{f: func() { way += name }}, nil)
			for i := range 3 {
				in.Send(i)
			}
		}
		s.Run(100)
		ways[way] = true
	}
	if len(ways) != 20 {
		t.Errorf("%d ways: %v", len(ways), ways)
	}
}

// The framework publishes a dead letter, in the sender's goroutine, for whatever
// reaches nobody. Commands never come to that: they wait, or the sender is told.
func TestTrapDeadLetters(t *testing.T) {
	b := newBench(t, 1)
	system := NewSystem()
	letters := 0
	system.EventStream.Subscribe(func(event any) {
		if e, ok := event.(*actor.DeadLetterEvent); ok {
			if _, isSystem := e.Message.(actor.SystemMessage); !isSystem {
				letters++
			}
		}
	})
	tree, err := New(Spec{Name: "node", Strategy: AllForOne, Limit: roomy, Children: b.leaves("a", "b")},
		Config{Clock: b.clock, Scheduler: b.seq, System: system})
	if err != nil {
		t.Fatal(err)
	}
	tree.Spawn()
	for i := range 300 {
		b.leafs["a"].Send("panic")
		b.leafs["b"].Send("work")
		b.seq.Run(i % 7)
	}
	b.settle()
	tree.Halt()
	b.settle()
	if d := b.leafs["a"].Send("late"); d != Closed || letters != 0 {
		t.Errorf("after the stop %v, %d dead letters", d, letters)
	}
}

// Names of stopped actors must not stay in the framework's registry, which never
// gives memory back.
func TestTrapRegistryGrowth(t *testing.T) {
	b := newBench(t, 1)
	system := NewSystem()
	tree, err := New(Spec{Name: "node", Strategy: AllForOne, Limit: Limit{10_000, time.Minute}, Children: b.leaves("a", "b", "c")},
		Config{Clock: b.clock, Scheduler: b.seq, System: system})
	if err != nil {
		t.Fatal(err)
	}
	registered := func() (n int) {
		for _, shard := range system.ProcessRegistry.LocalPIDs.LocalPIDs {
			n += shard.Count()
		}
		return n
	}
	tree.Spawn()
	b.settle()
	before := registered()
	for range 200 {
		b.send("b", "panic")
	}
	if after := registered(); after != before {
		t.Errorf("%d processes after 200 restarts of three leaves, %d before", after, before)
	}
	tree.Halt()
	b.settle()
	if left := registered(); left != before-4 {
		t.Errorf("%d processes are left of %d", left, before)
	}
}

// The framework's metrics cost more than a command, and its provider opens a
// port. They are off.
func TestTrapMetrics(t *testing.T) {
	if NewSystem().Config.MetricsProvider != nil {
		t.Error("the framework's metrics are on")
	}
}

// The table of traps in doc.go names every test of one, and no others.
func TestTableOfTraps(t *testing.T) {
	fset := token.NewFileSet()
	doc, err := parser.ParseFile(fset, "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, word := range strings.FieldsFunc(doc.Doc.Text(), func(r rune) bool { return r <= ' ' || r == ',' }) {
		if strings.HasPrefix(word, "Test") {
			named[word] = true
		}
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") {
				tests[f.Name.Name] = true
			}
		}
	}
	for name := range tests {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "TestTrap") && !named[name] {
				t.Errorf("%s is not in the table", name)
			}
		})
	}
	for name := range named {
		t.Run(name, func(t *testing.T) {
			if !tests[name] {
				t.Errorf("the table names %s, which is no test", name)
			}
		})
	}
}

// forbidden are the framework's names that block, keep real time, lose order or
// open ports. No production file of ours may mention them.
var forbidden = []string{
	"RequestFuture", "NewFuture", "StopFuture", "PoisonFuture", "ReenterAfter", "AwaitFuture", "Future",
	"SetReceiveTimeout", "CancelReceiveTimeout", "Stash",
	"NewExponentialBackoffStrategy", "NewOneForOneStrategy", "NewAllForOneStrategy", "NewRestartingStrategy",
	"DefaultSupervisorStrategy", "DefaultSpawner", "Unbounded", "UnboundedLockfree", "Bounded", "BoundedDropping",
	"EventStream", "Shutdown", "WithDefaultPrometheusProvider", "WithMetricProviders", "WithReceiverMiddleware",
	"WithSenderMiddleware", "WithSpawnMiddleware", "WithContextDecorator", "WithDispatcher", "NewDefaultDispatcher",
}

var forbiddenImports = []string{"/remote", "/cluster", "/persistence", "/scheduler", "/router", "/actor/middleware"}

// Futures inside Receive dead-lock a single-threaded scheduler; receive timeouts,
// strategies and the stash keep real time or lose order; remote and persistence
// are open to strangers or exit the process.
func TestTrapForbiddenNames(t *testing.T) {
	checked := 0
	for _, dir := range []string{".", "../actors"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			checked++
			checkFile(t, path)
			return nil
		})
		if err != nil && dir == "." {
			t.Fatal(err)
		}
	}
	if checked < 10 {
		t.Errorf("only %d files checked", checked)
	}
}

func checkFile(t *testing.T, path string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		t.Logf("%s: %v", path, err)
		return
	}
	framework := map[string]bool{}
	for _, imp := range file.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		if !strings.HasPrefix(p, "github.com/asynkron/protoactor-go") {
			continue
		}
		framework[filepath.Base(p)] = true
		for _, bad := range forbiddenImports {
			if strings.HasSuffix(p, bad) {
				t.Errorf("%s imports %s", path, p)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || !slices.Contains(forbidden, sel.Sel.Name) {
			return true
		}
		x, isIdent := sel.X.(*ast.Ident)
		if isIdent && (framework[x.Name] || x.Name == "ctx" || x.Name == "system") {
			t.Errorf("%s uses %s.%s", fset.Position(n.Pos()), x.Name, sel.Sel.Name)
		}
		return true
	})
}

func TestStatusText(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Children: []Spec{
		{Name: "core", Strategy: RestForOne, Limit: Limit{3, time.Minute}, Children: b.leaves("ledger", "executor")},
		b.leaf("rpc"),
	}})
	b.send("ledger", "work")
	b.send("executor", "panic here")
	want := strings.Join([]string{
		"node            running   restarts 0  one-for-one, 0 in 0s",
		"├─ core         running   restarts 0  rest-for-one, 3 in 1m0s",
		"│  ├─ ledger    running   restarts 0  inbox 0/16 peak 1 handled 1",
		"│  └─ executor  running   restarts 1  inbox 0/16 peak 1 handled 1  last failure: panic here on string",
		"└─ rpc          running   restarts 0  inbox 0/16 peak 0 handled 0",
		"",
	}, "\n")
	if got := b.tree.Status().Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err := b.tree.Status().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back Status
	if err := json.Unmarshal(text, &back); err != nil || back.Children[0].Children[1].Last.Reason != "panic here" {
		t.Errorf("%v %s", err, text)
	}
}

func TestReportsAreBounded(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: Limit{1000, time.Minute}, Children: b.leaves("a")})
	for i := range 50 {
		b.send("a", "panic "+strconv.Itoa(i))
	}
	s := b.tree.Status().Children[0]
	if len(s.History) != reportsKept-1 || s.Last.Reason != "panic 49" || s.Failures != 50 {
		t.Errorf("%d earlier reports, last %q, %d failures", len(s.History), s.Last.Reason, s.Failures)
	}
}

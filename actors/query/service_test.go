package query

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const counter = `
from cowboy_sdk import actor, call, deferred, public, runtime, send

@actor
class Counter:
    @public
    def init(self, payload):
        self.storage["n"] = 7

    @public
    def read(self, payload):
        return str(self.storage["n"]).encode()

    @public
    def add(self, payload):
        self.storage["n"] = self.storage["n"] + 1
        return b""

    @public
    def height(self, payload):
        return str(runtime.get_block_height()).encode()

    @public
    def nobody(self, payload):
        return str(runtime.get_sender()).encode()

    @public
    def relay(self, payload):
        return call(payload, "add", [b""])

    @public
    def large(self, payload):
        return bytes(int(payload))

    @public
    def relayed(self, payload):
        return len(call(payload[:20], "large", [payload[20:]]))

    @public
    def spin(self, payload):
        while True:
            pass

    @public
    def fail(self, payload):
        print("before it fails")
        raise ValueError("as it should")

    @deferred
    @public
    def post(self, payload):
        send(self.address, b"x")

    @deferred
    @public
    def later(self, payload):
        runtime.set_timer(runtime.get_block_height() + 5, "add", b"")

    @public
    def event(self, payload):
        runtime.emit_event("e", b"")

    @public
    def chance(self, payload):
        return runtime.randomness(b"d")

    @public
    def pay(self, payload):
        runtime.transfer(payload, 1)

    @public
    def own(self, payload):
        runtime.transfer_ownership(payload)
`

var (
	here   = netip.MustParseAddr("127.0.0.1")
	others = netip.MustParseAddr("127.0.0.2")
)

type stage struct {
	*testkit.Chain
	service *Service
	actor   account.Address
	alice   *testkit.Account
}

func newStage(t testing.TB, limits Limits) *stage {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(counter, []byte("{}"))
	alice.Fund(a, unit.CBY)
	return &stage{c, New(limits), a, alice}
}

// at opens the state of a parent.
func at(p transition.Parent) Opening {
	return func() (*block.Header, *state.Commit, error) { return p.Header, p.State, nil }
}

func (s *stage) ask(handler string, payload []byte, cycles unit.Cycles) (Answer, error) {
	tip, _ := s.Tip()
	q := host.Question{Actor: s.actor, Handler: handler, Payload: payload}
	q.Limit.Cycles = cycles
	return s.service.Ask(context.Background(), here, at(tip), q)
}

// What a query returns is kept by nobody, so it may be a response of some MiB; what an actor that it calls returns has the 64 KiB of return data on chain, as
// what a transaction returns has.
//
// Spec: gateway-payments-streams §B (responses of 1 MiB, 10 MiB at most); WP §5.4.
func TestLargeAnswers(t *testing.T) {
	s := newStage(t, DefaultLimits())
	other := s.alice.Deploy(counter, []byte("{}"))
	for _, size := range []int{64<<10 - 5, 64 << 10, 64<<10 + 1, 4 << 20} { // CBOR has five bytes before as many (RFC 8949 §3)
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			text := []byte(fmt.Sprint(size))
			a, err := s.ask("large", text, 0)
			if err != nil || a.Outcome.Fault != nil || len(a.Outcome.Return) != size {
				t.Errorf("asked: %d bytes, %+v %v", len(a.Outcome.Return), a.Outcome.Fault, err)
			}
			a, err = s.ask("relayed", append(other[:], text...), 0)
			if err != nil || (a.Outcome.Fault == nil) != (size+5 <= 64<<10) {
				t.Errorf("of another: %+v %v", a.Outcome.Fault, err)
			}
			if r := s.alice.Try(s.actor, "large", string(text)); (r.Status == block.Success) != (size <= 64<<10) {
				t.Errorf("in a transaction: %+v", r.Fault)
			}
		})
	}
}

// A query sees the state and height of the block it is asked about, has no sender, and costs nobody anything.
//
// Spec: sdk §6 (read-only execution).
func TestAsk(t *testing.T) {
	s := newStage(t, DefaultLimits())
	digest, balance, held := s.Digest(), s.Balance(s.alice.Address()), s.Balance(s.actor)
	for handler, want := range map[string]string{"read": "7", "nobody": "None", "height": "3"} {
		t.Run(handler, func(t *testing.T) {
			a, err := s.ask(handler, nil, 0)
			if err != nil || a.Outcome.Fault != nil || string(a.Outcome.Return) != want {
				t.Errorf("%s: %q, %+v, %v; want %q", handler, a.Outcome.Return, a.Outcome.Fault, err, want)
			}
		})
	}
	if s.Height() != 3 || s.Digest() != digest || s.Balance(s.alice.Address()) != balance || s.Balance(s.actor) != held {
		t.Error("a query changed the chain")
	}
}

// Whatever writes or causes something is refused by name, in actors that are called too.
//
// Spec: sdk §6 (every call that changes something traps); gateway-payments-streams §B.
func TestAskWritesNothing(t *testing.T) {
	s := newStage(t, DefaultLimits())
	before := s.Digest()
	for _, handler := range []string{"add", "relay", "post", "later", "event", "chance", "pay", "own"} {
		a, err := s.ask(handler, s.actor[:], 0)
		if err != nil || a.Outcome.Fault == nil || a.Outcome.Fault.Code != drain.FaultForbidden ||
			!strings.Contains(a.Outcome.Fault.Text, "not allowed in a query") {
			t.Errorf("%s: %+v, %v", handler, a.Outcome.Fault, err)
		}
		if a.Failure == nil || len(a.Failure.Places) == 0 {
			t.Errorf("%s: nobody says where: %+v", handler, a.Failure)
		}
	}
	if s.Digest() != before {
		t.Error("a query changed the chain")
	}
}

// A query that loops ends for want of cycles: the usual number, the number asked for, never more than the most; and when its time is over.
func TestAskEnds(t *testing.T) {
	limits := DefaultLimits()
	limits.Cycles, limits.Most, limits.Within = 100_000, 300_000, time.Minute
	s := newStage(t, limits)
	for asked, want := range map[unit.Cycles]unit.Cycles{0: 100_000, 200_000: 200_000, 300_001: 300_000} {
		t.Run(fmt.Sprint(asked), func(t *testing.T) {
			a, err := s.ask("spin", nil, asked)
			if err != nil || a.Outcome.Fault == nil || a.Outcome.Fault.Code != drain.FaultCycles || a.Outcome.Used.Cycles != want {
				t.Errorf("%d cycles asked for: %d used, %+v, %v", asked, a.Outcome.Used.Cycles, a.Outcome.Fault, err)
			}
		})
	}
	limits.Most, limits.Within = 1<<50, 10*time.Millisecond
	s.service = New(limits)
	if _, err := s.ask("spin", nil, 1<<50); !errors.Is(err, ErrTime) {
		t.Errorf("beyond its time a query ended with %v", err)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	tip, _ := s.Tip()
	if _, err := s.service.Ask(gone, here, at(tip), host.Question{Actor: s.actor, Handler: "spin"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with nobody waiting a query ended with %v", err)
	}
}

// What a query has read is at hand for the next after the same block, and for no other: each sees the state of the block it is asked about, whatever was asked
// before, and what a handler was refused to write is nowhere.
//
// Spec: sdk §6 (read-only execution).
func TestAskAgain(t *testing.T) {
	limits := DefaultLimits()
	limits.Workers = 1
	s := newStage(t, limits)
	before, _ := s.Tip()
	s.alice.Call(s.actor, "add", "")
	after, _ := s.Tip()
	for i, step := range []struct {
		at      transition.Parent
		handler string
		want    string // "": a fault
	}{
		{before, "read", "7"}, {before, "read", "7"}, {after, "read", "8"}, {after, "add", ""}, {after, "read", "8"}, {after, "fail", ""}, {after, "read", "8"},
		{before, "relay", ""}, {before, "read", "7"}, {after, "read", "8"},
	} {
		t.Run(fmt.Sprint(i, step.handler), func(t *testing.T) {
			a, err := s.service.Ask(context.Background(), here, at(step.at), host.Question{Actor: s.actor, Handler: step.handler, Payload: s.actor[:]})
			if err != nil || (a.Outcome.Fault != nil) != (step.want == "") || string(a.Outcome.Return) != step.want {
				t.Errorf("%q, %+v, %v; want %q", a.Outcome.Return, a.Outcome.Fault, err, step.want)
			}
		})
	}
}

// An old state is made ready in the place of who asks for it, so that no more of them are under way than executions may be; what keeps it from being made
// ready is the answer, as it is.
//
// Spec: gateway-payments-streams §B (queries).
func TestOpeningTakesAPlace(t *testing.T) {
	d := New(Limits{Workers: 1, Waiting: 3, Each: 1, Within: time.Minute})
	inside, leave := make(chan struct{}), make(chan struct{})
	missing := errors.New("it is not kept")
	answered := make(chan error, 1)
	go func() {
		_, err := d.Ask(context.Background(), here, func() (*block.Header, *state.Commit, error) {
			close(inside)
			<-leave
			return nil, nil, missing
		}, host.Question{})
		answered <- err
	}()
	<-inside
	for range 100 {
		_, err := d.Ask(context.Background(), here, func() (*block.Header, *state.Commit, error) {
			t.Error("a second state is made ready for one client")
			return nil, nil, missing
		}, host.Question{})
		if !errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
	}
	close(leave)
	if err := <-answered; err != missing {
		t.Errorf("a state that is not kept: %v", err)
	}
	if d.queries.inside != 0 {
		t.Errorf("%d places are still taken", d.queries.inside)
	}
}

// So many executions of one client and of all are under way at the same time; a further one is refused at once.
func TestPlaces(t *testing.T) {
	d := New(Limits{Workers: 1, Waiting: 3, Each: 2}).queries
	for i, one := range []struct {
		client netip.Addr
		want   bool
	}{{here, true}, {here, true}, {here, false}, {others, true}, {others, true}, {netip.Addr{}, false}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := d.enter(one.client); got != one.want {
				t.Errorf("place %d: %v", i, got)
			}
		})
	}
	d.leave(here)
	if !d.enter(netip.Addr{}) {
		t.Error("a place that was given back is not given again")
	}
	err := d.run(context.Background(), others, time.Minute, nil)
	if !errors.Is(err, ErrBusy) {
		t.Errorf("without room: %v", err)
	}
}

// An execution under which the machine fails takes nothing else with it.
func TestBrokenWorker(t *testing.T) {
	s := newStage(t, Limits{Workers: 1, Within: time.Minute, Cycles: 1_000_000, Most: 1_000_000, Programs: 1 << 20})
	err := s.service.queries.run(context.Background(), here, time.Minute, func(*worker, drain.Interrupt) error { panic("a bug") })
	var broken *Broken
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "a bug") {
		t.Fatalf("%v", err)
	}
	if a, err := s.ask("read", nil, 0); err != nil || string(a.Outcome.Return) != "7" {
		t.Errorf("after it: %q, %v", a.Outcome.Return, err)
	}
	if len(s.service.queries.of) != 0 || s.service.queries.inside != 0 {
		t.Errorf("%d places are taken by nobody", s.service.queries.inside)
	}
}

// A failure of a final block is explained by executing the block again, once.
func TestExplain(t *testing.T) {
	s := newStage(t, DefaultLimits())
	parent, _ := s.Tip()
	first := s.alice.Send(&tx.Execute{To: s.actor, Handler: []byte("fail")}, testkit.ExecuteCycles, testkit.ExecuteCells)
	second := s.alice.Send(&tx.Execute{To: s.actor, Handler: []byte("relay"), Payload: make([]byte, 20)}, testkit.ExecuteCycles, testkit.ExecuteCells)
	r := s.Mine()
	b := &block.Block{Header: r.Header}
	for _, v := range r.Txs {
		b.Txs = append(b.Txs, v.Tx())
	}
	opened := 0
	explain := func(id digest.Hash) Told {
		told, err := s.service.Explain(context.Background(), here, id, func() (transition.Parent, *block.Block, error) {
			opened++
			return parent, b, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return told
	}
	last := explain(second)
	if last.Failure == nil || !strings.Contains(last.Failure.Render(nil), `call(payload, "add", [b""])`) {
		t.Errorf("%+v", last.Failure)
	}
	one := explain(first)
	if one.Failure == nil || one.Failure.Error() != "ValueError: as it should" ||
		one.Failure.Places[0].Line != strings.Count(counter[:strings.Index(counter, "raise")], "\n")+1 {
		t.Errorf("%+v", one.Failure)
	}
	if len(one.Printed) != 1 || one.Printed[0].Text != "before it fails\n" {
		t.Errorf("%+v", one.Printed)
	}
	if opened != 1 {
		t.Errorf("the block was executed %d times", opened)
	}
	gone := errors.New("pruned")
	none := func() (transition.Parent, *block.Block, error) { return transition.Parent{}, nil, gone }
	if _, err := s.service.Explain(context.Background(), here, digest.Hash{1}, none); !errors.Is(err, gone) {
		t.Errorf("of a block that is gone: %v", err)
	}
}

// Queries beside the execution of a block, on the state it stands on, move nothing of it: the block verifies, root and receipts.
func TestBesideTheChain(t *testing.T) {
	s := newStage(t, DefaultLimits())
	parent, _ := s.Tip()
	beside := s.Fork(t)
	for range 8 {
		beside.Account("alice").Send(&tx.Execute{To: s.actor, Handler: []byte("add")}, testkit.ExecuteCycles, testkit.ExecuteCells)
	}
	r := beside.Mine()
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for range 2 {
		clients.Add(1)
		go func() {
			defer clients.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
				a, err := s.service.Ask(context.Background(), here, at(parent), host.Question{Actor: s.actor, Handler: "read"})
				if err != nil || string(a.Outcome.Return) != "7" {
					t.Errorf("%q, %v", a.Outcome.Return, err)
				}
			}
		}()
	}
	for range 20 {
		if _, err := transition.Apply(parent, transition.Job{Header: r.Header, Txs: r.Txs}, host.New(host.NewPrograms())); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	clients.Wait()
}

// BenchmarkAsk is a query of a handler that reads one entry.
func BenchmarkAsk(b *testing.B) {
	s := newStage(b, DefaultLimits())
	for range b.N {
		if a, err := s.ask("read", nil, 0); err != nil || a.Outcome.Fault != nil {
			b.Fatal(err, a.Outcome.Fault)
		}
	}
}

// A transaction that is tried says what stands in its way: the handlers there are, the salt that was used, the stake that is too small.
//
// Spec: sdk §20.2 (simulation before sending).
func TestTryNames(t *testing.T) {
	s := newStage(t, DefaultLimits())
	parent, _ := s.Tip()
	try := func(in tx.Instruction) Tried {
		t.Helper()
		r, err := s.service.Try(context.Background(), here, parent, &tx.Tx{
			ChainID: testkit.ChainID, Nonce: s.Record(s.alice.Address()).Nonce, Instruction: in,
			CyclesLimit: testkit.ExecuteCycles, CellsLimit: testkit.ExecuteCells, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: s.alice.Address(),
		}, time.Now())
		if err != nil || r.Refused != nil || r.Receipt == nil {
			t.Fatalf("%+v, %v", r.Trial, err)
		}
		return r
	}
	r := try(&tx.Execute{To: s.actor, Handler: []byte("raed")})
	if r.Missing == nil || r.Missing.Handler != "raed" || !slices.Contains(r.Missing.Has, "read") || r.Receipt.Fault.Code != drain.FaultCall {
		t.Errorf("%+v, %+v", r.Missing, r.Receipt.Fault)
	}
	if r = try(&tx.Execute{To: s.actor, Handler: []byte("fail")}); r.Failure == nil || r.Failure.Error() != "ValueError: as it should" {
		t.Errorf("%+v", r.Failure)
	}
	code, err := pvm.CanonicalSource([]byte(counter))
	if err != nil {
		t.Fatal(err)
	}
	salted := &tx.Deploy{Code: code, Salt: []byte{7}}
	s.alice.Do(salted, testkit.ExecuteCycles, testkit.ExecuteCells)
	parent, _ = s.Tip()
	if r = try(salted); r.Receipt.Fault.Code != drain.FaultExists || !strings.Contains(r.Receipt.Fault.Text, "an actor lives at") {
		t.Errorf("%+v", r.Receipt.Fault)
	}
	if r = try(&tx.ValidatorRegister{Stake: unit.CBY}); !strings.Contains(r.Receipt.Fault.Text, stake.ErrMinimum.Error()) {
		t.Errorf("%+v", r.Receipt.Fault)
	}
}

// A trace that takes long leaves queries their worker, and a client's places for queries.
func TestTraceLeavesQueriesTheirWorker(t *testing.T) {
	s := newStage(t, Limits{Workers: 1, Each: 1, Within: time.Minute, Replay: time.Minute, Cycles: 1_000_000, Most: 1_000_000, Programs: 1 << 20})
	opened, release := make(chan struct{}), make(chan struct{})
	ended := make(chan error)
	gone := errors.New("pruned")
	go func() {
		_, err := s.service.Trace(context.Background(), here, digest.Hash{1}, []digest.Hash{{2}}, func() (transition.Parent, *block.Block, error) {
			close(opened)
			<-release
			return transition.Parent{}, nil, gone
		})
		ended <- err
	}()
	<-opened
	for range 3 {
		if a, err := s.ask("read", nil, 0); err != nil || string(a.Outcome.Return) != "7" {
			t.Errorf("beside a trace: %q, %v", a.Outcome.Return, err)
		}
	}
	if _, err := s.service.Trace(context.Background(), here, digest.Hash{1}, []digest.Hash{{2}}, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("a second trace of a client that may have one: %v", err)
	}
	close(release)
	if err := <-ended; !errors.Is(err, gone) {
		t.Error(err)
	}
}

package dispatcher

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// fixture is a dispatcher on a state of its own.
type fixture struct {
	t       *testing.T
	overlay *state.Overlay
	block   *drain.Block
	actor   account.Address
}

func newFixture(t *testing.T, validators int) *fixture {
	t.Helper()
	d := &fixture{t: t, overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), actor: account.Address{0xac}}
	spec, err := genesis.Devnet(1, validators)
	if err == nil {
		spec.EpochBlocks = params.MaxEpochBlocks // no boundary is met
		err = spec.Build(d.overlay)
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := params.Load(d.overlay)
	if err != nil {
		t.Fatal(err)
	}
	d.block = &drain.Block{Height: 10, Params: p, Limits: mailbox.Limits{Capacity: params.MailboxBytes, Depth: 32, DedupBlocks: 10_000}}
	a := account.Account{Kind: account.Actor}
	d.overlay.Set(d.actor.Key(), a.Encode())
	return d
}

// turn is the delivery of a job.
func (d *fixture) turn(fields cbor.Map) *drain.Turn {
	data, err := cbor.Append(nil, fields)
	if err != nil {
		d.t.Fatal(err)
	}
	return &drain.Turn{
		Number: 3, Native: true, Kind: block.Message, Target: account.System(account.JobDispatcher), Sender: d.actor, Origin: digest.Hash{7},
		Block: d.block, Overlay: d.overlay, Payload: drain.Payload{Data: data, Structured: true},
	}
}

func ask(kind, cid string) cbor.Map {
	return cbor.Map{{Key: "job_type", Value: kind}, {Key: "cid", Value: cid}, {Key: "reply_handler", Value: "on"}}
}

func (d *fixture) take(fields cbor.Map) drain.Outcome {
	d.t.Helper()
	mark := d.overlay.Mark()
	out, err := Deliver(d.turn(fields), Scripted(d.overlay, 3))
	if err != nil {
		d.t.Fatal(err)
	}
	if out.Fault != nil {
		d.overlay.Revert(mark)
	}
	return out
}

func (d *fixture) set(s Script) uint64 {
	d.t.Helper()
	n, err := Set(d.overlay, s)
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// answers are status and result of what waits in the actor's mailbox, which is emptied.
func (d *fixture) answers() (list []string) {
	d.t.Helper()
	entries, err := mailbox.Pending(d.overlay, nil, 0)
	for _, e := range entries {
		m, _, err := mailbox.Load(d.overlay, e)
		if err != nil || m.Target != d.actor || m.Sender != account.System(account.JobDispatcher) || m.Origin != (digest.Hash{7}) || !m.Structured {
			d.t.Errorf("%+v %v", m, err)
		}
		v, err := cbor.Parse(m.Payload)
		if err != nil {
			d.t.Fatal(err)
		}
		fields := v.(cbor.Map)
		result, _ := fields.Lookup("result")
		list = append(list, fmt.Sprint(word(fields, "cid"), " ", word(fields, "status"), " ", result))
		if err := mailbox.Remove(d.overlay, &m); err != nil {
			d.t.Fatal(err)
		}
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func (d *fixture) expect(what string, want ...string) {
	d.t.Helper()
	if got := d.answers(); strings.Join(got, "; ") != strings.Join(want, "; ") {
		d.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// end is what the block's own step does.
func (d *fixture) end() []Sent {
	d.t.Helper()
	sent, err := Send(d.overlay, d.block, func(account.Address) error { return nil })
	if err != nil {
		d.t.Fatal(err)
	}
	d.block.Height++
	return sent
}

func (d *fixture) counts(scripts, waiting, late uint64) {
	d.t.Helper()
	c, err := load(d.overlay)
	if err != nil || c.Scripts != scripts || c.Waiting != waiting || c.Late != late || (waiting+late == 0) != (c.Bytes == 0) {
		d.t.Errorf("%+v %v, want %d scripts, %d waiting, %d late", c, err, scripts, waiting, late)
	}
	s, err1 := Scripts(d.overlay)
	w, err2 := Waits(d.overlay)
	l, err3 := Lates(d.overlay)
	if err := errors.Join(err1, err2, err3); err != nil || uint64(len(s)) != scripts || uint64(len(w)) != waiting || uint64(len(l)) != late {
		d.t.Errorf("kept: %d, %d, %d, %v", len(s), len(w), len(l), err)
	}
}

// TestScripted: the newest script a job is in the scope of answers it; one for so many jobs gives way to the one before it, and without any a job waits.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §5.
func TestScripted(t *testing.T) {
	d := newFixture(t, 1)
	d.set(Script{Scope: Scope{Type: "llm"}, Reply: Reply{OK, plain(t, "always"), 0, 1}})
	d.set(Script{Jobs: 2, Reply: Reply{Error, plain(t, "no"), 0, 1}})
	d.set(Script{Scope: Scope{Actor: &account.Address{1}}, Reply: Reply{Ending: Lost}})
	d.counts(3, 0, 0)
	for i, kind := range []string{"llm", "http", "llm", "http"} {
		if out := d.take(ask(kind, fmt.Sprint(i))); out.Fault != nil || out.Enqueued != 1 {
			t.Errorf("%d: %+v", i, out)
		}
	}
	d.expect("answers", "0 error no", "1 error no", "2 ok always")
	d.counts(2, 1, 0)

	// One for all that come leaves nothing to those it covers; clearing takes what lies in a scope.
	d.set(Script{Reply: Reply{Vote, plain(t, 1, 2, 1, nil, 1), 0, 2}})
	d.counts(1, 1, 0)
	if out := d.take(ask("x", "v")); out.Enqueued != 2 || out.Fanout != 2 {
		t.Errorf("%+v", out)
	}
	d.expect("votes", "v ok 1", "v ok 1")
	d.set(Script{Reply: Reply{Vote, plain(t, 1, 2, 3), 0, 1}})
	d.take(ask("x", "v"))
	d.expect("disagreement", "v error runners disagree: 1 of 3 gave one result, 3 must")
	d.set(Script{Reply: Reply{Ending: Lost}})
	if out := d.take(ask("x", "v")); out.Fault != nil || out.Enqueued != 0 {
		t.Errorf("%+v", out)
	}
	d.expect("lost")
	if n, err := Clear(d.overlay, &Scope{Type: "llm"}); n != 0 || err != nil {
		t.Error(n, err)
	}
	if n, err := Clear(d.overlay, &Scope{}); n != 1 || err != nil {
		t.Error(n, err)
	}
	for range MaxScripts {
		d.set(Script{Jobs: 1, Reply: Reply{Ending: Lost}})
	}
	if _, err := Set(d.overlay, Script{Jobs: 1, Reply: Reply{Ending: Lost}}); !errors.Is(err, ErrScripts) {
		t.Error(err)
	}
	d.counts(MaxScripts, 1, 0)
}

// TestLate: an answer is sent at the end of the block it is due in, every copy of it, and counts as pending until then.
//
// Spec: sdk §9.6; WP §3.3.
func TestLate(t *testing.T) {
	d := newFixture(t, 1)
	d.set(Script{Scope: Scope{Type: "llm"}, Reply: Reply{OK, plain(t, "late"), 2, 3}})
	d.set(Script{Scope: Scope{Type: "http"}, Reply: Reply{OK, plain(t, "later"), 3, 1}})
	for _, kind := range []string{"http", "llm"} {
		if out := d.take(ask(kind, kind)); out.Enqueued != 1 || out.Fanout != 0 {
			t.Errorf("%+v", out)
		}
	}
	d.counts(2, 0, 2)
	for range 2 { // blocks 10 and 11
		if sent := d.end(); len(sent) != 0 {
			t.Errorf("%+v", sent)
		}
	}
	if sent := d.end(); len(sent) != 1 || sent[0] != (Sent{digest.Hash{7}, 3, true}) {
		t.Errorf("%+v", sent)
	}
	d.expect("three copies", "llm ok late", "llm ok late", "llm ok late")

	// An actor whose mailbox is full has it a block later; of one that is gone nothing is left.
	full := d.block.Limits
	d.block.Limits.Capacity = 10
	if sent := d.end(); len(sent) != 1 || sent[0] != (Sent{digest.Hash{7}, 0, false}) {
		t.Errorf("%+v", sent)
	}
	d.counts(2, 0, 1)
	d.block.Limits = full
	if sent := d.end(); len(sent) != 1 || sent[0] != (Sent{digest.Hash{7}, 1, true}) {
		t.Errorf("%+v", sent)
	}
	d.expect("a block later", "http ok later")
	d.take(ask("llm", "gone"))
	d.overlay.Delete(d.actor.Key())
	d.block.Height += 2
	if sent := d.end(); len(sent) != 1 || sent[0] != (Sent{digest.Hash{7}, 0, true}) {
		t.Errorf("%+v", sent)
	}
	d.counts(2, 0, 0)
}

// TestByHand: a job that waits is answered by its name, the oldest first, and only while it waits.
//
// Spec: sdk §9.1, §9.6.
func TestByHand(t *testing.T) {
	d := newFixture(t, 1)
	open := cbor.Map{{Key: "job_type", Value: "llm"}, {Key: "correlation_id", Value: "c"}, {Key: "context", Value: int64(5)}}
	var names []string
	for _, fields := range []cbor.Map{ask("llm", "a"), open, {{Key: "job_type", Value: "llm"}}, ask("http", "a"), ask("llm", "-f")} {
		out := d.take(fields)
		if out.Fault != nil || out.Enqueued != 1 || len(out.Events) != 1 || string(out.Events[0].Topic) != TopicWaiting {
			t.Errorf("%+v", out)
		}
		names = append(names, string(out.Events[0].Data))
	}
	if got := strings.Join(names, " "); got != "a c job-2 a job-4" {
		t.Errorf("named %s", got)
	}
	d.counts(0, 5, 0)
	if sent := d.end(); len(sent) != 0 {
		t.Errorf("%+v", sent)
	}
	by := func(name string, r Reply) error { return (&ByHand{Job: name, Reply: r}).Answer(d.overlay, d.block) }
	if err := by("b", Reply{OK, plain(t, 1), 0, 1}); !errors.Is(err, ErrNoJob) {
		t.Error(err)
	}
	if err := by("a", Reply{Ending: OK}); !errors.Is(err, ErrScript) {
		t.Error(err)
	}
	if err := (&ByHand{Actor: &account.Address{1}, Job: "a", Reply: Reply{OK, plain(t, 1), 0, 1}}).Answer(d.overlay, d.block); !errors.Is(err, ErrNoJob) {
		t.Error(err)
	}
	for _, err := range []error{
		by("a", Reply{OK, plain(t, "first"), 1, 1}), by("a", Reply{OK, plain(t, "second"), 0, 1}), by("c", Reply{Error, plain(t, "third"), 0, 1}),
		by("job-2", Reply{Ending: Lost}), by("-f", Reply{Ending: Lost}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	d.counts(0, 0, 5)
	if sent := d.end(); len(sent) != 4 || sent[2] != (Sent{digest.Hash{7}, 0, true}) {
		t.Errorf("%+v", sent)
	}
	d.expect("at once", "a ok second", "c error third")
	d.end()
	d.expect("late", "a ok first")
	d.counts(0, 0, 0)
}

// TestWaitsEnd: a job waits for a day of blocks, not longer; what came later waits on.
//
// Spec: sdk §9.6; runner-marketplace §5.2.
func TestWaitsEnd(t *testing.T) {
	d := newFixture(t, 1)
	d.take(ask("llm", "a"))
	d.take(ask("llm", "b"))
	d.block.Height++
	d.take(ask("llm", "c"))
	d.block.Height = 10 + MaxLate - 1
	if sent := d.end(); len(sent) != 0 {
		t.Errorf("%+v", sent)
	}
	gone := Sent{digest.Hash{7}, 0, true}
	if sent := d.end(); len(sent) != 2 || sent[0] != gone || sent[1] != gone {
		t.Errorf("%+v", sent)
	}
	d.counts(0, 1, 0)
	d.expect("nothing is sent")
}

// TestBounds: what is no job, what is one too many, what is too large. Spec: sdk §9.6; WP §3.3 (fan-out, mailbox capacity).
func TestBounds(t *testing.T) {
	d := newFixture(t, 1)
	refused := func(what string, x *drain.Turn, code uint16) {
		t.Helper()
		mark := d.overlay.Mark()
		out, err := Deliver(x, Scripted(d.overlay, 3))
		if err != nil || out.Fault == nil || out.Fault.Code != code {
			t.Errorf("%s: %+v %v", what, out, err)
		}
		d.overlay.Revert(mark)
	}
	x := d.turn(ask("llm", "a"))
	x.Payload.Structured = false
	refused("bytes", x, drain.FaultInput)
	refused("a long cid", d.turn(ask("llm", strings.Repeat("x", MaxCID+1))), drain.FaultInput)
	x.Payload = drain.Payload{Data: []byte{0x01}, Structured: true}
	refused("a number", x, drain.FaultInput)
	x.Payload.Data = []byte{0xa1}
	refused("half a map", x, drain.FaultInput)

	d.take(append(ask("llm", "large"), cbor.Pair{Key: "payload", Value: make([]byte, MaxKeptBytes*2/3)}))
	refused("another large one", d.turn(append(ask("llm", "large"), cbor.Pair{Key: "payload", Value: make([]byte, MaxKeptBytes*2/3)})), drain.FaultLimit)
	for range MaxKept - 1 {
		d.take(ask("llm", "a"))
	}
	refused("one too many", d.turn(ask("llm", "a")), drain.FaultLimit)
	d.set(Script{Reply: Reply{OK, plain(t, 1), 9, 1}})
	refused("a late one too many", d.turn(ask("llm", "a")), drain.FaultLimit)
	d.set(Script{Reply: Reply{OK, plain(t, 1), 0, 2}})
	x = d.turn(ask("llm", "a"))
	x.Fanout = params.FanoutPerTx - 1
	refused("fan-out", x, drain.FaultLimit)
	d.block.Limits.Capacity = 10
	refused("a full mailbox", d.turn(ask("llm", "a")), drain.FaultMailbox)
}

// TestOpen: only a network with administrators and one validator is a developer's; jobs that wait are let go when it is one no more.
//
// Spec: governance-staking B10.
func TestOpen(t *testing.T) {
	for validators, want := range map[int]bool{1: true, 2: false} {
		t.Run(fmt.Sprint(validators), func(t *testing.T) {
			d := newFixture(t, validators)
			if open, err := Open(d.block, d.overlay); open != want || err != nil {
				t.Errorf("%d validators: %v %v", validators, open, err)
			}
		})
	}
	d := newFixture(t, 1)
	d.take(ask("llm", "a"))
	d.set(Script{Reply: Reply{OK, plain(t, 1), 0, 1}})
	p := *d.block.Params
	p.Administrators = nil
	d.block.Params = &p
	if open, err := Open(d.block, d.overlay); open || err != nil {
		t.Error(open, err)
	}
	if sent := d.end(); len(sent) != 1 || sent[0] != (Sent{digest.Hash{7}, 0, true}) {
		t.Errorf("%+v", sent)
	}
	d.counts(1, 0, 0)
	d.block.Params, d.block.Height = params.Genesis(), unit.Height(1)
	if open, err := Open(d.block, state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()); open || err != nil {
		t.Error("a state without validators", open, err)
	}
}

// until is a job that is to be answered by a block.
func until(cid string, block int64) cbor.Map {
	return append(ask("llm", cid), cbor.Pair{Key: "timeout_block", Value: block})
}

// TestNotices: of a job that names its timeout block the actor hears in that block at the latest, once, however the job ends; what it holds is given
// back once. The bounds count the notice.
//
// Spec: sdk §10.4, §10.5; runner-marketplace §2 (timeout_blocks).
func TestNotices(t *testing.T) {
	const notice = " error [{error timeout} {message no result by block 14}]"
	d := newFixture(t, 1)
	by := func(name string, r Reply) {
		t.Helper()
		if err := (&ByHand{Job: name, Reply: r}).Answer(d.overlay, d.block); err != nil {
			t.Error(err)
		}
	}
	for _, cid := range []string{"waits", "hand", "lost", "late"} {
		if out := d.take(until(cid, 14)); out.Fault != nil || out.Enqueued != 1 {
			t.Errorf("%s: %+v", cid, out)
		}
	}
	d.counts(0, 4, 4)
	by("hand", Reply{OK, plain(t, "in time"), 3, 1})
	by("lost", Reply{Ending: Lost})
	by("late", Reply{OK, plain(t, "too late"), 4, 1})
	d.counts(0, 1, 4)
	released := 0
	for d.block.Height < 14 {
		if got := d.answers(); len(got) > 0 {
			t.Errorf("in block %d: %q", d.block.Height, got)
		}
		for _, one := range d.end() {
			if one.Done {
				released++
			}
		}
	}
	got := d.answers()
	slices.Sort(got)
	if want := []string{"hand ok in time", "late" + notice, "lost" + notice, "waits" + notice}; !slices.Equal(got, want) || released != 4 {
		t.Errorf("%q, %d given back", got, released)
	}
	d.counts(0, 0, 0)
	d.adds()

	// Where the network has runners no more, or the wait was too long for it, the notice comes still.
	d.take(until("far", int64(d.block.Height)+MaxLate+50))
	d.block.Height += MaxLate
	if sent := d.end(); len(sent) != 0 {
		t.Errorf("%+v", sent)
	}
	d.counts(0, 0, 1)
	d.block.Height += 60
	if sent := d.end(); len(sent) != 1 || !sent[0].Done || len(d.answers()) != 1 {
		t.Errorf("%+v", sent)
	}
	d.counts(0, 0, 0)

	// A job whose notice finds no room is answered at once; without a block to be answered by, it is refused.
	for i := range MaxKept/2 - 1 {
		d.take(until(fmt.Sprint(i), int64(d.block.Height)+99))
	}
	d.take(ask("llm", "one more"))
	if out := d.take(until("full", int64(d.block.Height)+99)); out.Fault != nil || out.Enqueued != 1 {
		t.Errorf("%+v", out)
	}
	if got := d.answers(); len(got) != 1 || !strings.HasPrefix(got[0], "full error [{error failed}") {
		t.Errorf("%q", got)
	}
	d.adds()
}

// TestNoRunners: on a network without runners a job that is to be answered is told so at once; any other message finds no handler.
//
// Spec: sdk §10.5; governance-staking B10.
func TestNoRunners(t *testing.T) {
	d := newFixture(t, 2)
	run := func(fields cbor.Map) error {
		x := d.turn(fields)
		_, err := New(nil).Handlers[0].Run(chapter.NewEnv(New(nil), x, nil), chapter.Request{Data: x.Payload.Data, Structured: true})
		return err
	}
	if err := run(ask("llm", "a")); !errors.Is(err, chapter.ErrNoHandler) {
		t.Error(err)
	}
	if err := run(until("a", 14)); err != nil {
		t.Error(err)
	}
	d.expect("told", "a error [{error failed} {message this network has no runners}]")
}

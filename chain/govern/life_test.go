package govern_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A parameter of tier 0 changes 3 days after a vote of 5 days, which follows a check of 3 days: with hours of one block, a proposal of block 1 is checked at
// the end of block 73, voted on until 193, and executable from 265 to 289.
//
// Spec: governance-staking B3, B5, B9.
func TestLife(t *testing.T) {
	w := newWorld(t, 60, 40)
	by := addr(9)
	id := w.propose(by, 0, zero(5))
	if id != 1 || w.escrow() != 1_000*unit.CBY || w.balance(by) != purse-1_000*unit.CBY || w.balance(nine) != 100 {
		t.Fatalf("proposal %d, escrow %d", id, w.escrow())
	}
	w.votes(id, govern.Yes, 1)
	w.to(73)
	w.is(id, govern.TempCheck)
	w.next()
	w.is(id, govern.Voting)
	w.votes(id, govern.Yes, 1, 2)
	w.to(193)
	w.is(id, govern.Voting)
	w.next()
	w.is(id, govern.Queued)
	if p := w.load(id); p.Deadline != 193 || p.ExecutableAt != 265 || p.RetryUntil != 289 || p.CheckSnapshot.Height != 0 || p.VoteSnapshot.Height != 72 {
		t.Errorf("%+v", p)
	}
	w.to(264)
	w.refused("a block early", w.execute(id), govern.ErrTimelock)
	w.next()
	w.must(w.execute(id))
	w.is(id, govern.Executed)
	if w.escrow() != 0 || w.balance(by) != purse || w.burned != 0 {
		t.Errorf("escrow %d, balance %d, burned %d", w.escrow(), w.balance(by), w.burned)
	}
	value, ok, err := w.overlay.Lookup(params.StateKey(keyZero))
	if err != nil || !ok || string(value) != "\x05" {
		t.Errorf("%x %v %v", value, ok, err)
	}
	if n, err := params.Version(w.overlay); err != nil || n != 1 {
		t.Errorf("config_version %d %v", n, err)
	}
	w.must(params.History(w.overlay, keyZero, 0, 9, func(c params.Change) bool {
		if c.Version != 1 || c.Height != 265 || c.By != nine || string(c.Value) != "\x05" {
			t.Errorf("%+v", c)
		}
		return true
	}))
	w.refused("again", w.execute(id), govern.ErrStatus)
}

// Each phase a proposal enters is told as it begins, with the last block of the phase: of the timelock, the block in which it becomes executable.
//
// Spec: governance-staking B5.
func TestPhasesAreTold(t *testing.T) {
	w := newWorld(t, 60, 40)
	id := w.propose(addr(9), 0, zero(5))
	w.votes(id, govern.Yes, 1, 2)
	var told []string
	for w.height < 200 {
		h := w.registry()
		w.must(h.Close())
		for _, e := range h.Events {
			if string(e.Topic) != govern.TopicPhase {
				continue
			}
			r := codec.NewReader(e.Data)
			of, status, last := r.Uint(), govern.Status(r.Tag(255)), r.Uint()
			if err := r.Finish(); err != nil || of != id {
				t.Fatalf("%x: %v", e.Data, err)
			}
			told = append(told, fmt.Sprintf("%d: %v to %d", w.height, status, last))
		}
		if w.height++; w.height == 100 {
			w.votes(id, govern.Yes, 1, 2)
		}
	}
	want := []string{"73: " + fmt.Sprint(govern.Voting) + " to 193", "193: " + fmt.Sprint(govern.Queued) + " to 265"}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// Every way out of every status: where the proposal ends, and how much of a deposit of 1,000 goes back or is burned.
//
// Spec: governance-staking B4 (deposit), B5, part E.
func TestDeposits(t *testing.T) {
	by, deposit := addr(9), 1_000*unit.CBY
	for name, x := range map[string]struct {
		leave func(w *world, id uint64)
		ends  govern.Status
		back  bool
	}{
		"the check fails":      {func(w *world, id uint64) { w.to(74) }, govern.Rejected, false},
		"withdrawn, checked":   {func(w *world, id uint64) { w.must(w.withdraw(by, id)) }, govern.Withdrawn, false},
		"withdrawn, voted on":  {func(w *world, id uint64) { w.votes(id, 0, 1, 2); w.to(74); w.must(w.withdraw(by, id)) }, govern.Withdrawn, false},
		"withdrawn, queued":    {func(w *world, id uint64) { w.queued(id, 1, 2); w.must(w.withdraw(by, id)) }, govern.Withdrawn, false},
		"the vote is lost":     {func(w *world, id uint64) { w.votes(id, 0, 1); w.to(74); w.votes(id, 1, 1, 2); w.to(194) }, govern.Rejected, true},
		"cancelled":            {func(w *world, id uint64) { w.queued(id, 1, 2); w.must(w.cancel(id, seven()...)) }, govern.Cancelled, true},
		"executed":             {func(w *world, id uint64) { w.queued(id, 1, 2); w.to(265); w.must(w.execute(id)) }, govern.Executed, true},
		"executed, last block": {func(w *world, id uint64) { w.queued(id, 1, 2); w.to(289); w.must(w.execute(id)) }, govern.Executed, true},
		"executed, again": {func(w *world, id uint64) {
			w.queued(id, 1, 2)
			w.to(265)
			w.closed = true
			w.must(w.execute(id))
			w.is(id, govern.ExecutionFailed)
			if p := w.load(id); !p.Open() || p.Reason != govern.Refused || w.escrow() != deposit {
				w.t.Errorf("%+v", p)
			}
			w.refused("withdrawing what failed", w.withdraw(by, id), govern.ErrStatus)
			w.refused("cancelling what failed", w.cancel(id, seven()...), govern.ErrStatus)
			w.closed = false
			w.must(w.execute(id))
		}, govern.Executed, true},
		"failed for good": {func(w *world, id uint64) {
			w.queued(id, 1, 2)
			w.to(265)
			w.closed = true
			w.must(w.execute(id))
			w.to(290)
			w.refused("too late", w.execute(id), govern.ErrStatus)
		}, govern.ExecutionFailed, true},
		"nobody executes it": {func(w *world, id uint64) { w.queued(id, 1, 2); w.to(290) }, govern.ExecutionFailed, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 60, 40)
			id := w.propose(by, 0, zero(5))
			x.leave(w, id)
			w.is(id, x.ends)
			back, burned := unit.Amount(0), deposit
			if x.back {
				back, burned = deposit, 0
			}
			if w.load(id).Open() || w.escrow() != 0 || w.balance(by) != purse-deposit+back || w.burned != burned || w.balance(nine) != 100 {
				t.Errorf("escrow %d, balance %d, burned %d, at 0x09 %d", w.escrow(), w.balance(by), w.burned, w.balance(nine))
			}
			w.refused("withdrawn afterwards", w.withdraw(by, id), govern.ErrStatus)
			w.refused("a vote afterwards", w.vote(1, id, govern.No), govern.ErrStatus)
		})
	}
}

// Whoever submits chooses no lower tier than the payload's, pays the tier's deposit exactly, and proposes what could be applied.
//
// Spec: governance-staking B3, B4, B9.
func TestSubmit(t *testing.T) {
	w := newWorld(t, 60, 40)
	with := func(m govern.Submission, edit func(m *govern.Submission)) govern.Submission { edit(&m); return m }
	disburse := &govern.Disbursement{Recipient: addr(5), Amount: 1}
	for name, x := range map[string]struct {
		m    govern.Submission
		want error
	}{
		"tier 0":               {w.submission(0, zero(1)), nil},
		"a higher tier":        {w.submission(4, zero(1)), nil},
		"below the key's":      {w.submission(2, three(1)), govern.ErrTier},
		"the key's":            {w.submission(3, three(1)), nil},
		"money, below":         {w.submission(1, disburse), govern.ErrTier},
		"money":                {w.submission(2, disburse), nil},
		"a permanent pause":    {w.submission(4, &govern.Circuit{Target: bank, Action: govern.Permanent}), nil},
		"one, below":           {w.submission(3, &govern.Circuit{Target: bank, Action: govern.Permanent}), govern.ErrTier},
		"a review, below":      {w.submission(3, &govern.ReviewCouncil{}), govern.ErrTier},
		"no such tier":         {with(w.submission(4, zero(1)), func(m *govern.Submission) { m.Tier = 5 }), govern.ErrTier},
		"a coin too many":      {with(w.submission(0, zero(1)), func(m *govern.Submission) { m.Deposit++ }), govern.ErrDeposit},
		"a coin too few":       {with(w.submission(0, zero(1)), func(m *govern.Submission) { m.Deposit-- }), govern.ErrDeposit},
		"a value out of range": {w.submission(0, &govern.ParamUpdate{Key: keyZero, Value: []byte{1, 2}}), govern.ErrPayload},
		"no such key":          {w.submission(0, &govern.ParamUpdate{Key: "test:none"}), govern.ErrPayload},
		"nothing":              {with(w.submission(0, zero(1)), func(m *govern.Submission) { m.Payload = nil }), govern.ErrPayload},
		"bytes behind":         {with(w.submission(0, zero(1)), func(m *govern.Submission) { m.Payload = append(m.Payload, 0) }), govern.ErrPayload},
		"a registry":           {with(w.submission(4, zero(1)), func(m *govern.Submission) { m.Payload = []byte{1} }), govern.ErrPayload},
		"an upgrade":           {with(w.submission(4, zero(1)), func(m *govern.Submission) { m.Payload = []byte{3} }), govern.ErrPayload},
		"no money":             {w.submission(2, &govern.Disbursement{Recipient: addr(5)}), govern.ErrPayload},
		"money to 0x13":        {w.submission(2, &govern.Disbursement{Recipient: bank, Amount: 1}), govern.ErrPayload},
		"the end of no pause":  {w.submission(3, &govern.Circuit{Target: bank, Action: govern.End}), govern.ErrPayload},
		"0x09 for ever":        {w.submission(4, &govern.Circuit{Target: nine, Action: govern.Permanent}), govern.ErrPayload},
		"0x77 for ever":        {w.submission(4, &govern.Circuit{Target: account.System(0x77), Action: govern.Permanent}), govern.ErrPayload},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.submit(addr(9), x.m)
			if !errors.Is(err, x.want) {
				t.Errorf("%s: %v, want %v", name, err, x.want)
			}
		})
	}
	if got := w.escrow(); got != (1_000+2*100_000+25_000+5_000)*unit.CBY {
		t.Errorf("the deposits are %d", got)
	}
}

// A treasury pays what it has, and nobody by half.
//
// Spec: governance-staking B3 (treasury), B4.
func TestDisbursement(t *testing.T) {
	for name, x := range map[string]struct {
		amount unit.Amount
		ends   govern.Status
	}{"all": {held, govern.Executed}, "a coin more": {held + 1, govern.ExecutionFailed}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 60, 40)
			id := w.propose(addr(9), 2, &govern.Disbursement{Recipient: addr(40), Amount: x.amount, Memo: []byte("thanks")})
			w.queued(id, 1, 2)
			w.to(w.load(id).ExecutableAt)
			w.must(w.execute(id))
			w.is(id, x.ends)
			paid := unit.Amount(0)
			if x.ends == govern.Executed {
				paid = held
			}
			if w.balance(treasury) != held-paid || w.balance(addr(40)) != paid {
				t.Errorf("%s: %d left, %d paid", name, w.balance(treasury), w.balance(addr(40)))
			}
		})
	}
}

// A check passes with exactly 1 % of the stake taking part and exactly 33 % of yes and no approving, and fails a unit below either; abstentions take part
// and approve nothing.
//
// Spec: governance-staking B5, part E (0.99 %).
func TestCheck(t *testing.T) {
	for name, x := range map[string]struct {
		stakes           []unit.Amount
		yes, no, abstain []byte
		passes           bool
	}{
		"1 %":             {[]unit.Amount{100, 9_900}, []byte{1}, nil, nil, true},
		"0.99 %":          {[]unit.Amount{99, 9_901}, []byte{1}, nil, nil, false},
		"1 %, abstaining": {[]unit.Amount{99, 1, 9_900}, []byte{1}, nil, []byte{2}, true},
		"33 %":            {[]unit.Amount{3_300, 6_700}, []byte{1}, []byte{2}, nil, true},
		"32.99 %":         {[]unit.Amount{3_299, 6_701}, []byte{1}, []byte{2}, nil, false},
		"33 % of two":     {[]unit.Amount{33, 67, 9_900}, []byte{1}, []byte{2}, []byte{3}, true},
		"nobody cares":    {[]unit.Amount{100, 100}, nil, nil, []byte{1, 2}, false},
		"nobody comes":    {[]unit.Amount{100, 100}, nil, nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, x.stakes...)
			id := w.propose(addr(9), 0, zero(1))
			w.votes(id, govern.Yes, x.yes...)
			w.votes(id, govern.No, x.no...)
			w.votes(id, govern.Abstain, x.abstain...)
			w.to(74)
			if got := w.load(id).Status == govern.Voting; got != x.passes {
				t.Errorf("%s: %v", name, got)
			}
		})
	}
}

// Ties fail, and so does exactly the threshold, in each house; turnout of exactly the quorum is enough; abstentions count for the quorum alone.
//
// Spec: governance-staking B3, B5, part E.
func TestThresholds(t *testing.T) {
	for name, x := range map[string]struct {
		tier             uint8
		stakes           []unit.Amount
		yes, no, abstain []byte
		passes           bool
	}{
		"a tie":                      {0, []unit.Amount{50, 50}, []byte{1}, []byte{2}, nil, false},
		"a tie of validators":        {0, []unit.Amount{51, 49}, []byte{1}, []byte{2}, nil, false},
		"a tie of stake":             {0, []unit.Amount{25, 25, 50}, []byte{1, 2}, []byte{3}, nil, false},
		"a coin above a tie":         {0, []unit.Amount{25, 26, 50}, []byte{1, 2}, []byte{3}, nil, true},
		"half of the active":         {0, []unit.Amount{30, 30, 20, 20}, []byte{1, 2}, nil, nil, false},
		"55 %":                       {2, []unit.Amount{30, 25, 45}, []byte{1, 2}, []byte{3}, nil, false},
		"56 %":                       {2, []unit.Amount{30, 26, 44}, []byte{1, 2}, []byte{3}, nil, true},
		"60 %":                       {3, []unit.Amount{30, 30, 40}, []byte{1, 2}, []byte{3}, nil, false},
		"61 %":                       {3, []unit.Amount{30, 31, 39}, []byte{1, 2}, []byte{3}, nil, true},
		"66 % of stake":              {4, []unit.Amount{33, 33, 34}, []byte{1, 2}, []byte{3}, nil, false},
		"67 % and 66.7 %":            {4, []unit.Amount{33, 34, 33}, []byte{1, 2}, []byte{3}, nil, true},
		"a quorum of 5 %":            {0, []unit.Amount{2, 3, 95}, []byte{1, 2}, nil, nil, true},
		"4 %":                        {0, []unit.Amount{2, 2, 96}, []byte{1, 2}, nil, nil, false},
		"4 % and an abstention":      {0, []unit.Amount{1, 1, 2, 1, 95}, []byte{1, 2, 3}, nil, []byte{4}, true},
		"abstentions are no yes":     {0, []unit.Amount{10, 10, 80}, []byte{1}, nil, []byte{2, 3}, false},
		"abstentions are no no":      {0, []unit.Amount{10, 10, 80}, []byte{1, 2}, nil, []byte{3}, true},
		"a quorum of 15 %, tier 3":   {3, []unit.Amount{7, 8, 85}, []byte{1, 2}, nil, nil, true},
		"14 %, tier 3":               {3, []unit.Amount{7, 7, 86}, []byte{1, 2}, nil, nil, false},
		"a quorum of 20 %, tier 4":   {4, []unit.Amount{10, 10, 80}, []byte{1, 2}, nil, nil, true},
		"19 %, tier 4":               {4, []unit.Amount{10, 9, 81}, []byte{1, 2}, nil, nil, false},
		"66 of 100 validators, less": {4, append(make([]unit.Amount, 0), 1, 1, 1), []byte{1}, nil, []byte{2, 3}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, x.stakes...)
			id := w.propose(addr(9), x.tier, zero(1))
			all := []byte{1, 2, 3, 4, 5}[:len(x.stakes)]
			w.votes(id, govern.Yes, all...)
			w.to(w.load(id).Deadline + 1)
			w.votes(id, govern.Yes, x.yes...)
			w.votes(id, govern.No, x.no...)
			w.votes(id, govern.Abstain, x.abstain...)
			for w.load(id).Status == govern.Voting {
				w.next()
			}
			if got := w.load(id).Status == govern.Queued; got != x.passes {
				t.Errorf("%s: %v", name, got)
			}
		})
	}
}

// A vote in which less than 60 % of the validators take part, or stake of less than 60 % of the quorum, lasts a day longer, three times at most; at exactly
// 60 % it ends.
//
// Spec: governance-staking B5 (extension).
func TestExtension(t *testing.T) {
	for name, x := range map[string]struct {
		tier   uint8
		stakes []unit.Amount
		by     []byte
		times  uint32
	}{
		"60 % of five":             {0, []unit.Amount{20, 20, 20, 20, 20}, []byte{1, 2, 3}, 0},
		"40 % of five":             {0, []unit.Amount{20, 20, 20, 20, 20}, []byte{1, 2}, 3},
		"3 % where 5 % are needed": {0, []unit.Amount{1, 1, 1, 1, 96}, []byte{1, 2, 3}, 0},
		"299 of 10,000":            {0, []unit.Amount{100, 100, 99, 1, 9_700}, []byte{1, 2, 3}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, x.stakes...)
			id := w.propose(addr(9), x.tier, zero(1))
			w.votes(id, govern.Yes, 5)
			w.to(74)
			w.votes(id, govern.Yes, x.by...)
			for w.load(id).Status == govern.Voting {
				w.next()
			}
			if p := w.load(id); p.Extensions != x.times || p.Deadline != 193+unit.Height(24*x.times) {
				t.Errorf("%s: %d extensions to block %d", name, p.Extensions, p.Deadline)
			}
		})
	}
}

// A changed vote counts once, with the weight of the snapshot; it can be changed until the last epoch of the window, which is an hour, and cast until its last
// block.
//
// Spec: governance-staking B5, part E.
func TestChangedVote(t *testing.T) {
	w := newWorld(t, 60, 40, 20)
	w.config.HourBlocks = 10 // the check lasts for blocks 2 to 721
	id := w.propose(addr(9), 0, zero(1))
	w.votes(id, govern.Yes, 1, 2)
	w.votes(id, govern.No, 1)
	w.refused("the same", w.vote(1, id, govern.No), govern.ErrSame)
	w.refused("no choice", w.vote(1, id, 3), govern.ErrChoice)
	w.refused("no weight", w.vote(9, id, govern.Yes), govern.ErrWeight)
	w.refused("no proposal", w.vote(1, 2, govern.Yes), govern.ErrNoProposal)
	if got := w.load(id).Check; got.Stake != [3]unit.Amount{40, 60, 0} || got.Validators != [3]uint64{1, 1, 0} {
		t.Errorf("%+v", got)
	}
	w.to(711) // ten blocks are left after this one
	w.votes(id, govern.Yes, 1)
	w.next()
	w.refused("a change in the last epoch", w.vote(1, id, govern.No), govern.ErrLate)
	w.to(721)
	w.votes(id, govern.Abstain, 3)
	if got := w.load(id).Check; got.Stake != [3]unit.Amount{100, 0, 20} || got.Validators != [3]uint64{2, 0, 1} {
		t.Errorf("%+v", got)
	}
	w.next()
	w.is(id, govern.Voting)
	w.votes(id, govern.No, 1) // another window
}

// The weight is that of the state the block of the snapshot began with: what comes later does not count, and what leaves later does.
//
// Spec: governance-staking B4 (snapshots), B5.
func TestSnapshot(t *testing.T) {
	w := newWorld(t, 60, 40)
	registry := func() *stake.Registry {
		return &stake.Registry{State: w.overlay, Params: params.Genesis(), Height: w.height}
	}
	w.must(registry().AddStake(addr(1), 5)) // in the block of the proposal
	id := w.propose(addr(9), 0, zero(1))
	w.must(registry().Exit(addr(2), nil))
	w.votes(id, govern.Yes, 1, 2)
	p := w.load(id)
	if p.Check.Stake[govern.Yes] != 100 || p.Check.Validators[govern.Yes] != 2 || p.CheckSnapshot != (govern.Snapshot{Height: 0, Stake: 100, Validators: 2}) {
		t.Errorf("%+v", p)
	}
	w.to(74)
	w.votes(id, govern.Yes, 1, 2)
	p = w.load(id)
	if p.Vote.Stake[govern.Yes] != 105 || p.Vote.Validators[govern.Yes] != 1 || p.VoteSnapshot != (govern.Snapshot{Height: 72, Stake: 105, Validators: 1}) {
		t.Errorf("%+v", p)
	}
}

// As many proposals of people are open as may be, and one more when one is over; a block decides as many as it may, and the next block the rest, on which
// nobody votes after the deadline.
//
// Spec: governance-staking B4, B5.
func TestBounds(t *testing.T) {
	w := newWorld(t, 60, 40)
	for range params.MaxOpenProposals {
		w.give(addr(9), 1_000*unit.CBY)
		w.propose(addr(9), 0, zero(1))
	}
	m := w.submission(0, zero(1))
	_, err := w.submit(addr(9), m)
	w.refused("one more", err, govern.ErrOpen)
	w.must(w.withdraw(addr(9), 7))
	if _, err := w.submit(addr(9), m); err != nil {
		t.Error(err)
	}
	rejected := func() (n int) {
		for id := uint64(1); id <= params.MaxOpenProposals+1; id++ {
			if w.load(id).Status == govern.Rejected {
				n++
			}
		}
		return n
	}
	w.to(74)
	if got := rejected(); got != params.ProposalStepsPerBlock-1 { // the deadline of number 7 was walked too
		t.Errorf("%d decided in their block", got)
	}
	w.refused("late", w.vote(1, 200, govern.Yes), govern.ErrClosed)
	w.to(78)
	if got := rejected(); got != params.MaxOpenProposals {
		t.Errorf("%d decided", got)
	}
	if w.escrow() != 0 || w.burned != (params.MaxOpenProposals+1)*1_000*unit.CBY {
		t.Errorf("escrow %d, burned %d", w.escrow(), w.burned)
	}
}

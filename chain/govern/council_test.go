package govern_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the council signs is the keccak256 of these bytes, put together by hand.
//
// Spec: governance-staking B2.
func TestDigest(t *testing.T) {
	want := digest.Keccak256([]byte("cowboy-council-v1:\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x02" +
		"\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x00\x00\x00\x00\x01\x05"))
	if got := govern.Digest(7, 2, 9, govern.CancelAct(0x105)); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// Seven members of the present council are enough, in any order; six are not, nor seven of whom one signs twice or sits elsewhere; what was signed once,
// for another chain or another act, counts for nothing.
//
// Spec: governance-staking B2, part E (6 of 9 signatures).
func TestSignatures(t *testing.T) {
	w := newWorld(t, 60, 40)
	for name, members := range map[string][]int{
		"six": {0, 1, 2, 3, 4, 5}, "none": {}, "one twice": {0, 1, 2, 3, 4, 5, 5}, "one twice of eight": {0, 1, 2, 3, 4, 5, 6, 6},
	} {
		w.refused(name, w.pause(bank, members...), govern.ErrSignatures)
	}
	pause := func(nonce uint64, list []sig.Signature) error {
		return w.do(func(h *govern.Registry) error { return h.Pause(bank, nonce, list) })
	}
	nonce, list := w.sign(govern.PauseAct(bank), seven()...)
	stranger := slices.Clone(list)
	stranger[3] = genesisKey(t).Sign(govern.Digest(chainID, 0, 0, govern.PauseAct(bank)))
	w.refused("a stranger", pause(nonce, stranger), govern.ErrSignatures)
	w.refused("another nonce", pause(nonce+1, list), govern.ErrNonce)
	_, other := w.sign(govern.PauseAct(treasury), seven()...)
	w.refused("another act", pause(nonce, other), govern.ErrSignatures)
	w.refused("ten", pause(nonce, append(slices.Clone(list), list[:3]...)), govern.ErrSignatures)
	slices.Reverse(list)
	w.must(pause(nonce, list))
	w.to(400)
	w.refused("replayed", pause(nonce, list), govern.ErrNonce)
	w.refused("replayed with the next nonce", pause(nonce+1, list), govern.ErrSignatures)
	w.must(w.pause(bank, 0, 1, 2, 3, 4, 5, 6, 7, 8))
	w.overlay.Delete(account.KeyString(account.KindRecord, nine, "gov:council"))
	w.refused("no council", pause(0, list), govern.ErrNoCouncil)
}

func genesisKey(t *testing.T) *sig.PrivateKey {
	t.Helper()
	k, err := sig.ParsePrivateKey(slices.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The council cancels what is queued, and nothing of tier 4; a council that was replaced cancels nothing.
//
// Spec: governance-staking B2, B7, part E.
func TestCancel(t *testing.T) {
	w := newWorld(t, 60, 40)
	for tier := range uint8(5) {
		id := w.propose(addr(9), tier, zero(1))
		w.refused("in its check", w.cancel(id, seven()...), govern.ErrStatus)
		w.votes(id, govern.Yes, 1, 2)
		w.to(w.load(id).Deadline + 1)
		w.refused("in its vote", w.cancel(id, seven()...), govern.ErrStatus)
		w.queued(id, 1, 2)
		if tier == 4 {
			w.refused("tier 4", w.cancel(id, seven()...), govern.ErrTier)
			continue
		}
		w.must(w.cancel(id, seven()...))
		w.is(id, govern.Cancelled)
		w.to(w.height + 2_200) // further apart than a review looks
	}
	var next []account.Address
	for _, k := range w.council[1:] {
		next = append(next, k.Address())
	}
	next = append(next, addr(9))
	slices.SortFunc(next, account.Address.Compare)
	id, two := w.propose(addr(9), 4, &govern.SetCouncil{Members: next}), w.propose(addr(9), 0, zero(1))
	w.votes(two, govern.Yes, 1, 2)
	w.to(w.load(two).Deadline + 1)
	w.votes(two, govern.Yes, 1, 2)
	w.queued(id, 1, 2)
	w.to(w.load(id).ExecutableAt)
	w.must(w.execute(id))
	c, _, err := govern.LoadCouncil(w.overlay)
	if err != nil || c.Rotation != 1 || c.Nonce != 0 || !slices.Equal(c.Members, next) {
		t.Fatalf("%+v %v", c, err)
	}
	w.refused("by one who left", w.pause(bank, 0, 1, 2, 3, 4, 5, 6), govern.ErrSignatures)
	hash := govern.Digest(chainID, 0, 0, govern.PauseAct(bank))
	var old []sig.Signature
	for _, k := range w.council[1:8] {
		old = append(old, k.Sign(hash))
	}
	w.refused("signed for the council before", w.do(func(h *govern.Registry) error { return h.Pause(bank, 0, old) }), govern.ErrSignatures)
	w.must(w.pause(bank, 1, 2, 3, 4, 5, 6, 7))
}

// Three cancellations within 90 days open a review; a day more apart, they do not. A review that is won is a warning.
//
// Spec: governance-staking B7.
func TestReview(t *testing.T) {
	const window = 90 * 24
	for _, x := range []struct {
		apart unit.Height // the first and the third
		opens bool
	}{{window, true}, {window + 1, false}} {
		t.Run(fmt.Sprint(x.apart), func(t *testing.T) {
			w := newWorld(t, 60, 40)
			cancel := func() unit.Height {
				id := w.propose(addr(9), 0, zero(1))
				w.queued(id, 1, 2)
				w.must(w.cancel(id, seven()...))
				return w.height
			}
			first := cancel()
			cancel()
			id := w.propose(addr(9), 0, zero(1)) // 193 blocks later it is queued
			w.must(w.withdraw(addr(9), id))
			w.to(first + x.apart - 193)
			last := cancel()
			if last-first != x.apart {
				t.Fatalf("cancelled at %d and %d", first, last)
			}
			list, err := govern.All(w.overlay, 0, 1)
			w.must(err)
			opened := list[0].Proposer == nine
			if opened != x.opens {
				t.Fatalf("%d apart: %+v", x.apart, list[0])
			}
			if !opened {
				return
			}
			if p := list[0]; p.Tier != 4 || p.Status != govern.Voting || p.Deposit != 0 || p.Deadline != last+14*24 ||
				!slices.Equal(p.Payload, govern.EncodePayload(&govern.ReviewCouncil{})) {
				t.Errorf("%+v", p)
			}
			w.votes(list[0].ID, govern.Yes, 1, 2)
			w.to(list[0].Deadline + 1)
			w.is(list[0].ID, govern.Executed)
			if c, _, err := govern.LoadCouncil(w.overlay); err != nil || c.Warnings != 1 {
				t.Errorf("%+v %v", c, err)
			}
			if cancel(); w.load(list[0].ID+1).Proposer == nine {
				t.Error("the review forgets no cancellation")
			}
		})
	}
}

// A fast-track is of tier 3, in name and in deed: a vote of 24 hours at once, approval above 66 %, a timelock of 6 hours.
//
// Spec: governance-staking B6, part E.
func TestFastTrack(t *testing.T) {
	w := newWorld(t, 33, 34, 33)
	fast := func(tier uint8, p govern.Payload) govern.Submission {
		m := w.submission(tier, p)
		_, m.Signatures = w.sign(govern.FastTrack(addr(9), m.Title, m.Payload), seven()...)
		return m
	}
	for tier := range uint8(5) {
		_, err := w.submit(addr(9), fast(tier, zero(1)))
		w.refused("a payload of tier 0", err, govern.ErrFast)
	}
	_, err := w.submit(addr(9), fast(4, three(1)))
	w.refused("tier 4", err, govern.ErrFast)
	_, err = w.submit(addr(8), fast(3, three(1)))
	w.refused("somebody else's", err, govern.ErrSignatures)
	m := fast(3, three(1))
	m.Signatures = m.Signatures[:6]
	_, err = w.submit(addr(9), m)
	w.refused("six signatures", err, govern.ErrSignatures)
	for yes, ends := range map[string]govern.Status{"\x01\x03": govern.Rejected, "\x01\x02": govern.Queued} { // 66 and 67 %
		start := w.height
		id, err := w.submit(addr(9), fast(3, three(1)))
		w.must(err)
		w.is(id, govern.Voting)
		w.votes(id, govern.Yes, []byte(yes)...)
		w.votes(id, govern.No, map[string]byte{"\x01\x03": 2, "\x01\x02": 3}[yes])
		w.to(start + 24)
		w.is(id, govern.Voting)
		w.next()
		w.is(id, ends)
		if ends == govern.Queued {
			w.to(start + 24 + 5)
			w.refused("early", w.execute(id), govern.ErrTimelock)
			w.next()
			w.must(w.execute(id))
		}
	}
}

// Council and multisig have one member in common at most.
//
// Spec: governance-staking B2.
func TestLabs(t *testing.T) {
	w := newWorld(t, 60, 40)
	member := func(i int) account.Address { return w.council[i].Address() }
	for name, x := range map[string]struct {
		members   []account.Address
		threshold uint32
		fails     bool
	}{
		"one in common":      {[]account.Address{addr(1), addr(2), member(0)}, 2, false},
		"two in common":      {[]account.Address{addr(1), member(0), member(1)}, 2, true},
		"none can sign":      {[]account.Address{addr(1)}, 0, true},
		"too few can sign":   {[]account.Address{addr(1)}, 2, true},
		"a system actor":     {[]account.Address{bank, addr(1)}, 1, true},
		"everybody can sign": {[]account.Address{addr(1), addr(2)}, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			slices.SortFunc(x.members, account.Address.Compare)
			w.give(addr(9), 100_000*unit.CBY)
			id, err := w.submit(addr(9), w.submission(4, &govern.SetLabs{Members: x.members, Threshold: x.threshold}))
			if (err != nil) != x.fails {
				t.Errorf("%s: %v", name, err)
			} else if err == nil {
				w.must(w.withdraw(addr(9), id))
			}
		})
	}
	labs := &govern.SetLabs{Members: []account.Address{addr(1), addr(2)}, Threshold: 2}
	id := w.propose(addr(9), 4, labs)
	w.queued(id, 1, 2)
	w.to(w.load(id).ExecutableAt)
	w.must(w.execute(id))
	council := []account.Address{addr(1), addr(2), addr(3), addr(4), addr(5), addr(6), addr(7), addr(8), addr(9)}
	_, err := w.submit(addr(9), w.submission(4, &govern.SetCouncil{Members: council}))
	w.refused("a council of both", err, govern.ErrPayload)
	council[0] = account.Address{0: 0x11}
	w.propose(addr(9), 4, &govern.SetCouncil{Members: council})
}

// Foundation and council have one member in common at most, whichever is named first; who the foundation is changes by proposals of tier 4 alone.
//
// Spec: governance-staking B2, B3.
func TestFoundation(t *testing.T) {
	w := newWorld(t, 60, 40)
	member := func(i int) account.Address { return w.council[i].Address() }
	named := func(list ...account.Address) *govern.SetFoundation {
		slices.SortFunc(list, account.Address.Compare)
		return &govern.SetFoundation{Members: list}
	}
	for name, x := range map[string]struct {
		payload govern.Payload
		tier    uint8
		want    error
	}{
		"one seat":       {named(addr(1), member(0)), 4, nil},
		"two seats":      {named(addr(1), member(0), member(1)), 4, govern.ErrPayload},
		"a system actor": {named(bank, addr(1)), 4, govern.ErrPayload},
		"twice":          {named(addr(1), addr(1)), 4, govern.ErrPayload},
		"nobody":         {named(), 4, govern.ErrPayload},
		"of tier 3":      {named(addr(1)), 3, govern.ErrTier},
	} {
		t.Run(name, func(t *testing.T) {
			w.give(addr(9), 100_000*unit.CBY)
			id, err := w.submit(addr(9), w.submission(x.tier, x.payload))
			if !errors.Is(err, x.want) {
				t.Errorf("%v, want %v", err, x.want)
			} else if err == nil {
				w.must(w.withdraw(addr(9), id))
			}
		})
	}
	id := w.propose(addr(9), 4, named(addr(1), addr(2)))
	w.queued(id, 1, 2)
	w.to(w.load(id).ExecutableAt)
	w.must(w.execute(id))
	if list, err := govern.LoadFoundation(w.overlay); err != nil || len(list) != 2 {
		t.Errorf("%v %v", list, err)
	}
	council := []account.Address{addr(1), addr(2), addr(3), addr(4), addr(5), addr(6), addr(7), addr(8), addr(9)}
	_, err := w.submit(addr(9), w.submission(4, &govern.SetCouncil{Members: council}))
	w.refused("a council of both", err, govern.ErrPayload)
	council[0] = account.Address{0: 0x11}
	slices.SortFunc(council, account.Address.Compare)
	w.propose(addr(9), 4, &govern.SetCouncil{Members: council})
}

// The council pauses system actors for 7 days, but not 0x09, nobody else, and none twice. The vote of tier 3 on it begins at once and, not won, lets the pause
// end at its block.
//
// Spec: governance-staking B7, part E.
func TestPause(t *testing.T) {
	w := newWorld(t, 60, 40)
	for name, target := range map[string]account.Address{"0x09": nine, "an account": addr(1), "0x77": account.System(0x77)} {
		w.refused(name, w.pause(target, seven()...), govern.ErrTarget)
	}
	w.must(w.pause(bank, seven()...))
	w.refused("again", w.pause(bank, seven()...), govern.ErrTarget)
	if !w.paused(bank) || w.paused(treasury) || w.paused(nine) {
		t.Error("who is paused")
	}
	p := w.load(1)
	if p.Proposer != nine || p.Tier != 3 || p.Deposit != 0 || p.Status != govern.Voting || p.Deadline != 168 {
		t.Errorf("%+v", p)
	}
	w.votes(1, govern.Yes, 2)
	w.votes(1, govern.No, 1)
	w.to(168)
	if !w.paused(bank) {
		t.Error("it ends early")
	}
	w.next()
	if w.paused(bank) {
		t.Error("it does not end")
	}
	w.is(1, govern.Rejected)
	w.next()
	if list, err := govern.Pauses(w.overlay); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	w.must(w.pause(bank, seven()...)) // and can be paused anew
}

// Ratified, a pause lasts 30 days more, and three times at most by proposals of tier 3; then for ever by one of tier 4, and it ends early by one of tier 3.
//
// Spec: governance-staking B7.
func TestRatification(t *testing.T) {
	w := newWorld(t, 60, 40)
	until := func() unit.Height {
		u, _, err := govern.Paused(w.overlay, bank, w.height)
		w.must(err)
		return u
	}
	w.must(w.pause(bank, seven()...))
	w.votes(1, govern.Yes, 1, 2)
	w.to(169)
	w.is(1, govern.Executed)
	if until() != 169+720 {
		t.Fatalf("until %d", until())
	}
	run := func(tier uint8, action govern.Action) {
		t.Helper()
		id := w.propose(addr(9), tier, &govern.Circuit{Target: bank, Action: action})
		w.queued(id, 1, 2)
		w.to(w.load(id).ExecutableAt)
		w.must(w.execute(id))
		w.is(id, govern.Executed)
	}
	run(3, govern.RatifyExtend)
	run(3, govern.RatifyExtend)
	if until() != 169+3*720 {
		t.Fatalf("until %d", until())
	}
	_, err := w.submit(addr(9), w.submission(3, &govern.Circuit{Target: bank, Action: govern.RatifyExtend}))
	w.refused("a fourth time", err, govern.ErrPayload)
	run(4, govern.Permanent)
	if until() != govern.Forever {
		t.Fatalf("until %d", until())
	}
	w.to(3_000)
	if !w.paused(bank) {
		t.Error("for ever is over")
	}
	run(3, govern.End)
	if w.paused(bank) {
		t.Error("it does not end")
	}
}

// A vote on a pause that ended early extends nothing, not even the pause that came after it.
//
// Spec: governance-staking B7.
func TestOldRatification(t *testing.T) {
	w := newWorld(t, 60, 40)
	w.must(w.pause(bank, seven()...))
	m := w.submission(3, &govern.Circuit{Target: bank, Action: govern.End})
	_, m.Signatures = w.sign(govern.FastTrack(addr(9), m.Title, m.Payload), seven()...)
	id, err := w.submit(addr(9), m)
	w.must(err)
	w.votes(1, govern.Yes, 1, 2)
	w.queued(id, 1, 2)
	w.to(w.load(id).ExecutableAt)
	w.must(w.execute(id))
	if w.paused(bank) {
		t.Fatal("it does not end")
	}
	w.must(w.pause(bank, seven()...))
	second := w.height
	w.to(169)
	if p := w.load(1); p.Status != govern.ExecutionFailed || p.Reason != govern.PauseOver || p.Open() {
		t.Errorf("%+v", p)
	}
	if until, _, err := govern.Paused(w.overlay, bank, w.height); err != nil || until != second+7*24 {
		t.Errorf("until %d, %v", until, err)
	}
	list, err := govern.Pauses(w.overlay)
	if err != nil || len(list) != 1 || list[0].Proposal != 3 {
		t.Errorf("%+v %v", list, err)
	}
}

package push

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// paper is a chain on paper.
type paper struct {
	height     uint64
	set        []sig.BLSPublicKey
	registered map[account.Address]bool
	open       []digest.Hash // of the one runner
	stands     map[digest.Hash]Stand
	looks      int
}

func (p *paper) Height() uint64                                         { return p.height }
func (p *paper) Set() ([]sig.BLSPublicKey, error)                       { return p.set, nil }
func (p *paper) Registered(r account.Address) (bool, error)             { return p.registered[r], nil }
func (p *paper) Spec(id digest.Hash) ([]byte, error)                    { return id[:4], nil }
func (p *paper) Open(account.Address, int) ([]digest.Hash, error)       { p.looks++; return p.open, nil }
func (p *paper) Stand(id digest.Hash, _ account.Address) (Stand, error) { return p.stands[id], nil }

func keyOf(n byte) sig.BLSPublicKey { return sig.BLSPublicKey{n} }

// script is a validator with one runner, whose acts are told by a line each.
type script struct {
	t     *testing.T
	chain *paper
	state *state
	key   *sig.PrivateKey
}

func begin(t *testing.T) *script {
	key := RunnerKey(t, 1)
	p := &paper{height: 100, set: []sig.BLSPublicKey{keyOf(1)}, registered: map[account.Address]bool{key.Address(): true}, stands: map[digest.Hash]Stand{}}
	s := &script{t: t, chain: p, state: newState(7, keyOf(1)), key: key}
	s.block(0)
	return s
}

func (s *script) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// acts gives what is to be done, and forgets it.
func (s *script) acts() string {
	var list []string
	for _, act := range s.state.acts {
		switch a := act.(type) {
		case pushing:
			list = append(list, fmt.Sprintf("push %d %s by %d", a.session, name(a.frame.ID), a.frame.Deadline))
		case telling:
			switch m := a.message.(type) {
			case *protocol.Pong:
				list = append(list, fmt.Sprintf("pong %d %d", a.session, m.Nonce))
			case *protocol.Cancel:
				why := [...]string{protocol.Reassigned: "reassigned", protocol.Expired: "expired", protocol.Failed: "failed"}[m.Reason]
				list = append(list, fmt.Sprintf("cancel %d %s %s", a.session, name(m.ID), why))
			}
		case abandoning:
			list = append(list, fmt.Sprintf("abandon %d %s", a.session, name(a.job)))
		case ending:
			list = append(list, fmt.Sprintf("end %d %s", a.session, a.why))
		case submitting:
			list = append(list, fmt.Sprintf("submit %d", len(a.raw)))
		case passing:
			list = append(list, fmt.Sprintf("pass %x", a.to[:1]))
		case reporting:
			list = append(list, "report "+a.why)
		}
	}
	s.state.acts = nil
	return strings.Join(list, ", ")
}

func name(id digest.Hash) string { return fmt.Sprintf("job%d", id[0]) }

func jobOf(n byte) digest.Hash { return digest.Hash{n} }

func (s *script) want(what string) {
	s.t.Helper()
	if got := s.acts(); got != what {
		s.t.Fatalf("at %d: %q, want %q", s.chain.height, got, what)
	}
}

func (s *script) block(n uint64) {
	s.t.Helper()
	s.chain.height += n
	s.must(s.state.final(s.chain))
}

func (s *script) join(id session) {
	s.t.Helper()
	s.must(s.state.join(id, protocol.RunnerParty(s.key.Compressed())))
	s.must(s.state.tend(s.chain, s.state.runners[id]))
}

func (s *script) say(id session, m protocol.Message) {
	s.t.Helper()
	s.must(s.state.say(s.chain, id, m))
}

func (s *script) assign(n byte) {
	s.chain.open = append(s.chain.open, jobOf(n))
	s.chain.stands[jobOf(n)] = Stand{Status: market.Assigned, Known: true, Assigned: s.chain.height, Deadline: s.chain.height + 50}
}

func (s *script) answer(id session, n byte, status protocol.AckStatus) {
	s.state.answer(id, jobOf(n), &protocol.Ack{ID: jobOf(n), Status: status})
}

// A job is pushed with the block that draws it, once, and not polled for.
//
// Spec: runner-marketplace §9.3 (JobAssignment).
func TestPushedOnce(t *testing.T) {
	s := begin(t)
	s.join(1)
	s.want("")
	s.assign(1)
	s.block(1)
	s.want("push 1 job1 by 150")
	s.answer(1, 1, protocol.Accepted)
	s.block(1)
	s.say(1, &protocol.Ping{Nonce: 1})
	s.want("pong 1 1")
	s.assign(2)
	s.say(1, &protocol.Ping{Nonce: 2})
	s.want("pong 1 2, push 1 job2 by 152")
	if v := s.state.status(""); v.Pushed != 2 || v.Accepted != 1 || v.Waiting != 1 || v.Present != 1 || v.Delays != [DelayBuckets]uint64{1, 1} {
		t.Errorf("%+v", v)
	}
	if s.chain.looks > 6 {
		t.Errorf("the chain was looked at %d times", s.chain.looks)
	}
}

// What became of a sending that was given up says nothing about the one that followed it.
func TestAnswerOfAnEarlierSending(t *testing.T) {
	s := begin(t)
	s.join(1)
	s.assign(1)
	s.block(1)
	s.acts()
	first, second := &sending{}, &sending{}
	node := &Subsystem{state: s.state, talks: map[session]*talk{1: {pending: map[digest.Hash]*sending{jobOf(1): second}}}}
	node.answered(answered{session: 1, job: jobOf(1), sending: first})
	if n := s.state.status("").Waiting; n != 1 {
		t.Errorf("%d assignments wait after the end of an earlier sending", n)
	}
	node.answered(answered{session: 1, job: jobOf(1), sending: second, ack: &protocol.Ack{ID: jobOf(1), Status: protocol.Accepted}})
	if v := s.state.status(""); v.Accepted != 1 || v.Waiting != 0 {
		t.Errorf("%+v", v)
	}
}

// What is not for pushing: a job that is committed to, one whose time is over, one whose committee reveals.
func TestNotPushed(t *testing.T) {
	for what, change := range map[string]func(*Stand){
		"committed": func(s *Stand) { s.Status, s.Committed = market.Executing, true }, "too late": func(s *Stand) { s.Deadline = 101 },
		"revealing": func(s *Stand) { s.Status = market.Revealing }, "forgotten": func(s *Stand) { s.Known = false },
	} {
		t.Run(what, func(t *testing.T) {
			s := begin(t)
			s.join(1)
			s.assign(1)
			at := s.chain.stands[jobOf(1)]
			change(&at)
			s.chain.stands[jobOf(1)] = at
			s.block(1)
			s.want("")
		})
	}
}

// Who does not answer in 15 blocks is absent until its next heartbeat, and is told again; answers leave presence alone.
//
// Spec: runner-marketplace §9.4 (outcomes of a dispatch), §11 (ACK timeout, presence timeout).
func TestPresence(t *testing.T) {
	s := begin(t)
	s.join(1)
	s.assign(1)
	nonce := uint64(0)
	ping := func() { nonce++; s.say(1, &protocol.Ping{Nonce: nonce}) }
	s.block(1)
	s.want("push 1 job1 by 150")
	for range 14 {
		s.block(1)
		ping()
		s.want(fmt.Sprintf("pong 1 %d", nonce))
	}
	s.block(1)
	s.want("abandon 1 job1")
	if v := s.state.status(""); v.Silent != 1 || v.Present != 0 {
		t.Errorf("%+v", v)
	}
	s.block(1)
	s.want("")
	ping()
	s.want(fmt.Sprintf("pong 1 %d, push 1 job1 by 150", nonce))
	s.answer(1, 1, protocol.Rejected)
	s.assign(2)
	s.block(3)
	s.want("push 1 job2 by 167")
	s.answer(1, 2, protocol.Duplicate)
	s.assign(3)
	s.block(1) // four blocks without a heartbeat
	s.want("")
	if v := s.state.status(""); v.Present != 0 || v.Rejected != 1 || v.Duplicate != 1 {
		t.Errorf("%+v", v)
	}
	ping()
	s.want(fmt.Sprintf("pong 1 %d, push 1 job3 by 170", nonce))
}

// A runner that takes no more is told nothing, and not more than it takes; what it refused it is told again when it takes more.
//
// Spec: runner-marketplace §9.3 (Backpressure).
func TestBackpressure(t *testing.T) {
	s := begin(t)
	s.join(1)
	s.say(1, &protocol.Backpressure{Active: 1, Most: 3, Accepting: true})
	for n := range byte(4) {
		s.assign(n + 1)
	}
	s.block(1)
	s.want("push 1 job1 by 150, push 1 job2 by 150")
	s.answer(1, 1, protocol.Accepted)
	s.answer(1, 2, protocol.Rejected)
	s.say(1, &protocol.Backpressure{Active: 2, Most: 3, Accepting: false, Reason: "draining"})
	s.block(1)
	s.want("")
	s.say(1, &protocol.Backpressure{Active: 1, Most: 3, Accepting: true})
	s.want("push 1 job2 by 150, push 1 job3 by 150")
	s.say(1, &protocol.Backpressure{Active: 0, Most: 100, Accepting: true})
	s.want("push 1 job4 by 150")
}

// At most 8 assignments wait for an answer.
func TestWindow(t *testing.T) {
	s := begin(t)
	s.join(1)
	s.say(1, &protocol.Backpressure{Most: 1_000, Accepting: true})
	for n := range byte(20) {
		s.assign(n + 1)
	}
	s.block(1)
	if n := strings.Count(s.acts(), "push"); n != window {
		t.Errorf("%d are pushed", n)
	}
	for n := range byte(3) {
		s.answer(1, n+1, protocol.Accepted)
	}
	s.block(1)
	if n := strings.Count(s.acts(), "push"); n != 3 {
		t.Errorf("%d more are pushed", n)
	}
	s.state.answer(1, jobOf(4), nil) // the stream failed
	s.block(1)
	s.say(1, &protocol.Ping{Nonce: 1})
	s.want("push 1 job12 by 150, pong 1 1")
	s.block(1)
	s.want("")
	s.answer(1, 5, protocol.Accepted)
	s.block(1)
	s.want("push 1 job4 by 150")
}

// What a runner need not do any more is taken back, with the reason, where it had taken it.
//
// Spec: runner-marketplace §9.3 (JobCancel).
func TestCancelled(t *testing.T) {
	for what, c := range map[string]struct {
		status market.Status
		known  bool
		ack    protocol.AckStatus
		want   string
	}{
		"another committee": {market.Assigned, true, protocol.Accepted, "cancel 1 job1 reassigned"},
		"a draw to come":    {market.AwaitingSeed, true, protocol.Duplicate, "cancel 1 job1 reassigned"},
		"too late":          {market.Revealing, true, protocol.Accepted, "cancel 1 job1 expired"},
		"failed":            {market.Failed, true, protocol.Accepted, "cancel 1 job1 failed"},
		"forgotten":         {0, false, protocol.Accepted, "cancel 1 job1 failed"},
		"done":              {market.Challengeable, true, protocol.Accepted, ""},
		"never taken":       {market.Failed, true, protocol.Rejected, ""},
	} {
		t.Run(what, func(t *testing.T) {
			s := begin(t)
			s.join(1)
			s.assign(1)
			s.block(1)
			s.want("push 1 job1 by 150")
			s.answer(1, 1, c.ack)
			s.chain.open, s.chain.stands[jobOf(1)] = nil, Stand{Status: c.status, Known: c.known}
			s.block(1)
			s.want(c.want)
			s.block(1)
			s.want("")
		})
	}
	s := begin(t)
	s.join(1)
	s.assign(1)
	s.block(1)
	s.acts()
	s.chain.open = nil
	s.block(1) // before there is an answer
	s.want("abandon 1 job1")
}

// Who may go on, and in which order that is looked at. Nothing is verified: the state has no signature.
//
// Spec: runner-marketplace §9.1, §9.2.
func TestGreeting(t *testing.T) {
	s := begin(t)
	known, stranger := protocol.RunnerParty(s.key.Compressed()), protocol.RunnerParty(RunnerKey(t, 2).Compressed())
	set := []sig.BLSPublicKey{keyOf(2), keyOf(3), keyOf(4), keyOf(5)}
	for n := byte(6); slices.Contains(protocol.Subset(known, append(slices.Clone(set), keyOf(1))), keyOf(1)); n++ {
		set = append(set, keyOf(n))
	}
	now := time.Unix(1_000, 0)
	for what, c := range map[string]struct {
		hello protocol.Hello
		set   []sig.BLSPublicKey
		why   protocol.Reason
		ok    bool
	}{
		"a runner":            {protocol.Hello{Version: protocol.Version, Party: known}, []sig.BLSPublicKey{keyOf(1)}, 0, true},
		"another version":     {protocol.Hello{Version: 0x0200, Party: stranger}, []sig.BLSPublicKey{keyOf(1)}, protocol.UnsupportedVersion, false},
		"a validator":         {protocol.Hello{Version: protocol.Version, Party: known, Role: protocol.Validator}, nil, protocol.NotRegistered, false},
		"no key":              {protocol.Hello{Version: protocol.Version}, nil, protocol.NotRegistered, false},
		"a stranger":          {protocol.Hello{Version: protocol.Version, Party: stranger}, []sig.BLSPublicKey{keyOf(1)}, protocol.NotRegistered, false},
		"of another subset":   {protocol.Hello{Version: protocol.Version, Party: known}, append(slices.Clone(set), keyOf(1)), protocol.NotInSubset, false},
		"no validator at all": {protocol.Hello{Version: protocol.Version, Party: known}, set, protocol.NotInSubset, false},
	} {
		t.Run(what, func(t *testing.T) {
			s.state = newState(7, keyOf(1))
			s.chain.set = slices.SortedFunc(slices.Values(c.set), func(a, b sig.BLSPublicKey) int { return bytes.Compare(a[:], b[:]) })
			s.block(0)
			w, err := s.state.greet(s.chain, netip.MustParseAddr("10.0.0.1"), &c.hello, now)
			if err != nil || w.refused == c.ok || w.why != c.why {
				t.Errorf("%+v %v", w, err)
			}
		})
	}
}

// An address has 16 Hellos at once and two a second; another address is not its neighbour's debtor.
//
// Spec: runner-marketplace §9.1 (a bucket of Hello tokens for each peer).
func TestHelloBucket(t *testing.T) {
	s := begin(t)
	now, hello := time.Unix(1_000, 0), &protocol.Hello{Version: protocol.Version, Party: protocol.RunnerParty(s.key.Compressed())}
	greet := func(from string, at time.Time) welcome {
		w, err := s.state.greet(s.chain, netip.MustParseAddr(from), hello, at)
		s.must(err)
		return w
	}
	for i := range hellosBurst {
		if w := greet("10.0.0.1", now); w.refused {
			t.Fatalf("Hello %d is refused: %v", i, w.why)
		}
	}
	if w := greet("10.0.0.1", now); w.why != protocol.TooMuch {
		t.Errorf("%+v", w)
	}
	if w := greet("10.0.0.2", now); w.refused {
		t.Errorf("another address: %+v", w)
	}
	if w := greet("10.0.0.1", now.Add(500*time.Millisecond)); w.refused {
		t.Errorf("half a second later: %+v", w)
	}
}

// A runner that connects anew takes the place of its older connection, is told everything again, and what the older one says counts no more.
func TestSuperseded(t *testing.T) {
	s := begin(t)
	s.assign(1)
	s.join(1)
	s.want("push 1 job1 by 150")
	s.join(2)
	s.want("end 1 superseded, push 2 job1 by 150")
	s.say(1, &protocol.Ping{Nonce: 1})
	s.state.leave(1)
	s.answer(1, 1, protocol.Accepted)
	s.block(1)
	s.want("")
	if v := s.state.status(""); v.Runners != 1 || v.Accepted != 0 {
		t.Errorf("%+v", v)
	}
}

// Heartbeats ascend; what a runner must not send ends its connection.
func TestOutOfTurn(t *testing.T) {
	for what, c := range map[string][]protocol.Message{
		"the same heartbeat":    {&protocol.Ping{Nonce: 5}, &protocol.Ping{Nonce: 5}},
		"an earlier heartbeat":  {&protocol.Ping{Nonce: 5}, &protocol.Ping{Nonce: 4}},
		"an assignment":         {&protocol.Assignment{}},
		"no transaction at all": {&protocol.Result{Transaction: []byte("no transaction")}},
	} {
		t.Run(what, func(t *testing.T) {
			s := begin(t)
			s.join(1)
			for _, m := range c {
				s.say(1, m)
			}
			if got := s.acts(); !strings.HasSuffix(got, "end 1 bad frame") {
				t.Error(got)
			}
		})
	}
}

// An old subset is kept for 32 blocks, and not one more; the set that comes back is its own again. The first set is number 0.
//
// Spec: runner-marketplace §9.1 (OVERLAP_BLOCKS).
func TestOverlap(t *testing.T) {
	s := begin(t)
	party := protocol.RunnerParty(s.key.Compressed())
	s.join(1)
	s.chain.set = []sig.BLSPublicKey{keyOf(2)}
	s.block(1)
	s.want("")
	if n := s.state.status("").Snapshot; n != 1 {
		t.Errorf("set number %d", n)
	}
	s.block(31)
	s.want("")
	if !s.state.serves(party) {
		t.Error("31 blocks later it is not served")
	}
	s.block(1)
	s.want("end 1 NotInSubset")
	s.chain.set = []sig.BLSPublicKey{keyOf(1), keyOf(2)}
	s.block(1)
	if !s.state.serves(party) || s.state.status("").Snapshot != 2 {
		t.Error("a validator that comes back serves nobody")
	}
}

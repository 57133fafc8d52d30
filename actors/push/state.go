package push

import (
	"net/netip"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Bounds.
const (
	hellosPerSecond = 2 // of one address
	hellosBurst     = 16
	addresses       = 4_096 // whose Hellos are remembered
	jobsOfRunner    = 64    // that are looked at
	window          = 8     // assignments of a runner without an answer
	carriedOfRunner = 16    // transactions of a runner that are sent again
	carriedBytes    = 2 << 20
	invitationsMost = 2_048 // passed on to a peer
)

// What is to be done.
type (
	pushing struct {
		session session
		frame   *protocol.Assignment
	}
	telling struct {
		session session
		message protocol.Message
	}
	abandoning struct { // waits no more for the answer to an assignment
		session session
		job     digest.Hash
	}
	ending struct {
		session session
		why     protocol.Reason
	}
	submitting struct{ raw []byte }
	noting     struct { // how far a runner says it is
		job    digest.Hash
		runner account.Address
		said   Progress
	}
	forgetting struct { // what it said of that
		job    digest.Hash
		runner account.Address
	}
	passing struct { // an invitation, to one peer or, where it is zero, to all
		to    link.Peer
		frame []byte
	}
	reporting struct {
		peer link.Peer
		why  string
	}
)

// connected is a runner that has shown who it is.
type connected struct {
	id      session
	party   protocol.Party
	address account.Address
	heard   uint64 // the height at which it was heard of last
	mute    bool   // it did not answer, and sent no heartbeat since
	nonce   uint64 // of its last heartbeat
	press   protocol.Backpressure
	told    map[digest.Hash]*told
	carried map[digest.Hash]carried // by the hash of a transaction
}

// told is what a runner was told of a job.
type told struct {
	at       uint64 // the height at which it was, 0 for not yet
	again    uint64 // not before this height
	answered bool
	rejected bool
	taken    bool // accepted, or had already
	says     bool // how far it is
}

// carried is a transaction that is sent again.
type carried struct {
	raw []byte
	at  uint64
}

// state decides whom this node speaks with, and what it tells them. The zero number of a session is nobody's.
type state struct {
	chain   uint64
	self    sig.BLSPublicKey // zero for a node that is no validator
	height  uint64
	number  uint64 // of the set
	set     []sig.BLSPublicKey
	former  []sig.BLSPublicKey
	until   uint64 // the height from which on the former counts no more
	seen    bool   // a set was
	runners map[session]*connected
	names   map[account.Address]session
	hellos  *lru.Cache[netip.Addr, *rate.Limiter]
	holding int // bytes that are carried
	invited map[sig.BLSPublicKey]*protocol.Invitation
	own     *protocol.Invitation
	acts    []any
	info    Status
}

func newState(chain uint64, self sig.BLSPublicKey) *state {
	hellos, err := lru.New[netip.Addr, *rate.Limiter](addresses)
	if err != nil {
		panic(err) // of a size below one
	}
	return &state{
		chain: chain, self: self, runners: map[session]*connected{}, names: map[account.Address]session{}, hellos: hellos,
		invited: map[sig.BLSPublicKey]*protocol.Invitation{}, info: Status{Refused: map[protocol.Reason]uint64{}},
	}
}

func (s *state) do(act any) { s.acts = append(s.acts, act) }

// serves reports whether this validator is one of a runner's.
//
// Spec: runner-marketplace §9.1.
func (s *state) serves(runner protocol.Party) bool {
	return slices.Contains(protocol.Subset(runner, s.set), s.self) ||
		s.height < s.until && slices.Contains(protocol.Subset(runner, s.former), s.self)
}

// greet says whether somebody who says Hello may go on. It verifies no signature.
//
// Spec: runner-marketplace §9.1, §9.2.
func (s *state) greet(chain Chain, from netip.Addr, hello *protocol.Hello, now time.Time) (w welcome, err error) {
	bucket, ok := s.hellos.Get(from)
	if !ok {
		bucket = rate.NewLimiter(hellosPerSecond, hellosBurst)
		s.hellos.Add(from, bucket)
	}
	refuse := func(why protocol.Reason) (welcome, error) {
		s.info.Refused[why]++
		return welcome{refused: true, why: why}, nil
	}
	if !bucket.AllowN(now, 1) {
		return refuse(protocol.TooMuch)
	}
	if hello.Version != protocol.Version {
		return refuse(protocol.UnsupportedVersion)
	}
	addr, wrong := hello.Party.Address()
	if wrong != nil || hello.Role != protocol.Runner {
		return refuse(protocol.NotRegistered)
	}
	if ok, err = chain.Registered(addr); err != nil {
		return w, err
	}
	if !ok {
		return refuse(protocol.NotRegistered)
	}
	if !s.serves(hello.Party) {
		return refuse(protocol.NotInSubset)
	}
	return welcome{height: s.height}, nil
}

// join takes a runner in that has shown who it is. An older connection of it ends.
func (s *state) join(id session, party protocol.Party) error {
	addr, err := party.Address()
	if err != nil {
		return err
	}
	if old, ok := s.names[addr]; ok {
		s.end(old, protocol.Superseded)
	}
	s.names[addr] = id
	s.runners[id] = &connected{
		id: id, party: party, address: addr, heard: s.height, told: map[digest.Hash]*told{}, carried: map[digest.Hash]carried{},
		press: protocol.Backpressure{Accepting: true, Most: window},
	}
	return nil
}

// end ends a connection.
func (s *state) end(id session, why protocol.Reason) {
	if s.runners[id] == nil {
		return
	}
	s.info.Refused[why]++
	s.do(ending{id, why})
	s.leave(id)
}

// leave forgets a connection that is gone.
func (s *state) leave(id session) {
	r := s.runners[id]
	if r == nil {
		return
	}
	for hash := range r.carried {
		s.let(r, hash)
	}
	for job, t := range r.told { // order-free: each by itself
		s.forget(r, job, t)
	}
	delete(s.runners, id)
	if s.names[r.address] == id {
		delete(s.names, r.address)
	}
}

func (s *state) let(r *connected, hash digest.Hash) {
	s.holding -= len(r.carried[hash].raw)
	delete(r.carried, hash)
}

// present reports whether a runner was heard of lately, and answers.
//
// Spec: runner-marketplace §9.4, §11.
func (s *state) present(r *connected) bool {
	return !r.mute && s.height <= r.heard+protocol.PresenceBlocks
}

// say takes a frame of a runner. Heartbeats have been verified.
func (s *state) say(chain Chain, id session, m protocol.Message) error {
	r := s.runners[id]
	if r == nil {
		return nil // it has gone, or was an earlier instance's
	}
	switch m := m.(type) {
	case *protocol.Ping:
		if m.Nonce <= r.nonce {
			s.end(id, protocol.BadFrame)
			return nil
		}
		r.nonce, r.heard, r.mute = m.Nonce, s.height, false
		s.do(telling{id, &protocol.Pong{Height: s.height, Nonce: m.Nonce}})
		return s.tend(chain, r)
	case *protocol.Backpressure:
		r.press = *m
		for _, t := range r.told { // order-free: each by itself
			if t.rejected && m.Accepting {
				*t = told{}
			}
		}
		return s.tend(chain, r)
	case *protocol.Result:
		s.result(r, m)
	case *protocol.Progress:
		s.progress(r, m)
	case *protocol.CapabilityDelta: // advice: the registry decides
	case *protocol.Goodbye:
		s.leave(id)
	default:
		s.end(id, protocol.BadFrame)
	}
	return nil
}

// progress takes what a runner says of a job that it took. It decides nothing. Of another job it is no fault: the runner may not know yet that the job is over.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func (s *state) progress(r *connected, m *protocol.Progress) {
	if t := r.told[m.ID]; t != nil && t.taken {
		t.says = true
		s.do(noting{m.ID, r.address, Progress{Fraction: uint8(m.Fraction), Detail: text.PlainLine(m.Detail), Height: s.height}})
	}
}

// forget ends what a runner says of a job.
func (s *state) forget(r *connected, job digest.Hash, t *told) {
	if t.says {
		s.do(forgetting{job, r.address})
	}
}

// result takes a runner's commitment or reveal. The pool verifies its signature.
//
// Spec: runner-marketplace §9.3 (JobResult), §9.4 (grace).
func (s *state) result(r *connected, m *protocol.Result) {
	t, err := tx.Decode(m.Transaction)
	if err != nil || t.From != r.address {
		s.end(r.id, protocol.BadFrame)
		return
	}
	if id, ok := tx.ResultOf(t.Instruction); !ok || id != m.ID {
		s.end(r.id, protocol.BadFrame)
		return
	}
	s.info.Results++
	s.do(submitting{m.Transaction})
	hash := digest.Keccak256(m.Transaction)
	_, again := r.carried[hash]
	if !again && len(r.carried) < carriedOfRunner && s.holding+len(m.Transaction) <= carriedBytes {
		r.carried[hash] = carried{m.Transaction, s.height}
		s.holding += len(m.Transaction)
	}
}

// answer takes what became of an assignment: nil where the stream failed, and the runner is told again.
//
// Spec: runner-marketplace §9.4 (outcomes of a dispatch).
func (s *state) answer(id session, job digest.Hash, ack *protocol.Ack) {
	r := s.runners[id]
	if r == nil || r.told[job] == nil || r.told[job].at == 0 || r.told[job].answered {
		return
	}
	t := r.told[job]
	if ack == nil {
		t.at, t.again = 0, s.height+protocol.ResendBlocks // whoever ends streams costs no more than that
		return
	}
	t.answered = true
	switch ack.Status {
	case protocol.Accepted:
		t.taken = true
		s.info.Accepted++
	case protocol.Duplicate:
		t.taken = true
		s.info.Duplicate++
	default:
		t.rejected = true
		s.info.Rejected++
	}
}

// final looks at a final block.
func (s *state) final(chain Chain) error {
	s.height = chain.Height()
	set, err := chain.Set()
	if err != nil {
		return err
	}
	if !slices.Equal(set, s.set) {
		if s.seen {
			s.former, s.until = s.set, s.height+protocol.OverlapBlocks
			s.number++
		}
		s.set, s.seen = set, true
		s.trim()
	}
	for _, id := range s.sessions() {
		r := s.runners[id]
		if !s.serves(r.party) {
			s.end(id, protocol.NotInSubset)
			continue
		}
		for hash, c := range r.carried { // order-free: the pool sorts
			if s.height >= c.at+protocol.ResendBlocks {
				s.do(submitting{c.raw})
				s.let(r, hash)
			}
		}
		if err := s.tend(chain, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) sessions() (list []session) {
	for id := range s.runners { // order-free: sorted below
		list = append(list, id)
	}
	slices.Sort(list)
	return list
}

// tend tells a runner what it has to be told.
func (s *state) tend(chain Chain, r *connected) error {
	open, err := chain.Open(r.address, jobsOfRunner)
	if err != nil {
		return err
	}
	listed, waiting := map[digest.Hash]bool{}, 0
	for _, id := range open {
		listed[id] = true
	}
	for id, t := range r.told { // order-free: each by itself, and cancellations of several jobs in any order
		switch {
		case !listed[id]:
			if err := s.cancel(chain, r, id, t); err != nil {
				return err
			}
		case t.at > 0 && !t.answered && s.height >= t.at+protocol.AckBlocks:
			s.info.Silent++
			s.do(abandoning{r.id, id})
			t.at, r.mute = 0, true
		case t.at > 0 && !t.answered:
			waiting++
		}
	}
	for _, id := range open {
		t := r.told[id]
		if t != nil && (t.at > 0 || s.height < t.again) {
			continue
		}
		if waiting >= window || !s.present(r) || !r.press.Accepting || r.press.Most > 0 && r.press.Active+uint64(waiting) >= r.press.Most {
			return nil
		}
		sent, err := s.tell(chain, r, id)
		if err != nil {
			return err
		}
		if sent {
			waiting++
		}
	}
	return nil
}

// tell sends a runner a job that waits for its commitment, and reports whether it did.
func (s *state) tell(chain Chain, r *connected, id digest.Hash) (bool, error) {
	at, err := chain.Stand(id, r.address)
	if err != nil || !at.Known || at.Status != market.Assigned && at.Status != market.Executing || at.Committed || at.Deadline <= s.height {
		return false, err
	}
	spec, err := chain.Spec(id)
	if err != nil || spec == nil {
		return false, err
	}
	if r.told[id] == nil {
		s.info.Delays[min(s.height-min(at.Assigned, s.height), DelayBuckets-1)]++
	}
	r.told[id] = &told{at: max(s.height, 1)}
	s.info.Pushed++
	s.do(pushing{r.id, &protocol.Assignment{ID: id, Spec: spec, Height: s.height, Deadline: at.Deadline}})
	return true, nil
}

// cancel forgets a job that a runner is not selected for any more, and tells it so if it may still work on it.
//
// Spec: runner-marketplace §9.3 (JobCancel).
func (s *state) cancel(chain Chain, r *connected, id digest.Hash, t *told) error {
	delete(r.told, id)
	s.forget(r, id, t)
	if t.at > 0 && !t.answered {
		s.do(abandoning{r.id, id})
	}
	at, err := chain.Stand(id, r.address)
	if err != nil || !t.taken {
		return err
	}
	why := protocol.Failed
	switch {
	case !at.Known, at.Status == market.Failed, at.Status == market.Cancelled:
	case at.Status <= market.Executing:
		why = protocol.Reassigned
	case at.Status <= market.Verifying:
		why = protocol.Expired
	default:
		return nil // it is done
	}
	s.info.Cancelled++
	s.do(telling{r.id, &protocol.Cancel{ID: id, Reason: why}})
	return nil
}

// status is what is published.
func (s *state) status(endpoint string) *Status {
	v := s.info
	v.Endpoint, v.Snapshot, v.Runners, v.Invitations = endpoint, s.number, len(s.runners), s.invitations()
	v.Refused = map[protocol.Reason]uint64{}
	for why, n := range s.info.Refused { // order-free: a copy
		v.Refused[why] = n
	}
	for _, r := range s.runners { // order-free: counted
		if s.present(r) {
			v.Present++
		}
		for _, t := range r.told { // order-free: counted
			if t.at > 0 && !t.answered {
				v.Waiting++
			}
		}
	}
	return &v
}

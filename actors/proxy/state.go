package proxy

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Rules of receipts and shares, in blocks and tries.
const (
	jitter      = 10  // Spec: secrets-cbss §4 (receipts are posted with 0 to 10 blocks of jitter)
	lookAfter   = 8   // a receipt that was sent is looked for
	maxTries    = 4   // of one receipt
	goneFor     = 100 // a share whose key the chain does not know any more is erased
	maxSessions = 64
	maxOutbox   = 65_536
	looksAt     = 4 // scopes a poll asks about beside those that just ended
)

// Identity is a proxy's keys, and the name that the chain has for it.
type Identity struct {
	ID   digest.Hash
	Key  *sig.PrivateKey
	HPKE *ecdh.PrivateKey
	TLS  ed25519.PrivateKey
}

// Share is a proxy's share of a release key, in one epoch.
type Share struct {
	Epoch  uint64
	Place  uint32
	Secret *cbss.Scalar
}

// What leaves the state.
type (
	// question is for another proxy.
	question struct {
		session digest.Hash
		step    byte
		to      Peer
		kind    byte
		body    []byte
	}
	// sending is a transaction; of a receipt with its request's hash.
	sending struct {
		in      tx.Instruction
		receipt digest.Hash
	}
	// looking asks whether a receipt is on the chain.
	looking struct{ receipt, release digest.Hash }
)

// owed is a receipt that is to be posted.
type owed struct {
	raw    []byte // the signed request
	scope  secret.Scope
	data   []byte // the identity's associated data
	served uint64
	due    uint64
	sent   uint64 // the height; 0 for not yet
	tries  int
}

// Event is something an operator may want to know of.
type Event struct {
	What  string // "holds", "without", "erased", "sent", "unsent", "unsigned", "poll", "receipt", "served", "refused"
	Scope secret.Scope
	Err   error
}

// state is what a proxy decides by. It is told what happens, and says what is to be kept, erased, asked and sent.
type state struct {
	self      *Identity
	chainID   uint64
	random    io.Reader
	height    uint64
	freshness uint64
	peers     map[digest.Hash]*Peer
	sessions  map[digest.Hash]*session
	kept      map[digest.Hash]*kept
	shares    map[secret.Scope][]*Share
	gone      map[secret.Scope]uint64 // since when the chain knows no key
	next      int                     // of the scopes that are looked at in turn
	outbox    map[digest.Hash]*owed   // by the request's hash
	answers   map[digest.Hash]uint64  // challenges that were answered, with the height
	refusals  map[digest.Hash]secret.Reason
	locks     map[digest.Hash]*waitingLock
	seals     map[uint64]*waitingLock // SealRequests, by number

	dirty  bool           // the vault is to be written before anything leaves
	erase  []*cbss.Scalar // afterwards
	acts   []any
	events []Event
}

func newState(self *Identity, chainID uint64, random io.Reader) *state {
	return &state{
		self: self, chainID: chainID, random: random, peers: map[digest.Hash]*Peer{}, sessions: map[digest.Hash]*session{},
		kept: map[digest.Hash]*kept{}, shares: map[secret.Scope][]*Share{}, gone: map[secret.Scope]uint64{}, outbox: map[digest.Hash]*owed{},
		answers: map[digest.Hash]uint64{}, refusals: map[digest.Hash]secret.Reason{}, locks: map[digest.Hash]*waitingLock{},
		seals: map[uint64]*waitingLock{},
	}
}

// errRandom reports a source of random numbers that fails.
var errRandom = errors.New("proxy: there are no random numbers")

func (d *state) draw() (raw [32]byte) {
	if _, err := io.ReadFull(d.random, raw[:]); err != nil {
		panic(errRandom)
	}
	return raw
}

func (d *state) scalar() *cbss.Scalar { return derived(d.draw(), 2, 0) }

func (d *state) send(in tx.Instruction) { d.acts = append(d.acts, sending{in: in}) }

func (d *state) tell(what string, of secret.Scope, err error) {
	d.events = append(d.events, Event{what, of, err})
}

// held is this proxy's share of an epoch; nil for none.
func (d *state) held(of secret.Scope, epoch uint64) *Share {
	for _, s := range d.shares[of] {
		if s.Epoch == epoch {
			return s
		}
	}
	return nil
}

// asks lists the scopes whose keys the next poll asks about: those of sessions that may be over, and some of those it has shares of, in turn.
func (d *state) asks() (list []secret.Scope) {
	for _, id := range sorted(d.sessions) {
		list = append(list, d.sessions[id].task.Scope)
	}
	var rest []secret.Scope
	for of, shares := range d.shares { // order-free: sorted below
		if !slices.Contains(list, of) {
			if len(shares) > 1 {
				list = append(list, of)
			} else {
				rest = append(rest, of)
			}
		}
	}
	sortScopes(rest)
	for range min(looksAt, len(rest)) {
		d.next = (d.next + 1) % len(rest)
		list = append(list, rest[d.next])
	}
	return list
}

func sortScopes(list []secret.Scope) {
	slices.SortFunc(list, func(a, b secret.Scope) int { return slices.Compare(a.Bytes(), b.Bytes()) })
}

func sorted[V any](m map[digest.Hash]V) []digest.Hash {
	list := make([]digest.Hash, 0, len(m))
	for id := range m { // order-free: sorted below
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b digest.Hash) int { return slices.Compare(a[:], b[:]) })
	return list
}

// polled is told what the chain says.
func (d *state) polled(v View) {
	if v.Height < d.height {
		return // of a node that is behind
	}
	d.height, d.freshness = v.Height, v.Freshness
	for i := range v.Peers {
		d.peers[v.Peers[i].ID] = &v.Peers[i]
	}
	wanted := map[digest.Hash]bool{}
	for i := range v.Tasks {
		t := &v.Tasks[i]
		id := t.session(d.chainID)
		if wanted[id] = true; d.sessions[id] == nil && len(d.sessions) < maxSessions {
			d.begin(t)
		}
		if v.Height > t.Deadline+uint64(jitter) && d.answers[id] == 0 {
			d.answers[id] = v.Height
			d.send(&tx.ExpireDkgPending{Scope: t.Scope.Bytes()})
		}
	}
	keys := map[secret.Scope]*Key{}
	for i := range v.Keys {
		keys[v.Keys[i].Scope] = &v.Keys[i]
	}
	for _, id := range sorted(d.sessions) {
		s := d.sessions[id]
		k := keys[s.task.Scope]
		switch {
		case k != nil && k.Found && k.Epoch >= s.task.Epoch():
			d.conclude(s, generationOf(k, s.task.Epoch()))
		case !wanted[id] && k != nil:
			d.conclude(s, nil)
		}
	}
	for _, k := range v.Keys {
		d.review(&k)
	}
	d.challenged(v.Challenges)
	d.unlock(v.Locks)
	d.seal(v.Seals)
}

func generationOf(k *Key, epoch uint64) *secret.Generation {
	if k.Epoch == epoch {
		return &k.Generation
	}
	return nil
}

// review erases the shares that serve no more.
//
// Spec: secrets-cbss §3 (old shares must be zeroed), §6 (grace).
func (d *state) review(k *Key) {
	if !k.Found {
		if since, ok := d.gone[k.Scope]; !ok {
			d.gone[k.Scope] = d.height
		} else if d.height >= since+goneFor {
			d.discard(k.Scope, func(*Share) bool { return true })
		}
		return
	}
	delete(d.gone, k.Scope)
	d.discard(k.Scope, func(s *Share) bool {
		if s.Epoch >= k.Epoch {
			return false
		}
		for _, p := range k.Prior {
			if p.Epoch == s.Epoch && d.height < uint64(p.Expires) {
				return false
			}
		}
		return true
	})
}

func (d *state) discard(of secret.Scope, old func(*Share) bool) {
	var keep []*Share
	for _, s := range d.shares[of] {
		if !old(s) {
			keep = append(keep, s)
			continue
		}
		d.erase, d.dirty = append(d.erase, s.Secret), true
		d.tell("erased", of, nil)
	}
	if len(keep) == len(d.shares[of]) {
		return
	}
	if d.shares[of] = keep; len(keep) == 0 {
		delete(d.shares, of)
		delete(d.gone, of)
	}
}

// tick lets all sessions go on, and receipts be posted.
func (d *state) tick() {
	for _, id := range sorted(d.sessions) {
		if s := d.sessions[id]; s != nil {
			d.step(s)
		}
	}
	d.post()
}

// ask asks another proxy, once at a time for a step, or this one.
func (d *state) ask(s *session, step byte, to digest.Hash, body []byte) {
	w := waits{step, to}
	if _, busy := s.waiting[w]; busy {
		return
	}
	s.waiting[w] = len(s.kept.deals)
	full := append(codec.AppendU8(slices.Clone(s.id[:]), step), body...)
	peer := d.peers[to]
	if peer == nil {
		delete(s.waiting, w)
		return
	}
	if to == d.self.ID {
		status, answer := d.asked(peer.TLS, s.kind(), full)
		d.heard(s.id, step, to, status, answer, nil)
		return
	}
	d.acts = append(d.acts, question{s.id, step, *peer, s.kind(), full})
}

// heard is told what became of a question.
func (d *state) heard(session digest.Hash, step byte, from digest.Hash, status byte, answer []byte, err error) {
	s := d.sessions[session]
	if s == nil {
		return
	}
	count := s.waiting[waits{step, from}]
	delete(s.waiting, waits{step, from})
	switch {
	case err != nil:
	case status == frame.Done:
		d.answered(s, step, from, count, answer)
	case status == frame.Later && step == stepVote && len(answer) > 0:
		d.adopts(s, answer)
	}
}

// asked answers another proxy, which has shown the key with this hash and takes part in the session: what is asked takes many signatures to judge. What the
// answer rests on is to be kept first.
func (d *state) asked(from digest.Hash, kind byte, body []byte) (status byte, answer []byte) {
	r := codec.NewReader(body)
	var id digest.Hash
	r.Into(id[:])
	step := r.Tag(steps)
	s := d.sessions[id]
	if r.Err() != nil || s == nil || s.kind() != kind {
		return frame.Later, nil
	}
	if d.shown(from, s.task.Committee) == 0 && d.shown(from, s.task.dealers()) == 0 {
		return frame.Refused, []byte(errStranger.Error())
	}
	var err error
	switch step {
	case stepDeal:
		answer, err = d.dealt(s, r)
	case stepHeard:
		err = d.hears(s, r)
	case stepLog:
		answer, err = s.logged()
	case stepVote:
		if answer, err = d.votes(s, from, r); errors.Is(err, errLocked) {
			if p := s.proposal(s.kept.lock); p != nil {
				return frame.Later, p.encode()
			}
		}
	case stepOpen:
		answer, err = d.opens(s, r)
	case stepSign:
		answer, err = d.signs(s, r)
	}
	if err != nil {
		return frame.Refused, []byte(err.Error())
	}
	return frame.Done, answer
}

// served is told of a request that was answered, whose receipt is to be posted.
func (d *state) served(raw []byte, of secret.Scope, data []byte, at uint64) {
	q, _, err := cbss.ParseRequest(raw)
	if err != nil || len(d.outbox) >= maxOutbox {
		return
	}
	seed := d.draw()
	d.outbox[q.Hash()] = &owed{raw: raw, scope: of, data: data, served: at, due: max(d.height, at) + uint64(seed[0])%(jitter+1)}
}

// post sends the receipts that are due, and looks for those that were sent.
//
// Spec: secrets-cbss §4 (76), §10 (1).
func (d *state) post() {
	for _, id := range sorted(d.outbox) {
		o := d.outbox[id]
		q, _, err := cbss.ParseRequest(o.raw)
		switch {
		case err != nil, d.height > q.Block+d.freshness, o.tries >= maxTries:
			delete(d.outbox, id)
		case o.sent > 0 && d.height >= o.sent+lookAfter:
			o.sent = d.height
			d.acts = append(d.acts, looking{id, q.Release()})
		case o.sent == 0 && d.height >= o.due:
			in, err := d.receipt(o, q)
			if err != nil {
				delete(d.outbox, id)
				d.tell("unsigned", o.scope, fmt.Errorf("receipt of %s, epoch %d: %w", id.Hex(), q.Epoch, err))
				continue
			}
			o.sent = max(d.height, 1)
			o.tries++
			d.acts = append(d.acts, sending{in, id})
		}
	}
}

// receipt blinds a partial, with a number that is drawn for it.
//
// Spec: secrets-cbss §10 (1).
func (d *state) receipt(o *owed, q *cbss.Request) (tx.Instruction, error) {
	share := d.held(o.scope, q.Epoch)
	partial, err := signed(share, o.data)
	if err != nil {
		return nil, err
	}
	rho, k := d.scalar(), d.scalar()
	defer rho.Erase()
	defer k.Erase()
	b, err := cbss.Blind(partial, share.Secret.Public(), rho, k, q.Hash())
	if err != nil {
		return nil, err
	}
	return &tx.SubmitReleaseReceipt{
		Request: o.raw, Proxy: d.self.ID, Sigma: b.Sigma, Share: b.Share, Challenge: b.Challenge, Response: b.Response, Epoch: q.Epoch, Served: o.served,
		Signature: d.self.Key.Sign(cbss.ReceiptHash(q.Hash(), d.self.ID, q.Epoch, o.served, b)),
	}, nil
}

// recorded is told whether a receipt is on the chain: if not it is sent again.
func (d *state) recorded(id digest.Hash, there bool, err error) {
	o := d.outbox[id]
	switch {
	case o == nil || err != nil:
	case there:
		delete(d.outbox, id)
		d.tell("receipt", o.scope, nil)
	default:
		o.sent = 0
	}
}

// unsent is told that no node took a transaction. refused says that it would fail.
func (d *state) unsent(id digest.Hash, refused bool) {
	if o := d.outbox[id]; o != nil {
		if o.sent = 0; refused {
			delete(d.outbox, id)
		}
	}
}

// refuse remembers why a release was not served, for a challenge of it.
func (d *state) refuse(release digest.Hash, why secret.Reason) {
	if len(d.refusals) >= maxOutbox {
		clear(d.refusals)
	}
	d.refusals[release] = why
}

// challenged answers the open challenges, each once.
//
// Spec: secrets-cbss §4 (80: reasons), §5 (liveness challenge).
func (d *state) challenged(open []Challenge) {
	for _, c := range open {
		if at, ok := d.answers[c.ID]; ok && d.height < at+lookAfter || d.height > c.Deadline {
			continue
		}
		why, known := d.refusals[c.Release]
		if !known {
			why = secret.NeverReceived
		}
		d.answers[c.ID] = d.height
		d.send(&tx.LivenessChallengeResponse{Challenge: c.ID, Reason: uint64(why)})
	}
	for id, at := range d.answers { // order-free: each by itself
		if unit.Height(d.height) > unit.Height(at)+goneFor {
			delete(d.answers, id)
		}
	}
}

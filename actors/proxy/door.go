package proxy

import (
	"context"
	"errors"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Releases an actor may have in an hour.
//
// Spec: secrets-cbss §5 (1,000 per hour per actor).
const releasesPerHour = 1_000

const rememberedActors = 65_536

// admissionsAtOnce are questions to the proxy's own node, on behalf of whoever asks.
const admissionsAtOnce = 32

// Why a proxy itself refuses a request.
const (
	refusedReplay  = "the request was served before"
	refusedPending = "SecretPending: the version has no sealed key yet"
	refusedShare   = "SecretCommitteeUnavailable: the proxy has no share of this epoch"
	refusedSeal    = "a SealRequest is asked for by its number, in 8 bytes"
	refusedForm    = "not a signed request to this proxy"
	refusedKey     = "only a registered proxy asks this, with the key that the chain has of it"
	limitedText    = "the actor has had as many releases as it may in an hour"
)

// Door answers what comes over the network: requests of runners itself, many at a time, and what other proxies say through the Keeper.
type Door struct {
	Self    *Identity
	Node    Node
	Clock   supervision.Clock
	Observe func(Event) // may be nil; must not wait

	handle  *Handle
	replays *replays
	buckets *lru.Cache[account.Address, *rate.Limiter]
	asking  *door.Shares // of admissionsAtOnce
	sealed  *lru.Cache[uint64, *sealed]

	mu      sync.RWMutex
	shares  map[secret.Scope][]*Share
	members map[digest.Hash]bool // hashes of the keys of proxies that are registered
}

// NewDoor opens the journal of a door that is to be behind a handle.
func NewDoor(d *Door, h *Handle, at disk.Disk) (*Door, error) {
	var err error
	if d.buckets, err = lru.New[account.Address, *rate.Limiter](rememberedActors); err != nil {
		return nil, err
	}
	if d.sealed, err = lru.New[uint64, *sealed](rememberedSeals); err != nil {
		return nil, err
	}
	d.handle, d.asking = h, door.NewShares(admissionsAtOnce, 0)
	d.replays, err = openReplays(at)
	h.door = d
	return d, err
}

// Close closes the journal.
func (d *Door) Close() error { return d.replays.close() }

// publish gives the door the shares that serve, and erases old ones while no request uses them.
func (d *Door) publish(shares map[secret.Scope][]*Share, erase []*cbss.Scalar) {
	copied := make(map[secret.Scope][]*Share, len(shares))
	for of, list := range shares { // order-free: a copy
		copied[of] = list
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shares = copied
	for _, s := range erase {
		s.Erase()
	}
}

// introduce tells the door which proxies the chain has.
func (d *Door) introduce(peers map[digest.Hash]*Peer) {
	members := make(map[digest.Hash]bool, len(peers))
	for _, p := range peers { // order-free: a set
		members[p.TLS] = true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.members = members
}

func (d *Door) member(key digest.Hash) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.members[key]
}

// Answer is the handler of the network (exchange.Handler). What proxies say to each other takes many signatures to judge, and anybody knows how to word it: it
// is read from proxies alone.
func (d *Door) Answer(ctx context.Context, from exchange.Origin, kind byte, body []byte) (status byte, answer []byte) {
	switch kind {
	case frame.Health:
		return frame.Done, nil
	case frame.DkgRound, frame.ReshareRound:
		if !d.member(from.Key) {
			return frame.Refused, []byte(refusedKey)
		}
		return d.handle.ask(ctx, from.Key, kind, body)
	case frame.PartialSign, frame.SealSign:
		if kind == frame.SealSign {
			status, answer = d.seal(ctx, from, body)
		} else {
			status, answer = d.release(ctx, from, body)
		}
		if status != frame.Done {
			d.told(Event{What: "refused", Err: errors.New(string(answer))})
		}
		return status, answer
	}
	return frame.Refused, []byte("no such question")
}

func (d *Door) told(e Event) {
	if d.Observe != nil {
		d.Observe(e)
	}
}

// release serves a request, in the order of the digest: what the chain says first (fresh, signature, assignment, manifest, list, committee, epoch), then what
// this proxy remembers, then whether the version is pending. The answer to a request is always the same: it says the request's own block. The chain is not
// asked about what is not signed, and about so much at a time, in which those who ask for little come before those who ask for much.
//
// Spec: secrets-cbss §5 (proxy admission), §10 (1, 2, 5).
func (d *Door) release(ctx context.Context, from exchange.Origin, raw []byte) (status byte, answer []byte) {
	q, mark, err := cbss.ParseRequest(raw)
	if err != nil || q.Proxy != d.Self.ID {
		return frame.Refused, []byte(refusedForm)
	}
	if by, err := sig.Default().Recover(q.Hash(), mark); err != nil || by != q.Runner {
		return frame.Refused, []byte(secret.ErrRunnerSig.Error())
	}
	a, err := d.admit(ctx, from, raw)
	if err != nil {
		return frame.Later, []byte("the node does not answer")
	}
	if a.Refused != "" {
		d.handle.refused(q.Release(), secret.InvalidRequest)
		return frame.Refused, []byte(a.Refused)
	}
	fresh, err := d.recall(q, raw, &a)
	switch {
	case errors.Is(err, errLimited):
		d.handle.refused(q.Release(), secret.RateLimited)
		return frame.Limited, []byte(limitedText)
	case err != nil:
		return frame.Later, []byte("the journal cannot be written")
	case !fresh:
		return frame.Refused, []byte(refusedReplay)
	case a.Pending:
		d.handle.refused(q.Release(), secret.InvalidRequest)
		return frame.Refused, []byte(refusedPending)
	}
	partial, err := d.partial(&a)
	if err != nil {
		return frame.Refused, []byte(err.Error())
	}
	said := cbss.Answer{Request: q.Hash(), Proxy: d.Self.ID, Epoch: q.Epoch, Served: q.Block, Partial: partial}
	plain := said.Signed(d.Self.Key)
	sealed, err := frame.Seal(q.RunnerKey, frame.AnswerInfo, said.Request, plain)
	clear(plain)
	if err != nil {
		return frame.Refused, []byte(refusedForm)
	}
	d.handle.inbox.Send(released{raw, a.Scope, a.Data, q.Block})
	d.told(Event{What: "served", Scope: a.Scope})
	return frame.Done, sealed
}

// admit asks the proxy's node.
func (d *Door) admit(ctx context.Context, from exchange.Origin, raw []byte) (Admission, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	place, err := d.asking.Wait(ctx, door.Source(from.Address), cancel)
	if err != nil {
		return Admission{}, err
	}
	defer place.Leave()
	return d.Node.Admit(ctx, raw)
}

// errLimited reports an actor beyond its rate.
var errLimited = errors.New(limitedText)

// recall takes a request into the journal: it is refused if one of its release is there, and beyond the rate of its actor.
func (d *Door) recall(q *cbss.Request, raw []byte, a *Admission) (fresh bool, err error) {
	if d.replays.has(q.Release()) {
		return false, nil
	}
	b, found := d.buckets.Get(q.Actor)
	if !found {
		b = rate.NewLimiter(rate.Every(time.Hour/releasesPerHour), releasesPerHour)
		if before, there, _ := d.buckets.PeekOrAdd(q.Actor, b); there {
			b = before
		}
	}
	if !b.AllowN(d.Clock.Now(), 1) {
		return false, errLimited
	}
	if a.Pending {
		return true, nil
	}
	least := a.Height - min(a.Height, keepFor)
	return d.replays.add(q.Release(), raw, a.Height, least)
}

// keepFor is how many blocks a served request is remembered: a day, which is longer than one is fresh.
//
// Spec: secrets-cbss §5 (24 h).
const keepFor = 86_400

func (r *replays) has(id digest.Hash) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, there := r.known[id]
	return there
}

var errShare = errors.New(refusedShare)

// partial signs with the share of the epoch that is asked for, if it is the one the chain knows.
func (d *Door) partial(a *Admission) (cbss.Point, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, s := range d.shares[a.Scope] {
		if s.Epoch != a.Epoch || a.PlaceOf(d.Self.ID) != s.Place {
			continue
		}
		return cbss.SignBytes(s.Secret, a.Data)
	}
	return cbss.Point{}, errShare
}

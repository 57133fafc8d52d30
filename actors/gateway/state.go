package gateway

import (
	"context"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// Limits of an actor at one gateway.
//
// Spec: gateway-payments-streams §B (per actor per gateway).
const (
	RequestsPerSecond = 100
	MaxConnections    = 1_000
)

// Bounds of what a gateway remembers.
const (
	rememberedHosts  = 4_096
	rememberedActors = 16_384
	rememberedSent   = 65_536
	hostsFor         = time.Second     // Spec: gateway-payments-streams §F (policies are cached for one block)
	knownFor         = time.Minute     // that a host with a name is served from memory while too many others are looked up
	sentFor          = 2 * time.Minute // until the transaction is in a block, or never will be
)

// Limits of what a gateway asks of its node for strangers.
const (
	lookupsPerSecond = 50 // of hosts it does not remember
	lookupsAtOnce    = 100
	asksPerSecond    = 256 // about receipts of clients that wait for an answer
	queriesAtOnce    = 12  // of all actors: a node takes 16 of one client
	actorQueries     = 4   // of one, so that slow handlers leave room for others'
)

// memory is what a gateway remembers. It is safe for many goroutines.
type memory struct {
	hosts   *expirable.LRU[string, wire.Name]
	known   *expirable.LRU[string, wire.Name] // those with a name
	lookups *rate.Limiter
	waiting *waiting
	queries *semaphore.Weighted // a place for each query that is at the node
	streams *semaphore.Weighted
	buckets *lru.Cache[account.Address, *bucket]
	routes  *expirable.LRU[account.Address, *route.Manifest]
	mounts  *expirable.LRU[account.Address, *mounts]
	shared  shared
	sent    *expirable.LRU[receipt.ID, account.Address] // requests that no receipt may tell of yet, and whom they are for
}

// bucket is what an actor has left.
type bucket struct {
	rate   *rate.Limiter
	open   *semaphore.Weighted // a place for each request that is under way
	follow *semaphore.Weighted // a place for each stream of events
	ask    *semaphore.Weighted // a place for each query that is at the node or next to go there
}

func newMemory() *memory {
	buckets, err := lru.New[account.Address, *bucket](rememberedActors)
	if err != nil { // for a size that is none
		panic(err)
	}
	return &memory{
		hosts: expirable.NewLRU[string, wire.Name](rememberedHosts, nil, hostsFor), known: expirable.NewLRU[string, wire.Name](rememberedHosts, nil, knownFor),
		lookups: rate.NewLimiter(lookupsPerSecond, lookupsAtOnce), waiting: newWaiting(), queries: semaphore.NewWeighted(queriesAtOnce),
		streams: semaphore.NewWeighted(maxFollowers),
		buckets: buckets, routes: expirable.NewLRU[account.Address, *route.Manifest](rememberedHosts, nil, hostsFor),
		mounts: expirable.NewLRU[account.Address, *mounts](rememberedHosts, nil, hostsFor),
		sent:   expirable.NewLRU[receipt.ID, account.Address](rememberedSent, nil, sentFor),
	}
}

// enter takes a request of an actor in; ok is false beyond its rate, or beyond what may be under way at a time. Who enters calls leave.
//
// Spec: gateway-payments-streams §B (100 requests/s, 1,000 connections).
func (m *memory) enter(actor account.Address, now time.Time) (leave func(), ok bool) {
	b := m.bucket(actor)
	if !b.open.TryAcquire(1) {
		return nil, false
	}
	leave = func() { b.open.Release(1) }
	if !b.rate.AllowN(now, 1) {
		leave()
		return nil, false
	}
	return leave, true
}

// follow takes a stream of an actor's events in; ok is false beyond what the actor or the gateway may have at a time. Who enters calls leave.
func (m *memory) follow(actor account.Address) (leave func(), ok bool) {
	b := m.bucket(actor)
	if !b.follow.TryAcquire(1) {
		return nil, false
	}
	if !m.streams.TryAcquire(1) {
		b.follow.Release(1)
		return nil, false
	}
	return func() {
		m.streams.Release(1)
		b.follow.Release(1)
	}, true
}

// turn waits until a query of an actor may go to the node: those of one actor in the order in which they came. Who gets a turn calls leave. Error: ErrBusy
// when the context ended before.
func (m *memory) turn(ctx context.Context, actor account.Address) (leave func(), err error) {
	b := m.bucket(actor)
	if b.ask.Acquire(ctx, 1) != nil {
		return nil, ErrBusy
	}
	if m.queries.Acquire(ctx, 1) != nil {
		b.ask.Release(1)
		return nil, ErrBusy
	}
	return func() {
		m.queries.Release(1)
		b.ask.Release(1)
	}, nil
}

func (m *memory) bucket(actor account.Address) *bucket {
	b, found := m.buckets.Get(actor)
	if !found {
		b = &bucket{
			rate.NewLimiter(RequestsPerSecond, RequestsPerSecond), semaphore.NewWeighted(MaxConnections), semaphore.NewWeighted(maxActorFollowers),
			semaphore.NewWeighted(actorQueries),
		}
		if before, there, _ := m.buckets.PeekOrAdd(actor, b); there {
			b = before
		}
	}
	return b
}

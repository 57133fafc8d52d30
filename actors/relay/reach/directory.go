package reach

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// How long what was read of the chain is believed.
//
// Spec: storage-cbfs §3.4.
const (
	RefreshAfter = 15 * time.Second
	StaleAfter   = 60 * time.Second
)

// Bounds of what is remembered, and of what is asked for strangers.
const (
	remembered = 4_096
	accounts   = 64 // with at most 256 volumes each
	perSecond  = 50
	anewAfter  = time.Second // that a look which must be fresh is at least apart from the one before
	askWithin  = 10 * time.Second

	strangersPerSecond = 100 // looks for all strangers
	strangerPerSecond  = 10  // of one
	strangerAtOnce     = 50
)

// ErrBusy reports a look that a stranger may not have at present. It is never the answer to whoever does not ask for one.
var ErrBusy = errors.New("too much is looked up for strangers")

// ErrUnknown reports a volume or a relay that the chain does not have.
var ErrUnknown = errors.New("the chain has no such volume or relay")

// Source reads the chain. ErrUnknown says that it has none of a name; any other error that no node answers.
type Source interface {
	Volume(ctx context.Context, id digest.Hash) (*Volume, error)
	Relay(ctx context.Context, owner account.Address) (*Relay, error)
	Height(ctx context.Context) (uint64, error)
	// Revoked tells in which block a wallet revoked a key of CBFS that spoke for it; 0 where it did not.
	Revoked(ctx context.Context, wallet account.Address, key digest.Hash) (uint64, error)
	// Account tells what an account has of volumes, at one height. One that the chain does not know has nothing.
	Account(ctx context.Context, owner account.Address) (*wire.StorageAccount, error)
}

// looked is what was read, and when.
type looked[V any] struct {
	value V
	at    time.Time
}

// Directory remembers what it reads of the chain. It is safe for many goroutines.
type Directory struct {
	source  Source
	now     func() time.Time
	volumes *lru.Cache[digest.Hash, looked[*Volume]]
	relays  *lru.Cache[account.Address, looked[*Relay]]
	keys    *lru.Cache[keyName, looked[uint64]]
	owners  *lru.Cache[account.Address, looked[*wire.StorageAccount]]
	pace    *rate.Limiter
	flight  singleflight.Group
	unknown *lru.Cache[string, time.Time] // names that strangers made up, and when they were looked for

	strangers *rate.Limiter
	each      *lru.Cache[netip.Addr, *rate.Limiter]

	mu     sync.Mutex
	height looked[uint64]
}

// keyName is a key of a wallet.
type keyName struct {
	wallet account.Address
	key    digest.Hash
}

// NewDirectory gives a directory over a source.
func NewDirectory(source Source, now func() time.Time) *Directory {
	volumes, err := lru.New[digest.Hash, looked[*Volume]](remembered)
	relays, failed := lru.New[account.Address, looked[*Relay]](remembered)
	unknown, third := lru.New[string, time.Time](remembered)
	each, fourth := lru.New[netip.Addr, *rate.Limiter](remembered)
	keys, fifth := lru.New[keyName, looked[uint64]](remembered)
	owners, sixth := lru.New[account.Address, looked[*wire.StorageAccount]](accounts)
	if err := errors.Join(err, failed, third, fourth, fifth, sixth); err != nil { // for a size that is none
		panic(err)
	}
	return &Directory{
		source: source, now: now, volumes: volumes, relays: relays, keys: keys, owners: owners,
		unknown: unknown, each: each, pace: rate.NewLimiter(perSecond, perSecond),
		strangers: rate.NewLimiter(strangersPerSecond, strangersPerSecond),
	}
}

type strangerKey struct{}

// For gives the context of what is looked up for a stranger. Such looks have a pace of their own, and are refused beyond it, so that they never hold up those
// of the directory's owner.
func For(ctx context.Context, source netip.Addr) context.Context {
	return context.WithValue(ctx, strangerKey{}, source)
}

// allow waits until a look may be had. Error: ErrBusy, or the context's.
func (d *Directory) allow(ctx context.Context) error {
	source, ok := ctx.Value(strangerKey{}).(netip.Addr)
	if !ok {
		return d.pace.Wait(ctx)
	}
	l, found := d.each.Get(source)
	if !found {
		l = rate.NewLimiter(strangerPerSecond, strangerAtOnce)
		if before, there, _ := d.each.PeekOrAdd(source, l); there {
			l = before
		}
	}
	if now := d.now(); !l.AllowN(now, 1) || !d.strangers.AllowN(now, 1) {
		return ErrBusy
	}
	return nil
}

// look gives what is remembered if it is young enough, or reads it.
func look[K comparable, V any](
	ctx context.Context, d *Directory, cache *lru.Cache[K, looked[V]], key K, name string, young time.Duration, read func(context.Context, K) (V, error),
) (V, error) {
	var none V
	known, there := cache.Get(key)
	if there && d.now().Sub(known.at) < young {
		return known.value, nil
	}
	if at, ok := d.unknown.Get(name); ok && d.now().Sub(at) < young {
		return none, ErrUnknown
	}
	err := d.allow(ctx)
	if err == nil {
		var got any
		got, err, _ = d.flight.Do(name, func() (any, error) {
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), askWithin) // others wait for the same answer
			defer cancel()
			one := looked[V]{at: d.now()}
			var err error
			switch one.value, err = read(within, key); {
			case err == nil:
				d.unknown.Remove(name)
				cache.Add(key, one)
			case errors.Is(err, ErrUnknown): // it takes the place of nothing that the chain has
				cache.Remove(key)
				d.unknown.Add(name, one.at)
			}
			return one, err
		})
		if err == nil {
			return got.(looked[V]).value, nil
		}
	}
	if there && !errors.Is(err, ErrUnknown) && d.now().Sub(known.at) < StaleAfter {
		return known.value, nil
	}
	return none, err
}

// Volume tells of a volume. fresh wants it no older than a second. Error: ErrUnknown, or the source's.
//
// Spec: storage-cbfs §3.4.
func (d *Directory) Volume(ctx context.Context, id digest.Hash, fresh bool) (*Volume, error) {
	young := RefreshAfter
	if fresh {
		young = anewAfter
	}
	return look(ctx, d, d.volumes, id, "v"+string(id[:]), young, d.source.Volume)
}

// Relay tells of a relay. Error: ErrUnknown, or the source's.
func (d *Directory) Relay(ctx context.Context, owner account.Address) (*Relay, error) {
	return look(ctx, d, d.relays, owner, "r"+string(owner[:]), RefreshAfter, d.source.Relay)
}

// Revoked reports whether a wallet revoked a key of CBFS that spoke for it. Error: the source's.
//
// Spec: storage-cbfs §2.5, §3.4.
func (d *Directory) Revoked(ctx context.Context, wallet account.Address, key digest.Hash) (bool, error) {
	name := "k" + string(wallet[:]) + string(key[:])
	at, err := look(ctx, d, d.keys, keyName{wallet, key}, name, RefreshAfter, func(ctx context.Context, k keyName) (uint64, error) {
		return d.source.Revoked(ctx, k.wallet, k.key)
	})
	return at > 0, err
}

// Account tells what an account has of volumes. fresh wants it no older than a second. Error: the source's.
//
// Spec: storage-cbfs §3.4.
func (d *Directory) Account(ctx context.Context, owner account.Address, fresh bool) (*wire.StorageAccount, error) {
	young := RefreshAfter
	if fresh {
		young = anewAfter
	}
	return look(ctx, d, d.owners, owner, "a"+string(owner[:]), young, d.source.Account)
}

// Height is the newest final block's, of a second ago at most.
func (d *Directory) Height(ctx context.Context) (uint64, error) {
	d.mu.Lock()
	known := d.height
	d.mu.Unlock()
	if d.now().Sub(known.at) < anewAfter {
		return known.value, nil
	}
	got, err, _ := d.flight.Do("height", func() (any, error) {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), askWithin)
		defer cancel()
		return d.source.Height(within)
	})
	if err != nil {
		if d.now().Sub(known.at) < StaleAfter {
			return known.value, nil
		}
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.height = looked[uint64]{value: got.(uint64), at: d.now()}
	return d.height.value, nil
}

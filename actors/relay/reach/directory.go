package reach

import (
	"context"
	"errors"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

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
	perSecond  = 50
	anewAfter  = time.Second // that a look which must be fresh is at least apart from the one before
	askWithin  = 10 * time.Second
)

// ErrUnknown reports a volume or a relay that the chain does not have.
var ErrUnknown = errors.New("the chain has no such volume or relay")

// Source reads the chain. ErrUnknown says that it has none of a name; any other error that no node answers.
type Source interface {
	Volume(ctx context.Context, id digest.Hash) (*Volume, error)
	Relay(ctx context.Context, owner account.Address) (*Relay, error)
	Height(ctx context.Context) (uint64, error)
}

// looked is what was read, and when.
type looked[V any] struct {
	value V
	err   error // ErrUnknown
	at    time.Time
}

// Directory remembers what it reads of the chain. It is safe for many goroutines.
type Directory struct {
	source  Source
	now     func() time.Time
	volumes *lru.Cache[digest.Hash, looked[*Volume]]
	relays  *lru.Cache[account.Address, looked[*Relay]]
	pace    *rate.Limiter
	flight  singleflight.Group

	mu     sync.Mutex
	height looked[uint64]
}

// NewDirectory gives a directory over a source.
func NewDirectory(source Source, now func() time.Time) *Directory {
	volumes, err := lru.New[digest.Hash, looked[*Volume]](remembered)
	relays, failed := lru.New[account.Address, looked[*Relay]](remembered)
	if err != nil || failed != nil { // for a size that is none
		panic(errors.Join(err, failed))
	}
	return &Directory{source: source, now: now, volumes: volumes, relays: relays, pace: rate.NewLimiter(perSecond, perSecond)}
}

// look gives what is remembered if it is young enough, or reads it.
func look[K comparable, V any](
	ctx context.Context, d *Directory, cache *lru.Cache[K, looked[V]], key K, name string, young time.Duration, read func(context.Context, K) (V, error),
) (V, error) {
	known, there := cache.Get(key)
	if there && d.now().Sub(known.at) < young {
		return known.value, known.err
	}
	got, err, _ := d.flight.Do(name, func() (any, error) {
		if err := d.pace.Wait(ctx); err != nil {
			return nil, err
		}
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), askWithin) // others wait for the same answer
		defer cancel()
		one := looked[V]{at: d.now()}
		if one.value, one.err = read(within, key); one.err != nil && !errors.Is(one.err, ErrUnknown) {
			return nil, one.err
		}
		cache.Add(key, one)
		return one, nil
	})
	if err == nil {
		one := got.(looked[V])
		return one.value, one.err
	}
	if there && d.now().Sub(known.at) < StaleAfter {
		return known.value, known.err
	}
	var none V
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

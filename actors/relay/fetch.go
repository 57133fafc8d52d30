package relay

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

var errPaths = errors.New("the relay gave what is not of the table that was asked for")

// asking is whom a question about a volume's table goes to: its holders but one, each in its turn.
type asking struct {
	directory *reach.Directory
	pool      *reach.Pool
	volume    *reach.Volume
	root      digest.Hash                   // of the table
	but       account.Address               // not asked
	credit    func(*protocol.Request) error // puts what lets a client in into a question; nil for relays
}

// each has holders tried until one is right, and tells of all of them why they were not.
func (a *asking) each(ctx context.Context, try func(r *reach.Relay) error) error {
	why := error(reach.ErrUnknown)
	for i := range a.volume.Slots {
		owner := a.volume.Slots[i].Relay
		if owner == a.but {
			continue
		}
		r, err := a.directory.Relay(ctx, owner)
		if err == nil {
			err = try(r)
		}
		if err == nil {
			return nil
		}
		if why = errors.Join(why, err); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("no holder has the table of %s: %w", a.root, why)
}

func (a *asking) ask(ctx context.Context, r *reach.Relay, q *protocol.Request) (*protocol.Answer, error) {
	q.Volume, q.Root = a.volume.ID, a.root
	if a.credit != nil {
		if err := a.credit(q); err != nil {
			return nil, err
		}
	}
	return a.pool.Ask(ctx, r, q)
}

// outline asks for what a table is made of. What it says is the relay's word.
func (a *asking) outline(ctx context.Context, r *reach.Relay) (*protocol.Outline, error) {
	got, err := a.ask(ctx, r, &protocol.Request{Op: protocol.GetPlacement})
	if err != nil {
		return nil, err
	}
	return protocol.DecodeOutline(got.Data)
}

// page asks for a page, and holds it to the outline. It gives the encoding too.
func (a *asking) page(ctx context.Context, r *reach.Relay, o *protocol.Outline, at int) (*protocol.Table, []byte, error) {
	got, err := a.ask(ctx, r, &protocol.Request{Op: protocol.GetPage, Number: uint64(at)})
	if err != nil {
		return nil, nil, err
	}
	t, err := protocol.DecodePage(got.Data)
	if err == nil && (digest.Blake3(got.Data) != o.Pages[at] || !o.Fits(t, at)) {
		err = errTable
	}
	return t, got.Data, err
}

// pagesAhead is how many pages a relay is asked for at a time.
const pagesAhead = 12

// inOrder gets pages, some at a time, and visits them in their order.
func inOrder(list []int, get func(at int) (*protocol.Table, error), visit func(at int, page *protocol.Table) error) error {
	for len(list) > 0 {
		some := list[:min(len(list), pagesAhead)]
		list = list[len(some):]
		got := make([]*protocol.Table, len(some))
		var all errgroup.Group
		for i, at := range some {
			all.Go(func() (err error) {
				got[i], err = get(at)
				return err
			})
		}
		err := all.Wait()
		for i := 0; err == nil && i < len(some); i++ {
			err = visit(some[i], got[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// FetchTable asks the holders of a volume but one for a whole table, and holds it to its root. credit puts what lets a client in into a question; nil for
// relays.
//
// Spec: storage-cbfs §3.3 (GetPlacement).
func FetchTable(
	ctx context.Context, d *reach.Directory, p *reach.Pool, v *reach.Volume, root digest.Hash, but account.Address, credit func(*protocol.Request) error,
) (*protocol.Table, error) {
	a := &asking{d, p, v, root, but, credit}
	var t *protocol.Table
	err := a.each(ctx, func(r *reach.Relay) error {
		o, err := a.outline(ctx, r)
		if err != nil {
			return err
		}
		t = &protocol.Table{K: o.K, M: o.M}
		list := make([]int, len(o.Pages))
		for i := range list {
			list[i] = i
		}
		err = inOrder(list, func(at int) (*protocol.Table, error) {
			page, _, err := a.page(ctx, r, o, at)
			return page, err
		}, func(_ int, page *protocol.Table) error {
			t.Stripes = append(t.Stripes, page.Stripes...)
			return nil
		})
		if err == nil && t.Root() != root {
			err = errTable
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// FetchPaths asks the holders of a volume but one what stands at some numbers of a table, which ascend, and holds the answers to its root: the part of the tree
// of shards says it of each slot (protocol.Keys). Numbers are at most protocol.PathNumbers. Errors: protocol.ErrTable for more of them, those of relays.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3.
func FetchPaths(
	ctx context.Context, d *reach.Directory, p *reach.Pool, v *reach.Volume, root digest.Hash, numbers []uint64, but account.Address,
	credit func(*protocol.Request) error,
) (*cbfs.Partial, error) {
	slots := int(v.K) + int(v.M)
	if len(numbers) == 0 || len(numbers) > protocol.PathNumbers(slots) {
		return nil, protocol.ErrTable
	}
	if root.IsZero() { // of which no relay has anything
		return cbfs.DecodePartial((&cbfs.Partial{}).Append(nil), root)
	}
	a := &asking{d, p, v, root, but, credit}
	var t *cbfs.Partial
	err := a.each(ctx, func(r *reach.Relay) error {
		got, err := a.ask(ctx, r, &protocol.Request{Op: protocol.GetPaths, Data: protocol.EncodeNumbers(numbers)})
		if err != nil {
			return err
		}
		if t, err = cbfs.DecodePartial(got.Data, root); err != nil {
			return fmt.Errorf("%w: %w", errPaths, err)
		}
		for _, key := range protocol.Keys(slots, numbers) {
			if _, _, err := t.Get(key); err != nil {
				return fmt.Errorf("%w: %w", errPaths, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// FetchShard asks the holder of a slot for the chunk of a stripe, which lies in the body, and holds it to the stripe. q has the table's root and what lets the
// asker in.
//
// Spec: storage-cbfs §3.3 (GetShard).
func FetchShard(
	ctx context.Context, d *reach.Directory, p *reach.Pool, v *reach.Volume, s *protocol.Stripe, slot uint8, number uint64, q *protocol.Request,
) ([]byte, *mutual.Body, error) {
	data, body, err := fetchUnheld(ctx, d, p, v, s, slot, number, q)
	if err == nil && cbfs.ChunkRoot(data) != s.Roots[slot] {
		return nil, nil, wrongChunk(v, slot, number)
	}
	return data, body, err
}

// fetching is FetchShard or fetchUnheld.
type fetching = func(
	ctx context.Context, d *reach.Directory, p *reach.Pool, v *reach.Volume, s *protocol.Stripe, slot uint8, number uint64, q *protocol.Request,
) ([]byte, *mutual.Body, error)

// fetchUnheld is FetchShard of a chunk that is held to its size alone.
func fetchUnheld(
	ctx context.Context, d *reach.Directory, p *reach.Pool, v *reach.Volume, s *protocol.Stripe, slot uint8, number uint64, q *protocol.Request,
) ([]byte, *mutual.Body, error) {
	r, err := d.Relay(ctx, v.Slots[slot].Relay)
	if err != nil {
		return nil, nil, err
	}
	q.Op, q.Volume, q.Slot, q.Number = protocol.GetShard, v.ID, slot, number
	a, body, err := p.Fetch(ctx, r, q)
	if err != nil {
		return nil, nil, err
	}
	if uint32(len(a.Data)) != s.Size {
		return nil, nil, wrongChunk(v, slot, number)
	}
	return a.Data, body, nil
}

func wrongChunk(v *reach.Volume, slot uint8, number uint64) error {
	return fmt.Errorf("relay %s: chunk %d of slot %d is not what was committed", v.Slots[slot].Relay, number, slot)
}

package volume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// wholeFrom is the part of all stripes from which on a commit that changes them fetches the whole table, if their paths take more than one question: those of a
// stripe are some fourteen times as long as its place in the table.
const wholeFrom = 14

// shards is a tree of shards in which chunks are set.
type shards interface {
	set(list []protocol.Numbered) error
	root() digest.Hash
}

// partial is a tree of which what is set is known.
type partial struct{ *cbfs.Partial }

func (p partial) set(list []protocol.Numbered) error {
	for i := range list {
		for slot, root := range list[i].Roots {
			key := cbfs.ShardKey(uint8(slot), list[i].Number)
			if err := p.Set(cbfs.Chunk{Key: key, Root: root, Size: uint64(list[i].Size)}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p partial) root() digest.Hash { return p.Root() }

// whole is a tree of which everything is known.
type whole struct{ *protocol.Table }

func (w whole) set(list []protocol.Numbered) error {
	for i := range list {
		if list[i].Number < uint64(len(w.Stripes)) {
			w.Stripes[list[i].Number] = list[i].Stripe
		} else {
			w.Stripes = append(w.Stripes, list[i].Stripe) // what is new follows on what was there, by ascending numbers
		}
	}
	return nil
}

func (w whole) root() digest.Hash { return w.Root() }

// paths asks relays what stands at numbers, which ascend, of the newest commit's tree, and holds it to the shard_root.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3.
func (s *Snapshot) paths(ctx context.Context, numbers []uint64) (*cbfs.Partial, error) {
	c, v := s.client, s.Volume
	var all *cbfs.Partial
	for part := range slices.Chunk(numbers, protocol.PathNumbers(len(v.Slots))) {
		one, err := relay.FetchPaths(ctx, c.directory, c.pool, v, v.Root, part, account.Address{}, c.let(v, false))
		if err == nil && all != nil {
			err = all.Merge(one)
		}
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = one
		}
	}
	return all, nil
}

// at is the stripe with a number, as a tree says.
func (s *Snapshot) at(p *cbfs.Partial, number uint64) (one protocol.Numbered, err error) {
	one.Number = number
	for slot := range s.Volume.Slots {
		chunk, there, err := p.Get(cbfs.ShardKey(uint8(slot), number))
		if err != nil || !there || slot > 0 && chunk.Size != uint64(one.Size) {
			return one, errors.Join(ErrRoot, err)
		}
		one.Size, one.Roots = uint32(chunk.Size), append(one.Roots, chunk.Root)
	}
	return one, nil
}

// table fetches the whole table of the newest commit.
func (s *Snapshot) table(ctx context.Context) (*protocol.Table, error) {
	c, v := s.client, s.Volume
	t, err := relay.FetchTable(ctx, c.directory, c.pool, v, v.Root, account.Address{}, c.let(v, false))
	if err == nil && (uint64(len(t.Stripes)) != v.Chunks || t.K != v.K || t.M != v.M) {
		err = ErrRoot
	}
	return t, err
}

// shards gives the tree that a list is to be set in: that of the newest commit, or an empty one.
func (s *Snapshot) shards(ctx context.Context, list []protocol.Numbered, anew bool) (shards, error) {
	switch {
	case anew:
		return whole{&protocol.Table{K: s.Volume.K, M: s.Volume.M}}, nil
	case len(list) > protocol.PathNumbers(len(s.Volume.Slots)) && wholeFrom*uint64(len(list)) > s.Volume.Chunks:
		t, err := s.table(ctx)
		return whole{t}, err
	}
	numbers := make([]uint64, len(list))
	for i := range list {
		numbers[i] = list[i].Number
	}
	p, err := s.paths(ctx, numbers)
	return partial{p}, err
}

// publish sends all relays what changes of the last commit's table, or all of it where everything is numbered anew. Those that have all of this upload durably
// have to be enough. A relay that has not the table of the last commit is left out, and mends itself later; only if too few are left it is sent all.
//
// Spec: storage-cbfs §3.1 (step one), §3.3 (PutPlacement).
func (u *uploader) publish(ctx context.Context, list []protocol.Numbered, anew bool) (digest.Hash, error) {
	s := u.snapshot
	slices.SortFunc(list, func(a, b protocol.Numbered) int {
		if a.Number < b.Number {
			return -1
		}
		return 1
	})
	anew = anew || s.Volume.Root.IsZero()
	tree, err := s.shards(ctx, list, anew)
	if err != nil {
		return digest.Hash{}, err
	}
	most := protocol.MaxChange / (&protocol.Change{K: s.Volume.K, M: s.Volume.M, List: list[:1]}).Size()
	first := &placing{uploader: u, tree: tree, most: most}
	if !anew {
		first.base, first.count = s.Volume.Root, s.Volume.Chunks
	}
	for slot := range s.Volume.Slots {
		first.slots = append(first.slots, slot)
	}
	behind, err := first.send(ctx, list)
	if err != nil || len(behind) == 0 || !anew && u.enough(behind...) == nil {
		return first.base, errors.Join(err, u.enough(behind...))
	}
	second := &placing{uploader: u, tree: whole{&protocol.Table{K: s.Volume.K, M: s.Volume.M}}, most: most, slots: behind}
	if list, err = s.with(ctx, list, anew); err != nil {
		return digest.Hash{}, err
	}
	behind, err = second.send(ctx, list)
	for _, slot := range behind {
		u.leave(slot, protocol.ErrNotFound)
	}
	return first.base, errors.Join(err, u.enough())
}

// with lists all stripes of a table that changes, or of one that is numbered anew.
func (s *Snapshot) with(ctx context.Context, list []protocol.Numbered, anew bool) ([]protocol.Numbered, error) {
	if anew {
		return list, nil
	}
	t, err := s.table(ctx)
	if err != nil {
		return nil, err
	}
	if err := (whole{t}).set(list); err != nil {
		return nil, err
	}
	all := make([]protocol.Numbered, len(t.Stripes))
	for i := range all {
		all[i] = protocol.Numbered{Number: uint64(i), Stripe: t.Stripes[i]}
	}
	return all, nil
}

// placing brings a table to relays, step by step: a change has a bound.
type placing struct {
	*uploader
	tree  shards
	most  int // stripes of a step
	slots []int
	base  digest.Hash // of the table that the next step changes; zero for none
	count uint64      // its stripes
}

// send brings what changes, by ascending numbers. behind are the slots whose relays have not the base.
func (p *placing) send(ctx context.Context, list []protocol.Numbered) (behind []int, err error) {
	v := p.snapshot.Volume
	for part := range slices.Chunk(list, p.most) {
		p.count = max(p.count, part[len(part)-1].Number+1)
		if p.count > protocol.MaxStripes {
			return nil, protocol.ErrTable
		}
		if err := p.tree.set(part); err != nil {
			return nil, err
		}
		root := p.tree.root()
		behind = append(behind, p.step(ctx, root, (&protocol.Change{K: v.K, M: v.M, Count: p.count, List: part}).Encode())...)
		p.slots = slices.DeleteFunc(p.slots, func(slot int) bool { return slices.Contains(behind, slot) })
		p.base = root
	}
	return behind, nil
}

// step brings one change to all slots.
func (p *placing) step(ctx context.Context, root digest.Hash, raw []byte) (behind []int) {
	var all sync.WaitGroup
	p.mu.Lock()
	out := slices.Clone(p.down)
	p.mu.Unlock()
	for _, slot := range p.slots {
		if out[slot] != nil {
			continue
		}
		all.Go(func() {
			known, err := p.change(ctx, slot, root, raw)
			if !known {
				p.mu.Lock()
				defer p.mu.Unlock()
				behind = append(behind, slot)
			} else if err != nil {
				p.leave(slot, err)
			}
		})
	}
	all.Wait()
	slices.Sort(behind)
	return behind
}

// change sends a relay the parts of a change. known is false where it has not the base.
func (p *placing) change(ctx context.Context, slot int, root digest.Hash, raw []byte) (known bool, err error) {
	for at := 0; at < len(raw); at += protocol.PartBytes {
		a, err := p.ask(ctx, slot, &protocol.Request{
			Op: protocol.PutPlacement, Root: root, Version: p.snapshot.Volume.Version, Total: uint64(len(raw)), Offset: uint64(at),
			Hashes: []digest.Hash{p.base}, Data: raw[at:min(at+protocol.PartBytes, len(raw))],
		})
		if err != nil {
			return p.base.IsZero() || !errors.Is(err, protocol.ErrNotFound), err
		}
		for _, missing := range a.Hashes {
			if p.fresh[missing] {
				return true, fmt.Errorf("chunk %s: %w", missing, protocol.ErrNotFound)
			}
		}
		if a.Total > uint64(len(a.Hashes)) {
			return true, fmt.Errorf("%d chunks: %w", a.Total, protocol.ErrNotFound)
		}
	}
	return true, nil
}

package volume

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// commit puts the pages that differ and the table, and tells the chain.
func (u *uploader) commit(ctx context.Context, changes []Change, files map[string]*placed, right credit) (*Snapshot, error) {
	s := u.snapshot
	e := &edit{Snapshot: s}
	if err := e.make(ctx, changes, files); err != nil {
		return nil, err
	}
	d, err := e.draft(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.plan(ctx, d)
	if err != nil {
		return nil, err
	}
	hashes, err := s.hashes(ctx, p)
	if err != nil {
		return nil, err
	}
	pages, err := u.sendPages(ctx, p)
	if err != nil {
		return nil, err
	}
	fillers, err := u.fill(ctx, p.freed)
	if err != nil {
		return nil, err
	}
	t, root, head, err := u.sendFirst(ctx, p)
	if err != nil {
		return nil, err
	}
	if !s.Volume.Private {
		root = cbfs.RootOfLeaves(hashes)
		t.proven.Store(true)
	}
	next := volume.Commit{Base: s.Volume.Manifest, Manifest: root, Raw: lengthSize + t.size, Chunks: t.first.Numbers}
	filesThere := uint64(0)
	for _, l := range t.leaves {
		filesThere += l.Files
		next.Raw += l.Raw + l.Length
	}
	next.Objects = s.objects(filesThere, next.Raw, next.Chunks)
	if next.Shards, err = u.publish(ctx, slices.Concat(p.stripes, pages, fillers, []protocol.Numbered{head}), p.anew); err != nil {
		return nil, err
	}
	u.final = true
	if err := s.client.Chain.Commit(ctx, s.Volume, right.id, next); err != nil {
		return nil, err
	}
	v := *s.Volume
	v.Manifest, v.Root, v.Chunks, v.Raw = next.Manifest, next.Shards, next.Chunks, next.Raw
	after := &Snapshot{Volume: &v, client: s.client, code: s.code, tree: t, head: head, key: s.key, grew: int64(next.Raw) - int64(s.Volume.Raw)}
	s.client.remember(after)
	return after, nil
}

// hashes gives the leaves of a public volume's manifest that is to be, and reads the pages that nobody has read of it: §2.4 numbers leaves by their order.
//
// Spec: storage-cbfs §2.4.
func (s *Snapshot) hashes(ctx context.Context, p *plan) (all []digest.Hash, err error) {
	if s.Volume.Private {
		return nil, nil
	}
	for i, l := range p.leaves {
		if p.pages[i] != nil {
			made := hashesOf(p.pages[i])
			l.hashes.Store(&made)
		} else if l.hashes.Load() == nil {
			if err := s.readAll(ctx); err != nil {
				return nil, err
			}
		}
		all = append(all, *l.hashes.Load()...)
	}
	return all, nil
}

// readAll reads all pages, and so holds those of a public volume to its root.
func (s *Snapshot) readAll(ctx context.Context) error {
	for _, err := range s.records(ctx, "") {
		if err != nil {
			return err
		}
	}
	return nil
}

// first is the first page of a plan.
func (p *plan) first() *page.First {
	first := &page.First{Numbers: p.pool.Numbers, Free: p.pool.Free}
	for i, l := range p.leaves {
		if p.whole {
			first.Records = p.pages[i]
		} else {
			first.Pages = append(first.Pages, l.Ref)
		}
	}
	return first
}

// sendPages makes the pages of a plan that are new and sends them, and completes what refers to them. Each is read again before, as any reader would:
// a page that others refuse is neither sent nor kept.
func (u *uploader) sendPages(ctx context.Context, p *plan) (made []protocol.Numbered, err error) {
	if p.whole {
		return nil, nil
	}
	s, at, first := u.snapshot, 0, p.first()
	var fresh []*leaf
	stripes, err := u.send(ctx, func([]byte) (portion, error) {
		for at < len(p.pages) && p.pages[at] == nil {
			at++
		}
		if at == len(p.pages) {
			return portion{}, nil
		}
		raw := page.EncodeLeaf(p.pages[at])
		if _, err := page.DecodeLeaf(raw, s.shape(), first, at); err != nil {
			return portion{}, fmt.Errorf("what would be committed: %w", err)
		}
		if s.key != nil {
			var err error
			if raw, err = sealPage(s.key, s.Volume.ID, leafPath, raw); err != nil {
				return portion{}, err
			}
		}
		l := p.leaves[at]
		l.Length, l.Hash = uint64(len(raw)), digest.Blake3(raw)
		if fresh = append(fresh, l); l.Length > page.MaxBytes {
			return portion{}, page.ErrLength
		}
		s.client.pages.Put(pageKey{s.Volume.ID, l.Hash}, p.pages[at], len(raw))
		at++
		return portion{bytes: raw}, nil
	}, nil, false)
	if err != nil {
		return nil, err
	}
	for i, l := range fresh {
		l.Page.Stripe = stripes[i]
		made = append(made, l.Page)
	}
	return made, nil
}

// fill sends the filler, if numbers became free, and gives these with it.
func (u *uploader) fill(ctx context.Context, freed []uint64) (made []protocol.Numbered, err error) {
	if len(freed) == 0 {
		return nil, nil
	}
	filler, err := u.send(ctx, standing(make([]byte, u.snapshot.code.K)), nil, true)
	if err != nil {
		return nil, err
	}
	for _, number := range freed {
		made = append(made, protocol.Numbered{Number: number, Stripe: filler[0]})
	}
	return made, nil
}

// fillerOf is the filler of a volume, which lies at all free numbers: k zero bytes, coded as all stripes are.
func fillerOf(s *Snapshot) (f protocol.Stripe, err error) {
	chunks, err := s.code.Split(make([]byte, s.code.K))
	for _, chunk := range chunks {
		f.Size, f.Roots = uint32(len(chunk)), append(f.Roots, cbfs.ChunkRoot(chunk))
	}
	return f, err
}

// sendFirst makes the first page of a plan and sends it. root is that of a private volume. What it gives was read again as any reader would: a page that others
// refuse is not committed.
func (u *uploader) sendFirst(ctx context.Context, p *plan) (t *tree, root digest.Hash, head protocol.Numbered, err error) {
	s := u.snapshot
	first := p.first()
	raw := first.Encode()
	if len(raw) > s.room() {
		return nil, root, head, page.ErrFull
	}
	if first, err = page.DecodeFirst(raw, s.shape()); err != nil {
		return nil, root, head, fmt.Errorf("what would be committed: %w", err)
	}
	if s.key != nil {
		if raw, err = sealPage(s.key, s.Volume.ID, firstPath, raw); err != nil {
			return nil, root, head, err
		}
		root = cbfs.ChunkRoot(raw)
	}
	t = newTree(first, uint64(len(raw)))
	if !p.whole {
		t.leaves = p.leaves
	}
	stripes, err := u.send(ctx, standing(append(binary.LittleEndian.AppendUint64(nil, t.size), raw...)), nil, false)
	if err != nil {
		return nil, root, head, err
	}
	return t, root, protocol.Numbered{Stripe: stripes[0]}, nil
}

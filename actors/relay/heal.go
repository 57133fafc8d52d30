package relay

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// Bounds of a table that is fetched.
const (
	fetchBytes = 16 << 20               // that are made part of it at a time
	fetchFirst = time.Minute            // that one relay has to bring it
	fetchPage  = 500 * time.Millisecond // and so long for each of its pages; then another relay is asked
)

func (m *Mender) asking(v *reach.Volume, root digest.Hash) *asking {
	return &asking{directory: m.Directory, pool: m.Pool, volume: v, root: root, but: m.Self}
}

// table gives the table of a volume's commit, from the store or from another holder. read wants it from its file.
func (m *Mender) table(ctx context.Context, v *reach.Volume, root digest.Hash, read bool) (*store.Table, error) {
	get, n := m.Store.Table, store.Name{Volume: v.ID, Root: root}
	if read {
		get = m.Store.ReadTable
	}
	t, err := get(n)
	if errors.Is(err, store.ErrMissing) {
		err = m.asking(v, root).each(ctx, func(r *reach.Relay) error { return m.fetch(ctx, v, n, r) })
		if err == nil {
			t, err = m.Store.Table(n)
		}
	}
	if err == nil && root == v.Root && !t.Is(v.K, v.M, v.Chunks) {
		err = errTable
	}
	return t, err
}

// fetch makes a table that is not here out of one that is, and of the pages in which they differ: those that are not here a relay is asked for. What comes of
// it is held to the root.
//
// Spec: storage-cbfs §3.3 (GetPlacement).
func (m *Mender) fetch(ctx context.Context, v *reach.Volume, n store.Name, r *reach.Relay) error {
	a := m.asking(v, n.Root)
	o, err := a.outline(ctx, r)
	if err != nil {
		return err
	}
	if o.K != v.K || o.M != v.M || n.Root == v.Root && o.Count != v.Chunks {
		return errTable
	}
	ctx, cancel := context.WithTimeout(ctx, fetchFirst+time.Duration(len(o.Pages))*fetchPage)
	defer cancel()
	base, before := m.base(v, o)
	err = m.make(ctx, a, r, o, base, before, n.Root)
	if errors.Is(err, store.ErrLost) { // the base is not whole
		err = m.make(ctx, a, r, o, store.Name{Volume: v.ID}, &protocol.Outline{}, n.Root)
	}
	return err
}

// make makes a table of a base by the pages in which a relay's outline differs from it.
func (m *Mender) make(
	ctx context.Context, a *asking, r *reach.Relay, o *protocol.Outline, base store.Name, before *protocol.Outline, root digest.Hash,
) error {
	draft, err := m.Store.Draft(base, nil)
	if err != nil {
		return err
	}
	defer draft.Close()
	var differ []int
	for at := range o.Pages {
		if at >= len(before.Pages) || before.Pages[at] != o.Pages[at] {
			differ = append(differ, at)
		}
	}
	change := &protocol.Change{K: o.K, M: o.M, Count: before.Count}
	err = inOrder(differ, func(at int) (*protocol.Table, error) {
		page, err := m.Store.Page(o.Pages[at])
		if err != nil || !o.Fits(page, at) {
			page, _, err = a.page(ctx, r, o, at)
		}
		return page, err
	}, func(at int, page *protocol.Table) (err error) {
		if change.Size() > cmp.Or(m.piece, fetchBytes) {
			if err := draft.Apply(change); err != nil {
				return err
			}
			change = &protocol.Change{K: o.K, M: o.M, Count: change.Count}
		}
		old := &protocol.Table{}
		if at < len(before.Pages) {
			if old, err = m.Store.Page(before.Pages[at]); errors.Is(err, store.ErrLost) {
				old, err = &protocol.Table{}, nil
			}
		}
		for i := range page.Stripes {
			if i >= len(old.Stripes) || !page.Stripes[i].Same(&old.Stripes[i]) {
				change.List = append(change.List, protocol.Numbered{Number: uint64(at*protocol.PageStripes + i), Stripe: page.Stripes[i]})
			}
		}
		change.Count = max(change.Count, uint64(at*protocol.PageStripes+len(page.Stripes)))
		return err
	})
	if err != nil {
		return err
	}
	if err := draft.Apply(change); err != nil {
		return err
	}
	if draft.Root() != root {
		return errTable
	}
	_, err = draft.Keep()
	return err
}

// base chooses a table that is here and becomes the one of an outline: that which it was made from, or one that this relay has confirmed; else the empty one.
func (m *Mender) base(v *reach.Volume, o *protocol.Outline) (store.Name, *protocol.Outline) {
	roots := []digest.Hash{o.Base}
	for _, slot := range v.Holds(m.Self) {
		roots = append(roots, v.Slots[slot].Root)
	}
	for _, root := range roots {
		n := store.Name{Volume: v.ID, Root: root}
		if root.IsZero() {
			continue
		}
		if t, err := m.Store.Table(n); err == nil {
			if before := t.Outline(); before.K == o.K && before.M == o.M && before.Count <= o.Count {
				return n, before
			}
		}
	}
	return store.Name{Volume: v.ID}, &protocol.Outline{}
}

// page gives a page of a table that is here; one that was lost it fetches and keeps.
func (m *Mender) page(ctx context.Context, v *reach.Volume, root digest.Hash, t *store.Table, at int) (*protocol.Table, error) {
	page, err := t.Page(at)
	if !errors.Is(err, store.ErrLost) {
		return page, err
	}
	a, o := m.asking(v, root), t.Outline()
	err = a.each(ctx, func(r *reach.Relay) error {
		var raw []byte
		var err error
		if page, raw, err = a.page(ctx, r, o, at); err == nil {
			err = t.KeepPage(at, raw)
		}
		return err
	})
	return page, err
}

// rebuild makes branches of a table anew that are lost. A scrub reads them all.
func rebuild(t *store.Table, scrub bool) error {
	lacks, err := t.Lacks(scrub)
	if err == nil && lacks {
		err = t.Rebuild()
	}
	return err
}

// heal fetches the pages of a table that are lost, and makes its branches anew.
func (m *Mender) heal(ctx context.Context, v *reach.Volume, root digest.Hash, t *store.Table) error {
	for at := range t.Outline().Pages {
		if _, err := m.page(ctx, v, root, t, at); err != nil {
			return err
		}
	}
	return rebuild(t, false)
}

// prove answers a challenge out of the one chunk it is about.
//
// Spec: storage-cbfs §6.
func (m *Mender) prove(ctx context.Context, a act) (*cbfs.Proof, error) {
	v, err := m.Directory.Volume(ctx, a.held.Volume, false)
	if err != nil {
		return nil, err
	}
	t, err := m.table(ctx, v, a.ask.Root, false)
	if err != nil {
		return nil, err
	}
	p, err := m.proveOf(ctx, v, t, a.ask)
	if errors.Is(err, store.ErrLost) {
		if err = m.heal(ctx, v, a.ask.Root, t); err == nil {
			p, err = m.proveOf(ctx, v, t, a.ask)
		}
	}
	return p, err
}

func (m *Mender) proveOf(ctx context.Context, v *reach.Volume, t *store.Table, a cbfs.Ask) (*cbfs.Proof, error) {
	s, err := t.Stripe(a.Ordinal)
	if err != nil {
		return nil, err
	}
	if int(a.Slot) >= len(s.Roots) {
		return nil, errTable
	}
	data, err := m.Store.Get(s.Roots[a.Slot])
	if errors.Is(err, store.ErrMissing) {
		var code *stripe.Code
		if code, err = stripe.New(int(v.K), int(v.M)); err == nil {
			var made *mutual.Body
			if made, err = m.chunk(ctx, v, a.Root, s, code, a.Slot, a.Ordinal); err == nil {
				data = made.Bytes
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return proof(t, data, a)
}

// proof makes a proof, and is sure of it: a wrong one would be a fraud.
func proof(t *store.Table, data []byte, a cbfs.Ask) (*cbfs.Proof, error) {
	paths, err := t.Paths([]digest.Hash{cbfs.ShardKey(a.Slot, a.Ordinal)})
	if err != nil {
		return nil, err
	}
	p, err := paths.Prove(data, a)
	if err == nil {
		err = p.Verify(a)
	}
	return p, err
}

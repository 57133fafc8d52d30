package volume

import (
	"context"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// Sizes of leaf pages. A page of records that is less than a quarter full is joined with one beside it.
const (
	pageLeast  = page.Bytes / 4
	pageMost   = page.MaxBytes // where the first page gets full
	pageHeader = 64            // more than the seal, the kind and the length of the list take
)

// firstHeader is more than all takes that stands before the records or references of the first page, free numbers excepted.
const firstHeader = 96

// plan is how the manifest that is to be lies in pages: numbers are given to everything, and the pages have no bytes yet.
type plan struct {
	whole   bool                // the first page has all records
	pool    page.Pool           // the numbers
	anew    bool                // all numbers are new: nothing of the table before stays
	stripes []protocol.Numbered // of files, whose numbers are new
	leaves  []*leaf             // those made of the parts, in order
	pages   [][]page.Record     // of the leaves; nil for those that stay
	freed   []uint64            // numbers that were used and are free now
}

// room is how many bytes the first page may have before it is sealed.
func (s *Snapshot) room() int {
	room := s.code.Bytes() - lengthSize
	if s.key != nil {
		room -= pageOverhead
	}
	return room
}

// sizeOf is how many bytes records take at most.
func (s *Snapshot) sizeOf(list []page.Record) int { return page.SizeOf(list, s.shape()) }

// take gives the records of a part, those of a page that would stay among them.
func (s *Snapshot) take(ctx context.Context, d *draft, one part) ([]page.Record, error) {
	if one.kept == nil {
		return one.records, nil
	}
	list, err := s.load(ctx, s.tree.place(one.kept.First))
	if err != nil {
		return nil, err
	}
	d.drop(one.kept)
	return slices.Clone(list), nil
}

// takeAll makes records of all pages that would stay.
func (s *Snapshot) takeAll(ctx context.Context, d *draft) error {
	var all []page.Record
	for _, one := range d.parts {
		list, err := s.take(ctx, d, one)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	d.parts = []part{{records: all}}
	return nil
}

// join joins records that are few with the page beside them, and leaves out parts with none.
func (s *Snapshot) join(ctx context.Context, d *draft) error {
	before := slices.DeleteFunc(d.parts, func(one part) bool { return one.kept == nil && len(one.records) == 0 })
	d.parts = nil
	size := pageLeast // of the last part, where it is of records
	for _, one := range before {
		last := len(d.parts) - 1
		if joins := last >= 0 && d.parts[last].kept == nil && (one.kept == nil || size < pageLeast); !joins {
			d.parts, size = append(d.parts, one), s.sizeOf(one.records)
			continue
		}
		list, err := s.take(ctx, d, one)
		if err != nil {
			return err
		}
		d.parts[last].records = append(d.parts[last].records, list...)
		size += s.sizeOf(list)
	}
	if last := len(d.parts) - 1; last > 0 && d.parts[last].kept == nil && size < pageLeast {
		list, err := s.take(ctx, d, d.parts[last-1])
		if err != nil {
			return err
		}
		d.parts[last-1] = part{records: append(list, d.parts[last].records...)}
		d.parts = d.parts[:last]
	}
	return nil
}

// plan gives everything a place. It reads pages beside those that got small, and all of them where few are left or the numbering is made anew.
func (s *Snapshot) plan(ctx context.Context, d *draft) (*plan, error) {
	if err := s.join(ctx, d); err != nil {
		return nil, err
	}
	total := firstHeader + s.tree.first.Free.With(d.freed).Size()
	for _, one := range d.parts {
		if total += s.sizeOf(one.records); one.kept != nil {
			total += int(one.kept.Length)
		}
	}
	p := &plan{whole: s.tree.whole() && total <= s.room() || total <= s.room()/2}
	if p.whole {
		if err := s.takeAll(ctx, d); err != nil {
			return nil, err
		}
	}
	s.split(p, d.parts)
	if s.sparse(p, d) {
		p.anew = true
		if err := s.takeAll(ctx, d); err != nil {
			return nil, err
		}
		d.renumber()
		s.split(p, d.parts)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	s.number(p, d)
	return p, nil
}

// check holds the manifest that is to be to its bound. Error: volume.ErrQuota.
//
// Spec: storage-cbfs §8 (objects per volume).
func (p *plan) check() error {
	count := uint64(0)
	for _, l := range p.leaves {
		count += l.Entries
	}
	if count > cbfs.MaxManifest {
		return fmt.Errorf("a volume has at most %d files, links and folders: %w", cbfs.MaxManifest, volume.ErrQuota)
	}
	return nil
}

// split makes leaves of parts.
func (s *Snapshot) split(p *plan, parts []part) {
	p.leaves, p.pages = nil, nil
	most := page.Bytes
	if refs := len(s.tree.leaves) * s.refSize(); refs > s.room()/2 {
		most = pageMost
	}
	if most -= pageHeader; p.whole {
		most = s.room()
	}
	for _, one := range parts {
		if one.kept != nil {
			p.leaves, p.pages = append(p.leaves, one.kept), append(p.pages, nil)
			continue
		}
		for _, made := range page.Split(one.records, s.shape(), most) {
			p.leaves, p.pages = append(p.leaves, &leaf{Ref: page.SumOf(made)}), append(p.pages, made)
		}
	}
}

// refSize is how many bytes a reference takes, with a path as paths are.
func (s *Snapshot) refSize() int { return 64 + 32*(1+s.shape().Slots()) }

// sparse reports whether the numbering is to be made anew: more than half of the numbers would be free, or naming them would take more than an eighth of the
// first page.
func (s *Snapshot) sparse(p *plan, d *draft) bool {
	free := s.tree.first.Free.With(d.freed)
	need := 0
	if !p.whole {
		for _, made := range p.pages {
			if made != nil {
				need++
			}
		}
	}
	for _, one := range d.parts {
		for i := range one.records {
			for j := range one.records[i].Stripes {
				if one.records[i].Stripes[j].Number == 0 {
					need++
				}
			}
		}
	}
	left := free.Len() - min(free.Len(), uint64(need))
	return left > 0 && (2*left > s.tree.first.Numbers || free.Size() > s.room()/8)
}

// renumber takes the numbers off all files.
func (d *draft) renumber() {
	for _, one := range d.parts {
		for i := range one.records {
			r := &one.records[i]
			r.Stripes = slices.Clone(r.Stripes)
			for j := range r.Stripes {
				r.Stripes[j].Number = 0
			}
		}
	}
}

// number gives a number to every stripe that has none: of files, then of pages.
func (s *Snapshot) number(p *plan, d *draft) {
	p.pool = page.Pool{Numbers: 1}
	if !p.anew {
		p.pool = page.Pool{Free: s.tree.first.Free.With(d.freed), Numbers: s.tree.first.Numbers}
	}
	for _, made := range p.pages {
		for i := range made {
			for j := range made[i].Stripes {
				if one := &made[i].Stripes[j]; one.Number == 0 {
					one.Number = p.pool.Take()
					p.stripes = append(p.stripes, *one)
				}
			}
		}
	}
	if !p.whole {
		for i, made := range p.pages {
			if made != nil {
				p.leaves[i].Page.Number = p.pool.Take()
			}
		}
	}
	if !p.anew {
		for _, one := range d.freed {
			if p.pool.Free.Has(one) {
				p.freed = append(p.freed, one)
			}
		}
	}
}

// objects is how many objects a commit says that a volume has: its files, and as many more as the chain wants for so many chunks, which folders alone may take.
//
// Spec: storage-cbfs §3.1 (commit_manifest).
func (s *Snapshot) objects(files, raw, chunks uint64) uint64 {
	least := (raw + s.shape().Bytes() - 1) / s.shape().Bytes()
	half := (chunks - min(chunks, volume.FreeChunks) + 1) / 2
	return max(1, files, half-min(half, least))
}

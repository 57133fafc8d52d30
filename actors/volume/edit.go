package volume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// edit is what becomes of a manifest, change by change: a tree of the names in the paths that changes are about, above the manifest they are made to. What it
// takes grows with the changes and the pages they are in.
type edit struct {
	*Snapshot
	root branch
}

// branch is what changes made of a path.
type branch struct {
	below   map[string]*branch // by name
	put     *page.Record       // nil where nothing was put
	cleared bool               // the manifest has nothing left here and below
	folder  bool               // a folder is here, as was found out
}

// PathError says of a change that it cannot be made, which is cbfs.ErrPath.
type PathError struct{ Path, Why string }

// Error implements error.
func (e *PathError) Error() string { return fmt.Sprintf("%q %s: %v", e.Path, e.Why, cbfs.ErrPath) }

// Unwrap lets errors.Is find cbfs.ErrPath.
func (e *PathError) Unwrap() error { return cbfs.ErrPath }

// PathErrors are those of all changes that cannot be made. The others can, without them.
type PathErrors []*PathError

// Error implements error.
func (e PathErrors) Error() string { return errors.Join(e.Unwrap()...).Error() }

// Unwrap lets errors.Is and errors.As find each of them.
func (e PathErrors) Unwrap() (list []error) {
	for _, one := range e {
		list = append(list, one)
	}
	return list
}

// make makes changes. files have the records of files; where it is nil, the changes are only tried. Errors: PathErrors, ErrPath, those of reading pages.
func (e *edit) make(ctx context.Context, changes []Change, files map[string]*placed) error {
	var refused PathErrors
	for i := range changes {
		err := e.apply(ctx, &changes[i], files)
		var one *PathError
		if errors.As(err, &one) {
			refused = append(refused, one) // what it left behind is below what others are refused for too
		} else if err != nil {
			return err
		}
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

// apply makes one change.
func (e *edit) apply(ctx context.Context, one *Change, files map[string]*placed) error {
	switch {
	case one.Remove:
		return e.remove(ctx, one.Path)
	case one.Kind == cbfs.File && files != nil:
		return e.put(ctx, files[one.Path].record())
	}
	return e.put(ctx, &page.Record{Entry: cbfs.Entry{Path: one.Path, Kind: one.Kind, Target: one.Target}})
}

// walk goes along a path as far as changes went: b is nil where they did not come so far. cleared says that the manifest has nothing left at the path.
func (e *edit) walk(path string) (b *branch, cleared bool) {
	b = &e.root
	for name := range strings.SplitSeq(path, "/") {
		if b = b.below[name]; b == nil {
			return nil, cleared
		}
		cleared = cleared || b.cleared
	}
	return b, cleared
}

// grow gives the branch of a path.
func (e *edit) grow(path string) *branch {
	b := &e.root
	for name := range strings.SplitSeq(path, "/") {
		if b.below == nil {
			b.below = map[string]*branch{}
		}
		if b.below[name] == nil {
			b.below[name] = &branch{}
		}
		b = b.below[name]
	}
	return b
}

// kind tells what a path leads to now.
func (e *edit) kind(ctx context.Context, path string) (kind cbfs.EntryKind, there bool, err error) {
	b, cleared := e.walk(path)
	switch {
	case b != nil && b.put != nil:
		return b.put.Kind, true, nil
	case cleared:
		return 0, false, nil
	}
	r, err := e.record(ctx, path)
	if err != nil || r == nil {
		return 0, false, err
	}
	return r.Kind, true, nil
}

// put puts a record, and the folders above it that there are not. Errors: *PathError, those of reading pages.
func (e *edit) put(ctx context.Context, r *page.Record) error {
	kind, there, err := e.kind(ctx, r.Path)
	if err != nil {
		return err
	}
	if there && (kind == cbfs.Directory) != (r.Kind == cbfs.Directory) {
		return &PathError{r.Path, "is a folder in one and none in the other"}
	}
	b := e.grow(r.Path)
	if b.folder = r.Kind == cbfs.Directory; !there || !b.folder {
		b.put = r
	}
	for at := strings.LastIndexByte(r.Path, '/'); at > 0; at = strings.LastIndexByte(r.Path[:at], '/') {
		above := r.Path[:at]
		b := e.grow(above)
		if b.folder {
			return nil // and so are those above it
		}
		kind, there, err := e.kind(ctx, above)
		switch {
		case err != nil:
			return err
		case there && kind != cbfs.Directory:
			return &PathError{r.Path, "lies in what is no folder"}
		case !there:
			b.put = &page.Record{Entry: cbfs.Entry{Path: above, Kind: cbfs.Directory}}
		}
		b.folder = true
	}
	return nil
}

// has reports whether something was put here or below.
func (b *branch) has() bool {
	if b.put != nil {
		return true
	}
	for _, one := range b.below { // order-free: any
		if one.has() {
			return true
		}
	}
	return false
}

// remove removes a path and all below it. Errors: ErrPath, where there is nothing; those of reading pages.
func (e *edit) remove(ctx context.Context, path string) error {
	b, cleared := e.walk(path)
	found := b != nil && b.has()
	if !found && !cleared {
		for one, err := range e.Entries(ctx, path) {
			if err != nil {
				return err
			}
			if _, gone := e.walk(one.Path); !gone {
				found = true
				break
			}
		}
	}
	if !found {
		return fmt.Errorf("%q: %w", path, ErrPath)
	}
	*e.grow(path) = branch{cleared: true}
	return nil
}

// outcome lists what was put, in the order of the paths, and what was cleared.
func (e *edit) outcome() (puts []*page.Record, cleared []string) {
	var gather func(b *branch, path string)
	gather = func(b *branch, path string) {
		if b.put != nil {
			puts = append(puts, b.put)
		}
		if b.cleared {
			cleared = append(cleared, path)
		}
		for name, one := range b.below { // order-free: sorted below
			if path != "" {
				name = path + "/" + name
			}
			gather(one, name)
		}
	}
	gather(&e.root, "")
	slices.SortFunc(puts, func(a, b *page.Record) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(cleared)
	return puts, cleared
}

// part is a run of pages of the manifest that is to be: one that stays, or records that pages are made of.
type part struct {
	kept    *leaf
	records []page.Record
}

// draft is the manifest that is to be.
type draft struct {
	parts []part
	freed []uint64 // numbers of what is no longer in it
}

// drop notes that the page of a leaf is made anew.
func (d *draft) drop(l *leaf) {
	if l.held == nil {
		d.freed = append(d.freed, l.Page.Number)
	}
}

func (d *draft) lose(r *page.Record) {
	for i := range r.Stripes {
		d.freed = append(d.freed, r.Stripes[i].Number)
	}
}

// add adds records at the end.
func (d *draft) add(records []page.Record) {
	if last := len(d.parts) - 1; last >= 0 && d.parts[last].kept == nil {
		d.parts[last].records = append(d.parts[last].records, records...)
		return
	}
	d.parts = append(d.parts, part{records: records})
}

// draft makes the manifest that is to be. It reads the pages that changes are in, and no others.
func (e *edit) draft(ctx context.Context) (*draft, error) {
	puts, cleared := e.outcome()
	d := &draft{}
	if len(e.tree.leaves) == 0 {
		d.add(merged(nil, puts, nil, nil))
		return d, nil
	}
	touched := make([]bool, len(e.tree.leaves))
	for _, path := range cleared {
		touched[e.tree.place(path)] = true
		for at, last := e.tree.place(path+"/"), e.tree.place(path+"0"); at <= last; at++ {
			touched[at] = true
		}
	}
	for place, l := range e.tree.leaves {
		n := len(puts)
		if place+1 < len(e.tree.leaves) {
			next := e.tree.leaves[place+1].First
			n, _ = slices.BinarySearchFunc(puts, next, func(r *page.Record, t string) int { return strings.Compare(r.Path, t) })
		}
		mine := puts[:n]
		puts = puts[n:]
		if !touched[place] && n == 0 {
			d.parts = append(d.parts, part{kept: l})
			continue
		}
		before, err := e.load(ctx, place)
		if err != nil {
			return nil, err
		}
		gone := func(r *page.Record) bool { _, gone := e.walk(r.Path); return gone }
		lost := len(d.freed)
		after := merged(before, mine, gone, d.lose)
		if n == 0 && lost == len(d.freed) && len(after) == len(before) {
			d.parts = append(d.parts, part{kept: l})
			continue
		}
		d.drop(l)
		d.add(after)
	}
	return d, nil
}

// merged gives records without those that are gone, and with those that were put: they take the place of what had their path. lose is told of what goes.
func merged(before []page.Record, puts []*page.Record, gone func(*page.Record) bool, lose func(*page.Record)) []page.Record {
	after := make([]page.Record, 0, len(before)+len(puts))
	for i := range before {
		r := &before[i]
		for len(puts) > 0 && puts[0].Path < r.Path {
			after, puts = append(after, *puts[0]), puts[1:]
		}
		replaced := len(puts) > 0 && puts[0].Path == r.Path
		if replaced || gone(r) {
			lose(r)
		} else {
			after = append(after, *r)
		}
		if replaced {
			after, puts = append(after, *puts[0]), puts[1:]
		}
	}
	for _, r := range puts {
		after = append(after, *r)
	}
	return after
}

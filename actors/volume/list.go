package volume

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// pagesAhead is how many pages are fetched before whoever reads all of them comes to them.
const pagesAhead = 4

// Count is how many entries the volume has.
func (s *Snapshot) Count() uint64 { return s.tree.count }

// Find gives the entry of a path, which nobody changes. It reads one page. Errors: ErrPath, ErrRoot, those of relays.
func (s *Snapshot) Find(ctx context.Context, path string) (*cbfs.Entry, error) {
	r, err := s.record(ctx, path)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("%q: %w", path, ErrPath)
	}
	return &r.Entry, nil
}

// record gives the record of a path; nil where there is none.
func (s *Snapshot) record(ctx context.Context, path string) (*page.Record, error) {
	if len(s.tree.leaves) == 0 {
		return nil, nil
	}
	list, err := s.load(ctx, s.tree.place(path))
	if err != nil {
		return nil, err
	}
	if at := search(list, path); at < len(list) && list[at].Path == path {
		return &list[at], nil
	}
	return nil, nil
}

// cursor goes through records in the order of their paths.
type cursor struct {
	*Snapshot
	place int
	list  []page.Record // of the leaf at place
	at    int
}

// seek goes to the first record whose path is not before a bound, and gives it; nil behind the last one.
func (c *cursor) seek(ctx context.Context, bound string) (*page.Record, error) {
	if len(c.tree.leaves) == 0 {
		return nil, nil
	}
	if place := c.tree.place(bound); c.list == nil || place != c.place {
		var err error
		if c.list, err = c.load(ctx, place); err != nil {
			return nil, err
		}
		c.place = place
	}
	c.at = search(c.list, bound)
	return c.here(ctx)
}

// here gives the record that the cursor is at: where that is behind a page, the first one of the next.
func (c *cursor) here(ctx context.Context) (*page.Record, error) {
	for c.at >= len(c.list) {
		if c.place+1 >= len(c.tree.leaves) {
			return nil, nil
		}
		list, err := c.load(ctx, c.place+1)
		if err != nil {
			return nil, err
		}
		c.place, c.list, c.at = c.place+1, list, 0
	}
	return &c.list[c.at], nil
}

// records gives those from a bound on. Whoever goes on behind the first page has the next ones fetched ahead.
func (s *Snapshot) records(ctx context.Context, bound string) iter.Seq2[*page.Record, error] {
	return func(yield func(*page.Record, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		c := &cursor{Snapshot: s}
		r, err := c.seek(ctx, bound)
		begun, begins := c.place+1, c.place
		for ; r != nil || err != nil; r, err = c.here(ctx) {
			if !yield(r, err) || err != nil {
				return
			}
			c.at++
			for ; c.place > begins && begun <= c.place+pagesAhead && begun < len(s.tree.leaves); begun++ {
				go func(place int) { _, _ = s.load(ctx, place) }(begun) // who reads it learns what is wrong
			}
		}
	}
}

// Entries gives the entries of a path and below it in the order of their paths, or all of them for "". It reads the pages they are in; the first error
// ends it.
func (s *Snapshot) Entries(ctx context.Context, path string) iter.Seq2[*cbfs.Entry, error] {
	return func(yield func(*cbfs.Entry, error) bool) {
		if path != "" {
			r, err := s.record(ctx, path)
			if err != nil {
				yield(nil, err)
				return
			}
			if r != nil && !yield(&r.Entry, nil) {
				return
			}
		}
		below := cbfs.Canonical(path)
		for r, err := range s.records(ctx, below) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !strings.HasPrefix(r.Path, below) || !yield(&r.Entry, nil) {
				return
			}
		}
	}
}

// Child is what lies in a folder.
type Child struct {
	Name  string
	Entry *cbfs.Entry // nil for a folder that is in paths and has no entry
}

// List gives what lies in a folder, in the order of the names; "" is the volume. It reads the pages that this is in, and skips those of the folders in it. A
// folder that there is not has nothing in it.
func (s *Snapshot) List(ctx context.Context, folder string) ([]Child, error) {
	below := cbfs.Canonical(folder)
	found := map[string]*cbfs.Entry{}
	c := &cursor{Snapshot: s}
	r, err := c.seek(ctx, below)
	for err == nil && r != nil && strings.HasPrefix(r.Path, below) {
		name, _, deeper := strings.Cut(r.Path[len(below):], "/")
		if !deeper {
			found[name] = &r.Entry
			c.at++
			r, err = c.here(ctx)
			continue
		}
		if _, there := found[name]; !there {
			found[name] = nil
		}
		r, err = c.seek(ctx, below+name+"0") // behind all that is below it: 0 comes after the slash
	}
	if err != nil {
		return nil, err
	}
	list := make([]Child, 0, len(found))
	for name, e := range found { // order-free: sorted below
		list = append(list, Child{name, e})
	}
	slices.SortFunc(list, func(a, b Child) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Holds reports whether a path has an entry, or something lies below it.
func (s *Snapshot) Holds(ctx context.Context, path string) (bool, error) {
	for _, err := range s.Entries(ctx, path) {
		return err == nil, err
	}
	return false, nil
}

package mount

import (
	"context"
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// view is what was looked up in a snapshot, whose pages come from relays, for something that is done with mu held.
type view struct {
	from  *volume.Snapshot
	known map[string]found
	lists map[string][]volume.Child
}

// found is what a path leads to in a snapshot.
type found struct {
	entry *cbfs.Entry // nil for none
	above bool        // there is none, and something lies below
}

// need reports what a view has to look up first. A folder to be listed ends with a slash.
type need string

func (n need) Error() string { return string(n) + " is not looked up" }

// find gives what was looked up. Error: need.
func (v *view) find(path string) (found, error) {
	f, ok := v.known[path]
	if !ok {
		return f, need(path)
	}
	return f, nil
}

// list gives what was listed. Error: need.
func (v *view) list(folder string) ([]volume.Child, error) {
	list, ok := v.lists[folder]
	if !ok {
		return nil, need(folder + "/")
	}
	return list, nil
}

// read looks up what is needed.
func (v *view) read(ctx context.Context, what need) (err error) {
	path, folder := strings.CutSuffix(string(what), "/")
	if folder {
		v.lists[path], err = v.from.List(ctx, path)
		return err
	}
	f := found{}
	f.entry, err = v.from.Find(ctx, path)
	if errors.Is(err, volume.ErrPath) {
		f.above, err = v.from.Holds(ctx, path)
	}
	if err == nil {
		v.known[path] = f
	}
	return err
}

// with does something with mu held, in view of the newest snapshot. What it has to look up is looked up without mu, and then it is done again from the
// beginning: nothing has come of it before.
func (s *System) with(ctx context.Context, do func(v *view) error) error {
	v := &view{}
	for {
		s.mu.Lock()
		if v.from != s.snapshot {
			v = &view{s.snapshot, map[string]found{}, map[string][]volume.Child{}}
		}
		err := do(v)
		s.mu.Unlock()
		what, ok := err.(need)
		if !ok {
			return err
		}
		if err := v.read(ctx, what); err != nil {
			return errnoOf(err)
		}
	}
}

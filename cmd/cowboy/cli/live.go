package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/suite"
)

// watching keeps a project's actors checked, tested and deployed.
type watching struct {
	app  *app
	root string                 // of the project
	seen map[string]digest.Hash // by actor: what was tried last
}

// watchProject checks, tests and deploys every actor of a project, and again each one whose directory changed.
func (a *app) watchProject(ctx context.Context, root string) error {
	w := &watching{app: a, root: root, seen: map[string]digest.Hash{}}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for last, first := "", true; ; first = false {
		now, err := fingerprint([]string{filepath.Join(root, "actors")})
		if err != nil {
			return err
		}
		if now != last || first {
			last = now
			if err := w.round(ctx); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// round looks at every actor. What is wrong with one is printed and keeps nobody from the others.
func (w *watching) round(ctx context.Context) error {
	mains, err := filepath.Glob(filepath.Join(w.root, "actors", "*", "main.py"))
	if err != nil {
		return err
	}
	if len(mains) == 0 {
		return fmt.Errorf("there is no actors/*/main.py in %s\n  make a project by `cowboy init local`, or an actor by `cowboy actor new NAME`", w.root)
	}
	manifest, err := project.ReadManifest(w.root)
	if err != nil {
		return err
	}
	slices.SortFunc(mains, manifest.Compare)
	for _, main := range mains {
		dir := filepath.Dir(main)
		hash, err := contents(dir)
		if err != nil || hash == w.seen[dir] {
			continue // it is being replaced, or is as it was
		}
		w.seen[dir] = hash
		if err := w.actor(ctx, main); err != nil && ctx.Err() == nil {
			fmt.Fprintf(w.app.out, "%s: %v\n", main, err)
		}
	}
	if ctx.Err() == nil {
		fmt.Fprintln(w.app.out, "watching; Ctrl-C ends it")
	}
	return nil
}

// contents stands for an actor's sources and tests.
func contents(dir string) (digest.Hash, error) {
	var all [][]byte
	for _, pattern := range []string{"*.py", "*.txtar"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return digest.Hash{}, err
		}
		sort.Strings(files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return digest.Hash{}, err
			}
			all = append(all, []byte(file), text)
		}
	}
	return digest.Keccak256(all...), nil
}

var errStays = errors.New("not deployed")

// actor checks, tests and deploys one actor.
func (w *watching) actor(ctx context.Context, main string) error {
	source, err := readSource(main)
	if err != nil {
		return err
	}
	if found := checkSource(main, source); len(found) > 0 {
		for _, text := range found {
			fmt.Fprintln(w.app.out, text)
		}
		return errStays
	}
	err = w.app.runTests(ctx, []string{filepath.Dir(main)}, &testOptions{parallel: 1})
	if err != nil && !errors.Is(err, suite.ErrNone) {
		return errors.Join(errStays, err)
	}
	return w.deploy(ctx, main)
}

// deploy brings the network to the actor: where it is already, it is upgraded in place and keeps its storage.
func (w *watching) deploy(ctx context.Context, main string) error {
	d, err := w.app.newDeployment(ctx)
	if err != nil {
		return err
	}
	declared := d.manifest.BySource(main)
	for _, name := range declared.After {
		if d.deployed.Actors[name] == nil {
			return fmt.Errorf("%w: %s is there first; %s says so", errStays, name, d.manifest.Path)
		}
	}
	p, err := d.consider(ctx, declared)
	if err != nil {
		return err
	}
	switch p.Do {
	case planConflict:
		return fmt.Errorf("%w: %s", errStays, p.Note)
	case planUnchanged:
		if err := d.deployed.Save(); err != nil {
			return err
		}
		fmt.Fprintf(w.app.out, "%s is as it is at %s\n", main, p.Address)
		return nil
	}
	if err := d.apply(ctx, []*planned{p}); err != nil {
		return fmt.Errorf("%w: %w", errStays, err)
	}
	return nil
}

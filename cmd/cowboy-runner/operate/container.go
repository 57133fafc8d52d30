package operate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/image"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// contains reports whether there is a place for jobs of containers.
func (c *config) contains() bool {
	for _, p := range c.Places {
		if kind, ok := runner.KindOf(p.Capability); ok && kind == job.Container {
			return true
		}
	}
	return false
}

// set makes the executors of a process that does jobs; own is the runner's address, where it is known.
func (r *running) set(ctx context.Context, own account.Address) (*work.Set, error) {
	set, err := r.config.set()
	if err == nil {
		err = r.config.conceal(ctx, r.dir, set)
	}
	if err == nil {
		set.Environment, err = r.config.environment(own)
	}
	if err != nil || !r.config.contains() {
		return set, err
	}
	c := &r.config.Container
	if c.Runner != "" {
		if own, err = account.ReadAddress(c.Runner); err != nil {
			return nil, fmt.Errorf("container.runner: %w", err)
		}
	}
	found, err := work.FindRuntime(ctx, c.Runtime)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(r.dir, containers))
	if err != nil {
		return nil, err
	}
	if err := reachable(dir); err != nil {
		return nil, err
	}
	keep := image.Store{Dir: filepath.Join(dir, "images"), Layouts: c.Layouts, MaxBytes: c.MaxImage}
	if c.Registries {
		keep.Transport = work.Public(c.Private)
	}
	images, err := image.NewStore(keep)
	if err != nil {
		return nil, err
	}
	executor := &work.Containers{Runtime: found, Dir: dir, Images: images, Runner: own}
	if c.Network {
		if os.Geteuid() != 0 {
			return nil, errors.New("container.network: a runner that is not root gives containers no network")
		}
		executor.Out = work.Outward(c.Private)
	}
	if err := executor.Sweep(); err != nil {
		return nil, err
	}
	set.Executors[job.Container] = executor
	r.log.Info().Str("runtime", found.Path).Bool("cgroups", found.Cgroups).Msg("containers can be run")
	return set, nil
}

// reachable makes the directory of containers. Where this process is root, their users go through the directories above it, whose lists stay closed.
func reachable(dir string) error {
	if err := os.MkdirAll(dir, 0o711); err != nil || os.Geteuid() != 0 {
		return err
	}
	return os.Chmod(filepath.Dir(dir), 0o711)
}

// examineContainers says whether containers can be run here.
func (c *config) examineContainers(ctx context.Context, say func(what string, err error)) {
	if !c.contains() {
		return
	}
	found, err := work.FindRuntime(ctx, c.Container.Runtime)
	what := "OCI runtime"
	if err == nil {
		what += " " + found.Path
		if !found.Cgroups {
			what += ", without control groups: limits are those of each process"
		}
	}
	say(what, err)
	for _, path := range c.Container.Layouts {
		_, err := os.Stat(filepath.Join(path, "oci-layout"))
		say("OCI layout "+path, err)
	}
}

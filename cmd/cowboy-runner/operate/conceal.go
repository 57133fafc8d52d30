package operate

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// strangers are what starts programs of others: executors, and servers that speak over their streams.
func strangers(set *work.Set) (list []*work.Self) {
	if custom, ok := set.Executors[job.Custom].(*work.Custom); ok {
		list = append(list, &custom.Self)
	}
	if servers, ok := set.Executors[job.MCP].(*work.MCP); ok {
		for _, s := range servers.Servers { // order-free: whether there is one
			if len(s.Command) > 0 {
				return append(list, &servers.Self)
			}
		}
	}
	return list
}

// keys are the paths that no program of others may read: the data directory, and the key of TLS where it lies elsewhere.
func (c *config) keys(dir string) ([]string, error) {
	list := []string{dir}
	if c.Queue.Key != "" {
		path := c.Queue.Key
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		list = append(list, path)
	}
	for i, path := range list {
		real, err := filepath.Abs(path)
		if err == nil {
			real, err = filepath.EvalSymlinks(real)
		}
		if err != nil {
			return nil, err
		}
		list[i] = real
	}
	if rel, err := filepath.Rel(list[0], list[len(list)-1]); len(list) > 1 && err == nil && filepath.IsLocal(rel) {
		list = list[:1] // within the directory
	}
	return list, nil
}

// conceal hides the keys from the programs of others that a set starts. An error says that they would be in sight.
func (c *config) conceal(ctx context.Context, dir string, set *work.Set) error {
	list := strangers(set)
	if len(list) == 0 {
		return nil
	}
	hide, err := c.keys(dir)
	if err != nil {
		return err
	}
	for _, self := range list {
		self.Hide = hide
		if err := self.Hides(ctx); err != nil {
			return fmt.Errorf("executors and servers over stdio would read the keys in %s; run them on workers elsewhere, or as containers: %w", dir, err)
		}
	}
	return nil
}

// examineKeys says whether the keys can be hidden from programs of others, where any are configured.
func (c *config) examineKeys(ctx context.Context, dir string, say func(what string, err error)) {
	set, err := c.set()
	if err == nil && len(strangers(set)) > 0 {
		say("keys are hidden from executors", c.conceal(ctx, dir, set))
	}
}

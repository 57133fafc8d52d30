package govern

import (
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// groups are the parameter groups a proposal may change: those of package params and those of the chapters.
type groups struct {
	chapters map[string]*chapter.Param
}

// join takes the chapters' groups. That two chapters have one key, or one a tier nobody has, is a mistake in the source.
func (g *groups) join(all []*chapter.Chapter) {
	for _, c := range all {
		for i := range c.Params {
			p := &c.Params[i]
			if _, taken := params.TierOf(p.Key); taken || g.chapters[p.Key] != nil || p.Tier >= params.GovernanceTiers {
				panic("govern: parameter group " + p.Key)
			}
			g.chapters[p.Key] = p
		}
	}
}

// of finds a group as a block sees it.
//
// Spec: governance-staking B9.
func (g *groups) of(b *drain.Block) func(key string) (govern.Group, bool) {
	return func(key string) (govern.Group, bool) {
		if p := g.chapters[key]; p != nil {
			return govern.Group{Tier: p.Tier, Check: p.Check}, true
		}
		tier, ok := params.TierOf(key)
		return govern.Group{Tier: tier, Check: func(value []byte) error { return replaces(b, key, value) }}, ok
	}
}

// replaces holds all parameters with a group replaced against their ranges, and what begins at a height against the rules of the instruction that announces
// it.
//
// Spec: WP §13.1; governance-staking B9.
func replaces(b *drain.Block, key string, value []byte) error {
	p := *b.Params
	if err := p.Replace(key, value); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return err
	}
	switch key {
	case params.KeyEntitlements:
		return announced(b, &p.Entitlements)
	case params.KeyHybrid:
		was, at := b.Params.Hybrid.ActivationHeight, p.Hybrid.ActivationHeight
		switch {
		case at == was:
		case timer.Active(b.Params, b.Height):
			return chapter.Refuse(drain.FaultTimer, "the timer market has begun")
		case at <= b.Height:
			return chapter.Refuse(drain.FaultTimer, "the timer market begins after the block that says so")
		}
	}
	return nil
}

// announced checks what the registry of entitlements is to lose. An entry that was not there begins after this block and lasts for the window at least; one
// that was there may stay as it is or go.
//
// Spec: ENT §9.10, §9.11 (announcement, window).
func announced(b *drain.Block, c *params.EntitlementConfig) error {
	before := &b.Params.Entitlements
	for _, d := range c.Deprecated {
		if was, ok := before.Deprecation(d.ID); ok && was == d {
			continue
		}
		switch {
		case !entitle.Known(d.ID):
			return chapter.Refuse(drain.FaultInput, "%.64q is not in the registry", d.ID)
		case d.From <= b.Height:
			return chapter.Refuse(drain.FaultInput, "%s: a deprecation begins after the block that announces it", d.ID)
		case uint64(d.Until-d.From) < c.WindowBlocks:
			return chapter.Refuse(drain.FaultInput, "%s: the deprecation is shorter than the window", d.ID)
		}
	}
	return nil
}

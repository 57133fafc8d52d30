package runner

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// find reads the record of a runner in any status.
func (g *Registry) find(addr account.Address) (*Runner, error) {
	r, ok, err := Load(g.State, addr)
	if err == nil && !ok {
		err = ErrUnknown
	}
	return r, err
}

// Score moves a runner's reputation towards a score of 0 to 200 points. A reject: ErrUnknown.
//
// Spec: WP §13; runner-marketplace §8.
func (g *Registry) Score(addr account.Address, points uint64) error {
	r, err := g.find(addr)
	if err != nil {
		return err
	}
	r.Reputation = r.Reputation.toward(ReputationOf(points), r.Scored, g.Height, g.Params.Reputation.HalfLifeBlocks)
	r.Scored = g.Height
	g.save(addr, r)
	return nil
}

// Slash takes a share of what stands behind a runner - its stake, and that of its delegators within their bound - at most limit, and shares it out: what is
// not the submitter's or the treasury's is burned, each of those two rounded down. Proven dishonesty costs all reputation too. With less than the floor left
// the runner is suspended. It gives what was taken and what of it was burned. A reject: ErrUnknown.
//
// Spec: WP §5.3, §8.4, §13 (slash_distribution); runner-marketplace §7, §8, §8.1; governance-staking C5.
func (g *Registry) Slash(addr account.Address, bps uint32, limit unit.Amount, submitter account.Address) (lost, burned unit.Amount, err error) {
	r, err := g.find(addr)
	if err != nil {
		return 0, 0, err
	}
	own, theirs, err := g.punish(addr, r, bps, limit)
	if err != nil {
		return 0, 0, err
	}
	lost = own + theirs // coins of this registry
	split := g.Params.SlashDistribution
	reward, err := lost.MulDiv(uint64(split.SubmitterBPS), params.BasisPoints)
	if err != nil {
		return 0, 0, err
	}
	treasury, err := lost.MulDiv(uint64(split.TreasuryBPS), params.BasisPoints)
	if err != nil {
		return 0, 0, err
	}
	burned = lost - reward - treasury
	if err := account.Debit(g.State, Home(), lost); err != nil {
		return 0, 0, err
	}
	if err := account.Credit(g.State, submitter, reward); err != nil {
		return 0, 0, err
	}
	if err := account.Credit(g.State, account.System(account.Treasury), treasury); err != nil {
		return 0, 0, err
	}
	r.Stake, r.Reputation, r.Scored = r.Stake-own, 0, g.Height
	g.emit(TopicSlashed, addr, uint64(lost), uint64(burned))
	d, err := LoadDeclaration(g.State, addr)
	if err != nil {
		return 0, 0, err
	}
	if covers(r, d) != nil && r.Status != Leaving {
		r.Status = Suspended
		g.emit(TopicSuspended, addr, uint64(r.Stake))
	}
	g.save(addr, r)
	return lost, burned, nil
}

// Lock keeps a runner's stake there until after a block. One that is gone has none.
//
// Spec: runner-marketplace §7 (stake stays locked as long as a challenge may come).
func (g *Registry) Lock(addr account.Address, until unit.Height) error {
	r, ok, err := Load(g.State, addr)
	if err != nil || !ok {
		return err
	}
	r.LockedUntil = max(r.LockedUntil, until)
	g.save(addr, r)
	return nil
}

// releasesPerBlock bounds how many runners the end of a block pays out.
const releasesPerBlock = 32

// leaver is a runner that may be due.
type leaver struct {
	key  []byte
	at   unit.Height
	addr account.Address
}

// due lists the runners whose block has come, at most releasesPerBlock.
func (g *Registry) due() (list []leaver, err error) {
	prefix := account.KeyString(account.KindRecord, Home(), underLeaving)
	err = g.State.Scan(prefix, nil, releasesPerBlock, func(key, _ []byte) bool {
		at := unit.Height(binary.BigEndian.Uint64(key[len(prefix):]))
		if at > g.Height {
			return false
		}
		list = append(list, leaver{key, at, account.Address(key[len(prefix)+8:])})
		return true
	})
	return list, err
}

// Release pays out the stakes that are due, at the end of a block. Who has a job open, or may be challenged for one, waits.
//
// Spec: runner-marketplace §7 (stake stays locked as long as a challenge may come).
func (g *Registry) Release() error {
	list, err := g.due()
	if err != nil {
		return err
	}
	for _, l := range list {
		r, err := g.find(l.addr)
		if err != nil {
			return err
		}
		g.State.Delete(l.key)
		if r.ActiveJobs > 0 || g.Height <= r.LockedUntil {
			r.Leaves = max(g.Height+params.RunnerHeartbeatBlocks, r.LockedUntil+1)
			g.State.Set(leavingKey(r.Leaves, l.addr), nil)
			g.save(l.addr, r)
			continue
		}
		if err := account.Move(g.State, Home(), l.addr, r.Stake); err != nil {
			return err
		}
		g.State.Delete(stateKey(l.addr))
		g.State.Delete(declaredKey(l.addr))
		if _, err := tee.Unbind(g.State, l.addr); err != nil {
			return err
		}
		g.emit(TopicReleased, l.addr, uint64(r.Stake))
	}
	return nil
}

// Assign counts a job a runner was selected for, and gives its reputation. One that is gone meanwhile has none, and nothing is counted.
//
// Spec: runner-marketplace §2.5 (active_jobs), §4.1 (6), §4.6.
func (g *Registry) Assign(addr account.Address) (Reputation, error) {
	r, ok, err := Load(g.State, addr)
	if err != nil || !ok {
		return 0, err
	}
	r.ActiveJobs++
	g.save(addr, r)
	return r.Reputation, nil
}

// Free counts one of a runner's jobs as over. The runner's stake is not paid out in a block or before it; 0 leaves it as it is.
//
// Spec: runner-marketplace §2.5 (active_jobs), §7 (stake stays locked as long as a challenge may come).
func (g *Registry) Free(addr account.Address, locked unit.Height) error {
	r, ok, err := Load(g.State, addr)
	if err != nil || !ok {
		return err
	}
	r.ActiveJobs -= min(r.ActiveJobs, 1)
	r.LockedUntil = max(r.LockedUntil, locked)
	g.save(addr, r)
	return nil
}

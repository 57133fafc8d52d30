package stake

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// EndBlock does the registry's part at the end of a block, after its inflation was minted: the epoch's anchor and seed after its first block, the list
// for the next epoch at the midpoint, the boundary after the last block. It gives how much stake was burned. Errors are failures.
// Spec: WP "Validator Set", "Staking and Rewards", "Slashing"; governance-staking part A; commonware §3.6, §4.3.
func (g *Registry) EndBlock(h *block.Header) (burned unit.Amount, err error) {
	calendar, epoch := g.Params.Calendar, g.epoch()
	if g.Height == 1 || g.Height == calendar.First(epoch) {
		err = g.open(h)
	}
	if err == nil {
		err = g.CountVotes(h)
	}
	if err == nil && g.Height == calendar.Freeze(epoch) {
		err = g.freeze()
	}
	if err == nil && g.Height == calendar.Last(epoch) {
		burned, err = g.close()
	}
	return burned, err
}

// open records what the epoch builds on.
// Spec: commonware §3.6 (epoch_seed).
func (g *Registry) open(h *block.Header) error {
	rec, err := loadEpoch(g.State, h.Epoch)
	if err != nil {
		return err
	}
	rec.Anchor = h.ParentHash
	rec.Seed = h.ParentHash[:]
	if h.ParentSeed != nil {
		rec.Seed = h.ParentSeed.Signature[:]
	}
	g.State.Set(epochKey(h.Epoch), rec.encode())
	return nil
}

// freeze closes the list for the next epoch.
// Spec: WP "Validator Set"; commonware §4.3 (players are announced before the ceremony).
func (g *Registry) freeze() error {
	if err := g.clear(recordKey(keyLog)); err != nil { // of the ceremony before
		return err
	}
	var list []Member
	err := g.each(func(addr account.Address, v *Validator) error {
		if v.eligible(g.Params.Stake.MinimumValidatorStake) {
			list = append(list, Member{Address: addr, Key: v.Key, Weight: v.bonded()})
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		return err
	}
	if len(list) > params.MaxValidators {
		slices.SortFunc(list, func(a, b Member) int {
			return cmp.Or(-cmp.Compare(a.Weight, b.Weight), bytes.Compare(a.Key[:], b.Key[:]))
		})
		list = list[:params.MaxValidators]
	}
	slices.SortFunc(list, func(a, b Member) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	g.State.Set(recordKey(keyNext), appendMembers(nil, list))
	return nil
}

// close ends the epoch.
// Spec: WP "Validator Set" (set updates and slashing at boundaries); governance-staking A1, A2, A3.
func (g *Registry) close() (burned unit.Amount, err error) {
	if err := g.settle(); err != nil {
		return 0, err
	}
	rec, err := loadEpoch(g.State, g.epoch())
	if err != nil {
		return 0, err
	}
	next := &EpochRecord{Set: rec.Set, Sharing: rec.Sharing}
	members, sharing, renewed, err := g.successor()
	if err != nil {
		return 0, err
	}
	if renewed {
		next.Sharing = g.epoch() + 1
		g.State.Set(sharingKey(next.Sharing), sharing)
	} else if members, err = loadMembers(g.State, rec.Set); err != nil {
		return 0, err
	}
	if burned, err = g.turn(members); err != nil {
		return 0, err
	}
	if err := g.weigh(members, next, rec); err != nil {
		return 0, err
	}
	g.State.Set(epochKey(g.epoch()+1), next.encode())
	g.State.Delete(recordKey(keyMissed))
	g.emitEpoch(len(members), renewed)
	return burned, g.prune()
}

func (g *Registry) emitEpoch(members int, renewed bool) {
	data := codec.AppendUint(codec.AppendUint(nil, g.epoch()+1), uint64(members))
	g.Events = append(g.Events, block.Event{Actor: home(), Topic: []byte(TopicEpoch), Data: codec.AppendBool(data, renewed)})
}

// turn takes every record over the boundary: slashes, then what joins and leaves, then the status in the new set.
func (g *Registry) turn(members []Member) (burned unit.Amount, err error) {
	in := make(map[account.Address]bool, len(members))
	for _, m := range members {
		in[m.Address] = true
	}
	err = g.each(func(addr account.Address, v *Validator) error {
		before := v.Encode()
		lost, err := g.slash(addr, v)
		if err != nil {
			return err
		}
		burned += lost
		v.cross(in[addr], g.Height+1)
		if bytes.Equal(before, v.Encode()) {
			return nil
		}
		return g.save(addr, v)
	})
	return burned, err
}

// cross takes a validator into the epoch that begins at a height, as a member of its set or not.
// Spec: governance-staking A1.
func (v *Validator) cross(member bool, first unit.Height) {
	leaving := v.Leaving
	v.Stake, v.Joining, v.Leaving = v.Stake+v.Joining-v.Leaving, 0, 0
	switch {
	case v.Status == Exiting && !member:
		v.Status = Unbonding
		leaving += v.Stake
		v.Stake = 0
	case v.Status == Pending && member:
		v.Status = Active
	case v.Status == Active && !member:
		v.Status = Pending
	}
	if leaving > 0 {
		v.Releases = append(v.Releases, Release{Amount: leaving, Height: first + params.UnbondingBlocks})
	}
}

// weigh fixes the members' weights: the stake of those who are Active, nothing for others, so that they are never drawn. If nobody is Active the chain
// goes on with everybody. The set is stored if it differs from the present one.
func (g *Registry) weigh(members []Member, next, present *EpochRecord) error {
	var total unit.Amount
	for i := range members {
		v, err := g.load(members[i].Address)
		if err != nil {
			return err
		}
		members[i].Weight = 0
		if v.Status == Active {
			members[i].Weight = v.Stake
		}
		total += members[i].Weight
	}
	if total == 0 {
		for i := range members {
			members[i].Weight = 1
		}
	}
	data := appendMembers(nil, members)
	was, _, err := g.State.Lookup(setKey(present.Set))
	if err != nil {
		return err
	}
	if !bytes.Equal(was, data) {
		next.Set = g.epoch() + 1
		g.State.Set(setKey(next.Set), data)
	}
	return nil
}

// prune forgets the epoch that evidence can no longer be about, and what only it needed.
func (g *Registry) prune() error {
	retained := g.Params.Calendar.Retained()
	if g.epoch() < retained {
		return nil
	}
	old := g.epoch() - retained
	gone, err := loadEpoch(g.State, old)
	if err != nil {
		return err
	}
	kept, err := loadEpoch(g.State, old+1)
	if err != nil {
		return err
	}
	if gone.Set != kept.Set {
		g.State.Delete(setKey(gone.Set))
	}
	if gone.Sharing != kept.Sharing {
		g.State.Delete(sharingKey(gone.Sharing))
	}
	g.State.Delete(epochKey(old))
	return g.clear(numbered(keyOffence, old))
}

package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// attendance counts, for each rank of the epoch's set, the votes missed among the last params.DowntimeWindowBlocks counted blocks.
type attendance struct {
	counted uint64 // blocks of this epoch whose votes were counted
	missed  []uint16
}

func (a *attendance) encode() []byte {
	dst := codec.AppendLen(codec.AppendUint(nil, a.counted), len(a.missed))
	for _, m := range a.missed {
		dst = codec.AppendU16(dst, m)
	}
	return dst
}

func decodeAttendance(data []byte) (*attendance, error) {
	r := codec.NewReader(data)
	a := &attendance{counted: r.Uint()}
	a.missed = make([]uint16, r.Len(1, params.MaxValidators, 2))
	for i := range a.missed {
		a.missed[i] = r.U16()
	}
	return a, r.Finish()
}

// CountVotes records who voted for the parent of the block and jails whoever missed more than half of the votes of the last
// params.DowntimeWindowBlocks counted blocks of the epoch; nothing is taken from its stake. votes are by rank in the epoch's set, proven by the
// header; ErrVotes for another number of validators.
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks); governance-staking A3.
func (g *Registry) CountVotes(votes sig.Signers) error {
	members, err := current(g.State, g.epoch())
	if err != nil {
		return err
	}
	if votes.Len() != len(members) {
		return ErrVotes
	}
	a, err := g.attendance(len(members))
	if err != nil {
		return err
	}
	slot := slotKey(uint32(a.counted % params.DowntimeWindowBlocks))
	if a.counted >= params.DowntimeWindowBlocks {
		if err := g.forget(a, slot); err != nil {
			return err
		}
	}
	for i := range members {
		if !votes.Has(i) {
			a.missed[i]++
		}
	}
	a.counted++
	g.State.Set(slot, votes.Append(nil))
	g.State.Set(params.StateKey(keyMissed), a.encode())
	return g.jailAbsent(members, a)
}

// CheckVotes gives ErrVotes unless the votes for the parent in a header are about the members of its epoch's set. That they were cast is agreement's to
// check (simplex.State.VotesClaim), as for a header's other signatures.
// Spec: WP §6.1; governance-staking A3.
func (g *Registry) CheckVotes(h *block.Header) error {
	if h.ParentVotes == nil {
		return nil
	}
	members, err := current(g.State, h.Epoch)
	if err == nil && h.ParentVotes.Signers.Len() != len(members) {
		err = ErrVotes
	}
	return err
}

func (g *Registry) attendance(n int) (*attendance, error) {
	raw, ok, err := g.State.Lookup(params.StateKey(keyMissed))
	if err != nil {
		return nil, err
	}
	if !ok {
		return &attendance{missed: make([]uint16, n)}, nil
	}
	return decodeAttendance(raw)
}

// forget takes the block that falls out of the window off the counts.
func (g *Registry) forget(a *attendance, slot []byte) error {
	raw, _, err := g.State.Lookup(slot)
	if err != nil {
		return err
	}
	r := codec.NewReader(raw)
	old := sig.ReadSigners(r)
	for i := range a.missed {
		if !old.Has(i) {
			a.missed[i]--
		}
	}
	return r.Finish()
}

func (g *Registry) jailAbsent(members []Member, a *attendance) error {
	const most = params.DowntimeWindowBlocks * params.DowntimeMissedBPS / params.BasisPoints
	for i, m := range members {
		if a.missed[i] <= most {
			continue
		}
		v, err := g.load(m.Address)
		if err != nil {
			return err
		}
		if v.Status != Active {
			continue
		}
		if err := g.jail(m.Address, v); err != nil {
			return err
		}
		g.save(m.Address, v)
	}
	return nil
}

package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// attendance counts, for each rank of the epoch's set, in how many of the last params.DowntimeWindowBlocks blocks with closed ballots it took no part.
type attendance struct{ missed []uint16 }

func (a *attendance) encode() []byte {
	dst := codec.AppendLen(nil, len(a.missed))
	for _, m := range a.missed {
		dst = codec.AppendU16(dst, m)
	}
	return dst
}

func decodeAttendance(data []byte) (*attendance, error) {
	r := codec.NewReader(data)
	a := &attendance{missed: make([]uint16, r.Len(1, params.MaxValidators, 2))}
	for i := range a.missed {
		a.missed[i] = r.U16()
	}
	return a, r.Finish()
}

// Ballot is a block of the present epoch and who is known to have taken part in its view, by rank.
type Ballot struct {
	View   uint64
	Hash   digest.Hash
	Voters sig.Signers
}

// LoadBallot reads the ballot of a block of the present epoch whose child is executed and which is not older than the downtime window; ok is false where the
// epoch's votes are not counted, since it has one validator, or too many.
func LoadBallot(r state.Reader, height unit.Height) (b *Ballot, ok bool, err error) {
	raw, ok, err := r.Lookup(slotKey(height))
	if err != nil || !ok {
		return nil, false, err
	}
	b, err = decodeBallot(raw)
	return b, err == nil, err
}

// Subject is what the block's validators voted for.
func (b *Ballot) Subject(epoch uint64, height unit.Height) sig.Subject {
	return sig.Subject{BlockHash: b.Hash, Height: uint64(height), Round: sig.Round{Epoch: epoch, View: b.View}}
}

// ReportThreshold is the number of missed votes from which on an honest proposer reports late votes: half of those for which a validator is jailed.
// So headers stay short where votes come late only now and then.
const ReportThreshold = params.DowntimeWindowBlocks * params.DowntimeMissedBPS / params.BasisPoints / 2

// BelowReportThreshold are the validators of n whose late votes need no report, since they missed fewer than ReportThreshold.
func BelowReportThreshold(r state.Reader, n int) (sig.Signers, error) {
	set := sig.NewSigners(n)
	a, err := loadAttendance(r, n)
	if err != nil {
		return set, err
	}
	for i, missed := range a.missed {
		if missed < ReportThreshold {
			set.Add(i)
		}
	}
	return set, nil
}

func (b *Ballot) encode() []byte {
	return b.Voters.Append(codec.AppendFixed(codec.AppendUint(nil, b.View), b.Hash[:]))
}

func decodeBallot(data []byte) (*Ballot, error) {
	r := codec.NewReader(data)
	b := &Ballot{View: r.Uint()}
	r.Into(b.Hash[:])
	b.Voters = sig.ReadSigners(r)
	return b, r.Finish()
}

// counts reports whether the block was reported by anybody: a quorum took part in it, so fewer say nothing about the others.
func (b *Ballot) counts() bool {
	return b.Voters.Len() > 0 && b.Voters.Size() >= sig.Quorum(b.Voters.Len())
}

// CountVotes records who took part in the views of the block's parent and of those before it, as the block's header tells, proven. A block's ballot closes
// params.AttendanceBlocks after it. Whoever is in none of so many headers, and missed more than half of the last params.DowntimeWindowBlocks blocks of the
// epoch whose ballots are closed, is jailed; nothing is taken from its stake. A block of which nobody told is nobody's to miss.
//
// No proposer decides alone who was there: an honest one reports whomever the headers before it left out, once that validator has missed
// ReportThreshold. From then on a validator, or several together, with a share x of the draws leaves it out of a ballot only by proposing all the
// blocks that could report it, which has the probability x^32. Of 1,000
// blocks it is left out of 250 + 750·x^32 at most: 276 at x = 0.9, 395 at 0.95; more than 500 takes x > 3^(-1/32) = 0.966. Runs
// of one proposer make the counts vary, so that 0.95 may be enough once in a while. Left besides: votes that reach no honest proposer within 32 blocks count as
// missed, and the last 32 blocks of an epoch are not counted.
//
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks); governance-staking A3.
func (g *Registry) CountVotes(h *block.Header) error {
	first := max(g.Params.Calendar.First(g.epoch()), 1)
	if g.Height <= first {
		return nil
	}
	members, err := current(g.State, g.epoch())
	if err != nil || len(members) < 2 || len(members) > sig.MaxVoters {
		return err
	}
	parent := &Ballot{View: h.ParentView, Hash: h.ParentHash, Voters: sig.NewSigners(len(members))}
	if h.ParentVotes != nil {
		parent.Voters = h.ParentVotes.Signers
	}
	g.State.Set(slotKey(g.Height-1), parent.encode())
	for i := range h.LateVotes {
		if err := g.addVotes(&h.LateVotes[i]); err != nil {
			return err
		}
	}
	if g.Height < first+params.AttendanceBlocks {
		return nil
	}
	return g.closeBallot(members, g.Height-params.AttendanceBlocks, first)
}

func (g *Registry) addVotes(v *sig.LateVotes) error {
	height := unit.Height(v.Height)
	b, err := g.ballot(height)
	if err != nil {
		return err
	}
	b.Voters = b.Voters.With(v.Signers)
	g.State.Set(slotKey(height), b.encode())
	return nil
}

// closeBallot counts a block in and the one that falls out of the window off.
func (g *Registry) closeBallot(members []Member, height, first unit.Height) error {
	a, err := loadAttendance(g.State, len(members))
	if err != nil {
		return err
	}
	closed, err := g.ballot(height)
	if err != nil {
		return err
	}
	a.count(closed, 1)
	if height >= first+params.DowntimeWindowBlocks {
		old, err := g.ballot(height - params.DowntimeWindowBlocks)
		if err != nil {
			return err
		}
		a.count(old, -1)
	}
	g.State.Set(recordKey(keyMissed), a.encode())
	return g.jailAbsent(members, a)
}

// count adds one to what everybody missed who took no part in a block, or takes it off again.
func (a *attendance) count(b *Ballot, one int) {
	if !b.counts() {
		return
	}
	for i := range a.missed {
		if !b.Voters.Has(i) {
			a.missed[i] = uint16(int(a.missed[i]) + one)
		}
	}
}

// ballot is a block's, that of nobody if there is none.
func (g *Registry) ballot(height unit.Height) (*Ballot, error) {
	b, ok, err := LoadBallot(g.State, height)
	if err == nil && !ok {
		b = &Ballot{}
	}
	return b, err
}

// CheckVotes gives ErrVotes unless the votes in a header are about the members of its epoch's set, and the late ones tell of nobody who was reported before.
// That they were cast is agreement's to check (simplex.State), as for a header's other signatures.
// Spec: WP §6.1; governance-staking A3.
func (g *Registry) CheckVotes(h *block.Header) error {
	if h.ParentVotes == nil && len(h.LateVotes) == 0 {
		return nil
	}
	members, err := current(g.State, h.Epoch)
	if err != nil {
		return err
	}
	if h.ParentVotes != nil && h.ParentVotes.Signers.Len() != len(members) {
		return ErrVotes
	}
	reported := sig.Signers{}
	for i := range h.LateVotes {
		v := &h.LateVotes[i]
		if i == 0 || h.LateVotes[i-1].Height != v.Height {
			b, ok, err := LoadBallot(g.State, unit.Height(v.Height))
			if err != nil {
				return err
			}
			if !ok {
				return ErrVotes
			}
			reported = b.Voters
		}
		if v.Signers.Len() != len(members) || reported.Len() != len(members) || reported.Meets(v.Signers) {
			return ErrVotes
		}
		reported = reported.With(v.Signers)
	}
	return nil
}

func loadAttendance(r state.Reader, n int) (*attendance, error) {
	raw, ok, err := r.Lookup(recordKey(keyMissed))
	if err != nil {
		return nil, err
	}
	if !ok {
		return &attendance{missed: make([]uint16, n)}, nil
	}
	return decodeAttendance(raw)
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
		if err := g.save(m.Address, v); err != nil {
			return err
		}
	}
	return nil
}

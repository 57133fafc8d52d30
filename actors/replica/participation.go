package replica

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// retention is for how many views below the last final one votes are kept: twice the blocks of which a header may tell who took part, since some views end
// without a block.
const retention = max(simplex.DefaultRetention, 2*params.AttendanceBlocks)

// participation fills in who took part in recent blocks: the votes for the parent, and of those who missed many what is known here and no header has told,
// oldest first, since those ballots close first, and within the bound of a header.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *state) participation(h *block.Header, parent head, certified sig.Subject) {
	if len(s.epoch.committee.Stakes) < 2 || parent.header.Height == 0 || parent.header.Epoch != h.Epoch {
		return
	}
	h.ParentVotes = s.epoch.state.Votes(certified)
	fine, err := stake.BelowReportThreshold(parent.state, len(s.epoch.committee.Stakes))
	if s.fails(err) || fine.Size() == fine.Len() {
		return
	}
	size := 0
	for _, height := range openBallots(h, s.first()) {
		ballot, ok, err := stake.LoadBallot(parent.state, height)
		if s.fails(err) || !ok || ballot.Voters.Len() != fine.Len() {
			return
		}
		for _, late := range s.epoch.state.LateVotes(ballot.Subject(h.Epoch, height), ballot.Voters.With(fine)) {
			if size += len(late.Append(nil)); size > params.MaxLateVotesBytes {
				return
			}
			h.LateVotes = append(h.LateVotes, late)
		}
	}
}

// openBallots lists the heights of which a header may bring late votes, ascending; first is that of its epoch's first block.
func openBallots(h *block.Header, first unit.Height) (list []unit.Height) {
	for height := max(first, 1, h.Height-min(h.Height, params.AttendanceBlocks)); height+2 <= h.Height; height++ {
		list = append(list, height)
	}
	return list
}

// first is the height of the present epoch's first block.
func (s *state) first() unit.Height { return s.identity.Calendar.First(s.epoch.number) }

// lateClaims gives what the late votes of a block on a parent claim; ok is false if they are about no block, or another set.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func (s *state) lateClaims(h *block.Header, parent head) (claims []simplex.Claim, ok bool) {
	for i := range h.LateVotes {
		v := &h.LateVotes[i]
		height := unit.Height(v.Height)
		if height < max(s.first(), 1) || height >= parent.header.Height {
			return nil, false
		}
		ballot, found, err := stake.LoadBallot(parent.state, height)
		if s.fails(err) || !found {
			return nil, false
		}
		claim, ok := s.epoch.state.LateVotesClaim(ballot.Subject(h.Epoch, height), v)
		if !ok {
			return nil, false
		}
		claims = append(claims, claim)
	}
	return claims, true
}

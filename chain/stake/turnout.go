package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TurnoutBlocks is of how many of the newest blocks with closed ballots Turnout tells.
const TurnoutBlocks = 64

// Turnout is how a member of the present epoch's set votes.
type Turnout struct {
	// Missed votes of the Counted blocks with closed ballots, params.DowntimeWindowBlocks at most: what it is jailed for.
	Missed, Counted int
	// Lately are those it missed of the Recent newest ones that anybody told of.
	Lately, Recent int
	// Last is the newest block it is known to have voted for, 0: none of the newest.
	Last unit.Height
}

// MissedMost is how many votes of the window a validator may miss; one more and it is jailed.
const MissedMost = params.DowntimeWindowBlocks * params.DowntimeMissedBPS / params.BasisPoints

// Turnouts tells of every member of an epoch's set of n by rank, after block tip of that epoch, which begins with block first. Where the epoch's votes are not
// counted, since it has one validator or too many, nobody missed any of none.
//
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks).
func Turnouts(r state.Reader, first, tip unit.Height, n int) ([]Turnout, error) {
	out := make([]Turnout, n)
	first = max(first, 1)
	if tip < first+1 {
		return out, nil
	}
	if _, counted, err := LoadBallot(r, tip-1); err != nil || !counted {
		return out, err
	}
	a, err := loadAttendance(r, n)
	if err != nil {
		return nil, err
	}
	closed := 0 // of the epoch's ballots
	if tip >= first+params.AttendanceBlocks {
		closed = int(tip - params.AttendanceBlocks - first + 1)
	}
	for i := range out {
		out[i].Counted = min(closed, params.DowntimeWindowBlocks)
		if i < len(a.missed) {
			out[i].Missed = int(a.missed[i])
		}
	}
	oldest := first
	if span := unit.Height(params.AttendanceBlocks + TurnoutBlocks - 1); tip > first+span {
		oldest = tip - span
	}
	for height := oldest; height < tip; height++ {
		b, ok, err := LoadBallot(r, height)
		if err != nil {
			return nil, err
		}
		if !ok || !b.counts() {
			continue
		}
		for i := range out {
			voted, isClosed := b.Voters.Has(i), height+params.AttendanceBlocks <= tip
			if voted {
				out[i].Last = height
			}
			if isClosed {
				out[i].Recent++
			}
			if isClosed && !voted {
				out[i].Lately++
			}
		}
	}
	return out, nil
}

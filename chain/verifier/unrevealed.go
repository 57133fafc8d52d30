package verifier

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// underCrashes begins the keys of what is kept of runners' crashes, behind the address of the verifier.
const underCrashes = "verifier:crashes/" // runner → crashLog

// Home is where the verifier's records, and the bonds of challenges, lie.
func Home() account.Address { return account.System(account.ResultVerifier) }

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	of := func(suffix, holds string) account.Claim {
		return account.Claim{Chapter: chapter, Holds: holds, Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: suffix}
	}
	return []account.Claim{of(underCrashes, "latest crashes of runners"), of(underNorm, "what jobs use, by kind")}
}

// crashLog is when a runner's latest crashes were attested, ascending, at most maxCrashes.
type crashLog []unit.Height

// maxCrashes is how many crashes of a runner are kept: one more than it may have without being looked at.
const maxCrashes = params.CrashesReviewed + 1

// Encode is the record in state: list of UInt.
func (c crashLog) Encode() []byte {
	dst := codec.AppendLen(nil, len(c))
	for _, h := range c {
		dst = codec.AppendUint(dst, uint64(h))
	}
	return dst
}

func loadCrashes(r state.Reader, key []byte) (crashLog, error) {
	raw, ok, err := r.Lookup(key)
	if err != nil || !ok {
		return nil, err
	}
	in := codec.NewReader(raw)
	var list crashLog
	for n := in.Len(0, maxCrashes, 1); n > 0; n-- {
		list = append(list, unit.Height(in.Uint()))
	}
	if err := in.Finish(); err != nil {
		return nil, fmt.Errorf("verifier: crashes: %w", err)
	}
	return list, nil
}

// Crash excuses a runner that committed itself and cannot reveal. More than 5 in 1,000 blocks are for people to look at. Rejects: those of market.Crash.
//
// Spec: runner-marketplace §3 (97), §5 (rec), §8.1.
func (v *Verifier) Crash(m *market.Market, id digest.Hash, who account.Address, signal verify.Crash) error {
	if err := m.Crash(id, who); err != nil {
		return err
	}
	v.emit(TopicCrashed, id, who, uint64(signal))
	key := append(account.KeyString(account.KindRecord, Home(), underCrashes), who[:]...)
	list, err := loadCrashes(m.State, key)
	if err != nil {
		return err
	}
	if list = append(list, m.Height); len(list) > maxCrashes {
		list = list[1:]
	}
	m.State.Set(key, list.Encode())
	if len(list) == maxCrashes && m.Height-list[0] < params.CrashReviewBlocks {
		v.emit(TopicReview, id, who, ReviewCrashes)
	}
	return nil
}

// Unrevealed is package market's word of a runner that committed itself and did not reveal: a crash that was attested in time is a failure, all else is
// dishonest.
//
// Spec: WP §5.3, §13; runner-marketplace §8, §8.1.
func (v *Verifier) Unrevealed(m *market.Market, t *market.Task, who account.Address) error {
	c, err := market.LoadCommitment(m.State, t.ID, who)
	if err != nil {
		return err
	}
	if c.Crashed {
		v.emit(TopicUnrevealed, t.ID, who, 1, 0)
		return score(m, who, runner.ScoreTimeout)
	}
	lost, err := slash(m, who, m.Params.NonReveal.SlashBPS, params.NonRevealSlashMax, t.Job.Submitter)
	v.emit(TopicUnrevealed, t.ID, who, 0, uint64(lost))
	return err
}

// slash takes a part of a runner's stake. The submitter is billed for its rent before it gets a share. A runner that is gone loses nothing.
//
// Spec: runner-marketplace §7, §8.
func slash(m *market.Market, who account.Address, bps uint32, limit unit.Amount, submitter account.Address) (unit.Amount, error) {
	if m.Params.SlashDistribution.SubmitterBPS > 0 && m.Bill != nil {
		if err := m.Bill(submitter); err != nil {
			return 0, err
		}
	}
	lost, burned, err := m.Registry.Slash(who, bps, limit, submitter)
	if errors.Is(err, runner.ErrUnknown) {
		return 0, nil
	}
	m.Burned += burned
	return lost, err
}

package block

import (
	"cmp"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// CheckHeader checks a header against its parent's, whose hash is hash, without any signature and
// without executing anything. calendar is the network's; fees are the basefees the parent's usage fixes for
// this block; version is that of the protocol at its height. The error is one of ErrVersion, ErrChain, ErrParent, ErrRound,
// ErrTimestamp, ErrBasefee, ErrSeed, ErrVRF, ErrVotes. That the proposer was the
// leader of the round, that seed, proof (Beacon) and votes (simplex.State) verify,
// and that the clock is not ahead are for the caller.
// Spec: WP §3.4, §4.2, §6.1; commonware §3.6.
func CheckHeader(h, parent *Header, hash digest.Hash, version uint32, calendar params.Calendar, fees params.Basefees) error {
	switch {
	case h.Version != uint64(version):
		return ErrVersion
	case h.ChainID != parent.ChainID:
		return ErrChain
	case h.Height != parent.Height+1 || h.ParentHash != hash || h.ParentView != parent.View:
		return ErrParent
	case h.Epoch != calendar.Epoch(h.Height) || h.View == 0 || h.Round().Compare(parent.Round()) <= 0:
		return ErrRound
	case h.TimestampMs <= parent.TimestampMs:
		return ErrTimestamp
	case h.CycleBasefee != fees.Cycle || h.CellBasefee != fees.Cell:
		return ErrBasefee
	case !seedFits(h, parent):
		return ErrSeed
	case h.VRFOutput != VRFOutput(h.VRFProof):
		return ErrVRF
	case !votesFit(h, parent), !lateVotesFit(h, calendar):
		return ErrVotes
	}
	return nil
}

// SeedRound is the round whose seed a block proposed in round r on parent must
// carry; ok is false where there is none and the beacon is the genesis hash: the
// round just before r; for the first round of an epoch, the round of the parent,
// which is the last block of the epoch before.
// Spec: WP §3.4; commonware §3.6.
func SeedRound(r Round, parent *Header) (round Round, ok bool) {
	switch {
	case r.View > 1:
		return Round{Epoch: r.Epoch, View: r.View - 1}, true
	case r.Epoch > 0:
		return parent.Round(), true
	}
	return Round{}, false
}

func seedFits(h, parent *Header) bool {
	round, ok := SeedRound(h.Round(), parent)
	if !ok {
		return h.ParentSeed == nil
	}
	return h.ParentSeed != nil && h.ParentSeed.Round == round
}

// votesFit reports whether the votes for the parent, if any, are of a quorum of the
// header's own epoch. Spec: governance-staking A3.
func votesFit(h, parent *Header) bool {
	v := h.ParentVotes
	if v == nil {
		return true
	}
	return parent.Height > 0 && parent.Epoch == h.Epoch && v.Signers.Len() > 0 && v.Signers.Len() <= sig.MaxVoters &&
		v.Signers.Size() >= sig.Quorum(v.Signers.Len())
}

// lateVotesFit reports whether the late votes are about blocks of the header's own
// epoch that may still be reported and were before by their direct child, in order,
// of at least one validator each, and within their bound of bytes.
// Spec: governance-staking A3.
func lateVotesFit(h *Header, calendar params.Calendar) bool {
	size := 0
	for i := range h.LateVotes {
		v := &h.LateVotes[i]
		height := unit.Height(v.Height)
		if height < max(calendar.First(h.Epoch), 1) || height >= h.Height || h.Height-height < 2 || h.Height-height > params.AttendanceBlocks {
			return false
		}
		if v.Signers.Len() > sig.MaxVoters || v.Signers.Size() == 0 {
			return false
		}
		if i > 0 && cmp.Or(cmp.Compare(h.LateVotes[i-1].Height, v.Height), cmp.Compare(h.LateVotes[i-1].Kind, v.Kind)) >= 0 {
			return false
		}
		size += len(v.Append(nil))
	}
	return size <= params.MaxLateVotesBytes
}

// VRFOutput is the value a proposer's VRF proof stands for.
// Spec: WP §6.1; commonware §3.6.
func VRFOutput(proof sig.BLSSignature) digest.Hash { return digest.Keccak256(proof[:]) }

// CheckBody checks that the verified transactions are the ones the header commits
// to, that none appears twice, that they stand in VRF order and that their lanes
// respect the budgets. txs are the block's own, in its order; timerDemand is what
// the timers due at this height may use.
// Spec: WP §2.5, §6.3, §6.5, §17.9.
func CheckBody(h *Header, txs []tx.Verified, timerDemand unit.Cycles) error {
	if len(txs) > params.MaxBlockTxs {
		return ErrTooMany
	}
	hashes := make([]digest.Hash, len(txs))
	seen := make(map[digest.Hash]struct{}, len(txs))
	for i, v := range txs {
		hashes[i] = v.Hash()
		if _, twice := seen[hashes[i]]; twice {
			return ErrDuplicate
		}
		seen[hashes[i]] = struct{}{}
	}
	if h.TxCount != uint32(len(txs)) || h.TxRoot != TxRoot(hashes) {
		return ErrTxRoot
	}
	if err := CheckOrder(txs, h.VRFOutput); err != nil {
		return err
	}
	return CheckBudgets(txs, ProtocolBudgets(), timerDemand)
}

package block

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// OrderKey places a transaction in its block: keccak256(vrf_output ‖ tx_hash). The
// proposer cannot choose vrf_output and a sender does not know it in advance.
// Spec: WP §6.5; WP-January §6.5.
func OrderKey(vrfOutput, txHash digest.Hash) digest.Hash {
	return digest.Keccak256(vrfOutput[:], txHash[:])
}

// Order puts the transactions of a block into their one order: ascending by
// OrderKey, and then each sender's transactions are dealt out over the places
// they got in ascending nonce order (ties by tx_hash), since another order could
// not execute. The argument is not modified.
// Spec: WP §6.4, §6.5; "The State Transition Function" (2).
func Order(selected []tx.Verified, vrfOutput digest.Hash) []tx.Verified {
	type place struct {
		key digest.Hash
		at  int
	}
	places := make([]place, len(selected))
	for i, v := range selected {
		places[i] = place{OrderKey(vrfOutput, v.Hash()), i}
	}
	slices.SortFunc(places, func(a, b place) int { return bytes.Compare(a.key[:], b.key[:]) })

	// bySender lists the indices of selected by sender, then nonce; queue[i] is
	// where the sender of the i-th such entry has its next transaction.
	bySender := make([]int, len(selected))
	for i := range bySender {
		bySender[i] = i
	}
	slices.SortFunc(bySender, func(a, b int) int { return compareNonce(selected[a], selected[b]) })
	first := make([]int, len(selected)) // index in selected → its sender's range in bySender
	for i, at := range bySender {
		if i > 0 && senderOf(selected[bySender[i-1]]) == senderOf(selected[at]) {
			first[at] = first[bySender[i-1]]
		} else {
			first[at] = i
		}
	}
	taken := make([]int, len(selected)) // per range start: how many were dealt
	out := make([]tx.Verified, len(selected))
	for i, p := range places {
		start := first[p.at]
		out[i] = selected[bySender[start+taken[start]]]
		taken[start]++
	}
	return out
}

func compareNonce(a, b tx.Verified) int {
	if c := senderOf(a).Compare(senderOf(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Tx().Nonce, b.Tx().Nonce); c != 0 {
		return c
	}
	ha, hb := a.Hash(), b.Hash()
	return bytes.Compare(ha[:], hb[:])
}

// CheckOrder gives ErrOrder unless txs stand in the order of Order.
// Spec: WP §6.5.
func CheckOrder(txs []tx.Verified, vrfOutput digest.Hash) error {
	for i, want := range Order(txs, vrfOutput) {
		if txs[i].Hash() != want.Hash() {
			return ErrOrder
		}
	}
	return nil
}

// CheckBudgets gives ErrLane unless the transactions' reservations respect the
// budgets with the spill, given the cycles the due timers may use. It does not
// depend on the order of txs.
// Spec: WP §6.3, §17.9.
func CheckBudgets(txs []tx.Verified, b Budgets, timerDemand unit.Cycles) error {
	u := NewUsage(b, timerDemand)
	for _, v := range txs {
		lane, cycles := v.Lane(), v.Tx().CyclesLimit
		if lane == LaneTimer || u[lane]+cycles < cycles {
			return ErrLane
		}
		u[lane] += cycles
	}
	if u[LaneSystem] > b[LaneSystem] || u[LaneRunner] > b[LaneRunner] || u[LaneUser] > b[LaneUser]+u.Spill(b) {
		return ErrLane
	}
	return nil
}

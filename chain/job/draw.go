package job

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Candidate is somebody a job may be given to, with the weight it is drawn with.
type Candidate struct {
	Address account.Address
	Weight  unit.Uint128 // above zero; all weights together fit 128 bits
}

// Identity is the job a transaction or a message submits: keccak256("cowboy-job-v1" ‖ origin ‖ index as be4 ‖ height as be8). index counts the jobs of one
// origin.
//
// Spec: runner-marketplace §14 (2).
func Identity(origin digest.Hash, index uint32, height unit.Height) digest.Hash {
	tail := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, index), uint64(height))
	return digest.Keccak256([]byte("cowboy-job-v1"), origin[:], tail)
}

// Seed is what the runners of a job are drawn from: the verified seed of a named absolute round, the job and the block it was submitted in.
//
//	keccak256("cowboy-runner-select-v3:" ‖ epoch_be8 ‖ view_be8 ‖ seed_signature ‖ job_id ‖ submitted_at_le8)
//
// Spec: WP §5.3; runner-marketplace §4.4.
func Seed(beacon *sig.Seed, id digest.Hash, submitted unit.Height) digest.Hash {
	round := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, beacon.Round.Epoch), beacon.Round.View)
	at := binary.LittleEndian.AppendUint64(nil, uint64(submitted))
	return digest.Keccak256([]byte(params.RunnerSelectDomain), round, beacon.Signature[:], id[:], at)
}

// RetrySeed is what the runners of a later attempt are drawn from: keccak256(seed ‖ "retry:" ‖ attempt_le4), where 1 is the first retry.
//
// Spec: CIP-2 §6; runner-marketplace §4.4.
func RetrySeed(seed digest.Hash, attempt uint32) digest.Hash {
	return digest.Keccak256(seed[:], []byte("retry:"), binary.LittleEndian.AppendUint32(nil, attempt))
}

// Draw moves m of the candidates to the front, drawn by their weights without replacement (Fisher-Yates). The candidates ascend by address beforehand. It
// draws all of them where there are no more than m.
//
// For i from 0: h = keccak256(seed ‖ i_le8); r = the first 16 bytes of h, little-endian, modulo the weights that are left; the first whose cumulative weight
// exceeds r comes to place i; h is the seed of the next. 128 bits, since the weights together exceed 64.
//
// Spec: WP §5.3; CIP-2 §5; runner-marketplace §4.5.
func Draw(list []Candidate, seed digest.Hash, m int) []Candidate {
	m = min(m, len(list))
	drawn(list, seed, 0, m)
	return list[:m]
}

// Favour is Draw with the weight of one candidate multiplied for the first place alone. The multiplied weights together still fit 128 bits.
//
// Spec: runner-marketplace §4.5 (MRU bias, on iteration 0 only).
func Favour(list []Candidate, seed digest.Hash, m int, who account.Address, times uint64) []Candidate {
	is := func(c Candidate) bool { return c.Address == who }
	at := slices.IndexFunc(list, is)
	if at < 0 {
		return Draw(list, seed, m)
	}
	m = min(m, len(list))
	plain := list[at].Weight
	hi, lo := bits.Mul64(plain.Lo, times)
	list[at].Weight = unit.Uint128{Hi: plain.Hi*times + hi, Lo: lo}
	seed = drawn(list, seed, 0, min(m, 1))
	list[slices.IndexFunc(list, is)].Weight = plain
	drawn(list, seed, 1, m)
	return list[:m]
}

// drawn fills the places from one to another, and gives the seed of the next.
func drawn(list []Candidate, seed digest.Hash, from, to int) digest.Hash {
	var total unit.Uint128
	for i := from; i < len(list); i++ {
		total = plus(total, list[i].Weight)
	}
	for i := from; i < to; i++ {
		h := digest.Keccak256(seed[:], binary.LittleEndian.AppendUint64(nil, uint64(i)))
		r := modulo(unit.Uint128{Hi: binary.LittleEndian.Uint64(h[8:16]), Lo: binary.LittleEndian.Uint64(h[:8])}, total)
		j := i
		for sum := list[i].Weight; sum.Cmp(r) <= 0; sum = plus(sum, list[j].Weight) {
			j++
		}
		list[i], list[j] = list[j], list[i]
		total = minus(total, list[i].Weight)
		seed = h
	}
	return seed
}

func plus(a, b unit.Uint128) unit.Uint128 {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(a.Hi, b.Hi, carry)
	return unit.Uint128{Hi: hi, Lo: lo}
}

func minus(a, b unit.Uint128) unit.Uint128 {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(a.Hi, b.Hi, borrow)
	return unit.Uint128{Hi: hi, Lo: lo}
}

// modulo is a mod b, b above zero.
func modulo(a, b unit.Uint128) unit.Uint128 {
	if b.Hi == 0 {
		_, rest := bits.Div64(a.Hi%b.Lo, a.Lo, b.Lo)
		return unit.Uint128{Lo: rest}
	}
	for shift := bits.LeadingZeros64(b.Hi) - bits.LeadingZeros64(a.Hi|1); shift >= 0; shift-- {
		if d := left(b, uint(shift)); d.Cmp(a) <= 0 {
			a = minus(a, d)
		}
	}
	return a
}

func left(a unit.Uint128, n uint) unit.Uint128 {
	if n == 0 {
		return a
	}
	return unit.Uint128{Hi: a.Hi<<n | a.Lo>>(64-n), Lo: a.Lo << n}
}

// Aggregator is drawn evenly from the members of a committee whose reputation is at least the given percentile of the committee's, with the seed
// keccak256(job_id ‖ "agg-select-v3"). reputations are those of the members, in their order.
//
// The percentile p of n members is the value at place ceil(p·n/100) of the sorted ones, the first counting as 1: p50 of four is the second smallest.
//
// Spec: WP §5.3, §13 (aggregator_eligibility_percentile); runner-marketplace §4.6.
func Aggregator(id digest.Hash, members []account.Address, reputations []uint64, percentile uint32) account.Address {
	floor := percentileOf(reputations, percentile)
	var eligible []account.Address
	for i, addr := range members {
		if reputations[i] >= floor {
			eligible = append(eligible, addr)
		}
	}
	h := digest.Keccak256(id[:], []byte("agg-select-v3"))
	r := modulo(unit.Uint128{Hi: binary.LittleEndian.Uint64(h[8:16]), Lo: binary.LittleEndian.Uint64(h[:8])}, unit.Wide(uint64(len(eligible))))
	return eligible[r.Lo]
}

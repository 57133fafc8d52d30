package verifier

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// underNorm begins the keys of what jobs of a kind use, behind the address of the verifier.
const underNorm = "verifier:norm/" // kind(1) → norm

const (
	normLeast = 30      // uses that say what is usual; ours: fewer have no deviation to speak of
	normMost  = 1 << 14 // uses after which all sums are halved, so that what was long ago counts for less and nothing overflows
	normSigma = 3       // standard deviations
)

// norm is what successful jobs of a kind used: how many, the sum and the sum of squares.
//
// Spec: WP-January "Dispute Resolution" (overcharge: more than 3 standard deviations above the norm for the job type).
type norm struct {
	uses, sum uint64
	squares   unit.Uint128
}

// Encode is UInt uses ‖ UInt sum ‖ UInt and UInt of the sum of squares, the high half first.
func (n *norm) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(nil, n.uses), n.sum)
	return codec.AppendUint(codec.AppendUint(dst, n.squares.Hi), n.squares.Lo)
}

func decodeNorm(data []byte) (*norm, error) {
	r := codec.NewReader(data)
	n := &norm{uses: r.Uint(), sum: r.Uint(), squares: unit.Uint128{Hi: r.Uint(), Lo: r.Uint()}}
	return n, r.Finish()
}

// beyond reports whether a use is more than three standard deviations above the mean of those before it. With n uses, their sum s and their squares' q this is
// n·x > s and (n·x − s)² > 9·(n·q − s²), which needs no division: n is below 2^15 and uses below 2^32, so each side has fewer than 128 bits.
func (n *norm) beyond(use uint32) bool {
	over := n.uses * uint64(use)
	if n.uses < normLeast || over <= n.sum {
		return false
	}
	over -= n.sum
	spread := times(n.squares, n.uses)
	hi, lo := bits.Mul64(n.sum, n.sum)
	low, borrow := bits.Sub64(spread.Lo, lo, 0)
	high, _ := bits.Sub64(spread.Hi, hi, borrow)
	hi, lo = bits.Mul64(over, over)
	return unit.Uint128{Hi: hi, Lo: lo}.Cmp(times(unit.Uint128{Hi: high, Lo: low}, normSigma*normSigma)) > 0
}

// times is a·b, which fits.
func times(a unit.Uint128, b uint64) unit.Uint128 {
	hi, lo := bits.Mul64(a.Lo, b)
	return unit.Uint128{Hi: a.Hi*b + hi, Lo: lo}
}

func (n *norm) add(use uint32) {
	if n.uses >= normMost {
		n.uses, n.sum = n.uses/2, n.sum/2
		n.squares = unit.Uint128{Hi: n.squares.Hi >> 1, Lo: n.squares.Lo>>1 | n.squares.Hi<<63}
	}
	n.uses++
	n.sum += uint64(use)
	hi, lo := bits.Mul64(uint64(use), uint64(use))
	var carry uint64
	n.squares.Lo, carry = bits.Add64(n.squares.Lo, lo, 0)
	n.squares.Hi += hi + carry
}

// used is what a job of a kind is measured by: a model's tokens, or seconds.
func used(kind job.Kind, u *verify.Usage) uint32 {
	n := u.WallTimeSeconds
	if kind == job.LLM {
		n = uint64(u.InputTokens) + uint64(u.OutputTokens)
	}
	return uint32(min(n, 1<<32-1))
}

// usual has those looked at whose use is far above what is usual for the kind of job, and counts the uses of all who agreed, which the next job is held to.
//
// Spec: WP-January "Dispute Resolution"; runner-marketplace §7 (statistical ones go to the review queue).
func (v *Verifier) usual(m *market.Market, t *market.Task, accepted []account.Address, results []verify.Result) error {
	key := append(account.KeyString(account.KindRecord, Home(), underNorm), byte(t.Spec.Kind))
	n := new(norm)
	raw, ok, err := m.State.Lookup(key)
	if err == nil && ok {
		n, err = decodeNorm(raw)
	}
	if err != nil {
		return err
	}
	var uses []uint32
	for _, who := range accepted {
		for i := range results {
			if results[i].Runner != who {
				continue
			}
			use := used(t.Spec.Kind, &results[i].Output.Usage)
			if uses = append(uses, use); n.beyond(use) {
				v.emit(TopicReview, t.ID, who, ReviewNorm)
			}
		}
	}
	for _, use := range uses {
		n.add(use)
	}
	m.State.Set(key, n.Encode())
	return nil
}

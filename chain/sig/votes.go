package sig

import "github.com/cowboyinc/cowboy-go/chain/codec"

// MaxVoters bounds the validator sets whose votes a header carries: 2,048 bits
// leave the header within a kilobyte.
const MaxVoters = 2_048

// Votes says who voted to notarize a block, with the sum of their signatures: at
// least a quorum, and whoever else was heard in time. It is how a chain knows who
// takes part.
// Spec: WP §6.1, "Slashing" (downtime); governance-staking A3.
type Votes struct {
	Signers   Signers
	Aggregate BLSSignature
}

// Append appends the canonical encoding signers ‖ aggregate.
func (v *Votes) Append(dst []byte) []byte {
	return codec.AppendFixed(v.Signers.Append(dst), v.Aggregate[:])
}

// ReadVotes reads what Append wrote, refusing more than MaxVoters bits; errors stay
// in r.
func ReadVotes(r *codec.Reader) Votes {
	v := Votes{Signers: ReadSigners(r)}
	if r.Err() == nil && v.Signers.Len() > MaxVoters {
		r.Fail(codec.ErrLength, uint64(v.Signers.Len()))
	}
	r.Into(v.Aggregate[:])
	return v
}

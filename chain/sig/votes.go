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

// LateVotes are statements about one block of the recent past by validators of which
// no header has told yet, with the sum of their signatures: votes to notarize the
// block or to commit it, or to give up its round. Each shows that its signer took
// part in that round.
// Spec: WP "Slashing" (downtime); governance-staking A3.
type LateVotes struct {
	Height uint64 // of the block
	Kind   CertificateKind
	Votes
}

// Preimage is what the signers signed; block is the one at the height.
func (v *LateVotes) Preimage(n Namespace, block Subject) []byte {
	return (&Certificate{Kind: v.Kind, Subject: block}).Preimage(n)
}

// Append appends the canonical encoding UInt height ‖ kind ‖ signers ‖ aggregate.
func (v *LateVotes) Append(dst []byte) []byte {
	return v.Votes.Append(codec.AppendU8(codec.AppendUint(dst, v.Height), uint8(v.Kind)))
}

// ReadLateVotes reads what Append wrote; errors stay in r.
func ReadLateVotes(r *codec.Reader) LateVotes {
	return LateVotes{Height: r.Uint(), Kind: CertificateKind(r.Tag(uint8(certificateKinds))), Votes: ReadVotes(r)}
}

// MinLateVotesSize is the size of the shortest encoding of LateVotes.
const MinLateVotesSize = 1 + 1 + 8 + BLSSignatureSize

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

package verify

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// signedDomain begins what a runner signs of an output.
const signedDomain = "cowboy-job-result-v1"

// SignedHash is what a runner signs: keccak256("cowboy-job-result-v1" ‖ job ‖ keccak256(output)).
//
// Spec: runner-marketplace §5 (rec).
func SignedHash(job digest.Hash, output []byte) digest.Hash {
	inner := digest.Keccak256(output)
	return digest.Keccak256([]byte(signedDomain), job[:], inner[:])
}

// Salt is that of a runner's signature: keccak256 of its 65 bytes.
//
// Spec: runner-marketplace §5 (rec).
func Salt(proof sig.Signature) digest.Hash { return digest.Keccak256(proof[:]) }

// Commitment is keccak256(output ‖ salt).
//
// Spec: WP §5.3 (commit).
func Commitment(output []byte, salt digest.Hash) digest.Hash {
	return digest.Keccak256(output, salt[:])
}

// Reveal opens a commitment.
//
// Spec: WP §5.3 (reveal); runner-marketplace §5.
type Reveal struct {
	Runner account.Address
	Output []byte // the encoding of an Output
	Salt   digest.Hash
	Proof  sig.Signature
}

// Sign makes the reveal of an output, whose commitment is Commitment(r.Output, r.Salt).
func Sign(key *sig.PrivateKey, job digest.Hash, output []byte) Reveal {
	proof := key.Sign(SignedHash(job, output))
	return Reveal{Runner: key.Address(), Output: output, Salt: Salt(proof), Proof: proof}
}

// Open holds a reveal against the commitment of its runner, and reads what it reveals. Errors: ErrMismatch, ErrSignature, ErrOutput. With ErrOutput the
// commitment was the runner's own and to no output at all.
//
// Spec: WP §5.3; runner-marketplace §5.
func (r *Reveal) Open(recover sig.Recoverer, job, commitment digest.Hash) (*Output, error) {
	if Commitment(r.Output, r.Salt) != commitment || Salt(r.Proof) != r.Salt {
		return nil, ErrMismatch
	}
	if signer, err := recover.Recover(SignedHash(job, r.Output), r.Proof); err != nil || signer != r.Runner {
		return nil, ErrSignature
	}
	return DecodeOutput(r.Output)
}

package sig

import (
	"strconv"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Namespace is the base of every domain a validator of one chain signs under. It
// differs per network, so that no signature is valid on two.
type Namespace string

// NewNamespace is the namespace of a chain: "cowboy-" and the decimal chain id.
// Spec: commonware §2.3, §8 (2).
func NewNamespace(chainID uint64) Namespace {
	return Namespace(params.NamespaceBase + strconv.FormatUint(chainID, 10))
}

// UnionUnique is uv(len(namespace)) ‖ namespace ‖ message, where namespace is n and
// suffix written together: the length keeps two domains apart whatever follows.
// Spec: commonware §2.3.
func (n Namespace) UnionUnique(suffix string, message []byte) []byte {
	out := make([]byte, 0, 2+len(n)+len(suffix)+len(message))
	out = codec.AppendLen(out, len(n)+len(suffix))
	out = append(out, n...)
	out = append(out, suffix...)
	return append(out, message...)
}

// Subject is what a notarize or finalize vote is about. The block's hash binds
// its parent, since the header carries both rounds.
// Spec: WP §6.1; commonware §3.7.
type Subject struct {
	BlockHash digest.Hash
	Height    uint64
	Round     Round
}

// Append appends the canonical encoding block_hash(32) ‖ UInt height ‖ Round.
func (s Subject) Append(dst []byte) []byte {
	dst = codec.AppendFixed(dst, s.BlockHash[:])
	dst = codec.AppendUint(dst, s.Height)
	return s.Round.Append(dst)
}

// ReadSubject reads what Append wrote; errors stay in r.
func ReadSubject(r *codec.Reader) Subject {
	var s Subject
	r.Into(s.BlockHash[:])
	s.Height = r.Uint()
	s.Round = ReadRound(r)
	return s
}

// Notarize is the pre-image of a vote for a block. Spec: commonware §3.7.
func (n Namespace) Notarize(s Subject) []byte {
	return n.UnionUnique(params.NotarizeSuffix, s.Append(nil))
}

// Finalize is the pre-image of a commit vote for a block. Spec: commonware §3.7.
func (n Namespace) Finalize(s Subject) []byte {
	return n.UnionUnique(params.FinalizeSuffix, s.Append(nil))
}

// Nullify is the pre-image of a vote to give up a round (NEW_VIEW).
// Spec: commonware §3.7.
func (n Namespace) Nullify(r Round) []byte {
	return n.UnionUnique(params.NullifySuffix, r.Append(nil))
}

// Seed is the pre-image of the round's threshold signature.
// Spec: WP §3.4; commonware §2.3, §2.5.
func (n Namespace) Seed(r Round) []byte {
	return n.UnionUnique(params.SeedSuffix, r.Append(nil))
}

// HighestQC is the pre-image of the attachment of a NEW_VIEW: the highest
// certified round and block the signer knew.
// Spec: commonware §3.7.
func (n Namespace) HighestQC(r, certified Round, blockHash digest.Hash) []byte {
	message := certified.Append(r.Append(nil))
	return n.UnionUnique(params.HighestQCSuffix, append(message, blockHash[:]...))
}

// Accuse is the pre-image of a validator's word that the leader of a round, by its
// rank, proposed what no honest leader does; flaw says in which way.
// Spec: WP "Slashing" (invalid proposal); commonware §2.3.
func (n Namespace) Accuse(s Subject, accused uint32, flaw uint8) []byte {
	message := codec.AppendUint(s.Append(nil), uint64(accused))
	return n.UnionUnique(params.AccuseSuffix, codec.AppendU8(message, flaw))
}

// VRF is the pre-image of a proposer's proof for a height. epochSeed is the
// genesis hash in epoch 0, else the seed signature the epoch's first block took
// over. Spec: WP §6.1; commonware §3.6.
func (n Namespace) VRF(epochSeed []byte, height uint64) []byte {
	message := append([]byte(nil), epochSeed...)
	return n.UnionUnique(params.VRFSuffix, codec.AppendUint(message, height))
}

// Possession is the pre-image of a proof of possession of key. It is hashed to
// the curve under a domain of its own. Spec: commonware §4.1.
func (n Namespace) Possession(key BLSPublicKey) []byte {
	return n.UnionUnique(params.PossessionSuffix, key[:])
}

// Deal is the pre-image of a player's word that it holds its share of a dealer's
// polynomial; transcript is the digest of the ceremony, the dealer and its
// commitment. Spec: commonware §4.3 (2).
func (n Namespace) Deal(transcript digest.Hash) []byte {
	return n.UnionUnique(params.DealSuffix, transcript[:])
}

package block

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Round is an absolute consensus round.
type Round = sig.Round

// Header commits to a block and to the state after it. Version, ParentView and
// ParentHash bind the chain; Epoch and View are the round the block was proposed
// in, so that its hash binds the round consensus votes on.
// Spec: WP §6.1; commonware §3.6, §3.7.
type Header struct {
	Version    uint64
	ChainID    uint64
	Height     unit.Height
	Epoch      uint64
	View       uint64
	ParentView uint64 // view of the parent block, in its own epoch
	ParentHash digest.Hash

	TimestampMs uint64 // milliseconds since 1970-01-01 UTC
	// ProposerIndex is the proposer's rank in the epoch's validator set; Proposer
	// receives tips and rewards.
	ProposerIndex uint32
	Proposer      account.Address

	// ParentSeed is the beacon execution may read: the verified seed of the round
	// just before the proposal's. It is nil only in the first round of epoch 0,
	// where the beacon is the genesis hash.
	ParentSeed *sig.Seed
	VRFProof   sig.BLSSignature
	VRFOutput  digest.Hash // keccak256 of VRFProof

	TxRoot      digest.Hash
	ReceiptRoot digest.Hash
	StateRoot   digest.Hash // after this block

	CycleBasefee uint64 // base units per cycle, for this block
	CellBasefee  uint64 // base units per cell, for this block
	CyclesUsed   unit.Cycles
	CellsUsed    unit.Cells
	TxCount      uint32

	// ParentVotes are the votes for the parent the proposer had, from which the
	// chain counts who is absent. A proposer may leave them out; the first block of
	// an epoch, whose parent another set voted for, has none.
	ParentVotes *sig.Votes
	// LateVotes are by validators of which the headers before tell nothing, about
	// blocks below the parent: ascending by height and kind, and few.
	LateVotes []sig.LateVotes
}

// Round is the absolute round the block was proposed in.
func (h *Header) Round() Round { return Round{Epoch: h.Epoch, View: h.View} }

// Append appends the canonical encoding: the fields in their order.
// Spec: WP §2.5.
func (h *Header) Append(dst []byte) []byte {
	dst = codec.AppendUint(dst, h.Version)
	dst = codec.AppendUint(dst, h.ChainID)
	dst = codec.AppendUint(dst, uint64(h.Height))
	dst = codec.AppendUint(dst, h.Epoch)
	dst = codec.AppendUint(dst, h.View)
	dst = codec.AppendUint(dst, h.ParentView)
	dst = codec.AppendFixed(dst, h.ParentHash[:])
	dst = codec.AppendUint(dst, h.TimestampMs)
	dst = codec.AppendUint(dst, uint64(h.ProposerIndex))
	dst = codec.AppendFixed(dst, h.Proposer[:])
	dst = codec.AppendBool(dst, h.ParentSeed != nil)
	if h.ParentSeed != nil {
		dst = h.ParentSeed.Append(dst)
	}
	dst = codec.AppendFixed(dst, h.VRFProof[:])
	dst = codec.AppendFixed(dst, h.VRFOutput[:])
	dst = codec.AppendFixed(dst, h.TxRoot[:])
	dst = codec.AppendFixed(dst, h.ReceiptRoot[:])
	dst = codec.AppendFixed(dst, h.StateRoot[:])
	dst = codec.AppendUint(dst, h.CycleBasefee)
	dst = codec.AppendUint(dst, h.CellBasefee)
	dst = codec.AppendUint(dst, uint64(h.CyclesUsed))
	dst = codec.AppendUint(dst, uint64(h.CellsUsed))
	dst = codec.AppendUint(dst, uint64(h.TxCount))
	dst = codec.AppendBool(dst, h.ParentVotes != nil)
	if h.ParentVotes != nil {
		dst = h.ParentVotes.Append(dst)
	}
	dst = codec.AppendLen(dst, len(h.LateVotes))
	for i := range h.LateVotes {
		dst = h.LateVotes[i].Append(dst)
	}
	return dst
}

// Parent is what validators voted for to certify the parent, in the parent's own
// epoch.
func (h *Header) Parent(epoch uint64) sig.Subject {
	return sig.Subject{
		BlockHash: h.ParentHash, Height: uint64(h.Height) - 1, Round: Round{Epoch: epoch, View: h.ParentView},
	}
}

// Encode is the canonical encoding on its own.
func (h *Header) Encode() []byte { return h.Append(make([]byte, 0, 512)) }

// Hash is the block's identity: the keccak256 of the header's encoding.
// Spec: WP §2.5.
func (h *Header) Hash() digest.Hash { return digest.Keccak256(h.Encode()) }

// ReadHeader reads what Append wrote; errors stay in r.
func ReadHeader(r *codec.Reader) Header {
	var h Header
	h.Version = r.Uint()
	h.ChainID = r.Uint()
	h.Height = unit.Height(r.Uint())
	h.Epoch = r.Uint()
	h.View = r.Uint()
	h.ParentView = r.Uint()
	r.Into(h.ParentHash[:])
	h.TimestampMs = r.Uint()
	h.ProposerIndex = r.Uint32()
	r.Into(h.Proposer[:])
	if r.Option() {
		seed := sig.ReadSeed(r)
		h.ParentSeed = &seed
	}
	r.Into(h.VRFProof[:])
	r.Into(h.VRFOutput[:])
	r.Into(h.TxRoot[:])
	r.Into(h.ReceiptRoot[:])
	r.Into(h.StateRoot[:])
	h.CycleBasefee = r.Uint()
	h.CellBasefee = r.Uint()
	h.CyclesUsed = unit.Cycles(r.Uint())
	h.CellsUsed = unit.Cells(r.Uint())
	h.TxCount = r.Uint32()
	if r.Option() {
		votes := sig.ReadVotes(r)
		h.ParentVotes = &votes
	}
	for range r.Len(0, params.MaxLateVotesBytes/sig.MinLateVotesSize, sig.MinLateVotesSize) {
		h.LateVotes = append(h.LateVotes, sig.ReadLateVotes(r))
	}
	return h
}

// DecodeHeader reads one header and nothing else, or gives a *codec.Error.
func DecodeHeader(data []byte) (*Header, error) {
	r := codec.NewReader(data)
	h := ReadHeader(r)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return &h, nil
}

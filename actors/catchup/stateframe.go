package catchup

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// chunkOperations and chunkBytes bound the operations of one chunk of a state; one operation always fits.
	chunkOperations = 8 << 10
	chunkBytes      = 4 << 20
	// operationMax bounds one encoded operation.
	operationMax = state.ValueMax + 2*state.KeyMax + 32
	// epochProofMax bounds an encoded epoch proof.
	epochProofMax = 8 << 20
)

// epochProofRequest asks for the proof of the end of an epoch.
type epochProofRequest struct{ id, epoch uint64 }

// epochProofAnswer is it; without an epoch proof the sender does not have one.
type epochProofAnswer struct {
	id         uint64
	top        unit.Height
	epochProof *light.EpochProof
}

// pivotRequest asks for the newest state the asked can serve.
type pivotRequest struct{ id uint64 }

// pivotAnswer names it: a final block, what makes it final, and what its state root stands for. Without a block there is none.
type pivotAnswer struct {
	id           uint64
	block        []byte // nil: none
	finalization *sig.Certificate
	target       *state.Target
}

// chunkRequest asks for operations [from, from+count) of the log that had length operations after some final block; with the nodes around from, if wanted.
type chunkRequest struct {
	id, length, from, count uint64
	foundation              bool
}

// chunkAnswer is a prefix of them, of any length above none. Without operations the sender does not have them, or has to be asked again in so many
// milliseconds.
type chunkAnswer struct {
	id         uint64
	wait       uint64
	operations []byte
	proof      mmr.Proof
	foundation *state.Foundation // nil: not wanted
}

func (q *epochProofRequest) encode() []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendU8(nil, tagEpochProofRequest), q.id), q.epoch)
}

func (a *epochProofAnswer) encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendU8(nil, tagEpochProofAnswer), a.id), uint64(a.top))
	dst = codec.AppendBool(dst, a.epochProof != nil)
	if a.epochProof != nil {
		dst = codec.AppendBytes(dst, a.epochProof.Encode())
	}
	return dst
}

func (q *pivotRequest) encode() []byte {
	return codec.AppendUint(codec.AppendU8(nil, tagPivotRequest), q.id)
}

func (a *pivotAnswer) encode() []byte {
	dst := codec.AppendUint(codec.AppendU8(nil, tagPivotAnswer), a.id)
	dst = codec.AppendBool(dst, a.block != nil)
	if a.block != nil {
		dst = a.finalization.Append(codec.AppendBytes(dst, a.block))
		dst = a.target.Append(dst)
	}
	return dst
}

func (q *chunkRequest) encode() []byte {
	dst := codec.AppendU8(nil, tagChunkRequest)
	for _, v := range []uint64{q.id, q.length, q.from, q.count} {
		dst = codec.AppendUint(dst, v)
	}
	return codec.AppendBool(dst, q.foundation)
}

func (a *chunkAnswer) encode() []byte {
	dst := codec.AppendUint(codec.AppendU8(make([]byte, 0, len(a.operations)+4<<10), tagChunkAnswer), a.id)
	dst = codec.AppendBytes(dst, a.operations)
	if len(a.operations) == 0 {
		return codec.AppendUint(dst, a.wait)
	}
	dst = a.proof.Append(dst)
	dst = codec.AppendBool(dst, a.foundation != nil)
	if a.foundation != nil {
		dst = a.foundation.Append(dst)
	}
	return dst
}

func readEpochProofAnswer(r *codec.Reader) *epochProofAnswer {
	a := &epochProofAnswer{id: r.Uint(), top: unit.Height(r.Uint())}
	if !r.Option() {
		return a
	}
	raw := r.Bytes(epochProofMax)
	if r.Err() != nil {
		return a
	}
	var err error
	if a.epochProof, err = light.DecodeEpochProof(raw); err != nil {
		r.Fail(codec.ErrInvalid, uint64(len(raw)))
	}
	return a
}

func readPivotAnswer(r *codec.Reader) *pivotAnswer {
	a := &pivotAnswer{id: r.Uint()}
	if !r.Option() {
		return a
	}
	a.block = r.Bytes(params.MaxBlockBytes)
	if len(a.block) == 0 && r.Err() == nil {
		r.Fail(codec.ErrLength, 0)
	}
	c := sig.ReadCertificate(r)
	a.finalization, a.target = &c, state.ReadTarget(r)
	return a
}

func readChunkRequest(r *codec.Reader) *chunkRequest {
	return &chunkRequest{id: r.Uint(), length: r.Uint(), from: r.Uint(), count: r.Uint(), foundation: r.Bool()}
}

func readChunkAnswer(r *codec.Reader) *chunkAnswer {
	a := &chunkAnswer{id: r.Uint(), operations: r.Bytes(chunkBytes + operationMax)}
	if len(a.operations) == 0 {
		a.wait = r.Uint()
		return a
	}
	a.proof = mmr.ReadProof(r, 2)
	if r.Option() {
		a.foundation = state.ReadFoundation(r)
	}
	return a
}

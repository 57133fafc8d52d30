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
	// partOperations and partBytes bound the operations of one part of a state; one operation always fits.
	partOperations = 8 << 10
	partBytes      = 4 << 20
	// operationMax bounds one encoded operation.
	operationMax = state.ValueMax + 2*state.KeyMax + 32
	// crossingMax bounds an encoded crossing.
	crossingMax = 8 << 20
)

// wayQuestion asks for the way out of an epoch.
type wayQuestion struct{ id, epoch uint64 }

// wayAnswer is it; without a crossing the sender does not have one.
type wayAnswer struct {
	id       uint64
	top      unit.Height
	crossing *light.Crossing
}

// goalQuestion asks for the newest state the asked can serve.
type goalQuestion struct{ id uint64 }

// goalAnswer names it: a final block, what makes it final, and what its state root stands for. Without a block there is none.
type goalAnswer struct {
	id           uint64
	block        []byte // nil: none
	finalization *sig.Certificate
	target       *state.Target
}

// partQuestion asks for operations [from, from+count) of the log that had length operations after some final block; with the nodes around from, if wanted.
type partQuestion struct {
	id, length, from, count uint64
	foundation              bool
}

// partAnswer is a prefix of them, of any length above none. Without operations the sender does not have them, or has to be asked again in so many
// milliseconds.
type partAnswer struct {
	id         uint64
	wait       uint64
	operations []byte
	proof      mmr.Proof
	foundation *state.Foundation // nil: not wanted
}

func (q *wayQuestion) encode() []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendU8(nil, tagWayQuestion), q.id), q.epoch)
}

func (a *wayAnswer) encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendU8(nil, tagWayAnswer), a.id), uint64(a.top))
	dst = codec.AppendBool(dst, a.crossing != nil)
	if a.crossing != nil {
		dst = codec.AppendBytes(dst, a.crossing.Encode())
	}
	return dst
}

func (q *goalQuestion) encode() []byte {
	return codec.AppendUint(codec.AppendU8(nil, tagGoalQuestion), q.id)
}

func (a *goalAnswer) encode() []byte {
	dst := codec.AppendUint(codec.AppendU8(nil, tagGoalAnswer), a.id)
	dst = codec.AppendBool(dst, a.block != nil)
	if a.block != nil {
		dst = a.finalization.Append(codec.AppendBytes(dst, a.block))
		dst = a.target.Append(dst)
	}
	return dst
}

func (q *partQuestion) encode() []byte {
	dst := codec.AppendU8(nil, tagPartQuestion)
	for _, v := range []uint64{q.id, q.length, q.from, q.count} {
		dst = codec.AppendUint(dst, v)
	}
	return codec.AppendBool(dst, q.foundation)
}

func (a *partAnswer) encode() []byte {
	dst := codec.AppendUint(codec.AppendU8(make([]byte, 0, len(a.operations)+4<<10), tagPartAnswer), a.id)
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

func readWayAnswer(r *codec.Reader) *wayAnswer {
	a := &wayAnswer{id: r.Uint(), top: unit.Height(r.Uint())}
	if !r.Option() {
		return a
	}
	raw := r.Bytes(crossingMax)
	if r.Err() != nil {
		return a
	}
	var err error
	if a.crossing, err = light.DecodeCrossing(raw); err != nil {
		r.Fail(codec.ErrInvalid, uint64(len(raw)))
	}
	return a
}

func readGoalAnswer(r *codec.Reader) *goalAnswer {
	a := &goalAnswer{id: r.Uint()}
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

func readPartQuestion(r *codec.Reader) *partQuestion {
	return &partQuestion{id: r.Uint(), length: r.Uint(), from: r.Uint(), count: r.Uint(), foundation: r.Bool()}
}

func readPartAnswer(r *codec.Reader) *partAnswer {
	a := &partAnswer{id: r.Uint(), operations: r.Bytes(partBytes + operationMax)}
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

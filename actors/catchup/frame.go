package catchup

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// maxBlocks bounds the blocks of a range.
	maxBlocks = 1024
	// maxBytes bounds the bytes of a range's blocks; one block always fits.
	maxBytes = 8 << 20
)

// request asks for so many final blocks from a height on, or more if none of those has a finalization of its own.
type request struct {
	id    uint64
	from  unit.Height
	count unit.Height
}

// answer is a range: consecutive blocks, the last of which is the subject of the finalization. Without blocks it only tells what the sender
// has.
type answer struct {
	id           uint64
	top          unit.Height
	first        unit.Height // lowest height the sender holds
	blocks       [][]byte
	finalization *sig.Certificate
}

// Tags of frames.
const (
	tagRequest = iota
	tagAnswer
	tagEpochProofRequest
	tagEpochProofAnswer
	tagPivotRequest
	tagPivotAnswer
	tagChunkRequest
	tagChunkAnswer
	tags
)

func (q *request) encode() []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(codec.AppendU8(nil, tagRequest), q.id), uint64(q.from)), uint64(q.count))
}

func (a *answer) encode() []byte {
	size := 512
	for _, b := range a.blocks {
		size += len(b) + 8
	}
	dst := codec.AppendU8(make([]byte, 0, size), tagAnswer)
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, a.id), uint64(a.top)), uint64(a.first))
	dst = codec.AppendLen(dst, len(a.blocks))
	for _, b := range a.blocks {
		dst = codec.AppendBytes(dst, b)
	}
	if len(a.blocks) > 0 {
		dst = a.finalization.Append(dst)
	}
	return dst
}

// decode reads one frame and nothing else: a pointer to a request or an answer, or a *codec.Error. Blocks and operations alias data.
// Spec: commonware §1.3.
func decode(data []byte) (any, error) {
	r := codec.NewReader(data)
	var out any
	switch r.Tag(tags) {
	case tagRequest:
		out = &request{id: r.Uint(), from: unit.Height(r.Uint()), count: unit.Height(r.Uint())}
	case tagAnswer:
		out = readAnswer(r)
	case tagEpochProofRequest:
		out = &epochProofRequest{id: r.Uint(), epoch: r.Uint()}
	case tagEpochProofAnswer:
		out = readEpochProofAnswer(r)
	case tagPivotRequest:
		out = &pivotRequest{id: r.Uint()}
	case tagPivotAnswer:
		out = readPivotAnswer(r)
	case tagChunkRequest:
		out = readChunkRequest(r)
	default:
		out = readChunkAnswer(r)
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return out, nil
}

func readAnswer(r *codec.Reader) *answer {
	a := &answer{id: r.Uint(), top: unit.Height(r.Uint()), first: unit.Height(r.Uint())}
	a.blocks = make([][]byte, r.Len(0, maxBlocks, 1))
	total := 0
	for i := range a.blocks {
		a.blocks[i] = r.Bytes(params.MaxBlockBytes)
		if total += len(a.blocks[i]); i > 0 && total > maxBytes {
			r.Fail(codec.ErrLength, uint64(total))
			return a
		}
	}
	if len(a.blocks) > 0 {
		c := sig.ReadCertificate(r)
		a.finalization = &c
	}
	return a
}

package replica

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Frame is what replicas send each other: *Agreement, *Introduce, *Who, *Want or *Have. On the wire: tag(1) ‖ body.
type Frame interface{ append(dst []byte) []byte }

type (
	// Agreement is a message of one epoch's simplex.State: UInt epoch ‖ message.
	Agreement struct {
		Epoch   uint64
		Message simplex.Message
	}
	// Introduce says which validator of the set a peer is, by rank, with a signature over the peer's network identity.
	Introduce struct {
		Rank      uint32
		Signature sig.BLSSignature
	}
	// Who asks the receiver to introduce itself.
	Who struct{}
	// Want asks for a block by its hash.
	Want struct{ Hash digest.Hash }
	// Have is a block that was asked for.
	Have struct{ Block []byte }
)

// EncodeFrame is the canonical encoding of a frame.
func EncodeFrame(f Frame) []byte { return f.append(nil) }

// Tags of frames.
const (
	tagAgreement = iota
	tagIntroduce
	tagWho
	tagWant
	tagHave
	frameTags
)

func (f *Agreement) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendU8(dst, tagAgreement), f.Epoch)
	return append(dst, simplex.Encode(f.Message)...)
}

func (f *Introduce) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendU8(dst, tagIntroduce), uint64(f.Rank))
	return codec.AppendFixed(dst, f.Signature[:])
}

func (f *Who) append(dst []byte) []byte { return codec.AppendU8(dst, tagWho) }

func (f *Want) append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU8(dst, tagWant), f.Hash[:])
}

func (f *Have) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendU8(dst, tagHave), f.Block)
}

// DecodeFrame reads one frame and nothing else: a *codec.Error, or an error of simplex.Decode. It checks layout and bounds; what a frame says is
// for others to believe.
// Spec: commonware §1.3.
func DecodeFrame(data []byte) (Frame, error) {
	r := codec.NewReader(data)
	var f Frame
	switch r.Tag(frameTags) {
	case tagIntroduce:
		i := &Introduce{Rank: r.Uint32()}
		r.Into(i.Signature[:])
		f = i
	case tagWho:
		f = &Who{}
	case tagWant:
		w := &Want{}
		r.Into(w.Hash[:])
		f = w
	case tagHave:
		f = &Have{r.Bytes(params.MaxBlockBytes)}
	default:
		a := &Agreement{Epoch: r.Uint()}
		if err := r.Err(); err != nil {
			return nil, err
		}
		m, err := simplex.Decode(data[r.Offset():], simplex.InspectBlock)
		if err != nil {
			return nil, err
		}
		a.Message = m
		return a, nil
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return f, nil
}

package replica

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// frame is what replicas send each other: *agreement, *introduce, *who, *want or *have. On the wire: tag(1) ‖ body.
type frame interface{ append(dst []byte) []byte }

type (
	// agreement is a message of one epoch's simplex.State: UInt epoch ‖ message.
	agreement struct {
		epoch   uint64
		message simplex.Message
	}
	// introduce says which validator of the set a peer is, by rank, with a signature over the peer's network identity.
	introduce struct {
		rank      uint32
		signature sig.BLSSignature
	}
	// who asks the receiver to introduce itself.
	who struct{}
	// want asks for a block by its hash.
	want struct{ hash digest.Hash }
	// have is a block that was asked for.
	have struct{ block []byte }
)

// Tags of frames.
const (
	tagAgreement = iota
	tagIntroduce
	tagWho
	tagWant
	tagHave
	frameTags
)

func (f *agreement) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendU8(dst, tagAgreement), f.epoch)
	return append(dst, simplex.Encode(f.message)...)
}

func (f *introduce) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendU8(dst, tagIntroduce), uint64(f.rank))
	return codec.AppendFixed(dst, f.signature[:])
}

func (f *who) append(dst []byte) []byte { return codec.AppendU8(dst, tagWho) }

func (f *want) append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU8(dst, tagWant), f.hash[:])
}

func (f *have) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendU8(dst, tagHave), f.block)
}

// decodeFrame reads one frame and nothing else: a *codec.Error, or an error of simplex.Decode. It checks layout and bounds; what a frame says is
// for others to believe.
// Spec: commonware §1.3.
func decodeFrame(data []byte) (frame, error) {
	r := codec.NewReader(data)
	var f frame
	switch r.Tag(frameTags) {
	case tagIntroduce:
		i := &introduce{rank: r.Uint32()}
		r.Into(i.signature[:])
		f = i
	case tagWho:
		f = &who{}
	case tagWant:
		w := &want{}
		r.Into(w.hash[:])
		f = w
	case tagHave:
		f = &have{r.Bytes(params.MaxBlockBytes)}
	default:
		a := &agreement{epoch: r.Uint()}
		if err := r.Err(); err != nil {
			return nil, err
		}
		m, err := simplex.Decode(data[r.Offset():], simplex.InspectBlock)
		if err != nil {
			return nil, err
		}
		a.message = m
		return a, nil
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return f, nil
}

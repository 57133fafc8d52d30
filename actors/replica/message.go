package replica

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// PeerMessage is what replicas send each other: *Agreement, *Introduction, *IntroductionRequest, *BlockRequest or *BlockResponse. On the wire: tag(1) ‖ body.
type PeerMessage interface{ append(dst []byte) []byte }

type (
	// Agreement is a message of one epoch's simplex.State: UInt epoch ‖ message.
	Agreement struct {
		Epoch   uint64
		Message simplex.Message
	}
	// Introduction says which validator of the set a peer is, by rank, with a signature over the peer's network identity.
	Introduction struct {
		Rank      uint32
		Signature sig.BLSSignature
	}
	// IntroductionRequest asks the receiver to introduce itself.
	IntroductionRequest struct{}
	// BlockRequest asks for a block by its hash.
	BlockRequest struct{ Hash digest.Hash }
	// BlockResponse is a block that was asked for.
	BlockResponse struct{ Block []byte }
)

// channelOf is the channel a message travels on: blocks beside the votes, not among them.
func channelOf(f PeerMessage) link.Channel {
	switch f := f.(type) {
	case *Agreement:
		if _, ok := f.Message.(*simplex.Propose); ok {
			return link.Blocks
		}
	case *BlockRequest, *BlockResponse:
		return link.Blocks
	}
	return link.Consensus
}

// EncodePeerMessage is the canonical encoding of a message.
func EncodePeerMessage(f PeerMessage) []byte { return f.append(nil) }

// Tags of messages.
const (
	tagAgreement = iota
	tagIntroduction
	tagIntroductionRequest
	tagBlockRequest
	tagBlockResponse
	messageTags
)

// Frames on channel Consensus from roster.FirstDuty on are the attendant's.
var _ [roster.FirstDuty - messageTags]struct{}

func (f *Agreement) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendU8(dst, tagAgreement), f.Epoch)
	return append(dst, simplex.Encode(f.Message)...)
}

func (f *Introduction) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendU8(dst, tagIntroduction), uint64(f.Rank))
	return codec.AppendFixed(dst, f.Signature[:])
}

func (f *IntroductionRequest) append(dst []byte) []byte {
	return codec.AppendU8(dst, tagIntroductionRequest)
}

func (f *BlockRequest) append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU8(dst, tagBlockRequest), f.Hash[:])
}

func (f *BlockResponse) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendU8(dst, tagBlockResponse), f.Block)
}

// DecodePeerMessage reads one message and nothing else: a *codec.Error, or an error of simplex.Decode. It checks layout and bounds; what a message says is
// for others to believe.
// Spec: commonware §1.3.
func DecodePeerMessage(data []byte) (PeerMessage, error) {
	r := codec.NewReader(data)
	var f PeerMessage
	switch r.Tag(messageTags) {
	case tagIntroduction:
		i := &Introduction{Rank: r.Uint32()}
		r.Into(i.Signature[:])
		f = i
	case tagIntroductionRequest:
		f = &IntroductionRequest{}
	case tagBlockRequest:
		w := &BlockRequest{}
		r.Into(w.Hash[:])
		f = w
	case tagBlockResponse:
		f = &BlockResponse{r.Bytes(params.MaxBlockBytes)}
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

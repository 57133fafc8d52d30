package attendant

import (
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// PeerMessage is what attendants send each other: *Introduction, *Deal or *Ack. On the wire: tag(1) ‖ body.
type PeerMessage interface{ append(dst []byte) []byte }

type (
	// Introduction says with which voting key a peer signs.
	Introduction struct {
		Key       sig.BLSPublicKey
		Signature sig.BLSSignature // over roster.IntroductionPreimage
	}
	// Deal is a dealer's, of the ceremony for an epoch.
	Deal struct {
		Epoch uint64
		Deal  beacon.Deal
	}
	// Ack is a player's answer.
	Ack struct {
		Epoch uint64
		Ack   beacon.Ack
	}
)

// Tags of messages.
const (
	tagIntroduction = roster.FirstDuty + iota
	tagDeal
	tagAck
)

// Owns reports whether a frame of channel Consensus is for the attendant.
func Owns(frame []byte) bool {
	return len(frame) > 0 && frame[0] >= tagIntroduction && frame[0] < roster.FirstInvitation
}

// maxBody bounds what a deal takes: its commitment has to fit into a transaction.
const maxBody = params.MaxTxBytes + 256

// EncodePeerMessage is the canonical encoding of a message.
func EncodePeerMessage(f PeerMessage) []byte { return f.append(nil) }

func (f *Introduction) append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendU8(dst, tagIntroduction), f.Key[:])
	return codec.AppendFixed(dst, f.Signature[:])
}

func (f *Deal) append(dst []byte) []byte {
	return append(codec.AppendUint(codec.AppendU8(dst, tagDeal), f.Epoch), f.Deal.Encode()...)
}

func (f *Ack) append(dst []byte) []byte {
	return append(codec.AppendUint(codec.AppendU8(dst, tagAck), f.Epoch), f.Ack.Encode()...)
}

// DecodePeerMessage reads one message and nothing else, or gives a *codec.Error. Decoding a deal checks that its commitment is of points.
// Spec: commonware §1.3, §4.3 (2).
func DecodePeerMessage(data []byte) (PeerMessage, error) {
	if len(data) > maxBody {
		return nil, &codec.Error{Class: codec.ErrInvalid}
	}
	r := codec.NewReader(data)
	switch tag := r.U8(); tag {
	case tagIntroduction:
		f := &Introduction{}
		r.Into(f.Key[:])
		r.Into(f.Signature[:])
		return f, r.Finish()
	case tagDeal, tagAck:
		epoch := r.Uint()
		if err := r.Err(); err != nil {
			return nil, err
		}
		if tag == tagDeal {
			d, err := beacon.DecodeDeal(data[r.Offset():])
			return &Deal{epoch, d}, err
		}
		a, err := beacon.DecodeAck(data[r.Offset():])
		return &Ack{epoch, a}, err
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return nil, &codec.Error{Class: codec.ErrInvalid}
}

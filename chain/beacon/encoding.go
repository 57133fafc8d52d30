package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// maxCommitmentBytes bounds an encoded commitment: what a transaction can hold.
const maxCommitmentBytes = params.MaxTxBytes

// shareSize is the least a revealed value takes: UInt player ‖ scalar.
const shareSize = 1 + sig.BLSPrivateKeySize

func appendShare(dst []byte, s bls.Share) []byte {
	return codec.AppendFixed(codec.AppendUint(dst, uint64(s.Index)), s.Key.Bytes())
}

func readShare(r *codec.Reader) bls.Share {
	s := bls.Share{Index: r.Uint32()}
	raw := r.Fixed(sig.BLSPrivateKeySize)
	if r.Err() != nil {
		return s
	}
	var err error
	if s.Key, err = bls.ParsePrivateKey(raw); err != nil {
		r.Fail(codec.ErrInvalid, uint64(s.Index))
	}
	return s
}

func appendCommitment(dst []byte, c *bls.Sharing) []byte {
	return codec.AppendBytes(dst, c.Append(nil))
}

func readCommitment(r *codec.Reader) *bls.Sharing {
	raw := r.Bytes(maxCommitmentBytes)
	if r.Err() != nil {
		return nil
	}
	c, err := bls.DecodeSharing(raw)
	if err != nil {
		r.Fail(codec.ErrInvalid, 0)
	}
	return c
}

// Encode is the canonical encoding: UInt dealer ‖ Bytes commitment ‖ UInt player ‖ scalar(32) ‖ signature(96). It holds a secret.
// Spec: WP §2.5.
func (d Deal) Encode() []byte {
	dst := appendShare(appendCommitment(codec.AppendUint(nil, uint64(d.Dealer)), d.Commitment), d.Share)
	return codec.AppendFixed(dst, d.Signature[:])
}

// DecodeDeal reads what Encode wrote and nothing else, or gives a *codec.Error.
func DecodeDeal(data []byte) (Deal, error) {
	r := codec.NewReader(data)
	d := Deal{Dealer: r.Uint32(), Commitment: readCommitment(r)}
	d.Share = readShare(r)
	r.Into(d.Signature[:])
	return d, r.Finish()
}

// Encode is the canonical encoding: UInt dealer ‖ UInt player ‖ signature(96).
// Spec: WP §2.5.
func (a Ack) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(nil, uint64(a.Dealer)), uint64(a.Player))
	return codec.AppendFixed(dst, a.Signature[:])
}

// DecodeAck reads what Encode wrote and nothing else, or gives a *codec.Error.
func DecodeAck(data []byte) (Ack, error) {
	r := codec.NewReader(data)
	a := Ack{Dealer: r.Uint32(), Player: r.Uint32()}
	r.Into(a.Signature[:])
	return a, r.Finish()
}

// Encode is the canonical encoding: UInt dealer ‖ Bytes commitment ‖ signers ‖ aggregate(96) ‖ Vec of UInt player ‖ scalar(32).
// Spec: WP §2.5; commonware §4.3 (3).
func (l *Log) Encode() []byte {
	dst := appendCommitment(codec.AppendUint(nil, uint64(l.Dealer)), l.Commitment)
	dst = codec.AppendFixed(l.Acks.Append(dst), l.Aggregate[:])
	dst = codec.AppendLen(dst, len(l.Reveals))
	for _, s := range l.Reveals {
		dst = appendShare(dst, s)
	}
	return dst
}

// DecodeLog reads what Encode wrote and nothing else, or gives a *codec.Error. Whether it proves anything is Info.Check's to say.
func DecodeLog(data []byte) (*Log, error) {
	r := codec.NewReader(data)
	l := &Log{Dealer: r.Uint32(), Commitment: readCommitment(r), Acks: sig.ReadSigners(r)}
	r.Into(l.Aggregate[:])
	if n := r.Len(0, sig.MaxParticipants, shareSize); n > 0 {
		l.Reveals = make([]bls.Share, n)
		for i := range l.Reveals {
			l.Reveals[i] = readShare(r)
			if r.Err() != nil {
				break
			}
		}
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return l, nil
}

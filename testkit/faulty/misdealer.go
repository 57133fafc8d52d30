package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// misdealer tells every player of a key ceremony a value that is not on its polynomial, and behaves otherwise.
type misdealer struct{ straight }

func (misdealer) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	if attendant.Owns(frame) {
		f, err := attendant.DecodePeerMessage(bytes.Clone(frame))
		if d, ok := f.(*attendant.Deal); ok && err == nil {
			other, err := bls.DeriveKey(d.Deal.Share.Key.Bytes(), []byte("another value"))
			if err != nil {
				panic(err)
			}
			d.Deal.Share.Key = other
			frame = attendant.EncodePeerMessage(d)
		}
	}
	h.Send(to, c, frame)
}

package faulty

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// omitter never hears what one honest validator votes, the first in rank besides itself: no header of its own tells of those votes. It behaves otherwise.
type omitter struct{ straight }

// Deaf implements Deaf.
func (omitter) Deaf(h Hand, frame []byte) bool {
	a := message(frame)
	if a == nil {
		return false
	}
	left := leftOut(h)
	switch m := a.Message.(type) {
	case *simplex.Vote:
		return m.Signer == left
	case *simplex.NewView:
		return m.Signer == left
	case *simplex.Certificate:
		return m.Kind == sig.Notarization && m.Signers.Has(int(left)) // it makes its own, of the votes of others
	}
	return false
}

// leftOut is the rank of the validator that is left out.
func leftOut(h Hand) uint32 {
	if h.Rank() == 0 {
		return 1
	}
	return 0
}

// shunner is an omitter that also keeps its blocks from the same validator: neither its proposals nor its certificates nor its answers reach that validator,
// which can vote for none of its blocks in time.
type shunner struct {
	omitter
	shunned link.Peer
}

// Hear learns from introductions which peer the validator is.
func (f *shunner) Hear(h Hand, from link.Peer, _ link.Channel, frame []byte) {
	d, err := replica.DecodePeerMessage(bytes.Clone(frame))
	if err != nil {
		return
	}
	if i, ok := d.(*replica.Introduction); ok && i.Rank == leftOut(h) {
		f.shunned = from
	}
}

func (f *shunner) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	if to == f.shunned && (c == link.Blocks || shows(frame)) {
		return
	}
	f.omitter.Send(h, to, c, frame)
}

// shows reports whether a frame shows certificates.
func shows(frame []byte) bool {
	a := message(frame)
	if a == nil {
		return false
	}
	switch a.Message.(type) {
	case *simplex.Certificate, *simplex.Response:
		return true
	}
	return false
}

package discovery

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/cowboyinc/cowboy-go/net/layout"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// ErrMessage: a frame that is no message of this package.
var ErrMessage = errors.New("discovery: bad message")

// Kinds of messages.
const (
	kindAdvert = 1
	kindFind   = 2
	kindFound  = 3
	kindSeen   = 4 // between peers that speak seenVersion
)

// seenVersion is the protocol version from which on nodes say where they see each other; the ones before call the message a fault.
const seenVersion = 2

// answerMax is how many records an answer holds.
const answerMax = 16

// message is one decoded frame.
type message struct {
	kind    uint8
	request uint32         // find, found
	target  transport.ID   // find
	records []Record       // advert: one
	address netip.AddrPort // seen
}

func (m *message) encode() []byte {
	b := []byte{m.kind}
	switch m.kind {
	case kindAdvert:
		return m.records[0].append(b)
	case kindFind:
		return append(binary.BigEndian.AppendUint32(b, m.request), m.target[:]...)
	case kindSeen:
		return appendAddress(b, m.address)
	}
	b = layout.AppendUv(binary.BigEndian.AppendUint32(b, m.request), uint64(len(m.records)))
	for i := range m.records {
		b = m.records[i].append(b)
	}
	return b
}

// decodeMessage reads a frame. Signatures are left unchecked.
func decodeMessage(data []byte) (message, error) {
	r := layout.NewReader(data)
	m := message{kind: r.U8()}
	switch m.kind {
	case kindAdvert:
		m.records = []Record{readRecord(r)}
	case kindFind:
		m.request = r.U32()
		m.target = r.Hash()
	case kindFound:
		m.request = r.U32()
		for n := r.Count(answerMax); n > 0 && r.Err() == nil; n-- {
			m.records = append(m.records, readRecord(r))
		}
	case kindSeen:
		m.address = readAddress(r)
	default:
		r.Fail(fmt.Errorf("unknown kind %d", m.kind))
	}
	if err := r.Finish(); err != nil {
		return message{}, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	return m, nil
}

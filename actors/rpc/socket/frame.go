package socket

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Op is a frame's opcode.
type Op byte

// The opcodes. Spec: RFC 6455 §5.2.
const (
	Text   Op = 0x1
	Binary Op = 0x2
	Close  Op = 0x8
	Ping   Op = 0x9
	Pong   Op = 0xa
)

// The codes a connection is closed with. Spec: RFC 6455 §7.4.1.
const (
	CodeNormal      uint16 = 1000
	CodeAway        uint16 = 1001 // the node stops
	CodeProtocol    uint16 = 1002
	CodeUnsupported uint16 = 1003 // data from a client
	CodeTooLarge    uint16 = 1009
)

// MaxControl is the longest payload of a control frame in bytes. Spec: RFC 6455 §5.5.
const MaxControl = 125

// ProtocolError is a frame that breaks a rule.
type ProtocolError struct {
	Code uint16 // to close the connection with
	Text string
}

func (e *ProtocolError) Error() string { return fmt.Sprintf("socket: %s (%d)", e.Text, e.Code) }

// control tells whether frames of the opcode steer the connection.
func (o Op) control() bool { return o >= Close }

// known tells whether the opcode is one of those above.
func (o Op) known() bool {
	switch o {
	case Text, Binary, Close, Ping, Pong:
		return true
	}
	return false
}

// Frame is one whole frame.
type Frame struct {
	Op      Op
	Payload []byte
}

// Bits of a frame's first two bytes.
const (
	bitFinal  = 0x80
	bitMasked = 0x80
	length16  = 126
	length64  = 127
)

// Read reads a frame of at most limit bytes of payload, masked as a client's is or not as a server's. Errors: *ProtocolError, and those of the reader.
//
// Spec: RFC 6455 §5.1, §5.2, §5.3.
func Read(r io.Reader, masked bool, limit uint64) (Frame, error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:2]); err != nil {
		return Frame{}, err
	}
	f := Frame{Op: Op(head[0] & 0x0f)}
	size := uint64(head[1] &^ bitMasked)
	switch {
	case head[0]&0x70 != 0 || !f.Op.known():
		return f, &ProtocolError{CodeProtocol, "a reserved bit or opcode"}
	case head[0]&bitFinal == 0:
		return f, &ProtocolError{CodeProtocol, "a fragment"}
	case head[1]&bitMasked != 0 != masked:
		return f, &ProtocolError{CodeProtocol, "a frame is masked exactly if it is a client's"}
	case f.Op.control() && size > MaxControl:
		return f, &ProtocolError{CodeProtocol, "a control frame of more than 125 bytes"}
	}
	var err error
	switch size {
	case length16:
		_, err = io.ReadFull(r, head[:2])
		size = uint64(binary.BigEndian.Uint16(head[:2]))
	case length64:
		_, err = io.ReadFull(r, head[:8])
		size = binary.BigEndian.Uint64(head[:8])
	}
	if err != nil {
		return f, err
	}
	if size > limit {
		return f, &ProtocolError{CodeTooLarge, "a frame that is too large"}
	}
	var mask [4]byte
	if masked {
		if _, err := io.ReadFull(r, mask[:]); err != nil {
			return f, err
		}
	}
	f.Payload = make([]byte, size)
	if _, err := io.ReadFull(r, f.Payload); err != nil {
		return f, err
	}
	for i := range f.Payload {
		f.Payload[i] ^= mask[i%4]
	}
	return f, nil
}

// AppendHead appends the head of a server's whole frame of so many bytes of payload, which follow it.
//
// Spec: RFC 6455 §5.2.
func AppendHead(dst []byte, op Op, size int) []byte {
	dst = append(dst, bitFinal|byte(op))
	switch {
	case size < length16:
		return append(dst, byte(size))
	case size <= 0xffff:
		return binary.BigEndian.AppendUint16(append(dst, length16), uint16(size))
	}
	return binary.BigEndian.AppendUint64(append(dst, length64), uint64(size))
}

// AppendClose appends a server's farewell.
//
// Spec: RFC 6455 §5.5.1.
func AppendClose(dst []byte, code uint16, text string) []byte {
	text = text[:min(len(text), MaxControl-2)]
	dst = binary.BigEndian.AppendUint16(AppendHead(dst, Close, 2+len(text)), code)
	return append(dst, text...)
}

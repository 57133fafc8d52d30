package transport

import (
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/net/layout"
)

const (
	// magic opens every greeting.
	magic = "CWBY"
	// Version is the highest protocol version this package speaks, versionLow the lowest.
	Version    = 1
	versionLow = 1

	nameMax     = 64  // bytes of a network's or agent's name
	greetingMax = 512 // bytes of an encoded greeting or answer; the fields leave no way to more
)

// greeting is what each side says of itself before anything else.
type greeting struct {
	high, low uint16 // protocol versions spoken
	purpose   Purpose
	instance  uint64 // drawn when the process started
	genesis   [32]byte
	network   string
	agent     string
	listen    uint16
}

// encode gives the greeting's bytes; doc.go shows the shape.
func (g greeting) encode() []byte {
	b := append(make([]byte, 0, 128), magic...)
	b = binary.BigEndian.AppendUint16(b, g.high)
	b = binary.BigEndian.AppendUint16(b, g.low)
	b = append(b, byte(g.purpose))
	b = binary.BigEndian.AppendUint64(b, g.instance)
	b = append(b, g.genesis[:]...)
	b = layout.AppendBytes(b, []byte(g.network))
	b = layout.AppendBytes(b, []byte(g.agent))
	return binary.BigEndian.AppendUint16(b, g.listen)
}

// decodeGreeting reads a greeting. A greeting of a version we do not speak may have fields we do not know at its end, so that
// both sides can still tell each other what they are.
func decodeGreeting(b []byte) (greeting, error) {
	r := layout.NewReader(b)
	if string(r.Fixed(len(magic))) != magic {
		r.Fail(fmt.Errorf("does not begin with %s", magic))
	}
	g := greeting{high: r.U16(), low: r.U16(), purpose: Purpose(r.U8()), instance: r.U64(), genesis: r.Hash()}
	g.network, g.agent = readName(r), readName(r)
	g.listen = r.U16()
	switch {
	case r.Err() != nil:
	case g.low > g.high:
		r.Fail(fmt.Errorf("versions %d to %d", g.low, g.high))
	case g.network == "":
		r.Fail(fmt.Errorf("no network name"))
	case g.purpose > Lookup:
		r.Fail(fmt.Errorf("unknown %v", g.purpose))
	}
	err := r.Err()
	if g.high <= Version {
		err = r.Finish()
	}
	if err != nil {
		return greeting{}, err
	}
	return g, nil
}

func readName(r *layout.Reader) string {
	b := r.Bytes(nameMax)
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			r.Fail(fmt.Errorf("a name that is not printable ASCII"))
		}
	}
	return string(b)
}

// meet finds the protocol version two nodes speak, or why they cannot be peers. Both sides come to the same verdict.
func meet(ours, theirs greeting) (uint16, *Refusal) {
	version := min(ours.high, theirs.high)
	switch {
	case ours.network != theirs.network:
		return 0, NewRefusal(CodeNetwork, "this node is of network %q, the peer of %q", ours.network, theirs.network)
	case ours.genesis != theirs.genesis:
		return 0, NewRefusal(CodeGenesis, "network %q: this node's genesis is %x, the peer's %x", ours.network, ours.genesis, theirs.genesis)
	case version < max(ours.low, theirs.low):
		return 0, NewRefusal(CodeVersion, "this node speaks versions %d to %d, the peer %d to %d", ours.low, ours.high, theirs.low, theirs.high)
	}
	return version, nil
}

// answer is the dialed side's reply: its own greeting and whether it takes the connection.
type answer struct {
	greeting greeting
	refusal  *Refusal // nil = taken
}

// encode gives bytes greeting ‖ bool refused ‖ code u16 ‖ bytes text, the last two only if refused.
func (a answer) encode() []byte {
	b := layout.AppendBytes(nil, a.greeting.encode())
	if a.refusal == nil {
		return append(b, 0)
	}
	b = binary.BigEndian.AppendUint16(append(b, 1), uint16(a.refusal.Code))
	return layout.AppendBytes(b, []byte(a.refusal.Text))
}

func decodeAnswer(b []byte) (answer, error) {
	r := layout.NewReader(b)
	g := r.Bytes(greetingMax)
	var a answer
	switch r.U8() {
	case 0:
	case 1:
		code := Code(r.U16())
		a.refusal = &Refusal{Code: code, Text: printable(r.Bytes(textMax), textMax), Remote: true}
	default:
		r.Fail(fmt.Errorf("unknown verdict"))
	}
	if err := r.Finish(); err != nil {
		return answer{}, err
	}
	var err error
	if a.greeting, err = decodeGreeting(g); err != nil {
		return answer{}, err
	}
	return a, nil
}

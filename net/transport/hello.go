package transport

import (
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/net/layout"
)

const (
	// magic opens every hello.
	magic = "CWBY"
	// Version is the highest protocol version this package speaks, versionLow the lowest. From 2 on nodes tell each other where they see them (discovery).
	Version    = 2
	versionLow = 1

	nameMax  = 64  // bytes of a network's or agent's name
	helloMax = 512 // bytes of an encoded hello or answer; the fields leave no way to more
)

// hello is what each side says of itself before anything else.
type hello struct {
	high, low uint16 // protocol versions spoken
	purpose   Purpose
	instance  uint64 // drawn when the process started
	genesis   [32]byte
	network   string
	agent     string
	listen    uint16
}

// encode gives the hello's bytes; doc.go shows the shape.
func (g hello) encode() []byte {
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

// decodeHello reads a hello. A hello of a version we do not speak may have fields we do not know at its end, so that
// both sides can still tell each other what they are.
func decodeHello(b []byte) (hello, error) {
	r := layout.NewReader(b)
	if string(r.Fixed(len(magic))) != magic {
		r.Fail(fmt.Errorf("does not begin with %s", magic))
	}
	g := hello{high: r.U16(), low: r.U16(), purpose: Purpose(r.U8()), instance: r.U64(), genesis: r.Hash()}
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
		return hello{}, err
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
func meet(ours, theirs hello) (uint16, *Refusal) {
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

// answer is the dialed side's reply: its own hello and whether it takes the connection.
type answer struct {
	hello   hello
	refusal *Refusal // nil = taken
}

// encode gives bytes hello ‖ bool refused ‖ code u16 ‖ bytes text, the last two only if refused.
func (a answer) encode() []byte {
	b := layout.AppendBytes(nil, a.hello.encode())
	if a.refusal == nil {
		return append(b, 0)
	}
	b = binary.BigEndian.AppendUint16(append(b, 1), uint16(a.refusal.Code))
	return layout.AppendBytes(b, []byte(a.refusal.Text))
}

func decodeAnswer(b []byte) (answer, error) {
	r := layout.NewReader(b)
	g := r.Bytes(helloMax)
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
	if a.hello, err = decodeHello(g); err != nil {
		return answer{}, err
	}
	return a, nil
}

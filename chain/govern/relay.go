package govern

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Relays is the Relay Registry as governance needs it.
type Relays interface {
	// CanDrain gives why a node can not be told to drain now, nil if it can.
	CanDrain(node digest.Hash) error
	// Drain tells it.
	Drain(node digest.Hash) error
}

// DrainRelay has a storage relay take no more volumes, and hand on what it holds.
//
// Spec: storage-cbfs §3.2 (85).
type DrainRelay struct{ Node digest.Hash }

// Name implements Payload.
func (*DrainRelay) Name() string { return "DrainRelay" }

func (p *DrainRelay) append(dst []byte) []byte {
	return codec.AppendFixed(append(dst, tagDrain), p.Node[:])
}

func readDrain(r *codec.Reader) Payload {
	d := new(DrainRelay)
	r.Into(d.Node[:])
	return d
}

func (h *Registry) validDrain(p *DrainRelay) error {
	if h.Relays == nil {
		return fmt.Errorf("%w: there are no relays here", ErrPayload)
	}
	if err := h.Relays.CanDrain(p.Node); err != nil {
		return fmt.Errorf("%w: %w", ErrPayload, err)
	}
	return nil
}

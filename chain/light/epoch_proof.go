package light

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// EpochProof is what takes a client over the end of an epoch: the epoch's last header, what makes it final, and the handover.
type EpochProof struct {
	Header      *block.Header
	Certificate *sig.Certificate
	Handover    *Handover
}

// NewEpochProof makes the epoch proof out of an epoch for a client that holds the epoch's set, from the epoch's last header, its finalization and the state
// after it. It gives stake.ErrNoEpoch for a state without a validator registry and state.ErrAbsent for one that is not an epoch's last; anything else
// is a failing source.
func NewEpochProof(h *block.Header, certificate *sig.Certificate, after *state.Commit) (*EpochProof, error) {
	raw, ok, err := after.Lookup(stake.EpochKey(h.Epoch))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, stake.ErrNoEpoch
	}
	have, err := stake.DecodeEpoch(raw)
	if err != nil {
		return nil, err
	}
	handover, err := NewHandover(after, h.Epoch, *have)
	if err != nil {
		return nil, err
	}
	return &EpochProof{Header: h, Certificate: certificate, Handover: handover}, nil
}

// Advance takes the client into the next epoch. An epoch proof of an epoch the client has left is ErrEpoch. Errors: ErrHeader, ErrEpoch, ErrCertificate,
// ErrBoundary, ErrHandover.
// Spec: WP "Validator Set"; commonware §4.3.
func (c *Client) Advance(x *EpochProof) error {
	if x.Header.Epoch != c.set.Epoch {
		return ErrEpoch
	}
	if c.head.header == nil || c.head.hash != x.Header.Hash() {
		if _, err := c.Follow(x.Header, x.Certificate); err != nil {
			return err
		}
	}
	return c.Turn(x.Handover)
}

// handoverMax bounds an encoded handover: three entries, of which the set is the largest.
const handoverMax = 4 << 20

// Encode is the canonical encoding: header ‖ certificate ‖ Bytes handover.
// Spec: WP §2.5.
func (x *EpochProof) Encode() []byte {
	dst := x.Certificate.Append(x.Header.Encode())
	return codec.AppendBytes(dst, x.Handover.Encode())
}

// DecodeEpochProof reads what Encode wrote and nothing else. The error wraps a *codec.Error.
func DecodeEpochProof(data []byte) (*EpochProof, error) {
	r := codec.NewReader(data)
	h, c := block.ReadHeader(r), sig.ReadCertificate(r)
	raw := r.Bytes(handoverMax)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	handover, err := DecodeHandover(raw)
	if err != nil {
		return nil, fmt.Errorf("handover: %w", err)
	}
	return &EpochProof{Header: &h, Certificate: &c, Handover: handover}, nil
}

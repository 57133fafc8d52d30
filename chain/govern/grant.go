package govern

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
)

// grantable makes the rejects of package treasury those of a payload.
func grantable(err error) error {
	for _, reject := range []error{treasury.ErrBucket, treasury.ErrTo, treasury.ErrAmount, treasury.ErrNoGrant, treasury.ErrRevocable} {
		if errors.Is(err, reject) {
			return fmt.Errorf("%w: %w", ErrPayload, err)
		}
	}
	return err
}

// applyGrant makes or revokes a grant, which valid has found possible.
//
// Spec: WP §8.3; governance-staking B4.
func (h *Registry) applyGrant(p Payload) error {
	switch p := p.(type) {
	case *GrantAward:
		id, err := p.Make(h.State, h.Height)
		if err != nil {
			return grantable(err)
		}
		data := codec.AppendFixed(codec.AppendBytes(codec.AppendUint(nil, id), []byte(p.Bucket)), p.To[:])
		h.emit(TopicAwarded, codec.AppendUint(data, uint64(p.Amount)))
	case *GrantRevoke:
		rest, err := treasury.Revoke(h.State, p.Grant, h.Height)
		if err != nil {
			return grantable(err)
		}
		h.emitNumbers(TopicRevoked, p.Grant, uint64(rest))
	}
	return nil
}

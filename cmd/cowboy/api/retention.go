package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
)

// Retention reads a retention contract, and which blobs it is about. Error: reach.ErrUnknown where there is none.
//
// Spec: storage-cbfs §7.
func (s Storage) Retention(ctx context.Context, id digest.Hash) (*wire.Retention, []retention.Blob, error) {
	v := new(wire.Retention)
	if err := s.Node.Read(ctx, "/retention/"+wire.Hash(id), v); NotFound(err) {
		return nil, nil, reach.ErrUnknown
	} else if err != nil {
		return nil, nil, err
	}
	blobs := make([]retention.Blob, len(v.Blobs))
	for i := range v.Blobs {
		raw, err := hex.DecodeString(strings.TrimPrefix(v.Blobs[i].Ref, "0x"))
		if err != nil {
			return nil, nil, fmt.Errorf("blob %d: %w", i, err)
		}
		ref, err := cbfs.DecodeBlobRef(raw)
		if err != nil {
			return nil, nil, fmt.Errorf("blob %d: %w", i, err)
		}
		root, err := digest.ParseHash(v.Blobs[i].Root)
		if err != nil {
			return nil, nil, fmt.Errorf("blob %d: %w", i, err)
		}
		blobs[i] = retention.Blob{Ref: *ref, Root: root}
	}
	return v, blobs, nil
}

// Providers are ways to ask the relays that provide for a contract, but not the one whose owner is named; those that the chain does not know stay out.
func (s Storage) Providers(ctx context.Context, pool *reach.Pool, v *wire.Retention, but account.Address) (list []retained.Ask, err error) {
	for i := range v.Providers {
		who, err := account.ReadAddress(v.Providers[i].Provider)
		if err != nil {
			return nil, err
		}
		if who == but {
			continue
		}
		r, err := s.Relay(ctx, who)
		if errors.Is(err, reach.ErrUnknown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, func(ctx context.Context, q *protocol.Request) (*protocol.Answer, error) { return pool.Ask(ctx, r, q) })
	}
	return list, nil
}

package retained

import (
	"context"
	"fmt"
	"io"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
)

// Ask brings a question to a provider.
type Ask func(ctx context.Context, q *protocol.Request) (*protocol.Answer, error)

// Fetch reads a blob of a contract from its providers, the next one where one has a piece not, and writes it. Each piece is held to the root before it is
// written: nobody has to be believed.
//
// Spec: storage-cbfs §7; WP §7.2.
func Fetch(ctx context.Context, providers []Ask, contract digest.Hash, number int, b *retention.Blob, to io.Writer) error {
	count, from := b.Ref.Pieces(), 0
	for at := uint64(0); at < count; {
		list, err := pieces(ctx, providers, &from, contract, number, b, at)
		if err != nil {
			return fmt.Errorf("blob %d, piece %d of %d: %w", number, at, count, err)
		}
		for i := range list {
			if _, err := to.Write(list[i].Bytes); err != nil {
				return err
			}
		}
		at += uint64(len(list))
	}
	return nil
}

// pieces gets the next pieces from the provider that gave the last ones, or another one.
func pieces(ctx context.Context, providers []Ask, from *int, contract digest.Hash, number int, b *retention.Blob, at uint64) (list []cbfs.Piece, err error) {
	err = fmt.Errorf("%w: nobody has it", ErrMissing)
	for range providers {
		var a *protocol.Answer
		a, err = providers[*from](ctx, &protocol.Request{
			Op: protocol.GetPieces, Root: contract, Slot: uint8(number), Number: at, Length: cbfs.MaxPieces,
		})
		if err == nil {
			if list, err = checked(a, b, at); err == nil {
				return list, nil
			}
		}
		*from = (*from + 1) % len(providers)
	}
	return nil, err
}

// checked reads pieces and holds each to the root. Errors: cbfs.ErrProofForm, cbfs.ErrPiece.
func checked(a *protocol.Answer, b *retention.Blob, at uint64) ([]cbfs.Piece, error) {
	if a.Status != protocol.Ok {
		return nil, a.Status
	}
	list, err := cbfs.DecodePieces(a.Data)
	if err == nil && len(list) == 0 {
		err = cbfs.ErrPiece
	}
	for i := range list {
		if err == nil {
			err = list[i].Verify(&b.Ref, b.Root, at+uint64(i))
		}
	}
	return list, err
}

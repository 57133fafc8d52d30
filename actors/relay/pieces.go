package relay

import (
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// piecesRoom is how much memory an answer with pieces takes at most, with their paths of at most 30 hashes.
const piecesRoom = cbfs.MaxPieces * (cbfs.MaxPieceBytes + 1<<10)

// pieces answers with pieces of a retained blob, each with its path, so that whoever reads it holds it to the chain. What is retained is for everybody: who
// wants it kept secret encrypts it before. A question costs a handful of small reads, and nothing of the chain.
//
// Spec: storage-cbfs §7; WP §7.2.
func (d *Responder) pieces(q *protocol.Request) *protocol.Answer {
	if d.Retained == nil {
		return refuse(protocol.ErrNotFound)
	}
	b, err := d.Retained.Blob(q.Root, int(q.Slot))
	if err != nil {
		return refuse(protocol.ErrNotFound)
	}
	count := b.Ref.Pieces()
	if q.Number >= count || q.Length == 0 || q.Length > cbfs.MaxPieces {
		return refuse(protocol.ErrInvalid)
	}
	list := make([]cbfs.Piece, min(q.Length, count-q.Number))
	for i := range list {
		if list[i], err = d.Retained.Piece(q.Root, int(q.Slot), b, q.Number+uint64(i)); err != nil {
			return refuse(protocol.ErrNotFound)
		}
	}
	return &protocol.Answer{Total: count, Data: cbfs.AppendPieces(nil, list)}
}

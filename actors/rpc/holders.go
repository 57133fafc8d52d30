package rpc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func badCursor() error { return badRequest("cursor is not one this node gave") }

// TokenHolders implements Backend. A cursor is balance.address of the last holder of the page before.
//
// Spec: tokens §2 (the holders of a token need an index); node-rpc-cli §2.6.
func (n *Node) TokenHolders(id token.ID, cursor string, limit int) (wire.TokenHolders, error) {
	reply := wire.TokenHolders{TokenID: id.String(), Holders: []wire.TokenHolder{}}
	var after *index.Rank
	if cursor != "" {
		balance, owner, _ := strings.Cut(cursor, ".")
		amount, err := unit.ParseUint128(balance)
		if err != nil {
			return reply, badCursor()
		}
		who, err := account.ReadAddress(owner)
		if err != nil {
			return reply, badCursor()
		}
		after = &index.Rank{Owner: who, Amount: amount}
	}
	if _, _, _, err := n.tokenAt(id); err != nil {
		return reply, err
	}
	list, total, err := n.Index.Holders(id, after, limit+1)
	reply.TotalCount = total
	for i, h := range list {
		if i == limit {
			last := list[i-1]
			reply.NextCursor = fmt.Sprintf("%v.%v", last.Amount, last.Owner)
			break
		}
		reply.Holders = append(reply.Holders, wire.TokenHolder{Address: h.Owner.String(), Balance: h.Amount.String()})
	}
	return reply, err
}

// TokenMoves implements Backend. A cursor is height.index.event of the last change of the page before.
//
// Spec: tokens §7; node-rpc-cli §2.6.
func (n *Node) TokenMoves(id token.ID, cursor string, limit int) (wire.TokenMoves, error) {
	reply := wire.TokenMoves{TokenID: id.String(), Transfers: []wire.TokenMove{}}
	var before index.MovePlace
	if cursor != "" {
		dot := strings.LastIndexByte(cursor, '.')
		event, err := strconv.ParseUint(cursor[dot+1:], 10, 32)
		if err != nil || dot < 0 {
			return reply, badCursor()
		}
		height, place, err := parseCursor(cursor[:dot])
		if err != nil || uint64(place) > 1<<32-1 {
			return reply, badCursor()
		}
		before = index.MovePlace{Place: index.Place{Height: unit.Height(height), Index: uint32(place)}, Event: uint32(event)}
	}
	if _, _, _, err := n.tokenAt(id); err != nil {
		return reply, err
	}
	list, total, err := n.Index.Moves(id, before, limit+1)
	reply.TotalCount = total
	for i := range list {
		if i == limit {
			last := list[i-1]
			reply.NextCursor = fmt.Sprintf("%d.%d.%d", last.Height, last.Index, last.Event)
			break
		}
		reply.Transfers = append(reply.Transfers, fromMove(&list[i]))
	}
	return reply, err
}

func fromMove(m *index.Moved) wire.TokenMove {
	w := wire.TokenMove{
		Kind: m.Kind.String(), Amount: m.Amount.String(), BlockHeight: uint64(m.Height), Index: uint64(m.Index), Event: uint64(m.Event),
		Receipt: m.Receipt.String(),
	}
	if !m.From.IsZero() {
		from := m.From.String()
		w.From = &from
	}
	if !m.To.IsZero() {
		to := m.To.String()
		w.To = &to
	}
	return w
}

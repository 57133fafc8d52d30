package token

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the registry's events. Quantities are little-endian, as the reference node has them.
//
// Spec: tokens §7.
const (
	TopicCreated    = "TokenCreated"              // token(32) ‖ creator(20) ‖ supply(16)
	TopicTransfer   = "TokenTransfer"             // token(32) ‖ from(20) ‖ to(20) ‖ amount(16)
	TopicMinted     = "TokenMinted"               // token(32) ‖ account(20) ‖ amount(16)
	TopicBurned     = "TokenBurned"               // token(32) ‖ account(20) ‖ amount(16)
	TopicApproval   = "TokenApproval"             // token(32) ‖ owner(20) ‖ spender(20) ‖ amount(16), what is allowed from now on
	TopicFrozen     = "TokenFrozen"               // token(32) ‖ account(20)
	TopicThawed     = "TokenThawed"               // token(32) ‖ account(20)
	TopicHook       = "TokenHookUpdated"          // token(32) ‖ hook(20), the zero address for none
	TopicOwner      = "TokenOwnershipTransferred" // token(32) ‖ old owner(20) ‖ new owner(20)
	TopicHookFailed = "TokenHookFailed"           // token(32) ‖ hook(20) ‖ code of the fault(2, big-endian): on_transfer failed, the transfer stands
)

// about emits an event of addresses.
func (g *Registry) about(topic string, id ID, who ...account.Address) {
	g.Emit(topic, addresses(id, who...))
}

func addresses(id ID, who ...account.Address) []byte {
	data := append([]byte(nil), id[:]...)
	for _, a := range who {
		data = append(data, a[:]...)
	}
	return data
}

func (g *Registry) moved(topic string, id ID, from, to account.Address, amount unit.Uint128) {
	g.Emit(topic, amount.AppendLittle(addresses(id, from, to)))
}

func (g *Registry) changed(topic string, id ID, who account.Address, amount unit.Uint128) {
	g.Emit(topic, amount.AppendLittle(addresses(id, who)))
}

func (g *Registry) created(id ID, creator account.Address, supply unit.Uint128) {
	g.changed(TopicCreated, id, creator, supply)
}

// HookFailed is the data of TopicHookFailed.
func HookFailed(id ID, hook account.Address, code uint16) []byte {
	return append(addresses(id, hook), byte(code>>8), byte(code))
}

// ChangeKind says how balances changed.
type ChangeKind uint8

// The kinds. From is the zero address for what was created and minted, To for what was burned.
const (
	Created ChangeKind = iota
	Minted
	Transferred
	Burned
	changeKinds
)

// String names the kind.
func (k ChangeKind) String() string {
	if k >= changeKinds {
		return "unknown"
	}
	return [...]string{"create", "mint", "transfer", "burn"}[k]
}

// Change is an event that tells of balances.
type Change struct {
	Kind ChangeKind
	Move
}

// ReadChange reads an event of the registry; ok is false for one that changes no balance.
//
// Spec: tokens §7.
func ReadChange(topic, data []byte) (c Change, ok bool) {
	switch string(topic) {
	case TopicCreated:
		c.Kind = Created
	case TopicMinted:
		c.Kind = Minted
	case TopicTransfer:
		c.Kind = Transferred
	case TopicBurned:
		c.Kind = Burned
	default:
		return c, false
	}
	r := codec.NewReader(data)
	r.Into(c.Token[:])
	if c.Kind == Transferred || c.Kind == Burned {
		r.Into(c.From[:])
	}
	if c.Kind != Burned {
		r.Into(c.To[:])
	}
	var amount [unit.Uint128Size]byte
	for i := range amount {
		amount[len(amount)-1-i] = r.U8() // little-endian
	}
	c.Amount = unit.Uint128FromBig(amount)
	return c, r.Finish() == nil
}

package token

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// permitDomain keeps what a permit signs apart from everything else an account signs: no transaction begins so.
const permitDomain = "cowboy-token-permit:"

// Permit is an allowance that its owner signs.
//
// Spec: tokens §4.
type Permit struct {
	Token          ID
	Owner, Spender account.Address
	Value          unit.Uint128
	Deadline       unit.Height // of the last block it is good in
	Nonce          uint64      // how many permits of the owner were used before it
}

// Digest is what the owner signs for a chain: keccak256 of
//
//	"cowboy-token-permit:" ‖ chain_id(8) ‖ token(32) ‖ owner(20) ‖ spender(20) ‖ value(16) ‖ nonce(8) ‖ deadline(8)
//
// with numbers big-endian.
//
// Spec: tokens §4.
func (p *Permit) Digest(chainID uint64) digest.Hash {
	b := binary.BigEndian.AppendUint64([]byte(permitDomain), chainID)
	b = append(append(append(b, p.Token[:]...), p.Owner[:]...), p.Spender[:]...)
	b = binary.BigEndian.AppendUint64(p.Value.AppendBig(b), p.Nonce)
	return digest.Keccak256(binary.BigEndian.AppendUint64(b, uint64(p.Deadline)))
}

// Permit sets an allowance that its owner signed. Anybody may bring it.
//
// Spec: tokens §4.
func (g *Registry) Permit(p Permit, signature sig.Signature) error {
	if _, err := g.open(p.Token); err != nil {
		return err
	}
	if g.Height > p.Deadline {
		return ErrExpired
	}
	key := at(underPermits, p.Owner[:])
	next, err := state.Number(g.State, key)
	if err != nil {
		return err
	}
	if p.Nonce != next {
		return ErrNonce
	}
	if by, err := sig.Default().Recover(p.Digest(g.ChainID), signature); err != nil || by != p.Owner {
		return ErrSignature
	}
	state.SetNumber(g.State, key, next+1)
	g.allow(p.Token, p.Owner, p.Spender, p.Value)
	return nil
}

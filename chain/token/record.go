package token

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ID identifies a token.
type ID = digest.Hash

// Token is what the registry keeps of a token (TokenMint).
//
// Spec: tokens §2.
type Token struct {
	Name            string // UTF-8, 1 to 64 bytes
	Symbol          string // UTF-8, 1 to 16 bytes
	Decimals        uint8  // 0 to 18, for display only
	Supply          unit.Uint128
	Max             *unit.Uint128 // nil: params.TokenMaxSupply
	Owner           account.Address
	MintAuthority   account.Address
	FreezeAuthority *account.Address
	Hook            *account.Address // the actor that is asked about transfers
	URI             *string          // of metadata; at most 256 bytes
	Created         unit.Height
}

// Encode is the record in state:
//
//	Bytes name ‖ Bytes symbol ‖ decimals(1) ‖ supply(16) ‖ Option max(16) ‖ owner(20) ‖ mint_authority(20) ‖ Option freeze_authority(20) ‖ Option hook(20) ‖
//	Option<Bytes> uri ‖ UInt created
func (t *Token) Encode() []byte {
	b := codec.AppendBytes(nil, []byte(t.Name))
	b = codec.AppendBytes(b, []byte(t.Symbol))
	b = t.Supply.AppendBig(codec.AppendU8(b, t.Decimals))
	if b = codec.AppendBool(b, t.Max != nil); t.Max != nil {
		b = t.Max.AppendBig(b)
	}
	b = codec.AppendFixed(codec.AppendFixed(b, t.Owner[:]), t.MintAuthority[:])
	for _, a := range [...]*account.Address{t.FreezeAuthority, t.Hook} {
		if b = codec.AppendBool(b, a != nil); a != nil {
			b = codec.AppendFixed(b, a[:])
		}
	}
	if b = codec.AppendBool(b, t.URI != nil); t.URI != nil {
		b = codec.AppendBytes(b, []byte(*t.URI))
	}
	return codec.AppendUint(b, uint64(t.Created))
}

// decodeToken reads what Encode wrote.
func decodeToken(data []byte) (*Token, error) {
	r := codec.NewReader(data)
	t := &Token{Name: string(r.Bytes(params.TokenNameBytes)), Symbol: string(r.Bytes(params.TokenSymbolBytes)), Decimals: r.U8(), Supply: readWide(r)}
	if r.Option() {
		most := readWide(r)
		t.Max = &most
	}
	r.Into(t.Owner[:])
	r.Into(t.MintAuthority[:])
	for _, a := range [...]**account.Address{&t.FreezeAuthority, &t.Hook} {
		if r.Option() {
			*a = new(account.Address)
			r.Into((*a)[:])
		}
	}
	if r.Option() {
		uri := string(r.Bytes(params.TokenURIBytes))
		t.URI = &uri
	}
	t.Created = unit.Height(r.Uint())
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("token: record: %w", err)
	}
	return t, nil
}

func readWide(r *codec.Reader) unit.Uint128 {
	var b [unit.Uint128Size]byte
	r.Into(b[:])
	return unit.Uint128FromBig(b)
}

// decodeWide reads a quantity in a record of its own.
func decodeWide(data []byte) (unit.Uint128, error) {
	r := codec.NewReader(data)
	n := readWide(r)
	if err := r.Finish(); err != nil {
		return n, fmt.Errorf("token: quantity: %w", err)
	}
	return n, nil
}

// MaxSupply is the most that may exist of any token.
//
// Spec: tokens §2 (MAX_TOKEN_SUPPLY).
func MaxSupply() unit.Uint128 {
	return unit.Uint128{Hi: params.TokenMaxSupply >> 64, Lo: params.TokenMaxSupply & (1<<64 - 1)}
}

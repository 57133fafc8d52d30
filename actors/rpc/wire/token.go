package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/token"
)

// Token is a token of the registry. Quantities are decimal digits in text, in the token's smallest units. Spec: tokens §2, §9.
type Token struct {
	TokenID         string  `json:"token_id"`
	Name            string  `json:"name"`
	Symbol          string  `json:"symbol"`
	Decimals        uint8   `json:"decimals"` // for display
	TotalSupply     string  `json:"total_supply"`
	MaxSupply       *string `json:"max_supply"`
	Owner           string  `json:"owner"`
	MintAuthority   string  `json:"mint_authority"`
	FreezeAuthority *string `json:"freeze_authority"`
	TransferHook    *string `json:"transfer_hook"`
	MetadataURI     *string `json:"metadata_uri"`
	CreatedAt       uint64  `json:"created_at"` // height
}

// FromToken shows a token.
func FromToken(id token.ID, t *token.Token) Token {
	w := Token{
		TokenID: id.String(), Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals, TotalSupply: t.Supply.String(), Owner: t.Owner.String(),
		MintAuthority: t.MintAuthority.String(), MetadataURI: t.URI, CreatedAt: uint64(t.Created),
	}
	if t.Max != nil {
		most := t.Max.String()
		w.MaxSupply = &most
	}
	if t.FreezeAuthority != nil {
		who := t.FreezeAuthority.String()
		w.FreezeAuthority = &who
	}
	if t.Hook != nil {
		hook := t.Hook.String()
		w.TransferHook = &hook
	}
	return w
}

// Tokens answers GET /tokens: by identifier.
type Tokens struct {
	Height     uint64  `json:"height"`
	Tokens     []Token `json:"tokens"`
	NextCursor string  `json:"next_cursor,omitempty"`
}

// TokenBalance answers GET /token/{id}/balance/{addr}.
type TokenBalance struct {
	Height  uint64 `json:"height"`
	TokenID string `json:"token_id"`
	Address string `json:"address"`
	Balance string `json:"balance"`
	Frozen  bool   `json:"frozen"`
}

// TokenAllowance answers GET /token/{id}/allowance/{owner}/{spender}.
type TokenAllowance struct {
	Height  uint64 `json:"height"`
	TokenID string `json:"token_id"`
	Owner   string `json:"owner"`
	Spender string `json:"spender"`
	Amount  string `json:"amount"`
}

// Holding is what an account has of a token.
type Holding struct {
	Token   Token  `json:"token"`
	Balance string `json:"balance"`
	Frozen  bool   `json:"frozen"`
}

// Holdings answers GET /account/{addr}/tokens: by identifier.
type Holdings struct {
	Height      uint64    `json:"height"`
	Address     string    `json:"address"`
	PermitNonce uint64    `json:"permit_nonce"` // that the account's next permit must have
	Tokens      []Holding `json:"tokens"`
	NextCursor  string    `json:"next_cursor,omitempty"`
}

// TokenHolder is who has some of a token.
type TokenHolder struct {
	Address string `json:"address"`
	Balance string `json:"balance"`
}

// TokenHolders answers GET /token/{id}/holders: who has most comes first.
type TokenHolders struct {
	TokenID    string        `json:"token_id"`
	Holders    []TokenHolder `json:"holders"`
	TotalCount uint64        `json:"total_count"`
	NextCursor string        `json:"next_cursor,omitempty"`
}

// TokenMove is a change of balances.
type TokenMove struct {
	Kind        string  `json:"kind"` // create, mint, transfer or burn
	From        *string `json:"from"` // null where tokens were made
	To          *string `json:"to"`   // null where they were burned
	Amount      string  `json:"amount"`
	BlockHeight uint64  `json:"block_height"`
	Index       uint64  `json:"index"`   // of the receipt in its block
	Event       uint64  `json:"event"`   // in the receipt
	Receipt     string  `json:"receipt"` // its identity: a transaction's hash where a transaction did it
}

// TokenMoves answers GET /token/{id}/transfers: the newest first.
type TokenMoves struct {
	TokenID    string      `json:"token_id"`
	Transfers  []TokenMove `json:"transfers"`
	TotalCount uint64      `json:"total_count"` // of those the node's index saw
	NextCursor string      `json:"next_cursor,omitempty"`
}

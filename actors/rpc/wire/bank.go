package wire

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Banks answers GET /banks, by number, with the tokens that cards may pay in. Spec: gateway-payments-streams §G.1.
type Banks struct {
	Banks      []Bank    `json:"banks"`
	Tokens     []BankPeg `json:"gas_payment_tokens"`
	NextCursor uint32    `json:"next_cursor,omitempty"` // a bank's number
}

// Bank is a bank (BankEntry). Spec: gateway-payments-streams §G.1.
type Bank struct {
	ID           uint32  `json:"bank_id"`
	Name         string  `json:"name"`
	Operator     string  `json:"operator"`
	Signer       *string `json:"fiat_mint_signer"`
	Status       string  `json:"status"`
	RegisteredAt uint64  `json:"registered_at"` // height
	Reserve      string  `json:"reserve"`       // where its own money lies
}

// BankPeg is a token that cards may pay in: so many units for so many base units of coin. Spec: gateway-payments-streams §G.3.
type BankPeg struct {
	TokenID string `json:"token_id"`
	Units   uint64 `json:"units"`
	Per     uint64 `json:"per"`
}

// Card answers GET /card/{addr}. Quantities of the payment token are decimal digits in text. Spec: gateway-payments-streams §G.1.
type Card struct {
	Address   string      `json:"card_address"`
	BankID    uint32      `json:"bank_id"`
	Owner     string      `json:"owner"`
	Agent     string      `json:"agent"`
	Nonce     uint64      `json:"issue_nonce"`
	CreatedAt uint64      `json:"created_at"`
	RenewedAt uint64      `json:"last_renewed_at"`
	ExpiresAt *uint64     `json:"expires_at"`
	Status    string      `json:"status"`
	Token     *string     `json:"gas_payment_token"` // null: coins
	Balance   string      `json:"balance"`           // of the payment token
	Default   bool        `json:"is_default"`
	Receivers []string    `json:"allowed_receivers"`
	Kinds     []string    `json:"allowed_syscall_kinds"` // "send", "custom:91"
	Locked    bool        `json:"locked_after_transfer"`
	Window    []CardSpent `json:"window"`
}

// CardSpent is what a card has spent in the present period of a tier. Spec: gateway-payments-streams §G.1 (SpendWindow).
type CardSpent struct {
	Tier   string  `json:"tier"` // hour, day or month
	Spent  string  `json:"spent"`
	Cap    *string `json:"cap"`
	EndsAt uint64  `json:"ends_at"` // the first height of the next period
}

// Cards answers GET /account/{addr}/cards: addresses, ascending. Spec: gateway-payments-streams §G.1.
type Cards struct {
	Owned      []string `json:"owned"`
	Held       []string `json:"held"`                  // as their agent
	Default    *string  `json:"default_card"`          // of it as an agent
	NextCursor string   `json:"next_cursor,omitempty"` // of both lists
}

// ViewBank shows a bank.
func ViewBank(b *bank.Entry) Bank {
	v := Bank{
		ID: b.ID, Name: b.Name, Operator: b.Operator.String(), Status: b.Status.String(), RegisteredAt: uint64(b.Registered),
		Reserve: bank.ReserveOf(b.ID).String(),
	}
	if b.Signer != nil {
		text := b.Signer.String()
		v.Signer = &text
	}
	return v
}

// ViewCard shows a card as of the block after a height.
func ViewCard(p *bank.Purse, isDefault bool, now unit.Height) Card {
	c := &p.Card
	v := Card{
		Address: c.Address.String(), BankID: c.Bank, Owner: c.Owner.String(), Agent: c.Agent.String(), Nonce: c.Nonce, CreatedAt: uint64(c.Created),
		RenewedAt: uint64(c.Renewed), ExpiresAt: (*uint64)(c.Expires), Status: c.StatusAt(now).String(), Balance: p.Balance.String(), Default: isDefault,
		Receivers: []string{}, Kinds: []string{}, Locked: c.Policy.LockedAfterTransfer,
	}
	if c.Token != nil {
		text := c.Token.String()
		v.Token = &text
	}
	for _, r := range c.Policy.AllowedReceivers {
		v.Receivers = append(v.Receivers, r.Address.String())
	}
	for _, k := range c.Policy.AllowedSyscallKinds {
		v.Kinds = append(v.Kinds, k.String())
	}
	window := p.Window.At(now)
	for t := range bank.Tiers {
		s := CardSpent{Tier: [...]string{"hour", "day", "month"}[t], Spent: window[t].Amount.String(), EndsAt: (window[t].Period + 1) * t.Blocks()}
		if limit := c.Policy.Cap(t); limit != nil {
			text := limit.String()
			s.Cap = &text
		}
		v.Window = append(v.Window, s)
	}
	return v
}

// CardText says in words what a card is: amounts of coins in CBY, of a token in its units.
func CardText(c Card) string {
	amount := func(digits string) string {
		var n uint64
		if _, err := fmt.Sscan(digits, &n); c.Token != nil || err != nil {
			return digits
		}
		return unit.Amount(n).CBY() + " CBY"
	}
	text := fmt.Sprintf("Card: %s\nBank: %d\nStatus: %s\nOwner: %s\nAgent: %s\nBalance: %s\n",
		c.Address, c.BankID, c.Status, c.Owner, c.Agent, amount(c.Balance))
	if c.Token != nil {
		text += fmt.Sprintf("Pays in: token %s\n", *c.Token)
	}
	if c.ExpiresAt != nil {
		text += fmt.Sprintf("Expires after block: %d\n", *c.ExpiresAt)
	}
	if c.Default {
		text += "Default card of its agent: yes\n"
	}
	for _, s := range c.Window {
		limit := "no cap"
		if s.Cap != nil {
			limit = "of " + amount(*s.Cap)
		}
		text += fmt.Sprintf("Spent this %s: %s, %s\n", s.Tier, amount(s.Spent), limit)
	}
	return text
}

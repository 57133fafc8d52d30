package wire

import (
	"encoding/hex"

	"github.com/cowboyinc/cowboy-go/chain/payment"
)

// PaymentPolicy answers GET /actor/{addr}/payments. Amounts are in base units, as decimal digits where they may be beyond 64 bits.
//
// Spec: gateway-payments-streams §F (PaymentPolicy).
type PaymentPolicy struct {
	Actor       string         `json:"actor"`
	Enabled     bool           `json:"enabled"`
	DefaultMode string         `json:"default_mode"`
	Prices      []PaymentPrice `json:"price_table"`
	Budget      *PaymentBudget `json:"budget_config,omitempty"`
	Epoch       *PaymentEpoch  `json:"epoch_config,omitempty"`
	Pass        *PaymentPass   `json:"pass_config,omitempty"`
	Treasury    string         `json:"treasury"`
	FeeBps      uint64         `json:"protocol_fee_bps"`
	Balance     uint64         `json:"budget_balance"`
	Refill      uint64         `json:"budget_refill"` // that the actor's balance would add now if a request found too little
	SpentToday  uint64         `json:"budget_spent_today"`
	Paid        uint32         `json:"budget_paid_in_second"` // requests in the second of the block
	Encoded     string         `json:"encoded"`               // the policy as the chain has it, for programs
	ChainID     uint64         `json:"chain_id"`
	Height      uint64         `json:"height"`
}

// PaymentPrice is a row of a policy's table.
type PaymentPrice struct {
	Pattern string   `json:"path_pattern"`
	Methods []string `json:"methods"` // none: any
	Model   string   `json:"model"`
	Amount  string   `json:"amount"`
	Asset   string   `json:"asset"`
}

// PaymentBudget is what an actor spends on its clients.
type PaymentBudget struct {
	Rate     uint32 `json:"rate_limit_rps"` // 0: no limit
	DailyCap string `json:"daily_cap"`      // 0: no limit
	Fallback int    `json:"fallback"`       // 402 or 503
	Refill   string `json:"auto_refill"`    // 0: none
}

// PaymentEpoch is what a subscription costs.
type PaymentEpoch struct {
	Fee    string `json:"fee_per_epoch"`
	Blocks uint64 `json:"epoch_blocks"`
	Min    uint32 `json:"min"`
	Max    uint32 `json:"max"`
}

// PaymentPass is what credits cost.
type PaymentPass struct {
	Min    uint64 `json:"min"`
	Max    uint64 `json:"max"`
	Credit string `json:"price_per_credit"`
	Expiry uint64 `json:"expiry_blocks"`
}

// ViewPolicy shows a policy without what the block adds.
func ViewPolicy(p *payment.Policy) PaymentPolicy {
	v := PaymentPolicy{
		Actor: p.Actor.String(), Enabled: p.Enabled, DefaultMode: p.Mode.String(), Prices: []PaymentPrice{}, Treasury: p.Treasury.String(),
		FeeBps: payment.FeeBps, Encoded: hex.EncodeToString(p.Append(nil)),
	}
	for i := range p.Prices {
		x := &p.Prices[i]
		v.Prices = append(v.Prices, PaymentPrice{x.Pattern, append([]string{}, x.Methods...), x.Mode.String(), x.Amount.String(), payment.AssetText(x.Asset)})
	}
	if b := p.Budget; b != nil {
		v.Budget = &PaymentBudget{b.RatePerSecond, b.DailyCap.String(), 402, b.Refill.String()}
		if b.Unavailable {
			v.Budget.Fallback = 503
		}
	}
	if e := p.Epoch; e != nil {
		v.Epoch = &PaymentEpoch{e.Fee.String(), e.Blocks, e.Min, e.Max}
	}
	if c := p.Pass; c != nil {
		v.Pass = &PaymentPass{c.Min, c.Max, c.Credit.String(), c.Expiry}
	}
	return v
}

// PaymentHolder answers GET /actor/{addr}/payments/{holder}: what an account has of an actor's passes and epochs.
//
// Spec: gateway-payments-streams §F (pass_balance, epoch_status).
type PaymentHolder struct {
	PassID      string `json:"pass_id"`
	Credits     uint64 `json:"credits"`
	ExpiresAt   uint64 `json:"expires_at"`   // the last block of the credits
	ActiveUntil uint64 `json:"active_until"` // the last block of the subscription; 0: there is none
	Balance     uint64 `json:"balance"`      // of the account, base units
}

// Payment answers GET /payment/{payer}/{form}/{nonce}: what is remembered of a payment. Form is intent or authorization.
//
// Spec: gateway-payments-streams §F (Verified, then Settled or Expired).
type Payment struct {
	Payer     string `json:"payer"`
	Nonce     string `json:"nonce"`
	Actor     string `json:"actor"`
	Gateway   string `json:"gateway"`
	Request   string `json:"request_hash"`
	Amount    string `json:"amount"`
	Asset     string `json:"asset"` // CBY, or a token's identifier
	Status    string `json:"status"`
	ExpiresAt uint64 `json:"expires_at"` // the first block in which it cannot be settled
}

// ViewPayment shows what is remembered of a payment.
func ViewPayment(k payment.Key, x *payment.Record) Payment {
	return Payment{
		Payer: k.Payer.String(), Nonce: Hash(k.Nonce), Actor: x.Actor.String(), Gateway: x.Gateway.String(), Request: Hash(x.Request),
		Amount: x.Amount.String(), Asset: payment.AssetText(x.Asset), Status: x.Status.String(), ExpiresAt: uint64(x.Expires),
	}
}

package payment

import (
	"errors"
	"math/big"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ErrForm is the reject of a policy whose fields are not the document's.
var ErrForm = errors.New("payment: the policy has not the fields of a PaymentPolicy")

// AssetName is what coins are called. A token is named by its identifier.
const AssetName = "CBY"

// AssetText is an asset as people and headers have it: CBY, or a token's identifier with 0x.
func AssetText(a Asset) string {
	if a.IsZero() {
		return AssetName
	}
	return a.String()
}

// String is the document's word.
func (m Mode) String() string {
	if m >= modes {
		return "unknown"
	}
	return [...]string{"client_paid", "actor_funded", "free"}[m]
}

// parseMode reads the document's word.
func parseMode(text string) (Mode, bool) {
	for m := range modes {
		if m.String() == text {
			return m, true
		}
	}
	return 0, false
}

// Form is the policy with the document's names. Amounts are integers in base units.
//
// Spec: gateway-payments-streams §F (PaymentPolicy).
func (p *Policy) Form() cbor.Map {
	prices, assets := []any{}, []any{}
	for i := range p.Prices {
		x := &p.Prices[i]
		methods := []any{}
		for _, m := range x.Methods {
			methods = append(methods, m)
		}
		prices = append(prices, cbor.Map{
			{Key: "path_pattern", Value: x.Pattern}, {Key: "methods", Value: methods}, {Key: "model", Value: x.Mode.String()},
			{Key: "amount", Value: x.Amount.Int()}, {Key: "asset", Value: AssetText(x.Asset)},
		})
	}
	for _, a := range p.Assets {
		assets = append(assets, AssetText(a))
	}
	form := cbor.Map{
		{Key: "actor", Value: p.Actor[:]}, {Key: "enabled", Value: p.Enabled}, {Key: "default_mode", Value: p.Mode.String()},
		{Key: "price_table", Value: prices}, {Key: "accepted_assets", Value: assets}, {Key: "treasury", Value: p.Treasury[:]},
	}
	if b := p.Budget; b != nil {
		fallback := uint64(402)
		if b.Unavailable {
			fallback = 503
		}
		form = append(form, cbor.Pair{Key: "budget_config", Value: cbor.Map{
			{Key: "rate_limit_rps", Value: uint64(b.RatePerSecond)}, {Key: "daily_cap", Value: b.DailyCap.Int()}, {Key: "fallback", Value: fallback},
			{Key: "auto_refill", Value: b.Refill.Int()},
		}})
	}
	if e := p.Epoch; e != nil {
		form = append(form, cbor.Pair{Key: "epoch_config", Value: cbor.Map{
			{Key: "fee_per_epoch", Value: e.Fee.Int()}, {Key: "epoch_blocks", Value: e.Blocks}, {Key: "min", Value: uint64(e.Min)},
			{Key: "max", Value: uint64(e.Max)},
		}})
	}
	if c := p.Pass; c != nil {
		form = append(form, cbor.Pair{Key: "pass_config", Value: cbor.Map{
			{Key: "min", Value: c.Min}, {Key: "max", Value: c.Max}, {Key: "price_per_credit", Value: c.Credit.Int()}, {Key: "expiry_blocks", Value: c.Expiry},
		}})
	}
	return form
}

// fields reads a map; each reader takes the value of its name. A name without a reader is bad, as is a value that its reader does not take.
func fields(v any, readers map[string]func(any) bool) bool {
	m, ok := v.(cbor.Map)
	if !ok {
		return false
	}
	for _, p := range m {
		name, _ := p.Key.(string)
		read := readers[name]
		if read == nil || !read(p.Value) {
			return false
		}
	}
	return true
}

func wide(into *unit.Uint128) func(any) bool {
	return func(v any) (ok bool) {
		switch n := v.(type) {
		case int64:
			*into, ok = unit.Wide(uint64(n)), n >= 0
		case *big.Int:
			*into, ok = unit.Uint128FromInt(n)
		}
		return ok
	}
}

func number[T uint32 | uint64](into *T) func(any) bool {
	return func(v any) bool {
		var w unit.Uint128
		ok := wide(&w)(v)
		*into = T(w.Lo)
		return ok && w.Hi == 0 && uint64(*into) == w.Lo
	}
}

func text(into *string) func(any) bool {
	return func(v any) (ok bool) { *into, ok = v.(string); return ok }
}

func mode(into *Mode) func(any) bool {
	return func(v any) (ok bool) {
		word, _ := v.(string)
		*into, ok = parseMode(word)
		return ok
	}
}

// asset reads CBY, a token's identifier as text, or its 32 bytes.
func asset(into *Asset) func(any) bool {
	return func(v any) bool {
		*into = Asset{}
		switch n := v.(type) {
		case string:
			if n == AssetName {
				return true
			}
			id, err := digest.ParseHash(n)
			*into = id
			return err == nil && !id.IsZero()
		case []byte:
			return copy(into[:], n) == len(into) && len(n) == len(into) && !into.IsZero()
		}
		return false
	}
}

// PolicyOf reads what Form gives. What is left out has its default: the policy is enabled, its mode is client_paid, a price's model is that mode, an epoch
// has 86,400 blocks, a pass lasts 31,536,000, the assets are CBY and those of the prices, and the treasury is the actor. Rejects: ErrForm, ErrPrices for too
// many of them.
//
// Spec: gateway-payments-streams §F (PaymentPolicy).
func PolicyOf(actor account.Address, v cbor.Map) (*Policy, error) {
	p := &Policy{Actor: actor, Enabled: true, Treasury: actor, Assets: []Asset{{}}}
	if word, there := v.Lookup("default_mode"); there && !mode(&p.Mode)(word) {
		return nil, ErrForm
	}
	ok := fields(v, map[string]func(any) bool{
		"actor": func(any) bool { return true }, "default_mode": func(any) bool { return true },
		"enabled": func(v any) (ok bool) { p.Enabled, ok = v.(bool); return ok },
		"price_table": func(v any) bool {
			list, ok := v.([]any)
			if !ok || len(list) > MaxPrices {
				return false
			}
			for _, one := range list {
				x := Price{Mode: p.Mode}
				if !x.read(one) {
					return false
				}
				p.Prices = append(p.Prices, x)
			}
			return true
		},
		"accepted_assets": func(v any) bool {
			list, ok := v.([]any)
			p.Assets = make([]Asset, len(list))
			for i, one := range list {
				ok = ok && asset(&p.Assets[i])(one)
			}
			return ok
		},
		"treasury": func(v any) bool {
			raw, ok := v.([]byte)
			if s, isText := v.(string); isText {
				a, err := account.ParseAddress(s)
				p.Treasury = a
				return err == nil
			}
			if ok && len(raw) == account.AddressSize {
				p.Treasury = account.Address(raw)
			}
			return ok && len(raw) == account.AddressSize
		},
		"budget_config": func(v any) bool {
			p.Budget = new(Budget)
			var fallback uint32
			ok := fields(v, map[string]func(any) bool{
				"rate_limit_rps": number(&p.Budget.RatePerSecond), "daily_cap": wide(&p.Budget.DailyCap), "fallback": number(&fallback),
				"auto_refill": wide(&p.Budget.Refill),
			})
			p.Budget.Unavailable = fallback == 503
			return ok && (fallback == 0 || fallback == 402 || fallback == 503)
		},
		"epoch_config": func(v any) bool {
			p.Epoch = &Epoch{Blocks: DefaultEpoch, Min: 1, Max: 1}
			return fields(v, map[string]func(any) bool{
				"fee_per_epoch": wide(&p.Epoch.Fee), "epoch_blocks": number(&p.Epoch.Blocks), "min": number(&p.Epoch.Min), "max": number(&p.Epoch.Max),
			})
		},
		"pass_config": func(v any) bool {
			p.Pass = &Pass{Min: 1, Max: MaxCredits, Expiry: PassExpiry}
			return fields(v, map[string]func(any) bool{
				"min": number(&p.Pass.Min), "max": number(&p.Pass.Max), "price_per_credit": wide(&p.Pass.Credit), "expiry_blocks": number(&p.Pass.Expiry),
			})
		},
	})
	if !ok {
		return nil, ErrForm
	}
	if _, there := v.Lookup("accepted_assets"); !there {
		for i := range p.Prices {
			if a := p.Prices[i].Asset; !slices.Contains(p.Assets, a) {
				p.Assets = append(p.Assets, a)
			}
		}
	}
	return p, nil
}

func (x *Price) read(v any) bool {
	return fields(v, map[string]func(any) bool{
		"path_pattern": text(&x.Pattern), "model": mode(&x.Mode), "amount": wide(&x.Amount), "asset": asset(&x.Asset),
		"methods": func(v any) bool {
			list, ok := v.([]any)
			for _, one := range list {
				m, is := one.(string)
				if !is || len(x.Methods) > MaxMethods {
					return false
				}
				x.Methods = append(x.Methods, m)
			}
			return ok
		},
	})
}

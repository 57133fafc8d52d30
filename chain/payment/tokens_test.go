package payment

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// issuer owns the token of a test.
var issuer = account.Address{0x55}

// newTokens is a book with a token, of which each payer has so much, and a policy that prices /hay in it.
func newTokens(t testing.TB, price, each unit.Uint128, payers ...*sig.PrivateKey) (*Book, token.ID) {
	t.Helper()
	b := newBook(t, payers...)
	b.Tokens = &token.Registry{State: b.State, ChainID: chain, Height: 1, Emit: func(string, []byte) {}}
	id, err := b.Tokens.Create(issuer, 0, token.Terms{Name: []byte("Hay"), Symbol: []byte("HAY")})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range payers {
		if err := b.Tokens.Mint(issuer, id, k.Address(), each); err != nil {
			t.Fatal(err)
		}
	}
	p := priced()
	p.Assets = []Asset{{}, id}
	p.Prices[0].Asset, p.Prices[0].Amount = id, price
	if err := b.SetPolicy(p); err != nil {
		t.Fatal(err)
	}
	return b, id
}

// tokenStep is an operation of a program that was written from the document alone, with what became of it.
type tokenStep struct {
	name    string
	now     unit.Height
	args    []string
	outcome string
	has     []unit.Uint128 // two payers, the actor's treasury, the protocol's, the gate
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *tokenStep) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.args, &s.outcome, &s.has})
}

func (s *tokenStep) number(t *testing.T, i int) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s.args[i], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (s *tokenStep) is(i int) bool { return s.args[i] == "True" }

// Every step of 24 random lives of payments in a token ends as a program has it that was written from the document alone: the reject, and what everybody has.
// Amounts are above 64 bits and one off, times are around their limits; payers, both treasuries and the gate are frozen, and hooks come and go, while
// payments are held.
//
// Spec: gateway-payments-streams §F (intents, accepted_assets); tokens §5.
func TestLivesInTokens(t *testing.T) {
	var lives [][]tokenStep
	if golden.Recorded(t, "testdata/tokens.json", &lives); len(lives) != 24 {
		t.Fatal(len(lives))
	}
	price, err := unit.ParseUint128("300000000000000000019")
	if err != nil {
		t.Fatal(err)
	}
	each, err := unit.ParseUint128("2100000000000000000133")
	if err != nil {
		t.Fatal(err)
	}
	rejects := map[string]error{
		"": nil, "spent": ErrSpent, "expired": ErrExpired, "other": ErrOther, "token": ErrToken, "funds": ErrFunds, "hook": errHooked,
		"balance": token.ErrBalance, "frozen": token.ErrFrozen,
	}
	met := map[string]bool{}
	for i, steps := range lives {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			keys := []*sig.PrivateKey{keyOf(t, 3), keyOf(t, 4)}
			b, id := newTokens(t, price, each, keys...)
			everybody := []account.Address{keys[0].Address(), keys[1].Address(), till, treasury, Home()}
			b.Height = 0
			for n, s := range steps {
				if b.Height != s.now {
					b.Height, b.Seconds = s.now, uint64(s.now)+400_000
					if _, err := b.Sweep(1_000); err != nil {
						t.Fatal(err)
					}
				}
				undo := b.State.(*state.Overlay).Mark()
				err := playToken(t, b, id, &s, keys, everybody)
				if !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				if err != nil {
					b.State.(*state.Overlay).Revert(undo)
				}
				met[s.name+" "+s.outcome] = true
				for who, a := range everybody {
					if got, err := token.Balance(b.State, id, a); err != nil || got != s.has[who] {
						t.Fatalf("%d, %s %v at %d: %v of %v at place %d, %v", n, s.name, s.args, s.now, got, s.has, who, err)
					}
				}
			}
			if held, err := Escrow(b.State); err != nil || held != 0 {
				t.Errorf("%d coins held, %v", held, err)
			}
		})
	}
	for _, want := range []string{
		"pay ", "pay spent", "pay expired", "pay other", "pay token", "pay funds", "freeze ", "hook ", "spend ", "spend hook", "spend balance", "spend frozen",
	} {
		if !met[want] {
			t.Errorf("no step is %q", want)
		}
	}
}

// errHooked stands for a transfer whose hook would be asked.
var errHooked = errors.New("the hook would be asked")

// playToken does one step.
func playToken(t *testing.T, b *Book, id token.ID, s *tokenStep, keys []*sig.PrivateKey, everybody []account.Address) error {
	t.Helper()
	switch s.name {
	case "freeze":
		return b.Tokens.Freeze(issuer, id, everybody[s.number(t, 0)], s.is(1))
	case "hook":
		if s.is(0) {
			return b.Tokens.SetHook(issuer, id, &shop)
		}
		return b.Tokens.SetHook(issuer, id, nil)
	case "spend":
		if one, err := token.Load(b.State, id); err != nil || one.Hook != nil {
			return errors.Join(err, errHooked)
		}
		amount, err := unit.ParseUint128(s.args[1])
		if err != nil {
			t.Fatal(err)
		}
		return b.Tokens.Transfer(everybody[s.number(t, 0)], id, everybody[1-s.number(t, 0)], amount)
	}
	key, form, nonce, before := keys[s.number(t, 1)], s.args[2], s.number(t, 3), s.number(t, 8)
	amount, err := unit.ParseUint128(s.args[7])
	if err != nil {
		t.Fatal(err)
	}
	var p *Payment
	if form == "authorization" {
		p = authorized(key, requestOf(s.number(t, 5)), func(a *Authorization) {
			a.Value, a.ValidAfter, a.ValidBefore, a.Nonce = amount, 0, before+400_000, digest.Hash{byte(nonce), 1}
		})
	} else {
		p = signed(key, requestOf(s.number(t, 5)), func(i *Intent) {
			i.Amount, i.Nonce, i.ValidBefore = amount, nonce, unit.Height(before)
			i.Asset = map[string]Asset{"token": id, "other": {9}}[s.args[6]]
		})
	}
	if s.is(0) {
		return b.Settle(p, requestOf(s.number(t, 4)))
	}
	return b.Verify(p, requestOf(s.number(t, 4)))
}

// What a policy may price in a token, and what it may not.
//
// Spec: gateway-payments-streams §F (price_table, accepted_assets).
func TestPoliciesInTokens(t *testing.T) {
	wide := unit.Uint128{Hi: 1}
	b, id := newTokens(t, wide, wide, keyOf(t, 3))
	hooked, err := b.Tokens.Create(issuer, 1, token.Terms{Name: []byte("Hook"), Symbol: []byte("HOOK"), Hook: &shop})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(p *Policy)
		want   error
	}{
		"in a token":             {func(*Policy) {}, nil},
		"coins above 64 bits":    {func(p *Policy) { p.Prices[0].Asset = Asset{} }, ErrCoins},
		"at the actor's cost":    {func(p *Policy) { p.Prices[1].Asset = id }, ErrCoins},
		"free":                   {func(p *Policy) { p.Prices[2].Asset = id }, nil},
		"not accepted":           {func(p *Policy) { p.Assets = []Asset{{}} }, ErrAssets},
		"of nobody":              {func(p *Policy) { p.Assets = append(p.Assets, Asset{9}) }, ErrToken},
		"with a hook":            {func(p *Policy) { p.Assets = append(p.Assets, hooked) }, ErrToken},
		"ten assets":             {func(p *Policy) { p.Assets = append(make([]Asset, 9), id) }, nil},
		"eleven assets":          {func(p *Policy) { p.Assets = append(make([]Asset, 10), id) }, ErrAssets},
		"an epoch above 64 bits": {func(p *Policy) { p.Epoch.Fee = wide }, ErrCoins},
	} {
		t.Run(name, func(t *testing.T) {
			p := priced()
			p.Assets = []Asset{{}, id}
			p.Prices[0].Asset, p.Prices[0].Amount = id, wide
			c.change(p)
			if err := b.SetPolicy(p); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// A policy in the document's words names tokens by their identifiers, as text or as bytes, and comes back the same; what is left out of accepted_assets are the
// assets of the prices.
//
// Spec: gateway-payments-streams §F (PaymentPolicy).
func TestTokensInTheDocumentsWords(t *testing.T) {
	id := Asset{1, 2, 3}
	p := priced()
	p.Assets = []Asset{{}, id}
	p.Prices[0].Asset = id
	data, err := cbor.Append(nil, p.Form())
	if err != nil {
		t.Fatal(err)
	}
	form, err := cbor.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := PolicyOf(shop, form.(cbor.Map))
	if err != nil || string(again.Append(nil)) != string(p.Append(nil)) {
		t.Fatalf("%+v, %v", again, err)
	}
	for name, c := range map[string]struct {
		asset any
		ok    bool
	}{
		"CBY": {AssetName, true}, "text": {id.String(), true}, "bytes": {id[:], true}, "without 0x": {id.Hex(), true}, "31 bytes": {id[:31], false},
		"33 bytes": {append(id[:], 0), false}, "nothing": {Asset{}.String(), false}, "a word": {"USDC", false}, "a number": {int64(1), false},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := PolicyOf(shop, cbor.Map{{Key: "price_table", Value: []any{
				cbor.Map{{Key: "path_pattern", Value: "/hay"}, {Key: "amount", Value: int64(1)}, {Key: "asset", Value: c.asset}},
			}}})
			if (err == nil) != c.ok {
				t.Fatal(err)
			}
			if c.ok && p.Check() != nil {
				t.Errorf("%v: the assets are %v", p.Check(), p.Assets)
			}
		})
	}
}

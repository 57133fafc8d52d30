package token

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry changes tokens in a state.
type Registry struct {
	State   state.Store
	ChainID uint64
	Height  unit.Height
	// Hooks runs the hooks of tokens. It may be nil where no token has one.
	Hooks Hooks
	// Grants counts a use of what the Entitlement Registry lets an address do that is neither owner nor authority and has no allowance; it gives
	// grant.ErrMissing where nothing does, grant.ErrQuota where limits are in the way. Nil stands for a registry without records.
	Grants func(by account.Address, s grant.Scope, a grant.Action, amount unit.Uint128) error
	// Emit takes the events, in the order they happen.
	Emit func(topic string, data []byte)
}

// Hooks runs the hooks of tokens.
type Hooks interface {
	// Busy reports whether the token's hook is running.
	Busy(id ID) bool
	// Allow runs can_transfer. It gives ErrRejected, ErrHookCycles or ErrHookCells for a transfer that may not be; any other error ends the turn.
	Allow(hook account.Address, m Move) error
	// Tell runs on_transfer. Only what ends the turn is an error.
	Tell(hook account.Address, m Move) error
}

// Move is a transfer as hooks see it.
type Move struct {
	Token    ID
	From, To account.Address
	Amount   unit.Uint128
}

// Terms are what a token is created with.
type Terms struct {
	Name, Symbol []byte
	Decimals     uint64
	Supply       unit.Uint128 // the creator gets it
	Max          *unit.Uint128
	Hook         *account.Address
	URI          []byte // nil: none
}

// check refuses terms that no token may have.
//
// Spec: tokens §2.
func (t *Terms) check() error {
	refuse := func(what string) error { return fmt.Errorf("%w: %s", ErrTerms, what) }
	switch {
	case len(t.Name) == 0 || len(t.Name) > params.TokenNameBytes || !utf8.Valid(t.Name):
		return refuse("a name is text of 1 to 64 bytes")
	case len(t.Symbol) == 0 || len(t.Symbol) > params.TokenSymbolBytes || !utf8.Valid(t.Symbol):
		return refuse("a symbol is text of 1 to 16 bytes")
	case t.Decimals > params.TokenMaxDecimals:
		return refuse("there are at most 18 decimals")
	case len(t.URI) > params.TokenURIBytes || !utf8.Valid(t.URI):
		return refuse("the URI is text of at most 256 bytes")
	case t.Max != nil && t.Max.Cmp(MaxSupply()) > 0:
		return refuse("the maximal supply is at most 10^30")
	}
	return nil
}

// IDOf is the identifier of a token: keccak256(creator ‖ symbol ‖ nonce), the nonce in 8 bytes, big-endian.
//
// Spec: tokens §2.
func IDOf(creator account.Address, symbol []byte, nonce uint64) ID {
	var n [8]byte
	for i := range n {
		n[i] = byte(nonce >> (56 - 8*i))
	}
	return digest.Keccak256(creator[:], symbol, n[:])
}

// NextNonce counts the tokens an actor creates, which has no transactions whose nonce would tell them apart.
func (g *Registry) NextNonce(creator account.Address) (uint64, error) {
	key := at(underCreated, creator[:])
	n, err := state.Number(g.State, key)
	if err == nil {
		state.SetNumber(g.State, key, n+1)
	}
	return n, err
}

// Create makes a token. The creator owns it, may mint and freeze, and gets the supply.
//
// Spec: tokens §2, §3; sdk §13.
func (g *Registry) Create(creator account.Address, nonce uint64, terms Terms) (ID, error) {
	if err := terms.check(); err != nil {
		return ID{}, err
	}
	t := &Token{
		Name: string(terms.Name), Symbol: string(terms.Symbol), Decimals: uint8(terms.Decimals), Supply: terms.Supply, Max: terms.Max,
		Owner: creator, MintAuthority: creator, FreezeAuthority: &creator, Hook: terms.Hook, Created: g.Height,
	}
	if terms.URI != nil {
		uri := string(terms.URI)
		t.URI = &uri
	}
	if t.Supply.Cmp(t.most()) > 0 {
		return ID{}, ErrSupply
	}
	id := IDOf(creator, terms.Symbol, nonce)
	if old, err := Load(g.State, id); err != nil {
		return ID{}, err
	} else if old != nil {
		return ID{}, ErrExists
	}
	g.write(id, t)
	keep(g.State, balanceKey(creator, id), t.Supply)
	g.created(id, creator, t.Supply)
	return id, nil
}

// most is the most that may exist of the token.
func (t *Token) most() unit.Uint128 {
	if t.Max != nil {
		return *t.Max
	}
	return MaxSupply()
}

func (g *Registry) write(id ID, t *Token) { g.State.Set(mintKey(id), t.Encode()) }

// open reads a token that is to be changed.
//
// Spec: tokens §6 (calling back into the same token is refused).
func (g *Registry) open(id ID) (*Token, error) {
	t, err := Load(g.State, id)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, ErrUnknown
	case g.Hooks != nil && g.Hooks.Busy(id):
		return nil, ErrBusy
	}
	return t, nil
}

// thawed refuses an account that is frozen.
func (g *Registry) thawed(id ID, who account.Address) error {
	frozen, err := Frozen(g.State, id, who)
	if err == nil && frozen {
		err = fmt.Errorf("%w: %v", ErrFrozen, who)
	}
	return err
}

// take lowers a balance.
func (g *Registry) take(id ID, from account.Address, amount unit.Uint128) error {
	left, err := g.covered(id, from, amount)
	if err == nil {
		keep(g.State, balanceKey(from, id), left)
	}
	return err
}

// covered is what a balance leaves after an amount.
func (g *Registry) covered(id ID, from account.Address, amount unit.Uint128) (unit.Uint128, error) {
	held, err := Balance(g.State, id, from)
	if err != nil {
		return held, err
	}
	left, err := held.Sub(amount)
	if err != nil {
		return left, fmt.Errorf("%w: %v has %v, and %v is needed", ErrBalance, from, held, amount)
	}
	return left, nil
}

// give raises a balance. It cannot overflow: no balance is above the supply.
func (g *Registry) give(id ID, to account.Address, amount unit.Uint128) error {
	held, err := Balance(g.State, id, to)
	if err == nil {
		held, err = held.Add(amount)
	}
	if err != nil {
		return fmt.Errorf("token: balance of %v: %w", to, err)
	}
	keep(g.State, balanceKey(to, id), held)
	return nil
}

// granted lets somebody act whom the Entitlement Registry lets, and counts that; instead is the reject where it has no record of it.
//
// Spec: CIP-2 §7.6 (2: an additional path, after the token's own rules).
func (g *Registry) granted(by account.Address, s grant.Scope, kind grant.ActionKind, amount unit.Uint128, instead error) error {
	err := grant.ErrMissing
	action := grant.Action{Kind: kind}
	if g.Grants != nil {
		err = g.Grants(by, s, action, amount)
	}
	if errors.Is(err, grant.ErrMissing) {
		return fmt.Errorf("%w: %v has no grant of %v", instead, by, action)
	}
	return err
}

// Mint makes new tokens, by the mint authority or who has a grant of token-mint in the token's scope.
//
// Spec: tokens §5 (mint).
func (g *Registry) Mint(by account.Address, id ID, to account.Address, amount unit.Uint128) error {
	t, err := g.open(id)
	if err != nil {
		return err
	}
	if by != t.MintAuthority {
		if err := g.granted(by, grant.TokenScope(id), grant.TokenMint, amount, ErrAuthority); err != nil {
			return err
		}
	}
	if to.IsZero() {
		return ErrZero
	}
	supply, err := t.Supply.Add(amount)
	if err != nil || supply.Cmp(t.most()) > 0 {
		return fmt.Errorf("%w of %v", ErrSupply, t.most())
	}
	if err := g.thawed(id, to); err != nil {
		return err
	}
	t.Supply = supply
	g.write(id, t)
	if err := g.give(id, to, amount); err != nil {
		return err
	}
	g.changed(TopicMinted, id, to, amount)
	return nil
}

// Burn destroys tokens of by.
//
// Spec: tokens §5 (burn).
func (g *Registry) Burn(by account.Address, id ID, amount unit.Uint128) error {
	t, err := g.open(id)
	if err != nil {
		return err
	}
	if err := g.take(id, by, amount); err != nil {
		return err
	}
	if err := g.thawed(id, by); err != nil {
		return err
	}
	if t.Supply, err = t.Supply.Sub(amount); err != nil {
		return fmt.Errorf("token: supply of %v: %w", id, err)
	}
	g.write(id, t)
	g.changed(TopicBurned, id, by, amount)
	return nil
}

// Freeze freezes an account for a token, or no longer, by the freeze authority or who has a grant of token-freeze in the token's scope. It may be so already.
//
// Spec: tokens §3, §4.
func (g *Registry) Freeze(by account.Address, id ID, who account.Address, frozen bool) error {
	t, err := g.open(id)
	if err != nil {
		return err
	}
	if t.FreezeAuthority == nil {
		return fmt.Errorf("%w: nobody may freeze", ErrAuthority)
	}
	if by != *t.FreezeAuthority {
		if err := g.granted(by, grant.TokenScope(id), grant.TokenFreeze, unit.Uint128{}, ErrAuthority); err != nil {
			return err
		}
	}
	topic := TopicThawed
	if key := frozenKey(id, who); frozen {
		topic = TopicFrozen
		g.State.Set(key, []byte{1})
	} else {
		g.State.Delete(key)
	}
	g.about(topic, id, who)
	return nil
}

// SetHook names the actor that is asked about transfers, nil for none, by the owner or who has a grant of token-set-hook in the token's scope.
//
// Spec: tokens §2, §3, §6.
func (g *Registry) SetHook(by account.Address, id ID, hook *account.Address) error {
	t, err := g.owned(by, id, grant.TokenSetHook)
	if err != nil {
		return err
	}
	t.Hook = hook
	g.write(id, t)
	var told account.Address
	if hook != nil {
		told = *hook
	}
	g.about(TopicHook, id, told)
	return nil
}

// TransferOwnership gives a token to another owner, by the owner or who has a grant of token-transfer-ownership in the token's scope. The authorities that the
// owner has go with it.
//
// Spec: tokens §2 (mint_authority defaults to owner), §3.
func (g *Registry) TransferOwnership(by account.Address, id ID, to account.Address) error {
	t, err := g.owned(by, id, grant.TokenTransferOwnership)
	if err != nil {
		return err
	}
	if to.IsZero() {
		return ErrZero
	}
	from := t.Owner
	if t.MintAuthority == t.Owner {
		t.MintAuthority = to
	}
	if t.FreezeAuthority != nil && *t.FreezeAuthority == t.Owner {
		t.FreezeAuthority = &to
	}
	t.Owner = to
	g.write(id, t)
	g.about(TopicOwner, id, from, to)
	return nil
}

// owned is open for the owner, and for who has a grant of an action in the token's scope.
func (g *Registry) owned(by account.Address, id ID, action grant.ActionKind) (*Token, error) {
	t, err := g.open(id)
	if err == nil && by != t.Owner {
		err = g.granted(by, grant.TokenScope(id), action, unit.Uint128{}, ErrAuthority)
	}
	return t, err
}

package token

import (
	"encoding/hex"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// The codes of faults about tokens. 1403 to 1415 are public where the text gives them; the others are this implementation's.
//
// Spec: tokens §7; sdk §18.
const (
	FaultUnknown    uint16 = 1401
	FaultTerms      uint16 = 1402
	FaultBalance    uint16 = 1403
	FaultAllowance  uint16 = 1404
	FaultFrozen     uint16 = 1405
	FaultAuthority  uint16 = 1406
	FaultSupply     uint16 = 1407
	FaultRejected   uint16 = 1408
	FaultBatch      uint16 = 1409
	FaultBusy       uint16 = 1410
	FaultHookCycles uint16 = 1411
	FaultHookCells  uint16 = 1412
	FaultExpired    uint16 = 1413
	FaultSignature  uint16 = 1414
	FaultNonce      uint16 = 1415
	FaultZero       uint16 = 1416
)

// The numbers of HostError. Spec: sdk §18.
const (
	hostInput     = 2
	hostMissing   = 3
	hostForbidden = 5
	hostLimit     = 8
)

// New gives the chapter.
//
// Spec: tokens §3, §4.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterToken, Homes: []byte{account.FeesAndTokens},
		Instructions: instructions(), Syscalls: syscalls(), Faults: faults(), Claims: token.Claims(),
	}
}

func faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: token.ErrUnknown, Code: FaultUnknown, Class: "TokenNotFoundError", Host: hostMissing},
		{Err: token.ErrTerms, Code: FaultTerms, Class: "TokenTermsError", Host: hostInput},
		{Err: token.ErrExists, Code: drain.FaultExists, Class: "TokenExistsError", Host: hostInput},
		{Err: token.ErrBalance, Code: FaultBalance, Class: "TokenBalanceError", Host: hostInput},
		{Err: token.ErrAllowance, Code: FaultAllowance, Class: "TokenAllowanceError", Host: hostInput},
		{Err: token.ErrFrozen, Code: FaultFrozen, Class: "TokenFrozenError", Host: hostForbidden},
		{Err: token.ErrAuthority, Code: FaultAuthority, Class: "TokenAuthorityError", Host: hostForbidden},
		{Err: token.ErrSupply, Code: FaultSupply, Class: "TokenSupplyError", Host: hostLimit},
		{Err: token.ErrRejected, Code: FaultRejected, Class: "TokenHookRejectedError", Host: hostForbidden},
		{Err: token.ErrBatch, Code: FaultBatch, Class: "TokenBatchHookedUnsupported", Host: hostInput},
		{Err: token.ErrLegs, Code: drain.FaultLimit, Class: "TokenBatchError", Host: hostLimit},
		{Err: token.ErrBusy, Code: FaultBusy, Class: "TokenReentrancyError", Host: hostForbidden},
		{Err: token.ErrHookCycles, Code: FaultHookCycles, Class: "TokenHookCyclesError", Host: hostLimit},
		{Err: token.ErrHookCells, Code: FaultHookCells, Class: "TokenHookCellsError", Host: hostLimit},
		{Err: token.ErrExpired, Code: FaultExpired, Class: "TokenPermitExpiredError", Host: hostInput},
		{Err: token.ErrSignature, Code: FaultSignature, Class: "TokenPermitSignatureError", Host: hostInput},
		{Err: token.ErrNonce, Code: FaultNonce, Class: "TokenPermitNonceError", Host: hostInput},
		{Err: grant.ErrQuota, Code: drain.FaultLimit, Class: "EntitlementQuotaError", Host: hostLimit},
		{Err: token.ErrZero, Code: FaultZero, Class: "TokenRecipientError", Host: hostInput},
	}
}

// registry is the registry as an execution sees it. Events are in the price of what causes them.
func registry(e *chapter.Env) *token.Registry {
	return &token.Registry{
		State: e.State, ChainID: e.Block.ChainID, Height: e.Block.Height, Hooks: &hooks{e},
		Emit: func(topic string, data []byte) { emit(e, topic, data) },
		Grants: func(by account.Address, s grant.Scope, a grant.Action, amount unit.Uint128) error {
			return use(e, by, s, a, amount)
		},
	}
}

// use counts a use of a grant, at the price of a check and of the entries it writes.
//
// Spec: CIP-2 §7.4, §7.6.
func use(e *chapter.Env, by account.Address, s grant.Scope, a grant.Action, amount unit.Uint128) error {
	if err := e.Charge(params.CostEntitlementCheck, 0); err != nil {
		return err
	}
	store := e.Paid(params.EntitlementCheckEntries)
	g := &grant.Registry{State: store, Height: e.Block.Height}
	err := g.Use(by, s, a, amount)
	if store.Err() != nil {
		return store.Err()
	}
	for _, x := range g.Events {
		e.Effects.Events = append(e.Effects.Events, block.Event{Actor: grant.Home(), Topic: []byte(x.Topic), Data: x.Data})
	}
	return err
}

// create makes a token; nonce is that of the creator's transaction, nil for an actor.
func create(e *chapter.Env, nonce *uint64, terms token.Terms) (token.ID, error) {
	bytes := unit.Cells(len(terms.Name)+len(terms.Symbol)+len(terms.URI)) * e.Costs().CellsPerByteWritten
	if err := e.Charge(params.CostTokenCreate, params.CellsTokenCreate+bytes); err != nil {
		return token.ID{}, err
	}
	g := registry(e)
	if nonce == nil {
		n, err := g.NextNonce(e.Sender)
		if err != nil {
			return token.ID{}, err
		}
		nonce = &n
	}
	return g.Create(e.Sender, *nonce, terms)
}

func transfer(e *chapter.Env, id token.ID, to account.Address, amount unit.Uint128) error {
	if err := e.Charge(params.CostTokenTransfer, params.CellsTokenTransfer); err != nil {
		return err
	}
	return registry(e).Transfer(e.Sender, id, to, amount)
}

func transferFrom(e *chapter.Env, id token.ID, owner, to account.Address, amount unit.Uint128) error {
	if err := e.Charge(params.CostTokenTransferFrom, params.CellsTokenTransferFrom); err != nil {
		return err
	}
	return registry(e).TransferFrom(e.Sender, id, owner, to, amount)
}

func transferBatch(e *chapter.Env, legs []token.Leg) error {
	n := len(legs)
	if err := e.Charge(params.CostTokenBatchBase+unit.Cycles(n)*params.CostTokenBatchPerLeg, unit.Cells(n)*params.CellsTokenTransfer); err != nil {
		return err
	}
	return registry(e).TransferBatch(e.Sender, legs)
}

// adjust sets an allowance in one of the three ways.
func adjust(
	e *chapter.Env, id token.ID, spender account.Address, amount unit.Uint128,
	set func(g *token.Registry, by account.Address, id token.ID, spender account.Address, amount unit.Uint128) error,
) error {
	if err := e.Charge(params.CostTokenApprove, params.CellsTokenApprove); err != nil {
		return err
	}
	return set(registry(e), e.Sender, id, spender, amount)
}

func approve(e *chapter.Env, id token.ID, spender account.Address, amount unit.Uint128) error {
	return adjust(e, id, spender, amount, (*token.Registry).Approve)
}

func increase(e *chapter.Env, id token.ID, spender account.Address, amount unit.Uint128) error {
	return adjust(e, id, spender, amount, (*token.Registry).IncreaseAllowance)
}

func decrease(e *chapter.Env, id token.ID, spender account.Address, amount unit.Uint128) error {
	return adjust(e, id, spender, amount, (*token.Registry).DecreaseAllowance)
}

// permit pays for the signature whatever comes of it, and counts it against what a block may check.
func permit(e *chapter.Env, p token.Permit, signature sig.Signature) error {
	if err := e.Charge(params.CostTokenApprove+params.CostVerifySecp256k1, params.CellsTokenApprove); err != nil {
		return err
	}
	if e.Turn.Checked+e.Effects.Checked+params.VerifyWeightSecp256k1 > params.VerifyWeightPerBlock {
		return chapter.Reject(drain.FaultLimit, "QuotaError", hostLimit, "this block has checked as many signatures as one may")
	}
	e.Effects.Checked += params.VerifyWeightSecp256k1
	return registry(e).Permit(p, signature)
}

func mint(e *chapter.Env, id token.ID, to account.Address, amount unit.Uint128) error {
	if err := e.Charge(params.CostTokenMint, params.CellsTokenMint); err != nil {
		return err
	}
	return registry(e).Mint(e.Sender, id, to, amount)
}

func burn(e *chapter.Env, id token.ID, amount unit.Uint128) error {
	if err := e.Charge(params.CostTokenBurn, params.CellsTokenBurn); err != nil {
		return err
	}
	return registry(e).Burn(e.Sender, id, amount)
}

// administer runs what the price of administration covers.
func administer(e *chapter.Env, run func(g *token.Registry) error) error {
	if err := e.Charge(params.CostTokenAdmin, params.CellsTokenAdmin); err != nil {
		return err
	}
	return run(registry(e))
}

func freeze(e *chapter.Env, id token.ID, who account.Address, frozen bool) error {
	return administer(e, func(g *token.Registry) error { return g.Freeze(e.Sender, id, who, frozen) })
}

func setHook(e *chapter.Env, id token.ID, hook *account.Address) error {
	return administer(e, func(g *token.Registry) error { return g.SetHook(e.Sender, id, hook) })
}

func transferOwnership(e *chapter.Env, id token.ID, to account.Address) error {
	return administer(e, func(g *token.Registry) error { return g.TransferOwnership(e.Sender, id, to) })
}

// emit adds an event that is in the price of what caused it.
func emit(e *chapter.Env, topic string, data []byte) {
	e.Effects.Events = append(e.Effects.Events, event(topic, data))
}

// identifier reads a token's identifier: 32 bytes, or as text 64 hexadecimal digits.
func identifier(raw []byte) (token.ID, error) {
	if len(raw) == len(token.ID{}) {
		return token.ID(raw), nil
	}
	if n := 2 * len(token.ID{}); len(raw) == n || len(raw) == n+len("0x") {
		if digits, err := hex.DecodeString(strings.TrimPrefix(string(raw), "0x")); err == nil && len(digits) == len(token.ID{}) {
			return token.ID(digits), nil
		}
	}
	return token.ID{}, chapter.Reject(drain.FaultInput, "InvalidInputError", hostInput, "a token_id has 32 bytes, not %d", len(raw))
}

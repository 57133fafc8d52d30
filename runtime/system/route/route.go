package route

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Topics of the registry's events. The data of each begins with Bytes domain, of TopicManifest with the actor.
const (
	TopicRegistered = "route.registered"        // actor(20) ‖ owner(20) ‖ UInt price ‖ UInt expires
	TopicRenewed    = "route.renewed"           // UInt price ‖ UInt expires
	TopicOwner      = "route.transferred"       // owner(20)
	TopicActor      = "route.actor_set"         // actor(20)
	TopicPolicy     = "route.policy_set"        // policy(1)
	TopicManifest   = "route.manifest_replaced" // actor(20) ‖ UInt routes to files ‖ UInt routes to handlers

	TopicChallenged = "route.external_challenged" // actor(20) ‖ owner(20) ‖ nonce(16)
	TopicChecked    = "route.external_checked"    // the job(32)
	TopicVerdict    = "route.external_verdict"    // owner(20) ‖ state(1) ‖ Bytes why it is suspended or not proved
	TopicDetached   = "route.external_detached"   // by(20)
)

// The codes of faults about names and routes.
//
// Spec: gateway-payments-streams §A.3 (errors); storage-cbfs §3.2.
const (
	FaultName     uint16 = 1771 // ERR_NAME_INVALID
	FaultReserved uint16 = 1772 // ERR_NAME_RESERVED
	FaultTaken    uint16 = 1773 // ERR_NAME_TAKEN
	FaultOwner    uint16 = 1774 // ERR_NOT_OWNER
	FaultExpired  uint16 = 1775 // ERR_NAME_EXPIRED
	FaultIngress  uint16 = 1776 // ERR_INGRESS_ENTITLEMENT_MISSING
	FaultFee      uint16 = 1777 // ERR_FEE_TOO_LOW
	FaultPriority uint16 = 1778 // ERR_ROUTE_PRIORITY_INVERSION

	FaultChallenge uint16 = 1779 // ERR_CHALLENGE_EXPIRED
	FaultCallback  uint16 = 1780
)

// Prices of the methods.
//
// Spec: gateway-payments-streams §A.3 (10,000 and the record's bytes for writing, 100 for resolving).
const (
	writeCycles   unit.Cycles = 10_000
	resolveCycles unit.Cycles = 100
	// freeEntries are the entries of the state that writeCycles covers beside the registry's own, where it is asked whether the sender may.
	freeEntries = 8
)

// New gives the chapter.
//
// Spec: gateway-payments-streams §A; WP §9.
func New() *chapter.Chapter {
	x := new(externals)
	return &chapter.Chapter{
		Name: tx.ChapterRoute, Homes: []byte{account.RouteRegistry}, Join: x.join, End: prune,
		Instructions: []chapter.Instruction{
			chapter.On(callback),
			chapter.On(func(e *chapter.Env, in *tx.UpdateRouteManifest) ([]byte, error) {
				return nil, publish(e, in.Actor, in.Manifest())
			}),
		},
		Handlers: append(handlers(), x.handlers()...), Faults: faults(), Claims: route.Claims(string(tx.ChapterRoute)), Params: []chapter.Param{*config()},
	}
}

// config is the governed group of prices and times.
func config() *chapter.Param {
	return &chapter.Param{
		Key: route.KeyConfig, Default: route.Genesis().Append(nil), Tier: 1,
		Check: func(value []byte) error { _, err := route.DecodeConfig(value); return err },
	}
}

func faults() []chapter.Fault {
	const input, missing, forbidden, entitlement = 2, 3, 5, 7
	return []chapter.Fault{
		{Err: route.ErrName, Code: FaultName, Class: "InvalidInputError", Host: input},
		{Err: route.ErrReserved, Code: FaultReserved, Class: "InvalidInputError", Host: input},
		{Err: route.ErrTaken, Code: FaultTaken, Class: "InvalidInputError", Host: forbidden},
		{Err: route.ErrOwner, Code: FaultOwner, Class: "PermissionDeniedError", Host: forbidden},
		{Err: route.ErrExpired, Code: FaultExpired, Class: "NotFoundError", Host: missing},
		{Err: route.ErrIngress, Code: FaultIngress, Class: "EntitlementMissingError", Host: entitlement},
		{Err: route.ErrFee, Code: FaultFee, Class: "InvalidInputError", Host: input},
		{Err: route.ErrPriority, Code: FaultPriority, Class: "InvalidInputError", Host: input},
		{Err: route.ErrDuration, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
		{Err: route.ErrPolicy, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
		{Err: route.ErrManifest, Code: drain.FaultLimit, Class: "InvalidInputError", Host: input},
		{Err: route.ErrVolume, Code: drain.FaultEntitlement, Class: "EntitlementMissingError", Host: entitlement},
		{Err: route.ErrNoRoutes, Code: drain.FaultMissing, Class: "NotFoundError", Host: missing},
		{Err: route.ErrChallenge, Code: FaultChallenge, Class: "InvalidInputError", Host: forbidden},
		{Err: errCallback, Code: FaultCallback, Class: "PermissionDeniedError", Host: forbidden},
		{Err: errDormant, Code: drain.FaultUnavailable, Class: "NotAvailableError", Host: missing},
		{Err: route.ErrAttach, Code: drain.FaultEntitlement, Class: "EntitlementMissingError", Host: entitlement},
		{Err: route.ErrMethod, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
		{Err: unit.ErrOverflow, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
	}
}

// registry is the registry as an execution sees it. Whether the sender holds an entitlement for the method is paid for by what it reads.
//
// Spec: gateway-payments-streams §A.2 (the actor, its deployer, or who holds the delegated entitlement for the handler).
func registry(e *chapter.Env, method string) (*route.Registry, error) {
	c, err := configOf(e)
	if err != nil {
		return nil, err
	}
	speaks := func(actor account.Address) (bool, error) { return Speaks(e, actor, method) }
	return &route.Registry{State: e.State, Config: c, Chain: e.Block.ChainID, Height: e.Block.Height, By: e.Sender, Speaks: speaks}, nil
}

// Speaks reports whether the sender may act for an actor: it is the actor, deployed it, or was granted actor-execute-handler for a method in its scope.
//
// Spec: gateway-payments-streams §A.2.
func Speaks(e *chapter.Env, actor account.Address, method string) (bool, error) {
	a, found, err := account.Find(e.State, actor)
	switch {
	case err != nil || !found || a.Kind != account.Actor:
		return false, err
	case e.Sender == actor || e.Sender == a.Creator:
		return true, nil
	}
	action := grant.Action{Kind: grant.ActorExecuteHandler, Value: method}
	paid := e.Paid(freeEntries)
	ok, err := grant.Check(paid, e.Sender, grant.ActorScope(actor), action, e.Block.Height)
	if err == nil {
		err = paid.Err()
	}
	return ok, err
}

func configOf(e *chapter.Env) (route.Config, error) {
	data, err := e.Param(config())
	if err != nil {
		return route.Config{}, err
	}
	return route.DecodeConfig(data)
}

// settle takes the price of a name out of the coins that came with the request, gives the rest back, and shares the price out by the split of the name
// space's pool; one without a split of its own has that of .cowboy.network. What rounding leaves is the gateways'.
//
// Spec: gateway-payments-streams §A.3 (division).
func settle(e *chapter.Env, space route.Space, price unit.Amount) error {
	if err := account.Debit(e.State, e.Self, e.Value); err != nil {
		return err
	}
	if err := e.Bill(e.Sender); err != nil {
		return err
	}
	if err := account.Credit(e.State, e.Sender, e.Value-price); err != nil {
		return err
	}
	split, err := splitOf(e, space)
	if err != nil {
		return err
	}
	burned, err := price.MulDiv(uint64(split.BurnBPS), params.BasisPoints)
	if err != nil {
		return err
	}
	public, err := price.MulDiv(uint64(split.TreasuryBPS), params.BasisPoints)
	if err != nil {
		return err
	}
	e.Effects.Burn(string(tx.ChapterRoute), burned)
	if err := account.Credit(e.State, account.System(account.Treasury), public); err != nil {
		return err
	}
	return gateway.Contribute(e.State, price-burned-public)
}

// splitOf reads how a name space's prices are shared out: the part of the payee is the gateways' pool.
func splitOf(e *chapter.Env, space route.Space) (params.Split, error) {
	pools := []uint64{params.PoolRegistry}
	switch space {
	case route.Cow:
		pools = []uint64{params.PoolRegistryCow, params.PoolRegistry}
	case route.Cowboy:
		pools = []uint64{params.PoolRegistryCowboy, params.PoolRegistry}
	}
	for _, pool := range pools {
		key, err := params.PoolKey(pool)
		if err != nil {
			return params.Split{}, err
		}
		data, ok, err := e.State.Lookup(params.StateKey(key))
		if err != nil {
			return params.Split{}, err
		}
		if ok {
			r := codec.NewReader(data)
			s := params.ReadSplit(r)
			return s, r.Finish()
		}
	}
	return params.Split{RunnerBPS: 1_500, BurnBPS: 7_000, TreasuryBPS: 1_500}, nil
}

// publish replaces an actor's routes. What is written is paid for: by the instruction's calldata, or in a call by the size.
//
// Spec: storage-cbfs §3.2 (102).
func publish(e *chapter.Env, actor account.Address, m *route.Manifest) error {
	if err := e.Charge(writeCycles, 0); err != nil {
		return err
	}
	g, err := registry(e, "update_route_manifest")
	if err != nil {
		return err
	}
	if err := g.Publish(actor, m); err != nil {
		return err
	}
	data := codec.AppendUint(codec.AppendUint(append([]byte(nil), actor[:]...), uint64(len(m.Static))), uint64(len(m.Dynamic)))
	return e.Emit(TopicManifest, data)
}

package gateway

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Topics of the registries' events.
const (
	TopicRegistered = "gateway.registered" // gateway(20) ‖ UInt stake ‖ Bytes endpoint ‖ UInt port
	TopicLeaving    = "gateway.leaving"    // gateway(20) ‖ UInt the first block in which it may have its stake
	TopicGone       = "gateway.unstaked"   // gateway(20) ‖ UInt amount
	TopicRewarded   = "gateway.rewarded"   // gateway(20) ‖ UInt amount
	TopicDispatched = "gateway.dispatched" // target(20) ‖ gateway(20) ‖ request(16)
	TopicCompleted  = "receipt.completed"  // request(16), by the actor
)

// The codes of faults about gateways and receipts.
//
// Spec: gateway-payments-streams §B, §C.
const (
	FaultUnauthorized uint16 = 1781 // ERR_UNAUTHORIZED_GATEWAY
	FaultStake        uint16 = 1782
	FaultLeaving      uint16 = 1783
	FaultEnvelope     uint16 = 1784
	FaultMethod       uint16 = 1785
	FaultBody         uint16 = 1786
	FaultIngress      uint16 = 1787 // ERR_INGRESS_ENTITLEMENT_MISSING
	FaultRequest      uint16 = 1788 // the identity is in use, or the receipt is none that can be completed
)

// Prices of the methods beside what they write.
const (
	writeCycles    unit.Cycles = 10_000
	readCycles     unit.Cycles = 100
	profileBytes   unit.Cells  = 512 // what a gateway writes at most, with its keys
	requestBytes   unit.Cells  = 512 // what a request writes beside its message: receipt, indices, and the receipt once more when it ends
	handlerRequest             = "http.request"
)

// New gives the chapter.
//
// Spec: gateway-payments-streams §B, §C; WP §9.
func New() *chapter.Chapter {
	name := string(tx.ChapterGateway)
	return &chapter.Chapter{
		Name: tx.ChapterGateway, Homes: []byte{account.GatewayRegistry, account.ReceiptRegistry},
		Instructions: []chapter.Instruction{
			chapter.On(func(e *chapter.Env, in *tx.IngressDispatch) ([]byte, error) {
				id, err := dispatch(e, in.Target, in.Envelope, in.RequestID)
				return id[:], err
			}),
			chapter.On(func(e *chapter.Env, in *tx.CompleteReceipt) ([]byte, error) {
				return nil, complete(e, in.RequestID, in.Envelope)
			}),
		},
		Handlers: handlers(), Ended: ended, End: end, Escrow: gateway.Escrow, Faults: faults(),
		Claims: append(gateway.Claims(name), receipt.Claims(name)...), Params: []chapter.Param{*terms(), *pool()},
	}
}

// terms is the governed group of gateways' terms.
func terms() *chapter.Param {
	return &chapter.Param{
		Key: gateway.KeyConfig, Default: gateway.Genesis().Append(nil), Tier: 2,
		Check: func(value []byte) error { _, err := gateway.DecodeConfig(value); return err },
	}
}

// pool is the governed group of the pool's terms.
func pool() *chapter.Param {
	return &chapter.Param{
		Key: gateway.KeyPool, Default: gateway.GenesisPool().Append(nil), Tier: 3,
		Check: func(value []byte) error { _, err := gateway.DecodePool(value); return err },
	}
}

func faults() []chapter.Fault {
	const input, missing, forbidden, entitlement, limit = 2, 3, 5, 7, 8
	return []chapter.Fault{
		{Err: gateway.ErrUnauthorized, Code: FaultUnauthorized, Class: "PermissionDeniedError", Host: forbidden},
		{Err: gateway.ErrUnknown, Code: drain.FaultMissing, Class: "NotFoundError", Host: missing},
		{Err: gateway.ErrStake, Code: FaultStake, Class: "InvalidInputError", Host: input},
		{Err: gateway.ErrLeaving, Code: FaultLeaving, Class: "InvalidInputError", Host: forbidden},
		{Err: gateway.ErrFull, Code: drain.FaultLimit, Class: "InvalidInputError", Host: limit},
		{Err: gateway.ErrEndpoint, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
		{Err: gateway.ErrEnvelope, Code: FaultEnvelope, Class: "InvalidInputError", Host: input},
		{Err: gateway.ErrMethod, Code: FaultMethod, Class: "EntitlementMissingError", Host: entitlement},
		{Err: gateway.ErrBody, Code: FaultBody, Class: "EntitlementMissingError", Host: entitlement},
		{Err: gateway.ErrIngress, Code: FaultIngress, Class: "EntitlementMissingError", Host: entitlement},
		{Err: receipt.ErrUnknown, Code: drain.FaultMissing, Class: "NotFoundError", Host: missing},
		{Err: receipt.ErrPending, Code: FaultRequest, Class: "InvalidInputError", Host: forbidden},
		{Err: receipt.ErrStatus, Code: FaultRequest, Class: "InvalidInputError", Host: forbidden},
		{Err: receipt.ErrExpired, Code: FaultRequest, Class: "InvalidInputError", Host: forbidden},
		{Err: receipt.ErrResponse, Code: FaultEnvelope, Class: "InvalidInputError", Host: input},
		{Err: receipt.ErrActor, Code: drain.FaultPermission, Class: "PermissionDeniedError", Host: forbidden},
		{Err: receipt.ErrPrivate, Code: drain.FaultPermission, Class: "PermissionDeniedError", Host: forbidden},
		{Err: unit.ErrOverflow, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
	}
}

// registry is the registry as an execution sees it.
func registry(e *chapter.Env) (*gateway.Registry, error) {
	data, err := e.Param(terms())
	if err != nil {
		return nil, err
	}
	c, err := gateway.DecodeConfig(data)
	return &gateway.Registry{State: e.State, Config: c, Height: e.Block.Height}, err
}

// end shares out the pool and removes receipts, a bounded piece of each.
//
// Spec: gateway-payments-streams §B (reward per epoch), §C (one sweep of the registry a block).
func end(b *chapter.Boundary) error {
	data, err := b.Param(terms())
	if err != nil {
		return err
	}
	c, err := gateway.DecodeConfig(data)
	if err != nil {
		return err
	}
	if data, err = b.Param(pool()); err != nil {
		return err
	}
	p, err := gateway.DecodePool(data)
	if err != nil {
		return err
	}
	paid, err := gateway.Walk(b.State, c, p, b.Header.Height, func(to account.Address) (bool, error) {
		if err := b.Bill(to); err != nil {
			return false, err
		}
		a, err := account.Load(b.State, to)
		if err != nil {
			return false, err
		}
		return entitle.MayHold(b.State, to, a.Kind)
	})
	if err != nil {
		return err
	}
	for _, one := range paid {
		b.Emit(TopicRewarded, codec.AppendUint(append([]byte(nil), one.To[:]...), uint64(one.Amount)))
	}
	_, err = receipt.Sweep(b.State, b.Header.Height, receipt.SweepPerBlock)
	return err
}

package gateway

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

const anyWay = chapter.ByMessage | chapter.ByExecute | chapter.ByCall

type run = func(e *chapter.Env, r chapter.Request) ([]byte, error)

// handlers are the methods of both addresses.
func handlers() []chapter.Handler {
	here, there := account.System(account.GatewayRegistry), account.System(account.ReceiptRegistry)
	return []chapter.Handler{
		{Name: "register_gateway", Ways: anyWay, Coins: true, Run: at(here, register)},
		{Name: "heartbeat", Ways: anyWay, Run: at(here, heartbeat)},
		{Name: "unstake", Ways: anyWay, Run: at(here, unstake)},
		{Name: "is_active_gateway", Ways: anyWay, Reads: true, Run: at(here, active)},
		{Name: "gateway", Ways: anyWay, Reads: true, Run: at(here, profile)},
		{Name: "dispatch", Ways: anyWay, Run: at(here, ingress)},
		{Name: "complete", Ways: anyWay, Run: at(there, completed)},
		{Name: "receipt", Ways: anyWay, Reads: true, Run: at(there, show)},
	}
}

// at has a handler answer at one of the chapter's addresses alone.
func at(home account.Address, f run) run {
	return func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if e.Self != home {
			return nil, chapter.Reject(drain.FaultUnavailable, "NotAvailableError", 6, "%s is a method of %v", r.Handler, home)
		}
		return f(e, r)
	}
}

func address(name string) chapter.Parameter {
	return chapter.Parameter{Name: name, Kind: chapter.Address}
}

// register takes the coins that came with it as stake, of who may hold coins.
//
// Spec: gateway-payments-streams §B (register_gateway).
func register(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, chapter.Parameter{Name: "endpoint", Kind: chapter.Text}, chapter.Parameter{Name: "http_port", Kind: chapter.Number})
	if err != nil {
		return nil, err
	}
	g, err := writes(e)
	if err != nil {
		return nil, err
	}
	who, err := account.Load(e.State, e.Sender)
	if err != nil {
		return nil, err
	}
	if ok, err := entitle.MayHold(e.State, e.Sender, who.Kind); err != nil {
		return nil, err
	} else if !ok {
		return nil, chapter.Reject(drain.FaultEntitlement, "EntitlementMissingError", 7, "a gateway is paid in coins: %s is missing", entitle.HoldBalance)
	}
	if err := account.Debit(e.State, e.Self, e.Value); err != nil {
		return nil, err
	}
	if err := g.Register(e.Sender, a.Text(0), a.Number(1), e.Value); err != nil {
		return nil, err
	}
	p, err := gateway.Load(e.State, e.Sender)
	if err != nil {
		return nil, err
	}
	event := codec.AppendUint(append([]byte(nil), e.Sender[:]...), uint64(p.Stake))
	return nil, e.Emit(TopicRegistered, codec.AppendUint(codec.AppendBytes(event, []byte(p.Endpoint)), uint64(p.Port)))
}

func heartbeat(e *chapter.Env, _ chapter.Request) ([]byte, error) {
	g, err := writes(e)
	if err != nil {
		return nil, err
	}
	return nil, g.Heartbeat(e.Sender)
}

// unstake has the sender leave, or gives it its stake back.
//
// Spec: gateway-payments-streams §B (unstake).
func unstake(e *chapter.Env, _ chapter.Request) ([]byte, error) {
	g, err := writes(e)
	if err != nil {
		return nil, err
	}
	back, err := g.Unstake(e.Sender)
	if err != nil {
		return nil, err
	}
	event := append([]byte(nil), e.Sender[:]...)
	if back == 0 {
		return nil, e.Emit(TopicLeaving, codec.AppendUint(event, uint64(e.Block.Height)+g.Config.Unstake))
	}
	if err := e.Bill(e.Sender); err != nil {
		return nil, err
	}
	if err := account.Credit(e.State, e.Sender, back); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicGone, codec.AppendUint(event, uint64(back)))
}

// writes takes the price of a method that writes a gateway.
func writes(e *chapter.Env) (*gateway.Registry, error) {
	if err := e.Charge(writeCycles, profileBytes*unit.Cells(e.Costs().CellsPerByteWritten)); err != nil {
		return nil, err
	}
	return registry(e)
}

func active(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, g, err := reads(e, r)
	if err != nil {
		return nil, err
	}
	_, err = g.Active(a)
	if err != nil && err != gateway.ErrUnauthorized {
		return nil, err
	}
	return chapter.Plain(err == nil)
}

func reads(e *chapter.Env, r chapter.Request) (account.Address, *gateway.Registry, error) {
	a, err := e.Named(r, address("address"))
	if err != nil {
		return account.Address{}, nil, err
	}
	if err := e.Charge(readCycles, 0); err != nil {
		return account.Address{}, nil, err
	}
	g, err := registry(e)
	return a.Address(0), g, err
}

func profile(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, g, err := reads(e, r)
	if err != nil {
		return nil, err
	}
	p, err := gateway.Load(e.State, a)
	if err != nil {
		return nil, err
	}
	return chapter.Plain(cbor.Map{
		{Key: "address", Value: a[:]}, {Key: "stake_amount", Value: uint64(p.Stake)}, {Key: "endpoint", Value: p.Endpoint},
		{Key: "http_port", Value: uint64(p.Port)}, {Key: "last_heartbeat", Value: uint64(p.Heartbeat)},
		{Key: "health", Value: p.HealthAt(g.Config, g.Height)}, {Key: "registered_at", Value: uint64(p.Registered)},
	})
}

// ingress is dispatch by a gateway that is an actor.
//
// Spec: gateway-payments-streams §B (dispatch).
func ingress(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, address("target"), chapter.Parameter{Name: "envelope", Kind: chapter.Bytes}, request())
	if err != nil {
		return nil, err
	}
	wanted, err := identity(a.Text(2))
	if err != nil {
		return nil, err
	}
	id, err := dispatch(e, a.Address(0), a.Bytes(1), wanted)
	if err != nil {
		return nil, err
	}
	return chapter.Plain(cbor.Map{{Key: "request_id", Value: id.String()}})
}

func request() chapter.Parameter {
	return chapter.Parameter{Name: "request_id", Kind: chapter.Text}
}

func identity(text string) (receipt.ID, error) {
	id, ok := receipt.ParseID(text)
	if !ok {
		return receipt.ID{}, chapter.Reject(drain.FaultInput, "InvalidInputError", 2, "a request's identity is a UUID in lower case")
	}
	return id, nil
}

func completed(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, request(), chapter.Parameter{Name: "envelope", Kind: chapter.Bytes})
	if err != nil {
		return nil, err
	}
	id, err := identity(a.Text(0))
	if err != nil {
		return nil, err
	}
	return nil, complete(e, id, a.Bytes(1))
}

// show answers a receipt; a private one to its actor and its gateway alone. Its envelope is paid for by its size.
//
// Spec: gateway-payments-streams §C (private receipts).
func show(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, request())
	if err != nil {
		return nil, err
	}
	id, err := identity(a.Text(0))
	if err != nil {
		return nil, err
	}
	c, err := receipt.Load(e.Paid(0), id)
	if err != nil {
		return nil, err
	}
	size := uint64(len(c.Envelope))
	if err := e.Charge(readCycles+unit.Cycles(size)*e.Costs().SerializePerByte, unit.Cells(size/e.Costs().StateReadBytesPerCell)); err != nil {
		return nil, err
	}
	if c.Private && e.Sender != c.Target && e.Sender != c.Gateway {
		return nil, receipt.ErrPrivate
	}
	var envelope any
	if c.Envelope != nil {
		envelope = c.Envelope
	}
	return chapter.Plain(cbor.Map{
		{Key: "request_id", Value: id.String()}, {Key: "target_actor", Value: c.Target[:]}, {Key: "gateway", Value: c.Gateway[:]},
		{Key: "status", Value: uint64(c.Status)}, {Key: "envelope", Value: envelope}, {Key: "created_at", Value: uint64(c.Created)},
		{Key: "expires_at", Value: uint64(c.Expires)}, {Key: "private", Value: c.Private},
	})
}

// Active holds the sender to being an active gateway. Reject: gateway.ErrUnauthorized.
//
// Spec: gateway-payments-streams §B (is_active_gateway).
func Active(e *chapter.Env) error {
	g, err := registry(e)
	if err != nil {
		return err
	}
	_, err = g.Active(e.Sender)
	return err
}

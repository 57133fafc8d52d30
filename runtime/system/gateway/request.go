package gateway

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	chainroute "github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/route"
)

// dispatch brings a request to an actor and gives the identity it has. Reading the envelope, the message and what is written are paid for before.
//
// Spec: gateway-payments-streams §B (65), §C (one extra cell-metered write).
func dispatch(e *chapter.Env, target account.Address, envelope []byte, wanted receipt.ID) (id receipt.ID, err error) {
	size := unit.Cycles(len(envelope))
	cells := (requestBytes + unit.Cells(len(envelope))) * unit.Cells(e.Costs().CellsPerByteWritten)
	if err := e.Charge(writeCycles+e.Costs().SendMessage+2*(e.Costs().SerializeBase+size*e.Costs().SerializePerByte), cells); err != nil {
		return id, err
	}
	g, err := registry(e)
	if err != nil {
		return id, err
	}
	if _, err := g.Active(e.Sender); err != nil {
		return id, err
	}
	h, declared, err := entitle.HTTPOf(e.State, target)
	if err != nil {
		return id, err
	}
	if !declared {
		return id, gateway.ErrIngress
	}
	if id, err = receipt.Choose(e.State, wanted, e.Turn.TxHash, e.Block.Height); err != nil {
		return id, err
	}
	handler, payload, err := addressed(e, target, &h, envelope, id)
	if err != nil {
		return id, err
	}
	message, err := e.Send(mailbox.Message{
		Sender: gateway.Home(), Target: target, Handler: handler, Payload: payload, Structured: true, Depth: e.Turn.Depth + 1,
	})
	if err != nil {
		return id, err
	}
	receipt.Open(e.State, id, message, &receipt.Receipt{
		Target: target, Gateway: e.Sender, Created: e.Block.Height, Expires: e.Block.Height + unit.Height(h.ReceiptBlocks),
	})
	event := append(append(append([]byte(nil), target[:]...), e.Sender[:]...), id[:]...)
	return id, e.EmitAs(gateway.Home(), TopicDispatched, event)
}

// addressed gives the handler that a request is for and what that handler is told: the one of the actor's manifest of routes, with the parts of the path that
// the route names, or else "http.request". Reading a manifest is paid for by its size.
//
// Spec: gateway-payments-streams §B (65); storage-cbfs §3.2 (102); sdk §19.2 (path_params).
func addressed(e *chapter.Env, target account.Address, h *entitle.HTTP, envelope []byte, id receipt.ID) (handler string, payload []byte, err error) {
	r, err := gateway.CheckRequest(envelope, h)
	if err != nil {
		return "", nil, err
	}
	handler = handlerRequest
	m, err := chainroute.LoadManifest(e.State, target)
	switch {
	case err == nil:
		size := uint64(len(m.Append(nil)))
		if err := e.Charge(unit.Cycles(size)*e.Costs().SerializePerByte, unit.Cells(size/e.Costs().StateReadBytesPerCell)); err != nil {
			return "", nil, err
		}
	case !errors.Is(err, chainroute.ErrNoRoutes):
		return "", nil, err
	}
	if found, ok := m.Find(r.Method, r.Path); ok && found.Handler != "" {
		handler = found.Handler
		params := make(cbor.Map, len(found.Params))
		for i, p := range found.Params {
			params[i] = cbor.Pair{Key: p.Name, Value: p.Value}
		}
		r.Set("path_params", params)
	}
	r.Set("request_id", id.String())
	payload, err = r.Encode()
	return handler, payload, err
}

// ended notes in a request's receipt how its message ended. What the answer adds to the state is paid from what the message has left.
//
// Spec: gateway-payments-streams §C (a handler that traps makes it FAILED).
func ended(e *chapter.Ended) error {
	id, ok, err := receipt.Of(e.State, e.Message)
	if err != nil || !ok {
		return err
	}
	if e.Fault != nil {
		return receipt.Settle(e.State, id, e.Message, true, nil)
	}
	r, err := answer(e)
	if err != nil {
		return err
	}
	return receipt.Settle(e.State, id, e.Message, false, r)
}

// answer reads what the handler answered; nil for what is no response, is larger than the actor's limit, or is not paid for.
func answer(e *chapter.Ended) (*receipt.Response, error) {
	costs, size := e.Block.Version().Costs, len(e.Return)
	if !e.Charge(costs.StorageWrite+costs.SerializeBase+unit.Cycles(size)*costs.SerializePerByte, unit.Cells(size)*unit.Cells(costs.CellsPerByteWritten)) {
		return nil, nil
	}
	h, declared, err := entitle.HTTPOf(e.State, e.Target)
	if err != nil || !declared {
		return nil, err
	}
	r, err := receipt.ParseStored(e.Return, h.ResponseBytes)
	if err != nil {
		return nil, nil //nolint:nilerr // the actor answered with something else, which the receipt says
	}
	return r, nil
}

// complete answers a pending request for the actor that was asked: the actor does, its deployer, or who holds the entitlement for it.
//
// Spec: gateway-payments-streams §C (66).
func complete(e *chapter.Env, id receipt.ID, envelope []byte) error {
	price := writeCycles + e.Costs().SerializeBase + unit.Cycles(len(envelope))*e.Costs().SerializePerByte
	if err := e.Charge(price, unit.Cells(len(envelope))*unit.Cells(e.Costs().CellsPerByteWritten)); err != nil {
		return err
	}
	err := receipt.Complete(e.State, id, e.Block.Height, envelope, func(c *receipt.Receipt) (bool, uint64, error) {
		ok, err := route.Speaks(e, c.Target, "complete_receipt")
		if err != nil || !ok {
			return false, 0, err
		}
		h, _, err := entitle.HTTPOf(e.State, c.Target)
		return true, h.ResponseBytes, err
	})
	if err != nil {
		return err
	}
	return e.EmitAs(receipt.Home(), TopicCompleted, id[:])
}

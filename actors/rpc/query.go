package rpc

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/explorer"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// The header that names an error of a query, and the names.
//
// Spec: gateway-payments-streams §B.
const (
	errorHeader   = "X-Cowboy-Error"
	blockHeader   = "X-Cowboy-Block"
	readViolation = "READ_ONLY_VIOLATION"
	cycleLimit    = "QUERY_CYCLE_LIMIT"
	handlerPanic  = "HANDLER_PANIC"
	minBlock      = "MIN_BLOCK_NOT_REACHED"
)

// executes reports whether a request has something executed. It takes no turn of the reads: the service bounds what is under way.
func executes(r *http.Request) bool {
	for _, path := range [...]string{"/explain/", "/trace/", explorer.Path + "tx/"} {
		if strings.HasPrefix(r.URL.Path, path) {
			return true
		}
	}
	return false
}

// executions are the calls that have something executed for a client.
func (s *server) executions(mux *http.ServeMux) {
	mux.HandleFunc("GET /explain/{hash}", s.explain)
	mux.HandleFunc("POST /simulate", s.simulate)
	mux.HandleFunc("POST /actor/{addr}/read_handler", s.readHandler)
}

// readHandler answers POST /actor/{addr}/read_handler.
func (s *server) readHandler(w http.ResponseWriter, r *http.Request) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		s.fail(w, badAddress(err))
		return
	}
	var q wire.ReadRequest
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil {
		if large := (*http.MaxBytesError)(nil); !errors.As(err, &large) {
			err = badRequest(`the body is {"selector": "handler", "payload": "hex digits"}: ` + err.Error())
		}
		s.fail(w, err)
		return
	}
	payload, err := hex.DecodeString(trim0x(q.Payload))
	if err != nil {
		s.fail(w, badRequest("a payload is hex digits"))
		return
	}
	reply, err := s.Backend.ReadHandler(r.Context(), door.SourceAt(r.RemoteAddr), addr, q, payload)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		if name, ok := refusal.Body.Context["name"].(string); ok {
			w.Header().Set(errorHeader, name)
		}
	}
	if err == nil {
		w.Header().Set(blockHeader, fmt.Sprint(reply.BlockHeight))
	}
	s.answer(w, reply, err)
}

// simulate answers POST /simulate.
func (s *server) simulate(w http.ResponseWriter, r *http.Request) {
	list, err := s.readSubmission(r)
	switch {
	case err != nil:
	case len(list) != 1:
		err = badRequest("one transaction is simulated at a time")
	case list[0].Tx == nil:
		err = refuse(http.StatusBadRequest, 1011, "")
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	reply, err := s.Backend.Simulate(r.Context(), door.SourceAt(r.RemoteAddr), list[0].Tx)
	s.answer(w, reply, err)
}

// explain answers GET /explain/{hash}; format=text gives the traceback alone.
func (s *server) explain(w http.ResponseWriter, r *http.Request) {
	s.byHash(func(h digest.Hash) (any, error) {
		reply, err := s.Backend.Explain(r.Context(), door.SourceAt(r.RemoteAddr), h)
		if err == nil && r.URL.Query().Get("format") == "text" {
			return plainText(reply), nil
		}
		return reply, err
	})(w, r)
}

// plainText is what an explanation says to people.
func plainText(e wire.Explanation) text {
	switch {
	case e.Traceback != "":
		return text(e.Traceback)
	case e.Error != nil:
		return text(e.Error.Slug + " " + e.Error.What + ": " + e.Error.Why + "\n")
	}
	return "it did not fail\n"
}

// text is an answer in plain text.
type text string

// executed turns what the service says into an answer.
func executed(err error) error {
	var broken *query.Broken
	switch {
	case errors.Is(err, query.ErrBusy):
		return refuse(http.StatusServiceUnavailable, 4029, "this node executes as much for clients as it may; ask again")
	case errors.Is(err, query.ErrTime):
		return named(http.StatusUnprocessableEntity, cycleLimit, wire.NewError(1201, "CycleLimitExceeded: the time for it was over before it ended"))
	case errors.As(err, &broken):
		return refuse(http.StatusInternalServerError, 1900, "")
	}
	return err
}

// named is a refusal with a name of the published table.
func named(status int, name string, body wire.Error) *Refusal {
	if body.Context == nil {
		body.Context = map[string]any{}
	}
	body.Context["name"] = name
	return &Refusal{status, body}
}

// errNoQueries answers where nothing is executed for clients.
var errNoQueries = refuse(http.StatusNotFound, 4004, "this node executes nothing for clients")

// committed gives the header and state after a block.
func (n *Node) committed(height *uint64) (*block.Header, *state.Commit, error) {
	t, err := n.tip()
	if err != nil {
		return nil, nil, err
	}
	if height == nil || unit.Height(*height) == t.Header.Height {
		return t.Header, t.State, nil
	}
	at := unit.Height(*height)
	if at > t.Header.Height {
		return nil, nil, notYet(t.Header.Height)
	}
	commit, err := n.stateAt(at)
	if err != nil {
		return nil, nil, err
	}
	header, err := n.Ledger.Header(at)
	if err != nil {
		return nil, nil, refusal(err)
	}
	return header, commit, nil
}

// notYet refuses what is about a block that is to come.
func notYet(newest unit.Height) *Refusal {
	return named(http.StatusServiceUnavailable, minBlock, wire.NewError(4004, fmt.Sprintf("the newest final block is %d", newest)))
}

// ReadHandler implements Backend.
//
// Spec: gateway-payments-streams §B (queries); sdk §6 (read-only execution).
func (n *Node) ReadHandler(ctx context.Context, client netip.Addr, addr account.Address, q wire.ReadRequest, payload []byte) (wire.ReadReply, error) {
	ask := host.Question{Actor: addr, Handler: q.Selector, Payload: payload}
	ask.Limit.Cycles = unit.Cycles(q.MaxCycles)
	header, a, err := n.ask(ctx, client, q.BlockHeight, q.MinBlock, ask)
	if err != nil {
		return wire.ReadReply{}, err
	}
	reply := wire.ReadReply{
		BlockHeight: uint64(header.Height), StateRoot: wire.Hash(header.StateRoot), Result: wire.Hex(a.Outcome.Return), ResultText: wire.Text(a.Outcome.Return),
		CyclesUsed: uint64(a.Outcome.Used.Cycles), CellsUsed: uint64(a.Outcome.Used.Cells), Printed: n.printed(a.Printed),
	}
	return reply, nil
}

// queryFault is the answer to a query whose handler did not end well.
//
// Spec: gateway-payments-streams §B (the table of errors).
func (n *Node) queryFault(a *query.Answer) *Refusal {
	fault := a.Outcome.Fault
	status, name, code, why := http.StatusInternalServerError, handlerPanic, int(fault.Code), fault.Text
	switch {
	case fault.Code == drain.FaultCycles:
		status, name, code = http.StatusUnprocessableEntity, cycleLimit, int(drain.FaultTimeout)
		why = fmt.Sprintf("CycleLimitExceeded: it needs more than %d cycles", a.Outcome.Used.Cycles)
	case strings.HasPrefix(why, host.ReadOnlyViolation.Name+":"):
		name, why = readViolation, "ERR_READONLY_VIOLATION: "+why
	case fault.Code == drain.FaultActor && a.Failure == nil, a.Missing != nil && len(a.Failure.Places) == 0:
		status = http.StatusNotFound
	}
	body := wire.NewError(code, why)
	body.Context = map[string]any{"cycles_used": uint64(a.Outcome.Used.Cycles)}
	if a.Failure != nil {
		body.Context["failure"], body.Context["traceback"] = a.Failure, a.Failure.Render(nil)
	}
	if a.Missing != nil {
		body.Context["missing"] = a.Missing
	}
	if p := n.printed(a.Printed); len(p) > 0 {
		body.Context["printed"] = p
	}
	return named(status, name, body)
}

// printed is what a client may see of what actors printed.
func (n *Node) printed(list []host.Print) []host.Print {
	if !n.Prints {
		return nil
	}
	return list
}

// Simulate implements Backend.
//
// Spec: sdk §20.2 (limits that are left out are found out).
func (n *Node) Simulate(ctx context.Context, client netip.Addr, t *tx.Tx) (wire.Simulation, error) {
	if n.Service == nil {
		return wire.Simulation{}, errNoQueries
	}
	tip, err := n.tip()
	if err != nil {
		return wire.Simulation{}, err
	}
	r, err := n.Service.Try(ctx, client, transition.Parent{Header: tip.Header, Hash: tip.Hash, State: tip.State}, t, time.Now())
	if err != nil {
		return wire.Simulation{}, executed(err)
	}
	reply := wire.Simulation{BlockHeight: uint64(tip.Header.Height), Ahead: r.Ahead}
	if r.Refused != nil {
		refused := wireError(r.Refused)
		reply.Refused = &refused
		return reply, nil
	}
	x := wire.FromReceipt(r.Receipt, digest.Hash{}, tip.Header.Height+1, 0, t)
	reply.Success, reply.CyclesUsed, reply.CellsUsed, reply.Enqueued = x.Success, x.CyclesUsed, x.CellsUsed, uint64(r.Enqueued)
	reply.ReturnData, reply.ReturnText, reply.ActorAddress, reply.Error = x.ReturnData, x.ReturnText, x.ActorAddress, x.Error
	reply.Failure, reply.Missing, reply.Printed = r.Failure, r.Missing, n.printed(r.Printed)
	return reply, nil
}

// Explain implements Backend. A success is executed again only where what it printed may be seen.
func (n *Node) Explain(ctx context.Context, client netip.Addr, hash digest.Hash) (wire.Explanation, error) {
	place, err := n.Ledger.Transaction(hash)
	if err != nil {
		return wire.Explanation{}, refusal(err)
	}
	x, err := n.receiptAt(place.Height, place.Index)
	if err != nil {
		return wire.Explanation{}, err
	}
	e := wire.Explanation{
		TransactionHash: x.TransactionHash, BlockHeight: x.BlockHeight, Kind: x.Kind, Target: x.Target, Success: x.Success, Error: x.Error,
	}
	if n.Service == nil || x.Success && !n.Prints || place.Height == 0 {
		return e, nil
	}
	told, err := n.Service.Explain(ctx, client, hash, func() (transition.Parent, *block.Block, error) { return n.before(place.Height) })
	if err != nil {
		return wire.Explanation{}, executed(err)
	}
	if !x.Success {
		e.Failure, e.Missing = told.Failure, told.Missing
	}
	if e.Failure != nil {
		e.Traceback = e.Failure.Render(nil)
	}
	e.Printed = n.printed(told.Printed)
	return e, nil
}

// before gives a block and what it stands on.
func (n *Node) before(height unit.Height) (transition.Parent, *block.Block, error) {
	b, err := n.Ledger.Block(height)
	if err != nil {
		return transition.Parent{}, nil, refusal(err)
	}
	parent, err := n.Ledger.Header(height - 1)
	if err != nil {
		return transition.Parent{}, nil, refusal(err)
	}
	commit, err := n.stateAt(height - 1)
	if err != nil {
		return transition.Parent{}, nil, err
	}
	return transition.Parent{Header: parent, State: commit}, b, nil
}

package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Question is a handler to run for a reader.
type Question struct {
	Actor   account.Address
	Handler string
	Payload []byte
	Sender  *account.Address // whom the handler sees; nil: nobody, as the interface for clients has it
	Limit   fee.Use
	// Interrupt, if set, may end the query before it has an outcome.
	Interrupt drain.Interrupt
	// Protocol is the versions of the protocol that the chain's schedule names; nil is all this program knows.
	Protocol *protocol.Table
}

// Ask runs a handler on the state after a block, whose height and time it sees. Nothing comes of it but the answer. Errors as Query's.
//
// Spec: sdk §6 (read-only execution); gateway-payments-streams §B (queries).
func (h *Host) Ask(header *block.Header, commit *state.Commit, q Question) (drain.Outcome, error) {
	b, err := h.blockOf(header, commit, q.Protocol)
	if err != nil {
		return drain.Outcome{}, err
	}
	view := h.seen
	if h.seen = nil; view == nil || view.Base() != commit {
		view = commit.Overlay()
	}
	out, err := h.Query(&drain.Turn{
		Target: q.Actor, Limit: q.Limit, Payload: drain.Payload{Handler: q.Handler, Data: q.Payload}, Overlay: view, Interrupt: q.Interrupt, Block: b,
	}, q.Sender)
	if err == nil && view.OnlyRead(mostSeen) {
		h.seen = view
	}
	return out, err
}

// MaxAnswer is how many bytes of return data a query has, which no block holds: a response over HTTP of 10 MiB, with what stands around its body.
//
// Spec: gateway-payments-streams §B (ceilings).
const MaxAnswer = 10<<20 + 64<<10

// mostSeen is how many keys, whose values have at most 4 KiB, are kept at hand for the next query after the same block.
const mostSeen = 1_024

// asked is what queries read of the chain after a block, for the next query after the same one.
type asked struct {
	root digest.Hash
	drain.Block
}

// blockOf reads what a handler may read of a block and of what governs it. The root says all but the header.
func (h *Host) blockOf(header *block.Header, commit *state.Commit, versions *protocol.Table) (*drain.Block, error) {
	if versions == nil {
		versions = protocol.All()
	}
	if a := h.asked; a == nil || a.root != commit.Root() || a.Height != header.Height {
		governed, err := params.Load(commit)
		if err != nil {
			return nil, err
		}
		rates, err := fee.LoadBasefees(commit)
		if err != nil {
			return nil, err
		}
		book, err := rent.Open(commit, governed, header.Height)
		if err != nil {
			return nil, err
		}
		codes, err := govern.LoadPointers(commit)
		if err != nil {
			return nil, err
		}
		h.asked = &asked{commit.Root(), drain.Block{Height: header.Height, Params: governed, Basefees: rates, Rent: book, Codes: codes}}
	}
	b := h.asked.Block
	version, err := versions.At(b.Params, b.Height)
	if err != nil {
		return nil, err
	}
	b.Protocol = version
	b.ChainID, b.TimestampMs, b.ParentHash = header.ChainID, header.TimestampMs, header.ParentHash
	return &b, nil
}

// Query runs a handler on the turn's overlay for a reader: every mutating syscall traps. The overlay is to be thrown away. Errors: drain.ErrInterrupted when
// the turn's Interrupt was raised; any other is a failure of this machine.
//
// Spec: sdk §6 (read-only execution).
func (h *Host) Query(t *drain.Turn, sender *account.Address) (drain.Outcome, error) {
	w, err := newWork(t)
	if err != nil {
		return drain.Outcome{}, err
	}
	w.readOnly = true
	h.watch.begin()
	h.programs.at(t.Block.Version())
	meter := object.NewMeter(uint64(t.Limit.Cycles), uint64(t.Limit.Cells))
	meter.Heed(t.Interrupt)
	data, end := h.execute(w, meter, handlerCall{
		target: t.Target, sender: sender, handler: t.Payload.Handler, delivery: delivery{data: t.Payload.Data}, most: MaxAnswer,
	})
	out := drain.Outcome{Turn: t.Number, Used: fee.Use{Cycles: unit.Cycles(meter.Used()), Cells: unit.Cells(meter.CellsUsed())}, Return: data}
	if end != nil {
		if errors.Is(end.failure, object.ErrInterrupted) {
			return drain.Outcome{}, drain.ErrInterrupted
		}
		if end.failure != nil {
			return drain.Outcome{}, end.failure
		}
		out.Fault, out.Return = end.fault, nil
		h.tell(end)
	}
	return out, nil
}

// tell tells whoever watches how a turn failed.
func (h *Host) tell(end *ending) {
	if h.watch != nil {
		h.watch.Failure = end.told
	}
}

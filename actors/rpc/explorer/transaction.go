package explorer

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// transactionPage answers first what became of it, then what it led to, then what was signed.
type transactionPage struct {
	Hash    string
	Tx      *wire.Transaction
	Trace   *wire.Trace
	Self    *wire.Receipt // of what the page is of; nil while it waits
	Picture *causal       // nil where nothing followed
	Calls   []wire.TraceNode
	More    int    // executions that are not listed
	Silent  int    // events that are not listed
	Why     string // there is no trace
}

// Bounds of what is listed on a page.
const (
	maxCalls  = 60
	maxEvents = 60
)

func (s *site) transaction(r *http.Request) (view, error) {
	hash, err := parseHash(r.PathValue("hash"))
	if err != nil {
		return view{}, err
	}
	p := transactionPage{Hash: wire.Hash(hash)}
	if t, err := s.source.Transaction(hash); err == nil {
		p.Tx = &t
	} else if t, err := s.source.Pending(hash); err == nil {
		p.Tx = &t
	}
	trace, err := s.source.Trace(r.Context(), s.client(r.RemoteAddr), hash)
	if err != nil && p.Tx == nil {
		return view{}, err
	}
	var live bool
	if err == nil {
		p.Trace, live = &trace, trace.State != wire.TraceSettled && len(trace.Stops) == 0
		p.follow(&trace, s.labels())
	} else {
		p.Why, live = err.Error(), p.Tx != nil && p.Tx.BlockHeight == nil
	}
	title := "Execution "
	if p.Tx != nil {
		title = "Transaction "
	}
	return view{Page: "transaction", Title: title + short(p.Hash), Active: "blocks", Live: live, Scripts: []string{"explain.js"}, Data: p}, nil
}

// follow takes from a trace what the page shows of it: the one place where the page depends on how a trace is made.
func (p *transactionPage) follow(t *wire.Trace, label func(address string) string) {
	for i := range t.Nodes {
		if t.Nodes[i].Receipt.TransactionHash == p.Hash {
			p.Self = &t.Nodes[i].Receipt
			break
		}
	}
	if len(t.Nodes) > 1 {
		p.Picture = drawTrace(t, label)
	}
	events := 0
	for _, i := range inTreeOrder(t.Nodes) {
		if len(p.Calls) == maxCalls {
			p.More = len(t.Nodes) - maxCalls
			break
		}
		n := t.Nodes[i]
		shown := min(len(n.Receipt.Events), maxEvents-events)
		events, p.Silent = events+shown, p.Silent+len(n.Receipt.Events)-shown
		n.Receipt.Events = n.Receipt.Events[:shown]
		p.Calls = append(p.Calls, n)
	}
}

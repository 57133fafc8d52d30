package explorer

import (
	"cmp"
	"encoding/hex"
	"html"
	"net/http"
	"sort"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// usage is what one kind of execution of an actor used, over the executions the page looks at.
type usage struct {
	What          string
	Runs, Faults  int
	Cycles, Cells uint64
	Most          uint64 // cycles of one run
}

// entry is one storage entry.
type entry struct{ Key, Value string }

type accountPage struct {
	Address string
	Account *wire.Account
	Actor   *wire.Actor
	Program *program
	Lines   []string // of the source
	Uncut   int      // bytes of the source, where it is longer than what is shown; else 0
	Storage []entry
	// Readable says that keys and values of the storage are shown as what they seem to mean: on development networks.
	Readable bool
	Timers   wire.Timers
	Events   []wire.Event // newest first
	Runs     []wire.Receipt
	Sent     []wire.Receipt
	Usage    []usage
	Txs      []wire.Transaction
	Total    uint64
	Rent     *wire.Rent // nil: it pays none
	Tokens   []wire.Holding
	More     bool                // tokens than these
	Runner   bool                // it is registered as one
	Card     *wire.Card          // it is a prepaid card
	Cards    wire.Cards          // that it owns or is the agent of
	Prices   *wire.PaymentPolicy // of its paths over HTTP

	Subscriptions     []wire.Subscription // to events of others
	MoreSubscriptions bool
	Followers         []followers // of the topics of its newest events
}

// How many rows the parts of an actor's page have.
const (
	storageRows = 30
	partRows    = 16
)

// measured is how many executions of an actor the usage table looks at.
const measured = 100

func (s *site) account(r *http.Request) (view, error) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		return view{}, errAddress
	}
	p := accountPage{Address: addr.String()}
	if a, err := s.source.Account(addr); err == nil {
		p.Account = &a
	}
	if _, err := s.source.Runner(addr); err == nil {
		p.Runner = true
	}
	if err := s.cardParts(addr, &p); err != nil {
		return view{}, err
	}
	s.paymentParts(addr, &p)
	title, scripts := "Account "+short(p.Address), []string(nil)
	cursor, _ := hex.DecodeString(strings.TrimPrefix(r.URL.Query().Get("cursor"), "0x"))
	if a, err := s.source.Actor(addr, cursor, storageRows); err == nil {
		p.Actor, title, scripts = &a, "Actor "+short(p.Address), []string{"actor.js", "call.js", "explain.js"}
		if err := s.actorParts(addr, &p); err != nil {
			return view{}, err
		}
		if p.Program.Name != "" {
			title = p.Program.Name + ", actor " + short(p.Address)
		}
	}
	held, err := s.source.AccountTokens(addr, nil, pageRows)
	if err != nil {
		return view{}, err
	}
	p.Tokens, p.More = held.Tokens, held.NextCursor != ""
	if p.Account == nil && p.Actor == nil && len(p.Tokens) == 0 && p.Card == nil && len(p.Cards.Owned)+len(p.Cards.Held) == 0 {
		return view{}, errNothing
	}
	if p.Txs, p.Total, err = s.source.AccountTransactions(addr, 0, pageRows/2); err != nil {
		return view{}, err
	}
	active := "blocks"
	if p.Actor != nil {
		active = "actors"
	}
	return view{Page: "account", Title: title, Active: active, Live: len(cursor) == 0, Scripts: scripts, Data: p}, nil
}

func (s *site) actorParts(addr account.Address, p *accountPage) error {
	p.Readable = wire.Development(s.source.Health().ChainID)
	for key, value := range p.Actor.Storage {
		p.Storage = append(p.Storage, entry{key, value})
	}
	sort.Slice(p.Storage, func(i, j int) bool { return p.Storage[i].Key < p.Storage[j].Key })
	code, err := s.source.Code(addr)
	if err == nil {
		p.Program = s.programs.of(code)
		p.Lines, p.Uncut = beginning(code.Code)
		p.Timers, err = s.source.ActorTimers(addr, 0, pageRows)
	}
	if err != nil {
		return err
	}
	if due, err := s.source.Rent(addr); err == nil {
		p.Rent = &due
	}
	events, err := s.source.Events(addr, "", partRows)
	if err != nil {
		return err
	}
	for i := len(events.Events) - 1; i >= 0; i-- {
		p.Events = append(p.Events, events.Events[i])
	}
	if err := s.followParts(addr, p); err != nil {
		return err
	}
	logs, err := s.source.Logs(addr, 0, measured)
	if err != nil {
		return err
	}
	p.Usage = usages(logs.Logs)
	p.Runs = logs.Logs[:min(len(logs.Logs), partRows)]
	sent, err := s.source.Sent(addr, 0, partRows)
	p.Sent = sent.Logs
	return err
}

// shownSource is how many bytes a page has for a source, with what stands around each line.
const (
	shownSource = 48 << 10
	aroundLine  = 32
)

// beginning gives the lines of a source that are shown, and its size if there are more.
func beginning(source string) (lines []string, size int) {
	room := shownSource
	for line := range strings.Lines(source) {
		shown := unitext.Plain(strings.TrimSuffix(line, "\n"))
		if room -= len(html.EscapeString(shown)) + aroundLine; room < 0 {
			return lines, len(source)
		}
		lines = append(lines, shown)
	}
	return lines, 0
}

// usages adds executions up by handler, or by kind where the handler is not recorded.
func usages(runs []wire.Receipt) []usage {
	byName := map[string]*usage{}
	for _, r := range runs {
		name := cmp.Or(r.Handler, r.Kind)
		u := byName[name]
		if u == nil {
			u = &usage{What: name}
			byName[name] = u
		}
		u.Runs++
		u.Cycles += r.CyclesUsed
		u.Cells += r.CellsUsed
		u.Most = max(u.Most, r.CyclesUsed)
		if !r.Success {
			u.Faults++
		}
	}
	list := make([]usage, 0, len(byName))
	for _, u := range byName {
		list = append(list, *u)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Cycles != list[j].Cycles {
			return list[i].Cycles > list[j].Cycles
		}
		return list[i].What < list[j].What
	})
	return list[:min(len(list), partRows)]
}

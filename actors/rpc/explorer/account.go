package explorer

import (
	"cmp"
	"encoding/hex"
	"net/http"
	"sort"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
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
	Code    string
	Storage []entry
	Timers  wire.Timers
	Events  []wire.Event // newest first
	Runs    []wire.Receipt
	Usage   []usage
	Txs     []wire.Transaction
	Total   uint64
}

// measured is how many executions of an actor the usage table looks at.
const measured = 100

func (s *site) account(r *http.Request) (view, error) {
	addr, err := account.ParseAddress(r.PathValue("addr"))
	if err != nil {
		return view{}, errAddress
	}
	p := accountPage{Address: addr.String()}
	if a, err := s.source.Account(addr); err == nil {
		p.Account = &a
	}
	title := "Account "
	cursor, _ := hex.DecodeString(strings.TrimPrefix(r.URL.Query().Get("cursor"), "0x"))
	if a, err := s.source.Actor(addr, cursor, pageRows); err == nil {
		p.Actor, title = &a, "Actor "
		if err := s.actorParts(addr, &p); err != nil {
			return view{}, err
		}
	}
	if p.Account == nil && p.Actor == nil {
		return view{}, errNothing
	}
	if p.Txs, p.Total, err = s.source.AccountTransactions(addr, 0, pageRows/2); err != nil {
		return view{}, err
	}
	return view{Page: "account", Title: title + short(p.Address), Active: "blocks", Live: len(cursor) == 0, Data: p}, nil
}

func (s *site) actorParts(addr account.Address, p *accountPage) error {
	for key, value := range p.Actor.Storage {
		p.Storage = append(p.Storage, entry{key, value})
	}
	sort.Slice(p.Storage, func(i, j int) bool { return p.Storage[i].Key < p.Storage[j].Key })
	code, err := s.source.Code(addr)
	if err == nil {
		p.Code = code.Code
		p.Timers, err = s.source.ActorTimers(addr, 0, pageRows)
	}
	if err != nil {
		return err
	}
	events, err := s.source.Events(addr, "", pageRows/2)
	if err != nil {
		return err
	}
	for i := len(events.Events) - 1; i >= 0; i-- {
		p.Events = append(p.Events, events.Events[i])
	}
	logs, err := s.source.Logs(addr, 0, measured)
	if err != nil {
		return err
	}
	p.Usage = usages(logs.Logs)
	p.Runs = logs.Logs[:min(len(logs.Logs), pageRows/2)]
	return nil
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
	return list
}

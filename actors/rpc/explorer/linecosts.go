package explorer

import (
	"fmt"
	"net/http"
	"sort"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// costLine is a line of a source with what it used.
type costLine struct {
	Text   string
	Cycles uint64
	Share  string // of all cycles, where it used any
	Heat   int    // 0 to 9: its part of the dearest line
}

// costsPage is an actor's source with the cycles of its lines.
type costsPage struct {
	Address string
	Name    string
	Costs   wire.LineCosts
	Lines   []costLine
	Uncut   int
	Dearest []int // numbers of the dearest lines
	Rest    uint64
}

// dearest is how many lines are named above the source.
const dearest = 5

// lineCosts has the newest executions of an actor executed again, and shows its source with the cycles of each line.
func (s *site) lineCosts(r *http.Request) (view, error) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		return view{}, errAddress
	}
	code, err := s.source.Code(addr)
	if err != nil {
		return view{}, err
	}
	p := costsPage{Address: addr.String(), Name: s.programs.of(code).Name}
	if p.Costs, err = s.source.LineCosts(r.Context(), s.client(r.RemoteAddr), addr); err != nil {
		return view{}, err
	}
	lines, uncut := beginning(code.Code)
	p.Uncut, p.Lines = uncut, make([]costLine, len(lines))
	most := uint64(1)
	for _, l := range p.Costs.Lines {
		most = max(most, l.Cycles)
	}
	for i, text := range lines {
		p.Lines[i].Text = text
	}
	for _, l := range p.Costs.Lines {
		if l.Line < 1 || l.Line > len(p.Lines) {
			continue
		}
		one := &p.Lines[l.Line-1]
		one.Cycles, one.Heat = l.Cycles, int(l.Cycles*9/most)
		one.Share = fmt.Sprintf("%.1f %%", float64(l.Cycles)*100/float64(max(p.Costs.Cycles, 1)))
	}
	byCost := append([]wire.LineCost(nil), p.Costs.Lines...)
	sort.SliceStable(byCost, func(i, j int) bool { return byCost[i].Cycles > byCost[j].Cycles })
	for _, l := range byCost[:min(len(byCost), dearest)] {
		p.Dearest = append(p.Dearest, l.Line)
	}
	p.Rest = p.Costs.Cycles - min(p.Costs.Cycles, p.Costs.Source+p.Costs.Others)
	title := "Cycles by line, actor " + short(p.Address)
	if p.Name != "" {
		title = "Cycles by line, " + p.Name
	}
	return view{Page: "linecosts", Title: title, Active: "actors", Data: p}, nil
}

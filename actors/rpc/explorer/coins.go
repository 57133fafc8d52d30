package explorer

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// seriesBlocks is the newest blocks, one by one.
const seriesBlocks = "blocks"

// coinBlocks is how many of them are drawn.
const coinBlocks = 60

// coins is the page of what becomes of coins.
type coins struct {
	Spans  []span
	Chosen string
	Each   string
	Supply wire.Supply
	Stacks []stack
}

// stack is amounts of several labels against time, one upon the other.
type stack struct {
	Title       string
	W, H        int
	High        uint64 // of a step, all labels together
	Total       uint64
	First, Last string
	Layers      []layer
}

// layer is a label's amounts. Its path has a rectangle for each step.
type layer struct {
	Label string
	Total uint64
	Hue   int
	Area  template.HTMLAttr // d of a path
}

// coins draws what was minted and burned, and what went into pots and out of them.
func (s *site) coins(r *http.Request) (view, error) {
	chosen := cmp.Or(r.URL.Query().Get("over"), seriesBlocks)
	flows, err := s.flows(chosen)
	if err != nil {
		return view{}, err
	}
	p := coins{Spans: append([]span{{seriesBlocks, fmt.Sprintf("%d blocks", coinBlocks), "a block"}}, spans()...), Chosen: chosen}
	for _, one := range p.Spans {
		if one.Name == chosen {
			p.Each = one.Each
		}
	}
	if p.Supply, err = s.source.Supply(); err != nil {
		return view{}, err
	}
	for _, one := range []struct {
		title string
		of    func(*wire.Flow) map[string]uint64
	}{
		{"Burned", func(f *wire.Flow) map[string]uint64 { return f.Burned }},
		{"Minted", func(f *wire.Flow) map[string]uint64 { return f.Minted }},
		{"Paid to validators", func(f *wire.Flow) map[string]uint64 { return f.Paid }},
		{"Put into pots", func(f *wire.Flow) map[string]uint64 { return f.In }},
		{"Taken out of pots", func(f *wire.Flow) map[string]uint64 { return f.Out }},
	} {
		p.Stacks = append(p.Stacks, drawStack(one.title, &flows, one.of))
	}
	return view{Page: "coins", Title: "Coins", Active: "coins", Live: true, Data: p}, nil
}

func (s *site) flows(chosen string) (wire.Flows, error) {
	if chosen != seriesBlocks {
		return s.source.FlowSeries(chosen)
	}
	top := s.source.Height().Height
	return s.source.Flows(max(top, coinBlocks)-coinBlocks+1, top)
}

// drawStack draws the labels' amounts of each step from zero, the labels in the order of their names, so that a label has the same color in every step.
func drawStack(title string, f *wire.Flows, of func(*wire.Flow) map[string]uint64) stack {
	p := stack{Title: title, W: chartWidth, H: chartHeight}
	total := of(&f.Total)
	for label, amount := range total { // order-free: sorted below
		p.Layers = append(p.Layers, layer{Label: label, Total: amount})
		p.Total += amount
	}
	if len(p.Layers) == 0 {
		return p
	}
	slices.SortFunc(p.Layers, func(a, b layer) int { return cmp.Compare(a.Label, b.Label) })
	place, slots := steps(f)
	for i := range f.Entries {
		sum := uint64(0)
		for _, amount := range of(&f.Entries[i]) { // order-free: a sum
			sum += amount
		}
		p.High = max(p.High, sum)
	}
	p.First, p.Last = bounds(f, slots)
	step := float64(chartWidth) / float64(slots)
	base := make([]float64, len(f.Entries))
	for i := range p.Layers {
		l := &p.Layers[i]
		l.Hue = i * 5 % 12
		var area strings.Builder
		for k := range f.Entries {
			amount := of(&f.Entries[k])[l.Label]
			if amount == 0 {
				continue
			}
			high := float64(amount) * (chartHeight - 4) / float64(max(p.High, 1))
			x, y := float64(place(k))*step, chartHeight-base[k]
			fmt.Fprintf(&area, "M%.1f %.1fV%.1fH%.1fV%.1fZ", x, y, y-high, x+step, y)
			base[k] += high
		}
		l.Area = template.HTMLAttr(`d="` + area.String() + `"`)
	}
	return p
}

// steps says where each entry stands among how many steps, so that what has no blocks is a gap and a young chain grows from the right.
func steps(f *wire.Flows) (place func(i int) uint64, slots uint64) {
	newest := f.Entries[len(f.Entries)-1]
	if f.EachMs == 0 {
		slots = max(newest.Height-f.Entries[0].Height+1, 12)
		return func(i int) uint64 { return f.Entries[i].Height + slots - 1 - newest.Height }, slots
	}
	last := newest.Start / f.EachMs
	slots = min(f.Slots, max(last-f.Entries[0].Start/f.EachMs+1, 12))
	return func(i int) uint64 { return f.Entries[i].Start/f.EachMs + slots - 1 - last }, slots
}

// bounds names the first and the last step.
func bounds(f *wire.Flows, slots uint64) (first, last string) {
	newest := f.Entries[len(f.Entries)-1]
	if f.EachMs == 0 {
		return fmt.Sprintf("block %d", max(newest.Height+1, slots)-slots), fmt.Sprintf("block %d", newest.Height)
	}
	end := newest.Start/f.EachMs + 1
	return moment((end - slots) * f.EachMs), moment(end * f.EachMs)
}

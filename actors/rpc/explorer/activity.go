package explorer

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// span is a stretch of the past that can be looked at.
type span struct{ Name, Title, Each string }

// spans are those a node keeps.
func spans() []span {
	return []span{
		{wire.SeriesMinutes, "3 hours", "a minute"}, {wire.SeriesQuarters, "2 days", "a quarter of an hour"}, {wire.SeriesHours, "30 days", "three hours"},
	}
}

// past is the page of plots.
type past struct {
	Spans  []span
	Chosen string
	Plots  []plot
	Each   string
}

// plot is one number against time. A stretch without blocks is a gap.
type plot struct {
	Title, Unit string
	W, H        int
	High, Now   uint64
	First, Last string
	Empty       bool
	Area, Line  template.HTMLAttr // d of a path
	Total       uint64
	Sums        bool // whether Total means something
}

// activity draws what happened over hours and days.
func (s *site) activity(r *http.Request) (view, error) {
	chosen := r.URL.Query().Get("over")
	if chosen == "" {
		chosen = wire.SeriesMinutes
	}
	series, err := s.source.Series(chosen)
	if err != nil {
		return view{}, err
	}
	p := past{Spans: spans(), Chosen: chosen}
	for _, one := range p.Spans {
		if one.Name == chosen {
			p.Each = one.Each
		}
	}
	for _, one := range []struct {
		title, unit string
		sums        bool
		value       func(*wire.Activity) uint64
	}{
		{"Blocks", "blocks", true, func(a *wire.Activity) uint64 { return a.Blocks }},
		{"Transactions", "transactions", true, func(a *wire.Activity) uint64 { return a.Transactions }},
		{"Messages", "messages", true, func(a *wire.Activity) uint64 { return a.Messages }},
		{"Timers fired", "timers", true, func(a *wire.Activity) uint64 { return a.Timers }},
		{"Cycles", "cycles", true, func(a *wire.Activity) uint64 { return a.Cycles }},
		{"Cells", "cells", true, func(a *wire.Activity) uint64 { return a.Cells }},
		{"Failures", "executions", true, func(a *wire.Activity) uint64 { return a.Faults }},
		{"Cycle basefee", "base units", false, func(a *wire.Activity) uint64 { return a.CycleBasefee }},
		{"Cell basefee", "base units", false, func(a *wire.Activity) uint64 { return a.CellBasefee }},
	} {
		p.Plots = append(p.Plots, drawPlot(one.title, one.unit, &series, one.sums, one.value))
	}
	return view{Page: "activity", Title: "Activity", Active: "activity", Live: true, Data: p}, nil
}

// drawPlot draws a value of each stretch, from zero, each as a step of the same width: the width of all that are kept, so that a young chain's plot
// grows from the right.
func drawPlot(title, unit string, s *wire.Series, sums bool, value func(*wire.Activity) uint64) plot {
	p := plot{Title: title, Unit: unit, W: chartWidth, H: chartHeight, Empty: len(s.Entries) == 0 || s.Slots == 0, Sums: sums}
	if p.Empty {
		return p
	}
	newest := s.Entries[len(s.Entries)-1].Start / s.EachMs
	slots := min(s.Slots, max(newest-s.Entries[0].Start/s.EachMs+1, 12))
	for i := range s.Entries {
		p.High, p.Total = max(p.High, value(&s.Entries[i])), p.Total+value(&s.Entries[i])
	}
	p.Now = value(&s.Entries[len(s.Entries)-1])
	p.First, p.Last = moment((newest+1-slots)*s.EachMs), moment((newest+1)*s.EachMs)
	step := float64(chartWidth) / float64(slots)
	var line, area strings.Builder
	for i := range s.Entries {
		e := &s.Entries[i]
		place := e.Start/s.EachMs + slots - 1 - newest
		x, y := float64(place)*step, chartHeight-2-float64(value(e))*(chartHeight-8)/float64(max(p.High, 1))
		follows := i > 0 && s.Entries[i-1].Start+s.EachMs == e.Start
		if follows {
			fmt.Fprintf(&line, "V%.1fH%.1f", y, x+step)
		} else {
			fmt.Fprintf(&line, "M%.1f %.1fH%.1f", x, y, x+step)
		}
		fmt.Fprintf(&area, "M%.1f %dV%.1fH%.1fV%dZ", x, chartHeight, y, x+step, chartHeight)
	}
	p.Line, p.Area = template.HTMLAttr(`d="`+line.String()+`"`), template.HTMLAttr(`d="`+area.String()+`"`)
	return p
}

// moment gives a time of day, in universal time.
func moment(ms uint64) string { return time.UnixMilli(int64(ms)).UTC().Format("2 Jan 15:04") }

package main

import (
	"errors"
	"fmt"
	"strings"
)

// page is docs/figures.md: a head, the table this command writes, and what follows it.
type page struct {
	head, foot string
	lines      map[string]string // of the table, by their first column
}

const (
	tableHead = "| What | Here | Peer | Ratio | Measured |\n|---|---|---|---|---|\n"
	tableMark = "<!-- written by make figures -->\n"
	tableEnd  = "<!-- end -->\n"
)

var errNoTable = errors.New("the page has no table between the remarks of this command")

// parsePage takes a page apart.
func parsePage(text string) (page, error) {
	head, rest, found := strings.Cut(text, tableMark)
	if !found {
		return page{}, errNoTable
	}
	table, foot, found := strings.Cut(rest, tableEnd)
	if !found {
		return page{}, errNoTable
	}
	p := page{head, foot, map[string]string{}}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || strings.HasPrefix(cells[1], "-") {
			continue
		}
		if name := strings.TrimSpace(cells[1]); name != "What" {
			p.lines[name] = strings.TrimSpace(line)
		}
	}
	return p, nil
}

// String is the page with the rows in the order of the list. A row that was never measured is not shown.
func (p page) String() string {
	var b strings.Builder
	b.WriteString(p.head + tableMark + tableHead)
	for _, r := range rows {
		if line, ok := p.lines[r.what]; ok {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString(tableEnd + p.foot)
	return b.String()
}

// line shows a row's measurement. The ratio is how many times better than the peer it is here, and below 1 where the peer is better; that of a mean is
// time here over the peer's. It fails if the two have nothing in common.
func line(r row, m measurement, when string) (string, error) {
	var here, peer, ratio string
	if r.mean {
		mean, least, most, err := spread(m.here.named, m.peer.named, r.without)
		return fmt.Sprintf("| %s |  | %s | geometric mean of times %.2f, best %s, worst %s | %s |", r.what, r.against, mean, least, most, when), err
	}
	here = show(m.here.list, r.unit)
	if m.compared {
		peer = r.against + ": " + show(m.peer.list, r.unit)
		var all []string
		for i, x := range m.here.list {
			better := m.peer.list[i] / x
			if r.more {
				better = x / m.peer.list[i]
			}
			all = append(all, digits(better)+"×")
		}
		ratio = strings.Join(all, "; ")
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.what, here, peer, ratio, when), nil
}

// show gives numbers with their unit.
func show(list []float64, unit string) string {
	var all []string
	for _, x := range list {
		all = append(all, digits(x))
	}
	return strings.TrimSpace(strings.Join(all, "; ") + " " + unit)
}

// digits gives a number with three digits that count, and whole ones in groups of three.
func digits(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

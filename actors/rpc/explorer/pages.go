package explorer

import (
	"encoding/hex"
	"net/http"
	"sort"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// lane is one lane of the overview.
type lane struct {
	Name string
	wire.LaneFee
}

type overview struct {
	Health wire.Health
	Fee    wire.Basefee
	Lanes  []lane
	Charts []chart
	Blocks []summary
	Timers wire.Timers
}

func (s *site) overview(*http.Request) (view, error) {
	top := s.source.Height().Height
	blocks, err := s.blocks.newest(top, charted)
	if err != nil {
		return view{}, err
	}
	o := overview{Health: s.source.Health(), Fee: s.source.Basefee(), Blocks: blocks[:min(len(blocks), 12)]}
	for name, fee := range o.Fee.Lanes {
		o.Lanes = append(o.Lanes, lane{name, fee})
	}
	sort.Slice(o.Lanes, func(i, j int) bool { return o.Lanes[i].Name < o.Lanes[j].Name })
	if o.Timers, err = s.source.TimersAhead(0, 8); err != nil {
		return view{}, err
	}
	o.Charts = []chart{
		lineChart("Cycle basefee", "base units per cycle", blocks, func(b summary) uint64 { return b.Cycle }),
		lineChart("Cell basefee", "base units per cell", blocks, func(b summary) uint64 { return b.Cell }),
		barChart("Cycles used", "cycles", blocks, func(b summary) uint64 { return b.Cycles }),
		barChart("Executions", "transactions, timers and messages", blocks, func(b summary) uint64 { return uint64(b.Txs + b.Executions) }),
	}
	return view{Page: "overview", Title: "Overview", Active: "overview", Live: true, Data: o}, nil
}

type blockList struct {
	Blocks       []summary
	Newer, Older *uint64
}

func (s *site) blockList(r *http.Request) (view, error) {
	top := s.source.Height().Height
	from := top
	if text := r.URL.Query().Get("from"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return view{}, errHeight
		}
		from = min(n, top)
	}
	blocks, err := s.blocks.newest(from, pageRows)
	if err != nil {
		return view{}, err
	}
	list := blockList{Blocks: blocks}
	if from < top {
		n := min(from+pageRows, top)
		list.Newer = &n
	}
	if from >= pageRows {
		n := from - pageRows
		list.Older = &n
	}
	return view{Page: "blocks", Title: "Blocks", Active: "blocks", Live: list.Newer == nil, Data: list}, nil
}

type blockPage struct {
	Block        wire.Block
	Receipts     []wire.Receipt
	Shown        int
	Parent, Next *uint64
}

func (s *site) block(r *http.Request) (view, error) {
	id := r.PathValue("id")
	var b wire.Block
	var err error
	if height, bad := strconv.ParseUint(id, 10, 64); bad == nil {
		b, err = s.source.BlockAt(height)
	} else {
		var hash digest.Hash
		if hash, err = parseHash(id); err == nil {
			b, err = s.source.BlockByHash(hash)
		}
	}
	if err != nil {
		return view{}, err
	}
	p := blockPage{Block: b}
	if p.Receipts, err = s.source.BlockReceipts(b.Height); err != nil {
		return view{}, err
	}
	p.Shown = len(p.Receipts)
	if p.Shown > 2*pageRows {
		p.Receipts = p.Receipts[:2*pageRows]
	}
	if b.Height > 0 {
		n := b.Height - 1
		p.Parent = &n
	}
	if b.Height < s.source.Height().Height {
		n := b.Height + 1
		p.Next = &n
	}
	return view{Page: "block", Title: "Block " + strconv.FormatUint(b.Height, 10), Active: "blocks", Data: p}, nil
}

func parseHash(text string) (digest.Hash, error) {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(raw) != len(digest.Hash{}) {
		return digest.Hash{}, errHash
	}
	return digest.Hash(raw), nil
}

func (s *site) timers(r *http.Request) (view, error) {
	offset, _ := strconv.ParseUint(r.URL.Query().Get("offset"), 10, 32)
	page, err := s.source.TimersAhead(offset, pageRows)
	if err != nil {
		return view{}, err
	}
	return view{Page: "timers", Title: "Timers ahead", Active: "timers", Live: offset == 0, Data: struct {
		Timers wire.Timers
		Offset uint64
		Next   uint64
	}{page, offset, offset + uint64(len(page.Timers))}}, nil
}

func (s *site) parameters(*http.Request) (view, error) {
	list, err := s.source.Parameters()
	return view{Page: "parameters", Title: "Parameters", Active: "parameters", Data: list}, err
}

// parameter shows what a group of parameters was, change by change.
func (s *site) parameter(r *http.Request) (view, error) {
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
	changes, err := s.source.ParameterHistory(r.PathValue("key"), after, pageRows)
	return view{Page: "parameter", Title: "Changes of parameters", Active: "parameters", Data: changes}, err
}

// branch is one line of the drawn supervision tree.
type branch struct {
	supervision.Status
	Depth int
}

func (s *site) tree(*http.Request) (view, error) {
	var rows []branch
	var walk func(t supervision.Status, depth int)
	walk = func(t supervision.Status, depth int) {
		rows = append(rows, branch{t, depth})
		for _, c := range t.Children {
			walk(c, depth+1)
		}
	}
	walk(s.source.Tree(), 0)
	return view{Page: "tree", Title: "Supervision tree", Active: "tree", Live: true, Data: rows}, nil
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return text
}

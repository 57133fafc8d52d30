package explorer

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// drawn bounds the executions of a causal picture.
const drawn = 120

// causal is the tree of what a transaction led to, drawn against time: a column for each block something ran in, a row for each execution.
type causal struct {
	W, H    int
	Columns []column
	Nodes   []graphNode
	More    int // executions that are not drawn
}

// column is a block.
type column struct {
	X      int
	Height uint64
}

// graphNode is an execution and the line from what caused it.
type graphNode struct {
	X, Y   int
	Path   string // of the line; empty for the root
	Column int    // how late it appears, at most 9
	Class  string // kind, and bad where it failed
	Label  string
	Hash   string
}

// Measures of the picture, in its own units.
const (
	causalColumn = 112
	causalRow    = 22
	causalLeft   = 20
	causalTop    = 30
	causalLabel  = 170
)

// drawTrace lays out a trace. Blocks far from one another stand as near as neighbours. label says what an address is called.
func drawTrace(t *wire.Trace, label func(address string) string) *causal {
	c := &causal{More: max(len(t.Nodes)-drawn, 0)}
	nodes := t.Nodes[:len(t.Nodes)-c.More]
	at := map[uint64]int{}
	for i := range nodes {
		height := nodes[i].Receipt.BlockHeight
		if _, ok := at[height]; !ok {
			at[height] = len(c.Columns)
			c.Columns = append(c.Columns, column{causalLeft + len(c.Columns)*causalColumn, height})
		}
	}
	rows := make([]int, len(nodes))
	for row, i := range inTreeOrder(nodes) {
		rows[i] = row
		n, r := nodes[i], nodes[i].Receipt
		k := graphNode{
			X: c.Columns[at[r.BlockHeight]].X, Y: causalTop + row*causalRow, Column: min(at[r.BlockHeight], 9), Class: r.Kind, Hash: r.TransactionHash,
		}
		if !r.Success {
			k.Class += " bad"
		}
		if k.Label = cut(r.Handler, 24); k.Label == "" && r.Kind != "message" {
			k.Label = r.Kind
		}
		k.Label = strings.TrimSpace(k.Label + " " + label(r.Target))
		c.Nodes = append(c.Nodes, k)
		if n.Parent >= 0 && n.Parent < i {
			from := c.Nodes[rows[n.Parent]]
			c.Nodes[row].Path = curve(from.X, from.Y, k.X, k.Y)
		}
	}
	c.W, c.H = causalLeft+max(len(c.Columns)-1, 0)*causalColumn+causalLabel, causalTop+len(nodes)*causalRow
	return c
}

// curve goes from one graphNode to another: down first, since to the right stands the node's name. Within a block it swings out to the left.
func curve(x, y, toX, toY int) string {
	if toX == x {
		return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x, y, x-12, y, x-12, toY, toX, toY)
	}
	return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x, y, x, toY, (x+toX)/2, toY, toX, toY)
}

// inTreeOrder gives the places of the nodes, each before what it caused and its own before its siblings'.
func inTreeOrder(nodes []wire.TraceNode) []int {
	children := make([][]int, len(nodes))
	var roots []int
	for i := range nodes {
		if p := nodes[i].Parent; p >= 0 && p < i {
			children[p] = append(children[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	order := make([]int, 0, len(nodes))
	stack := roots[len(roots):]
	for i := len(roots) - 1; i >= 0; i-- {
		stack = append(stack, roots[i])
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, i)
		for k := len(children[i]) - 1; k >= 0; k-- {
			stack = append(stack, children[i][k])
		}
	}
	return order
}

// causal answers with the picture alone.
func (s *site) causal(w http.ResponseWriter, r *http.Request) {
	hash, err := parseHash(r.PathValue("hash"))
	var t wire.Trace
	if err == nil {
		t, err = s.source.Trace(r.Context(), s.client(r.RemoteAddr), hash)
	}
	if err != nil || len(t.Nodes) == 0 {
		http.Error(w, "there is no trace of it", http.StatusNotFound)
		return
	}
	var b bytes.Buffer
	if err := s.pages["transaction"].ExecuteTemplate(&b, "causal", drawTrace(&t, s.labels())); err != nil {
		http.Error(w, "the picture could not be drawn", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(bytes.TrimSpace(b.Bytes()))
}

package pvmtool

import (
	"fmt"
	"hash/fnv"
	"html"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// Sizes of the drawing, in pixels.
const (
	flameWidth = 1200
	rowHeight  = 18
	margin     = 10
	charWidth  = 7
	narrowest  = 0.3 // boxes below this width are left out
)

// box is a function in the tree that a flame graph draws.
type box struct {
	name     string
	cycles   int64 // with everything it called
	children []*box
}

// Flame draws stacks as a flame graph in SVG: the width of a box is the share of the cycles spent in the function and in
// what it called, callers below; the title of a box says how many.
func Flame(title string, stacks pvm.Stacks) string {
	root := &box{name: "all"}
	for _, s := range stacks {
		root.add(s.Frames, s.Cycles)
	}
	height := (root.depth()+1)*rowHeight + 3*margin + rowHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="monospace" font-size="12">`+"\n",
		flameWidth, height, flameWidth, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fffdf8"/>`+"\n"+`<text x="%d" y="%d" font-size="14">%s: %d cycles</text>`+"\n",
		margin, margin+rowHeight-4, html.EscapeString(title), root.cycles)
	if root.cycles > 0 {
		root.draw(&b, margin, float64(height-margin-rowHeight), float64(flameWidth-2*margin)/float64(root.cycles), root.cycles)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (n *box) add(frames []pvm.Frame, cycles int64) {
	n.cycles += cycles
	if len(frames) == 0 {
		return
	}
	name := frames[0].Label()
	for _, c := range n.children {
		if c.name == name {
			c.add(frames[1:], cycles)
			return
		}
	}
	c := &box{name: name}
	n.children = append(n.children, c)
	c.add(frames[1:], cycles)
}

func (n *box) depth() int {
	deepest := 0
	for _, c := range n.children {
		deepest = max(deepest, c.depth())
	}
	return deepest + 1
}

// draw writes a box and those above it; scale is pixels for a cycle.
func (n *box) draw(b *strings.Builder, x, y, scale float64, total int64) {
	width := float64(n.cycles) * scale
	if width < narrowest {
		return
	}
	name := html.EscapeString(n.name)
	fmt.Fprintf(b, `<g><title>%s: %d cycles, %.1f%%</title><rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s" stroke="#fffdf8"/>`,
		name, n.cycles, float64(n.cycles)*100/float64(total), x, y, width, rowHeight, colour(n.name))
	if room := int(width)/charWidth - 1; room >= 3 {
		shown := []rune(n.name)
		if len(shown) > room {
			shown = append(shown[:room-1], '…')
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`, x+3, y+rowHeight-5, html.EscapeString(string(shown)))
	}
	b.WriteString("</g>\n")
	for _, c := range n.children {
		c.draw(b, x, y-rowHeight, scale, total)
		x += float64(c.cycles) * scale
	}
}

// colour is a warm colour that depends on the name alone.
func colour(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	v := h.Sum32()
	return fmt.Sprintf("hsl(%d,%d%%,%d%%)", 15+v%40, 70+v>>8%20, 60+v>>16%15)
}

package explorer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Bounds of the differences on a page.
const (
	maxDiffer   = 4   // answers that are compared with the first
	differRows  = 24  // fields or lines of each
	differChars = 120 // of a field or line
	differDepth = 16  // of structures that are compared field by field; deeper ones are compared whole
	matched     = 300 // lines of a text that are matched with each other
)

// answer is what one runner or several revealed, to the byte.
type answer struct {
	Letter  string // A, B and so on; from the 27th on a number
	Outcome string
	Data    []byte
	Runners []string
}

// answersOf puts equal results together: first the answer that was verified, then those of most runners, then by the lowest address.
func answersOf(results []wire.JobResult, verified *wire.JobVerified) (list []answer) {
	for i := range results {
		r := &results[i]
		if r.Output == nil {
			continue
		}
		outcome := r.Output.Outcome.String()
		at := slices.IndexFunc(list, func(a answer) bool { return a.Outcome == outcome && bytes.Equal(a.Data, r.Output.Data) })
		if at < 0 {
			at, list = len(list), append(list, answer{Outcome: outcome, Data: r.Output.Data})
		}
		list[at].Runners = append(list[at].Runners, r.Runner)
	}
	counts := func(a *answer) bool {
		return verified != nil && a.Outcome == verified.Outcome && fmt.Sprintf("0x%x", a.Data) == verified.Data
	}
	slices.SortStableFunc(list, func(a, b answer) int {
		if x, y := counts(&a), counts(&b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(len(b.Runners), len(a.Runners)), cmp.Compare(a.Runners[0], b.Runners[0]))
	})
	for i := range list {
		if list[i].Letter = fmt.Sprint(i + 1); i < 26 {
			list[i].Letter = string(rune('A' + i))
		}
	}
	return list
}

// difference is where an answer differs from the first.
type difference struct {
	First, Other string // letters
	Runners      []string
	Fields       []fieldDifference
	Lines        []lineDifference
	Note         string
	More         int // rows that are not shown
}

// fieldDifference is a field that is not the same in two JSON values; "" where one has none.
type fieldDifference struct{ Path, First, Other string }

// lineDifference is a line that only one text has: Sign is − for the first, + for the other.
type lineDifference struct {
	Sign, Text string
	Added      bool
}

func differ(first, other *answer) difference {
	d := difference{First: first.Letter, Other: other.Letter, Runners: other.Runners[:min(len(other.Runners), maxDiffer)]}
	a, b := first.Data, other.Data
	switch x, y := valueOf(a), valueOf(b); {
	case first.Outcome != other.Outcome:
		d.Note = fmt.Sprintf("One says %s, the other %s.", first.Outcome, other.Outcome)
	case isStructure(x) && isStructure(y):
		compareValues(&d, "", 0, x, y)
		if len(d.Fields) == 0 {
			d.Note = "The same values, written differently."
		}
	case utf8.Valid(a) && utf8.Valid(b):
		compareLines(&d, strings.Split(string(a), "\n"), strings.Split(string(b), "\n"))
	default:
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		d.Note = fmt.Sprintf("%d bytes beside %d; the first that differs is the one at %d.", len(a), len(b), at)
	}
	return d
}

// valueOf reads JSON with its numbers as they are written; nil for anything else.
func valueOf(data []byte) (v any) {
	r := json.NewDecoder(bytes.NewReader(data))
	r.UseNumber()
	if r.Decode(&v) != nil || r.More() {
		return nil
	}
	return v
}

func isStructure(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// compareValues adds the fields of two JSON values that are not the same, by their path.
func compareValues(d *difference, path string, depth int, a, b any) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			for _, name := range fieldsOf(x, y) {
				p, inX := x[name]
				q, inY := y[name]
				compareFields(d, path+"."+cut(name, shownMember), depth+1, p, q, inX, inY)
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			for i := range max(len(x), len(y)) {
				var p, q any
				if i < len(x) {
					p = x[i]
				}
				if i < len(y) {
					q = y[i]
				}
				compareFields(d, fmt.Sprintf("%s[%d]", path, i), depth+1, p, q, i < len(x), i < len(y))
			}
			return
		}
	}
	compareFields(d, path, differDepth, a, b, true, true)
}

func compareFields(d *difference, path string, depth int, a, b any, inA, inB bool) {
	_, object := a.(map[string]any)
	_, objectB := b.(map[string]any)
	_, list := a.([]any)
	_, listB := b.([]any)
	if depth < differDepth && (object && objectB || list && listB) {
		compareValues(d, path, depth, a, b)
		return
	}
	x, y := written(a, inA), written(b, inB)
	if x == y {
		return
	}
	if len(d.Fields) == differRows {
		d.More++
		return
	}
	d.Fields = append(d.Fields, fieldDifference{shownText(strings.TrimPrefix(path, ".")), shownText(x), shownText(y)})
}

// fieldsOf are the names of two objects, ascending.
func fieldsOf(a, b map[string]any) []string {
	list := make([]string, 0, len(a)+len(b))
	for name := range a {
		list = append(list, name)
	}
	for name := range b {
		list = append(list, name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func written(v any, there bool) string {
	if !there {
		return ""
	}
	var b strings.Builder
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false) // the page escapes
	_ = w.Encode(v)        // of what was read as JSON
	return strings.TrimSuffix(b.String(), "\n")
}

// shownText is a stranger's text on one line, short enough for a row.
func shownText(text string) string {
	return cut(unitext.PlainLine(text[:min(len(text), 8*differChars)]), differChars)
}

// compareLines adds the lines that only one of two texts has: what stands between the lines both begin and end with is matched by the longest common
// subsequence, or is different altogether where it is long.
func compareLines(d *difference, a, b []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > matched || len(b) > matched {
		d.Note = fmt.Sprintf("%d lines beside %d, too many to be matched: the first of each.", len(a), len(b))
		half := differRows / 2
		d.More = max(len(a)-half, 0) + max(len(b)-half, 0)
		a, b = a[:min(len(a), half)], b[:min(len(b), half)]
	}
	common := make([][]int, len(a)+1) // lines that a[i:] and b[j:] have in common
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			d.line("−", a[i])
			i++
		default:
			d.line("+", b[j])
			j++
		}
	}
}

func (d *difference) line(sign, text string) {
	if len(d.Lines) == differRows {
		d.More++
		return
	}
	d.Lines = append(d.Lines, lineDifference{Sign: sign, Text: shownText(text), Added: sign == "+"})
}

package fairness

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
)

//go:embed statements.txt
var statementsText string

//go:embed structures.txt
var structuresText string

// before is what statements use.
const before = `
class A: pass
class P:
    y = 1
    def m(self): pass
    @property
    def p(self): pass
class I:
    def __init__(self): self.a = 1
class W:
    def __enter__(self): pass
    def __exit__(self, *a): pass
def g0(): pass
def g5(a, b, c, d, e): pass
def gs(*a): pass
def gk(**k): pass
def raise_(): raise ValueError
G = 1
`

// locals are the variables that statements use.
const locals = "a = b = c = 1; x = P(); t = (1, 2); l = [0]; d = {1: 1}; u = 'ab'; w = W()"

// repeated is how often a statement stands in its loop, so that the loop hardly counts.
const repeated = 50

// statement is one thing that a program does again and again.
type statement struct {
	name, setup, locals, body string
}

// statements returns each statement of statements.txt, which stands repeated times in its loop, and each program of structures.txt.
func statements() []statement {
	var out []statement
	for _, s := range strings.Split(statementsText, "\n\n")[1:] {
		s = strings.TrimSpace(s)
		out = append(out, statement{"statement " + strings.ReplaceAll(s, "\n", " "), before, locals, strings.Repeat(s+"\n", repeated)})
	}
	for _, p := range Split(structuresText) {
		setup, body, _ := strings.Cut("\n"+p.Source, "\n--\n")
		out = append(out, statement{p.Name, expand(setup), "pass", expand(body)})
	}
	return out
}

// program goes through the body as the head of a loop says.
func (s statement) program(loop string) Program {
	inner := strings.ReplaceAll(strings.TrimSpace(s.body), "\n", "\n        ")
	return Program{s.name, s.setup + "\ndef attack(p):\n    " + s.locals + "\n    " + loop + ":\n        " + inner + "\n"}
}

var repetition = regexp.MustCompile(`(?s)<(\d+)\|(.*?)\|(.*?)>`)

// expand writes out the items of <n|item|separator>, with their numbers for #.
func expand(s string) string {
	return repetition.ReplaceAllStringFunc(s, func(found string) string {
		part := repetition.FindStringSubmatch(found)
		n, _ := strconv.Atoi(part[1]) // digits
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(part[2], "#", strconv.Itoa(i))
		}
		return strings.Join(items, part[3])
	})
}

// Statements measures each statement and structure, in programs that go on until their cycles are used.
func (h *Hunt) Statements() {
	for _, s := range statements() {
		p := s.program("while True")
		if h.Only != nil && !h.Only.MatchString(p.Name) {
			continue
		}
		h.count("statements")
		if took, ending, ok := h.Reference.Measure(p, suspicious); ok {
			h.note(p.Name, Found{Family: "program", Name: p.Name, PerCycle: took.PerCycle(), Sample: took, Source: p.Source, Ending: ending})
		}
	}
}

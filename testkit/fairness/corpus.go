package fairness

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Kept is a case of the regression corpus.
type Kept struct {
	Name, Ending string
	Cycles       uint64 // at least so many are charged
	Call         Call   // of a native function; Source is empty then
	Source       string
}

// ReadKept reads a corpus. Each case begins with a line == "ENDING" CYCLES KIND NAME; KIND is the mode of a native call, whose expression
// is the next line, or "program", whose source follows.
func ReadKept(text string) ([]Kept, error) {
	var out []Kept
	for _, p := range Split(text) {
		var k Kept
		var kind string
		if _, err := fmt.Sscanf(p.Name, "%q %d %s", &k.Ending, &k.Cycles, &kind); err != nil {
			return nil, fmt.Errorf("fairness: %q: %w", p.Name, err)
		}
		_, k.Name, _ = strings.Cut(p.Name, " "+kind+" ")
		if kind == "program" {
			k.Source = p.Source
		} else {
			k.Call = Call{Name: k.Name, Expr: strings.TrimSpace(p.Source), Mode: kind}
		}
		out = append(out, k)
	}
	return out, nil
}

// Actor is an actor whose handler "attack" does the case again and again until its cycles are spent.
func (k Kept) Actor() string {
	switch {
	case k.Source == "":
		return preludeSource + fmt.Sprintf("\n\ndef attack(payload):\n    cases = [(%s)]\n    while True:\n        %s(cases, 0, 1)\n", k.Call.Expr, k.Call.Mode)
	case attacks.MatchString(k.Source):
		return k.Source + "\n\n_once = attack\n" + again
	}
	body := strings.ReplaceAll(strings.TrimSpace(k.Source), "\n", "\n    ")
	return "def _once(payload):\n    " + body + "\n    return None\n" + again
}

// attacks finds a program's function attack: what else a program does, it does once, when its module is run.
var attacks = regexp.MustCompile(`(?m)^def attack\(`)

// again is a handler that calls the function _once for ever.
const again = `

def attack(payload):
    while True:
        try:
            _once(payload)
        except BaseException:
            pass
`

// Append writes the case as ReadKept reads it.
func (k Kept) Append(w io.Writer) error {
	if k.Source != "" {
		_, err := fmt.Fprintf(w, "== %q %d program %s\n%s\n", k.Ending, k.Cycles, k.Name, strings.TrimRight(k.Source, "\n"))
		return err
	}
	_, err := fmt.Fprintf(w, "== %q %d %s %s\n%s\n", k.Ending, k.Cycles, k.Call.Mode, k.Name, k.Call.Expr)
	return err
}

// Replay runs the case once and says how it ended and what was charged.
func (k Kept) Replay() (ending string, cycles uint64, err error) {
	if k.Source != "" {
		s, how, ok := Program{k.Name, k.Source}.Run()
		if !ok {
			return "", 0, fmt.Errorf("fairness: %s does not compile", k.Name)
		}
		return how, s.Cycles, nil
	}
	b, err := NewBatch([]Call{k.Call})
	if err != nil {
		return "", 0, err
	}
	ending, cycles = b.Outcome(0)
	return ending, cycles, nil
}

// MeasureKept measures the case as the hunt does, however little a cycle of it costs. It is false if the case cannot be made.
func (r Reference) MeasureKept(k Kept) (s Sample, ending string, ok bool) {
	if k.Source == "" {
		return r.MeasureCall(k.Call, 0)
	}
	return r.Measure(Program{k.Name, k.Source}, 0)
}

// Keep writes the worst natives and programs as a corpus.
func (h *Hunt) Keep(w io.Writer) error {
	for _, f := range h.Worst() {
		k := Kept{Name: f.Name, Call: Call{Name: f.Name, Expr: f.Expr, Mode: f.Mode}, Source: f.Source}
		if f.Family == "turn" || f.Family == "use" {
			continue
		}
		var err error
		if k.Ending, k.Cycles, err = k.Replay(); err != nil {
			return err
		}
		if err := k.Append(w); err != nil {
			return err
		}
	}
	return nil
}

package fairness

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit/pyfuzz"
)

// Program is a source that is run from its beginning to its end, and its function attack, if it has one, with None.
type Program struct {
	Name, Source string
}

// programCycles is what a program may use.
const programCycles = 3_000_000

// Corpus reads the programs of the repository: the machine's scripts and the attacks of testkit/hostile.
func Corpus(root string) ([]Program, error) {
	var out []Program
	for _, pattern := range []string{"runtime/pvm/testdata/*.py", "runtime/pvm/testdata/bench/*.py"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if name := filepath.Base(path); name != "record.py" {
				out = append(out, Program{name, string(text)})
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "testkit/hostile/testdata/*.txt"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, part := range Split(string(text)) {
			name, _, _ := strings.Cut(part.Name, ":")
			out = append(out, Program{filepath.Base(path) + " " + name, part.Source})
		}
	}
	return out, nil
}

// Split takes a text of programs apart: a line "== name" begins one.
func Split(text string) []Program {
	var out []Program
	for _, part := range strings.Split("\n"+text, "\n== ")[1:] {
		name, source, _ := strings.Cut(part, "\n")
		out = append(out, Program{name, source})
	}
	return out
}

// Run runs a program once. It is false if the program does not compile.
func (p Program) Run() (Sample, string, bool) {
	code, ok := p.compile()
	if !ok {
		return Sample{}, "", false
	}
	s, how := run(code, new(object.Stack))
	return s, how, true
}

func (p Program) compile() (*pvm.Program, bool) {
	code, err := pvm.CompileFile("__main__", "main.py", []byte(p.Source))
	return code, err == nil
}

// run runs compiled code as the host runs an actor: no traceback is made of what ends it, and the stack is that of the machine before. Making the machine is
// not in it: what begins a turn pays for that.
func run(code *pvm.Program, stack *object.Stack) (Sample, string) {
	pause()
	meter := pvm.NewMeter(programCycles, 1<<60)
	m := pvm.New(pvm.Config{Meter: meter, Stdout: io.Discard, Library: fair}).Inner()
	m.UseStack(stack)
	defer m.Release()
	start := spent()
	e := attack(m, code)
	s := Sample{meter.Used(), spent() - start, 1}
	return s, ending(e)
}

// attack runs the top level of a program and its function attack.
func attack(m *object.Machine, code *pvm.Program) *object.Exception {
	defer m.Settle()
	mod := m.NewModule(code.Name())
	m.Modules[code.Name()] = mod
	e := interp.RunModule(m, object.NewImage(code.Unit(), mod))
	if e == nil {
		if f, ok := mod.Lookup("attack"); ok {
			_, e = m.Call(f, object.Positional(object.None))
		}
	}
	if e == nil {
		e = m.CheckCycles()
	}
	return e
}

// ending names what ended a program.
func ending(e *object.Exception) string {
	switch {
	case e == nil:
		return "done"
	case e.Fatal == object.OutOfCycles:
		return pvm.OutOfCycles.String()
	case e.Fatal == object.OutOfCells:
		return pvm.OutOfCells.String()
	case e.Fatal == object.HostFailure:
		return pvm.Host.String()
	}
	return e.Type().Name
}

// Measure measures the compiled program, as quarter does.
func (r Reference) Measure(p Program, enough float64) (found Sample, ending string, ok bool) {
	code, ok := p.compile()
	if !ok {
		return found, "", false
	}
	stack := new(object.Stack)
	return r.quarter(enough, func() (Sample, string, bool) {
		s, how := run(code, stack)
		return s, how, s.Cycles >= 2_000
	})
}

// Programs measures the corpus, then generated programs and mutations of the dearest until the time is over.
func (h *Hunt) Programs(root string, until time.Time) error {
	grammar, err := pyfuzz.LoadGrammar()
	if err != nil {
		return err
	}
	corpus, err := Corpus(root)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(h.Seed, 2))
	var breed []Found
	for i := 0; time.Now().Before(until); i++ {
		var p Program
		switch {
		case i < len(corpus):
			p = corpus[i]
		case len(breed) > 0 && r.IntN(3) > 0:
			from := breed[r.IntN(len(breed))]
			other := corpus[r.IntN(len(corpus))].Source
			p = Program{strings.TrimSuffix(from.Name, "'") + "'", mutate(r, from.Source, other)}
		default:
			seed := h.Seed<<32 + uint64(i)
			p = Program{fmt.Sprintf("seed %d", seed), grammar.Program(seed)}
		}
		h.count("programs")
		s, ending, ok := h.Reference.Measure(p, suspicious)
		if !ok {
			continue
		}
		f := Found{Family: "program", Name: p.Name, PerCycle: s.PerCycle(), Sample: s, Source: p.Source, Ending: ending}
		if i < len(corpus) {
			h.ends(f)
		}
		breed = join(breed, f)
		h.note(strings.TrimSuffix(p.Name, "'"), f)
	}
	return nil
}

// join adds a program to those that are mutated: the dearest, one of each name.
func join(breed []Found, f Found) []Found {
	const most = 40
	lowest := -1
	for i, b := range breed {
		if strings.TrimSuffix(b.Name, "'") == strings.TrimSuffix(f.Name, "'") {
			if f.PerCycle > b.PerCycle {
				breed[i] = f
			}
			return breed
		}
		if lowest < 0 || b.PerCycle < breed[lowest].PerCycle {
			lowest = i
		}
	}
	if len(breed) < most {
		return append(breed, f)
	}
	if f.PerCycle > breed[lowest].PerCycle {
		breed[lowest] = f
	}
	return breed
}

var (
	number  = regexp.MustCompile(`\b[0-9]+\b`)
	literal = regexp.MustCompile(`"[^"\\\n{}%]+"|'[^'\\\n{}%]+'`)
)

// mutate changes a program in one to three places.
func mutate(r *rand.Rand, source, other string) string {
	for range 1 + r.IntN(3) {
		switch r.IntN(5) {
		case 0: // a larger number
			source = change(r, source, number, func(s string) string {
				n, _ := strconv.Atoi(s)
				return strconv.Itoa(n*[...]int{3, 10, 100, 1000}[r.IntN(4)] + r.IntN(2))
			})
		case 1: // a longer text
			source = change(r, source, literal, func(s string) string { return fmt.Sprintf("(%s * %d)", s, 10<<r.IntN(12)) })
		case 2: // a statement often
			source = changeLine(r, source, func(indent, line string) []string {
				return []string{indent + "for _q in range(" + strconv.Itoa(5<<r.IntN(6)) + "):", indent + "    " + line}
			})
		case 3: // a statement less
			source = changeLine(r, source, func(indent, line string) []string { return []string{indent + "pass"} })
		case 4: // a statement of another program
			lines := strings.Split(other, "\n")
			added := strings.TrimSpace(lines[r.IntN(len(lines))])
			source = changeLine(r, source, func(indent, line string) []string {
				return []string{indent + line, indent + "try: " + added, indent + "except Exception: pass"}
			})
		}
	}
	return source
}

// change replaces one match of a pattern.
func change(r *rand.Rand, source string, pattern *regexp.Regexp, by func(string) string) string {
	all := pattern.FindAllStringIndex(source, -1)
	if len(all) == 0 {
		return source
	}
	at := all[r.IntN(len(all))]
	return source[:at[0]] + by(source[at[0]:at[1]]) + source[at[1]:]
}

// changeLine replaces one line that is a simple statement.
func changeLine(r *rand.Rand, source string, by func(indent, line string) []string) string {
	lines := strings.Split(source, "\n")
	for range 20 {
		i := r.IntN(len(lines))
		line := strings.TrimSpace(lines[i])
		if line == "" || strings.HasSuffix(line, ":") || strings.ContainsAny(line[len(line)-1:], "([{,\\") || strings.HasPrefix(line, "#") {
			continue
		}
		indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
		return strings.Join(append(append(append([]string(nil), lines[:i]...), by(indent, line)...), lines[i+1:]...), "\n")
	}
	return source
}

package fairness

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Call is one use of a native function: Expr gives the function, its positional and its keyword arguments; Mode is what is done
// with them: "run" calls, "drain" iterates over the result too, "tell" makes the text of the result or of the exception.
type Call struct {
	Name     string // function, arguments by name and their size
	Function string
	Expr     string
	Mode     string
}

//go:embed values.txt
var valuesText string

//go:embed operations.txt
var operationsText string

// operationLines reads operations.txt.
func operationLines() []string {
	var out []string
	for _, line := range strings.Split(operationsText, "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// operations are the operations as functions.
func operations() []string {
	lines := operationLines()
	for i, line := range lines {
		if !identifier.MatchString(line) {
			lines[i] = "(lambda a, b=0: " + line + ")"
		}
	}
	return lines
}

var (
	identifier = regexp.MustCompile(`^\w+$`)
	second     = regexp.MustCompile(`\bb\b`)
)

// value is a kind of argument.
type value struct{ name, expr string }

// sizes are the sizes asked for, in bytes.
var sizes = []int{3, 200, 4 << 10, 32 << 10, 256 << 10}

// size draws a size, the largest rarely, as making such arguments takes long.
func (n *Natives) size() int {
	if n.rand.IntN(16) == 0 {
		return sizes[len(sizes)-1]
	}
	return sizes[n.rand.IntN(len(sizes)-1)]
}

// values reads values.txt.
func values() []value {
	var out []value
	for _, line := range strings.Split(valuesText, "\n") {
		if name, expr, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			out = append(out, value{name, expr})
		}
	}
	return out
}

var placeholder = regexp.MustCompile(`\b[NKD]\b`)

// sized returns the value's expression at a size, and whether the size makes a difference.
func (v value) sized(size int) (string, bool) {
	varies := false
	expr := placeholder.ReplaceAllStringFunc(v.expr, func(p string) string {
		varies = true
		switch p {
		case "K":
			return strconv.Itoa(max(size/8, 1))
		case "D":
			return strconv.Itoa(min(max(size/200, 1), 180))
		}
		return strconv.Itoa(size)
	})
	return expr, varies
}

// functions asks the machine for everything that can be called: expressions, and for each value the methods it has.
func functions(vs []value) (exprs []string, methods map[string][]string, err error) {
	calls := make([]Call, len(vs))
	for i, v := range vs {
		expr, _ := v.sized(3)
		calls[i] = Call{Expr: "attributes, (" + expr + ",), {}"}
	}
	b, err := NewBatch(calls)
	if err != nil {
		return nil, nil, err
	}
	walk, _ := b.mod.Lookup("walk")
	v, fault := b.machine.Call(walk, object.Builtins().Value())
	if fault != nil {
		return nil, nil, fmt.Errorf("fairness: %w\n%s", fault, fault.Traceback)
	}
	s, _ := v.AsStr()
	methods = map[string][]string{}
	cases, _ := b.mod.Lookup("CASES")
	attributes, _ := b.mod.Lookup("attributes_of")
	for i, v := range vs {
		list, fault := b.machine.Call(attributes, cases, object.Int(int64(i)))
		if fault != nil {
			return nil, nil, fmt.Errorf("fairness: %s: %w\n%s", v.name, fault, fault.Traceback)
		}
		names, _ := list.AsStr()
		methods[v.name] = strings.Fields(names.String())
	}
	return append(strings.Fields(s.String()), operations()...), methods, nil
}

// Natives makes calls of native functions without end, from a seed.
type Natives struct {
	rand    *rand.Rand
	values  []value
	exprs   []string
	methods map[string][]string
	next    int // of the calls with one argument, which all are made once
	single  []int
}

// NewNatives finds the functions.
func NewNatives(seed uint64) (*Natives, error) {
	n := &Natives{rand: rand.New(rand.NewPCG(seed, 1)), values: values()}
	var err error
	if n.exprs, n.methods, err = functions(n.values); err != nil {
		return nil, err
	}
	n.single = n.rand.Perm(len(n.exprs) * len(n.values) * len(sizes))
	return n, nil
}

// Functions is how many functions there are, the methods of values apart.
func (n *Natives) Functions() int { return len(n.exprs) }

// Batch returns the next calls.
func (n *Natives) Batch(count int) []Call {
	out := make([]Call, count)
	for i := range out {
		if n.next < len(n.single) && n.rand.IntN(2) == 0 {
			k := n.single[n.next]
			n.next++
			v, size := n.values[k/len(sizes)%len(n.values)], sizes[k%len(sizes)]
			out[i] = n.call(n.exprs[k/len(sizes)/len(n.values)], "", []value{v}, []int{size})
			continue
		}
		out[i] = n.random()
	}
	return out
}

// extreme are the values that overflow arithmetic with sizes, and a few plain ones beside them.
var extreme = regexp.MustCompile(
	`^(zero|minus|huge|most|least|big|bigminus|infinite|hugespec|mostspec|precision|hugepercent|mostpercent|hugestruct|slice|none)$`)

// Extremes returns calls, of functions and of methods of small values, with arguments that ask for more than there can be.
func (n *Natives) Extremes(count int) []Call {
	var arguments []value
	for _, v := range n.values {
		if extreme.MatchString(v.name) {
			arguments = append(arguments, v)
		}
	}
	out := make([]Call, count)
	for i := range out {
		var args []value
		var at []int
		for range 1 + n.rand.IntN(3) {
			args, at = append(args, arguments[n.rand.IntN(len(arguments))]), append(at, sizes[0])
		}
		receiver := n.values[n.rand.IntN(len(n.values))]
		names := n.methods[receiver.name]
		switch {
		case n.rand.IntN(2) > 0 && len(names) > 0:
			out[i] = n.call(names[n.rand.IntN(len(names))], receiver.name, append([]value{receiver}, args...), append([]int{sizes[0]}, at...))
		default:
			if n.rand.IntN(2) > 0 {
				args[n.rand.IntN(len(args))] = receiver
			}
			out[i] = n.call(n.exprs[n.rand.IntN(len(n.exprs))], "", args, at)
		}
	}
	return out
}

// random makes a call of one to four arguments, of a function or of a value's method.
func (n *Natives) random() Call {
	var args []value
	var at []int
	for range 1 + n.rand.IntN(3) {
		if len(args) > 0 && n.rand.IntN(4) == 0 { // another one that is equal
			args, at = append(args, args[0]), append(at, at[0])
			continue
		}
		args = append(args, n.values[n.rand.IntN(len(n.values))])
		at = append(at, n.size())
	}
	if n.rand.IntN(3) == 0 {
		return n.call(n.exprs[n.rand.IntN(len(n.exprs))], "", args, at)
	}
	for {
		receiver := n.values[n.rand.IntN(len(n.values))]
		if names := n.methods[receiver.name]; len(names) > 0 {
			if n.rand.IntN(4) == 0 {
				args, at = args[:0], at[:0]
			}
			return n.call(names[n.rand.IntN(len(names))], receiver.name, append([]value{receiver}, args...), append([]int{n.size()}, at...))
		}
	}
}

// call writes a call of a function, or of the first argument's method if receiver is not empty.
func (n *Natives) call(f, receiver string, args []value, at []int) Call {
	var name, exprs []string
	for i, v := range args {
		expr, varies := v.sized(at[i])
		exprs = append(exprs, expr)
		if varies {
			name = append(name, fmt.Sprintf("%s/%d", v.name, at[i]))
		} else {
			name = append(name, v.name)
		}
	}
	c := Call{Mode: [...]string{"run", "run", "drain", "tell"}[n.rand.IntN(4)]}
	keywords := "{}"
	if n.rand.IntN(12) == 0 {
		word := [...]string{"x" + strings.Repeat("x", 200), "key", "sep", "default", "encoding", "errors", "base", "indent", "maxsplit", "start", "strict",
			"object_hook", "flags", "end", "cls"}[n.rand.IntN(15)]
		last := len(exprs) - 1
		keywords = fmt.Sprintf("{%q: %s}", word, exprs[last])
		name[last] = word[:min(len(word), 20)] + "=" + name[last]
		if exprs = exprs[:last]; receiver != "" && last == 0 {
			exprs, keywords = []string{args[0].expr}, "{}"
			exprs[0], _ = args[0].sized(at[0])
		}
	}
	if receiver != "" {
		c.Function = receiver + "." + f
		c.Name = fmt.Sprintf("%s.%s(%s)", name[0], f, strings.Join(name[1:], ", "))
		c.Expr = fmt.Sprintf("(%s).%s, (%s), %s", exprs[0], f, tuple(exprs[1:]), keywords)
	} else {
		c.Function = f
		c.Name = fmt.Sprintf("%s(%s)", strings.TrimPrefix(f, "(lambda a, b=0: "), strings.Join(name, ", "))
		c.Expr = fmt.Sprintf("%s, (%s), %s", f, tuple(exprs), keywords)
	}
	return c
}

// tuple writes the elements of a tuple.
func tuple(exprs []string) string {
	var b strings.Builder
	for _, e := range exprs {
		b.WriteString(e + ", ")
	}
	return strings.TrimSuffix(b.String(), " ")
}

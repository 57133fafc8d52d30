package object

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func messageMachine() *Machine {
	return NewMachine(Settings{Meter: NewMeter(1<<40, 0), MemoryLimit: 1 << 30, RecursionLimit: 10})
}

// TestMessageIsPutTogetherWhenRead: raising costs the same for ordinary operands, and a cycle for each 8 bytes that are kept of long ones; reading the
// text costs a cycle for each byte, once, and what is kept and shown of an operand is bounded.
//
// Spec: CIP-3 §2.2.1 (memory allocation is metered; a character of text is a cycle).
func TestMessageIsPutTogetherWhenRead(t *testing.T) {
	raise := func(name string) (m *Machine, e *Exception, cycles uint64) {
		m = messageMachine()
		e = m.AttributeError(Int(1), NewStatic("x"), "'%s' object has no attribute '%s'", "int", name)
		return m, e, m.meter.Used()
	}
	_, _, short := raise("ab")
	m, e, long := raise(strings.Repeat("ab", 100_000))
	if _, _, ordinary := raise(strings.Repeat("ab", 60)); short != ordinary {
		t.Errorf("raising with a short operand costs %d cycles, with an ordinary one %d", short, ordinary)
	}
	// 64 bytes, 32 for each operand, "int", and 1,500 bytes with three dots: 1,634.
	if long != short+1_634/8 {
		t.Errorf("raising with a short operand costs %d cycles, with a long one %d", short, long)
	}
	if kept := e.message.size; kept > 2*(operandMax+operandSize)+messageSize {
		t.Errorf("the message keeps %d bytes", kept)
	}
	text := "'int' object has no attribute '" + strings.Repeat("ab", operandMax/2) + "...'"
	before := m.meter.Used()
	args := m.Arguments(e)
	if got, _ := args[0].AsStr(); len(args) != 1 || got.String() != text {
		t.Errorf("the text is %q", got)
	}
	if got := m.meter.Used() - before; got != uint64(len(text)) {
		t.Errorf("reading %d bytes costs %d cycles", len(text), got)
	}
	before = m.meter.Used()
	if again := m.Arguments(e); again[0] != args[0] || m.meter.Used() != before {
		t.Error("reading the text again makes another one or costs cycles")
	}
}

// TestMessageOperands: an operand of exactly the bound is shown whole, a longer one is cut between characters, and every
// verb writes what fmt would.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11: messages of exceptions).
func TestMessageOperands(t *testing.T) {
	whole, more := strings.Repeat("x", operandMax), strings.Repeat("x", operandMax-1)+"é"
	for i, c := range []struct {
		format string
		a      []any
		want   string
	}{
		{"100%", nil, "100%"},
		{"%s", []any{whole}, whole},
		{"%s", []any{more}, more[:operandMax-1] + "..."},
		{"%d of %d%%: %c is %x", []any{-3, int64(1) << 40, 'é', uint8(255)}, "-3 of 1099511627776%: é is ff"},
		{"%s!", []any{Pieces{"a", ".", "b"}}, "a.b!"},
		{"%s", []any{Pieces{whole, "b"}}, whole + "..."},
		{"%s", []any{NewStatic("name")}, "name"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			e := messageMachine().TypeError(c.format, c.a...)
			if got, _ := e.Text(); got != c.want {
				t.Errorf("%q: %q, want %q", c.format, got, c.want)
			}
		})
	}
}

// TestMessagesAreConstantFormats reads the calls that raise exceptions: the format is a constant with the verbs that a
// message knows, and no operand is put together for it, so that no text is made that nobody reads.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestMessagesAreConstantFormats(t *testing.T) {
	at := map[string]int{ // of the format among the arguments
		"Raise": 1, "TypeError": 0, "ValueError": 0, "IndexError": 0, "OverflowError": 0, "RuntimeError": 0,
		"DeterminismError": 0, "AttributeError": 2, "NameError": 2,
	}
	calls := 0
	for _, root := range []string{".", "../interp", "../stdlib", "..", "../../host"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() && path != root && root == ".." {
				if d != nil && d.IsDir() {
					return filepath.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				f, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				i, ok := at[f.Sel.Name]
				if !ok || len(call.Args) <= i || call.Ellipsis != token.NoPos {
					return true
				}
				calls++
				if literal, ok := call.Args[i].(*ast.BasicLit); ok {
					checkVerbs(t, files.Position(call.Pos()).String(), literal.Value)
				}
				for _, operand := range call.Args[i:] {
					ast.Inspect(operand, func(n ast.Node) bool {
						switch n := n.(type) {
						case *ast.BinaryExpr:
							if n.Op == token.ADD && isText(n.X) != isText(n.Y) {
								t.Errorf("%s: an operand is put together", files.Position(n.Pos()))
							}
						case *ast.SelectorExpr:
							if x, ok := n.X.(*ast.Ident); ok && (x.Name == "fmt" || x.Name == "strings" && n.Sel.Name != "TrimPrefix") {
								t.Errorf("%s: %s.%s makes a text that perhaps nobody reads", files.Position(n.Pos()), x.Name, n.Sel.Name)
							}
						}
						return true
					})
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if calls < 500 {
		t.Errorf("only %d calls were read", calls)
	}
}

func isText(x ast.Expr) bool {
	literal, ok := x.(*ast.BasicLit)
	return ok && literal.Kind == token.STRING
}

func checkVerbs(t *testing.T, at, format string) {
	for rest := format; ; {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			return
		}
		if !strings.ContainsRune("sdcx%", rune(rest[i+1])) {
			t.Errorf("%s: a message knows no %%%c", at, rest[i+1])
		}
		rest = rest[i+2:]
	}
}

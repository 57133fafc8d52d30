package bindings

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/outline"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

func sample(t *testing.T) *outline.Document {
	t.Helper()
	source, err := os.ReadFile("testdata/sample.py")
	if err != nil {
		t.Fatal(err)
	}
	d, err := outline.Of(source)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGolden: the files are read when they change. The one in Go is a package that is compiled, and that testkit/script calls an actor with; those in
// Python and TypeScript went through pyright and tsc as `make types` does, and an actor was called with the one in Python.
func TestGolden(t *testing.T) {
	for _, name := range Languages() {
		t.Run(name, func(t *testing.T) {
			_, text, err := Generate(Language(name), sample(t), "sample")
			if err != nil {
				t.Fatal(err)
			}
			path := "testdata/sample_client" + filepath.Ext(map[string]string{"python": "x.py", "typescript": "x.ts"}[name])
			if name == string(Go) {
				path = "sample/sample.go" // a package, which is compiled
			}
			golden.File(t, path, text)
		})
	}
}

// A document is a stranger's: whatever stands in it, the clients are programs, with nothing in them but what a client has.
func FuzzGenerate(f *testing.F) {
	f.Add("Sample", "doc", "add", "adds", "int", "int")
	f.Add("*/", "*/ \"\"\" \\", "class", "\"\"\"\\", "x\n", "'str'")
	f.Add("\u202eA", "\x00\r\n\u2028", "\xff\xfe \"\n\\", "*\u200b/", "bytes", "None")
	f.Add("Node", "", "__init__", "", "", "")
	f.Add("1", "//go:embed x", "123", "# type: ignore", "Any", "Any")
	f.Fuzz(func(t *testing.T, name, doc, handler, does, takes, gives string) {
		h := &outline.Handler{
			Name: handler, Doc: does, Payload: true, Returns: gives, Access: outline.Anyone,
			Parameters: []*outline.Parameter{{Name: "payload", Type: takes}},
		}
		d := &outline.Document{Name: name, Doc: doc, Handlers: []*outline.Handler{h, h, {Name: handler + "_", Payload: true}}}
		_, text, err := Generate(Go, d, name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
		if err != nil || len(file.Decls) != 1+3+2+6 || len(file.Imports) > 3 {
			t.Fatalf("%v: %d declarations, %d imports\n%s", err, len(file.Decls), len(file.Imports), text)
		}
		if _, text, err = Generate(Python, d, name); err != nil {
			t.Fatal(err)
		}
		tree, err := syntax.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		_, empty, err := Generate(Python, &outline.Document{Handlers: []*outline.Handler{{Name: "x", Payload: true}}}, "x")
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := syntax.Parse(empty); err != nil || len(plain.Body) != len(tree.Body) {
			t.Fatalf("%v: %d statements, and %d of a harmless document\n%s", err, len(tree.Body), len(plain.Body), text)
		}
		if _, text, err = Generate(TypeScript, d, name); err != nil {
			t.Fatal(err)
		}
		if opened, closed := strings.Count(string(text), "/**"), strings.Count(string(text), "*/"); closed > opened+strings.Count(handler, "*/")*4 {
			t.Fatalf("%d comments are opened, %d closed\n%s", opened, closed, text)
		}
	})
}

func TestRefusals(t *testing.T) {
	if _, _, err := Generate("cobol", sample(t), "x"); !errors.Is(err, ErrLanguage) {
		t.Error(err)
	}
	inner := &outline.Document{Handlers: []*outline.Handler{{Name: "tick", Payload: true, Access: outline.Itself}, {Name: "two"}}}
	if _, _, err := Generate(Go, inner, "x"); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}

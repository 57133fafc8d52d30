package mutants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// module is a small module with functions of every shape: methods, type parameters, parameters without names, named results, several arguments.
var module = map[string]string{
	"go.mod": "module example.org/m\n\ngo 1.24\n",
	"p/p.go": `package p

type Box[T any] struct{ list []T }

func (b *Box[T]) Put(v T, more ...T) { b.list = append(append(b.list, v), more...) }

func (b *Box[T]) Full() bool { return len(b.list) >= 3 }

func (Box[T]) Blind(_ int, n int) (twice int) {
	twice = 2 * n
	return
}

func First[T any](list []T, otherwise T) T {
	if len(list) > 0 {
		return list[0]
	}
	return otherwise
}

func Untested(int) bool { return 1 < 2 }

func Sum(list ...int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}

func Halted(n int) int {
	for n > 0 {
		n--
	}
	return n
}

func Text() string { return "a" + "b" }
`,
	"p/p_test.go": `package p

import "testing"

func TestBox(t *testing.T) {
	b := &Box[int]{}
	if b.Put(1, 2); b.Full() {
		t.Error("full with two")
	}
	if b.Put(3); !b.Full() || b.Blind(1, 4) != 8 {
		t.Error("not full")
	}
}

func TestFirst(t *testing.T) {
	if First([]int{7}, 0) != 7 {
		t.Error("not the first")
	}
}

func TestHalted(t *testing.T) {
	if testing.AllocsPerRun(1, func() { Halted(3) }) != 0 || Text() != "ab" {
		t.Error()
	}
}
`,
	"q/q.go": "package q\n",
	"q/q_test.go": `package q

import (
	"testing"

	"example.org/m/p"
)

func TestSum(t *testing.T) {
	if p.Sum(1, 2) != 3 {
		t.Error()
	}
}
`,
}

// TestTry compiles a module with all its mutants at once, and tries each: one is killed by the package's own test or by another's, one survives since no test
// looks or none goes near, one does not compile.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "mutants", "m") // so that the go command shortens the paths of what is compiled for it, which lie in dir/mutants…
	t.Setenv("TMPDIR", dir)
	for name, text := range module {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Find(root, []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRunner(t.Context(), root, []string{"example.org/m/p", "example.org/m/q"}, list)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.patience = 5 * time.Second
	want := map[string]string{
		`Box.Full operator ">=" -> ">" #0`: "killed by p",
		`Box.Full number "3" -> "4" #0`:    "killed by p",
		`Box.Blind operator "*" -> "/" #0`: "killed by p",
		`Box.Blind number "2" -> "3" #0`:   "killed by p",
		`First operator ">" -> ">=" #0`:    "survived", // no test gives an empty list
		`First number "0" -> "1" #0`:       "killed by p",
		`First number "0" -> "1" #1`:       "killed by p",
		`Untested operator "<" -> "<=" #0`: "survived", // nobody calls it
		`Untested number "1" -> "2" #0`:    "survived",
		`Untested number "2" -> "3" #0`:    "survived",
		`Sum operator "+=" -> "-=" #0`:     "killed by q",
		`Halted operator ">" -> ">=" #0`:   "survived",
		`Halted number "0" -> "1" #0`:      "survived",    // no test looks at the result
		`Halted operator "--" -> "++" #0`:  "killed by p", // by its time limit
		`Text operator "+" -> "-" #0`:      "does not compile",
	}
	for i, m := range list {
		verdict, by, err := r.Try(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		got := map[Verdict]string{Killed: "killed by ", Survived: "survived", Unviable: "does not compile"}[verdict] + by[strings.LastIndex(by, "/")+1:]
		id := strings.TrimPrefix(m.ID(), "p/p.go ")
		if want[id] != got {
			t.Errorf("%s: %s, want %s", id, got, want[id])
		}
		delete(want, id)
	}
	for id := range want {
		t.Run(id, func(t *testing.T) {
			t.Errorf("%s was not found", id)
		})
	}
	if len(r.Skipped()) != 0 {
		t.Errorf("skipped %v", r.Skipped())
	}
}

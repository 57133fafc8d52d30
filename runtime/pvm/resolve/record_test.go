package resolve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// TestRecordedScopes compares scopes with CPython's for every file of a
// recording made by testdata/record_scopes.py. The one in testdata is always
// checked; COWBOY_RESOLVE_SCOPES may name a larger one (the standard library).
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestRecordedScopes(t *testing.T) {
	for _, path := range []string{"testdata/scopes.jsonl", os.Getenv("COWBOY_RESOLVE_SCOPES")} {
		if path != "" {
			recordedScopes(t, path)
		}
	}
}

// recording is what CPython says of one file.
type recording struct {
	Path, Source string
	Scopes       [][2]json.RawMessage
	Codes        [][6]any
}

func recordedScopes(t *testing.T, path string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<28)
	files := 0
	for lines.Scan() {
		var r recording
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if err := compareScopes(&r); err != nil {
			t.Errorf("%s: %v", r.Path, err)
		}
		files++
	}
	t.Logf("%s: %d files", path, files)
}

func compareScopes(r *recording) error {
	m, err := syntax.Parse([]byte(r.Source))
	if err != nil {
		return err
	}
	table, root, err := analyze(m)
	if err != nil {
		return err
	}
	owners := map[*symbol]bool{}
	var blocks []*block
	walkBlocks(root, func(b *block) {
		blocks = append(blocks, b)
		for _, s := range b.symbols {
			owners[s.owner] = true
		}
	})
	if len(blocks) != len(r.Scopes) {
		return fmt.Errorf("%d blocks, want %d", len(blocks), len(r.Scopes))
	}
	for i, b := range blocks {
		if err := compareBlock(b, r.Scopes[i], owners); err != nil {
			return err
		}
	}
	return compareCodes(table, r)
}

func walkBlocks(b *block, visit func(*block)) {
	visit(b)
	for _, child := range b.children {
		walkBlocks(child, visit)
	}
}

// compareBlock compares the symbols of one block. CPython's numbers: 1 local, 2
// global by statement, 3 global, 4 free, 5 cell.
func compareBlock(b *block, want [2]json.RawMessage, owners map[*symbol]bool) error {
	var symbols map[string]int
	if err := json.Unmarshal(want[1], &symbols); err != nil {
		return err
	}
	for name, scope := range symbols {
		if scope == 2 && b.parent == nil {
			continue // a global statement in a function marks the module's symbol
		}
		s := b.index[name]
		if s == nil {
			if scope != 4 && name != ".0" {
				return fmt.Errorf("%s: no symbol %q", b.scope.Qualname, name)
			}
			continue
		}
		got := map[reach]int{reachGlobal: 3, reachExplicit: 2, reachLocal: 1, reachOuter: 4}[s.reach]
		if got == 1 && owners[s] {
			got = 5
		}
		if got != scope {
			return fmt.Errorf("%s: %q is %d, want %d", b.scope.Qualname, name, got, scope)
		}
	}
	for _, s := range b.symbols {
		if _, ok := symbols[s.name]; !ok && s.flags != 0 {
			return fmt.Errorf("%s: surplus symbol %q", b.scope.Qualname, s.name)
		}
	}
	return nil
}

// compareCodes compares frames with code objects, in any order. Inlined
// comprehensions have no frame.
func compareCodes(table *Table, r *recording) error {
	var got, want []string
	for _, s := range table.Scopes {
		if s.Inlined() {
			continue
		}
		flags := 0
		for _, f := range []struct {
			set  bool
			mask int
		}{{s.VarArg, 4}, {s.KwArg, 8}, {s.Generator && !s.Coroutine, 0x20}, {s.Coroutine && !s.Generator, 0x80},
			{s.AsyncGenerator(), 0x200}} {
			if f.set {
				flags |= f.mask
			}
		}
		frees := []string{}
		for _, f := range s.Frees {
			frees = append(frees, f.Name)
		}
		sort.Strings(frees)
		got = append(got, fmt.Sprint(s.Qualname, flags, s.PosOnly, s.Pos, s.KwOnly, frees))
	}
	for _, c := range r.Codes {
		name := c[0].(string)
		if strings.HasSuffix(name, "comp>") {
			continue
		}
		pos := c[3]
		if strings.HasSuffix(name, "<genexpr>") {
			c[2] = pos
		}
		want = append(want, fmt.Sprint(name, c[1], c[2], pos, c[4], c[5]))
	}
	sort.Strings(got)
	sort.Strings(want)
	i := 0
	for _, w := range want { // got may have more: CPython drops code that cannot run
		for i < len(got) && got[i] < w {
			i++
		}
		if i == len(got) || got[i] != w {
			return fmt.Errorf("no frame %v", w)
		}
		i++
	}
	return nil
}

package hostile

import (
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestPrograms runs every program of testdata. Spec: WP §3.2, §3.3, §15; CIP-3 §2.2; sdk §18.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r := newRanch(t)
			for _, p := range programs(t, file) {
				t.Run(p.name, func(t *testing.T) {
					if r.broken {
						r = newRanch(t)
					}
					r.t = t
					r.run(p)
				})
			}
		})
	}
}

func (r *ranch) run(p program) {
	r.t.Helper()
	defer func() {
		if x := recover(); x != nil {
			r.broken = true
			r.t.Errorf("the machine panics: %v\n%s", x, debug.Stack())
		}
	}()
	x := r.attacker.TryDeploy(p.source, nil)
	deployed := x != nil && x.Status == block.Success
	if deployed {
		x = r.attack(*x.Created, "attack", "")
	}
	if got := outcome(deployed, x); got != p.want {
		r.t.Errorf("%s, want %s: %s", got, p.want, testkit.Describe(x))
	}
	r.goesOn()
}

// TestPublished holds the collection of published escapes to its form: every program says whose idea it is, and none of
// them gets what it is after, an object of the interpreter or of the machine around it.
func TestPublished(t *testing.T) {
	list := programs(t, "testdata/published.txt")
	if len(list) < 150 {
		t.Errorf("only %d programs", len(list))
	}
	for _, p := range list {
		source, _, _ := strings.Cut(p.source, "\n")
		if !strings.HasPrefix(source, "# ") || len(source) < 8 {
			t.Errorf("%s: no source but %q", p.name, source)
		}
		for _, prize := range []string{"<module", "<frame", "root:", "/home", "built-in function open", "poisoned"} {
			if strings.Contains(p.want, prize) {
				t.Errorf("%s is expected to return %s", p.name, prize)
			}
		}
	}
}

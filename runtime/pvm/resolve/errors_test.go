package resolve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// TestRecordedErrors compares the error of every rejected source of a recording
// (made by ../syntax/testdata/record_errors.py) with CPython's: type, message,
// and the range of lines and columns. Where CPython knows none (null bytes), ours does all the same.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestRecordedErrors(t *testing.T) {
	for _, path := range []string{"testdata/errors.jsonl", "testdata/mutants.jsonl", os.Getenv("COWBOY_RESOLVE_ERRORS")} {
		if path != "" {
			recordedErrors(t, path)
		}
	}
}

func recordedErrors(t *testing.T, path string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	rows, bad := 0, 0
	for lines.Scan() {
		var row []any
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		source := row[0].(string)
		got, want := verdict(source), "accepted"
		if len(row) > 1 {
			if row[3] == nil && strings.Contains(row[2].(string), "null bytes") {
				line := 1 + strings.Count(source[:strings.Index(source, "\x00")], "\n")
				column := strings.Index(source, "\x00") - strings.LastIndex(source[:strings.Index(source, "\x00")], "\n")
				row[3], row[4], row[5], row[6] = line, column, line, column+1
			}
			for i := range row {
				if row[i] == nil {
					row[i] = 0
				}
			}
			want = fmt.Sprintf("%s: %s (%v, %v)-(%v, %v)", row[1], row[2], row[3], row[4], row[5], row[6])
		}
		rows++
		if got != want {
			bad++
			t.Errorf("%q:\n got %s\nwant %s", source, got, want)
		}
	}
	t.Logf("%s: %d sources, %d differ", path, rows, bad)
}

// verdict says what becomes of a source, in the form of the recording.
func verdict(source string) string {
	m, err := syntax.Parse([]byte(source))
	if err == nil {
		_, err = Resolve(m)
	}
	if err == nil {
		return "accepted"
	}
	e := err.(*syntax.SyntaxError)
	return fmt.Sprintf("%s: %s (%d, %d)-(%d, %d)", e.Kind, e.Msg, e.Line, e.Col, e.EndLine, e.EndCol)
}

// TestScopesAreBounded: a module has at most MaxScopes scopes, its own among them.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestScopesAreBounded(t *testing.T) {
	for i, c := range []struct {
		lambdas int
		refused bool
	}{{MaxScopes - 1, false}, {MaxScopes, true}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			tree, err := syntax.Parse([]byte(strings.Repeat("lambda:0\n", c.lambdas)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Resolve(tree)
			if refused := err != nil && strings.HasSuffix(err.Error(), "too many functions, classes and comprehensions"); refused != c.refused {
				t.Errorf("%d: %v", c.lambdas, err)
			}
		})
	}
}

package pyio_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// run executes a program on a machine of its own and gives what it printed.
func run(t testing.TB, source string, config pvm.Config) (string, *pvm.Fault) {
	t.Helper()
	program, err := pvm.CompileFile("__main__", "program.py", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	config.Stdout = &out
	_, fault := pvm.New(config).Load(program)
	return out.String(), fault
}

// Every program under testdata prints what CPython 3.11 printed when testdata/record.py ran it over an empty directory in the place of /tmp.
//
// Spec: WP §3.1 (file I/O limited to /tmp).
func TestProgramsPrintWhatCPythonPrints(t *testing.T) {
	programs, err := filepath.Glob("testdata/*.out")
	if err != nil || len(programs) != 5 {
		t.Fatal(programs, err)
	}
	for _, path := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".out"), func(t *testing.T) {
			source, err := os.ReadFile(strings.TrimSuffix(path, ".out") + ".py")
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, fault := run(t, string(source), pvm.Config{})
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range max(len(g), len(w)) {
				var a, b string
				if i < len(g) {
					a = g[i]
				}
				if i < len(w) {
					b = w[i]
				}
				if a != b {
					t.Errorf("line %d\n got %s\nwant %s", i+1, a, b)
				}
			}
			if fault != nil {
				t.Errorf("%v\n%s", fault, fault.Traceback)
			}
		})
	}
}

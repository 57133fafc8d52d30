package stdlib_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib"
)

// natives are all modules of the library, whatever the machine links by itself.
func natives() map[string]pvm.NativeModule {
	out := map[string]pvm.NativeModule{}
	for _, name := range stdlib.Names() {
		build, _ := stdlib.Module(name)
		out[name] = build
	}
	return out
}

// run executes a program and returns what it printed.
func run(t testing.TB, name string, source []byte, meter *pvm.Meter) (string, *pvm.Fault) {
	t.Helper()
	program, err := pvm.CompileFile("__main__", name, source)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	m := pvm.New(pvm.Config{Natives: natives(), Stdout: &out, Meter: meter})
	_, fault := m.Load(program)
	return out.String(), fault
}

// Every program under testdata prints what CPython 3.11 printed when
// testdata/record.sh ran it.
//
// Spec: sdk §17.3.
func TestProgramsPrintWhatCPythonPrints(t *testing.T) {
	programs, err := filepath.Glob("testdata/*.py")
	if err != nil || len(programs) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(path, ".py") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			got, fault := run(t, path, source, nil)
			compareLines(t, got, string(want))
			if fault != nil {
				t.Errorf("%v\n%s", fault, fault.Traceback)
			}
		})
	}
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	wrong := 0
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			if wrong++; wrong > 12 {
				t.Fatal("more lines differ")
			}
			t.Errorf("line %d:\n got %s\nwant %s", i+1, a, b)
		}
	}
}

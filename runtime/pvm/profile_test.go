package pvm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// TestProfileChangesNothing: a profiled run prints the same, costs the same and peaks at the same as one that is not,
// and the profile accounts for the cycles of every frame.
//
// Spec: CIP-3 §2.2.
func TestProfileChangesNothing(t *testing.T) {
	files, err := filepath.Glob("testdata/*.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		if name == "record" || testing.Short() && name == "big_data" {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := pvm.CompileFile("__main__", name+".py", source)
		if err != nil {
			t.Fatal(err)
		}
		run := func(profile *pvm.Profile) (string, uint64, int64) {
			var out bytes.Buffer
			meter := pvm.NewMeter(1<<40, 0)
			m := pvm.New(pvm.Config{Meter: meter, Stdout: &out, Profile: profile})
			if _, fault := m.Load(p); fault != nil {
				t.Fatal(name, fault, fault.Traceback)
			}
			return out.String(), meter.Used(), m.Inner().Peak()
		}
		out, used, peak := run(nil)
		profile := pvm.NewProfile()
		out2, used2, peak2 := run(profile)
		if out != out2 || used != used2 || peak != peak2 {
			t.Errorf("%s: %d cycles, %d bytes; profiled %d, %d", name, used, peak, used2, peak2)
		}
		var lines, self, stacks int64
		for _, l := range profile.Stacks().Lines() {
			lines += l.Cycles
		}
		for _, f := range profile.Stacks().Functions() {
			self += f.Self
			if f.Total > profile.Total() {
				t.Errorf("%s: %s used %d of %d", name, f.Name, f.Total, profile.Total())
			}
		}
		for _, s := range profile.Stacks() {
			stacks += s.Cycles
		}
		// The search for reference cycles at the end belongs to no frame.
		if d := int64(used) - profile.Total(); d < 0 || d > 200+int64(used)/200 {
			t.Errorf("%s: the profile has %d of %d cycles", name, profile.Total(), used)
		}
		if self != profile.Total() || lines > profile.Total() || lines < profile.Total()*95/100 || stacks < self {
			t.Errorf("%s: %d in lines, %d in functions, %d in stacks of %d", name, lines, self, stacks, profile.Total())
		}
	}
}

// TestProfileLines: cycles stand at the line that used them.
func TestProfileLines(t *testing.T) {
	source := "def f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\nf(1000)\nx = 1\n"
	p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	profile := pvm.NewProfile()
	if _, fault := pvm.New(pvm.Config{Profile: profile}).Load(p); fault != nil {
		t.Fatal(fault)
	}
	by := map[int]int64{}
	for _, l := range profile.Stacks().Lines() {
		by[l.Line] = l.Cycles
	}
	if by[4] < 1000 || by[3]+by[4] < 2000 || by[2] > 50 || by[7] > 50 || by[6] > 100 {
		t.Errorf("%v", by)
	}
	functions := profile.Stacks().Functions()
	if len(functions) != 2 || functions[0].Name != "f" || functions[1].Name != "<module>" || functions[1].Total != profile.Total() {
		t.Errorf("%+v", functions)
	}
}

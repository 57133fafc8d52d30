package pvm_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// TestTrace holds the cycles, the peak of memory and the output of the workloads
// of testdata/bench to what testdata/bench.txt records: they are the same on
// every machine, and a change of any of them is a change of the protocol.
//
// Spec: CIP-3 §2.2.
func TestTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for seconds")
	}
	file, err := os.Open("testdata/bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		want := lines.Text()
		var name string
		var cycles uint64
		var peak int64
		var digest string
		if n, _ := fmt.Sscan(want, &name, &cycles, &peak, &digest); n != 4 || name == "#" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile("testdata/bench/" + name + ".py")
			if err != nil {
				t.Fatal(err)
			}
			p, err := pvm.CompileFile("__main__", name+".py", source)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			meter := pvm.NewMeter(1<<60, 0)
			m := pvm.New(pvm.Config{Meter: meter, Stdout: &out})
			if _, fault := m.Load(p); fault != nil {
				t.Fatal(fault, fault.Traceback)
			}
			sum := fmt.Sprintf("%x", sha256.Sum256(out.Bytes()))[:16]
			if meter.Used() != cycles || m.Inner().Peak() != peak || sum != digest {
				t.Errorf("got %s %d %d %s, want %d %d %s", name, meter.Used(), m.Inner().Peak(), sum, cycles, peak, digest)
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

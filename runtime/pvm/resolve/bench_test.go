package resolve

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// BenchmarkResolve reports the speed of parsing and resolving together: a tree
// can be resolved only once.
func BenchmarkResolve(b *testing.B) {
	files, err := filepath.Glob("../testdata/*.py")
	if err != nil || len(files) == 0 {
		b.Fatal("no programs", err)
	}
	var program bytes.Buffer
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		if !bytes.Contains(source, []byte("from __future__")) {
			program.Write(source)
			program.WriteByte('\n')
		}
	}
	b.SetBytes(int64(program.Len()))
	b.ReportAllocs()
	for b.Loop() {
		m, err := syntax.Parse(program.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Resolve(m); err != nil {
			b.Fatal(err)
		}
	}
}

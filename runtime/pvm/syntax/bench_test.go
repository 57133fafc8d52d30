package syntax

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkParse reports the speed of parsing: ordinary source, and the same
// with a mistake in its last line, which is parsed a second time to explain it.
func BenchmarkParse(b *testing.B) {
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
		program.Write(source)
		program.WriteByte('\n')
	}
	mistake := append(program.Bytes()[:program.Len():program.Len()], "f(a, b c)\n"...)
	for name, source := range map[string][]byte{"programs": program.Bytes(), "mistake": mistake} {
		b.Run("source="+name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(source); (err != nil) != (name == "mistake") {
					b.Fatal(err)
				}
			}
		})
	}
}

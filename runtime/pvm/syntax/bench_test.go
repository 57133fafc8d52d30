package syntax

import (
	"os"
	"testing"
)

// BenchmarkParse reports the speed of parsing ordinary source.
func BenchmarkParse(b *testing.B) {
	source, err := os.ReadFile("testdata/program.py")
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string][]byte{"program": source} {
		b.Run("source="+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

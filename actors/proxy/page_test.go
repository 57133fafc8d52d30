package proxy

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The guide's table of security notes names tests that there are, in the packages where they are.
//
// Spec: secrets-cbss §10.
func TestSecurityNotes(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "docs", "running-a-proxy.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| Note |")
	if !ok {
		t.Fatal("the guide has no table of notes")
	}
	shown := regexp.MustCompile("`([a-z/]+)`((?:,? Test[A-Za-z]+)+)")
	name := regexp.MustCompile(`Test[A-Za-z]+`)
	rows, tests := 0, 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(line, "Test") {
			continue
		}
		rows++
		for _, at := range shown.FindAllStringSubmatch(cells[3], -1) {
			var source []byte
			files, err := filepath.Glob(filepath.Join(root, at[1], "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				one, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				source = append(source, one...)
			}
			for _, test := range name.FindAllString(at[2], -1) {
				if tests++; !bytes.Contains(source, []byte("func "+test+"(")) {
					t.Errorf("%s has no %s", at[1], test)
				}
			}
		}
	}
	if all := len(name.FindAllString(table, -1)); rows != 7 || tests != all {
		t.Errorf("%d notes, %d tests of %d in the table", rows, tests, all)
	}
}

package tidy

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WideText counts in each page below dir the lines of prose that are too wide. Rows of tables, headings and blocks of code are as wide as they have to be.
func WideText(dir string) (Findings, error) {
	found := Findings{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != dir && (strings.HasPrefix(name, ".") || name == "bin" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if n := wideProse(string(text)); n > 0 {
			found[filepath.ToSlash(relative)] = n
		}
		return nil
	})
	return found, err
}

// wideProse counts the lines of a page that are prose and too wide.
func wideProse(text string) (n int) {
	code := false
	for _, line := range strings.Split(text, "\n") {
		inner := strings.TrimLeft(line, " ")
		if strings.HasPrefix(inner, "```") {
			code = !code
		}
		if !code && width(line) > maxWidth && !strings.HasPrefix(inner, "|") && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}

package tidy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is one Go file as text and as syntax.
type Source struct {
	Name   string // relative to the directory that was read, with slashes
	Lines  []string
	Set    *token.FileSet
	Syntax *ast.File
}

// Sources reads every Go file below dir that people write: no test data, no output of a build, nothing generated.
func Sources(dir string) ([]Source, error) {
	var found []Source
	set := token.NewFileSet()
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
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(syntax) {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		found = append(found, Source{filepath.ToSlash(relative), lines, set, syntax})
		return nil
	})
	return found, err
}

// line is the line of the file that a place is in.
func (s *Source) line(at token.Pos) int { return s.Set.Position(at).Line }

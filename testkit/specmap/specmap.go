package specmap

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Place is a declaration that names a section.
type Place struct {
	Name string // package path and declaration, as in chain/fee.Next
	File string
	Line int
	Test bool
}

var specLine = regexp.MustCompile(`Spec:\s*(.+)`)

// Fault is a Spec line that leads nowhere.
type Fault struct {
	Place Place
	Text  string
}

// Map is what the source says about the specification.
type Map struct {
	*Catalog
	Places map[Ref][]Place
	Faults []Fault
}

// Scan reads docs/spec and the comments of every declaration and package below dir.
func Scan(dir string) (*Map, error) {
	catalog, err := Read(dir)
	if err != nil {
		return nil, err
	}
	found := &Map{Catalog: catalog, Places: map[Ref][]Place{}}
	fset := token.NewFileSet()
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		note := func(name string, doc *ast.CommentGroup, pos token.Pos) {
			place := Place{
				Name: filepath.ToSlash(filepath.Dir(rel)) + "." + name, File: filepath.ToSlash(rel),
				Line: fset.Position(pos).Line, Test: strings.HasSuffix(path, "_test.go"),
			}
			for _, text := range citations(doc) {
				found.add(place, text)
			}
		}
		note("package", file.Doc, file.Package)
		for _, decl := range file.Decls {
			name, doc := declared(decl)
			note(name, doc, decl.Pos())
		}
		return nil
	})
	return found, err
}

func (m *Map) add(place Place, text string) {
	refs, err := m.Refs(text)
	if err != nil {
		m.Faults = append(m.Faults, Fault{place, err.Error()})
		return
	}
	for _, r := range refs {
		if m.Dangling(r) {
			m.Faults = append(m.Faults, Fault{place, fmt.Sprintf("%s leads to no heading of docs/spec", r)})
			continue
		}
		m.Places[r] = append(m.Places[r], place)
	}
}

// citations gives what each Spec line of a comment cites, up to the end of its paragraph.
func citations(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var list []string
	open := false
	for line := range strings.Lines(doc.Text()) {
		line = strings.TrimSpace(line)
		if m := specLine.FindStringSubmatch(line); m != nil && !strings.Contains(line, "`") {
			list, open = append(list, m[1]), true
			continue
		}
		if open = open && line != ""; open {
			list[len(list)-1] += " " + line
		}
	}
	return list
}

func declared(decl ast.Decl) (string, *ast.CommentGroup) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return d.Name.Name, d.Doc
	case *ast.GenDecl:
		if len(d.Specs) > 0 {
			switch s := d.Specs[0].(type) {
			case *ast.TypeSpec:
				return s.Name.Name, d.Doc
			case *ast.ValueSpec:
				return s.Names[0].Name, d.Doc
			}
		}
	}
	return "", nil
}

// covers tells whether a reference lies in the section: the same number, or a subsection of it.
func covers(s Section, r Ref) bool {
	if s.Doc != r.Doc {
		return false
	}
	if s.ID == r.ID {
		return true
	}
	if s.ID == "" || !strings.HasPrefix(r.ID, s.ID) {
		return false
	}
	rest := r.ID[len(s.ID):]
	return rest[0] == '.' || rest[0] >= 'a' && rest[0] <= 'z'
}

// Evidence is what the source holds for a section.
type Evidence struct {
	Section
	Code, Tests []Place
}

// Unproved says whether code or test lacks, in words; it is empty for a section that has both.
func (e Evidence) Unproved() string {
	switch {
	case len(e.Code) > 0 && len(e.Tests) > 0:
		return ""
	case len(e.Code) > 0:
		return "no test"
	case len(e.Tests) > 0:
		return "no code"
	}
	return "no code and test"
}

// Evidence lists the sections that hold rules, with the places that cite them or a subsection of them.
func (m *Map) Evidence() []Evidence {
	refs := slices.SortedFunc(maps.Keys(m.Places), func(a, b Ref) int { return strings.Compare(a.Doc+a.ID, b.Doc+b.ID) })
	var list []Evidence
	for _, s := range m.Sections {
		if !s.Rule() {
			continue
		}
		e := Evidence{Section: s}
		seen := map[Place]bool{}
		for _, r := range refs {
			if !covers(s, r) {
				continue
			}
			for _, p := range m.Places[r] {
				if seen[p] {
					continue
				}
				seen[p] = true
				if p.Test {
					e.Tests = append(e.Tests, p)
				} else {
					e.Code = append(e.Code, p)
				}
			}
		}
		list = append(list, e)
	}
	return list
}

// Print writes section, functions and tests, then the gaps and the citations that lead nowhere, and gives the number of sections with a gap. A gap is a
// section that is not wholly built, or one that is called so and lacks code or test.
func (m *Map) Print(w io.Writer) int {
	rules := m.Evidence()
	var gaps []string
	for _, e := range rules {
		if e.Status != Built || e.Unproved() != "" {
			status := string(e.Status)
			if e.Chapter != "" {
				status += ", chapter " + e.Chapter
			}
			name := fmt.Sprintf("%-24s %s", e.Label(), e.Title)
			gap := strings.TrimRight(fmt.Sprintf("%-76s %-30s %s", name, status, e.Unproved()), " ")
			if e.Missing != "" {
				gap += "\n        missing: " + e.Missing
			}
			gaps = append(gaps, gap)
		}
		if len(e.Code)+len(e.Tests) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s  %s  %s:%d\n", e.Label(), e.Title, e.File, e.Line)
		for _, p := range e.Code {
			fmt.Fprintf(w, "    %-60s %s:%d\n", p.Name, p.File, p.Line)
		}
		for _, p := range e.Tests {
			fmt.Fprintf(w, "    proved by %-50s %s:%d\n", p.Name, p.File, p.Line)
		}
	}
	fmt.Fprintf(w, "\nGaps: %d of %d sections\n", len(gaps), len(rules))
	for _, g := range gaps {
		fmt.Fprintln(w, "    "+g)
	}
	if len(m.Faults) > 0 {
		fmt.Fprintf(w, "\nCitations that lead nowhere: %d\n", len(m.Faults))
		for _, f := range m.Faults {
			fmt.Fprintf(w, "    %s:%d: %s\n", f.Place.File, f.Place.Line, f.Text)
		}
	}
	return len(gaps)
}

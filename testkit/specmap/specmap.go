package specmap

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Place is a declaration that names a section.
type Place struct {
	Name string // package path and declaration, as in chain/fee.Next
	File string
	Line int
	Test bool
}

// Ref is one reference of a Spec line.
type Ref struct{ Doc, ID string }

var specLine = regexp.MustCompile(`Spec:\s*(.+)`)
var docName = regexp.MustCompile(`^(WP|CIP-\d+|ENT|sdk|scheduler-timers|node-rpc-cli|commonware|governance-staking|runner-marketplace|storage-cbfs|secrets-cbss|gateway-payments-streams|entitlement-extras|tokens|rent|tee|README)\b`)
var sectionID = regexp.MustCompile(`§+\s*(A\b|[0-9]+(?:\.[0-9]+)*[a-z]?)(?:\s*[-–]\s*([0-9.]+))?`)

// Refs reads the references of one Spec line's text: documents separated by semicolons or commas, each followed by
// sections. A document without a section number refers to all of it.
func Refs(text string) []Ref {
	var refs []Ref
	doc := "WP"
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' }) {
		part = strings.TrimSpace(part)
		named := docName.FindString(part)
		if named != "" {
			doc = named
		}
		ids := sectionID.FindAllStringSubmatch(part, -1)
		for _, id := range ids {
			refs = append(refs, Ref{doc, id[1]})
		}
		if len(ids) == 0 && named != "" {
			refs = append(refs, Ref{doc, ""})
		}
		if strings.Contains(part, "Appendix A") {
			refs = append(refs, Ref{"WP", "A"})
		}
	}
	return refs
}

// Scan reads every Go file below dir and gives the places that name a section.
func Scan(dir string) (map[Ref][]Place, error) {
	found := map[Ref][]Place{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
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
		for _, decl := range file.Decls {
			name, doc := declared(decl)
			if doc == nil {
				continue
			}
			for _, line := range strings.Split(doc.Text(), "\n") {
				m := specLine.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				place := Place{
					Name: filepath.ToSlash(filepath.Dir(rel)) + "." + name, File: filepath.ToSlash(rel),
					Line: fset.Position(decl.Pos()).Line, Test: strings.HasSuffix(path, "_test.go"),
				}
				for _, ref := range Refs(m[1]) {
					found[ref] = append(found[ref], place)
				}
			}
		}
		return nil
	})
	return found, err
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

// covers tells whether a reference lies in the section: the same number, a subsection of it, or the whole document.
func covers(s Section, r Ref) bool {
	if s.Doc != r.Doc {
		return false
	}
	if s.ID == r.ID || s.ID == "" {
		return true
	}
	if !strings.HasPrefix(r.ID, s.ID) {
		return false
	}
	rest := r.ID[len(s.ID):]
	return rest[0] == '.' || rest[0] >= 'a' && rest[0] <= 'z'
}

// Print writes section, functions and tests, then the gaps, and gives the number of sections with a gap.
func Print(w io.Writer, found map[Ref][]Place) int {
	refs := make([]Ref, 0, len(found))
	for r := range found {
		refs = append(refs, r)
	}
	sort.Slice(refs, func(i, j int) bool { return refs[i].Doc+refs[i].ID < refs[j].Doc+refs[j].ID })
	var gaps []string
	for _, s := range Sections() {
		var code, tests []Place
		seen := map[Place]bool{}
		for _, r := range refs {
			if !covers(s, r) {
				continue
			}
			for _, p := range found[r] {
				if seen[p] {
					continue
				}
				seen[p] = true
				if p.Test {
					tests = append(tests, p)
				} else {
					code = append(code, p)
				}
			}
		}
		label := strings.TrimSpace(fmt.Sprintf("%s §%s", s.Doc, s.ID))
		if s.ID == "" {
			label = s.Doc
		}
		if len(code) == 0 || len(tests) == 0 {
			missing := "code and test"
			if len(code) > 0 {
				missing = "test"
			} else if len(tests) > 0 {
				missing = "code"
			}
			gaps = append(gaps, fmt.Sprintf("%-22s %-50s no %s", label, s.Title, missing))
		}
		if len(code)+len(tests) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s  %s\n", label, s.Title)
		for _, p := range code {
			fmt.Fprintf(w, "    %-60s %s:%d\n", p.Name, p.File, p.Line)
		}
		for _, p := range tests {
			fmt.Fprintf(w, "    proved by %-50s %s:%d\n", p.Name, p.File, p.Line)
		}
	}
	fmt.Fprintf(w, "\nGaps: %d of %d sections\n", len(gaps), len(Sections()))
	for _, g := range gaps {
		fmt.Fprintln(w, "    "+g)
	}
	return len(gaps)
}

package specmap

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Section is one section of the specification: a heading of docs/spec.
type Section struct {
	Doc    string // short name used in Spec lines
	ID     string // number or letter as the document prints it, or a quoted title; empty for a document as a whole
	Title  string
	Status Status
	// Chapter names the chapter that owes a section which is not built.
	Chapter string
	// Missing says what a partly built section lacks, in a sentence; empty for all others.
	Missing string
	File    string // path below the root of the tree
	Line    int
}

// Status says what the tree owes a section.
type Status string

// Background sections state no rule, or repeat one that stands elsewhere; they may be cited and are no gap. All others hold rules that code and tests must
// carry.
const (
	Background Status = ""
	Built      Status = "built"
	PartBuilt  Status = "partly built"
	NotBuilt   Status = "not built"
)

// Rule tells whether the section holds rules that code and tests must carry.
func (s Section) Rule() bool { return s.Status != Background }

// Label is the section as a Spec line cites it.
func (s Section) Label() string { return Ref{s.Doc, s.ID}.String() }

// Catalog is the specification as docs/spec holds it.
type Catalog struct {
	Sections []Section // in the order of files and headings
	known    map[Ref]bool
	names    []string // of documents, with the foreign ones
}

var (
	heading    = regexp.MustCompile(`^(#{2,6}) +(.+?) *$`)
	numbered   = regexp.MustCompile(`^§([A-J](?:\.?[0-9]+)?|[0-9]+(?:\.[0-9]+)*[a-z]?) +(.+)$`)
	lettered   = regexp.MustCompile(`^(part [A-E]) +(.+)$`)
	titled     = regexp.MustCompile(`^("[^"]+")$`)
	statusLine = regexp.MustCompile(`^\*Rules, (built|partly built|not built)(?:: chapter ([a-z]+))?\.\*$`)
	lacks      = regexp.MustCompile(`^\*Missing: (.+\.)\*$`)
	alsoCited  = regexp.MustCompile(`^\*Also cited as ([A-Z]+-[0-9]+(?:, [A-Z]+-[0-9]+)*)\.\*$`)
)

// Read reads the headings of docs/spec below the root of the tree. A document is a file NAME.md, or a directory NAME of such files in the order of
// their names; NAME is what Spec lines cite.
func Read(root string) (*Catalog, error) {
	const base = "docs/spec"
	c := &Catalog{known: map[Ref]bool{}}
	tree := os.DirFS(root)
	entries, err := fs.ReadDir(tree, base)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".md")
		files := []string{path.Join(base, e.Name())}
		switch {
		case e.IsDir():
			if files, err = fs.Glob(tree, path.Join(base, name, "*.md")); err != nil {
				return nil, err
			}
			c.add(Section{Doc: name, File: path.Join(base, name), Line: 1})
		case name == e.Name():
			return nil, fmt.Errorf("%s: neither a document nor a directory of its files", files[0])
		default:
			c.add(Section{Doc: name, File: files[0], Line: 1})
		}
		for _, file := range files {
			if err := c.file(tree, name, file); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range c.Sections {
		if s.Status == PartBuilt && s.Missing == "" {
			return nil, fmt.Errorf("%s:%d: %s is partly built, and no line *Missing: …* after the status says what it lacks", s.File, s.Line, s.Label())
		}
		c.names = append(c.names, s.Doc)
	}
	c.names = append(c.names, foreign...)
	slices.Sort(c.names)
	c.names = slices.Compact(c.names)
	return c, nil
}

// add notes a section, or tells that its name is taken.
func (c *Catalog) add(s Section) bool {
	ref := Ref{s.Doc, s.ID}
	if c.known[ref] {
		return false
	}
	c.known[ref] = true
	c.Sections = append(c.Sections, s)
	return true
}

// file reads the headings of one file. The status of a section is the line after its heading, blank lines apart; what a partly built one lacks is the
// paragraph after the status.
func (c *Catalog) file(tree fs.FS, doc, name string) (err error) {
	f, err := tree.Open(filepath.ToSlash(name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	fenced, fresh := false, false // fresh: a heading was the last line that is not blank
	stated := false               // a status was
	missing := ""                 // a sentence that has not ended
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		if strings.HasPrefix(text, "```") {
			fenced = !fenced
		}
		if missing != "" || strings.HasPrefix(text, "*Missing") {
			if missing = strings.TrimSpace(missing + " " + text); text == "" {
				return fmt.Errorf("%s:%d: %q does not end with a full stop and a star", name, n-1, missing)
			}
			if m := lacks.FindStringSubmatch(missing); m != nil {
				last := &c.Sections[len(c.Sections)-1]
				if !stated || last.Status != PartBuilt {
					return fmt.Errorf("%s:%d: what is missing follows no status of a partly built section", name, n)
				}
				last.Missing, missing, stated = m[1], "", false
			}
			continue
		}
		if fenced || strings.TrimSpace(text) == "" {
			continue
		}
		if m := heading.FindStringSubmatch(text); m != nil {
			s := Section{Doc: doc, File: name, Line: n}
			fresh, stated = s.name(m[2]), false
			if !fresh && m[1] == "##" && path.Base(name) != "README.md" {
				return fmt.Errorf("%s:%d: %q names no section", name, n, m[2])
			}
			if fresh && !c.add(s) {
				return fmt.Errorf("%s:%d: %s stands twice", name, n, s.Label())
			}
			continue
		}
		if m := statusLine.FindStringSubmatch(text); m != nil {
			if !fresh {
				return fmt.Errorf("%s:%d: a status that follows no heading", name, n)
			}
			last := &c.Sections[len(c.Sections)-1]
			last.Status, last.Chapter, fresh, stated = Status(m[1]), m[2], false, true
			continue
		} else if strings.HasPrefix(text, "*Rules") {
			return fmt.Errorf("%s:%d: %q is no status", name, n, text)
		}
		if m := alsoCited.FindStringSubmatch(text); m != nil {
			for other := range strings.SplitSeq(m[1], ", ") {
				if !c.add(Section{Doc: other, File: name, Line: n}) {
					return fmt.Errorf("%s:%d: %s stands twice", name, n, other)
				}
			}
		}
		fresh, stated = false, false
	}
	if missing != "" {
		return fmt.Errorf("%s: %q does not end with a full stop and a star", name, missing)
	}
	return lines.Err()
}

// name reads the number and title of a heading and tells whether it names a section.
func (s *Section) name(text string) bool {
	if m := numbered.FindStringSubmatch(text); m != nil {
		s.ID, s.Title = m[1], m[2]
	} else if m := lettered.FindStringSubmatch(text); m != nil {
		s.ID, s.Title = m[1], m[2]
	} else if m := titled.FindStringSubmatch(text); m != nil {
		s.ID = m[1]
	}
	return s.ID != ""
}

// Dangling reports whether a reference leads to no section. References to foreign documents do not.
func (c *Catalog) Dangling(r Ref) bool { return !slices.Contains(foreign, r.Doc) && !c.known[r] }

// foreign are the documents outside the specification that code may cite by their own numbers and titles.
var foreign = []string{
	"RFC", "FIPS", "SEC", "PEP", "EIP", "Unicode", "Python 3.11 library reference", "Python 3.11 library", "Python 3.11 language reference",
	"Python 3.11 grammar",
	"General Decimal Arithmetic", "CPython", "ARCHITECTURE", "BIP", "SLIP", "Fetch",
}

package specmap

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Ref is one reference of a Spec line: a section of a document, or all of it where ID is empty.
type Ref struct{ Doc, ID string }

// String writes the reference as a Spec line does.
func (r Ref) String() string {
	switch {
	case r.ID == "":
		return r.Doc
	case strings.HasPrefix(r.ID, `"`), strings.HasPrefix(r.ID, "part "):
		return r.Doc + " " + r.ID
	}
	return r.Doc + " §" + r.ID
}

var (
	quoted  = regexp.MustCompile(`"[^"]*"`)
	section = regexp.MustCompile(`§+\s*`)
	// A number such as 5.1a, a lettered section such as B10 or A.2, a letter alone, or "part E".
	sectionID = regexp.MustCompile(`^(?:part [A-E]|[A-J](?:\.?[0-9]+)?|[0-9]+(?:\.[0-9]+)*[a-z]?)\b`)
	span      = regexp.MustCompile(`^\s*[-–]\s*§?\s*`)
	filler    = regexp.MustCompile(`^(?:and|Appendix|appendix|,|\.|\s)+`)
)

// Refs reads the references of one Spec line: documents separated by semicolons or commas, each followed by its sections, numbers or quoted titles; remarks
// stand in parentheses. A reference without a document belongs to the document before it. An error names what is no reference.
func (c *Catalog) Refs(text string) ([]Ref, error) {
	text = plain(text)
	var refs []Ref
	doc := ""
	for _, part := range split(text) {
		part = strings.TrimSuffix(strings.TrimSpace(part), ".")
		if part == "" {
			continue
		}
		name := c.document(part)
		rest := strings.TrimSpace(part[len(name):])
		if name != "" {
			doc = name
		}
		if slices.Contains(foreign, doc) {
			refs = append(refs, Ref{doc, strings.TrimSpace(rest)})
			continue
		}
		if doc == "" {
			return nil, fmt.Errorf("%q names no document", part)
		}
		ids, err := c.identifiers(doc, rest)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", part, err)
		}
		if len(ids) == 0 {
			ids = []string{""}
		}
		for _, id := range ids {
			refs = append(refs, Ref{doc, id})
		}
	}
	return refs, nil
}

// plain drops remarks in parentheses that stand outside quotation marks.
func plain(text string) string {
	var kept strings.Builder
	inside, depth := false, 0
	for _, r := range text {
		switch {
		case r == '"' && depth == 0:
			inside = !inside
		case r == '(' && !inside:
			depth++
		case r == ')' && !inside && depth > 0:
			depth--
			continue
		}
		if depth == 0 {
			kept.WriteRune(r)
		}
	}
	return kept.String()
}

// split cuts at semicolons and commas outside quotation marks.
func split(text string) []string {
	inside := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			inside = !inside
		}
		return !inside && (r == ';' || r == ',')
	})
}

// document gives the longest name of a document that text begins with.
func (c *Catalog) document(text string) string {
	best := ""
	for _, name := range c.names {
		rest, ok := strings.CutPrefix(text, name)
		if ok && len(name) > len(best) && (rest == "" || strings.ContainsAny(rest[:1], " -.§")) {
			best = name
		}
	}
	return best
}

// identifiers reads sections one after the other; a range such as 1.1–1.3 gives its ends and what stands between them.
func (c *Catalog) identifiers(doc, text string) ([]string, error) {
	var ids []string
	for {
		text = strings.TrimSpace(filler.ReplaceAllString(strings.TrimSpace(text), ""))
		if text == "" {
			return ids, nil
		}
		if loc := quoted.FindStringIndex(text); loc != nil && loc[0] == 0 {
			ids, text = append(ids, text[:loc[1]]), text[loc[1]:]
			continue
		}
		if loc := section.FindStringIndex(text); loc != nil && loc[0] == 0 {
			text = text[loc[1]:]
		}
		id := sectionID.FindString(text)
		if id == "" {
			return nil, fmt.Errorf("%q is no section", text)
		}
		ids, text = append(ids, id), text[len(id):]
		if s := span.FindString(text); s != "" && sectionID.MatchString(text[len(s):]) {
			text = text[len(s):]
			ids = append(ids, c.between(doc, id, sectionID.FindString(text))...)
		}
	}
}

// between gives the sections of a document between two of one level, as 1.2 between 1.1 and 1.3.
func (c *Catalog) between(doc, from, to string) []string {
	parent := func(id string) string { return id[:strings.LastIndexByte(id, '.')+1] }
	at := func(id string) int {
		return slices.IndexFunc(c.Sections, func(s Section) bool { return s.Doc == doc && s.ID == id })
	}
	first, last := at(from), at(to)
	if first < 0 || first >= last || parent(from) != parent(to) {
		return nil
	}
	var ids []string
	for _, s := range c.Sections[first+1 : last] {
		if !strings.HasPrefix(s.ID, `"`) && parent(s.ID) == parent(from) && strings.Count(s.ID, ".") == strings.Count(from, ".") {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

package specmap

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Ref is one reference of a Spec line: a section of a document, or all of it where ID is empty.
type Ref struct{ Doc, ID string }

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
func Refs(text string) ([]Ref, error) {
	text = plain(text)
	var refs []Ref
	doc := ""
	for _, part := range split(text) {
		part = strings.TrimSuffix(strings.TrimSpace(part), ".")
		if part == "" {
			continue
		}
		name := document(part)
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
		ids, err := identifiers(rest)
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
func document(text string) string {
	best := ""
	for _, name := range documents {
		rest, ok := strings.CutPrefix(text, name)
		if ok && len(name) > len(best) && (rest == "" || strings.ContainsAny(rest[:1], " -.§")) {
			best = name
		}
	}
	return best
}

var documents = func() []string {
	names := slices.Clone(foreign)
	for _, s := range Sections() {
		names = append(names, s.Doc)
	}
	slices.Sort(names)
	return slices.Compact(names)
}()

// identifiers reads sections one after the other; a range such as 1.1–1.3 gives its ends.
func identifiers(text string) ([]string, error) {
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
		}
	}
}

// Dangling reports whether a reference leads to no section of the catalog. References to foreign documents do not.
func Dangling(r Ref) bool {
	if slices.Contains(foreign, r.Doc) {
		return false
	}
	return !known[r]
}

var known = func() map[Ref]bool {
	set := map[Ref]bool{}
	for _, s := range Sections() {
		set[Ref{s.Doc, s.ID}] = true
	}
	return set
}()

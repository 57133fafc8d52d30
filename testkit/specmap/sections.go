package specmap

import (
	_ "embed"
	"strings"
)

// Section is one section of the specification.
type Section struct {
	Doc   string // short name used in Spec lines
	ID    string // number or letter as the document prints it, or a quoted title; empty for a document as a whole
	Title string
	Rule  bool // rules that code and tests must carry; other sections may be cited and are no gap
}

//go:embed catalog.txt
var catalog string

// Sections lists the sections in the order of their documents: WP is the whitepaper of June 2026, the CIPs its improvement proposals, ENT the entitlements
// registry; the others are digests of what the network's SDK, scheduler, clients and libraries define. Below a document's line each line of the
// catalog is a section, + with rules and - without.
func Sections() []Section {
	var list []Section
	doc := ""
	for line := range strings.Lines(catalog) {
		line = strings.TrimSuffix(line, "\n")
		if name, title, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, " ") {
			doc = name
			list = append(list, Section{Doc: doc, Title: title})
			continue
		}
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if mark == "" {
			continue
		}
		id, title := rest, ""
		if strings.HasPrefix(rest, `"`) {
			id = rest
		} else if number, words, ok := strings.Cut(rest, "  "); ok {
			id, title = number, words
		}
		list = append(list, Section{doc, id, title, mark == "+"})
	}
	return list
}

// foreign are the documents outside the specification that code may cite by their own numbers and titles.
var foreign = []string{
	"RFC", "FIPS", "SEC", "PEP", "EIP", "Unicode", "Python 3.11 library reference", "Python 3.11 library", "Python 3.11 language reference", "Python 3.11 grammar",
	"General Decimal Arithmetic", "CPython", "ARCHITECTURE", "BIP", "SLIP",
}

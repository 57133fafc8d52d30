package bindings

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/cowboyinc/cowboy-go/runtime/outline"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Language is one that clients are written in.
type Language string

// The languages.
const (
	Go         Language = "go"
	Python     Language = "python"
	TypeScript Language = "typescript"
)

// Languages are all of them.
var languages = [...]Language{Go, Python, TypeScript}

// Languages are the names of the languages clients are written in.
func Languages() (names []string) {
	for _, l := range languages {
		names = append(names, string(l))
	}
	return names
}

// ErrLanguage says that no clients are written in a language.
var ErrLanguage = errors.New("clients are written in go, python and typescript")

// ErrNothing says that an actor answers nothing a client could ask.
var ErrNothing = errors.New("the actor has no handler that a transaction or a query can call")

// maxDoc bounds a docstring in a client, in bytes.
const maxDoc = 4 << 10

// Generate gives the text of a client and the name of its file. name is what the package or module is called.
func Generate(l Language, d *outline.Document, name string) (file string, text []byte, err error) {
	c := newClient(d, name)
	if len(c.methods) == 0 {
		return "", nil, ErrNothing
	}
	switch l {
	case Go:
		text, err = c.golang()
		return c.module + ".go", text, err
	case Python:
		return c.module + ".py", c.python(), nil
	case TypeScript:
		return c.module + ".ts", c.typescript(), nil
	}
	return "", nil, ErrLanguage
}

// kind is what a handler takes or gives.
type kind int

const (
	raw    kind = iota // bytes
	text               // str
	whole              // int
	truth              // bool
	none               // None
	value              // anything else that is annotated
	free               // nothing is annotated
	absent             // it takes nothing
)

// client is a document as the languages see it.
type client struct {
	class   string // in capitals
	module  string // in small letters
	doc     string
	methods []method
	partial bool // there may be handlers that are not here
}

// method is a handler.
type method struct {
	handler string // its name on the chain
	name    string // words in small letters, joined by underscores
	doc     string
	takes   kind
	gives   kind
}

// baseNames are the names that the files have beside an actor's.
var baseNames = []string{
	"Any", "Array", "BigInt", "CallError", "Error", "JSON", "Json", "Map", "Mapping", "Node", "Number", "Promise", "Protocol", "Sender", "Sequence", "T",
	"TextDecoder", "TextEncoder", "Transport", "TypeVar", "Uint8Array", "Union", "Value",
}

func newClient(d *outline.Document, module string) *client {
	c := &client{module: identifier(strings.ToLower(module)), doc: plain(d.Doc), partial: !d.Complete}
	if c.class = camel(identifier(d.Name)); c.class == "" {
		c.class = camel(c.module)
	}
	if c.class == "" {
		c.class = "Actor"
	}
	if slices.Contains(baseNames, c.class) {
		c.class += "Actor"
	}
	if c.module == "" {
		c.module = "actor"
	}
	taken := map[string]bool{}
	for i, h := range d.Handlers {
		if !h.Payload || h.Access == outline.Itself {
			continue
		}
		m := method{handler: h.Name, name: snake(identifier(h.Name)), doc: plain(h.Doc), takes: absent, gives: kindOf(h.Returns)}
		if m.name == "" {
			m.name = fmt.Sprintf("handler_%d", i+1)
		}
		for taken[camel(m.name)] {
			m.name += "_" + fmt.Sprint(i+1)
		}
		taken[camel(m.name)] = true
		if len(h.Parameters) > 0 && !h.Parameters[0].Keyword {
			m.takes = kindOf(h.Parameters[0].Type)
		}
		c.methods = append(c.methods, m)
	}
	return c
}

// kindOf reads an annotation.
func kindOf(annotation string) kind {
	switch strings.Trim(annotation, `'"`) {
	case "":
		return free
	case "bytes", "bytearray":
		return raw
	case "str":
		return text
	case "int":
		return whole
	case "bool":
		return truth
	case "None":
		return none
	}
	return value
}

// identifier is what of a name ASCII identifiers can hold; anything else between parts becomes an underscore.
func identifier(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	id := strings.Trim(b.String(), "_")
	if id != "" && id[0] >= '0' && id[0] <= '9' {
		id = "n" + id
	}
	return id[:min(len(id), 80)]
}

// camel joins words by capitals.
func camel(id string) string {
	var b strings.Builder
	for _, word := range strings.Split(id, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// snake writes an identifier in small letters.
func snake(id string) string {
	var b strings.Builder
	for i, c := range id {
		if c >= 'A' && c <= 'Z' {
			if i > 0 && id[i-1] >= 'a' && id[i-1] <= 'z' {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// lowerCamel is camel with a small first letter.
func lowerCamel(id string) string {
	c := camel(id)
	return strings.ToLower(c[:1]) + c[1:]
}

// plain is a docstring as lines without control characters and marks of direction, cut at maxDoc.
func plain(doc string) string {
	if len(doc) > maxDoc {
		doc = strings.ToValidUTF8(doc[:maxDoc], "") + "…"
	}
	lines := strings.Split(doc, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(unitext.PlainLine(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// quoted is a text as a literal that all three languages read alike. Characters that are not seen, such as marks of direction, are escaped.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if r <= 0xffff && !unicode.IsPrint(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// spared is a name that is no word of its language.
func spared(name string, words []string) string {
	if slices.Contains(words, name) {
		return name + "_"
	}
	return name
}

// goWord spares Go's words.
func goWord(name string) string {
	if token.IsKeyword(name) {
		return name + "_"
	}
	return name
}

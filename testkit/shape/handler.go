package shape

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Kind is what a field holds.
type Kind uint8

// The kinds of field.
const (
	Number Kind = iota
	Address
	Text
	Flag
	Decimal // a number that may have a fraction
	Hex     // octets in hexadecimal digits
	Any     // the source does not say
	List    // of numbers, texts or addresses: the field's Of
)

// Field is one entry of a payload.
type Field struct {
	Name string
	Kind Kind
	Of   Kind // of a List
}

// Handler is a function of an actor that anyone may call.
type Handler struct {
	Name    string
	Fields  []Field  // of a map
	Words   []Field  // without names: what a payload that is no map is split into, or the one value it is
	Sep     string   // between words
	Many    bool     // there may be any number of words like the first
	JSON    bool     // the one value is written in JSON
	Paid    bool     // the handler looks at the coins that came with the call
	Numbers []int64  // of the source
	Texts   []string // of the source, keys left out
}

// Handlers lists what an actor answers to besides init, in the order of the source: methods of the class under @actor, or functions of a module
// without one. The error is the source's.
func Handlers(source []byte) ([]Handler, error) {
	module, err := syntax.Parse(source)
	if err != nil {
		return nil, err
	}
	body := module.Body
	for _, s := range module.Body {
		if c, ok := s.(*syntax.ClassDef); ok && decorated(c.Decorators, "actor") {
			body = c.Body
		}
	}
	functions := map[string]*syntax.FunctionDef{}
	for _, s := range module.Body {
		if f, ok := s.(*syntax.FunctionDef); ok {
			functions[f.Name] = f
		}
	}
	tagged := false
	known := constants(module.Body, body)
	for _, s := range body {
		if f, ok := s.(*syntax.FunctionDef); ok {
			functions[f.Name] = f
			tagged = tagged || decorated(f.Decorators, "public") || decorated(f.Decorators, "callable_by")
		}
	}
	var list []Handler
	for _, s := range body {
		f, ok := s.(*syntax.FunctionDef)
		if !ok || f.Name == "init" || strings.HasPrefix(f.Name, "_") || tagged && !decorated(f.Decorators, "public") {
			continue
		}
		list = append(list, handler(f, functions, known))
	}
	return list, nil
}

// decorated reports a decorator by its name, called or not, plain or of a module.
func decorated(list []syntax.Expr, name string) bool {
	return slices.ContainsFunc(list, func(x syntax.Expr) bool {
		if c, ok := x.(*syntax.Call); ok {
			x = c.Func
		}
		switch x := x.(type) {
		case *syntax.Name:
			return x.ID == name
		case *syntax.Attribute:
			return x.Attr == name
		}
		return false
	})
}

func handler(f *syntax.FunctionDef, all map[string]*syntax.FunctionDef, known map[string]int64) Handler {
	u := &usage{all: all, known: known, seen: map[string]bool{}}
	u.function(f)
	h := Handler{Name: f.Name, Fields: parameters(f), Paid: u.paid}
	if h.Fields == nil {
		h.Fields = documented(docstring(f))
	}
	if h.Fields == nil {
		h.Words, h.Sep, h.Many, h.JSON = whole(f, all)
		if len(u.keys) > 0 && (h.Words == nil || h.JSON) {
			h.Words, h.JSON = nil, false // the keys say more
		} else if h.Words == nil {
			h.Words = described(docstring(f))
		}
	}
	if h.Fields == nil && h.Words == nil {
		for _, key := range u.keys {
			h.Fields = append(h.Fields, Field{Name: key, Kind: guess(key)})
		}
	}
	h.Numbers = u.numbers
	for _, text := range u.texts {
		if !slices.ContainsFunc(h.Fields, func(f Field) bool { return f.Name == text }) {
			h.Texts = append(h.Texts, text)
		}
	}
	return h
}

// parameters are the fields of a handler with several parameters, or one that is no plain payload.
func parameters(f *syntax.FunctionDef) []Field {
	list := slices.Concat(f.Args.PosOnly, f.Args.Args, f.Args.KwOnly)
	if len(list) > 0 && (list[0].Name == "self" || list[0].Name == "ctx") {
		list = list[1:]
	}
	if len(list) == 0 || len(list) == 1 && (list[0].Annotation == nil || plain(syntax.Unparse(list[0].Annotation))) {
		return nil
	}
	fields := make([]Field, len(list))
	for i, a := range list {
		fields[i] = Field{Name: a.Name, Kind: guess(a.Name)}
		if a.Annotation != nil {
			fields[i].Kind, fields[i].Of = annotated(syntax.Unparse(a.Annotation))
		}
	}
	return fields
}

// plain annotations leave the payload's shape open.
func plain(annotation string) bool {
	return annotation == "bytes" || annotation == "dict" || annotation == "Any" || strings.HasPrefix(annotation, "dict[")
}

func annotated(text string) (kind, of Kind) {
	inner, isList := strings.CutPrefix(text, "list[")
	switch {
	case isList:
		of, _ = annotated(strings.TrimSuffix(inner, "]"))
		return List, of
	case text == "str":
		return Text, 0
	case text == "bool":
		return Flag, 0
	case text == "float":
		return Decimal, 0
	case text == "bytes":
		return Hex, 0
	case strings.Contains(text, "Address"):
		return Address, 0
	}
	return Number, 0
}

var (
	inBraces = regexp.MustCompile(`(?s)\{(.*)\}`)
	plainly  = regexp.MustCompile(`(?i)payload:\s*([^{\n]*)`)
	entry    = regexp.MustCompile(`(?s)"(\w+)"\s*:\s*(.*?)\s*(?:,\s*$|$)`)
	between  = regexp.MustCompile(`,\s*"`)
)

// documented reads the payload a docstring describes.
func documented(text string) []Field {
	found := inBraces.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	var fields []Field
	for _, part := range strings.Split(between.ReplaceAllString(found[1], "\x00\""), "\x00") {
		m := entry.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			continue
		}
		f := Field{Name: m[1]}
		inner, isList := strings.CutPrefix(m[2], "[")
		if f.Kind = worded(m[2]); isList {
			f.Kind, f.Of = List, worded(inner)
		}
		fields = append(fields, f)
	}
	return fields
}

// described reads what a docstring says of a payload that is no map: payload: a number.
func described(text string) []Field {
	found := plainly.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	return []Field{{Kind: worded(found[1])}}
}

// worded tells a kind by what a person wrote.
func worded(text string) Kind {
	text = strings.ToLower(text)
	for _, c := range []struct {
		kind  Kind
		words []string
	}{
		{Address, []string{"address", "account", "actor"}},
		{Flag, []string{"true", "false", "bool", "whether"}},
		{Text, []string{"text", "name", "string", "word", "hex", "url"}},
	} {
		if slices.ContainsFunc(c.words, func(w string) bool { return strings.Contains(text, w) }) {
			return c.kind
		}
	}
	return Number
}

// guess tells a kind by a field's name.
func guess(name string) Kind {
	switch strings.ToLower(name) {
	case "to", "from", "owner", "spender", "recipient", "beneficiary", "target", "seller", "buyer", "who", "address", "account", "actor":
		return Address
	case "name", "text", "title", "question", "choice", "symbol", "note", "memo", "message", "uri", "url", "topic", "description":
		return Text
	}
	return worded(name)
}

func docstring(f *syntax.FunctionDef) string {
	if len(f.Body) > 0 {
		if s, ok := f.Body[0].(*syntax.ExprStmt); ok {
			if c, ok := s.Value.(*syntax.Constant); ok && c.Kind == syntax.Str {
				return c.Text
			}
		}
	}
	return ""
}

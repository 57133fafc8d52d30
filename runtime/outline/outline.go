package outline

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Version is the form of the document. It grows when a reader of an older one would be misled.
const Version = 1

// Document describes an actor.
type Document struct {
	Version  int        `json:"interface"`
	Name     string     `json:"name,omitempty"`   // of the class
	Doc      string     `json:"doc,omitempty"`    // of the class, or else of the module
	Handlers []*Handler `json:"handlers"`         // in the order of the source; those of base classes come last
	Complete bool       `json:"complete"`         // false: there may be handlers that its text does not show
	Events   []string   `json:"events,omitempty"` // topics that the source names, in order, each once
}

// Who may call a handler.
const (
	Anyone = "anyone"
	Listed = "listed" // Callers
	Itself = "itself" // the actor alone
	Once   = "once"   // anyone, until the actor was initialized
)

// Handler is one thing an actor answers.
type Handler struct {
	Name       string       `json:"name"`
	Method     string       `json:"method,omitempty"` // its name in the source, where that is another one
	Doc        string       `json:"doc,omitempty"`
	Parameters []*Parameter `json:"parameters"`
	Returns    string       `json:"returns,omitempty"` // the annotation as it is written
	Access     string       `json:"access"`
	Callers    []string     `json:"callers,omitempty"` // as they are written
	Mode       string       `json:"mode"`              // pure or deferred
	Payload    bool         `json:"payload"`           // a transaction can call it: it takes one payload, or nothing
	Line       int          `json:"line"`              // of its def
}

// Parameter is one of a handler's, behind self.
type Parameter struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"`    // the annotation as it is written
	Default  string `json:"default,omitempty"` // likewise
	Keyword  bool   `json:"keyword,omitempty"` // it is given by name only
	Variadic bool   `json:"variadic,omitempty"`
}

// Handler gives a handler by its name, or nil.
func (d *Document) Handler(name string) *Handler {
	for _, h := range d.Handlers {
		if h.Name == name {
			return h
		}
	}
	return nil
}

// Of reads canonical source.
//
// Spec: sdk §3.1 (lookup order), §3.3, §5, §6; README "Permissions", "Handler modes".
func Of(source []byte) (*Document, error) {
	if len(source) > pvm.MaxSource {
		return nil, pvm.ErrSourceTooLarge
	}
	tree, err := syntax.Parse(source)
	if err != nil {
		return nil, err
	}
	r := &reader{
		form: host.FormOf(source), classes: map[string]*syntax.ClassDef{}, seen: map[string]*Handler{}, topics: map[string]bool{},
		document: &Document{Version: Version, Doc: docOf(tree.Body), Handlers: []*Handler{}, Complete: true},
	}
	r.module(tree.Body)
	return r.document, nil
}

// reader collects a document.
type reader struct {
	form     host.Form
	classes  map[string]*syntax.ClassDef // of the module, by name
	own      *syntax.ClassDef            // whose methods are handlers; nil: none
	seen     map[string]*Handler
	topics   map[string]bool
	document *Document
}

func (r *reader) module(body []syntax.Stmt) {
	var functions []*syntax.FunctionDef
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.ClassDef:
			r.classes[s.Name] = s
			if decorated(s.Decorators, "actor") != nil || s.Name == "Actor" && r.own == nil {
				r.own = s
			}
		case *syntax.FunctionDef:
			functions = append(functions, s)
		case *syntax.If, *syntax.Try, *syntax.For, *syntax.While, *syntax.With, *syntax.Match:
			r.hidden(s)
		}
		r.emits(s)
	}
	for _, f := range functions {
		method := r.method(f.Name)
		r.add(f, method == nil, false)
	}
	if r.own != nil {
		r.document.Name = r.own.Name
		if text := docOf(r.own.Body); text != "" {
			r.document.Doc = text
		}
		r.class(r.own, map[string]bool{})
	}
}

// hidden notes definitions that a statement makes or does not make.
func (r *reader) hidden(s syntax.Stmt) {
	syntax.Parts(s, func(syntax.Expr) {}, func(body []syntax.Stmt) {
		for _, inner := range body {
			switch inner.(type) {
			case *syntax.FunctionDef, *syntax.ClassDef:
				r.document.Complete = false
			default:
				r.hidden(inner)
			}
		}
	})
}

// method finds a method of the actor's own class.
func (r *reader) method(name string) *syntax.FunctionDef {
	if r.own == nil {
		return nil
	}
	for _, s := range r.own.Body {
		if f, ok := s.(*syntax.FunctionDef); ok && f.Name == name {
			return f
		}
	}
	return nil
}

// class adds a class's methods, then those of its bases.
func (r *reader) class(c *syntax.ClassDef, visited map[string]bool) {
	if visited[c.Name] {
		return
	}
	visited[c.Name] = true
	for _, s := range c.Body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			if decorated(s.Decorators, "staticmethod") == nil && decorated(s.Decorators, "classmethod") == nil && decorated(s.Decorators, "property") == nil {
				r.add(s, false, true)
			}
		case *syntax.If, *syntax.Try, *syntax.For, *syntax.While, *syntax.With, *syntax.Match:
			r.hidden(s)
		}
	}
	for _, base := range c.Bases {
		name, ok := base.(*syntax.Name)
		switch {
		case ok && r.classes[name.ID] != nil:
			r.class(r.classes[name.ID], visited)
		case !ok || name.ID != "object":
			r.document.Complete = false
		}
	}
}

// add notes a function as a handler. open says that anyone may call it by definition.
func (r *reader) add(f *syntax.FunctionDef, open, self bool) {
	names := r.registered(f)
	if len(names) == 0 {
		names = []string{f.Name}
	}
	for _, name := range names {
		if strings.HasPrefix(name, "_") || r.seen[name] != nil || strings.HasSuffix(name, "__resume") {
			continue
		}
		h := &Handler{Name: name, Doc: docOf(f.Body), Line: int(f.Line), Parameters: parameters(f.Args, self), Mode: r.mode(f)}
		if name != f.Name {
			h.Method = f.Name
		}
		if f.Returns != nil {
			h.Returns = syntax.Unparse(f.Returns)
		}
		h.Access, h.Callers = r.access(f, open)
		h.Payload = takesPayload(h.Parameters)
		r.seen[name] = h
		r.document.Handlers = append(r.document.Handlers, h)
	}
}

// registered are the names that @actor.handler gives a function.
func (r *reader) registered(f *syntax.FunctionDef) (names []string) {
	for _, d := range f.Decorators {
		call, ok := d.(*syntax.Call)
		if !ok {
			continue
		}
		of, ok := call.Func.(*syntax.Attribute)
		if !ok || of.Attr != "handler" || lastName(of.Value) != "actor" {
			continue
		}
		if len(call.Args) == 1 {
			if k, ok := call.Args[0].(*syntax.Constant); ok && k.Kind == syntax.Str {
				names = append(names, k.Text)
				continue
			}
		}
		r.document.Complete = false
	}
	return names
}

// access says who may call a function.
func (r *reader) access(f *syntax.FunctionDef, open bool) (access string, callers []string) {
	switch {
	case decorated(f.Decorators, "public") != nil:
		return Anyone, nil
	case decorated(f.Decorators, "callable_by") != nil:
		if call, ok := decorated(f.Decorators, "callable_by").(*syntax.Call); ok {
			for _, arg := range call.Args {
				callers = append(callers, syntax.Unparse(arg))
			}
		}
		return Listed, callers
	case open || !r.form.Permissions:
		return Anyone, nil
	case f.Name == "init":
		return Once, nil
	}
	return Itself, nil
}

// mode is pure or deferred.
func (r *reader) mode(f *syntax.FunctionDef) string {
	switch {
	case decorated(f.Decorators, "pure") != nil:
		return "pure"
	case decorated(f.Decorators, "deferred") != nil, !r.form.Modes, decorated(f.Decorators, "continuation") != nil:
		return "deferred"
	}
	return "pure"
}

// emits notes the topics of events.
func (r *reader) emits(s syntax.Stmt) {
	var walk func(syntax.Stmt)
	visit := func(x syntax.Expr) {
		syntax.Inspect(x, func(x syntax.Expr) {
			call, ok := x.(*syntax.Call)
			if !ok || len(call.Args) == 0 || lastName(call.Func) != "emit_event" && lastName(call.Func) != "emit" {
				return
			}
			if k, ok := call.Args[0].(*syntax.Constant); ok && k.Kind == syntax.Str && !r.topics[k.Text] {
				r.topics[k.Text] = true
				r.document.Events = append(r.document.Events, k.Text)
			}
		})
	}
	walk = func(s syntax.Stmt) {
		syntax.Parts(s, visit, func(body []syntax.Stmt) {
			for _, inner := range body {
				walk(inner)
			}
		})
	}
	walk(s)
}

// decorated gives the decorator of a name, called or not, or nil.
func decorated(list []syntax.Expr, name string) syntax.Expr {
	for _, d := range list {
		of := d
		if call, ok := d.(*syntax.Call); ok {
			of = call.Func
		}
		if lastName(of) == name {
			return d
		}
	}
	return nil
}

// lastName is x of x and of a.x.
func lastName(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Name:
		return x.ID
	case *syntax.Attribute:
		return x.Attr
	}
	return ""
}

// parameters lists a function's, behind self.
func parameters(a *syntax.Arguments, self bool) []*Parameter {
	list := []*Parameter{}
	if a == nil {
		return list
	}
	positional := append(append([]*syntax.Arg{}, a.PosOnly...), a.Args...)
	first := len(positional) - len(a.Defaults)
	for i, arg := range positional {
		if i == 0 && self {
			continue
		}
		p := parameter(arg)
		if i >= first {
			p.Default = syntax.Unparse(a.Defaults[i-first])
		}
		list = append(list, p)
	}
	if a.VarArg != nil {
		p := parameter(a.VarArg)
		p.Variadic = true
		list = append(list, p)
	}
	for i, arg := range a.KwOnly {
		p := parameter(arg)
		p.Keyword = true
		if d := a.KwDefaults[i]; d != nil {
			p.Default = syntax.Unparse(d)
		}
		list = append(list, p)
	}
	if a.KwArg != nil {
		p := parameter(a.KwArg)
		p.Keyword, p.Variadic = true, true
		list = append(list, p)
	}
	return list
}

func parameter(arg *syntax.Arg) *Parameter {
	p := &Parameter{Name: arg.Name}
	if arg.Annotation != nil {
		p.Type = syntax.Unparse(arg.Annotation)
	}
	return p
}

// takesPayload tells whether a function can be called with a payload alone.
func takesPayload(list []*Parameter) bool {
	if len(list) == 0 {
		return true
	}
	for i, p := range list {
		if i == 0 && !p.Keyword {
			continue
		}
		if p.Default == "" && !p.Variadic {
			return false
		}
	}
	return !list[0].Keyword || list[0].Default != "" || list[0].Variadic
}

// docOf is the docstring that begins a body, its common indent taken away as CPython's inspect.cleandoc does.
func docOf(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	s, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	k, ok := s.Value.(*syntax.Constant)
	if !ok || k.Kind != syntax.Str {
		return ""
	}
	lines := strings.Split(strings.ReplaceAll(k.Text, "\t", "        "), "\n")
	margin := -1
	for _, line := range lines[1:] {
		if content := strings.TrimLeft(line, " "); content != "" && (margin < 0 || len(line)-len(content) < margin) {
			margin = len(line) - len(content)
		}
	}
	for i := range lines {
		if i == 0 {
			lines[i] = strings.TrimLeft(lines[i], " ")
		} else {
			lines[i] = lines[i][min(max(margin, 0), len(lines[i])):]
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// Signature is a handler's parameters and result as a def has them.
func (h *Handler) Signature() string {
	var parts []string
	starred := false
	for _, p := range h.Parameters {
		text := p.Name
		if p.Type != "" {
			text += ": " + p.Type
		}
		switch {
		case p.Variadic && p.Keyword:
			text = "**" + text
		case p.Variadic:
			text, starred = "*"+text, true
		case p.Keyword && !starred:
			parts, starred = append(parts, "*"), true
		}
		if p.Default != "" {
			text += "=" + p.Default
		}
		parts = append(parts, text)
	}
	text := "(" + strings.Join(parts, ", ") + ")"
	if h.Returns != "" {
		text += " -> " + h.Returns
	}
	return text
}

package shape

import (
	"maps"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// part is the payload, or a word of it, as a handler reads it.
type part struct {
	kind  Kind
	known bool // the source says the kind
	json  bool // the kind is of what is written in JSON
	words *words
}

// words are what a text is split into.
type words struct {
	sep   string
	each  *part // how every word is read that has no own entry; nil: unknown
	at    map[int]*part
	count int // words the source wants; 0: any number
}

func (p *part) is(kind Kind) *part {
	if !p.known {
		p.kind, p.known = kind, true
	}
	return p
}

func (w *words) word(i int) *part {
	if w.at[i] == nil {
		w.at[i] = &part{}
	}
	return w.at[i]
}

// rest is how the words are read that have no own entry.
func (w *words) rest() *part {
	if w.each == nil {
		w.each = &part{}
	}
	return w.each
}

// flow follows the payload through a handler: what it is split into, and what each part is read as.
type flow struct {
	all  map[string]*syntax.FunctionDef
	seen map[string]bool
	here map[string]*part // by local name
}

// read gives how a function reads the parameter of an index.
func (w *flow) read(f *syntax.FunctionDef, args []*part) {
	if w.seen[f.Name] {
		return
	}
	w.seen[f.Name] = true
	outer := w.here
	w.here = map[string]*part{}
	for i, a := range given(f) {
		if i < len(args) && args[i] != nil {
			w.here[a.Name] = args[i]
		}
	}
	w.block(f.Body)
	w.here = outer
}

// given are the parameters of a function that callers fill by position.
func given(f *syntax.FunctionDef) []*syntax.Arg {
	list := slices.Concat(f.Args.PosOnly, f.Args.Args)
	if len(list) > 0 && (list[0].Name == "self" || list[0].Name == "ctx") {
		list = list[1:]
	}
	return list
}

func (w *flow) block(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Assign:
			p := w.eval(s.Value)
			for _, target := range s.Targets {
				w.bind(target, p)
			}
			continue
		case *syntax.AnnAssign:
			if s.Value != nil {
				w.bind(s.Target, w.eval(s.Value))
			}
			continue
		case *syntax.For:
			if p := w.eval(s.Iter); p != nil && p.words != nil {
				w.bind(s.Target, p.words.rest())
			}
			w.block(s.Body)
			w.block(s.Else)
			continue
		}
		syntax.Parts(s, func(x syntax.Expr) { w.eval(x) }, w.block)
	}
}

// bind notes what a target holds.
func (w *flow) bind(target syntax.Expr, p *part) {
	switch target := target.(type) {
	case *syntax.Name:
		if p == nil {
			delete(w.here, target.ID)
			return
		}
		w.here[target.ID] = p
	case *syntax.Tuple:
		w.spread(target.Elts, p)
	case *syntax.List:
		w.spread(target.Elts, p)
	}
}

func (w *flow) spread(targets []syntax.Expr, p *part) {
	if p == nil || p.words == nil {
		for _, one := range targets {
			w.bind(one, nil)
		}
		return
	}
	p.words.count = max(p.words.count, len(targets))
	for i, one := range targets {
		word := p.words.word(i)
		if p.words.each != nil && p.words.each.known {
			word.is(p.words.each.kind)
		}
		w.bind(one, word)
	}
}

// eval looks at an expression, and gives the part of the payload it is, nil for anything else.
func (w *flow) eval(x syntax.Expr) *part {
	switch x := x.(type) {
	case *syntax.Name:
		return w.here[x.ID]
	case *syntax.NamedExpr:
		p := w.eval(x.Value)
		w.bind(x.Target, p)
		return p
	case *syntax.Call:
		return w.call(x)
	case *syntax.Subscript:
		p := w.eval(x.Value)
		if p == nil || p.words == nil {
			w.eval(x.Index)
			return nil
		}
		if c, ok := x.Index.(*syntax.Constant); ok && c.Kind == syntax.Int && c.Int >= 0 && c.Int < maxWords {
			p.words.count = max(p.words.count, int(c.Int)+1)
			return p.words.word(int(c.Int))
		}
		return nil
	case *syntax.Comp:
		for i := range x.Clauses {
			if p := w.eval(x.Clauses[i].Iter); p != nil && p.words != nil {
				w.bind(x.Clauses[i].Target, p.words.rest())
			}
		}
		w.eval(x.Elt)
		w.eval(x.Value)
		return nil
	case nil:
		return nil
	}
	syntax.Children(x, func(c syntax.Expr) { w.eval(c) })
	return nil
}

// maxWords bounds the words of a payload.
const maxWords = 16

func (w *flow) call(x *syntax.Call) *part {
	args := make([]*part, len(x.Args))
	for i, a := range x.Args {
		args[i] = w.eval(a)
	}
	for _, k := range x.Keywords {
		w.eval(k.Value)
	}
	first := (*part)(nil)
	if len(args) > 0 {
		first = args[0]
	}
	switch f := x.Func.(type) {
	case *syntax.Name:
		return w.function(f.ID, x, args, first)
	case *syntax.Attribute:
		if self, ok := f.Value.(*syntax.Name); ok && self.ID == "self" && w.all[f.Attr] != nil {
			w.read(w.all[f.Attr], args)
			return nil
		}
		if p := w.eval(f.Value); p != nil {
			return w.method(p, f.Attr, x.Args)
		}
		if first != nil {
			return attribute(first, f)
		}
	}
	return nil
}

// attribute is a function of a module or class that is given a part.
func attribute(p *part, f *syntax.Attribute) *part {
	of, _ := f.Value.(*syntax.Name)
	switch {
	case f.Attr == "loads":
		p.json = true
		return p
	case of != nil && of.ID == "Address":
		p.is(Address)
	case f.Attr == "fromhex":
		p.is(Hex)
	}
	return nil
}

// function is a call of a plain name with parts among its arguments.
func (w *flow) function(name string, x *syntax.Call, args []*part, first *part) *part {
	if f := w.all[name]; f != nil {
		w.read(f, args)
		return nil
	}
	if kind, ok := readers[name]; ok && first != nil {
		first.is(kind)
		return nil
	}
	switch name {
	case "str", "bytes", "bytearray", "memoryview", "list", "tuple":
		return first
	case "map":
		if len(args) == 2 && args[1] != nil && args[1].words != nil {
			if f, ok := x.Args[0].(*syntax.Name); ok {
				if kind, ok := readers[f.ID]; ok {
					args[1].words.rest().is(kind)
				}
			}
			return args[1]
		}
	}
	return nil
}

// readers are built-in functions and what they make of a text.
var readers = map[string]Kind{"int": Number, "float": Decimal, "Decimal": Decimal, "Address": Address, "bool": Flag}

// method is a method of a text.
func (w *flow) method(p *part, name string, args []syntax.Expr) *part {
	switch name {
	case "decode", "encode", "strip", "lstrip", "rstrip", "lower", "upper", "tobytes":
		return p
	case "split", "rsplit":
		if p.words == nil {
			p.words = &words{sep: separator(args, " "), at: map[int]*part{}}
		}
		return p
	case "partition", "rpartition":
		if p.words == nil {
			p.words = &words{sep: separator(args, " "), at: map[int]*part{}, count: 2}
		}
		pair := p.words
		return &part{words: &words{at: map[int]*part{0: pair.word(0), 1: {}, 2: pair.word(1)}}}
	case "isdigit", "isdecimal", "isnumeric":
		p.is(Number)
	}
	return nil
}

func separator(args []syntax.Expr, none string) string {
	if len(args) > 0 {
		if c, ok := args[0].(*syntax.Constant); ok && (c.Kind == syntax.Str || c.Kind == syntax.Bytes) && c.Text != "" && !strings.Contains(c.Text, "\n") {
			return c.Text
		}
	}
	return none
}

// whole is how a handler reads its payload where it is no map: fields without names, what is between them, and whether there may be more or fewer of them.
func whole(f *syntax.FunctionDef, all map[string]*syntax.FunctionDef) (list []Field, sep string, many, json bool) {
	p := &part{}
	w := &flow{all: all, seen: map[string]bool{}}
	w.read(f, []*part{p})
	if p.words == nil {
		if !p.known && !p.json {
			return nil, "", false, false
		}
		kind := p.kind
		if !p.known {
			kind = Any
		}
		return []Field{{Kind: kind}}, "", false, p.json
	}
	count := p.words.count
	for i := range maps.Keys(p.words.at) { // order-free: a maximum
		count = max(count, i+1)
	}
	each := Field{Kind: Text}
	if p.words.each != nil && p.words.each.known {
		each.Kind = p.words.each.kind
	}
	if count == 0 {
		return []Field{each}, p.words.sep, true, false
	}
	for i := range min(count, maxWords) {
		field := each
		if at := p.words.at[i]; at != nil && at.known {
			field.Kind = at.kind
		}
		list = append(list, field)
	}
	return list, p.words.sep, false, false
}

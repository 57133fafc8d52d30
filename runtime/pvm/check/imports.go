package check

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// whitelist are the modules every actor may import.
//
// Spec: WP "Determinism Guarantees" (module whitelist).
var whitelist = map[string]bool{
	"collections": true, "collections.abc": true, "dataclasses": true, "enum": true, "functools": true,
	"itertools": true, "json": true, "re": true, "struct": true, "math": true, "decimal": true, "typing": true,
	"abc": true, "hashlib": true, "cowboy_sdk": true, "__future__": true,
}

// Whitelisted says whether consensus lets every actor import the module.
// Modules inside cowboy_sdk count.
func Whitelisted(module string) bool {
	return whitelist[module] || strings.HasPrefix(module, "cowboy_sdk.")
}

// alternatives says what to use instead of well-known modules.
var alternatives = map[string]string{
	"random":      "use cowboy_sdk.vrf",
	"secrets":     "use cowboy_sdk.vrf",
	"uuid":        "derive identifiers with hashlib from what the message holds",
	"time":        "use the block height and timestamp of the message's context",
	"datetime":    "use the block height and timestamp of the message's context",
	"asyncio":     "async and await need no event loop here",
	"pickle":      "use json, or the CBOR encoding of cowboy_sdk",
	"marshal":     "use json, or the CBOR encoding of cowboy_sdk",
	"weakref":     "hold the object itself, or its key",
	"threading":   "an actor runs in one thread; send messages instead",
	"importlib":   "use an import statement",
	"socket":      "submit a job to a Runner",
	"urllib":      "submit an http job to a Runner",
	"http":        "submit an http job to a Runner",
	"requests":    "submit an http job to a Runner",
	"os":          "there is no operating system; open() reaches /tmp",
	"sys":         "raise an exception to end a call",
	"subprocess":  "submit a container job to a Runner",
	"numpy":       "modules in C cannot be imported",
	"ctypes":      "modules in C cannot be imported",
	"cffi":        "modules in C cannot be imported",
	"concurrent":  "an actor runs in one thread; send messages instead",
	"inspect":     "pass what is needed as an argument",
	"gc":          "memory is managed by the machine",
	"traceback":   "exceptions keep their notes and causes",
	"string":      "use the methods of str",
	"operator":    "use lambda",
	"copy":        "build the copy explicitly",
	"types":       "use type() of an example",
	"contextlib":  "write a class with __enter__ and __exit__",
	"statistics":  "use sum and len, or decimal",
	"fractions":   "use decimal, or pairs of integers",
	"heapq":       "use a sorted list",
	"bisect":      "use a sorted list",
	"base64":      "use bytes.hex and bytes.fromhex",
	"unicodedata": "text is normalized (NFC) on the way in",
}

// imported refuses a module that is neither available nor guarded.
func (c *checker) imported(at syntax.Span, module string) {
	if c.function || c.guarded || c.importable(module) {
		return
	}
	top, _, _ := strings.Cut(module, ".")
	instead, known := alternatives[top]
	if !known {
		instead = "publish it as a library of the account, or guard the import with except ImportError"
	}
	c.report(at, "the module "+module+" cannot be imported", instead)
}

// importedFrom checks from … import ….
func (c *checker) importedFrom(s *syntax.ImportFrom) {
	if s.Level > 0 {
		if !c.function && !c.guarded {
			c.report(s.Span, "a relative import has no package to start from", "import the module by its name")
		}
		return
	}
	if s.Module == "asyncio" {
		for i := range s.Names {
			if s.Names[i].Name == "gather" {
				c.report(s.Names[i].Span, "asyncio.gather is forbidden",
					"await one call after the other, or use cowboy_sdk.TaskGroup")
			}
		}
	}
	c.imported(s.Span, s.Module)
}

// ownNames returns the names that a module binds itself, anywhere (access is
// AccessGlobal), or a class in its body (AccessClass): they are not built-ins.
func ownNames(body []syntax.Stmt, access syntax.Access) map[string]bool {
	own := map[string]bool{}
	bind := func(b *syntax.Binding) {
		if b.Access == access {
			own[b.Name] = true
		}
	}
	var block func([]syntax.Stmt)
	inner := func([]syntax.Stmt) {} // a class binds nothing for one inside it
	block = func(body []syntax.Stmt) {
		for _, s := range body {
			inside := block
			switch s := s.(type) {
			case *syntax.FunctionDef:
				bind(&s.Bind)
				inside = inner
			case *syntax.ClassDef:
				bind(&s.Bind)
				inside = inner
			case *syntax.Import:
				for i := range s.Names {
					bind(&s.Names[i].Bind)
				}
			case *syntax.ImportFrom:
				for i := range s.Names {
					bind(&s.Names[i].Bind)
				}
			case *syntax.Try:
				for _, h := range s.Handlers {
					bind(&h.Bind)
				}
			case *syntax.Match:
				for i := range s.Cases {
					patternNames(s.Cases[i].Pattern, bind)
				}
			}
			syntax.Parts(s, func(x syntax.Expr) {
				syntax.Inspect(x, func(x syntax.Expr) {
					if name, ok := x.(*syntax.Name); ok && name.Ctx == syntax.Store {
						bind(&name.Bind)
					}
				})
			}, inside)
		}
	}
	if access == syntax.AccessGlobal {
		inner = block
	}
	block(body)
	return own
}

// patternNames visits the names that a pattern binds.
func patternNames(p syntax.Pattern, bind func(*syntax.Binding)) {
	all := func(patterns []syntax.Pattern) {
		for _, p := range patterns {
			patternNames(p, bind)
		}
	}
	switch p := p.(type) {
	case *syntax.MatchSequence:
		all(p.Patterns)
	case *syntax.MatchMapping:
		all(p.Patterns)
		bind(&p.Bind)
	case *syntax.MatchClass:
		all(p.Patterns)
		all(p.KwdPatterns)
	case *syntax.MatchStar:
		bind(&p.Bind)
	case *syntax.MatchAs:
		if p.Pattern != nil {
			patternNames(p.Pattern, bind)
		}
		bind(&p.Bind)
	case *syntax.MatchOr:
		all(p.Patterns)
	}
}

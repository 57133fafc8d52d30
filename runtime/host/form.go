package host

// Form says which of the SDK's optional decorators an actor's module knows. A module that names none of a group was written before
// the group existed and keeps the older meaning: handlers open to everybody, asynchronous effects allowed.
//
// Spec: README "Permissions", "Handler modes".
type Form struct {
	Permissions bool // the module names public, callable_by, OWNER or SELF of cowboy_sdk
	Modes       bool // the module names pure or deferred of cowboy_sdk
	Routes      bool // the module names routes or mount of cowboy_sdk: its table is published when it is deployed
}

// sdkModule is the package whose names count.
const sdkModule = "cowboy_sdk"

// FormOf reads the form off a module's canonical source. Naming is lexical and happens once per code hash, not at run time: an
// import of the name from cowboy_sdk or one of its modules, an attribute of that name reached through a name that an import
// statement bound to cowboy_sdk, or the bare name in a module with a star-import from it. Strings and comments do not count.
//
// Spec: README "Permissions", "Handler modes".
func FormOf(source []byte) Form {
	r := formReader{words: wordsOf(source), modules: map[string]bool{}}
	for r.at < len(r.words) {
		switch r.words[r.at] {
		case "from":
			r.fromImport()
		case "import":
			r.plainImport()
		default:
			r.use()
		}
	}
	if r.star {
		for _, w := range r.words {
			r.form.name(w)
		}
	}
	return r.form
}

func (f *Form) name(word string) {
	switch word {
	case "public", "callable_by", "OWNER", "SELF":
		f.Permissions = true
	case "pure", "deferred":
		f.Modes = true
	case "routes", "mount":
		f.Routes = true
	}
}

type formReader struct {
	words   []string
	at      int
	modules map[string]bool // names bound to the SDK
	star    bool
	form    Form
}

func (r *formReader) word(ahead int) string {
	if r.at+ahead < len(r.words) {
		return r.words[r.at+ahead]
	}
	return ""
}

// fromImport reads "from cowboy_sdk… import a as b, (c)".
func (r *formReader) fromImport() {
	r.at++
	if r.word(0) != sdkModule {
		return
	}
	r.at++
	r.submodules()
	if r.word(0) != "import" {
		return
	}
	r.at++
	open := r.word(0) == "("
	if open {
		r.at++
	}
	for r.at < len(r.words) {
		switch w := r.word(0); {
		case w == "*":
			r.star = true
		case w == "as":
			r.at++ // the name it is bound to says nothing
		case w == "," || w == "\n" && open:
		case w == ")" || w == "\n" || w == ";":
			return
		default:
			r.form.name(w)
			r.modules[r.bound(w)] = true // a submodule, or a name without attributes of interest
		}
		r.at++
	}
}

// bound is what the import entry at the reader's place binds.
func (r *formReader) bound(name string) string {
	if r.word(1) == "as" {
		return r.word(2)
	}
	return name
}

// submodules reads the dotted rest of a module's name.
func (r *formReader) submodules() {
	for r.word(0) == "." {
		if r.word(1) == "routes" {
			r.form.Routes = true
		}
		r.at += 2
	}
}

// plainImport reads "import cowboy_sdk.x as y, z".
func (r *formReader) plainImport() {
	r.at++
	for r.at < len(r.words) && r.word(0) != "\n" && r.word(0) != ";" {
		if r.word(0) != sdkModule {
			r.at++
			continue
		}
		r.at++
		r.submodules()
		bound := sdkModule
		if r.word(0) == "as" {
			bound = r.word(1)
		}
		r.modules[bound] = true
	}
}

// use reads a word, and the attribute chain behind one that is bound to the SDK.
func (r *formReader) use() {
	inner := r.at > 0 && r.words[r.at-1] == "."
	bound := !inner && r.modules[r.word(0)]
	r.at++
	for bound && r.word(0) == "." {
		r.form.name(r.word(1))
		r.at += 2
	}
}

// wordsOf splits source into names, single other characters and line ends, leaving out blanks, comments, strings, numbers and joined
// lines. It accepts any bytes.
func wordsOf(source []byte) []string {
	var words []string
	for i := 0; i < len(source); {
		switch c := source[i]; {
		case c == '#':
			for i < len(source) && source[i] != '\n' {
				i++
			}
		case c == '\\' && i+1 < len(source) && source[i+1] == '\n':
			i += 2
		case c == '\n':
			words = append(words, "\n")
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
		case c == '"' || c == '\'':
			i = stringEnd(source, i)
		case isNameByte(c):
			start := i
			for i < len(source) && isNameByte(source[i]) {
				i++
			}
			if c < '0' || c > '9' { // numbers say nothing; a string's prefix is a harmless word
				words = append(words, string(source[start:i]))
			}
		default:
			words = append(words, string(source[i:i+1]))
			i++
		}
	}
	return words
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// stringEnd is the place behind the string literal that begins at i.
func stringEnd(source []byte, i int) int {
	quote := source[i]
	if i+2 < len(source) && source[i+1] == quote && source[i+2] == quote {
		for i += 3; i < len(source); i++ {
			switch {
			case source[i] == '\\':
				i++
			case source[i] == quote && i+2 < len(source) && source[i+1] == quote && source[i+2] == quote:
				return i + 3
			}
		}
		return len(source)
	}
	for i++; i < len(source) && source[i] != '\n'; i++ {
		switch source[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return min(i, len(source))
}

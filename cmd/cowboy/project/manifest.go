package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/cmd/spelling"
)

const (
	// ManifestFile is the name of the file that says what a project is.
	ManifestFile = "cowboy.toml"
	// maxManifest bounds it, in bytes.
	maxManifest = 1 << 20
	// maxActors bounds what it declares.
	maxActors = 256
)

// ErrManifest is wrapped by every complaint about a cowboy.toml.
var ErrManifest = errors.New("bad cowboy.toml")

// Complaint is what is wrong with a file that a person wrote.
type Complaint struct {
	Path string
	Line int // from 1; 0 where the whole file is meant
	What string
}

// Error implements error.
func (c *Complaint) Error() string {
	if c.Line == 0 {
		return c.Path + ": " + c.What
	}
	return fmt.Sprintf("%s:%d: %s", c.Path, c.Line, c.What)
}

// Unwrap makes every Complaint an ErrManifest.
func (c *Complaint) Unwrap() error { return ErrManifest }

// Declared is an actor that a project wants on its networks.
type Declared struct {
	Name        string
	Source      string // path of its file
	Salt        []byte // at most 32 bytes
	Init        bool   // the init handler is called, where the source has one
	InitHandler string
	After       []string // names of the actors that are there before it, those its init payload names among them, in order
	Manifest    string   // path of its entitlement manifest; "" for none
	Fund        string   // CBY it is given before its init handler is called; "" for none
	Line        int      // of its declaration

	payload any // as TOML has it; nil for {}
}

// Manifest is what a cowboy.toml says.
type Manifest struct {
	Path   string
	Dir    string      // of the actors, actors unless it says otherwise
	Actors []*Declared // each behind those it depends on, by name otherwise
}

// file is the shape of a cowboy.toml.
type file struct {
	Project struct {
		Name   string `toml:"name"`
		Actors string `toml:"actors"`
	} `toml:"project"`
	Actors map[string]struct {
		Source      string   `toml:"source"`
		Salt        string   `toml:"salt"`
		Init        any      `toml:"init"`
		InitHandler string   `toml:"init_handler"`
		After       []string `toml:"after"`
		Manifest    string   `toml:"manifest"`
		Fund        string   `toml:"fund"`
	} `toml:"actors"`
}

var (
	projectKeys = []string{"name", "actors"}
	actorKeys   = []string{"source", "salt", "init", "init_handler", "after", "manifest", "fund"}
)

// ReadManifest reads the cowboy.toml of a project; a missing file declares nothing.
func ReadManifest(root string) (*Manifest, error) {
	path := filepath.Join(root, ManifestFile)
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return &Manifest{Path: path, Dir: filepath.Join(root, "actors")}, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > maxManifest {
		return nil, &Complaint{path, 0, fmt.Sprintf("%d bytes; at most %d are read", info.Size(), maxManifest)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseManifest(path, text)
}

// ParseManifest reads the bytes of a cowboy.toml; path is named in complaints, and its folder is where relative paths start.
func ParseManifest(path string, text []byte) (*Manifest, error) {
	var f file
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, complaint(path, err)
	}
	root := filepath.Dir(path)
	m := &Manifest{Path: path, Dir: filepath.Join(root, "actors")}
	if f.Project.Actors != "" {
		m.Dir = within(root, f.Project.Actors)
	}
	if len(f.Actors) > maxActors {
		return nil, &Complaint{path, 0, fmt.Sprintf("%d actors; at most %d are declared in one project", len(f.Actors), maxActors)}
	}
	for _, name := range sortedNames(f.Actors) {
		a := f.Actors[name]
		one := &Declared{
			Name: name, Source: filepath.Join(m.Dir, name, "main.py"), Salt: DefaultSalt(name), Init: true, InitHandler: a.InitHandler, Fund: a.Fund,
			Line: lineOfActor(text, name), payload: a.Init,
		}
		if err := checkName(name); err != nil {
			return nil, &Complaint{path, one.Line, err.Error()}
		}
		if a.Source != "" {
			one.Source = within(root, a.Source)
		}
		if a.Manifest != "" {
			one.Manifest = within(root, a.Manifest)
		}
		if one.InitHandler == "" {
			one.InitHandler = "init"
		}
		if err := one.read(a.Salt, a.Init, a.After); err != nil {
			return nil, &Complaint{path, one.Line, err.Error()}
		}
		m.Actors = append(m.Actors, one)
	}
	return m, m.order()
}

// DefaultSalt is the salt of an actor that declares none: one of its own, so that two actors of one source have two addresses.
func DefaultSalt(name string) []byte {
	hash := digest.Keccak256([]byte(name))
	return hash[:]
}

func within(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, filepath.FromSlash(path))
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var hexName = regexp.MustCompile(`^(0x)?[0-9a-f]{40}$`)

// checkName refuses what is no name: names stand where addresses do, so none may read as one.
func checkName(name string) error {
	if hexName.MatchString(name) {
		return fmt.Errorf("%q reads as an address; give the actor another name", name)
	}
	if !actorName.MatchString(name) {
		return fmt.Errorf("%q: %w", name, ErrActorName)
	}
	return nil
}

// read takes what a declaration says in its own words.
func (d *Declared) read(salt string, init any, after []string) error {
	if salt != "" {
		raw, err := ParseSalt(salt)
		if err != nil {
			return fmt.Errorf("salt: %w", err)
		}
		d.Salt = raw
	}
	switch v := init.(type) {
	case nil, string, map[string]any:
	case bool:
		d.Init, d.payload = v, nil
	default:
		return errors.New(`init is a table of what the handler is given, a text, or false for no call, as in init = { every = 2 }`)
	}
	for _, name := range append(slices.Clone(after), references(d.payload)...) {
		if !slices.Contains(d.After, name) {
			d.After = append(d.After, name)
		}
	}
	slices.Sort(d.After)
	return nil
}

// ErrSalt says what a salt looks like.
var ErrSalt = errors.New("a salt is at most 32 bytes in hex digits")

// ParseSalt reads a salt written in hex digits, with or without 0x; a missing first digit is 0.
func ParseSalt(text string) ([]byte, error) {
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(text), "0x"), "0X")
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	raw := make([]byte, len(digits)/2)
	if n, err := fmt.Sscanf(digits, "%x", &raw); digits != "" && (err != nil || n != 1) || len(raw)*2 != len(digits) || len(raw) > account.SaltSize {
		return nil, ErrSalt
	}
	return raw, nil
}

// reference is ${name} in an init payload: the address of a declared actor.
var reference = regexp.MustCompile(`\$\{([^{}]*)\}`)

// references are the names in a value, in no order.
func references(value any) (names []string) {
	walk(value, func(text string) string {
		for _, found := range reference.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
		return text
	})
	return names
}

// walk gives a value whose texts were put through a function.
func walk(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = walk(v[i], change)
		}
		return list
	case map[string]any:
		table := make(map[string]any, len(v))
		for _, key := range sortedNames(v) {
			table[key] = walk(v[key], change)
		}
		return table
	}
	return value
}

// Payload is what the init handler is given: a table as JSON with its keys in order, a text as it is, {} where nothing is said. Each ${name} in it has
// become the actor's address.
func (d *Declared) Payload(address func(name string) string) ([]byte, error) {
	filled := walk(d.payload, func(text string) string {
		return reference.ReplaceAllStringFunc(text, func(whole string) string { return address(whole[2 : len(whole)-1]) })
	})
	switch v := filled.(type) {
	case nil:
		return []byte("{}"), nil
	case string:
		return []byte(v), nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(filled); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// order puts each actor behind those it depends on.
func (m *Manifest) order() error {
	byName := map[string]*Declared{}
	var names []string
	for _, d := range m.Actors {
		byName[d.Name] = d
		names = append(names, d.Name)
	}
	var sorted []*Declared
	done := map[string]bool{}
	var visit func(d *Declared, path []string) error
	visit = func(d *Declared, path []string) error {
		if i := slices.Index(path, d.Name); i >= 0 {
			return &Complaint{m.Path, d.Line, "actors wait for each other: " + strings.Join(append(path[i:], d.Name), " -> ")}
		}
		if done[d.Name] {
			return nil
		}
		for _, name := range d.After {
			next := byName[name]
			if next == nil {
				what := fmt.Sprintf("%s needs %q, which is not declared here", d.Name, name)
				if near := spelling.Nearest(name, names, 2); near != "" {
					what += "; did you mean " + near + "?"
				}
				return &Complaint{m.Path, d.Line, what}
			}
			if err := visit(next, append(slices.Clone(path), d.Name)); err != nil {
				return err
			}
		}
		done[d.Name] = true
		sorted = append(sorted, d)
		return nil
	}
	for _, d := range m.Actors {
		if err := visit(d, nil); err != nil {
			return err
		}
	}
	m.Actors = sorted
	return nil
}

// Find gives a declared actor, or nil.
func (m *Manifest) Find(name string) *Declared {
	for _, d := range m.Actors {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// lineOfActor is the line that begins an actor's table, or 0.
func lineOfActor(text []byte, name string) int {
	head := regexp.MustCompile(`^\s*\[\s*actors\s*\.\s*["']?` + regexp.QuoteMeta(name) + `["']?\s*\]|^\s*["']?` + regexp.QuoteMeta(name) + `["']?\s*=`)
	for i, line := range strings.Split(string(text), "\n") {
		if head.MatchString(line) {
			return i + 1
		}
	}
	return 0
}

// complaint puts a decoder's error into a line and words.
func complaint(path string, err error) error {
	var strict *toml.StrictMissingError
	var decode *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		first := &strict.Errors[0]
		line, _ := first.Position()
		key := first.Key()
		known := []string{"project", "actors"}
		switch {
		case len(key) > 2 && key[0] == "actors":
			known = actorKeys
		case len(key) > 1 && key[0] == "project":
			known = projectKeys
		}
		what := fmt.Sprintf("there is no key %s", strings.Join(key, "."))
		if near := spelling.Nearest(key[len(key)-1], known, 3); near != "" {
			return &Complaint{path, line, what + "; did you mean " + near + "?"}
		}
		return &Complaint{path, line, what + "; the keys are " + strings.Join(known, ", ")}
	case errors.As(err, &decode):
		line, _ := decode.Position()
		return &Complaint{path, line, strings.TrimPrefix(decode.Error(), "toml: ")}
	}
	return &Complaint{path, 0, strings.TrimPrefix(err.Error(), "toml: ")}
}

// IsName tells whether a text can be an actor's name.
func IsName(text string) bool { return checkName(text) == nil }

// BySource gives the actor that is declared with a file; one of an undeclared file is called as its folder and has no payload of its own.
func (m *Manifest) BySource(path string) *Declared {
	if i := m.position(path); i < len(m.Actors) {
		return m.Actors[i]
	}
	name := filepath.Base(filepath.Dir(path))
	return &Declared{Name: name, Source: path, Salt: DefaultSalt(name), Init: true, InitHandler: "init"}
}

// Compare orders files: those of declared actors as the actors depend on each other, then the others by path.
func (m *Manifest) Compare(a, b string) int {
	if c := m.position(a) - m.position(b); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// position is a file's place among the declared ones; their number where it is not declared.
func (m *Manifest) position(path string) int {
	whole, err := filepath.Abs(path)
	if err != nil {
		return len(m.Actors)
	}
	for i, d := range m.Actors {
		if other, err := filepath.Abs(d.Source); err == nil && other == whole {
			return i
		}
	}
	return len(m.Actors)
}

package pyio

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Price of open beside the bytes of the path.
const openCost = 100

// flavor is which of CPython's types a file is.
type flavor uint8

const (
	textFile flavor = iota
	reader
	writer
	random
	rawFile
)

// modes is what a mode string asks for.
type modes struct {
	read, write, append, create, plus, binary bool
}

func (o modes) reads() bool  { return o.read || o.plus }
func (o modes) writes() bool { return !o.read || o.plus }

// letter is the mode's own.
func (o modes) letter() string {
	switch {
	case o.create:
		return "x"
	case o.read:
		return "r"
	case o.write:
		return "w"
	}
	return "a"
}

// flavor is the type of a buffered file of the mode, and what its attribute mode says.
func (o modes) flavor(given string, raw bool) (flavor, string) {
	letter := o.letter()
	switch {
	case !o.binary:
		return textFile, given
	case o.plus && o.write:
		letter = "r" // the mode of the raw file beneath
	}
	shown := letter + "b"
	if o.plus {
		shown += "+"
	}
	switch {
	case raw:
		return rawFile, shown
	case o.plus:
		return random, shown
	case o.read:
		return reader, shown
	}
	return writer, shown
}

// parseMode reads a mode string.
func parseMode(m *object.Machine, mode string) (o modes, e *object.Exception) {
	bad := func() (modes, *object.Exception) { return o, m.ValueError("invalid mode: '%s'", mode) }
	text, kinds := false, 0
	for i, c := range mode {
		if i > 8 || strings.IndexByte(mode[:i], byte(c)) >= 0 {
			return bad()
		}
		switch c {
		case 'r':
			o.read = true
			kinds++
		case 'w':
			o.write = true
			kinds++
		case 'a':
			o.append = true
			kinds++
		case 'x':
			o.create = true
			kinds++
		case '+':
			o.plus = true
		case 'b':
			o.binary = true
		case 't':
			text = true
		default:
			return bad()
		}
	}
	switch {
	case text && o.binary:
		e = m.ValueError("can't have text and binary mode at once")
	case kinds > 1:
		e = m.ValueError("must have exactly one of create/read/write/append mode")
	case kinds == 0:
		e = m.ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
	}
	return o, e
}

// Open is the built-in function: file, mode, buffering, encoding, errors, newline, closefd, opener.
//
// Spec: WP §3.1 (file I/O limited to /tmp).
func Open(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	mode := "r"
	if v := a.Arg(1); !v.IsZero() {
		s, ok := v.AsStr()
		if !ok {
			return object.Value{}, wrongType(m, "mode", "str", v)
		}
		mode = s.String()
	}
	name, path, e := pathOf(m, a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	o, e := parseMode(m, mode)
	if e != nil {
		return object.Value{}, e
	}
	f := &File{encoding: utf8Name.Value()}
	raw, e := f.arguments(m, o, a)
	if e != nil {
		return object.Value{}, e
	}
	if e := m.Charge(openCost + len(path)); e != nil {
		return object.Value{}, e
	}
	if strings.IndexByte(path, 0) >= 0 {
		return object.Value{}, m.ValueError("embedded null byte")
	}
	f.disk = diskOf(m)
	if f.node, e = f.disk.enter(m, path, o, name); e != nil {
		return object.Value{}, e
	}
	f.name, f.reads, f.writes, f.appends = name, o.reads(), o.writes(), o.append
	if o.append {
		f.pos = len(f.node.data)
	}
	f.flavor, f.mode = o.flavor(mode, raw)
	made := object.Alloc[File](m, types[f.flavor], 0)
	head := made.Object
	*made = *f
	made.Object = head
	return object.Of(&made.Object), nil
}

// enter finds or makes the file a path and a mode mean.
func (d *Disk) enter(m *object.Machine, path string, o modes, given object.Value) (*node, *object.Exception) {
	name, slash, bad := d.resolve(path)
	n := d.nodes[name]
	switch {
	case bad != 0:
	case name == "" || slash && !o.read:
		bad = isDirectory
	case slash && n != nil:
		bad = notDirectory
	case n == nil && o.read:
		bad = notFound
	case n != nil && o.create:
		bad = exists
	}
	if bad != 0 {
		return nil, systemError(m, bad, given)
	}
	if n == nil {
		return d.create(m, name)
	}
	if o.write {
		d.cut(n, 0)
	}
	return n, nil
}

// pathOf is the path an argument means: what the file is called, and that as UTF-8.
func pathOf(m *object.Machine, v object.Value) (name object.Value, path string, e *object.Exception) {
	if b, ok := v.AsBytes(); ok {
		return v, string(b.Data()[:min(len(b.Data()), maxPath+1)]), nil // one byte more is too long already
	}
	if s, ok := v.AsStr(); ok {
		if text := s.String(); len(text) > maxPath {
			return v, text[:maxPath+1], nil
		}
		if s.HasSurrogate() >= 0 {
			_, e = m.EncodeUTF8(s)
		}
		return v, s.String(), e
	}
	if n, ok := v.AsInt(); ok {
		if n.BigInt().Sign() < 0 {
			return v, "", m.ValueError("negative file descriptor")
		}
		return v, "", systemError(m, badFile, object.Value{})
	}
	convert, e := m.LookupAttr(v.Type().Value(), nameFspath)
	if e != nil {
		return v, "", e
	}
	if convert.IsZero() {
		return v, "", m.TypeError("expected str, bytes or os.PathLike object, not %s", v.Type().Name)
	}
	got, e := m.Call(convert, object.Positional(v))
	if e != nil {
		return v, "", e
	}
	_, isStr := got.AsStr()
	_, isBytes := got.AsBytes()
	if !isStr && !isBytes {
		return v, "", m.TypeError("expected %s.__fspath__() to return str or bytes, not %s", v.Type().Name, got.Type().Name)
	}
	return pathOf(m, got)
}

var (
	nameFspath = object.StaticName("__fspath__")
	utf8Name   = object.StaticName("utf-8")
)

// wrongType is what argument parsers say.
func wrongType(m *object.Machine, name, wanted string, v object.Value) *object.Exception {
	got := v.Type().Name
	if v.IsNone() {
		got = "None"
	}
	return m.TypeError("open() argument '%s' must be %s, not %s", name, wanted, got)
}

// arguments takes what stands behind the mode, and says whether the file is to be raw.
func (f *File) arguments(m *object.Machine, o modes, a object.Args) (raw bool, e *object.Exception) {
	var texts [3]object.Value
	for i, name := range [...]string{"encoding", "errors", "newline"} {
		v := a.Arg(3 + i)
		if v.IsZero() || v.IsNone() {
			continue
		}
		if _, ok := v.AsStr(); !ok {
			return false, wrongType(m, name, "str or None", v)
		}
		texts[i] = v
		if o.binary {
			article := map[string]string{"encoding": "an encoding", "errors": "an errors", "newline": "a newline"}[name]
			return false, m.ValueError("binary mode doesn't take %s argument", article)
		}
	}
	buffering := int64(-1)
	if v := a.Arg(2); !v.IsZero() {
		if buffering, e = m.IndexInt64(v, &object.ExcOverflowError); e != nil {
			return false, e
		}
	}
	switch {
	case buffering == 0 && !o.binary:
		return false, m.ValueError("can't have unbuffered text I/O")
	case buffering < -1:
		return false, m.ValueError("invalid buffering size")
	}
	if v := a.Arg(6); !v.IsZero() {
		owned, e := m.Truth(v)
		if e != nil {
			return false, e
		}
		if !owned {
			return false, m.ValueError("Cannot use closefd=False with file name")
		}
	}
	if v := a.Arg(7); !v.IsZero() && !v.IsNone() {
		return false, unsupported(m, "opener")
	}
	if e := m.CheckCodec(texts[0], texts[1], "open"); e != nil {
		return false, e
	}
	if !texts[0].IsZero() {
		f.encoding = texts[0]
	}
	if !texts[2].IsZero() {
		s, _ := texts[2].AsStr()
		switch s.String() {
		case "":
			f.newline = keep
		case "\n":
			f.newline = lf
		case "\r":
			f.newline = cr
		case "\r\n":
			f.newline = crlf
		default:
			return false, m.ValueError("illegal newline value: %s", s.String())
		}
	}
	return buffering == 0, nil
}

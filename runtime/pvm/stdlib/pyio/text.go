package pyio

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// newline says where lines end and what becomes of their ends.
type newline uint8

const (
	universal newline = iota // all ends are read as "\n"
	keep                     // all ends, as they are
	lf
	cr
	crlf
)

// The ends of lines that were read.
const (
	seenCR = 1 << iota
	seenLF
	seenCRLF
)

// rest is what lies behind the position.
func (f *File) rest() []byte { return f.node.data[min(f.pos, len(f.node.data)):] }

// decode gives the next n bytes as a string and moves on.
func (f *File) decode(m *object.Machine, n int) (object.Value, *object.Exception) {
	if e := m.Charge(m.Costs().Encode + n); e != nil {
		return object.Value{}, e
	}
	rest := f.rest()
	chunk := rest[:n]
	ahead := rest[:min(n+utf8.UTFMax-1, len(rest))] // a sequence that is cut short is judged whole
	if bad := text.ValidUTF8(ahead); bad != nil && bad.Start < n {
		if e := m.Reserve(len(ahead)); e != nil {
			return object.Value{}, e
		}
		return object.Value{}, m.UnicodeDecodeError(m.Bytes(bytes.Clone(ahead)), bad.Start, bad.End, bad.Reason)
	}
	if e := m.Reserve(2 * n); e != nil {
		return object.Value{}, e
	}
	s := string(chunk)
	if f.newline <= keep {
		s = f.ends(s)
	}
	f.pos += n
	return m.Str(s), nil
}

// ends notes the ends of lines in a text, and makes them "\n" where all of them are read alike.
func (f *File) ends(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		if strings.IndexByte(s, '\n') >= 0 {
			f.seen |= seenLF
		}
		return s
	}
	pairs := strings.Count(s, "\r\n")
	if pairs > 0 {
		f.seen |= seenCRLF
	}
	if strings.Count(s, "\r") > pairs {
		f.seen |= seenCR
	}
	if strings.Count(s, "\n") > pairs {
		f.seen |= seenLF
	}
	if f.newline == keep {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// newlines is the attribute: what ends lines that were read.
func (f *File) newlines(m *object.Machine) object.Value {
	var list []object.Value
	for i, end := range [...]string{"\r", "\n", "\r\n"} {
		if f.seen&(1<<i) != 0 {
			list = append(list, m.Str(end))
		}
	}
	switch len(list) {
	case 0:
		return object.None
	case 1:
		return list[0]
	}
	return m.Tuple(list...)
}

// prefix is how many of the bytes hold the first n characters, a byte that is no UTF-8 being one, and a pair of "\r\n" one where it is read as one.
func (f *File) prefix(b []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(b); n-- {
		if f.newline == universal && b[at] == '\r' && at+1 < len(b) && b[at+1] == '\n' {
			at += 2
			continue
		}
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}

// line is how many bytes of b the first line has, its end included.
func (f *File) line(b []byte) int {
	at := -1
	switch f.newline {
	case universal, keep:
		if at = bytes.IndexAny(b, "\r\n"); at >= 0 && b[at] == '\r' && at+1 < len(b) && b[at+1] == '\n' {
			at++
		}
	case lf:
		at = bytes.IndexByte(b, '\n')
	case cr:
		at = bytes.IndexByte(b, '\r')
	case crlf:
		if at = bytes.Index(b, []byte("\r\n")); at >= 0 {
			at++
		}
	}
	if at < 0 {
		return len(b)
	}
	return at + 1
}

// window is the part of the rest that n characters and the byte behind them can lie in; all of it for a negative n.
func (f *File) window(n int) []byte {
	rest := f.rest()
	if n < 0 || n >= len(rest) {
		return rest
	}
	return rest[:min(len(rest), utf8.UTFMax*n+2)]
}

func (f *File) readText(m *object.Machine, n int) (object.Value, *object.Exception) {
	w := f.window(n)
	if n >= 0 {
		if e := m.Charge(min(n, len(w))); e != nil { // for finding where the characters end
			return object.Value{}, e
		}
		w = w[:f.prefix(w, n)]
	}
	return f.decode(m, len(w))
}

func (f *File) readTextLine(m *object.Machine, n int) (object.Value, *object.Exception) {
	w := f.window(n)
	size := f.line(w)
	if n >= 0 {
		if e := m.Charge(min(n, size)); e != nil {
			return object.Value{}, e
		}
		size = min(size, f.prefix(w[:size], n))
	}
	return f.decode(m, size)
}

func (f *File) writeText(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	s, ok := v.AsStr()
	if !ok {
		return object.Value{}, m.TypeError("write() argument must be str, not %s", v.Type().Name)
	}
	encoded, e := m.EncodeUTF8(s)
	if e != nil {
		return object.Value{}, e
	}
	b, _ := encoded.AsBytes()
	data := b.Data()
	if f.newline >= cr {
		end := "\r"
		if f.newline == crlf {
			end = "\r\n"
		}
		if e := m.Charge(len(data)); e != nil {
			return object.Value{}, e
		}
		if e := m.Reserve(2 * len(data)); e != nil {
			return object.Value{}, e
		}
		data = bytes.ReplaceAll(data, []byte("\n"), []byte(end))
	}
	return object.Int(int64(s.Len())), f.put(m, data)
}

// seekText is seek of a text file, whose positions are those tell() gave.
func (f *File) seekText(m *object.Machine, to, whence int64) (object.Value, *object.Exception) {
	switch {
	case whence == 1 && to != 0:
		return object.Value{}, unsupported(m, "can't do nonzero cur-relative seeks")
	case whence == 2 && to != 0:
		return object.Value{}, unsupported(m, "can't do nonzero end-relative seeks")
	case whence < 0 || whence > 2:
		return object.Value{}, m.ValueError("invalid whence (%d, should be 0, 1 or 2)", whence)
	case to < 0:
		return object.Value{}, m.ValueError("negative seek position %d", to)
	}
	f.silent = false
	return f.seek(m, to, whence)
}

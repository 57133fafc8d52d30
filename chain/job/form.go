package job

import (
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// form is what a specification shows its fields to, in their order: it writes them to canonical bytes, reads them from there, shows them as a tree of plain
// values, or takes them from one. Maps of a tree are cbor.Map; what a tree does not name stays as it is.
type form struct {
	mode mode
	out  []byte        // while writing
	in   *codec.Reader // while reading
	tree cbor.Map      // while showing or taking: the map the fields are of
	seen []string      // while taking
	path string
	err  error // while taking
}

type mode uint8

const (
	writing mode = iota
	reading
	showing
	taking
)

// number is a JSON number that is no integer of 64 bits.
type number string

func (f *form) fail(name, format string, args ...any) {
	if f.err == nil {
		f.err = invalid(f.path+name, format, args...)
	}
}

// given looks a field up while taking; null counts as absent.
func (f *form) given(name string) (any, bool) {
	f.seen = append(f.seen, name)
	v, ok := f.tree.Lookup(name)
	return v, ok && v != nil
}

func (f *form) show(name string, v any) { f.tree = append(f.tree, cbor.Pair{Key: name, Value: v}) }

// close refuses the keys that no field has and that are not known to be ignored.
func (f *form) close(ignored ...string) {
	for _, p := range f.tree {
		name, ok := p.Key.(string)
		if !ok || !slices.Contains(f.seen, name) && !slices.Contains(ignored, name) {
			f.fail("", "there is no field %.64q", name)
			return
		}
	}
}

// leaf is how values of a type are written, read, shown and taken.
type leaf[T any] struct {
	write func(dst []byte, v T) []byte
	read  func(r *codec.Reader) T
	show  func(v T) any
	take  func(v any) (T, bool)
	what  string
}

func one[T any](f *form, name string, v *T, l leaf[T]) {
	switch f.mode {
	case writing:
		f.out = l.write(f.out, *v)
	case reading:
		*v = l.read(f.in)
	case showing:
		f.show(name, l.show(*v))
	case taking:
		if given, ok := f.given(name); ok {
			if taken, ok := l.take(given); ok {
				*v = taken
			} else {
				f.fail(name, "is %s", l.what)
			}
		}
	}
}

// option is one that may be absent, which a nil pointer is.
func option[T any](f *form, name string, v **T, l leaf[T]) {
	switch f.mode {
	case writing:
		if f.out = codec.AppendBool(f.out, *v != nil); *v != nil {
			f.out = l.write(f.out, **v)
		}
	case reading:
		if *v = nil; f.in.Option() {
			read := l.read(f.in)
			*v = &read
		}
	case showing:
		if *v != nil {
			f.show(name, l.show(**v))
		}
	case taking:
		if _, ok := f.given(name); ok {
			*v = new(T)
			one(f, name, *v, l)
		}
	}
}

// several is a list of values.
func several[T any](f *form, name string, list *[]T, most int, l leaf[T]) {
	switch f.mode {
	case writing:
		f.out = codec.AppendLen(f.out, len(*list))
		for _, v := range *list {
			f.out = l.write(f.out, v)
		}
	case reading:
		*list = nil
		for n := f.in.Len(0, most, 1); n > 0; n-- {
			*list = append(*list, l.read(f.in))
		}
	case showing:
		all := make([]any, len(*list))
		for i, v := range *list {
			all[i] = l.show(v)
		}
		f.show(name, all)
	case taking:
		given, ok := f.given(name)
		if !ok {
			return
		}
		all, ok := given.([]any)
		if !ok || len(all) > most {
			f.fail(name, "is a list of at most %d", most)
			return
		}
		*list = nil
		for _, v := range all {
			taken, ok := l.take(v)
			if !ok {
				f.fail(name, "holds %s", l.what)
				return
			}
			*list = append(*list, taken)
		}
	}
}

// within shows the fields of a part to a form of the same mode.
func (f *form) within(name string, fields func(f *form), ignored ...string) {
	inner := &form{mode: f.mode, in: f.in, out: f.out, path: f.path + name + "."}
	if f.mode == taking {
		given, ok := f.given(name)
		if !ok {
			return
		}
		if inner.tree, ok = given.(cbor.Map); !ok {
			f.fail(name, "is a map")
			return
		}
	}
	fields(inner)
	switch f.mode {
	case writing:
		f.out = inner.out
	case showing:
		f.show(name, inner.tree)
	case taking:
		if inner.close(ignored...); inner.err != nil && f.err == nil {
			f.err = inner.err
		}
	}
}

// part is a part that may be absent, which a nil pointer is.
func part[T any](f *form, name string, v **T, fields func(v *T, f *form)) {
	switch f.mode {
	case writing:
		if f.out = codec.AppendBool(f.out, *v != nil); *v == nil {
			return
		}
	case reading:
		if *v = nil; !f.in.Option() {
			return
		}
		*v = new(T)
	case showing:
		if *v == nil {
			return
		}
	case taking:
		if _, ok := f.given(name); !ok {
			return
		}
		*v = new(T)
	}
	f.within(name, func(f *form) { fields(*v, f) })
}

// parts is a leaf for lists of parts.
func parts[T any](fields func(v *T, f *form)) leaf[T] {
	return leaf[T]{
		write: func(dst []byte, v T) []byte {
			f := &form{mode: writing, out: dst}
			fields(&v, f)
			return f.out
		},
		read: func(r *codec.Reader) (v T) {
			fields(&v, &form{mode: reading, in: r})
			return v
		},
		show: func(v T) any {
			f := &form{mode: showing}
			fields(&v, f)
			return f.tree
		},
		take: func(given any) (v T, ok bool) {
			f := &form{mode: taking}
			if f.tree, ok = given.(cbor.Map); !ok {
				return v, false
			}
			fields(&v, f)
			f.close()
			return v, f.err == nil
		},
		what: "maps with the fields of their kind",
	}
}

func unsigned[T ~uint8 | ~uint32 | ~uint64](most uint64) leaf[T] {
	return leaf[T]{
		write: func(dst []byte, v T) []byte { return codec.AppendUint(dst, uint64(v)) },
		read: func(r *codec.Reader) T {
			n := r.Uint()
			if r.Err() == nil && n > most {
				r.Fail(codec.ErrInvalid, n)
			}
			return T(n)
		},
		show: func(v T) any {
			if uint64(v) <= math.MaxInt64 {
				return int64(v)
			}
			return new(big.Int).SetUint64(uint64(v))
		},
		take: func(v any) (T, bool) {
			n, ok := unsignedOf(v)
			return T(n), ok && n <= most
		},
		what: "a whole number of at most " + new(big.Int).SetUint64(most).String(),
	}
}

func unsignedOf(v any) (uint64, bool) {
	switch x := v.(type) {
	case int64:
		return uint64(x), x >= 0
	case *big.Int:
		return x.Uint64(), x.IsUint64()
	case string:
		n, ok := new(big.Int).SetString(x, 10)
		if ok && isDigits(x) && len(x) <= 20 {
			return n.Uint64(), n.IsUint64()
		}
	}
	return 0, false
}

func u64() leaf[uint64] { return unsigned[uint64](math.MaxUint64) }

func u32() leaf[uint32] { return unsigned[uint32](math.MaxUint32) }

func truth() leaf[bool] {
	return leaf[bool]{
		codec.AppendBool, (*codec.Reader).Bool, func(v bool) any { return v }, func(v any) (bool, bool) { b, ok := v.(bool); return b, ok }, "true or false",
	}
}

func decimal() leaf[Decimal] {
	return leaf[Decimal]{
		func(dst []byte, v Decimal) []byte { return v.Append(dst) }, readDecimal, func(v Decimal) any { return v.String() },
		func(v any) (Decimal, bool) { d, err := decimalOf(v); return d, err == nil }, errDecimal.Error(),
	}
}

// text is UTF-8 of at most so many bytes.
func text(most int) leaf[string] {
	return leaf[string]{
		write: func(dst []byte, v string) []byte { return codec.AppendBytes(dst, []byte(v)) },
		read: func(r *codec.Reader) string {
			b := r.Bytes(most)
			if r.Err() == nil && !utf8.Valid(b) {
				r.Fail(codec.ErrInvalid, 0)
			}
			return string(b)
		},
		show: func(v string) any { return v },
		take: func(v any) (string, bool) {
			s, ok := v.(string)
			return s, ok && len(s) <= most && utf8.ValidString(s)
		},
		what: "text of at most " + big.NewInt(int64(most)).String() + " bytes",
	}
}

// structured is text that holds a JSON value: a tree may have the value itself instead.
func structured(most int) leaf[string] {
	l := text(most)
	plain := l.take
	l.take = func(v any) (string, bool) {
		if s, ok := v.(string); ok {
			return plain(s)
		}
		raw, err := appendJSON(nil, v)
		return string(raw), err == nil && len(raw) <= most
	}
	l.what = "a JSON value of at most " + big.NewInt(int64(most)).String() + " bytes, without floats in CBOR"
	return l
}

// octets is bytes: of a length that is no less than least and no more than most.
func octets(least, most int) leaf[[]byte] {
	return leaf[[]byte]{
		write: func(dst, v []byte) []byte { return codec.AppendBytes(dst, v) },
		read:  func(r *codec.Reader) []byte { return append([]byte{}, r.Bytes(most)...) },
		show:  func(v []byte) any { return v },
		take: func(v any) ([]byte, bool) {
			b, ok := bytesOf(v)
			return b, ok && len(b) >= least && len(b) <= most
		},
		what: "bytes, in hexadecimal or a list of numbers",
	}
}

// fixed is an array of bytes.
func fixed[T any](size int, to func(b []byte) T, from func(v T) []byte) leaf[T] {
	raw := octets(size, size)
	return leaf[T]{
		write: func(dst []byte, v T) []byte { return codec.AppendFixed(dst, from(v)) },
		read: func(r *codec.Reader) (v T) {
			if b := r.Fixed(size); r.Err() == nil {
				v = to(b)
			}
			return v
		},
		show: func(v T) any { return append([]byte{}, from(v)...) },
		take: func(v any) (taken T, ok bool) {
			b, ok := raw.take(v)
			if ok {
				taken = to(b)
			}
			return taken, ok
		},
		what: big.NewInt(int64(size)).String() + " bytes, in hexadecimal or a list of numbers",
	}
}

// bytesOf reads bytes as CBOR has them, as hexadecimal digits, or as a list of numbers.
func bytesOf(v any) ([]byte, bool) {
	switch x := v.(type) {
	case []byte:
		return x, true
	case string:
		b, err := hex.DecodeString(strings.TrimPrefix(x, "0x"))
		return b, err == nil
	case []any:
		b := make([]byte, len(x))
		for i, v := range x {
			n, ok := v.(int64)
			if !ok || n < 0 || n > math.MaxUint8 {
				return nil, false
			}
			b[i] = byte(n)
		}
		return b, true
	}
	return nil, false
}

// named is one of a list of names, which a tree may spell in any case and with underscores, or number.
func named[T ~uint8](names []string) leaf[T] {
	return leaf[T]{
		write: func(dst []byte, v T) []byte { return codec.AppendU8(dst, uint8(v)) },
		read:  func(r *codec.Reader) T { return T(r.Tag(uint8(len(names)))) },
		show:  func(v T) any { return names[v] },
		take: func(v any) (T, bool) {
			if n, ok := v.(int64); ok && n >= 0 && n < int64(len(names)) {
				return T(n), true
			}
			s, _ := v.(string)
			at := slices.IndexFunc(names, func(n string) bool { return plainName(n) == plainName(s) })
			return T(max(at, 0)), at >= 0
		},
		what: "one of " + strings.Join(names, ", "),
	}
}

func plainName(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "") }

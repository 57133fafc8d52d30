package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Append appends the canonical encoding.
//
// Spec: WP §2.5; runner-marketplace §2.1 (canonical binary codec).
func (s *Spec) Append(dst []byte) []byte {
	f := &form{mode: writing, out: dst}
	s.fields(f)
	return f.out
}

// Decode reads what Append wrote, and checks it. Errors are of ErrSpec.
func Decode(data []byte) (*Spec, error) {
	if len(data) > MaxSpecBytes {
		return nil, invalid("job", "has %d bytes, and may have %d", len(data), MaxSpecBytes)
	}
	r, s := codec.NewReader(data), new(Spec)
	s.fields(&form{mode: reading, in: r})
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	return s, s.Check()
}

// take reads a tree of plain values and checks what it says.
func take(v any) (*Spec, error) {
	m, ok := v.(cbor.Map)
	if !ok {
		return nil, invalid("job", "is a map")
	}
	s := defaults()
	f := &form{mode: taking, tree: m}
	s.fields(f)
	f.close()
	if s.Kind == HTTP {
		s.HTTP.Extraction.hold(f, &s.Schema)
	}
	if f.err != nil {
		return nil, f.err
	}
	return s, s.Check()
}

func (s *Spec) tree() cbor.Map {
	f := &form{mode: showing}
	s.fields(f)
	return f.tree
}

// FromCBOR reads the form of the SDK. Errors are of ErrSpec.
//
// Spec: runner-marketplace §2.1; sdk §15.
func FromCBOR(data []byte) (*Spec, error) {
	v, err := cbor.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	return take(v)
}

// CBOR is the form of the SDK. An error of package cbor is for a specification that Check refuses.
func (s *Spec) CBOR() ([]byte, error) { return cbor.Append(nil, s.tree()) }

// FromJSON reads the form of commands and of the node's interface. Errors are of ErrSpec.
//
// Spec: node-rpc-cli §4.1; runner-marketplace §2.1.
func FromJSON(data []byte) (*Spec, error) {
	v, err := parseJSON(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	return take(v)
}

// JSON is the form of the node's interface: bytes in hexadecimal with 0x, decimals as text.
func (s *Spec) JSON() ([]byte, error) { return appendJSON(nil, s.tree()) }

// Structure reads a JSON object or array as an actor gets it: numbers with a fraction as text, since no float is in a canonical encoding. ok is false for
// anything else.
func Structure(data []byte) (v any, ok bool) {
	v, err := parseJSON(data)
	if err != nil {
		return nil, false
	}
	return plainOf(v)
}

// plainOf makes plain values of what parseJSON gives.
func plainOf(v any) (any, bool) {
	switch v := v.(type) {
	case cbor.Map:
		for i := range v {
			v[i].Value = withoutNumbers(v[i].Value)
		}
		return v, true
	case []any:
		for i := range v {
			v[i] = withoutNumbers(v[i])
		}
		return v, true
	}
	return nil, false
}

func withoutNumbers(v any) any {
	if n, ok := v.(number); ok {
		return string(n)
	}
	plainOf(v)
	return v
}

// maxDepth bounds how deep a JSON value is nested, as package cbor bounds its own.
const maxDepth = 32

var (
	errTwice = errors.New("a name stands twice in an object")
	errDepth = errors.New("too many levels")
	errFloat = errors.New("a float, or another value JSON has no canonical form for")
	errRest  = errors.New("something stands behind the value")
)

// parseJSON reads JSON into plain values. Integers are int64 or *big.Int, other numbers keep their text.
func parseJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := nextJSON(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errRest
	}
	return v, nil
}

func nextJSON(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Number:
		return numberOf(string(t)), nil
	case json.Delim:
		if t == '[' {
			return listOf(d, depth)
		}
		return mapOf(d, depth)
	}
	return token, nil
}

func numberOf(text string) any {
	if strings.ContainsAny(text, ".eE") || len(text) > 100 {
		return number(text)
	}
	n, _ := new(big.Int).SetString(text, 10)
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

func listOf(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := nextJSON(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func mapOf(d *json.Decoder, depth int) (any, error) {
	m, seen := cbor.Map{}, map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name := key.(string) // the decoder lets nothing else be a key
		if seen[name] {
			return nil, errTwice
		}
		seen[name] = true
		v, err := nextJSON(d, depth+1)
		if err != nil {
			return nil, err
		}
		m = append(m, cbor.Pair{Key: name, Value: v})
	}
	_, err := d.Token()
	return m, err
}

// appendJSON writes plain values as JSON without spaces, the keys of every map ascending.
func appendJSON(dst []byte, v any) ([]byte, error) {
	switch x := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return fmt.Appendf(dst, "%t", x), nil
	case int64:
		return fmt.Appendf(dst, "%d", x), nil
	case *big.Int:
		return x.Append(dst, 10), nil
	case number:
		return append(dst, x...), nil
	case []byte:
		return fmt.Appendf(dst, `"0x%x"`, x), nil
	case string:
		return appendText(dst, x), nil
	case []any:
		return appendList(dst, x)
	case cbor.Map:
		return appendMap(dst, x)
	}
	return dst, errFloat
}

func appendList(dst []byte, list []any) (_ []byte, err error) {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendJSON(dst, v); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendMap(dst []byte, m cbor.Map) (_ []byte, err error) {
	sorted := slices.Clone(m)
	for _, p := range sorted {
		if _, ok := p.Key.(string); !ok {
			return dst, errFloat
		}
	}
	slices.SortFunc(sorted, func(a, b cbor.Pair) int { return strings.Compare(a.Key.(string), b.Key.(string)) })
	dst = append(dst, '{')
	for i, p := range sorted {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, p.Key.(string)), ':')
		if dst, err = appendJSON(dst, p.Value); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendText writes a JSON string: quotes, backslashes and control characters escaped, everything else as it is.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

package jsontext

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// reader is the smallest JSON reader on top of the scanner.
type reader struct {
	s      []rune
	strict bool
}

func (r *reader) value(i int) (any, int, *Error) {
	token, end := Scan(r.s, i)
	text := func() string { return string(r.s[i:end]) }
	switch token {
	case StringStart:
		return r.str(end)
	case ObjectStart:
		return r.object(end)
	case ArrayStart:
		return r.array(end)
	case Null:
		return nil, end, nil
	case True, False:
		return token == True, end, nil
	case Integer:
		return []any{"int", text()}, end, nil
	case Real:
		return []any{"float", text()}, end, nil
	case NaN, Infinity, NegativeInfinity:
		return []any{"const", text()}, end, nil
	default:
		return nil, 0, &Error{ExpectingValue, i}
	}
}

func (r *reader) str(i int) (any, int, *Error) {
	end, next, decoded, escaped, err := String(r.s, i, r.strict, nil)
	if err != nil {
		return nil, 0, err
	}
	if !escaped {
		decoded = r.s[i:end]
	}
	out := []any{"s"}
	for _, c := range decoded {
		out = append(out, c)
	}
	return out, next, nil
}

func (r *reader) array(i int) (any, int, *Error) {
	out := []any{"["}
	if i = SkipSpace(r.s, i); i < len(r.s) && r.s[i] == ']' {
		return out, i + 1, nil
	}
	for {
		v, next, err := r.value(i)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, v)
		i = SkipSpace(r.s, next)
		if i < len(r.s) && r.s[i] == ']' {
			return out, i + 1, nil
		}
		if i >= len(r.s) || r.s[i] != ',' {
			return nil, 0, &Error{ExpectingComma, i}
		}
		i = SkipSpace(r.s, i+1)
	}
}

func (r *reader) object(i int) (any, int, *Error) {
	out := []any{"{"}
	if i = SkipSpace(r.s, i); i < len(r.s) && r.s[i] == '}' {
		return out, i + 1, nil
	}
	at := map[string]int{}
	for {
		if i >= len(r.s) || r.s[i] != '"' {
			return nil, 0, &Error{ExpectingName, i}
		}
		key, next, err := r.str(i + 1)
		if err != nil {
			return nil, 0, err
		}
		if i = SkipSpace(r.s, next); i >= len(r.s) || r.s[i] != ':' {
			return nil, 0, &Error{ExpectingColon, i}
		}
		v, next, err := r.value(SkipSpace(r.s, i+1))
		if err != nil {
			return nil, 0, err
		}
		id, _ := json.Marshal(key)
		if k, ok := at[string(id)]; ok {
			out[k] = []any{key, v}
		} else {
			at[string(id)] = len(out)
			out = append(out, []any{key, v})
		}
		i = SkipSpace(r.s, next)
		if i < len(r.s) && r.s[i] == '}' {
			return out, i + 1, nil
		}
		if i >= len(r.s) || r.s[i] != ',' {
			return nil, 0, &Error{ExpectingComma, i}
		}
		i = SkipSpace(r.s, i+1)
	}
}

func (r *reader) document() any {
	v, i, err := any(nil), 0, (*Error)(nil)
	if len(r.s) > 0 && r.s[0] == 0xFEFF {
		err = &Error{ByteOrderMark, 0}
	} else if v, i, err = r.value(SkipSpace(r.s, 0)); err == nil {
		if i = SkipSpace(r.s, i); i != len(r.s) {
			err = &Error{ExtraData, i}
		}
	}
	if err != nil {
		line, column := Position(r.s, err.At)
		return []any{"error", err.Message, err.At, line, column}
	}
	return v
}

// Spec: Python 3.11 library reference, json.
func TestRecordedCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]any
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, row := range rows {
		doc := row[1].(string)
		var got any
		if row[0] == "decode" {
			got = (&reader{[]rune(doc), row[2].(bool)}).document()
		} else {
			out := AppendQuoted([]rune(nil), []rune(doc), row[2].(bool))
			if n := QuotedLen([]rune(doc), row[2].(bool)); n != len(out) {
				t.Errorf("QuotedLen(%q) = %d, want %d", doc, n, len(out))
			}
			got = string(out)
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(row[3])
		if string(g) != string(w) {
			t.Errorf("%s %q strict/ascii %v:\n got %s\nwant %s", row[0], doc, row[2], g, w)
			if failures++; failures > 20 {
				t.Fatal("too many failures")
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add(`{"a":[1,2.5e3,"\u00e9\ud83d\ude00",null,true]}`)
	f.Fuzz(func(t *testing.T, doc string) {
		got := (&reader{[]rune(doc), true}).document()
		failed := false
		if a, ok := got.([]any); ok && len(a) > 0 && a[0] == "error" {
			failed = true
			if at := a[2].(int); at < 0 || at > len([]rune(doc)) {
				t.Fatalf("%q: error at %d", doc, at)
			}
		}
		// What Go's own strict decoder accepts, the scanner accepts.
		var v any
		if json.Unmarshal([]byte(doc), &v) == nil && failed && !strings.ContainsRune(doc, 0xFEFF) {
			t.Fatalf("%q: %v", doc, got)
		}
	})
}

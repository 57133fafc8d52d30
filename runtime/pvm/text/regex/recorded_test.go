package regex

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

const plenty = 1 << 40

func raised(err error) any {
	var bad *Error
	var flag *FlagError
	var index *IndexError
	switch {
	case errors.As(err, &bad):
		return []any{"error", bad.Message, bad.At}
	case errors.As(err, &flag):
		return []any{"ValueError", flag.Message, -1}
	case errors.As(err, &index):
		return []any{"IndexError", index.Message, -1}
	case err == ErrRepeat:
		return []any{"OverflowError", err.Error(), -1}
	default:
		return []any{"?", err.Error(), -1}
	}
}

func spans(m *Matcher) []int {
	out := []int{m.LastGroup()}
	for g := 0; g <= m.prog.groups; g++ {
		a, b := m.Span(g)
		out = append(out, a, b)
	}
	return out
}

type asker[T text.Unit] struct {
	t    *testing.T
	prog *Program
	s    []T
}

func (a asker[T]) string(lo, hi int) string {
	out := []rune{}
	for _, u := range a.s[lo:hi] {
		out = append(out, rune(u))
	}
	return string(out)
}

func (a asker[T]) run(s []T, start int, mode Mode) any {
	m := NewMatcher(a.prog, plenty)
	ok, err := Run(m, s, start, mode, false)
	if err != nil {
		a.t.Fatal(err)
	}
	if !ok {
		return nil
	}
	return spans(m)
}

func (a asker[T]) each(visit func(m *Matcher)) {
	m := NewMatcher(a.prog, plenty)
	var scan Scan
	for {
		ok, err := Next(&scan, m, a.s, Search)
		if err != nil {
			a.t.Fatal(err)
		}
		if !ok {
			return
		}
		visit(m)
	}
}

func (a asker[T]) answer(template *string, isBytes bool) any {
	found := []any{}
	a.each(func(m *Matcher) { found = append(found, spans(m)) })
	split, last := []any{}, 0
	a.each(func(m *Matcher) {
		lo, hi := m.Span(0)
		split = append(split, a.string(last, lo))
		for g := 1; g <= a.prog.groups; g++ {
			if x, y := m.Span(g); x >= 0 {
				split = append(split, a.string(x, y))
			} else {
				split = append(split, nil)
			}
		}
		last = hi
	})
	split = append(split, a.string(last, len(a.s)))
	out := []any{a.run(a.s, 0, Search), a.run(a.s, 0, Match), a.run(a.s, 0, FullMatch), found, split}
	if template != nil {
		out = append(out, []any{*template, a.sub(*template, isBytes)})
	}
	if len(a.s) > 1 {
		out = append(out, []any{a.run(a.s, 1, Search), a.run(a.s[:len(a.s)-1], 1, Match)})
	}
	return out
}

func (a asker[T]) sub(template string, isBytes bool) any {
	parts, err := ParseTemplate([]rune(template), !isBytes, a.prog)
	if err != nil {
		return raised(err)
	}
	out, last := []T{}, 0
	a.each(func(m *Matcher) {
		lo, hi := m.Span(0)
		out = append(out, a.s[last:lo]...)
		out = Expand(out, parts, m, a.s)
		last = hi
	})
	out = append(out, a.s[last:]...)
	return asker[T]{s: out}.string(0, len(out))
}

func bytesOf(s string) []byte {
	out := []byte{}
	for _, r := range s {
		out = append(out, byte(r))
	}
	return out
}

// Spec: Python 3.11 library reference, re; issue "re is our own metered matcher".
func TestRecordedCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]any
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, row := range rows {
		pattern, flags, isBytes, subject := row[0].(string), Flags(row[1].(float64)), row[2].(bool), row[3].(string)
		var got any
		prog, err := Compile([]rune(pattern), !isBytes, flags)
		var template *string
		if answers := row[4].([]any); len(answers) > 5 {
			if with := answers[5].([]any); len(with) == 2 {
				if s, ok := with[0].(string); ok {
					template = &s
				}
			}
		}
		switch {
		case err != nil:
			got = raised(err)
		case text.IsASCII(subject) || isBytes:
			got = asker[byte]{t, prog, bytesOf(subject)}.answer(template, isBytes)
		default:
			got = asker[rune]{t, prog, []rune(subject)}.answer(template, isBytes)
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(row[4])
		if string(g) != string(w) {
			t.Errorf("%q flags %d bytes %v on %q:\n got %s\nwant %s", pattern, flags, isBytes, subject, g, w)
			if failures++; failures > 20 {
				t.Fatal("too many failures")
			}
		}
	}
}

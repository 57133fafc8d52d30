package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"testing"
)

func big10(s string) *big.Int {
	i, _ := new(big.Int).SetString(s, 10)
	return i
}

func double(s string) uint64 {
	bits, _ := strconv.ParseUint(s, 16, 64)
	return bits
}

// raised shows an error as the recorder shows an exception.
func raised(err error) string {
	switch err {
	case ErrCharRange, ErrCharSize:
		return "OverflowError: " + err.Error()
	}
	return "ValueError: " + err.Error()
}

func formatInt(spec string, i *big.Int) (string, error) {
	s, err := Parse([]rune(spec), IntegerType, RightAlign, "int")
	if err != nil {
		return "", err
	}
	if !s.IsIntegerType() {
		return "", s.UnknownType("int")
	}
	if err := s.CheckInteger(); err != nil {
		return "", err
	}
	out, err := AppendBig([]rune(nil), s, i)
	return string(out), err
}

func formatFloat(spec string, bits uint64) (string, error) {
	s, err := Parse([]rune(spec), FloatType, RightAlign, "float")
	if err != nil {
		return "", err
	}
	if err := s.CheckFloat("float"); err != nil {
		return "", err
	}
	out := AppendFloat([]rune(nil), s, bits)
	if int64(len(out)) > s.FloatLen() {
		return "", errors.New("FloatLen is too small")
	}
	return string(out), nil
}

func formatComplex(spec string, re, im uint64) (string, error) {
	s, err := Parse([]rune(spec), FloatType, RightAlign, "complex")
	if err != nil {
		return "", err
	}
	if err := s.CheckComplex("complex"); err != nil {
		return "", err
	}
	return string(AppendComplex([]rune(nil), s, re, im)), nil
}

func formatString(spec, value string) (string, error) {
	s, err := Parse([]rune(spec), StringType, LeftAlign, "str")
	if err != nil {
		return "", err
	}
	if err := s.CheckString("str"); err != nil {
		return "", err
	}
	out := AppendString([]rune(nil), s, []rune(value))
	if int64(len(out)) != s.StringLen(len([]rune(value))) {
		return "", errors.New("StringLen is wrong")
	}
	return string(out), nil
}

func percent(f string, apply func(c *Conversion) string) (string, error) {
	c, next, err := ParseConversion([]rune(f), 0, false)
	if err != nil {
		return "", err
	}
	if next != len([]rune(f)) {
		return "", fmt.Errorf("parsed %d of %q", next, f)
	}
	return apply(&c), nil
}

// fieldFormat is str.format with the arguments 3 and 4 and a=5, on top of the parsers.
type fieldFormat struct {
	auto, manual bool
	next         int64
}

func (f *fieldFormat) run(format []rune, depth int) (string, error) {
	if depth == 0 {
		return "", ErrNesting
	}
	out := ""
	for at := 0; at < len(format); {
		p, next, err := ParsePiece(format, at)
		if err != nil {
			return "", err
		}
		out += string(format[p.Literal.Start:p.Literal.End])
		if p.HasField {
			text, err := f.field(format, p, depth)
			if err != nil {
				return "", err
			}
			out += text
		}
		at = next
	}
	return out, nil
}

func (f *fieldFormat) field(format []rune, p Piece, depth int) (string, error) {
	first, rest, err := ParseFirst(format, p.Name)
	if err != nil {
		return "", err
	}
	value := int64(0)
	switch {
	case first.IsEmpty:
		if f.manual {
			return "", ErrToAutomatic
		}
		f.auto = true
		value = 3 + f.next
		f.next++
	case first.Index >= 0:
		if f.auto {
			return "", ErrToManual
		}
		f.manual = true
		value = 3 + first.Index
	default:
		value = 5
	}
	for rest < p.Name.End {
		if _, rest, err = ParseAccessor(format, rest, p.Name.End); err != nil {
			return "", err
		}
	}
	spec := string(format[p.Spec.Start:p.Spec.End])
	if p.Nested {
		if spec, err = f.run([]rune(spec), depth-1); err != nil {
			return "", err
		}
	}
	if p.Conversion != 0 {
		return formatString(spec, strconv.FormatInt(value, 10))
	}
	return formatInt(spec, big.NewInt(value))
}

var answers = map[string]func(a []string) (string, error){
	"int":     func(a []string) (string, error) { return formatInt(a[0], big10(a[1])) },
	"float":   func(a []string) (string, error) { return formatFloat(a[0], double(a[1])) },
	"complex": func(a []string) (string, error) { return formatComplex(a[0], double(a[1]), double(a[2])) },
	"str":     func(a []string) (string, error) { return formatString(a[0], a[1]) },
	"%int": func(a []string) (string, error) {
		return percent(a[0], func(c *Conversion) string { return string(c.AppendBig(nil, big10(a[1]))) })
	},
	"%float": func(a []string) (string, error) {
		return percent(a[0], func(c *Conversion) string { return string(c.AppendFloat(nil, double(a[1]))) })
	},
	"%str": func(a []string) (string, error) {
		return percent(a[0], func(c *Conversion) string { return string(AppendText([]rune(nil), c, []rune(a[1]))) })
	},
	"%bad": func(a []string) (string, error) {
		c, _, err := ParseConversion([]rune(a[0]), 0, false)
		if err == nil {
			err = c.Unsupported()
		}
		if c.Precision > 1<<31-1 {
			err = errorf("precision too big")
		}
		return "", err
	},
	"fields": func(a []string) (string, error) { return new(fieldFormat).run([]rune(a[0]), MaxNesting) },
}

// Spec: Python 3.11 library reference, "Format Specification Mini-Language", "printf-style String Formatting", "Format
// String Syntax".
func TestRecordedCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, row := range rows {
		want := row[len(row)-1]
		got, err := answers[row[0]](row[1 : len(row)-1])
		if err != nil {
			got = raised(err)
		}
		if got != want {
			t.Errorf("%q = %q, want %q", row[:len(row)-1], got, want)
			if failures++; failures > 30 {
				t.Fatal("too many failures")
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("*^+#012,.3f")
	f.Add("{0[a].b!r:>{1}}")
	f.Add("%(k)-+ #05.*d")
	f.Fuzz(func(t *testing.T, s string) {
		r := []rune(s)
		_, _ = Parse(r, IntegerType, RightAlign, "int")
		for at := 0; at < len(r); {
			_, next, err := ParsePiece(r, at)
			if err != nil {
				break
			}
			if next <= at {
				t.Fatalf("no progress in %q at %d", s, at)
			}
			at = next
		}
		if len(r) > 0 {
			_, _, _ = ParseConversion(r, 0, false)
		}
	})
}

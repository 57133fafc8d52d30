package text

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

// one wraps a predicate or mapping of a character as the bytes gen/record.py hashes.
func bit(is func(rune) bool) func(rune) []byte {
	return func(r rune) []byte {
		if is(r) {
			return []byte("1")
		}
		return []byte("0")
	}
}

func wide(f func([]rune) []rune) func(rune) []byte {
	return func(r rune) []byte {
		var out []byte
		for _, x := range f([]rune{r}) {
			out = binary.LittleEndian.AppendUint32(out, uint32(x))
		}
		return append(out, ';')
	}
}

// Spec: WP "The Cowboy Actor VM (PVM)" (Unicode 14.0 tables of Python 3.11).
func TestEveryCodePointAgreesWithCPython(t *testing.T) {
	raw, err := os.ReadFile("testdata/characters.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	form := func(f Form) func([]rune) []rune {
		return func(s []rune) []rune { return Normalize(f, s) }
	}
	questions := map[string]func(rune) []byte{
		"isalpha": bit(IsAlpha), "isdecimal": bit(IsDecimal), "isdigit": bit(IsDigit), "isnumeric": bit(IsNumeric),
		"isalnum": bit(IsAlnum), "isspace": bit(IsSpace), "isprintable": bit(IsPrintable),
		"islower":    bit(func(r rune) bool { return IsLowerText([]rune{r}) }),
		"isupper":    bit(func(r rune) bool { return IsUpperText([]rune{r}) }),
		"istitle":    bit(func(r rune) bool { return IsTitleText([]rune{r}) }),
		"idstart":    bit(func(r rune) bool { return !IsSurrogate(r) && IsIDStart(r) }),
		"idcontinue": bit(func(r rune) bool { return !IsSurrogate(r) && IsIDContinue(r) }),
		"category":   func(r rune) []byte { return []byte(CategoryOf(r).String()) },
		"combining":  func(r rune) []byte { return []byte{CombiningClass(r)} },
		"decimal":    func(r rune) []byte { return []byte{byte(DecimalValue(r))} },
		"digit":      func(r rune) []byte { return []byte{byte(DigitValue(r))} },
		"upper":      wide(Upper), "lower": wide(Lower), "title": wide(Title), "casefold": wide(Fold),
		"swapcase": wide(SwapCase), "capitalize": wide(Capitalize),
		"NFC": wide(form(NFCForm)), "NFD": wide(form(NFDForm)), "NFKC": wide(form(NFKCForm)), "NFKD": wide(form(NFKDForm)),
		"repr":  wide(func(s []rune) []rune { return AppendQuoted([]rune(nil), s, false) }),
		"ascii": wide(func(s []rune) []rune { return AppendQuoted([]rune(nil), s, true) }),
	}
	if len(questions) != len(want) {
		t.Fatalf("%d questions, %d recorded answers", len(questions), len(want))
	}
	for name, answer := range questions {
		t.Run(name, func(t *testing.T) {
			h := sha256.New()
			for r := rune(0); r <= maxCodePoint; r++ {
				h.Write(answer(r))
			}
			if got := hex.EncodeToString(h.Sum(nil)); got != want[name] {
				t.Errorf("%s differs from CPython for some code point", name)
			}
		})
	}
}

func pieces[T Unit](s []T, spans Spans, backwards bool) any {
	out := []any{}
	for a, b := range spans {
		out = append(out, runesOf(s[a:b]))
	}
	if backwards {
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
	return out
}

func runesOf[T Unit](s []T) string {
	out := make([]rune, len(s))
	for i, u := range s {
		out[i] = rune(u)
	}
	return string(out)
}

func latin1(s string) []byte {
	var out []byte
	for _, r := range s {
		out = append(out, byte(r))
	}
	return out
}

type recorded struct {
	op   string
	args []any
	want any
}

func (c recorded) text(i int) []rune { return []rune(c.args[i].(string)) }
func (c recorded) raw(i int) []byte  { return latin1(c.args[i].(string)) }
func (c recorded) number(i int) int  { return int(c.args[i].(float64)) }

func (c recorded) stripped(sides Sides) any {
	s := c.text(0)
	a, b := StripSpace(s, sides, TextRules)
	return string(s[a:b])
}

var answers = map[string]func(c recorded) any{
	"NFC":        func(c recorded) any { return NFC(c.args[0].(string)) },
	"NFD":        func(c recorded) any { return NFD(c.args[0].(string)) },
	"NFKC":       func(c recorded) any { return NFKC(c.args[0].(string)) },
	"NFKD":       func(c recorded) any { return NFKD(c.args[0].(string)) },
	"upper":      func(c recorded) any { return string(Upper(c.text(0))) },
	"lower":      func(c recorded) any { return string(Lower(c.text(0))) },
	"title":      func(c recorded) any { return string(Title(c.text(0))) },
	"casefold":   func(c recorded) any { return string(Fold(c.text(0))) },
	"swapcase":   func(c recorded) any { return string(SwapCase(c.text(0))) },
	"capitalize": func(c recorded) any { return string(Capitalize(c.text(0))) },
	"islower":    func(c recorded) any { return IsLowerText(c.text(0)) },
	"isupper":    func(c recorded) any { return IsUpperText(c.text(0)) },
	"istitle":    func(c recorded) any { return IsTitleText(c.text(0)) },
	"find":       func(c recorded) any { return float64(Find(c.text(0), c.text(1))) },
	"rfind":      func(c recorded) any { return float64(RFind(c.text(0), c.text(1))) },
	"count":      func(c recorded) any { return float64(Count(c.text(0), c.text(1), -1)) },
	"replace": func(c recorded) any {
		s, old, with := c.text(0), c.text(1), c.text(2)
		n := Count(s, old, c.number(3))
		out := Replace(nil, s, old, with, n)
		if size, ok := ReplacedLen(len(s), len(old), len(with), n); !ok || size != len(out) {
			return "wrong ReplacedLen"
		}
		return string(out)
	},
	"split": func(c recorded) any { return pieces(c.text(0), Split(c.text(0), c.text(1), c.number(2)), false) },
	"rsplit": func(c recorded) any {
		return pieces(c.text(0), SplitFromRight(c.text(0), c.text(1), c.number(2)), true)
	},
	"fields": func(c recorded) any { return pieces(c.text(0), Fields(c.text(0), c.number(1), TextRules), false) },
	"rfields": func(c recorded) any {
		return pieces(c.text(0), FieldsFromRight(c.text(0), c.number(1), TextRules), true)
	},
	"bfields": func(c recorded) any { return pieces(c.raw(0), Fields(c.raw(0), c.number(1), BytesRules), false) },
	"brfields": func(c recorded) any {
		return pieces(c.raw(0), FieldsFromRight(c.raw(0), c.number(1), BytesRules), true)
	},
	"splitlines": func(c recorded) any { return pieces(c.text(0), Lines(c.text(0), c.args[1].(bool), TextRules), false) },
	"bsplitlines": func(c recorded) any {
		return pieces(c.raw(0), Lines(c.raw(0), c.args[1].(bool), BytesRules), false)
	},
	"strip":  func(c recorded) any { return c.stripped(BothSides) },
	"lstrip": func(c recorded) any { return c.stripped(LeftSide) },
	"rstrip": func(c recorded) any { return c.stripped(RightSide) },
	"stripset": func(c recorded) any {
		s := c.text(0)
		a, b := StripSet(s, NewSet(c.text(1)), BothSides)
		return string(s[a:b])
	},
	"expandtabs": func(c recorded) any {
		s := c.text(0)
		out := ExpandTabs(nil, s, c.number(1))
		if n, ok := ExpandedLen(s, c.number(1)); !ok || n != len(out) {
			return "wrong ExpandedLen"
		}
		return string(out)
	},
	"asciiupper":      func(c recorded) any { return string(UpperASCII(nil, c.raw(0))) },
	"asciilower":      func(c recorded) any { return string(LowerASCII(nil, c.raw(0))) },
	"asciititle":      func(c recorded) any { return string(TitleASCII(nil, c.raw(0))) },
	"asciiswapcase":   func(c recorded) any { return string(SwapASCII(nil, c.raw(0))) },
	"asciicapitalize": func(c recorded) any { return string(CapitalizeASCII(nil, c.raw(0))) },
	"center": func(c recorded) any {
		s := c.raw(0)
		left, right := CenterPad(len(s), c.number(1))
		for ; left > 0; left-- {
			s = append([]byte("*"), s...)
		}
		for ; right > 0; right-- {
			s = append(s, '*')
		}
		return string(s)
	},
	"zfill": func(c recorded) any { return string(ZeroFill(nil, c.raw(0), c.number(1))) },
	"repr":  func(c recorded) any { return string(AppendQuoted([]rune(nil), c.text(0), false)) },
	"ascii": func(c recorded) any { return string(AppendQuoted([]byte(nil), c.text(0), true)) },
	"brepr": func(c recorded) any {
		out := AppendQuotedBytes(nil, c.raw(0))
		if len(out) != QuotedBytesLen(c.raw(0)) {
			return "wrong QuotedBytesLen"
		}
		return string(out)
	},
	"decode": func(c recorded) any {
		_, err := AppendDecoded(nil, c.raw(0))
		if again := ValidUTF8(c.raw(0)); (err == nil) != (again == nil) || err != nil && *err != *again {
			return "AppendDecoded and ValidUTF8 differ"
		}
		if err == nil {
			return []any{-1.0, -1.0, ""}
		}
		return []any{float64(err.Start), float64(err.End), err.Reason}
	},
}

// Spec: Python 3.11 library reference, Text Sequence Type and Binary Sequence Types.
func TestRecordedCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][3]any
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, row := range rows {
		c := recorded{op: row[0].(string), args: row[1].([]any), want: row[2]}
		answer, ok := answers[c.op]
		if !ok {
			t.Fatalf("no answer for %q", c.op)
		}
		got, _ := json.Marshal(answer(c))
		want, _ := json.Marshal(c.want)
		if string(got) != string(want) {
			t.Errorf("%s%q = %s, want %s", c.op, c.args, got, want)
			if failures++; failures > 20 {
				t.Fatal("too many failures")
			}
		}
	}
}

package softfloat_test

import (
	"bufio"
	"math"
	"math/big"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// shortestCases are doubles at the edges of their rounding intervals.
func shortestCases(yield func(uint64)) {
	for e := range uint64(2047) { // the lower boundary of a power of two is special
		for _, f := range []uint64{0, 1, 2, 1<<52 - 1, 1<<52 - 2} {
			yield(e<<52 | f)
		}
	}
	for k := -323; k <= 308; k++ { // as near as doubles come to powers of ten
		x, _ := strconv.ParseFloat("1e"+strconv.Itoa(k), 64)
		for d := range uint64(9) {
			yield(math.Float64bits(x) + d - 4)
		}
	}
	for i := range uint64(3000) {
		yield(math.Float64bits(float64(i)))
		yield(math.Float64bits(float64(i) / 100))
		yield(math.Float64bits(0x1p53 + float64(i) - 1500))
	}
}

// goRepr turns the processor's double into digits and exponent with strconv.
func goShortest(x uint64) string { return strconv.FormatFloat(math.Float64frombits(x), 'e', -1, 64) }

// Spec: sdk §17.2.
func TestReprIsShortest(t *testing.T) {
	check := func(x uint64) {
		x &^= 1 << 63
		if !softfloat.IsFinite(x) || softfloat.IsZero(x) {
			return
		}
		d, e := softfloat.Shortest(x)
		digits := strconv.FormatUint(d, 10)
		got := digits[:1]
		if len(digits) > 1 {
			got += "." + digits[1:]
		}
		exp := strconv.Itoa(e + len(digits) - 1)
		mantissa, wantExp, _ := strings.Cut(goShortest(x), "e")
		n, _ := strconv.Atoi(wantExp)
		if got != mantissa || exp != strconv.Itoa(n) {
			t.Fatalf("Shortest(%#x) = %se%s, want %s", x, got, exp, goShortest(x))
		}
		back, err := softfloat.Parse(softfloat.Repr(x))
		if err != nil || back != x {
			t.Fatalf("Parse(Repr(%#x)) = %#x, %v", x, back, err)
		}
	}
	shortestCases(check)
	h := hard{rand.New(rand.NewSource(10))}
	for range rounds() {
		check(h.pattern())
		check(h.Uint64())
	}
}

func TestFormatEqualsAnIndependentConversion(t *testing.T) {
	h := hard{rand.New(rand.NewSource(11))}
	check := func(x uint64, precision int) {
		f := math.Float64frombits(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		for _, verb := range []byte{'e', 'f'} {
			want := strconv.FormatFloat(f, verb, precision, 64)
			if got := string(softfloat.Append(nil, x, verb, precision, 0)); got != want {
				t.Fatalf("Append(%#x, %c, %d) = %s, want %s", x, verb, precision, got, want)
			}
		}
	}
	for _, x := range special {
		for p := range 30 {
			check(x, p)
		}
	}
	shortestCases(func(x uint64) { check(x, h.Intn(20)) })
	for range rounds() / 2 {
		check(h.pattern(), h.Intn(22))
		check(math.Float64bits(float64(h.Intn(1<<20))/1024), h.Intn(11)) // ties
	}
	for range 300 {
		check(h.pattern(), h.Intn(1100))
	}
}

// The file holds lines "type flags precision bits result" recorded from
// CPython 3.11.7 by testdata/record.py.
func TestFormatRecordedFromCPython(t *testing.T) {
	eachRecord(t, "testdata/format.txt", 3, func(line string, fields []string) {
		x := parseBits(t, fields[1])
		spec := fields[0]
		flags := softfloat.FormatFlags(0)
		if strings.HasPrefix(spec, "#") {
			flags, spec = softfloat.Alternate, spec[1:]
		}
		var got string
		switch {
		case spec == "repr":
			got = softfloat.Repr(x)
		default:
			precision, verb := spec[1:len(spec)-1], spec[len(spec)-1]
			if verb == '_' { // no presentation type
				verb, flags = 'g', flags|softfloat.PointZero
			}
			n, err := strconv.Atoi(precision)
			if err != nil {
				t.Fatal(err)
			}
			got = string(softfloat.Append(nil, x, verb, n, flags))
		}
		if got != fields[2] {
			t.Errorf("%s: got %s", line, got)
		}
	})
}

// The file holds lines "ndigits bits bits-of-result" of CPython's round.
func TestRoundRecordedFromCPython(t *testing.T) {
	eachRecord(t, "testdata/round.txt", 3, func(line string, fields []string) {
		n, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		got, err := softfloat.Round(parseBits(t, fields[1]), n)
		if fields[2] == "overflow" {
			if err != softfloat.ErrRange {
				t.Errorf("%s: %#x, %v", line, got, err)
			}
			return
		}
		if err != nil || got != parseBits(t, fields[2]) {
			t.Errorf("%s: got %#x, %v", line, got, err)
		}
	})
}

// The file holds lines "text bits" of CPython's float.fromhex, and "! text"
// for texts it refuses; a text's hex() follows where there is a third field.
func TestHexRecordedFromCPython(t *testing.T) {
	eachRecord(t, "testdata/hex.txt", 2, func(line string, fields []string) {
		got, err := softfloat.FromHex(fields[0])
		switch fields[1] {
		case "syntax":
			if err != softfloat.ErrSyntax {
				t.Errorf("%s: got %#x, %v", line, got, err)
			}
		case "overflow":
			if err != softfloat.ErrOverflow {
				t.Errorf("%s: got %#x, %v", line, got, err)
			}
		default:
			want := parseBits(t, fields[1])
			if err != nil || got != want {
				t.Errorf("%s: got %#x, %v", line, got, err)
			}
			if len(fields) > 2 && softfloat.Hex(want) != fields[2] {
				t.Errorf("%s: Hex = %s", line, softfloat.Hex(want))
			}
		}
	})
}

func TestParseEqualsAnIndependentConversion(t *testing.T) {
	check := func(s string) {
		want, err := strconv.ParseFloat(s, 64)
		if err != nil && !math.IsInf(want, 0) {
			t.Fatalf("ParseFloat(%q): %v", s, err)
		}
		got, err := softfloat.Parse(s)
		if err != nil || got != math.Float64bits(want) {
			t.Fatalf("Parse(%q) = %#x, %v; want %#x", s, got, err, math.Float64bits(want))
		}
	}
	h := hard{rand.New(rand.NewSource(12))}
	for range rounds() {
		x := h.pattern() &^ (1 << 63)
		if !softfloat.IsFinite(x) {
			continue
		}
		f := math.Float64frombits(x)
		check(strconv.FormatFloat(f, 'e', h.Intn(25), 64))
		check(strconv.FormatUint(h.Uint64()>>uint(h.Intn(64)), 10) + "e" + strconv.Itoa(h.Intn(700)-350))
	}
	for range 2000 { // exactly half way between two doubles, and beside it
		x := h.pattern() &^ (1 << 63)
		if !softfloat.IsFinite(x) || x >= softfloat.Max {
			continue
		}
		a := new(big.Float).SetPrec(2000).SetFloat64(math.Float64frombits(x))
		b := new(big.Float).SetPrec(2000).SetFloat64(math.Float64frombits(x + 1))
		mid := a.Add(a, b).Quo(a, big.NewFloat(2)).Text('e', 780)
		check(mid)
		mantissa, exp, _ := strings.Cut(mid, "e")
		check(mantissa + strings.Repeat("0", 200) + "1e" + exp)
		trimmed := strings.TrimRight(mantissa, "0")
		if last := trimmed[len(trimmed)-1]; last != '.' {
			check(trimmed[:len(trimmed)-1] + string(last-1) + strings.Repeat("9", 300) + "e" + exp)
		}
	}
	for _, s := range []string{
		"2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308",
		"9007199254740993", "9007199254740993.00000000000000000000000000000000000000001", "1e400", "1e-400",
		"0e999999999999999999", "1e999999999999999999", "1e-999999999999999999", "." + strings.Repeat("0", 5000) + "1e5000",
		"." + strings.Repeat("9", 5000) + "e10", strings.Repeat("0", 400) + "1", "5e-324", "2.2250738585072011e-308",
		"2.2250738585072014e-308", "1" + strings.Repeat("0", 308), "1" + strings.Repeat("0", 309),
	} {
		check(s)
	}
}

func TestParseSyntax(t *testing.T) {
	for s, want := range map[string]float64{
		strings.Repeat("9", 5000) + "e-4990": 1e10,

		"1_0.0_1": 10.01, " 1.5\n": 1.5, "+.5": .5, "5.": 5, "-INFinity": math.Inf(-1), "\t-0\x1f": math.Copysign(0, -1),
		"1_0e1_0": 10e10, "1E+3": 1000, "00.1": 0.1, "Inf": math.Inf(1),
	} {
		t.Run(s, func(t *testing.T) {
			if got, err := softfloat.Parse(s); err != nil || got != math.Float64bits(want) {
				t.Errorf("Parse(%q) = %#x, %v", s, got, err)
			}
		})
	}
	for _, s := range []string{
		"", " ", "+", ".", "e5", "1e", "1e+", "1__0", "_1", "1_", "1_.0", "1._0", "1e_5", "1e5_", "1 2", "0x10", "1.2.3",
		"infinit", "nanx", "--1", "1e5.0", "\u00a01", "1\x00", "in_f",
	} {
		if got, err := softfloat.Parse(s); err != softfloat.ErrSyntax {
			t.Errorf("Parse(%q) = %#x, %v; want ErrSyntax", s, got, err)
		}
	}
	if got, err := softfloat.Parse("-nAn"); err != nil || got != softfloat.Neg(softfloat.NaN) {
		t.Errorf("Parse(-nan) = %#x, %v", got, err)
	}
}

// eachRecord calls f for each line of a file, split at blanks into at least n
// fields.
func eachRecord(t *testing.T, name string, n int, f func(line string, fields []string)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		fields := strings.Fields(scanner.Text())
		if len(fields) < n {
			t.Fatalf("%s: short line %q", name, scanner.Text())
		}
		f(scanner.Text(), fields)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

func parseBits(t *testing.T, s string) uint64 {
	t.Helper()
	x, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1.5e10", " 1_0 ", "-inf", "nan", "1e999999999", "0.1234567890123456789012345", "_", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := softfloat.Parse(s)
		plain := strings.Trim(strings.ToLower(s), " \t\n\v\f\r\x1c\x1d\x1e\x1f")
		want, wantErr := strconv.ParseFloat(plain, 64)
		if strings.ContainsAny(plain, "_xp") || len(s) > 700 {
			return // other rules in Go, which also loses count of long integer parts
		}
		if math.IsInf(want, 0) {
			wantErr = nil
		}
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("Parse(%q): %v, strconv: %v", s, err, wantErr)
		}
		if err == nil && !softfloat.IsNaN(got) && got != math.Float64bits(want) {
			t.Fatalf("Parse(%q) = %#x, want %#x", s, got, math.Float64bits(want))
		}
	})
}

func FuzzFromHex(f *testing.F) {
	for _, s := range []string{"0x1.8p1", "-.8p-1074", "inf", "0x", "1.fffffffffffff8p1023"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, err := softfloat.FromHex(s)
		if err != nil || softfloat.IsNaN(x) {
			return
		}
		if back, err := softfloat.FromHex(softfloat.Hex(x)); err != nil || back != x {
			t.Fatalf("FromHex(Hex(%#x)) = %#x, %v", x, back, err)
		}
	})
}

func BenchmarkText(b *testing.B) {
	u := operands(4096)
	texts := make([]string, len(u))
	for i := range u {
		texts[i] = softfloat.Repr(u[i])
	}
	buffer := make([]byte, 0, 64)
	b.Run("op=repr", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			buffer = softfloat.AppendRepr(buffer[:0], u[i&4095])
		}
	})
	b.Run("op=format/spec=.2f", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			buffer = softfloat.Append(buffer[:0], u[i&4095], 'f', 2, 0)
		}
	})
	b.Run("op=format/spec=.17g", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			buffer = softfloat.Append(buffer[:0], u[i&4095], 'g', 17, 0)
		}
	})
	b.Run("op=parse", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sinkBits, _ = softfloat.Parse(texts[i&4095])
		}
	})
	b.Run("op=round/ndigits=2", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sinkBits, _ = softfloat.Round(u[i&4095], 2)
		}
	})
}

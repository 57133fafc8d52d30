package softfloat_test

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

type unary func(x uint64) (uint64, error)

// total gives a function that never fails the signature of one that may.
func total(f func(uint64) uint64) unary {
	return func(x uint64) (uint64, error) { return f(x), nil }
}

func elementaryFunction(name string) unary {
	switch name {
	case "exp":
		return softfloat.Exp
	case "exp2":
		return softfloat.Exp2
	case "expm1":
		return softfloat.Expm1
	case "log":
		return softfloat.Log
	case "log2":
		return softfloat.Log2
	case "log10":
		return softfloat.Log10
	case "log1p":
		return softfloat.Log1p
	case "sin":
		return softfloat.Sin
	case "cos":
		return softfloat.Cos
	case "tan":
		return softfloat.Tan
	case "asin":
		return softfloat.Asin
	case "acos":
		return softfloat.Acos
	case "atan":
		return total(softfloat.Atan)
	case "sinh":
		return softfloat.Sinh
	case "cosh":
		return softfloat.Cosh
	case "tanh":
		return total(softfloat.Tanh)
	case "asinh":
		return total(softfloat.Asinh)
	case "acosh":
		return softfloat.Acosh
	case "atanh":
		return softfloat.Atanh
	case "cbrt":
		return total(softfloat.Cbrt)
	case "erf":
		return total(softfloat.Erf)
	case "erfc":
		return total(softfloat.Erfc)
	case "gamma":
		return softfloat.Gamma
	case "lgamma":
		return softfloat.LogGamma
	case "degrees":
		return total(softfloat.Degrees)
	case "radians":
		return total(softfloat.Radians)
	}
	return nil
}

func binaryFunction(name string) func(x, y uint64) (uint64, error) {
	switch name {
	case "pow":
		return softfloat.Pow
	case "atan2":
		return func(y, x uint64) (uint64, error) { return softfloat.Atan2(y, x), nil }
	case "hypot":
		return func(x, y uint64) (uint64, error) { return softfloat.Hypot(x, y), nil }
	}
	return nil
}

// testdata/elementary.txt was written by testdata/oracle.c: results of MPFR,
// which is correctly rounded by its own specification. A longer run of the same
// program can be named by SOFTFLOAT_ORACLE.
//
// Spec: sdk §17.2.
func TestElementaryFunctionsAreCorrectlyRounded(t *testing.T) {
	names := []string{"testdata/elementary.txt"}
	if more := os.Getenv("SOFTFLOAT_ORACLE"); more != "" {
		names = append(names, more)
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		checkOracle(t, file)
		_ = file.Close()
	}
}

func checkOracle(t *testing.T, r io.Reader) {
	counts := map[string]int{}
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		line := scanner.Text()
		fields := strings.Fields(line)
		args := make([]uint64, len(fields)-1)
		for i := range args {
			x, err := strconv.ParseUint(fields[i+1], 16, 64)
			if err != nil {
				t.Fatal(line)
			}
			args[i] = x
		}
		want := args[len(args)-1]
		var got uint64
		var err error
		if f := elementaryFunction(fields[0]); f != nil && len(args) == 2 {
			got, err = f(args[0])
		} else if g := binaryFunction(fields[0]); g != nil && len(args) == 3 {
			got, err = g(args[0], args[1])
		} else {
			t.Fatalf("no function for %q", line)
		}
		ok := got == want || softfloat.IsNaN(got) && softfloat.IsNaN(want)
		switch err {
		case softfloat.ErrRange:
			ok = softfloat.IsInf(want)
		case softfloat.ErrDomain: // poles are infinities in C
			ok = softfloat.IsNaN(want) || softfloat.IsInf(want)
		}
		counts[fields[0]]++
		if !ok {
			t.Errorf("%s: got %016x, %v", line, got, err)
			if counts["failed"]++; counts["failed"] > 40 {
				t.FailNow()
			}
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	if len(counts) < 20 && os.Getenv("SOFTFLOAT_ORACLE") == "" {
		t.Errorf("only %d functions covered", len(counts))
	}
}

func BenchmarkFunction(b *testing.B) {
	u := operands(4096)
	for i := range u {
		u[i] &^= 1 << 63
	}
	for _, name := range []string{
		"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh",
		"asinh", "cbrt", "erf", "erfc", "gamma", "lgamma", "degrees", "radians",
	} {
		f := elementaryFunction(name)
		b.Run("op="+name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				sinkBits, _ = f(u[i&4095])
			}
		})
	}
	for _, name := range []string{"pow", "atan2", "hypot"} {
		f := binaryFunction(name)
		b.Run("op="+name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				sinkBits, _ = f(u[i&4095], u[(i+7)&4095])
			}
		})
	}
	b.Run("op=fsum", func(b *testing.B) {
		var s softfloat.Sum
		for i := 0; i < b.N; i++ {
			s.Add(u[i&4095])
		}
		sinkBits, _ = s.Value()
	})
}

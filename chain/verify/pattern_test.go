package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Which expressions are taken. What a schema's own dialect has beyond RE2, and what rests on tables of Unicode, is refused.
//
// Spec: runner-marketplace §2.3 (JsonSchemaValid), §12 (InvalidConfig).
func TestPatternsThatAreTaken(t *testing.T) {
	for text, good := range map[string]bool{
		``: true, `^[a-z]+$`: true, `a|b`: true, `(?:ab)*`: true, `\d{3}-\d{4}`: true, `[[:alpha:]]`: true, `\(?i\)`: true, `[(?i)]`: true, `[]]`: true,
		`[^]a]+`: true, `\[(a)`: true, `[\]](b)`: true, `\x{1F600}`: true, `a{2,}`: true, `a+?`: true, `[[:alpha:]\d](c)`: true, `a{1000}`: false,
		`(?i)a`: false, `a(?i:b)`: false, `(?P<n>a)`: false, `(?<n>a)`: false, `(?=a)`: false, `(?!a)`: false, `(?<=a)b`: false, `(a)\1`: false,
		`\pL`: false, `\p{Greek}`: false, `[\pL]`: false, `(`: false, `a**`: false, `[b-a]`: false, `\Q[\E(?i)k]`: false, `[](?i)]`: true, `[a](?i)k`: false,
		`[[:alpha:](?i)]`: true, `[[:alpha:]](?i)`: false, `[[:](?i)`: false, `((a{10}){10}){10}`: false, `(a{20}){20}`: true,
		strings.Repeat("a", MaxPatternBytes): true, strings.Repeat("a", MaxPatternBytes+1): false, `a{255}b{255}`: true, `a{255}b{256}`: false,
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := readPattern(text); (err == nil) != good || err != nil && !errors.Is(err, ErrConfig) {
				t.Error(err)
			}
		})
	}
}

// A pattern is looked for anywhere in a text and says nothing about other values; the answers are those of ECMAScript, whose expressions
// JSON Schema has: node -p '/^a.c$/u.test("a\nc")'.
//
// Spec: runner-marketplace §2.3 (JsonSchemaValid); WP-January "SDK Verifier Functions" (regex_match).
func TestPatternsMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, value string
		want           bool
	}{
		{`b+`, `"abbc"`, true}, {`^b`, `"ab"`, false}, {`^a.c$`, `"abc"`, true}, {`^a.c$`, `"a\nc"`, false}, {`a$`, `"a\n"`, false}, {`^$`, `""`, true},
		{`\d{3}`, `"12"`, false}, {`\d{3}`, `"x123"`, true}, {`\d`, `"٣"`, false}, {`^.$`, `"é"`, true}, {`^..$`, `"é"`, false}, {`[^a]`, `"a"`, false},
		{`^(?:a|b){2}$`, `"ba"`, true}, {`^(?:a|b){2}$`, `"bac"`, false}, {`x`, `5`, true}, {`x`, `["y"]`, true}, {`\bcat\b`, `"a cat!"`, true},
		{`\bcat\b`, `"concat"`, false}, {`[Kk]`, `"\u212a"`, false}, {`(x+x+)+y`, `"` + strings.Repeat("x", 60) + `"`, false},
	} {
		t.Run(c.pattern+" "+c.value[:min(len(c.value), 9)], func(t *testing.T) {
			text, err := json.Marshal(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ParseSchema(fmt.Appendf(nil, `{"pattern":%s}`, text))
			if err != nil {
				t.Fatal(err)
			}
			v, err := ParseJSON([]byte(c.value))
			if err != nil || s.Valid(&v) != c.want {
				t.Errorf("%v, want %v: %v", !c.want, c.want, err)
			}
		})
	}
}

// The steps that are counted before a program is made are not fewer than the program's instructions.
//
// Spec: WP §5.3 (bounded verification).
func TestStepsBoundThePrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var grow func(depth int) string
	grow = func(depth int) string {
		if depth == 0 {
			return []string{"a", "bc", ".", "[a-f]", `\d`, `\w`, "^", `\b`, "", "é", "[^x]", "$"}[r.IntN(12)]
		}
		a, b := grow(depth-1), grow(depth-1)
		switch r.IntN(8) {
		case 0:
			return a + b
		case 1:
			return "(" + a + "|" + b + ")"
		case 2:
			return "(?:" + a + ")*"
		case 3:
			return "(" + a + ")+?" + b
		case 4:
			return "(?:" + a + ")?"
		case 5:
			return fmt.Sprintf("(?:%s){%d,%d}", a, r.IntN(4), 4+r.IntN(5))
		case 6:
			return fmt.Sprintf("(%s){%d,}", a, r.IntN(7))
		}
		return fmt.Sprintf("(?:%s){%d}", a, r.IntN(7))
	}
	taken := 0
	for range 20_000 {
		text := grow(r.IntN(5))
		steps, err := readPattern(text)
		if err != nil {
			continue
		}
		taken++
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(text, err)
		}
		program, err := syntax.Compile(tree.Simplify())
		if err != nil || len(program.Inst) > steps {
			t.Fatalf("%s: %d instructions, counted %d: %v", text, len(program.Inst), steps, err)
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d were taken", taken)
	}
}

// A schema has 1,024 steps at most; each result of 3 runners is matched once, at a step of the longest pattern for a byte.
//
// Spec: WP §5.3 (bounded verification); runner-marketplace §2.3, §12 (InvalidConfig).
func TestPatternsAreWork(t *testing.T) {
	list := func(n int) string { // each has 2 + 255 steps
		one := `{"pattern":"` + strings.Repeat("a", 255) + `"}`
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(`"%d":%s`, i, one)
		}
		return `{"properties":{` + strings.Join(names, ",") + `}}`
	}
	for name, c := range map[string]struct {
		schema string
		size   uint32
		good   bool
		steps  uint64
	}{
		"none":              {`{}`, 65_536, true, 0},
		"of five steps":     {`{"pattern":"abc"}`, 65_536, true, 5 * 65_536 * 3},
		"of six":            {`{"pattern":"abcd"}`, 65_536, false, 6 * 65_536 * 3},
		"the longest":       {`{"items":{"pattern":"abc"},"additionalProperties":{"pattern":"ab"}}`, 65_536, true, 5 * 65_536 * 3},
		"all of n":          {list(3), 2_000, true, 257 * 2_000 * 3},
		"of n bytes":        {list(3), 2_016, true, 257 * 2_016 * 3},
		"of n+1 bytes":      {list(3), 2_017, false, 257 * 2_017 * 3},
		"all of n+1":        {list(4), 1_000, false, 0},
		"of the empty text": {`{"pattern":""}`, 1_000, true, 3 * 1_000 * 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := plain(job.ModeMajorityVote)
			s.Schema.MaxReturnBytes, s.Schema.DataFormat, s.Verification.Runners = c.size, c.schema, 3
			if err := Check(s, Network{}); (err == nil) != c.good || err != nil && !errors.Is(err, ErrConfig) {
				t.Error(err)
			}
			if got := PatternSteps(s); got != c.steps {
				t.Errorf("%d steps, want %d", got, c.steps)
			}
		})
	}
}

package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Spec: runner-marketplace §2.3.
func TestJSONIsReadExactly(t *testing.T) {
	for text, want := range map[string]string{
		`null`: "null", ` true `: "true", `-0`: "0e0", `0.10`: "1e-1", `1.50`: "15e-1", `15e-1`: "15e-1", `1E2`: "1e2", `100`: "1e2", `1e+2`: "1e2",
		`"aé"`: "3:a\u00e9", `"😀"`: "4:\U0001f600", `"\"\\\/\b\f\n\r\t"`: "8:\"\\/\b\f\n\r\t",
		`[1,[2],{}]`: "[1e0,[2e0,],{},]", `{"b":1,"a":2}`: "{1:a2e0,1:b1e0,}", "\t[\r\n]": "[]",
		"1" + strings.Repeat("0", 63): "1e63", "0." + strings.Repeat("0", 62) + "1": "1e-63", "1e64": "1e64", "1e-64": "1e-64", "0e9999": "0e0",
		"9" + strings.Repeat("1", 63): "9" + strings.Repeat("1", 63) + "e0",
	} {
		t.Run(text, func(t *testing.T) {
			v, err := ParseJSON([]byte(text))
			if got := string(v.canonical(nil)); err != nil || got != want {
				t.Errorf("%q %v, want %q", got, err, want)
			}
		})
	}
}

// Spec: runner-marketplace §2.3.
func TestWhatIsNoJSONIsRefused(t *testing.T) {
	for _, text := range []string{
		``, ` `, `nul`, `True`, `01`, `-`, `+1`, `.5`, `1.`, `1e`, `1e+`, `0x1`, `NaN`, `1 2`, `"`, `"\x"`, `"\u12"`, `"\ud800"`, `"\ud800A"`, `"\udc00"`,
		"\"\n\"", "\"\xff\"", "\xef\xbb\xbf1", `[`, `[1`, `[1,`, `[,]`, `[1,]`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `{a:1}`, `{"a":1,"a":1}`,
		`{"a":1,"\u0061":1}`, "1e65", "1e-65", "1e99999", "9" + strings.Repeat("1", 64), "\x00",
	} {
		t.Run(text, func(t *testing.T) {
			if v, err := ParseJSON([]byte(text)); err == nil {
				t.Errorf("read as %s", v.canonical(nil))
			}
		})
	}
}

// Spec: runner-marketplace §2.3.
func TestJSONIsSoDeep(t *testing.T) {
	for depth, want := range map[int]bool{maxDepth - 1: true, maxDepth: true, maxDepth + 1: false, 60_000: false} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			lists := strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth)
			objects := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
			for _, text := range []string{lists, objects} {
				if _, err := ParseJSON([]byte(text)); (err == nil) != want {
					t.Error(err)
				}
			}
		})
	}
}

// Spec: runner-marketplace §2.3.
func TestJSONHasSoManyValues(t *testing.T) {
	for values, want := range map[int]bool{maxValues - 1: true, maxValues: true, maxValues + 1: false} {
		t.Run(fmt.Sprint(values), func(t *testing.T) { // the list is one of them
			list := "[" + strings.Repeat("1,", values-2) + "1]"
			object := `{"a":[` + strings.Repeat("1,", values-3) + "1]}"
			for _, text := range []string{list, object} {
				if _, err := ParseJSON([]byte(text)); (err == nil) != want {
					t.Error(err)
				}
			}
		})
	}
}

// What the standard library reads and we do not is beyond our bounds or has a name twice; what we read it reads, and the values are the same.
// Spec: runner-marketplace §2.3.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.50,-3e-2,null,true],"b":"xA😀"}`, `[[[]]]`, `1e64`, `{"a":1,"a":2}`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON(text)
		if err != nil {
			return
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatalf("%q: the standard library: %v", text, err)
		}
		if got := plainly(&v); !reflect.DeepEqual(got, rationally(want)) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		if schema, err := readSchema(&v); err == nil {
			schema.Valid(&v)
		}
	})
}

// plainly is a value as the standard library has it, numbers as fractions.
func plainly(v *Value) any {
	switch v.Kind {
	case Bool:
		return v.Truth
	case Num:
		r, _ := new(big.Rat).SetString(v.Number.String())
		return ratio(r.RatString())
	case Text:
		return v.Text
	case List:
		list := []any{}
		for i := range v.List {
			list = append(list, plainly(&v.List[i]))
		}
		return list
	case Object:
		m := map[string]any{}
		for i := range v.Members {
			m[v.Members[i].Name] = plainly(&v.Members[i].Value)
		}
		return m
	}
	return nil
}

// ratio is a number as a fraction in its lowest terms.
type ratio string

func rationally(v any) any {
	switch x := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(string(x))
		return ratio(r.RatString())
	case []any:
		list := []any{}
		for _, one := range x {
			list = append(list, rationally(one))
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for name, one := range x {
			m[name] = rationally(one)
		}
		return m
	}
	return v
}

// Spec: WP-January "Extraction-Based Verification", "Freshness Requirements"; runner-marketplace §2.3, §6.2.
func TestPathsLeadToFields(t *testing.T) {
	v, err := ParseJSON([]byte(`{"a":{"b":[10,{"c":20}]},"list":[{"t":"x"},{"t":"y"}],"odd":[{"t":1},{}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a.b[0]": "1e1", "a.b[1].c": "2e1", "$.a.b[0]": "1e1", "list[*].t": "[1:x,1:y,]", "a.b[2]": "", "a.x": "", "list.t": "", "odd[*].t": "", "a[*]": "",
		"a.b[00001].c": "2e1",
	} {
		t.Run(path, func(t *testing.T) {
			steps, ok := parsePath(path)
			if !ok {
				t.Fatal("no path")
			}
			got := ""
			if found, ok := v.at(steps); ok {
				got = string(found.canonical(nil))
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	for _, path := range []string{"a..b", "a.", "a[", "a[]", "a[x]", "a[1]b", "a[-1]", "a.[0]", "a[123456]", strings.Repeat("[0]", maxSteps+1)} {
		t.Run("refused "+path, func(t *testing.T) {
			if _, ok := parsePath(path); ok {
				t.Error("a path")
			}
		})
	}
	if _, ok := parsePath(strings.Repeat("[0]", maxSteps)); !ok {
		t.Error("so many steps are no path")
	}
}

// Expected by JSON Schema 2020-12, sections 6 and 10 of its validation and core documents.
// Spec: runner-marketplace §2.3 (JsonSchemaValid), §6.3.
func TestSchemasHoldValues(t *testing.T) {
	for _, c := range []struct {
		schema string
		good   []string
		bad    []string
	}{
		{`true`, []string{`1`, `{}`}, nil},
		{`false`, nil, []string{`1`, `null`}},
		{`{}`, []string{`1`, `null`, `[]`}, nil},
		{`{"type":"integer"}`, []string{`1`, `1.0`, `10e-1`, `-3`}, []string{`1.5`, `"1"`, `null`}},
		{`{"type":"number"}`, []string{`1`, `1.5`}, []string{`"1"`, `true`}},
		{`{"type":["string","null"]}`, []string{`"a"`, `null`}, []string{`1`, `{}`}},
		{`{"type":"boolean"}`, []string{`true`}, []string{`0`}},
		{`{"minimum":1,"maximum":2.5}`, []string{`1`, `1.0`, `2.5`, `"x"`}, []string{`0.999999999999999999999`, `2.500000000000000000001`}},
		{`{"exclusiveMinimum":1,"exclusiveMaximum":2}`, []string{`1.5`}, []string{`1`, `2`}},
		{`{"enum":["a",1,null]}`, []string{`"a"`, `1.0`, `null`}, []string{`"b"`, `2`, `[]`, `"1e0"`}},
		{`{"const":3}`, []string{`3`, `3.0`}, []string{`"3"`, `4`}},
		{`{"const":3,"enum":[3,4]}`, []string{`3`}, []string{`4`}},
		{`{"minLength":2,"maxLength":3}`, []string{`"éé"`, `"abc"`, `1`}, []string{`"é"`, `"abcd"`}},
		{`{"minItems":1,"maxItems":2,"items":{"type":"string"}}`, []string{`["a"]`, `["a","b"]`}, []string{`[]`, `["a","b","c"]`, `[1]`}},
		{`{"minProperties":1,"maxProperties":2}`, []string{`{"a":1}`, `{"a":1,"b":2}`}, []string{`{}`, `{"a":1,"b":2,"c":3}`}},
		{`{"required":["a","b"]}`, []string{`{"a":1,"b":2,"c":3}`, `1`}, []string{`{"a":1}`, `{}`}},
		{`{"properties":{"a":{"type":"string"}}}`, []string{`{"a":"x"}`, `{"b":1}`}, []string{`{"a":1}`}},
		{`{"properties":{"a":true},"additionalProperties":false}`, []string{`{"a":1}`, `{}`}, []string{`{"b":1}`}},
		{`{"properties":{"a":true},"additionalProperties":{"type":"null"}}`, []string{`{"a":1,"b":null}`}, []string{`{"b":1}`}},
		{`{"title":"x","description":"y","$schema":"z","default":[{}],"examples":[[]]}`, []string{`1`}, nil},
	} {
		t.Run(c.schema, func(t *testing.T) {
			schema, err := ParseSchema([]byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range append(append([]string{}, c.good...), c.bad...) {
				v, err := ParseJSON([]byte(text))
				if want := i < len(c.good); err != nil || schema.Valid(&v) != want {
					t.Errorf("%s: %v %v", text, !want, err)
				}
			}
		})
	}
}

// Spec: runner-marketplace §2.3, §12 (InvalidConfig).
func TestSchemasOfOtherKeywordsAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"pattern":"a\\1"}`, `{"pattern":1}`,
		`{"$ref":"#"}`, `{"anyOf":[]}`, `{"oneOf":[]}`, `{"not":{}}`, `{"format":"date"}`, `{"multipleOf":2}`, `{"uniqueItems":true}`,
		`{"type":"float"}`, `{"type":[]}`, `{"type":1}`, `{"minimum":"1"}`, `{"minLength":-1}`, `{"minLength":1.5}`, `{"properties":[]}`, `{"required":"a"}`,
		`{"required":[1]}`, `{"items":[{}]}`, `{"enum":1}`, `{"enum":[[]]}`, `{"const":{}}`, `{"additionalProperties":1}`, `1`, `[]`, `{`,
		`{"properties":{"a":{"pattern":"("}}}`, `{"items":{"if":true}}`, `{"additionalProperties":{"then":1}}`,
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := ParseSchema([]byte(text)); err == nil {
				t.Error("taken")
			}
		})
	}
}

// Spec: runner-marketplace §2.2 (rec: decimals scaled by 10⁹).
func TestNumbersCompareWithDecimals(t *testing.T) {
	for text, want := range map[string]int{"1.5": 0, "1.500000000": 0, "1.5000000000000000001": 1, "15e-1": 0, "1.499999999999": -1, "-1.5": -1} {
		t.Run(text, func(t *testing.T) {
			n, err := ParseNumber(text)
			d, err2 := job.ParseDecimal("1.5")
			if err != nil || err2 != nil || n.Cmp(NumberOf(d)) != want || NumberOf(d).Cmp(n) != -want {
				t.Errorf("%v %v %v", n, err, err2)
			}
		})
	}
}

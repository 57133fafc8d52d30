package job

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// The job of WP-January "Extraction-Based Verification", with its schema cut short, in the three forms.
//
// Spec: WP-January "Extraction-Based Verification".
func TestSelectors(t *testing.T) {
	job := func(schema, more string) string {
		return `{"job_type":{"type":"http_extract","url":"https://disclosures.house.gov/x","extraction":{"method":"css_selector",
			"selectors":{"ticker":"td.asset-ticker::text","amount":"td.amount::text"}` + schema + `}},
			"verification":{"mode":"structured_match","runners":3,"threshold":2,"fields":["[*].ticker","[*].amount"]},
			"bounds":{"max_wall_time_seconds":1}` + more + `}`
	}
	const rules = `{"amount":"td.amount::text","ticker":"td.asset-ticker::text"}`
	for name, c := range map[string]struct{ text, expression, format string }{
		"a list":    {job(`,"schema":{"type":"array"}`, ""), "[" + rules + "]", `{"type":"array"}`},
		"an object": {job(`,"schema":{"type":"object"}`, ""), rules, `{"type":"object"}`},
		"any":       {job("", ""), rules, ""},
		"one schema said twice": {
			job(`,"schema":{"type":"object"}`, `,"result_schema":{"max_return_bytes":9,"data_format":{"type":"object"}}`),
			rules, `{"type":"object"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FromJSON([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			e := s.HTTP.Extraction
			if e.Expression != c.expression || e.Method() != 0 || s.Schema.DataFormat != c.format {
				t.Errorf("%+v %q", e, s.Schema.DataFormat)
			}
			got, list, err := e.Rules()
			want := []Pair{{"amount", "td.amount::text"}, {"ticker", "td.asset-ticker::text"}}
			if err != nil || list != (name == "a list") || !reflect.DeepEqual(got, want) {
				t.Errorf("%v %v %v", got, list, err)
			}
			if v := s.Verification; !reflect.DeepEqual(v.Checks, []Check{{Kind: CheckStructuredMatch, Fields: []string{"[*].ticker", "[*].amount"}}}) {
				t.Errorf("%+v", v)
			}
			packed, err := FromCBOR(cborOf(t, c.text))
			if err != nil || !reflect.DeepEqual(packed, s) {
				t.Errorf("in CBOR: %+v %v", packed, err)
			}
			agree(t, s)
		})
	}
	for name, text := range map[string]string{
		"two schemas":     job(`,"schema":{"type":"object"}`, `,"result_schema":{"max_return_bytes":9,"data_format":"json"}`),
		"no rules":        strings.Replace(job("", ""), `"ticker":"td.asset-ticker::text","amount":"td.amount::text"`, "", 1),
		"a rule of zero":  strings.Replace(job("", ""), `"td.amount::text"`, "0", 1),
		"another method":  strings.Replace(job("", ""), "css_selector", "luck", 1),
		"rules, no JSON":  `{"job_type":{"Http":{"url":"x","extraction":{"type":"XPaths","expression":"//a"}}},"bounds":{"max_wall_time_seconds":1}}`,
		"too many fields": strings.Replace(job("", ""), `"ticker"`, manyFields(), 1),
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := FromJSON([]byte(text)); !errors.Is(err, ErrSpec) {
				t.Errorf("%+v %v", s, err)
			}
		})
	}
}

// manyFields are the keys of MaxFields fields, the last without its rule.
func manyFields() string {
	text := ""
	for i := range MaxFields {
		text += `"f` + strings.Repeat("x", i) + `":"a",`
	}
	return text + `"last"`
}

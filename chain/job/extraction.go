package job

import (
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// Extraction takes a part out of what was fetched: the first match of one rule, or a field for each of several rules.
//
// Spec: runner-marketplace §2.2; WP-January "Extraction-Based Verification".
type Extraction struct {
	Kind uint8 // of extractions()
	// Expression is the rule; of a kind for several rules it is JSON, {"field": "rule", …} for one object of the first matches or [{"field": "rule", …}] for
	// a list of objects, of which the first has the first match of each rule.
	Expression string

	schema string // while a tree is taken: that of the result
}

// severalRules is what the kinds for several rules are above those for one.
const severalRules = 4

// extractions are the kinds: one rule by each method, then several.
func extractions() []string {
	return []string{"CssSelector", "XPath", "JsonPath", "Regex", "CssSelectors", "XPaths", "JsonPaths", "Regexes"}
}

func (e *Extraction) fields(f *form) {
	if f.mode == taking {
		e.takeSelectors(f)
	}
	one(f, "type", &e.Kind, named[uint8](extractions()))
	one(f, "expression", &e.Expression, text(MaxURLBytes))
}

// takeSelectors takes the form {method, selectors, schema}. A schema of lists has the rules give a list.
//
// Spec: WP-January "Extraction-Based Verification".
func (e *Extraction) takeSelectors(f *form) {
	one(f, "method", &e.Kind, named[uint8](extractions()[:severalRules]))
	schema, _ := f.given("schema")
	one(f, "schema", &e.schema, structured(MaxSchemaBytes))
	given, ok := f.given("selectors")
	if !ok {
		return
	}
	m, ok := given.(cbor.Map)
	if !ok {
		f.fail("selectors", "is a map of fields and rules")
		return
	}
	e.Kind += severalRules
	var template any = m
	if s, ok := schema.(cbor.Map); ok {
		if kind, _ := s.Lookup("type"); kind == "array" {
			template = []any{m}
		}
	}
	e.Expression, ok = structured(MaxURLBytes).take(template)
	if !ok {
		f.fail("selectors", "has at most %d bytes", MaxURLBytes)
	}
}

// hold makes the schema of an extraction that of the result.
func (e *Extraction) hold(f *form, r *ResultSchema) {
	if e == nil || e.schema == "" {
		return
	}
	if r.DataFormat != "" && r.DataFormat != e.schema {
		f.fail("result_schema", "data_format is another schema than that of the extraction")
	}
	r.DataFormat, e.schema = e.schema, ""
}

// Method is how rules find what they look for, as Kind of one rule.
func (e *Extraction) Method() uint8 { return e.Kind % severalRules }

// Rules are the fields and their rules, ascending by field; none of an extraction of one rule. list says that the result is a list of objects. Errors are of
// ErrSpec.
func (e *Extraction) Rules() (rules []Pair, list bool, err error) {
	if e.Kind < severalRules {
		return nil, false, nil
	}
	wrong := invalid("extraction", "its rules are a JSON object of 1 to %d texts, or a list of one such object", MaxFields)
	v, err := parseJSON([]byte(e.Expression))
	if err != nil {
		return nil, false, wrong
	}
	if all, ok := v.([]any); ok && len(all) == 1 {
		v, list = all[0], true
	}
	m, ok := v.(cbor.Map)
	if !ok || len(m) == 0 || len(m) > MaxFields {
		return nil, false, wrong
	}
	f := &form{mode: taking, tree: cbor.Map{{Key: "rules", Value: m}}}
	if pairs(f, "rules", &rules, MaxFields); f.err != nil {
		return nil, false, wrong
	}
	return rules, list, nil
}

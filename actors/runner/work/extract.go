package work

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xmlquery"
	"github.com/ohler55/ojg/jp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// The kinds of extraction, as chain/job numbers them.
const (
	byCSS uint8 = iota
	byXPath
	byJSONPath
	byRegex
)

// maxRows bounds how many objects an extraction gives: a result has no more values than the chain reads.
const maxRows = 4_096

// extract gives what an extraction finds in a document: of one rule the first match, of several an object with the first match of each, or a list of objects.
//
// Spec: runner-marketplace §2.2; WP-January "Extraction-Based Verification".
func extract(x *job.Extraction, data []byte, contentType string) ([]byte, error) {
	rules, list, err := x.Rules()
	if err != nil {
		return nil, err
	}
	if rules == nil {
		found, err := find(x.Method(), x.Expression, data, contentType, 1)
		if err != nil {
			return nil, err
		}
		return found[0], nil
	}
	most := 1
	if list {
		most = maxRows
	}
	var rows []map[string]any
	for _, r := range rules {
		found, err := find(x.Method(), r.Value, data, contentType, most)
		if err != nil && !(list && errors.Is(err, errNoMatch)) {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		for i, value := range found {
			if i == len(rows) {
				rows = append(rows, map[string]any{})
			}
			if rows[i][r.Name] = string(value); x.Method() == byJSONPath {
				rows[i][r.Name] = json.RawMessage(value)
			}
		}
	}
	if len(rows) == 0 {
		return nil, errNoMatch
	}
	if list {
		return marshal(rows)
	}
	return marshal(rows[0])
}

// marshal gives JSON in one form: keys ascending, no spaces.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// find gives the first matches of a rule, at most so many and at least one.
func find(method uint8, rule string, data []byte, contentType string, most int) (found [][]byte, err error) {
	switch method {
	case byCSS:
		found, err = findCSS(rule, data, most)
	case byXPath:
		found, err = findXPath(rule, data, contentType, most)
	case byJSONPath:
		found, err = findJSON(rule, data, most)
	case byRegex:
		found, err = findRegex(rule, data, most)
	default:
		return nil, fmt.Errorf("extraction %d is unknown", method)
	}
	if err == nil && len(found) == 0 {
		err = errNoMatch
	}
	return found, err
}

// errNoMatch reports an expression that finds nothing.
var errNoMatch = fmt.Errorf("nothing matches the extraction")

// findCSS takes the text of elements, or where a rule ends in ::attr(name) an attribute of them; ::text says what is done anyway.
func findCSS(rule string, data []byte, most int) (found [][]byte, err error) {
	document, err := goquery.NewDocumentFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	rule = strings.TrimSuffix(rule, "::text")
	attribute := ""
	if before, after, ok := strings.Cut(rule, "::attr("); ok && strings.HasSuffix(after, ")") {
		rule, attribute = before, strings.TrimSuffix(after, ")")
	}
	matcher, err := cascadia.ParseGroup(rule)
	if err != nil {
		return nil, err
	}
	for _, node := range cascadia.QueryAll(document.Nodes[0], matcher) {
		element := goquery.NewDocumentFromNode(node)
		text, ok := element.Text(), true
		if attribute != "" {
			text, ok = element.Attr(attribute)
		}
		if ok && len(found) < most {
			found = append(found, []byte(strings.TrimSpace(text)))
		}
	}
	return found, nil
}

func findXPath(rule string, data []byte, contentType string, most int) (found [][]byte, err error) {
	take := func(text string) {
		if len(found) < most {
			found = append(found, []byte(strings.TrimSpace(text)))
		}
	}
	if strings.Contains(contentType, "xml") && !strings.Contains(contentType, "html") {
		document, err := xmlquery.Parse(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		nodes, err := xmlquery.QueryAll(document, rule)
		for _, n := range nodes {
			take(n.InnerText())
		}
		return found, err
	}
	document, err := htmlquery.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	nodes, err := htmlquery.QueryAll(document, rule)
	for _, n := range nodes {
		take(htmlquery.InnerText(n))
	}
	return found, err
}

// findJSON gives values as JSON. Numbers without a fraction keep all their digits.
func findJSON(rule string, data []byte, most int) (found [][]byte, err error) {
	path, err := jp.ParseString(rule)
	if err != nil {
		return nil, err
	}
	value, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	values := path.Get(plain(value))
	for _, v := range values[:min(len(values), most)] {
		text, err := marshal(v)
		if err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, nil
}

// parseJSON reads one JSON value, nested no deeper than package json allows.
func parseJSON(data []byte) (any, error) {
	return jsonschema.UnmarshalJSON(bytes.NewReader(data))
}

// plain makes integers of the numbers that are such, and floats of the others, so that a filter can compare them. What fits neither stays as written.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if strings.ContainsAny(v.String(), ".eE") {
			if f, err := v.Float64(); err == nil {
				return f
			}
		}
	case map[string]any:
		for name, inner := range v { // order-free: each value by itself
			v[name] = plain(inner)
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return v
}

// findRegex gives the first group of an expression, or what all of it matches.
func findRegex(rule string, data []byte, most int) (found [][]byte, err error) {
	pattern, err := regexp.Compile(rule)
	if err != nil {
		return nil, err
	}
	for _, m := range pattern.FindAllSubmatch(data, most) {
		found = append(found, m[min(1, len(m)-1)])
	}
	return found, nil
}

// noLoader fetches no schema: all of a schema is in the job.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not in the schema", url) }

// validate holds JSON against a schema.
func validate(schema string, data []byte) error {
	document, err := parseJSON([]byte(schema))
	if err != nil {
		return fmt.Errorf("the schema is no JSON: %w", err)
	}
	const at = "job:schema"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(at, document); err != nil {
		return err
	}
	compiled, err := compiler.Compile(at)
	if err != nil {
		return err
	}
	value, err := parseJSON(data)
	if err != nil {
		return fmt.Errorf("%w: the result is no JSON: %w", errInvalid, err)
	}
	if err := compiled.Validate(value); err != nil {
		return fmt.Errorf("%w: %w", errInvalid, err)
	}
	return nil
}

// errInvalid reports data that does not match its schema.
var errInvalid = fmt.Errorf("the result does not match its schema")

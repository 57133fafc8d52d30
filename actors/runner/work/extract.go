package work

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xmlquery"
	"github.com/ohler55/ojg/jp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The kinds of extraction, as chain/job numbers them.
const (
	byCSS uint8 = iota
	byXPath
	byJSONPath
	byRegex
)

// extract gives the first match of an expression in a document.
func extract(kind uint8, expression string, data []byte, contentType string) ([]byte, error) {
	switch kind {
	case byCSS:
		return extractCSS(expression, data)
	case byXPath:
		return extractXPath(expression, data, contentType)
	case byJSONPath:
		return extractJSON(expression, data)
	case byRegex:
		return extractRegex(expression, data)
	}
	return nil, fmt.Errorf("extraction %d is unknown", kind)
}

// errNoMatch reports an expression that finds nothing.
var errNoMatch = fmt.Errorf("nothing matches the extraction")

func extractCSS(expression string, data []byte) ([]byte, error) {
	document, err := goquery.NewDocumentFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	matcher, err := cascadia.ParseGroup(expression)
	if err != nil {
		return nil, err
	}
	found := cascadia.Query(document.Nodes[0], matcher)
	if found == nil {
		return nil, errNoMatch
	}
	return []byte(strings.TrimSpace(goquery.NewDocumentFromNode(found).Text())), nil
}

func extractXPath(expression string, data []byte, contentType string) ([]byte, error) {
	if strings.Contains(contentType, "xml") && !strings.Contains(contentType, "html") {
		document, err := xmlquery.Parse(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		found, err := xmlquery.Query(document, expression)
		if err != nil {
			return nil, err
		}
		if found == nil {
			return nil, errNoMatch
		}
		return []byte(strings.TrimSpace(found.InnerText())), nil
	}
	document, err := htmlquery.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	found, err := htmlquery.Query(document, expression)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, errNoMatch
	}
	return []byte(strings.TrimSpace(htmlquery.InnerText(found))), nil
}

// extractJSON gives the value as JSON. Numbers without a fraction keep all their digits.
func extractJSON(expression string, data []byte) ([]byte, error) {
	path, err := jp.ParseString(expression)
	if err != nil {
		return nil, err
	}
	value, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	found := path.Get(plain(value))
	if len(found) == 0 {
		return nil, errNoMatch
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(found[0])
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
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

func extractRegex(expression string, data []byte) ([]byte, error) {
	pattern, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	found := pattern.FindSubmatch(data)
	if found == nil {
		return nil, errNoMatch
	}
	return found[min(1, len(found)-1)], nil
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

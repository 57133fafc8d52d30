package work

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

const page = `<html><body><h1>Prices</h1><p class="x">gold <b>12.50</b></p><p class="x" id="s">silver 3</p></body></html>`
const store = `{"store":{"book":[{"title":"A","price":8.95},{"title":"B","price":12.99},{"title":"C","price":8.99}],"id":9007199254740993}}`

// Each form of extraction: the first match, and a permanent error where nothing matches or the expression is none.
// Spec: runner-marketplace §2.2 (extraction).
func TestExtract(t *testing.T) {
	for name, c := range map[string]struct {
		kind             uint8
		expression, data string
		contentType      string
		want             string // "" for an error
	}{
		"CSS":                  {byCSS, "p.x b", page, "", "12.50"},
		"CSS, first":           {byCSS, "p.x", page, "", "gold 12.50"},
		"CSS, several":         {byCSS, "#s, h1", page, "", "Prices"},
		"CSS, none":            {byCSS, "h2", page, "", ""},
		"CSS, bad":             {byCSS, "p[", page, "", ""},
		"XPath":                {byXPath, `//p[@id="s"]`, page, "", "silver 3"},
		"XPath, attribute":     {byXPath, `//p[2]/@id`, page, "", "s"},
		"XPath, none":          {byXPath, `//h2`, page, "", ""},
		"XPath, bad":           {byXPath, `//p[`, page, "", ""},
		"XPath of XML":         {byXPath, `/Feed/Price`, `<Feed><Price> 7 </Price></Feed>`, "application/xml; charset=utf-8", "7"},
		"XPath of no XML":      {byXPath, `/Feed`, `<Feed>`, "text/xml", ""},
		"JSONPath":             {byJSONPath, "$.store.book[1].title", store, "", `"B"`},
		"JSONPath, a number":   {byJSONPath, "$.store.book[0].price", store, "", `8.95`},
		"JSONPath, large":      {byJSONPath, "$.store.id", store, "", `9007199254740993`},
		"JSONPath, a filter":   {byJSONPath, "$.store.book[?(@.price > 10)].title", store, "", `"B"`},
		"JSONPath, descending": {byJSONPath, "$..title", store, "", `"A"`},
		"JSONPath, none":       {byJSONPath, "$.shop", store, "", ""},
		"JSONPath, bad":        {byJSONPath, "$.[", store, "", ""},
		"JSONPath, no JSON":    {byJSONPath, "$.a", "a", "", ""},
		"regex":                {byRegex, `silver \d+`, page, "", "silver 3"},
		"regex, a group":       {byRegex, `silver (\d+)`, page, "", "3"},
		"regex, none":          {byRegex, `brass`, page, "", ""},
		"regex, bad":           {byRegex, `(a`, page, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &Examine{}
			got, err := e.Extract(within(t, time.Minute), &job.Extraction{Kind: c.kind, Expression: c.expression}, []byte(c.data), c.contentType)
			if c.want == "" {
				wantKind(t, err, Permanent)
			} else if err != nil || string(got) != c.want {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		})
	}
}

// Documents, expressions and schemas that take for ever or all memory end a process of their own, and are a permanent error.
func TestExaminationIsBounded(t *testing.T) {
	defer func(l Limits) { examineLimits = l }(examineLimits)
	examineLimits.ProcessorSeconds = 1
	var bomb strings.Builder // 2^40 ways to match
	for i := range 40 {
		fmt.Fprintf(&bomb, `"s%d":{"allOf":[{"$ref":"#/$defs/s%d"},{"$ref":"#/$defs/s%d"}]},`, i, i+1, i+1)
	}
	schema := `{"$ref":"#/$defs/s0","$defs":{` + bomb.String() + `"s40":{"type":"number"}}}`
	t.Run("a schema bomb", func(t *testing.T) {
		wantKind(t, (&Examine{}).Validate(within(t, time.Minute), schema, []byte("1")), Permanent)
	})
	for name, c := range map[string]struct {
		kind             uint8
		expression, data string
	}{
		"deep JSON":            {byJSONPath, "$..a", strings.Repeat("[", 1<<20)},
		"deep HTML":            {byCSS, "i", strings.Repeat("<b>", 1<<19)},
		"descents of descents": {byJSONPath, "$..*..*..*..*..*..*..x", strings.Repeat("[", 500) + strings.Repeat("]", 500)},
		"axes of axes":         {byXPath, "//*//*//*//*//*//x", strings.Repeat("<b>", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := (&Examine{}).Extract(within(t, time.Minute), &job.Extraction{Kind: c.kind, Expression: c.expression}, []byte(c.data), "")
			wantKind(t, err, Permanent)
		})
	}
}

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
// Spec: runner-marketplace §2.2 (extraction); WP-January "Extraction-Based Verification".
func TestExtract(t *testing.T) {
	for name, c := range map[string]struct {
		kind             uint8
		expression, data string
		contentType      string
		want             string // "" for an error
	}{
		"CSS":                   {byCSS, "p.x b", page, "", "12.50"},
		"CSS, first":            {byCSS, "p.x", page, "", "gold 12.50"},
		"CSS, several":          {byCSS, "#s, h1", page, "", "Prices"},
		"CSS, none":             {byCSS, "h2", page, "", ""},
		"CSS, bad":              {byCSS, "p[", page, "", ""},
		"XPath":                 {byXPath, `//p[@id="s"]`, page, "", "silver 3"},
		"XPath, attribute":      {byXPath, `//p[2]/@id`, page, "", "s"},
		"XPath, none":           {byXPath, `//h2`, page, "", ""},
		"XPath, bad":            {byXPath, `//p[`, page, "", ""},
		"XPath of XML":          {byXPath, `/Feed/Price`, `<Feed><Price> 7 </Price></Feed>`, "application/xml; charset=utf-8", "7"},
		"XPath of no XML":       {byXPath, `/Feed`, `<Feed>`, "text/xml", ""},
		"JSONPath":              {byJSONPath, "$.store.book[1].title", store, "", `"B"`},
		"JSONPath, a number":    {byJSONPath, "$.store.book[0].price", store, "", `8.95`},
		"JSONPath, large":       {byJSONPath, "$.store.id", store, "", `9007199254740993`},
		"JSONPath, a filter":    {byJSONPath, "$.store.book[?(@.price > 10)].title", store, "", `"B"`},
		"JSONPath, descending":  {byJSONPath, "$..title", store, "", `"A"`},
		"JSONPath, none":        {byJSONPath, "$.shop", store, "", ""},
		"JSONPath, bad":         {byJSONPath, "$.[", store, "", ""},
		"JSONPath, no JSON":     {byJSONPath, "$.a", "a", "", ""},
		"CSS, an attribute":     {byCSS, "p::attr(id)", page, "", "s"},
		"CSS, the text":         {byCSS, "p.x b::text", page, "", "12.50"},
		"rules of CSS":          {byCSS + 4, `{"first":"p","name":"#s::attr(id)"}`, page, "", `{"first":"gold 12.50","name":"s"}`},
		"rules, one finds none": {byCSS + 4, `{"first":"p","name":"h2"}`, page, "", ""},
		"lists of CSS":          {byCSS + 4, `[{"b":"b","p":"p"}]`, page, "", `[{"b":"12.50","p":"gold 12.50"},{"p":"silver 3"}]`},
		"lists, nothing":        {byCSS + 4, `[{"b":"h2"}]`, page, "", ""},
		"lists of XPath":        {byXPath + 4, `[{"t":"//t/@n"}]`, `<f><t n="1"/><t n="2"/></f>`, "text/xml", `[{"t":"1"},{"t":"2"}]`},
		"lists of JSONPath": {byJSONPath + 4, `[{"p":"$..price","t":"$..title"}]`, `[{"title":"A","price":1},{"title":"B","price":2.5}]`, "",
			`[{"p":1,"t":"A"},{"p":2.5,"t":"B"}]`},
		"rules of regex":      {byRegex + 4, `{"n":"(\\d+)"}`, page, "", `{"n":"1"}`},
		"rules that are none": {byRegex + 4, `[1]`, page, "", ""},
		"regex":               {byRegex, `silver \d+`, page, "", "silver 3"},
		"regex, a group":      {byRegex, `silver (\d+)`, page, "", "3"},
		"regex, none":         {byRegex, `brass`, page, "", ""},
		"regex, bad":          {byRegex, `(a`, page, "", ""},
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

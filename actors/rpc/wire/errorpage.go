package wire

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

// ErrorPath is where a node serves the page of errors, which Error.DocsURL leads to.
const ErrorPath = "/docs/errors"

// ErrorHTML is the page of errors for a browser.
func ErrorHTML() string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">" +
		"<title>Errors by number</title>" +
		"<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;" +
		"color-scheme:light dark}h2{margin-bottom:0}:target{background:#fd06}</style>" +
		"<h1>Errors by number</h1>")
	all := entries()
	for _, code := range slices.Sorted(maps.Keys(all)) {
		e := all[code]
		fmt.Fprintf(&b, "<h2 id=\"E%d\">E%d %s</h2><p>%s. <b>What to do:</b> %s.</p>\n", code, code,
			html.EscapeString(e.what), html.EscapeString(e.why), html.EscapeString(e.fix))
	}
	return b.String()
}

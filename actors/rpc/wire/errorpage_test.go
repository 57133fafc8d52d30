package wire

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// errorPage is the page of errors in Markdown: each number with an anchor, what went wrong, why that is an error, and what to do.
func errorPage() string {
	var b strings.Builder
	b.WriteString("# Errors by number\n\nWhat receipts, commands and a node's answers name by a number. " +
		"Fees are kept where a transaction was executed; what is refused before costs nothing.\n" +
		"A node serves this page at `/docs/errors`. It is made from the node's own list: `REWRITE=1 go test ./actors/rpc/wire -run ErrorPage`.\n\n" +
		"| | | Why | What to do |\n|---|---|---|---|\n")
	all := entries()
	for _, code := range slices.Sorted(maps.Keys(all)) {
		e := all[code]
		fmt.Fprintf(&b, "| <a id=\"E%d\"></a>E%d | %s | %s | %s |\n", code, code, e.what, e.why, e.fix)
	}
	return b.String()
}

// TestErrorPage: docs/errors.md is what the list gives, and every number a user may see is on it: the faults of receipts, those of the chapters, and the
// slugs of the SDK's classes.
//
// Spec: node-rpc-cli §2.2; sdk §18.
func TestErrorPage(t *testing.T) {
	const path = "../../../docs/errors.md"
	if os.Getenv("REWRITE") != "" {
		if err := os.WriteFile(path, []byte(errorPage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil || string(page) != errorPage() {
		t.Errorf("docs/errors.md is not what the list gives: %v", err)
	}
	for code, from := range numbers(t) {
		anchor := "E" + strconv.Itoa(code)
		if !strings.Contains(string(page), "<a id=\""+anchor+"\"></a>") || !strings.Contains(ErrorHTML(), "<h2 id=\""+anchor+"\">") {
			t.Errorf("%s, of %s, is on no page", anchor, from)
		}
		if url := NewError(code, "").DocsURL; url != ErrorPath+"#"+anchor {
			t.Errorf("%s leads to %s", anchor, url)
		}
	}
}

// numbers are the codes and where they come from, read from the sources.
func numbers(t *testing.T) map[int]string {
	found := map[int]string{}
	file, err := parser.ParseFile(token.NewFileSet(), "../../../runtime/drain/fault.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if lit, ok := v.Values[0].(*ast.BasicLit); ok {
				code, err := strconv.Atoi(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				found[code] = v.Names[0].Name
			}
		}
		return true
	})
	for _, c := range system.Chapters() {
		for _, f := range c.Faults {
			found[int(f.Code)] = string(c.Name)
		}
	}
	sdk, err := os.ReadFile("../../../runtime/sdk/cowboy_sdk/errors.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"E(\d{4})"`).FindAllStringSubmatch(string(sdk), -1) {
		code, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		found[code] = "cowboy_sdk.errors"
	}
	if len(found) < 40 {
		t.Errorf("only %d numbers were read", len(found))
	}
	return found
}

// Command lint holds the linters that golangci-lint runs by default, for `go vet -vettool`, which takes each package once and remembers what was found in those
// that did not change: staticcheck's checks, what nobody uses, errors that nobody reads, assignments without an effect. Added are dereferences of nil and
// writes to copies. go vet's own analyzers are run by go vet.
package main

import (
	"slices"
	"strings"

	"github.com/gordonklaus/ineffassign/pkg/ineffassign"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

// leftOut are checks that are not run, each with its reason.
var leftOut = map[string]string{
	"ST1000": "the form of doc comments is the project's own",
	"ST1001": "the interpreter is half of package object, in a package of its own only so that object can be used without it",
	"ST1003": "names with digits and underscores follow the documents they are from",
	"ST1005": "some errors are, letter for letter, messages of CPython and of the network's other client",
	"ST1016": "receivers are named after what they are in the method",
	"ST1020": "the form of doc comments is the project's own",
	"ST1021": "the form of doc comments is the project's own",
	"ST1022": "the form of doc comments is the project's own",
}

func main() {
	all := []*analysis.Analyzer{unread(), unusedCode(), ineffassign.Analyzer, nilness.Analyzer, unusedwrite.Analyzer}
	for _, a := range upstream() {
		if leftOut[a.Analyzer.Name] == "" {
			all = append(all, checked(a))
		}
	}
	unitchecker.Main(all...)
}

// upstream are all checks of staticcheck but U1000, which needs another form, and the suggestions of style.
func upstream() []*lint.Analyzer {
	return slices.Concat(staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers)
}

// checked is an analyzer of staticcheck, whose documentation vet wants as a text.
func checked(a *lint.Analyzer) *analysis.Analyzer {
	if strings.TrimSpace(a.Analyzer.Doc) == "" {
		a.Analyzer.Doc = a.Doc.Title
	}
	return a.Analyzer
}

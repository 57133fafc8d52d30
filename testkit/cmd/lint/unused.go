package main

import (
	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/unused"
)

// unusedCode reports what staticcheck's U1000 finds, which gives a list and reports nothing itself. A package is vetted with its tests, so that what they use
// is used.
func unusedCode() *analysis.Analyzer {
	find := unused.Analyzer.Analyzer
	return &analysis.Analyzer{
		Name: "unused", Doc: "report what nobody uses", Requires: []*analysis.Analyzer{find},
		Run: func(pass *analysis.Pass) (any, error) {
			list := pass.ResultOf[find].(unused.Result)
			used := map[string]bool{}
			for _, o := range list.Used {
				used[o.Position.String()] = true
			}
			for _, o := range list.Unused {
				if used[o.Position.String()] {
					continue
				}
				for _, file := range pass.Files {
					if at := pass.Fset.File(file.Pos()); at.Name() == o.Position.Filename {
						pass.Reportf(at.LineStart(o.Position.Line), "%s %s is unused", o.Kind, o.Name)
					}
				}
			}
			return nil, nil
		},
	}
}

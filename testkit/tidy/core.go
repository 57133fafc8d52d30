package tidy

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// core are the packages that run every block. They should not know single chapters, which stand behind the seam of runtime/chapter.
var core = []string{"chain/block", "runtime/chapter", "runtime/drain", "runtime/host", "runtime/transition"}

// shared are the packages of chain that belong to no chapter, or to what the core does for every block.
var shared = []string{
	"account", "block", "cbor", "codec", "digest", "fee", "flow", "mailbox", "params", "protocol", "sig", "sig/bls", "state", "timer", "tx", "unit",
}

// Chapters finds the packages of single chapters that the core imports: the importing package, and the imported one. Each has to have a reason.
func Chapters(sources []Source) Findings {
	found := Findings{}
	for _, s := range sources {
		home := path.Dir(s.Name)
		if !slices.Contains(core, home) || strings.HasSuffix(s.Name, "_test.go") {
			continue
		}
		for _, spec := range s.Syntax.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			name = strings.TrimPrefix(name, Module+"/")
			rules, isRules := strings.CutPrefix(name, "chain/")
			if isRules && !slices.Contains(shared, rules) || strings.HasPrefix(name, "runtime/system/") {
				found[home+" "+name] = 1
			}
		}
	}
	return found
}

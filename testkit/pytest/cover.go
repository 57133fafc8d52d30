package pytest

import (
	"cmp"

	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit/coverage"
)

// cover runs the tests again with actors that note the lines they run, and adds the lines to the results. A test that ends otherwise than before keeps the
// lines it came to.
func (r *Runner) cover(report *Report) {
	c := coverage.New()
	second := *r
	second.options.instrumented = true
	second.genesis, second.profile = nil, nil
	second.programs = host.NewInstrumented(c.Instrument(r.fileOf))
	for i := range report.Results {
		second.one(report.Results[i].Name)
		report.Results[i].Lines, report.Results[i].Branches = c.Taken()
	}
	report.Executable, report.Branches = c.Executable, c.Branches
}

// remember notes which file a source came from.
func (r *Runner) remember(source []byte, path string) {
	if canonical, err := pvm.CanonicalSource(source); err == nil {
		r.files[string(canonical)] = path
	}
}

// fileNames gives the names of files for those a profile has.
func (r *Runner) fileNames() func(string) string {
	names := map[string]string{}
	for source, path := range r.files { // order-free: a copy
		names[host.Profiled([]byte(source))] = path
	}
	return func(file string) string { return cmp.Or(names[file], file) }
}

// fileOf names the file of an actor's source: what a test wrote itself has none.
func (r *Runner) fileOf(source []byte) string {
	if path, ok := r.files[string(source)]; ok {
		return path
	}
	return "<text>"
}

package pvmtool

import (
	"io"

	"github.com/google/pprof/profile"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// WritePprof writes stacks in the form `go tool pprof` and flame graph viewers open, compressed: functions with files and lines, their cycles as values.
func WritePprof(w io.Writer, stacks pvm.Stacks) error {
	cycles := &profile.ValueType{Type: "cycles", Unit: "count"}
	p := &profile.Profile{SampleType: []*profile.ValueType{cycles}, PeriodType: cycles, Period: 1, DefaultSampleType: "cycles"}
	functions, places := map[pvm.Frame]*profile.Function{}, map[pvm.Frame]*profile.Location{}
	place := func(f pvm.Frame) *profile.Location {
		if l := places[f]; l != nil {
			return l
		}
		which := f
		which.Line = 0
		function := functions[which]
		if function == nil {
			name := unitext.PlainLine(f.Label())
			function = &profile.Function{ // with a system name pprof would take <module> for C++
				ID: uint64(len(p.Function) + 1), Name: name, Filename: unitext.PlainLine(f.File), StartLine: int64(f.First),
			}
			functions[which] = function
			p.Function = append(p.Function, function)
		}
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: function, Line: int64(f.Line)}}}
		places[f] = l
		p.Location = append(p.Location, l)
		return l
	}
	for _, s := range stacks {
		if s.Cycles == 0 {
			continue
		}
		sample := &profile.Sample{Value: []int64{s.Cycles}}
		for i := len(s.Frames) - 1; i >= 0; i-- { // the innermost first
			sample.Location = append(sample.Location, place(s.Frames[i]))
		}
		p.Sample = append(p.Sample, sample)
	}
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}

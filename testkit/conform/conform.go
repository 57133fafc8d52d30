package conform

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Status is the outcome of a test.
type Status string

// The outcomes.
const (
	Passed        Status = "passed"
	Failed        Status = "failed"
	NotApplicable Status = "not applicable"
)

// Result is one test: its id is program.class.method. Detail is the reason of a
// test that does not apply, or the message of one that failed, whose traceback is
// Trace.
type Result struct {
	ID     string `json:"id"`
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"`
	Trace  string `json:"trace,omitempty"`
	Cycles uint64 `json:"cycles"`
}

// Report is what became of one test program. Fault is set if the program could not
// be loaded; it counts as one failed test.
type Report struct {
	Program string   `json:"program"`
	Results []Result `json:"results"`
	Fault   string   `json:"fault,omitempty"`
}

// Count returns the number of tests with a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, t := range r.Results {
		if t.Status == s {
			n++
		}
	}
	if s == Failed && r.Fault != "" {
		n++
	}
	return n
}

// Suite runs test programs.
type Suite struct {
	// Dir is the directory "test" of an installed CPython 3.11.
	Dir string
	// Cycles is what one test may use, and loading a program; 0 for DefaultCycles.
	Cycles int64
	// Run limits the tests to those whose id matches; "" for all. A pattern is as in
	// path.Match.
	Run string
	// Beside are directories whose modules and packages a program may import before all others but the library's.
	Beside []string

	excluded exclusions
}

// DefaultCycles is the budget of one test.
const DefaultCycles = 2_000_000_000

// ErrNoCPython rejects a directory without CPython's tests.
var ErrNoCPython = errors.New("conform: no CPython tests in the directory")

// Open returns a suite over the directory "test" of an installed CPython.
func Open(dir string) (*Suite, error) {
	if _, err := os.Stat(filepath.Join(dir, "test_grammar.py")); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrNoCPython, dir)
	}
	excluded, err := parseExclusions(exclusionList)
	if err != nil {
		return nil, err
	}
	return &Suite{Dir: dir, Cycles: DefaultCycles, excluded: excluded}, nil
}

// Observer is told what happens while a program runs. Started comes before each
// test with its number; Done with its result.
type Observer interface {
	Started(number int, id string)
	Done(r Result)
}

// Test runs the tests of a program whose number is at least from, and tells o of
// each one unless o is nil.
func (s *Suite) Test(program string, from int, o Observer) *Report {
	r := &recorder{Report: Report{Program: program}, o: o}
	if reason, ok := s.excluded.match(program); ok {
		r.add(Result{ID: program, Status: NotApplicable, Detail: reason})
		return &r.Report
	}
	for next := from; next >= 0; {
		next = s.session(r, next)
	}
	return &r.Report
}

// recorder keeps the results of a program and passes them on.
type recorder struct {
	Report
	o Observer
}

func (r *recorder) add(t Result) {
	r.Results = append(r.Results, t)
	if r.o != nil {
		r.o.Done(t)
	}
}

// session loads the program and runs its tests from number next on. It returns the
// number of the test to go on with in a new session, or -1.
func (s *Suite) session(r *recorder, next int) int {
	sess, fault := s.load(r.Program)
	if fault != nil {
		if fault.skip {
			r.add(Result{ID: r.Program, Status: NotApplicable, Detail: fault.text})
		} else {
			r.Fault = fault.text
		}
		return -1
	}
	for ; next < len(sess.ids); next++ {
		id := r.Program + "." + sess.ids[next]
		if s.Run != "" && !matches(s.Run, id) {
			continue
		}
		if reason, ok := s.excluded.match(id); ok {
			r.add(Result{ID: id, Status: NotApplicable, Detail: reason})
			continue
		}
		if r.o != nil {
			r.o.Started(next, id)
		}
		result, usable := sess.test(next)
		result.ID = id
		r.add(result)
		if !usable {
			return next + 1
		}
	}
	return -1
}

// matches says whether an id matches a pattern; one without dots matches the name
// of the method.
func matches(pattern, id string) bool {
	if ok, _ := path.Match(pattern, id); ok {
		return true
	}
	ok, _ := path.Match(pattern, id[strings.LastIndexByte(id, '.')+1:])
	return ok
}

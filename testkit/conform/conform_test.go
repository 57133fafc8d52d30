package conform_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/conform"
)

var cpython = flag.String("cpython", "", "directory test of an installed CPython 3.11, for TestPrograms")

// TestOutcomes runs a program of our own in which every way a test can end occurs.
func TestOutcomes(t *testing.T) {
	suite, err := conform.Open("testdata/test")
	if err != nil {
		t.Fatal(err)
	}
	suite.Cycles = 20_000_000
	want := map[string]conform.Status{
		"Outcomes.test_passes": conform.Passed, "Outcomes.test_fails": conform.Failed, "Outcomes.test_raises": conform.Failed,
		"Outcomes.test_subtest_fails": conform.Failed, "Outcomes.test_skips": conform.NotApplicable,
		"Outcomes.test_absent_module": conform.NotApplicable, "Outcomes.test_forbidden": conform.NotApplicable,
		"Outcomes.test_long_integer": conform.NotApplicable, "Outcomes.test_endless": conform.Failed,
		"Outcomes.test_listed": conform.NotApplicable, "Outcomes.test_cpython": conform.NotApplicable,
		"Outcomes.test_after": conform.Passed, "Evaluation.test_exec": conform.Passed, "Evaluation.test_exec_two": conform.Passed,
		"Evaluation.test_eval": conform.Passed, "Evaluation.test_compile": conform.Passed, "Evaluation.test_identity": conform.Passed,
		"Evaluation.test_print": conform.Passed, "doctest.test_sample": conform.Passed,
	}
	report := suite.Test("test_sample", 0, nil)
	if report.Fault != "" {
		t.Fatal(report.Fault)
	}
	for _, r := range report.Results {
		id := strings.TrimPrefix(r.ID, "test_sample.")
		if r.Status != want[id] {
			t.Errorf("%s: %s (%s), want %s\n%s", id, r.Status, r.Detail, want[id], r.Trace)
		}
		if r.Status != conform.Passed && r.Detail == "" {
			t.Errorf("%s: %s without a reason", id, r.Status)
		}
		delete(want, id)
	}
	for id := range want {
		t.Run(id, func(t *testing.T) {
			t.Errorf("%s did not run", id)
		})
	}
}

func TestOpenRejects(t *testing.T) {
	if _, err := conform.Open(t.TempDir()); !errors.Is(err, conform.ErrNoCPython) {
		t.Errorf("a directory without tests gives %v", err)
	}
}

// TestPrograms runs the programs of the table against an installed CPython and
// holds the machine to at least 95 of 100 applicable tests in each list.
func TestPrograms(t *testing.T) {
	if *cpython == "" {
		t.Skip("needs -args -cpython DIR")
	}
	suite, err := conform.Open(*cpython)
	if err != nil {
		t.Fatal(err)
	}
	passed, failed := 0, 0
	for _, name := range conform.Programs() {
		r := suite.Test(name, 0, nil)
		passed += r.Count(conform.Passed)
		failed += r.Count(conform.Failed)
		t.Log(r.Line())
	}
	if passed*100 < (passed+failed)*95 {
		t.Errorf("passed %d, failed %d", passed, failed)
	}
}

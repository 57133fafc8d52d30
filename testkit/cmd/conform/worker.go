package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/cowboyinc/cowboy-go/testkit/conform"
)

// event is a line that a worker sends: a test that starts, one that is done, or the
// end of the program.
type event struct {
	Number int             `json:"number"`
	ID     string          `json:"id,omitempty"`
	Result *conform.Result `json:"result,omitempty"`
	End    bool            `json:"end,omitempty"`
	Fault  string          `json:"fault,omitempty"`
}

// sender writes events as lines of JSON.
type sender struct{ out *json.Encoder }

func (s sender) send(e event) {
	if err := s.out.Encode(e); err != nil {
		os.Exit(1) // nobody listens
	}
}

// Started implements conform.Observer.
func (s sender) Started(number int, id string) { s.send(event{Number: number, ID: id}) }

// Done implements conform.Observer.
func (s sender) Done(r conform.Result) { s.send(event{Result: &r}) }

// work runs a program in this process and reports to the parent.
func work(suite *conform.Suite, name string, from int) {
	s := sender{json.NewEncoder(os.Stdout)}
	r := suite.Test(name, from, s)
	s.send(event{End: true, Fault: r.Fault})
}

// supervise runs a program in a process of its own: a test that ends the process
// fails, and another process goes on behind it.
func supervise(name string) (*conform.Report, error) {
	report := &conform.Report{Program: name}
	for from := 0; ; {
		last, end, stderr, err := run(name, from, report)
		if end || err != nil {
			return report, err
		}
		if last.ID == "" {
			report.Fault = "the process died while loading: " + stderr
			return report, nil
		}
		report.Results = append(report.Results, conform.Result{ID: last.ID, Status: conform.Failed, Detail: "the process died: " + stderr})
		from = last.Number + 1
	}
}

// run starts a worker and adds its results to the report. It returns the last test
// that started, and whether the worker came to the end.
func run(name string, from int, report *conform.Report) (last event, end bool, stderr string, err error) {
	args := []string{"-worker", fmt.Sprint(from)}
	args = append(args, os.Args[1:len(os.Args)-flag.NArg()]...)
	cmd := exec.Command(os.Args[0], append(args, name)...)
	var errors strings.Builder
	cmd.Stderr = &errors
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return last, false, "", err
	}
	if err := cmd.Start(); err != nil {
		return last, false, "", err
	}
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return last, false, "", fmt.Errorf("worker: %w", err)
		}
		switch {
		case e.End:
			end, report.Fault = true, e.Fault
		case e.Result != nil:
			report.Results = append(report.Results, *e.Result)
		default:
			last = e
		}
	}
	_ = cmd.Wait() // a worker that died has not sent the end
	text, _, _ := strings.Cut(errors.String(), "\n")
	return last, end, text, lines.Err()
}

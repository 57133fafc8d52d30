package script

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	door "github.com/cowboyinc/cowboy-go/cmd/cowboy-gateway/operate"
	keys "github.com/cowboyinc/cowboy-go/cmd/cowboy-proxy/operate"
	shelf "github.com/cowboyinc/cowboy-go/cmd/cowboy-relay/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/cli"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/daemon"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

func TestMain(m *testing.M) {
	if work.Reentered(os.Args) { // a runner starts the programs of jobs through itself, by no name of a command
		return
	}
	if err := flag.Set("test.parallel", "4"); err != nil { // most of the time they wait for blocks; the command line has the last word
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"cowboy":         func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"cowboy-gateway": func() { os.Exit(door.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"cowboy-proxy":   func() { os.Exit(keys.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"cowboy-relay":   func() { os.Exit(shelf.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"cowboyd":        func() { os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"cowboy-runner":  func() { os.Exit(operate.Main(os.Args[1:], os.Stdout, os.Stderr)) },
		"environment":    environment,
		"tool-web":       webTool,
	})
}

// TestScenarios runs testdata/*.txtar. Spec: node-rpc-cli §4, §6.
func TestScenarios(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			free, err := ports.Reserve(3)
			if err != nil {
				return err
			}
			env.Defer(free.Release)
			examples, err := os.Getwd()
			if err != nil {
				return err
			}
			for i, name := range []string{"PORT", "PORT2", "UDP"} {
				env.Setenv(name, fmt.Sprint(free.First+i))
			}
			env.Setenv("COWBOY_RPC_URL", fmt.Sprintf("http://127.0.0.1:%d", free.First))
			env.Setenv("EXAMPLES", examples+"/../examples")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"ready": ready, "answers": answers, "capture": capture, "grows": grows,
			"forge": forge, "untilprints": untilPrints, "roundtrip": roundTrip, "certificate": certificate, "spoil": spoilFile, "source": sourceOf,
			"standin": standsIn, "expand": expand,
			"fetch": fetch, "contained": buildsContained},
		Condition: here,
	})
}

// freePorts reserves n consecutive ports for a test and gives the first.
func freePorts(t *testing.T, n int) int {
	t.Helper()
	free, err := ports.Reserve(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.Release)
	return free.First
}

// ready asks until the node says yes; it ends with the test's own deadline at the latest.
func ready(ts *testscript.TestScript, _ bool, _ []string) {
	ask(ts, "/health/ready", "")
}

// answers asks for a path until the node's answer matches.
func answers(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: answers PATH REGEXP")
	}
	ask(ts, args[0], args[1])
}

func ask(ts *testscript.TestScript, path, pattern string) {
	url := ts.Getenv("COWBOY_RPC_URL") + path
	want := regexp.MustCompile(pattern)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1_500 {
		if resp, err := http.Get(url); err == nil {
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err == nil && resp.StatusCode == http.StatusOK && want.Match(body) {
				return
			}
		}
		<-tick.C
	}
	ts.Fatalf("the node never answers %s so that %q matches", url, pattern)
}

// grows reads a file until what it says matches.
func grows(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: grows FILE REGEXP")
	}
	want := regexp.MustCompile(args[1])
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1_500 {
		if text, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && want.Match(text) {
			return
		}
		<-tick.C
	}
	ts.Fatalf("%s never says what matches %q", args[0], args[1])
}

// untilPrints runs a command again and again until what it prints matches.
func untilPrints(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: untilprints REGEXP COMMAND...")
	}
	want := regexp.MustCompile("(?m)" + args[0])
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1_500 {
		if err := ts.Exec(args[1], args[2:]...); err == nil && want.MatchString(ts.ReadFile("stdout")) {
			return
		}
		<-tick.C
	}
	ts.Fatalf("%v never prints what matches %q", args[1:], args[0])
}

func capture(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: capture NAME REGEXP")
	}
	found := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) != 2 {
		ts.Fatalf("%s is not in the last output", args[1])
	}
	ts.Setenv(args[0], found[1])
}

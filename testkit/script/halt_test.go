package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// lone is a cowboyd of its own.
type lone struct {
	*exec.Cmd
	url      string
	out, err bytes.Buffer
	ended    chan error
}

func begin(t *testing.T, dir string) *lone {
	t.Helper()
	port := freePorts(t, 1)
	program, err := exec.LookPath("cowboyd") // made by TestMain
	if err != nil {
		t.Fatal(err)
	}
	p := &lone{url: fmt.Sprintf("http://127.0.0.1:%d", port), ended: make(chan error, 1)}
	p.Cmd = exec.Command(program, "--data-dir", dir, "--rpc-port", fmt.Sprint(port), "--block-time", "20ms", "--rpc-rate", "0")
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// height waits until the node has final blocks from a height on, and gives the newest.
func (p *lone) height(t *testing.T, from uint64) uint64 {
	t.Helper()
	height, ok := p.reaches(from, nil)
	if !ok {
		t.Fatalf("the node never has block %d\n%s", from, p.err.String())
	}
	return height
}

// reaches waits until the node has final blocks from a height on, or is told to stop.
func (p *lone) reaches(from uint64, stop <-chan struct{}) (height uint64, ok bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1_500 {
		if answer, err := http.Get(p.url + "/height"); err == nil {
			var at wire.Height
			err := json.NewDecoder(answer.Body).Decode(&at)
			_ = answer.Body.Close()
			if err == nil && at.Height >= from {
				return at.Height, true
			}
		}
		select {
		case <-tick.C:
		case <-stop:
			return 0, false
		}
	}
	return 0, false
}

// TestHalt: a node whose subsystem keeps failing ends by itself in order, with a status of its own, says why in the file HALTED, and starts again with
// every final block.
//
// Spec: ARCHITECTURE "The supervision tree".
func TestHalt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	p := begin(t, dir)
	before := p.height(t, 3)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var ended error
	for asked, over := 0, false; !over; asked++ {
		if asked > 3_000 {
			t.Fatal("the node bears any number of failures")
		}
		if answer, err := http.Post(p.url+"/dev/panic", "application/json", strings.NewReader(`{"subsystem":"core/executor"}`)); err == nil {
			_ = answer.Body.Close()
		}
		select {
		case ended = <-p.ended:
			over = true
		case <-tick.C:
		}
	}
	var status *exec.ExitError
	if !errors.As(ended, &status) || status.ExitCode() != 3 {
		t.Fatalf("ended with %v, want exit status 3\n%s", ended, p.err.String())
	}
	if text := p.err.String(); !strings.Contains(text, "node/core") || !strings.Contains(text, "start the node again") {
		t.Errorf("the node says %q", text)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "HALTED"))
	if err != nil {
		t.Fatal(err)
	}
	var halt supervision.Halt
	if err := json.Unmarshal(raw, &halt); err != nil || halt.Subsystem != "node/core/executor" ||
		!strings.Contains(halt.Reason, "a developer asked for this panic") ||
		halt.Report == nil || !strings.Contains(halt.Report.Stack, "goroutine") {
		t.Errorf("HALTED: %v\n%s", err, raw)
	}

	again := begin(t, dir)
	again.height(t, before+1)
	if err := again.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-again.ended; err != nil {
		t.Errorf("an orderly end: %v\n%s", err, again.err.String())
	}
}

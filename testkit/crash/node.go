package crash

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// startWithin is how long a node may take to serve finalized state again.
const startWithin = 30 * time.Second

// node is one life after the other of the same data directory.
type node struct {
	bin, dir, log string
	port          int
	client        *api.Client
	process       *exec.Cmd
	ended         chan error
}

func (n *node) start() error {
	log, err := os.OpenFile(n.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	n.process = exec.Command(n.bin, "--data-dir", n.dir, "--rpc-port", fmt.Sprint(n.port), "--block-time", "50ms", "--rpc-rate", "0")
	n.process.Stdout, n.process.Stderr = log, log
	if err := n.process.Start(); err != nil {
		return err
	}
	n.ended = make(chan error, 1)
	go func(p *exec.Cmd, ended chan error) { ended <- p.Wait() }(n.process, n.ended)
	deadline := time.Now().Add(startWithin)
	for time.Now().Before(deadline) {
		var ready wire.Ready
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := n.client.Read(ctx, "/health/ready", &ready)
		cancel()
		if err == nil && ready.Ready {
			return nil
		}
		select {
		case err := <-n.ended:
			return fmt.Errorf("the node ended by itself: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	n.kill()
	return errors.New("the node did not become ready")
}

func (n *node) kill() {
	_ = n.process.Process.Kill()
	<-n.ended
}

func (n *node) stop() {
	_ = n.process.Process.Signal(syscall.SIGTERM)
	<-n.ended
}

// tail gives the last lines of the node's log, for a failure's report.
func (n *node) tail() string {
	text, err := os.ReadFile(n.log)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return "\nlast lines of the node:\n  " + strings.Join(lines[max(0, len(lines)-15):], "\n  ")
}

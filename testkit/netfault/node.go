package netfault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// startWithin is how long a node may take to answer.
const startWithin = time.Minute

// node is one validator, one process after the other.
type node struct {
	name      string
	bin, dir  string
	arguments []string // of cowboyd start
	space     string   // network namespace; "": this one
	client    *api.Client

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan error
	wiped   bool // its disk was lost: it may be behind what it had
}

func (n *node) logPath() string { return n.dir + ".log" }

// start starts the process and waits until it answers.
func (n *node) start() error {
	log, err := os.OpenFile(n.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	line := append([]string{n.bin, "start", "--data-dir", n.dir}, n.arguments...)
	if n.space != "" {
		line = append([]string{"ip", "netns", "exec", n.space}, line...)
	}
	c := exec.Command(line[0], line[1:]...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	n.mu.Lock()
	n.process, n.ended = c, ended
	n.mu.Unlock()
	for deadline := time.Now().Add(startWithin); time.Now().Before(deadline); {
		if _, err := n.height(); err == nil {
			return nil
		}
		select {
		case err := <-ended:
			ended <- err
			return fmt.Errorf("%s ended by itself: %v\n%s", n.name, err, n.tail())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return fmt.Errorf("%s does not answer\n%s", n.name, n.tail())
}

// end sends a signal and waits for the process.
func (n *node) end(s syscall.Signal) {
	n.mu.Lock()
	process, ended := n.process, n.ended
	n.process = nil
	n.mu.Unlock()
	if process == nil {
		return
	}
	_ = process.Process.Signal(s)
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		_ = process.Process.Kill()
		<-ended
	}
}

// running reports whether the process is meant to be there.
func (n *node) running() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.process != nil
}

// wipe loses the disk: everything but configuration, genesis and keys.
func (n *node) wipe() error {
	list, err := os.ReadDir(n.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		switch e.Name() {
		case "config.toml", "genesis.json", "keys":
		default:
			err = errors.Join(err, os.RemoveAll(filepath.Join(n.dir, e.Name())))
		}
	}
	n.wiped = true
	return err
}

// clientAt talks to a node on loopback.
func clientAt(port int) *api.Client { return api.New(fmt.Sprintf("http://127.0.0.1:%d", port)) }

// height asks for the finalized height.
func (n *node) height() (uint64, error) {
	var h wire.Height
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := n.client.Read(ctx, "/height", &h)
	return h.Height, err
}

// block asks for a finalized block.
func (n *node) block(height uint64) (wire.Block, error) {
	var b wire.Block
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err := n.client.Read(ctx, fmt.Sprintf("/block/height/%d", height), &b)
	return b, err
}

// tail gives the last lines of the node's log.
func (n *node) tail() string {
	text, err := os.ReadFile(n.logPath())
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return n.name + ":\n  " + strings.Join(lines[max(0, len(lines)-12):], "\n  ")
}

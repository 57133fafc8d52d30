package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// runProcesses runs one process per validator until it is told to stop or one of them ends.
func runProcesses(ctx context.Context, s *settings, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := &shared{out: out}
	ended := make(chan error, s.validators)
	for i := range s.validators {
		c := exec.CommandContext(ctx, self, s.arguments(i)...)
		c.Stdout, c.Stderr = lines, lines
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
		c.WaitDelay = stopWithin
		if err := c.Start(); err != nil {
			cancel()
			return errors.Join(err, wait(ended, i))
		}
		fmt.Fprintf(lines, "node %d: process %d, %s://%s:%d\n", i, c.Process.Pid, s.serving.scheme(), s.rpcHost, s.rpcPort+i)
		go func() {
			if err := c.Wait(); err != nil && ctx.Err() == nil {
				ended <- fmt.Errorf("node %d: %w", i, err)
				return
			}
			ended <- nil
		}()
	}
	var first error
	left := s.validators
	select {
	case <-ctx.Done():
	case first = <-ended:
		left--
		cancel()
	}
	return errors.Join(first, wait(ended, left))
}

func wait(ended chan error, n int) error {
	var err error
	for range n {
		err = errors.Join(err, <-ended)
	}
	return err
}

// arguments are the command line of one validator's process.
func (s *settings) arguments(i int) []string {
	return slices.Concat(s.kept.arguments(), s.serving.arguments(), s.pushing.arguments(), []string{
		"--chain-id", strconv.FormatUint(s.chainID, 10), "--data-dir", filepath.Join(s.dataDir, fmt.Sprintf("node-%d", i)),
		"--rpc-host", s.rpcHost, "--rpc-port", strconv.Itoa(s.rpcPort + i), "--rpc-rate", strconv.Itoa(s.rpcRate),
		"--block-time", s.blockTime.String(), "--memory=" + strconv.FormatBool(s.memory),
		"--query-cycles", strconv.FormatUint(s.queryCycles, 10), "--query-time", s.queryTime.String(),
		"--log-level", s.logLevel, "--log-format", s.logFormat, "--pvm-workers", strconv.Itoa(s.workers), "--memory-budget", strconv.FormatInt(s.each(), 10),
		"--build-time", s.budget.String(),
		"--validators", strconv.Itoa(s.validators), "--rank", strconv.Itoa(i), "--p2p-host", s.p2pHost, "--p2p-port", strconv.Itoa(s.p2pPort + i),
	})
}

// shared is an output several processes write to.
type shared struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements io.Writer.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// node is a cowboyd process whose log is read.
type node struct {
	url     string
	dir     string
	free    *ports.Run
	client  *api.Client
	process *exec.Cmd

	mu    sync.Mutex
	final []time.Duration // of every block since the last measurement
	txs   int
}

// start starts a node on a directory of its own and waits until it is ready.
func start(ctx context.Context, bin string, block time.Duration) (*node, error) {
	free, err := ports.Reserve(1)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "cowboy-audience-")
	if err != nil {
		return nil, err
	}
	n := &node{url: fmt.Sprintf("http://127.0.0.1:%d", free.First), dir: dir, free: free}
	n.client = api.New(n.url)
	n.process = exec.Command(bin, "--data-dir", dir, "--rpc-port", strconv.Itoa(free.First), "--block-time", block.String(), "--rpc-rate", "0")
	out, err := n.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.process.Stderr = n.process.Stdout
	if err := n.process.Start(); err != nil {
		return nil, err
	}
	go n.read(out)
	for range 3_000 {
		var ready wire.Ready
		if n.client.Read(ctx, "/health/ready", &ready) == nil && ready.Ready {
			return n, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	n.stop()
	return nil, errors.New("the node did not become ready")
}

func (n *node) stop() {
	_ = n.process.Process.Signal(syscall.SIGTERM)
	_ = n.process.Wait()
	n.free.Release()
	_ = os.RemoveAll(n.dir)
}

// blockLine is what the node logs of a final block: its transactions, and how long after its proposal it was final.
var blockLine = regexp.MustCompile(`block \d+ .* (\d+) txs?\b.* final=(\S+)`)

func (n *node) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		m := blockLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		txs, _ := strconv.Atoi(m[1])
		if age, err := time.ParseDuration(m[2]); err == nil {
			n.mu.Lock()
			n.final, n.txs = append(n.final, age), n.txs+txs
			n.mu.Unlock()
		}
	}
}

// stretch is what was measured in some time.
type stretch struct {
	blocks, txs int
	ages        []time.Duration // ascending
	cpu         time.Duration   // of the whole process, per block
}

func (s *stretch) final(percent int) time.Duration {
	return s.ages[min(len(s.ages)-1, len(s.ages)*percent/100)]
}

// measure waits for some time and says what the node did in it.
func (n *node) measure(ctx context.Context, length time.Duration) (*stretch, error) {
	before, err := n.cpu()
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	n.final, n.txs = nil, 0
	n.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(length):
	}
	after, err := n.cpu()
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	s := &stretch{blocks: len(n.final), txs: n.txs, ages: slices.Clone(n.final)}
	if s.blocks == 0 {
		return nil, errors.New("the node made no block")
	}
	slices.Sort(s.ages)
	s.cpu = ((after - before) / time.Duration(s.blocks)).Round(10 * time.Microsecond)
	return s, nil
}

// cpu is the processor time the node has used, in the kernel's ticks of 10 ms.
func (n *node) cpu() (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	var ticks time.Duration
	for _, text := range fields[11:13] { // utime, stime
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += time.Duration(v)
	}
	return ticks * 10 * time.Millisecond, nil
}

package netfault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// validators is the size of the network: one may be away.
const validators = 4

// Config says what to run and for how long.
type Config struct {
	Node      string // path of cowboyd
	Dir       string // an empty directory to work in
	Kills     int
	Seed      uint64
	Partition time.Duration // length of each
	BlockTime time.Duration
	BuildTime time.Duration // for a block's transactions; 0: the node's own
	Wire      Wire          // between namespaces
	Out       io.Writer
}

// Result is what was witnessed.
type Result struct {
	Height   uint64
	Txs      uint64
	Kills    int
	Longest  time.Duration // without a new block while a quorum was there
	At       uint64        // the block before it
	Recovery time.Duration // slowest return of a killed node to the others' height
	Passed   uint64        // packets
	Lost     uint64
	Elapsed  time.Duration
}

// MaxStop is how long the chain may stand still with a quorum there: the two view changes that one validator's absence may cost, however often it is
// drawn, and what polling and the views in between add. The view it leads as it goes lasts until its certification deadline (3 s) where some hold its
// proposal and others do not, the next view it leads until its leader deadline (2 s); after that nobody waits for it until it votes again.
//
// Spec: commonware §3.2.
const MaxStop = 6500 * time.Millisecond

// Late is an error where the chain stood still for longer than MaxStop. It depends on the machine as well: one that is busy with other things is late.
func (r Result) Late() error {
	if r.Longest > MaxStop {
		return fmt.Errorf("the chain stood still for %v after block %d with a quorum there", r.Longest, r.At)
	}
	return nil
}

// String is the result as a line.
func (r Result) String() string {
	s := fmt.Sprintf("%d blocks, %d transfers and %d kills in %s; longest stop with a quorum %s (after block %d); slowest return of a node %s",
		r.Height, r.Txs, r.Kills, r.Elapsed.Round(time.Second), r.Longest.Round(10*time.Millisecond), r.At, r.Recovery.Round(10*time.Millisecond))
	if r.Passed > 0 {
		s += fmt.Sprintf("; %d packets passed, %d vanished", r.Passed, r.Lost)
	}
	return s
}

// course is one network being run.
type course struct {
	Config
	nodes   []*node
	witness *witness
	draw    *rand.Rand
	spaces  *spaces
	free    *ports.Run // of all validators, both kinds, and of one more node
	epochs  int        // blocks of an epoch; 0: the usual number
	result  Result
}

// Loopback runs processes of this machine.
func Loopback(c Config) (Result, error) { return c.run(false) }

// Namespaces runs each process in a network namespace of its own; an error that is ErrDenied says that the machine does not allow it.
func Namespaces(c Config) (Result, error) { return c.run(true) }

func (c Config) run(apart bool) (result Result, err error) {
	r := &course{Config: c, draw: rand.New(rand.NewPCG(c.Seed, 1))}
	if apart {
		if r.spaces, err = makeSpaces(validators, c.Seed); err != nil {
			return result, err
		}
		defer r.spaces.close()
		r.spaces.router.All(c.Wire)
	}
	err = r.watched(func(ctx context.Context) error {
		go (&load{nodes: r.nodes, every: 100 * time.Millisecond, batch: 10}).run(ctx)
		return r.trouble()
	})
	if r.spaces != nil {
		r.result.Passed, r.result.Lost = r.spaces.router.Counts()
	}
	return r.result, err
}

// watched founds the network, lets events take their course under a witness, and compares what is left on the disks.
func (r *course) watched(events func(context.Context) error) error {
	began := time.Now()
	free, err := ports.Reserve(2*validators + 2)
	if err != nil {
		return err
	}
	defer free.Release()
	r.free = free
	if err := r.found(); err != nil {
		return err
	}
	defer func() {
		for _, n := range r.nodes {
			n.end(syscall.SIGKILL)
		}
	}()
	for _, n := range r.nodes {
		if err := n.start(); err != nil {
			return err
		}
	}
	w := newWitness(r.nodes)
	r.witness = w
	ctx, cancel := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() {
		w.watch(ctx)
		close(watched)
	}()
	err = events(ctx)
	cancel()
	<-watched
	r.result.Height, r.result.Txs, r.result.Longest, r.result.At = w.height, w.txs, w.longest, w.longestAt
	if err = errors.Join(err, w.err()); err == nil {
		err = r.compare()
	}
	if err != nil {
		for _, n := range r.nodes {
			err = fmt.Errorf("%w\n%s", err, n.tail())
		}
	}
	r.result.Elapsed = time.Since(began)
	return err
}

// say writes a line of progress.
func (r *course) say(format string, args ...any) {
	fmt.Fprintf(r.Out, "  block %d: %s\n", r.height(), fmt.Sprintf(format, args...))
}

func (r *course) height() uint64 {
	if r.witness == nil {
		return 0
	}
	return r.witness.top()
}

// found makes the network's data directories as an operator would.
func (r *course) found() error {
	password := filepath.Join(r.Dir, "password")
	if err := os.WriteFile(password, []byte("worth nothing\n"), 0o600); err != nil {
		return err
	}
	p2p, rpc := r.free.First, r.free.First+validators
	line := []string{"init", "--validators", fmt.Sprint(validators), "--data-dir", r.Dir, "--chain-id", fmt.Sprint(chainID), "--faucet",
		"--password-file", password, "--light-keys", "--block-time", r.BlockTime.String(), "--p2p-port", fmt.Sprint(p2p), "--rpc-port", fmt.Sprint(rpc)}
	if r.epochs > 0 {
		line = append(line, "--epoch-blocks", fmt.Sprint(r.epochs))
	}
	out, err := exec.Command(r.Node, line...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("init: %s", out)
	}
	var ids [validators]string
	for i := range validators {
		n := &node{name: fmt.Sprintf("node %d", i), bin: r.Node, dir: filepath.Join(r.Dir, fmt.Sprintf("node-%d", i))}
		at := fmt.Sprintf("127.0.0.1:%d", rpc+i)
		n.arguments = []string{"--rpc-rate", "0", "--build-time", r.BuildTime.String()}
		if r.spaces != nil {
			n.space = r.spaces.names[i]
			at = net.JoinHostPort(address(i+1), fmt.Sprint(rpc+i))
			n.arguments = append(n.arguments, "--rpc-host", address(i+1), "--p2p-host", address(i+1))
		}
		n.client = api.New("http://" + at)
		id, err := exec.Command(r.Node, "keys", "show", "network", "--data-dir", n.dir).Output()
		if err != nil {
			return err
		}
		ids[i] = strings.TrimSpace(string(id))
		r.nodes = append(r.nodes, n)
	}
	for i, n := range r.nodes {
		if r.spaces == nil {
			break // the deal says where the others are
		}
		var others []string
		for j, id := range ids {
			if j != i {
				others = append(others, fmt.Sprintf("%s@%s:%d", id, address(j+1), p2p+j))
			}
		}
		n.arguments = append(n.arguments, "--peers", strings.Join(others, ","))
	}
	return nil
}

// compare stops the nodes in order and compares their data directories; the first one's chain is executed again.
func (r *course) compare() error {
	for _, n := range r.nodes {
		n.end(syscall.SIGTERM)
	}
	for _, n := range r.nodes[1:] {
		out, err := exec.Command(r.Node, "diverge", r.nodes[0].dir, n.dir).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "the same up to block") {
			return fmt.Errorf("%s and %s: %s", r.nodes[0].dir, n.dir, out)
		}
	}
	out, err := exec.Command(r.Node, "verify", "--data-dir", r.nodes[0].dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("verify: %s", out)
	}
	fmt.Fprintf(r.Out, "  %s", out)
	return nil
}

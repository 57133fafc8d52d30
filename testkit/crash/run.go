package crash

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// Config says what to kill, how often and when.
type Config struct {
	Node    string        // path of cowboyd
	Dir     string        // an empty directory to work in
	Rounds  int           // kills
	Seed    uint64        // chooses the moments
	Longest time.Duration // longest life of a node under load before it is killed
	Out     io.Writer     // progress
}

// Result is what was witnessed.
type Result struct {
	Height   uint64
	Receipts int
	Events   int
}

// Run kills and restarts; an error is a broken promise of the node.
func Run(c Config) (Result, error) {
	free, err := ports.Reserve(1)
	if err != nil {
		return Result{}, err
	}
	defer free.Release()
	draw := rand.New(rand.NewPCG(c.Seed, 1))
	n := &node{bin: c.Node, dir: filepath.Join(c.Dir, "data"), log: filepath.Join(c.Dir, "log"), port: free.First}
	n.client = api.New(fmt.Sprintf("http://127.0.0.1:%d", free.First))
	w := newWitness(n.client)
	l, err := newLoad(n.client)
	if err != nil {
		return Result{}, err
	}
	for round := range c.Rounds {
		if err := life(n, w, l, time.Duration(draw.Int64N(int64(c.Longest)))); err != nil {
			return w.result(), fmt.Errorf("round %d: %w%s", round, err, n.tail())
		}
		if (round+1)%10 == 0 || round+1 == c.Rounds {
			r := w.result()
			fmt.Fprintf(c.Out, "  %d kills: height %d, %d receipts and %d events held\n", round+1, r.Height, r.Receipts, r.Events)
		}
	}
	if err := n.start(); err != nil {
		return w.result(), err
	}
	err = w.check()
	n.stop()
	if err != nil {
		return w.result(), err
	}
	text, err := exec.Command(c.Node, "verify", "--data-dir", n.dir).CombinedOutput()
	fmt.Fprintf(c.Out, "%s", text)
	if err != nil {
		err = fmt.Errorf("verify: %w", err)
	}
	return w.result(), err
}

// life is one start, one check of the past, some time under load and a kill.
func life(n *node, w *witness, l *load, length time.Duration) error {
	if err := n.start(); err != nil {
		return err
	}
	if err := w.check(); err != nil {
		n.kill()
		return fmt.Errorf("after the restart: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	go l.run(ctx)
	err := w.watch(ctx)
	n.kill()
	l.wait()
	return err
}

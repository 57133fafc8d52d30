// Command crash kills a loaded node with SIGKILL at random moments and holds every restart to what the node had said before:
// no finalized block, receipt or event lost or changed, no transaction executed twice. At the end `cowboyd verify` executes
// the whole chain again from genesis, undisturbed, and compares every root.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

func main() {
	bin := flag.String("bin", "bin/cowboyd", "the node's executable")
	rounds := flag.Int("rounds", 200, "kills")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "chooses the moments")
	longest := flag.Duration("longest", 1500*time.Millisecond, "longest life of a node before it is killed")
	flag.Parse()
	if err := run(*bin, *rounds, *seed, *longest); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

func run(bin string, rounds int, seed uint64, longest time.Duration) error {
	dir, err := os.MkdirTemp("", "cowboy-crash-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	port, err := freePort()
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %d rounds, port %d\n", seed, rounds, port)
	draw := rand.New(rand.NewPCG(seed, 1))
	n := &node{bin: bin, dir: filepath.Join(dir, "data"), log: filepath.Join(dir, "log"), port: port}
	n.client = api.New(fmt.Sprintf("http://127.0.0.1:%d", port))
	w := newWitness(n.client)
	l, err := newLoad(n.client)
	if err != nil {
		return err
	}
	for round := range rounds {
		if err := n.start(); err != nil {
			return fmt.Errorf("round %d: %w%s", round, err, n.tail())
		}
		if err := w.check(); err != nil {
			n.kill()
			return fmt.Errorf("round %d, after the restart: %w%s", round, err, n.tail())
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(draw.Int64N(int64(longest))))
		go l.run(ctx)
		err := w.watch(ctx)
		cancel()
		n.kill()
		l.wait()
		if err != nil {
			return fmt.Errorf("round %d: %w%s", round, err, n.tail())
		}
		if (round+1)%10 == 0 || round+1 == rounds {
			fmt.Printf("  %d kills: height %d, %d receipts and %d events held\n", round+1, w.height, len(w.receipts), w.events)
		}
	}
	if err := n.start(); err != nil {
		return err
	}
	err = w.check()
	n.stop()
	if err != nil {
		return err
	}
	out, err := exec.Command(bin, "verify", "--data-dir", n.dir).CombinedOutput()
	fmt.Printf("%s", out)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	fmt.Println("nothing lost, nothing executed twice, every root reproduced")
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

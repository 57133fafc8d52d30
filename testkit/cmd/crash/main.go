// Command crash is the long run of package testkit/crash: it kills a loaded node -rounds times.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/crash"
)

func main() {
	bin := flag.String("bin", "bin/cowboyd", "the node's executable")
	rounds := flag.Int("rounds", 200, "kills")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "chooses the moments")
	longest := flag.Duration("longest", 1500*time.Millisecond, "longest life of a node under load before it is killed")
	flag.Parse()
	if err := run(crash.Config{Node: *bin, Rounds: *rounds, Seed: *seed, Longest: *longest, Out: os.Stdout}); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
	fmt.Println("nothing lost, nothing executed twice, every root reproduced")
}

func run(c crash.Config) (err error) {
	if c.Dir, err = os.MkdirTemp("", "cowboy-crash-"); err != nil {
		return err
	}
	defer os.RemoveAll(c.Dir)
	fmt.Printf("seed %d, %d rounds\n", c.Seed, c.Rounds)
	_, err = crash.Run(c)
	return err
}

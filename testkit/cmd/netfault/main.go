// Command netfault is the long run of package testkit/netfault: four processes on loopback, then in network namespaces with loss, delay and partitions,
// then through changes of epochs with a key that signs twice. With -attacks it instead sends each case of a corpus of package testkit/fairness to four
// processes, a full block at a time.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/fairness"
	"github.com/cowboyinc/cowboy-go/testkit/netfault"
)

func main() {
	c := netfault.Config{Out: os.Stdout}
	flag.StringVar(&c.Node, "bin", "bin/cowboyd", "the node's executable")
	flag.IntVar(&c.Kills, "kills", 100, "processes to kill in all, half of them on loopback and half in namespaces")
	flag.Uint64Var(&c.Seed, "seed", uint64(time.Now().UnixNano()), "chooses moments, victims and lost packets")
	flag.DurationVar(&c.Partition, "partition", 15*time.Second, "length of each partition")
	flag.DurationVar(&c.BlockTime, "block-time", 250*time.Millisecond, "least time between two blocks")
	flag.Float64Var(&c.Wire.Loss, "loss", 0.05, "share of packets that vanish between namespaces")
	flag.DurationVar(&c.Wire.Delay, "delay", 20*time.Millisecond, "delay of every packet between namespaces")
	flag.DurationVar(&c.Wire.Jitter, "jitter", 10*time.Millisecond, "at most this much more")
	flag.DurationVar(&c.BuildTime, "build-time", 0, "time for a block's transactions, the proposer's second meter; 0 is the node's own, and 1h switches it off")
	part := flag.String("part", "all", "loopback, namespaces, epochs or all")
	keep := flag.Bool("keep", false, "keep the directories of a failed part")
	attacks := flag.String("attacks", "", "a corpus as fairness -keep writes it")
	flag.Parse()
	err := error(nil)
	if *attacks != "" {
		err = attack(c, *attacks)
	} else {
		err = run(c, *part, *keep)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "netfault:", err)
		os.Exit(1)
	}
}

func run(c netfault.Config, part string, keep bool) error {
	fmt.Printf("seed %d\n", c.Seed)
	if part == "all" {
		c.Kills = (c.Kills + 1) / 2
	}
	for _, p := range []struct {
		name string
		run  func(netfault.Config) (netfault.Result, error)
	}{{"loopback", netfault.Loopback}, {"namespaces", netfault.Namespaces}, {"epochs", netfault.Epochs}} {
		if part != "all" && part != p.name {
			continue
		}
		dir, err := os.MkdirTemp("", "cowboy-netfault-")
		if err != nil {
			return err
		}
		c.Dir = dir
		fmt.Printf("%s\n", p.name)
		result, err := p.run(c)
		if err == nil {
			err = result.Late()
		}
		if err == nil || !keep {
			_ = os.RemoveAll(dir)
		}
		fmt.Printf("  %v\n", result)
		if errors.Is(err, netfault.ErrDenied) && part == "all" {
			fmt.Printf("  left out: %v\n", err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// attack sends every case of a corpus and says how long the chain stood still.
func attack(c netfault.Config, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	kept, err := fairness.ReadKept(string(text))
	if err != nil {
		return err
	}
	if c.Dir, err = os.MkdirTemp("", "cowboy-netfault-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(c.Dir) }()
	list := make([]netfault.Attack, len(kept))
	for i, k := range kept {
		list[i] = netfault.Attack{Name: k.Name, Source: k.Actor()}
	}
	c.BlockTime = time.Second
	result, err := netfault.Attacks(c, list, func(s netfault.Struck) {
		fmt.Printf("%v; before it %v; %d of %d mined, %d cycles, %d turns ended  %s -> %.80s\n",
			s.Pace, s.Before, s.Mined, netfault.Strikes, s.Cycles, s.Ended, s.Name, s.Ending)
	})
	fmt.Printf("  %v\n", result)
	return err
}

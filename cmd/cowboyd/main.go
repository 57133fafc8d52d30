// Command cowboyd runs a node of a Cowboy chain.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/daemon"
)

func main() {
	if work.Reentered(os.Args) { // by a runner of a development network
		return
	}
	os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr))
}

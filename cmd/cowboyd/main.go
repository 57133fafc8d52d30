// Command cowboyd runs a node of a Cowboy chain.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/daemon"
)

func main() { os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr)) }

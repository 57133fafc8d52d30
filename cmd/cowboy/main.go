// Command cowboy deploys, calls and watches Python actors on a Cowboy chain.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

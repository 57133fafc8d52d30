// Command cowboy-relay keeps shards of volumes.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy-relay/operate"
)

func main() { os.Exit(operate.Main(os.Args[1:], os.Stdout, os.Stderr)) }

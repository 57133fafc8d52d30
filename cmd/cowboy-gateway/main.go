// Command cowboy-gateway brings requests over HTTP to actors.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy-gateway/operate"
)

func main() { os.Exit(operate.Main(os.Args[1:], os.Stdout, os.Stderr)) }

// Command cowboy-proxy is a proxy of the secret service.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy-proxy/operate"
)

func main() { os.Exit(operate.Main(os.Args[1:], os.Stdout, os.Stderr)) }

// Command cowboy-runner does the jobs of a registered runner: a dispatcher with workers, or workers that join one.
package main

import (
	"os"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
)

func main() {
	if work.Reentered(os.Args) {
		return
	}
	os.Exit(operate.Main(os.Args[1:], os.Stdout, os.Stderr))
}

// Command cowboy-runner will run an off-chain worker fleet. What it needs of the chain beyond the registry (job dispatch, result
// verification) is not part of this node yet, so it says so instead of pretending to work.
package main

import (
	"fmt"
	"os"

	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
)

func main() {
	if len(os.Args) == 2 && (os.Args[1] == "version" || os.Args[1] == "--version") {
		fmt.Printf("cowboy-runner %s\n", version.Version)
		return
	}
	fmt.Fprintln(os.Stderr, "cowboy-runner: this chain dispatches no jobs to registered runners yet\n"+
		"  `make specmap` in the source tree lists what is")
	os.Exit(1)
}

// Command cowboy-runner will run an off-chain worker fleet. The chapters it needs (runner registry, job dispatch, result
// verification) are not part of this node yet, so it says so instead of pretending to work.
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
	fmt.Fprintln(os.Stderr, "cowboy-runner: the runner marketplace is not available on this chain yet: the job chapter is not built\n"+
		"  `make specmap` in the source tree lists what is")
	os.Exit(1)
}

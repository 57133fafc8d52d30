// Command specmap prints specification section → function → test, and the sections that have none.
package main

import (
	"fmt"
	"os"

	"github.com/cowboyinc/cowboy-go/testkit/specmap"
)

func main() {
	found, err := specmap.Scan(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	specmap.Print(os.Stdout, found)
}

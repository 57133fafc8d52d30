// Command specmap prints specification section → function → test, then the gaps: sections without code or test, instructions
// whose chapter is not built, system actors that answer "not available yet".
package main

import (
	"fmt"
	"os"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/testkit/specmap"
)

func main() {
	found, err := specmap.Scan(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	found.Print(os.Stdout)

	var missing []tx.Entry
	table := tx.Table()
	for _, e := range table {
		if !e.Built {
			missing = append(missing, e)
		}
	}
	fmt.Printf("\nInstructions not built: %d of %d\n", len(missing), len(table))
	for _, e := range missing {
		fmt.Printf("    %-8v %3d  %-32s %s\n", e.Opcode.Category(), e.Opcode.SubType(), e.Name, e.Chapter)
	}
	fmt.Println("\nSystem actors")
	for _, e := range account.SystemTable() {
		fmt.Printf("    %s\n", system.Unavailable(account.System(e.Number)))
	}
}

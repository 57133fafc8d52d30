// Command specmap prints specification section → function → test, then the gaps: sections without code or test, instructions
// whose chapter is not built, and what each system actor has of its instructions. A citation that leads to no heading of docs/spec is an error.
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

	rows := tx.Rows()
	built := map[byte]int{}
	all := map[byte]int{}
	var missing []tx.Row
	for _, row := range rows {
		all[row.Home]++
		if row.Built() {
			built[row.Home]++
		} else {
			missing = append(missing, row)
		}
	}
	fmt.Printf("\nInstructions not built: %d of %d\n", len(missing), len(rows))
	for _, row := range missing {
		fmt.Printf("    %-8v %3d  %-32s %s\n", row.Opcode.Category(), row.Opcode.SubType(), row.Name, row.Chapter)
	}
	fmt.Println("\nSystem actors, the chapter at home there, and how many of the instructions they execute are built")
	for _, e := range system.Table() {
		n := e.Address[account.AddressSize-1]
		fmt.Printf("    0x%02x  %-32s %-10s %d of %d\n", n, e.Name, e.Chapter, built[n], all[n])
	}
	if len(found.Faults) > 0 {
		os.Exit(1)
	}
}

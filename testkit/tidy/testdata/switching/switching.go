// Package switching tells instructions apart by switches, and does what is allowed.
package switching

import "github.com/cowboyinc/cowboy-go/chain/tx"

func all(in tx.Instruction, v any, category tx.Category) int {
	switch in.(type) {
	case *tx.Transfer:
		return 1
	}
	switch in := in.(type) {
	case *tx.Deploy:
		return len(in.Code)
	}
	switch in.Opcode() {
	case tx.OpExecute:
		return 2
	}
	if e, ok := in.(*tx.Execute); ok { // one, and not a list of them
		return len(e.Payload)
	}
	switch category {
	case tx.Actor:
		return 3
	}
	switch v.(type) {
	case int:
		return 4
	}
	switch {
	case v == nil:
		return 5
	}
	return 0
}

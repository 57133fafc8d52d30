package chapter

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Ended is a message that an address of a chapter sent, when its delivery is over; what a failed one did is undone already.
type Ended struct {
	Block   *drain.Block
	State   *state.Overlay
	Message digest.Hash
	Target  account.Address
	Return  []byte       // of the handler
	Fault   *block.Fault // nil: success
	Left    fee.Use      // of what the delivery may use
	Used    fee.Use      // what the chapter used of Left
}

// Charge takes cycles and cells of what the delivery has left; false takes nothing.
func (e *Ended) Charge(cycles unit.Cycles, cells unit.Cells) bool {
	if cycles > e.Left.Cycles-e.Used.Cycles || cells > e.Left.Cells-e.Used.Cells {
		return false
	}
	e.Used.Cycles, e.Used.Cells = e.Used.Cycles+cycles, e.Used.Cells+cells
	return true
}

// Package drain imports what belongs to a chapter, and what belongs to none.
package drain

import (
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/system/event"
)

var _, _, _, _, _ = bank.Home, codec.NewReader, state.New, system.Table, event.Emit

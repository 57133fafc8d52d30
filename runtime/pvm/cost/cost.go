package cost

import "github.com/cowboyinc/cowboy-go/chain/params"

// Prices are those of one version of the protocol.
type Prices = params.MachineCosts

// First are the prices of version 1, for machines that stand in no block.
func First() *Prices { return params.FirstMachineCosts() }

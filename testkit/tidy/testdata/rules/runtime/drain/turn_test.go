package drain

import "github.com/cowboyinc/cowboy-go/chain/rent"

var _ = rent.Bonds

package system

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// addresses are those of the specification's table, ascending. Spec: WP §9.
func addresses() []account.Address {
	var list []account.Address
	for _, e := range system.Table() {
		list = append(list, e.Address)
	}
	return list
}

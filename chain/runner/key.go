package runner

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the registry.
const (
	underState    = "runner:state/"    // address → Runner
	underDeclared = "runner:declared/" // address → Declaration
	underLeaving  = "runner:leaving/"  // be8 height ‖ address → nothing
)

// Home is where the registry and its coins lie.
func Home() account.Address { return account.System(account.RunnerRegistry) }

func under(prefix string, addr account.Address) []byte {
	return append(account.KeyString(account.KindRecord, Home(), prefix), addr[:]...)
}

func stateKey(addr account.Address) []byte { return under(underState, addr) }

func declaredKey(addr account.Address) []byte { return under(underDeclared, addr) }

func leavingKey(at unit.Height, addr account.Address) []byte {
	key := account.KeyString(account.KindRecord, Home(), underLeaving)
	return append(binary.BigEndian.AppendUint64(key, uint64(at)), addr[:]...)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...][2]string{
		{underState, "runners"}, {underDeclared, "what runners declare"}, {underLeaving, "runners that leave, by height"},
	} {
		list = append(list, account.Claim{
			Chapter: chapter, Holds: c[1], Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: c[0],
		})
	}
	return list
}

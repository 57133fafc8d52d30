package index

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Role says how a receipt concerns an address.
type Role uint8

// The roles, as bits.
const (
	Sender Role = 1 << iota
	Target
	Emitter // the address emitted an event in it
	Signer  // the receipt is of a transaction the address signed
)

// Entry is one receipt that concerns an address.
type Entry struct {
	Height unit.Height
	Index  uint32 // of the receipt in its block
	Role   Role
}

// MaxOffset bounds how far a page may lie from the newest entry: skipping costs a step each.
const MaxOffset = 1_000_000

// ErrOffset reports a page beyond MaxOffset.
var ErrOffset = errors.New("index: offset too large")

const entryKeySize = account.AddressSize + 12

func entryKey(addr account.Address, h unit.Height, index uint32) []byte {
	key := make([]byte, 0, entryKeySize)
	key = append(key, addr[:]...)
	key = binary.BigEndian.AppendUint64(key, uint64(h))
	return binary.BigEndian.AppendUint32(key, index)
}

// roles gives the addresses a receipt concerns, in a fixed order.
func roles(x *block.Receipt) ([]account.Address, []Role) {
	var addrs []account.Address
	var how []Role
	add := func(a account.Address, r Role) {
		for i := range addrs {
			if addrs[i] == a {
				how[i] |= r
				return
			}
		}
		addrs, how = append(addrs, a), append(how, r)
	}
	if x.Kind == block.Transaction {
		add(x.Sender, Sender|Signer)
	} else {
		add(x.Sender, Sender)
	}
	if x.Target != (account.Address{}) {
		add(x.Target, Target)
	}
	if x.Created != nil {
		add(*x.Created, Target)
	}
	for i := range x.Events {
		add(x.Events[i].Actor, Emitter)
	}
	return addrs, how
}

// after is the least key beyond all of an address's entries.
func after(addr account.Address) []byte {
	key := entryKey(addr, unit.Height(^uint64(0)), ^uint32(0))
	return append(key, 0)
}

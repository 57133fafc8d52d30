package system

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is above one because the turn of an abandoned attempt may still wait.
const inboxCapacity = 16

// Handle is how the executor reaches one system actor.
type Handle struct {
	// Name is the subsystem's: the address's number, or "reserved".
	Name string
	// Address is the address it answers for; zero for the one that answers for all others.
	Address account.Address
	inbox   *supervision.Inbox
}

func newHandle(name string, addr account.Address) *Handle {
	return &Handle{Name: name, Address: addr, inbox: supervision.NewInbox("system-"+name, inboxCapacity)}
}

// NewHandles makes one handle per address of the table, ascending, and the one for every other reserved address.
func NewHandles() (table []*Handle, reserved *Handle) {
	for _, a := range addresses() {
		table = append(table, newHandle(fmt.Sprintf("0x%02x", a[account.AddressSize-1]), a))
	}
	return table, newHandle("reserved", account.Address{})
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Perform implements executor.Performer.
func (h *Handle) Perform(t *executor.Turn) supervision.Delivery { return h.inbox.Send(t) }

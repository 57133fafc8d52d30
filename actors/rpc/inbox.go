package rpc

import (
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is small: the subsystem's only commands are its own listener's failures.
const inboxCapacity = 16

// serveFailed is the command a listener's goroutine leaves when the server ended by itself.
type serveFailed struct {
	server any // the instance it belonged to
	err    error
}

// NewInbox makes the subsystem's inbox.
func NewInbox() *supervision.Inbox { return supervision.NewInbox("rpc", inboxCapacity) }

// PortTaken says that another process listens on the address.
type PortTaken struct{ Address string }

func (e *PortTaken) Error() string {
	return fmt.Sprintf("%s is taken by another process; stop it, or choose another port with --rpc-port", e.Address)
}

// Listen opens the listener, with *PortTaken for the common reason it cannot.
func Listen(address string) (net.Listener, error) {
	l, err := disk.Patiently(func() (net.Listener, error) { return net.Listen("tcp", address) })
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &PortTaken{address}
	}
	return l, err
}

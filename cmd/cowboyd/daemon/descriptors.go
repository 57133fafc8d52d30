package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/cowboyinc/cowboy-go/net/door"
)

// What the files and connections of this process are for, of as many as it may have open.
const (
	// coreDescriptors are kept for all that a node opens whoever talks to it: journal, shares, checkpoint, index, locks, sockets, and files that are
	// replaced, of which two are open for a moment.
	coreDescriptors = 48
	// laterSegments are kept for the segments of the chain that are yet to come, as far as an eighth of all allows.
	laterSegments = 128
	// operatorConnections are kept for the operator's port.
	operatorConnections = 16
	// connectionsLeast is with how many connections of clients a node still starts, connectionsMost how many it takes however many it may.
	connectionsLeast, connectionsMost = 8, 8_192
	// clientShare is which part of the connections one client may have.
	clientShare = 4
	// relayConnections is how many connections one of this process's relays takes over TCP and QUIC, as far as a quarter of all descriptors allows; as many
	// may be dialled by the others.
	relayConnections = 128
	// relayLeast is with how many a relay still starts.
	relayLeast = 8
)

// tooFewError says that this process may not open as many files as a node needs.
type tooFewError struct{ have, want uint64 }

func (e *tooFewError) Error() string {
	return fmt.Sprintf("this process may open %d files and connections at once, and a node here needs %d\n  raise the limit with `ulimit -n %d` or more",
		e.have, e.want, max(1_024, e.want))
}

// connectionLimits divides what descriptors the core does not need among the clients' port and the operator's, or gives a *tooFewError.
func connectionLimits(limit, segments uint64) (clients, operators door.ConnectionLimits, err error) {
	reserved := coreDescriptors + segments + min(laterSegments, limit/8) + operatorConnections
	if limit < reserved+connectionsLeast {
		return clients, operators, &tooFewError{limit, reserved + connectionsLeast}
	}
	clients.Most = int(min(limit-reserved, connectionsMost))
	clients.Each = max(clients.Most/clientShare, 1)
	operators = door.ConnectionLimits{Most: operatorConnections}
	return clients, operators, nil
}

// connectionLimits divides what this process may open.
func (s *settings) connectionLimits() (clients, operators door.ConnectionLimits, err error) {
	limit, err := descriptors()
	if err != nil {
		return clients, operators, err
	}
	segments := 0
	if !s.memory {
		files, err := os.ReadDir(filepath.Join(s.dataDir, "chain"))
		if err != nil && !os.IsNotExist(err) {
			return clients, operators, err
		}
		segments = len(files)
	}
	each, err := relayShare(limit, s.stores.count)
	if err != nil {
		return clients, operators, err
	}
	return connectionLimits(limit-2*uint64(s.stores.count*each), uint64(segments))
}

// descriptors is how many files and connections this process may have open: Go raised it to the most there is when the process started.
func descriptors() (uint64, error) {
	var limit syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	return limit.Cur, err
}

// relayShare is how many connections one of so many relays takes, or a *tooFewError: all of them have a quarter of the descriptors, half of it for what they
// take and half for what they dial.
func relayShare(limit uint64, count int) (int, error) {
	if count == 0 {
		return 0, nil
	}
	each := limit / 8 / uint64(count)
	if each < relayLeast {
		return 0, &tooFewError{limit, 8 * relayLeast * uint64(count)}
	}
	return int(min(each, relayConnections)), nil
}

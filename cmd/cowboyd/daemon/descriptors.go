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

// connectionLimits reads what this process may open: Go raised it to the most there is when the process started.
func (s *settings) connectionLimits() (clients, operators door.ConnectionLimits, err error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
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
	return connectionLimits(limit.Cur, uint64(segments))
}

package ports

import (
	"fmt"
	"math/rand/v2"
	"net"
)

const (
	lowest = 20_000
	cells  = 190 // of the ports below 32,160
	size   = 64  // ports in a cell: one that claims it and those behind it
	tries  = 1_000
)

// Most is how many ports Reserve gives at most.
const Most = size - 1

// Run is consecutive ports of loopback, free for TCP and UDP when they were reserved. They stay this process's until Release.
type Run struct {
	First int
	claim net.Listener // on the cell's own port: as long as it listens nobody else is given ports of this cell
}

// Reserve finds n consecutive ports, 1 to Most.
func Reserve(n int) (*Run, error) {
	if n < 1 || n > Most {
		return nil, fmt.Errorf("ports: %d asked for, 1 to %d can be had", n, Most)
	}
	var last error
	for range tries {
		r, err := claim(lowest+size*rand.IntN(cells), n)
		if err == nil {
			return r, nil
		}
		last = err
	}
	return nil, fmt.Errorf("ports: none are free: %w", last)
}

// claim takes the cell that begins at a port, if that and the n behind it are free.
func claim(cell, n int) (*Run, error) {
	l, err := net.Listen("tcp", at(cell))
	if err != nil {
		return nil, err
	}
	for port := cell + 1; port <= cell+n; port++ {
		if err := free(port); err != nil {
			_ = l.Close()
			return nil, err
		}
	}
	return &Run{First: cell + 1, claim: l}, nil
}

// free binds a port of both kinds and lets it go again.
func free(port int) error {
	l, err := net.Listen("tcp", at(port))
	if err != nil {
		return err
	}
	defer l.Close()
	c, err := net.ListenPacket("udp", at(port))
	if err != nil {
		return err
	}
	return c.Close()
}

func at(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// Release gives the ports back.
func (r *Run) Release() { _ = r.claim.Close() }

//go:build !linux

package work

import (
	"context"
	"net"
	"os"
	"os/exec"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// errSystem refuses what this system cannot limit.
var errSystem = fail(Refused, "processes are limited on Linux only")

func (Self) start(context.Context, *launch, func(*exec.Cmd) error) (*exec.Cmd, error) {
	return nil, errSystem
}

const processes = false

func leaveNoCore() error { return nil }

func endWithParent(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}

func peakMemory(*os.ProcessState) uint64 { return 0 }

func confine([]string) error { return errSystem }

func pinned(string, digest.Hash) (*os.File, error) { return nil, errSystem }

func network([]string) (*os.File, []net.Listener, error) { return nil, nil, errSystem }

package mount

import (
	"context"
	"errors"
	"syscall"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
)

// errnoOf gives what a program is told of an error.
//
// Spec: storage-cbfs §3.5.
func errnoOf(err error) syscall.Errno {
	is := func(list ...error) bool {
		for _, one := range list {
			if errors.Is(err, one) {
				return true
			}
		}
		return false
	}
	var known syscall.Errno
	switch {
	case err == nil:
		return 0
	case is(context.Canceled):
		return syscall.EINTR
	case is(volume.ErrToken, volume.ErrKey):
		return syscall.EACCES
	case is(volume.ErrRelays, stripe.ErrFew): // whatever one of them said
		return syscall.EIO
	case is(protocol.ErrAuth, chain.ErrAuth, chain.ErrToken):
		return syscall.EACCES
	case is(chain.ErrQuota, chain.ErrBytes, chain.ErrReserve, syscall.EDQUOT):
		return syscall.ENOSPC
	case is(volume.ErrPath):
		return syscall.ENOENT
	case is(cbfs.ErrPath):
		return syscall.EINVAL
	case errors.As(err, &known) && known == syscall.ENOSPC:
		return known
	}
	return syscall.EIO
}

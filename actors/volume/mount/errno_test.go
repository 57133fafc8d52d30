package mount

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
)

// What too few relays took or give is EIO, whatever one of them said; what the account has no right to is EACCES.
//
// Spec: storage-cbfs §3.5.
func TestErrorsOfSeveral(t *testing.T) {
	away := errors.New("away")
	for name, c := range map[string]struct {
		err  error
		want syscall.Errno
	}{
		"relays that are away":           {fmt.Errorf("%w: %w", volume.ErrRelays, away), syscall.EIO},
		"one of them refuses":            {fmt.Errorf("%w: %w", volume.ErrRelays, errors.Join(away, protocol.ErrAuth)), syscall.EIO},
		"too few give, one refuses":      {fmt.Errorf("stripe 3: %w: %w", stripe.ErrFew, errors.Join(away, protocol.ErrAuth)), syscall.EIO},
		"they refuse to give":            {fmt.Errorf("stripe 3: %w", errors.Join(away, protocol.ErrAuth)), syscall.EACCES},
		"the chain refuses":              {chain.ErrToken, syscall.EACCES},
		"the client has no token":        {volume.ErrToken, syscall.EACCES},
		"the client has no key":          {fmt.Errorf("docs: %w", volume.ErrKey), syscall.EACCES},
		"no token, found at each relay":  {fmt.Errorf("%w: %w", volume.ErrRelays, errors.Join(volume.ErrToken, volume.ErrToken)), syscall.EACCES},
		"more than the token has":        {chain.ErrBytes, syscall.ENOSPC},
		"what is no path, or in a file":  {cbfs.ErrPath, syscall.EINVAL},
		"something that is not foreseen": {away, syscall.EIO},
	} {
		t.Run(name, func(t *testing.T) {
			if got := errnoOf(c.err); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

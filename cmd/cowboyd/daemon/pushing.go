package daemon

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/netip"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
)

// pushing is where the node takes the connections of runners.
type pushing struct {
	listen    string // host:port; "" for none
	advertise string
	polling   bool // runners may poll, too
}

// flags are those of a command that runs nodes, which listen at an address unless they are told otherwise.
func (p *pushing) flags(c *cobra.Command, listen string) {
	flags := c.Flags()
	flags.StringVar(&p.listen, "runners-listen", listen, "UDP address at which a validator takes connections of runners, to push their jobs; \"\" for none")
	flags.StringVar(&p.advertise, "runners-advertise", "", "host:port announced to runners, if it is not the address of --runners-listen")
	flags.BoolVar(&p.polling, "runners-polling", true, "runners may ask the HTTP interface for their jobs as well")
}

// configured takes what a configuration says and no flag does.
func (p *pushing) configured(c *config.Runners, unless func(flag string, take func())) {
	unless("runners-listen", func() {
		if p.listen = ""; c.Listen.IsValid() {
			p.listen = c.Listen.String()
		}
	})
	unless("runners-advertise", func() { p.advertise = c.Advertise })
	unless("runners-polling", func() { p.polling = c.Polling })
}

// arguments are the flags that say the same. Every process has a port of its own.
func (p *pushing) arguments() []string {
	return []string{"--runners-listen", p.listen, "--runners-polling=" + strconv.FormatBool(p.polling)}
}

// place is where the node takes them. It keeps the invitations of others in any case.
func (s *settings) place() (*push.Place, error) {
	p := &push.Place{Advertise: s.pushing.advertise}
	if s.pushing.listen == "" {
		return p, nil
	}
	at, err := netip.ParseAddrPort(s.pushing.listen)
	if err != nil {
		return nil, usageError{fmt.Errorf("--runners-listen: %w", err)}
	}
	if s.config != nil && s.keys == "" {
		return p, nil // a node that follows is nobody's validator
	}
	if at.Addr().IsUnspecified() && p.Advertise == "" {
		return nil, usageError{errors.New("--runners-listen is every address of this machine; say by --runners-advertise, or runners.advertise in the " +
			"configuration, which of them runners connect to, host:port")}
	}
	if at.Port() != 0 {
		if err := free(at); err != nil {
			return nil, err
		}
	}
	key, err := s.peerKey()
	if err != nil {
		return nil, err
	}
	p.Listen, p.Key = at, ed25519.NewKeyFromSeed(key.Seed())
	if at.Addr().IsLoopback() {
		p.Limits.PerAddress = 1 << 16 // all runners have one address
	}
	return p, nil
}

package daemon

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/relays"
)

// stores are the relays of storage that a development network runs itself.
type stores struct {
	count    int
	accounts string // host:port of the first one's account API; "" for none
	running  *relays.Relays
}

func (r *stores) flags(flags *pflag.FlagSet) {
	flags.IntVar(&r.count, "relays", 0, fmt.Sprintf("relays of storage to run in this process, registered and funded; at most %d", relays.MaxRelays))
	flags.StringVar(&r.accounts, "relay-accounts", "", "with --relays: host:port of the first one's account API; the others have the ports behind it")
}

// check finds what is wrong before anything is started.
func (r *stores) check() error {
	if r.count < 0 || r.count > relays.MaxRelays {
		return fmt.Errorf("--relays is 0 to %d, not %d", relays.MaxRelays, r.count)
	}
	if r.accounts == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(r.accounts)
	if err != nil {
		return fmt.Errorf("--relay-accounts is host:port: %w", err)
	}
	if first, err := strconv.Atoi(port); err != nil || r.count == 0 || first < 1 || first+r.count > 1<<16 {
		return errors.New("--relay-accounts has a port from 1 on, and is for relays of --relays")
	}
	return nil
}

// start runs the relays of a network whose first node listens at an address. They wait until it answers.
func (r *stores) start(s *settings, at net.Addr, log zerolog.Logger) (err error) {
	if r.count == 0 {
		return nil
	}
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	_, client := s.local()
	node := api.New(s.serving.scheme() + "://" + net.JoinHostPort(host, port))
	node.HTTP = &http.Client{Transport: client.Transport, Timeout: 10 * time.Second}
	dir := filepath.Join(s.dataDir, "relays")
	if s.memory {
		dir = ""
	}
	limit, err := descriptors()
	if err != nil {
		return err
	}
	each, err := relayShare(limit, r.count)
	if err != nil {
		return err
	}
	r.running, err = relays.Start(relays.Config{
		Relays: r.count, Dir: dir, Node: node, ChainID: s.chainID, Every: r.every(s), Connections: each, Accounts: r.accounts, Log: log,
	})
	return err
}

// every is the time between two polls of a relay: a block, and so that all of them take a fifth of what the node answers.
func (r *stores) every(s *settings) time.Duration {
	every := s.blockTime
	if s.rpcRate > 0 {
		every = max(every, time.Duration(r.count)*8*time.Second*5/time.Duration(s.rpcRate))
	}
	return min(max(every, 200*time.Millisecond), 5*time.Second)
}

// stop ends them, if they run.
func (r *stores) stop() error {
	if r.running == nil {
		return nil
	}
	return r.running.Stop()
}

// errRelays reports relays where none can be.
var errRelays = errors.New("--relays is for a development network in one process")

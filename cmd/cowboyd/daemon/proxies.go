package daemon

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/fleet"
)

// proxies are those a development network runs itself.
type proxies struct {
	count   int
	port    int
	running *fleet.Proxies
}

func (p *proxies) flags(flags *pflag.FlagSet) {
	flags.IntVar(&p.count, "proxies", 0, fmt.Sprintf("proxies of the secret service to run in this process, registered and funded; five make a committee,\n"+
		"at most %d", fleet.MaxProxies))
	flags.IntVar(&p.port, "proxy-port", frame.Port, "UDP port of the first proxy, the others on those after it; 0 is any that is free, for a\n"+
		"network that is not kept")
}

// check finds what is wrong before anything is started.
func (p *proxies) check() error {
	if p.count < 0 || p.count > fleet.MaxProxies {
		return fmt.Errorf("--proxies is 0 to %d, not %d", fleet.MaxProxies, p.count)
	}
	if p.port < 0 || p.port > 65_535 {
		return fmt.Errorf("--proxy-port is 0 to 65535, not %d", p.port)
	}
	return nil
}

// start runs the proxies of a network whose first node listens at an address. They wait until it answers.
func (p *proxies) start(s *settings, at net.Addr, log zerolog.Logger) (err error) {
	if p.count == 0 {
		return nil
	}
	dir := filepath.Join(s.dataDir, "proxies")
	if s.memory {
		dir = ""
	}
	p.running, err = fleet.StartProxies(fleet.ProxyConfig{
		Count: p.count, Dir: dir, Port: p.port, Node: s.nodeAt(at), ChainID: s.chainID, Log: log, Every: p.every(s),
	})
	if err != nil {
		return fmt.Errorf("%w\n  proxies use --proxy-port %d and those after it", err, p.port)
	}
	return nil
}

// every is the time between two polls of a proxy: a block, and so that all of them take a fifth of what the node answers.
func (p *proxies) every(s *settings) time.Duration {
	every := s.blockTime
	if s.rpcRate > 0 {
		every = max(every, time.Duration(p.count)*2*time.Second*5/time.Duration(s.rpcRate))
	}
	return min(max(every, 200*time.Millisecond), 5*time.Second)
}

// nodeAt is a client of this process's own node.
func (s *settings) nodeAt(at net.Addr) *api.Client {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return api.New(at.String())
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	_, client := s.local()
	node := api.New(s.serving.scheme() + "://" + net.JoinHostPort(host, port))
	node.HTTP = &http.Client{Transport: client.Transport, Timeout: 10 * time.Second}
	return node
}

// stop ends them, if they run.
func (p *proxies) stop() error {
	if p.running == nil {
		return nil
	}
	return p.running.Stop()
}

// errProxies reports proxies where none can be.
var errProxies = errors.New("--proxies is for a development network in one process")

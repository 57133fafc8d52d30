package daemon

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
)

// handler is the HTTP interface over a backend, which tells where a node's validators take runners.
func (s *settings) handler(backend *rpc.Node, n *node.Node, memory *budget.Account) http.Handler {
	backend.Invitations, backend.Progress = n.Push.Invitations, n.Push.Progress
	return rpc.NewHandler(rpc.Config{Backend: backend, Sunset: !s.pushing.polling, Limits: s.limits(), Faucet: backend.Funds != nil, Memory: memory})
}

// expiresSoon is how long before a certificate ends its operator is warned.
const expiresSoon = 14 * 24 * time.Hour

// serving is how the HTTP interface serves clients: with TLS or without, and how much each may ask for.
type serving struct {
	cert, key               string // files; "" for no TLS
	rate, requests, streams uint32 // of one client; 0: no limit
	proxies                 []string
	certificate             *rpc.Certificate // of the running node
}

func (v *serving) flags(flags *pflag.FlagSet) {
	d := config.Default().RPC
	flags.StringVar(&v.cert, "rpc-cert", "", "PEM file of a certificate, for https; changed files are read again, at once upon SIGHUP")
	flags.StringVar(&v.key, "rpc-key", "", "PEM file of the certificate's key")
	flags.Uint32Var(&v.rate, "rpc-client-rate", d.ClientRate, "requests a second of one client, an IPv4 address or an IPv6 network of 64 bits; 0 is no limit")
	flags.Uint32Var(&v.requests, "rpc-client-requests", d.ClientRequests, "requests of one client at the same time; 0 is no limit")
	flags.Uint32Var(&v.streams, "rpc-client-streams", d.ClientStreams, "open event streams of one client; 0 is no limit")
	flags.StringSliceVar(&v.proxies, "rpc-proxies", nil, "addresses or ranges of proxies whose X-Forwarded-For tells the client")
}

// configured takes what a configuration says and no flag does.
func (v *serving) configured(c *config.Config, unless func(flag string, take func())) {
	unless("rpc-cert", func() { v.cert = c.Resolve(c.RPC.Cert) })
	unless("rpc-key", func() { v.key = c.Resolve(c.RPC.Key) })
	unless("rpc-client-rate", func() { v.rate = c.RPC.ClientRate })
	unless("rpc-client-requests", func() { v.requests = c.RPC.ClientRequests })
	unless("rpc-client-streams", func() { v.streams = c.RPC.ClientStreams })
	unless("rpc-proxies", func() { v.proxies = texts(c.RPC.Proxies) })
}

// arguments are the flags that say the same.
func (v *serving) arguments() []string {
	n := func(u uint32) string { return strconv.FormatUint(uint64(u), 10) }
	list := []string{"--rpc-client-rate", n(v.rate), "--rpc-client-requests", n(v.requests), "--rpc-client-streams", n(v.streams)}
	if v.cert != "" {
		list = append(list, "--rpc-cert", v.cert, "--rpc-key", v.key)
	}
	for _, p := range v.proxies {
		list = append(list, "--rpc-proxies", p)
	}
	return list
}

// limits are those of one client.
func (v *serving) limits() (l rpc.ClientLimits, err error) {
	l = rpc.ClientLimits{RequestsPerSecond: int(v.rate), Requests: int(v.requests), Streams: int(v.streams)}
	for _, text := range v.proxies {
		var n config.Network
		if err := n.UnmarshalText([]byte(text)); err != nil {
			return l, usageError{fmt.Errorf("--rpc-proxies: %w", err)}
		}
		l.Proxies = append(l.Proxies, n.Prefix)
	}
	return l, nil
}

// open reads the certificate, if there is one, and has log told whenever it is read again.
func (v *serving) open(log zerolog.Logger) error {
	if v.cert == "" && v.key == "" {
		return nil
	}
	if v.cert == "" || v.key == "" {
		return usageError{errors.New("--rpc-cert and --rpc-key belong together: the files of a certificate and of its key")}
	}
	c, err := rpc.OpenCertificate(v.cert, v.key, func(expires time.Time, err error) {
		if err != nil {
			log.Error().Err(err).Time("expires", expires).Msg("the new certificate cannot be used; clients are served with the old one")
			return
		}
		log.Info().Time("expires", expires).Msg("the certificate was read again")
	})
	if err != nil {
		return fmt.Errorf("no certificate for https: %w\n  name PEM files that belong together with rpc.cert and rpc.key, or leave both out", err)
	}
	v.certificate = c
	if text := v.expiring(time.Now()); text != "" {
		log.Warn().Msg(text)
	}
	return nil
}

// expiring warns of a certificate that ends soon; "" where there is nothing to warn of.
func (v *serving) expiring(now time.Time) string {
	if v == nil || v.certificate == nil {
		return ""
	}
	switch at := v.certificate.Expires(); {
	case at.Before(now):
		return fmt.Sprintf("the certificate for https has ended on %s: clients refuse it", at.UTC().Format(time.DateOnly))
	case at.Sub(now) < expiresSoon:
		return fmt.Sprintf("the certificate for https ends on %s", at.UTC().Format(time.DateOnly))
	}
	return ""
}

// hold keeps SIGHUP, which ends a process by default, until reloadOnHangup takes it. A configured node does so before anything else: systemd takes an end by
// SIGHUP for one in order and would not start the node again.
func (s *settings) hold() {
	s.hangups = make(chan os.Signal, 1)
	signal.Notify(s.hangups, syscall.SIGHUP)
}

// reloadOnHangup has SIGHUP read the certificate again, until done is called.
func (s *settings) reloadOnHangup() (done func()) {
	if s.hangups == nil && s.serving.certificate == nil {
		return func() {}
	}
	if s.hangups == nil {
		s.hold()
	}
	go func() {
		for range s.hangups {
			if c := s.serving.certificate; c != nil {
				c.Reload()
			}
		}
	}()
	return func() {
		signal.Stop(s.hangups)
		close(s.hangups)
	}
}

// scheme is how the HTTP interface is spoken to.
func (v *serving) scheme() string {
	if v.cert != "" {
		return "https"
	}
	return "http"
}

// local gives the address of the node of this machine, and a client for it. Whatever certificate answers there is taken: it is in the name of the node's public
// address, and what is asked here is no secret.
func (s *settings) local() (url string, client *http.Client) {
	url = s.serving.scheme() + "://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.rpcPort))
	if s.serving.cert == "" {
		return url, http.DefaultClient
	}
	return url, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}}}
}

// examineServing looks at how clients are served.
func (s *settings) examineServing() (list []finding) {
	if _, err := s.serving.limits(); err != nil {
		list = append(list, bad("correct rpc.proxies", "%v", err))
	}
	if err := s.serving.open(zerolog.Nop()); err != nil {
		list = append(list, bad("", "%v", err))
	} else if text := s.serving.expiring(time.Now()); text != "" {
		list = append(list, warn("renew it; the node reads the new files by itself", "%s", text))
	} else if c := s.serving.certificate; c != nil {
		list = append(list, good("https, with a certificate until %s", c.Expires().UTC().Format(time.DateOnly)))
	}
	if host, err := netip.ParseAddr(s.rpcHost); err == nil && !host.IsLoopback() && s.serving.cert == "" {
		list = append(list, warn("set rpc.cert and rpc.key, or keep it behind a proxy that speaks https",
			"the HTTP interface is open to other machines at %s", s.rpcHost))
	}
	return list
}

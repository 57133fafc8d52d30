package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/opencontainers/runtime-spec/specs-go"

	"github.com/cowboyinc/cowboy-go/actors/runner/image"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Bounds of what a container reaches outside.
const (
	maxEgressConns = 64 // at a time, of all rules
	egressNetwork  = "127.77.0."
)

// Dial connects to host:port for somebody else.
type Dial func(ctx context.Context, network, at string) (net.Conn, error)

// Outward is a way out for containers: it connects to public addresses, and to those of the ranges that are allowed besides.
func Outward(allowed []netip.Prefix) Dial {
	d := &dialer{net.DefaultResolver, allowed}
	return d.dial
}

// outlets are the only ways out of a container: for each rule a socket that listens in the container's own network, where there is nothing else, at an address
// that the container finds under the rule's name. What comes in there goes to the rule's host and port, and what comes back goes back.
type outlets struct {
	space   *os.File // the network
	list    []net.Listener
	targets []string // host:port, of each listener
	dial    Dial
	places  chan struct{}
	running sync.WaitGroup
}

var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

// plan gives each rule its place in the container's network: one address for each host. Rules that cannot be kept exactly are refused: what is no TCP, and
// hosts that are no names.
//
// Spec: runner-marketplace §2.9 (egress_rules).
func plan(rules []job.Egress) (at, targets []string, hosts []byte, err error) {
	var file bytes.Buffer
	file.WriteString("127.0.0.1 localhost\n")
	places, seen := map[string]string{}, map[string]bool{}
	for _, r := range rules {
		switch {
		case r.Protocol != "tcp" && r.Protocol != "https" && r.Protocol != "http" && r.Protocol != "tls":
			return nil, nil, nil, fail(Refused, "this runner lets TCP out of containers, not %.20q", r.Protocol)
		case !hostName.MatchString(r.Host) || len(r.Host) > 253 || r.Host == "localhost":
			return nil, nil, nil, fail(Refused, "a rule names %.80q, which is no name of a host in lower case", r.Host)
		case r.Port < 1 || r.Port > 65_535:
			return nil, nil, nil, fail(Refused, "a rule names port %d", r.Port)
		}
		place, known := places[r.Host]
		if !known {
			place = egressNetwork + strconv.Itoa(len(places)+1)
			places[r.Host] = place
			fmt.Fprintf(&file, "%s %s\n", place, r.Host)
		}
		port := strconv.FormatUint(uint64(r.Port), 10)
		if target := net.JoinHostPort(r.Host, port); !seen[target] {
			seen[target] = true
			at, targets = append(at, net.JoinHostPort(place, port)), append(targets, target)
		}
	}
	return at, targets, file.Bytes(), nil
}

// open makes the outlets of a container, whose bundle is a directory, and enters them in its configuration.
func (c *Containers) open(ctx context.Context, r *job.Runtime, found *image.Image, bundle string, config *specs.Spec) (*outlets, error) {
	at, targets, hosts, err := plan(r.Egress)
	if err != nil {
		return nil, err
	}
	if err := found.Hosts(); err != nil {
		return nil, err
	}
	file := filepath.Join(bundle, "hosts")
	if err := os.WriteFile(file, hosts, 0o644); err != nil {
		return nil, err
	}
	space, list, err := network(at)
	if err != nil {
		return nil, err
	}
	for i := range config.Linux.Namespaces {
		if n := &config.Linux.Namespaces[i]; n.Type == specs.NetworkNamespace {
			n.Path = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), space.Fd())
		}
	}
	config.Mounts = append(config.Mounts, specs.Mount{
		Destination: "/etc/hosts", Type: "bind", Source: file, Options: []string{"bind", "ro", "nosuid", "nodev", "noexec"},
	})
	o := &outlets{space: space, list: list, targets: targets, dial: c.Out}
	o.serve(ctx)
	return o, nil
}

// serve takes connections until the outlets are closed.
func (o *outlets) serve(ctx context.Context) {
	o.places = make(chan struct{}, maxEgressConns)
	for i, l := range o.list {
		o.running.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				select {
				case o.places <- struct{}{}:
					o.running.Go(func() {
						o.pass(ctx, conn, o.targets[i])
						<-o.places
					})
				default: // there are as many as may be
					_ = conn.Close()
				}
			}
		})
	}
}

// pass carries bytes both ways until both are at their end, or the context is.
func (o *outlets) pass(ctx context.Context, from net.Conn, target string) {
	defer from.Close()
	to, err := o.dial(ctx, "tcp", target)
	if err != nil {
		return
	}
	defer to.Close()
	stop := context.AfterFunc(ctx, func() { _ = errors.Join(from.Close(), to.Close()) })
	defer stop()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(from, to)
		finish(from)
	})
	_, _ = io.Copy(to, from)
	finish(to)
	back.Wait()
}

// finish says that no more bytes come.
func finish(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

// close takes no more connections and waits for those there are, whose context has to be over.
func (o *outlets) close() {
	for _, l := range o.list {
		_ = l.Close()
	}
	_ = o.space.Close()
	o.running.Wait()
}

package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// Duration is a positive span of time, written 500ms or 2s.
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is no span of time; write one such as \"1s\" or \"250ms\"", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Listen is an address and a port, written 127.0.0.1:4000 or [::1]:4000. The zero value is unset.
type Listen struct{ netip.AddrPort }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Listen) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*l = Listen{}
		return nil
	}
	at, err := netip.ParseAddrPort(string(text))
	if err != nil {
		return fmt.Errorf("%q is no address with a port; write one such as \"127.0.0.1:4000\"", text)
	}
	l.AddrPort = at
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (l Listen) MarshalText() ([]byte, error) {
	if !l.IsValid() {
		return nil, nil
	}
	return []byte(l.String()), nil
}

// Peer is another node: its identity, and a host name or an IP address with a port.
type Peer struct {
	ID   transport.ID
	Host string
	Port uint16
}

// ErrPeer: text that names no peer.
var ErrPeer = errors.New("want id@host:port, where the id is what `cowboyd keys show network` prints")

// ParsePeer reads id@host:port.
func ParsePeer(text string) (Peer, error) {
	id, at, ok := strings.Cut(text, "@")
	if !ok {
		return Peer{}, fmt.Errorf("%q: %w", text, ErrPeer)
	}
	var p Peer
	var err error
	if p.ID, err = transport.ParseID(id); err != nil {
		return Peer{}, fmt.Errorf("%q: %w", text, ErrPeer)
	}
	host, port, err := net.SplitHostPort(at)
	if err != nil || !hostName(host) {
		return Peer{}, fmt.Errorf("%q: %w", text, ErrPeer)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return Peer{}, fmt.Errorf("%q: the port is 1 to 65535: %w", text, ErrPeer)
	}
	p.Host, p.Port = host, uint16(n)
	return p, nil
}

// hostName reports whether text is an IP address other than the unspecified one, or has the form of a name.
func hostName(text string) bool {
	if ip, err := netip.ParseAddr(text); err == nil {
		return !ip.IsUnspecified()
	}
	if len(text) == 0 || len(text) > 253 {
		return false
	}
	digits := true
	for _, label := range strings.Split(strings.TrimSuffix(text, "."), ".") {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_'
			if !letter && (c < '0' || c > '9') {
				return false
			}
			digits = digits && !letter
		}
	}
	return !digits // 10.0.0 and 999.1.1.1 are mistyped addresses
}

// String is the form ParsePeer reads.
func (p Peer) String() string {
	return p.ID.String() + "@" + net.JoinHostPort(p.Host, strconv.Itoa(int(p.Port)))
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Peer) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePeer(string(text))
	return err
}

// MarshalText implements encoding.TextMarshaler.
func (p Peer) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Network is a range of addresses, written 10.0.0.0/8; a single address is written without the slash.
type Network struct{ netip.Prefix }

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Network) UnmarshalText(text []byte) (err error) {
	if a, err := netip.ParseAddr(string(text)); err == nil && a.Zone() == "" {
		n.Prefix = netip.PrefixFrom(a, a.BitLen())
		return nil
	}
	if n.Prefix, err = netip.ParsePrefix(string(text)); err != nil || n.Prefix != n.Masked() {
		return fmt.Errorf("%q is no address and no range of addresses; write one such as \"10.0.0.5\" or \"10.0.0.0/8\"", text)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (n Network) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// ID is another node's identity.
type ID struct{ transport.ID }

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) (err error) {
	if id.ID, err = transport.ParseID(string(text)); err != nil {
		return fmt.Errorf("%q is no id; it is what `cowboyd keys show network` prints", text)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Level is how much is logged.
type Level struct{ Word string }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Level) UnmarshalText(text []byte) error {
	return choice(&l.Word, string(text), "debug", "info", "warn", "error")
}

// Mode is how much of its chain a node keeps.
type Mode struct{ Word string }

// The modes.
const (
	Full    = "full"    // windows of states and of blocks
	Archive = "archive" // everything since genesis
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mode) UnmarshalText(text []byte) error {
	return choice(&m.Word, string(text), Full, Archive)
}

// Format is how log lines look.
type Format struct{ Word string }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *Format) UnmarshalText(text []byte) error {
	return choice(&f.Word, string(text), "text", "json")
}

func choice(into *string, text string, words ...string) error {
	for _, w := range words {
		if w == text {
			*into = text
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", text, strings.Join(words, ", "))
}

package route

import (
	"strings"
)

// Bounds of a label, in characters.
const (
	MinLabel = 3
	MaxLabel = 64
)

// Space is where a name is registered.
type Space uint8

// The spaces. Their numbers are those of namespace_kind and tld_kind together.
//
// Spec: gateway-payments-streams §A.1.
const (
	Network Space = iota // .cowboy.network
	Cow                  // .cow, a top-level domain of the network
	Cowboy               // .cowboy
	spaces
)

var ends = [spaces]string{".cowboy.network", ".cow", ".cowboy"}

// End is what the domains of the space end with.
func (s Space) End() string {
	if s >= spaces {
		return ""
	}
	return ends[s]
}

// Domain is a name with the space it is registered in.
type Domain struct {
	Space Space
	Label string
}

// String is the full domain name.
func (d Domain) String() string { return d.Label + d.Space.End() }

// Reserved reports whether the network keeps a label for itself.
//
// Spec: gateway-payments-streams §A.1.
func Reserved(label string) bool {
	switch label {
	case "www", "api", "dns", "gateway", "relay", "node", "cowboy", "system", "admin":
		return true
	}
	return false
}

// CheckLabel gives ErrName or ErrReserved for a label that nobody may register.
//
// Spec: gateway-payments-streams §A.1.
func CheckLabel(label string) error {
	if len(label) < MinLabel || len(label) > MaxLabel || label[0] == '-' || label[len(label)-1] == '-' {
		return ErrName
	}
	for i := range len(label) {
		if c := label[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return ErrName
		}
	}
	if Reserved(label) {
		return ErrReserved
	}
	return nil
}

// ParseDomain reads a full domain name, or a label alone, which is one of .cowboy.network. Rejects: ErrName, ErrReserved.
func ParseDomain(text string) (Domain, error) {
	d := Domain{Network, text}
	for s := range spaces {
		if label, ok := strings.CutSuffix(text, s.End()); ok {
			d = Domain{s, label}
			break
		}
	}
	return d, CheckLabel(d.Label)
}

// ParseHost finds the name a host belongs to: itself, or the one it lies below. Rejects: ErrName, ErrReserved.
//
// Spec: gateway-payments-streams §A.1 (subdomain_policy).
func ParseHost(host string) (d Domain, below bool, err error) {
	for s := range spaces {
		rest, ok := strings.CutSuffix(host, s.End())
		if !ok {
			continue
		}
		if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
			below, rest = true, rest[dot+1:]
		}
		d = Domain{s, rest}
		return d, below, CheckLabel(d.Label)
	}
	return Domain{}, false, ErrName
}

package route

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// Labels at their bounds.
//
// Spec: gateway-payments-streams §A.1.
func TestLabels(t *testing.T) {
	for label, want := range map[string]error{
		"ab": ErrName, "abc": nil, "a1-": ErrName, "-1a": ErrName, "a--b": nil, "Abc": ErrName, "a.b": ErrName, "a_b": ErrName, "ä12": ErrName, "": ErrName,
		strings.Repeat("a", 63): nil, strings.Repeat("a", 64): nil, strings.Repeat("a", 65): ErrName, "www": ErrReserved, "cowboy": ErrReserved,
		"system": ErrReserved, "admins": nil,
	} {
		t.Run(label, func(t *testing.T) {
			if err := CheckLabel(label); !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// A label is what the document's regular expression admits and the list of reserved names does not have.
//
// Spec: gateway-payments-streams §A.1.
func FuzzLabel(f *testing.F) {
	rule := regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$`)
	reserved := regexp.MustCompile(`^(www|api|dns|gateway|relay|node|cowboy|system|admin)$`)
	for _, s := range []string{"abc", "a-c", "-", "www", "a\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, label string) {
		if want := rule.MatchString(label) && !reserved.MatchString(label); (CheckLabel(label) == nil) != want {
			t.Errorf("%q: %v", label, CheckLabel(label))
		}
	})
}

// Where a domain and a host belong.
//
// Spec: gateway-payments-streams §A.1 (fqdn, subdomain_policy).
func TestDomains(t *testing.T) {
	for text, want := range map[string]string{
		"shop": "shop.cowboy.network", "shop.cowboy.network": "shop.cowboy.network", "shop.cow": "shop.cow", "shop.cowboy": "shop.cowboy", "a.shop.cow": "",
		"shop.example": "", "shop.cowboy.network.": "", ".cow": "",
	} {
		t.Run("domain "+text, func(t *testing.T) {
			d, err := ParseDomain(text)
			if (err == nil) != (want != "") || err == nil && d.String() != want {
				t.Errorf("%v %v, want %q", d, err, want)
			}
		})
	}
	for host, want := range map[string]struct {
		name  string
		below bool
	}{
		"shop.cowboy.network": {"shop.cowboy.network", false}, "a.b.shop.cowboy.network": {"shop.cowboy.network", true}, "a.shop.cow": {"shop.cow", true},
		"shop": {"", false}, "cowboy.network": {"", false}, "example.org": {"", false}, "www.cowboy": {"", false},
	} {
		t.Run("host "+host, func(t *testing.T) {
			d, below, err := ParseHost(host)
			if (err == nil) != (want.name != "") || err == nil && (d.String() != want.name || below != want.below) {
				t.Errorf("%v %v %v, want %+v", d, below, err, want)
			}
		})
	}
}

package entitle

import "strings"

// wildcard stands for every domain.
const wildcard = "*"

// isDomain knows the canonical forms: "*", a host name in lower-case ASCII (internationalized labels as punycode), or "*." and one.
//
// Spec: ENT §8.2, §10.
func isDomain(s string) bool {
	if s == wildcard {
		return true
	}
	return isHost(strings.TrimPrefix(s, "*."))
}

// isHost knows a canonical host name.
func isHost(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return true
}

// matches says whether an element of an allowlist admits a canonical host.
//
// Spec: ENT §8.2 (a wildcard does not match the apex).
func matches(pattern, host string) bool {
	if pattern == wildcard || pattern == host {
		return true
	}
	suffix, isWild := strings.CutPrefix(pattern, wildcard)
	return isWild && len(host) > len(suffix) && strings.HasSuffix(host, suffix)
}

// covers says whether one element of an allowlist admits everything another one does.
func covers(pattern, other string) bool {
	if pattern == wildcard || pattern == other {
		return true
	}
	rest, isWild := strings.CutPrefix(other, "*.")
	if other == wildcard {
		return false
	}
	if !isWild {
		return matches(pattern, other)
	}
	suffix, wide := strings.CutPrefix(pattern, "*.")
	return wide && strings.HasSuffix("."+rest, "."+suffix)
}

// allowlist is the effective list of an http.fetch grant: its own domains and those of its set.
//
// Spec: ENT §8.4.
func (g *Grant) allowlist(sets *Sets) []string {
	list := g.Texts("allowlist_domains")
	if set, ok := g.value("domain_set"); ok {
		curated, _ := sets.Hosts(set.Text)
		list = append(append([]string{}, list...), curated...)
	}
	return list
}

// AdmitsHost says whether an http.fetch grant reaches a host, given as HostOf answers it.
//
// Spec: ENT §8.2, §8.4.
func (g *Grant) AdmitsHost(host string, sets *Sets) bool {
	for _, pattern := range g.allowlist(sets) {
		if matches(pattern, host) {
			return true
		}
	}
	return false
}

// HostOf is the canonical host of an http or https URL: lower case, without port and trailing dot. ok is false for anything else: a host
// that is not ASCII, an address of version 6, a user name in front, which readers of URLs disagree about.
//
// Spec: ENT §8.2.
func HostOf(url string) (host string, ok bool) {
	scheme, rest, found := strings.Cut(url, "://")
	if scheme = strings.ToLower(scheme); !found || scheme != "http" && scheme != "https" {
		return "", false
	}
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	host, port, _ := strings.Cut(rest, ":")
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return "", false
		}
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host, isHost(host)
}

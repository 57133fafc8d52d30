package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"
	"github.com/zeebo/blake3"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// ExecutorDNS is the hash under which jobs ask for the executor DNS: that of its name and edition, since it is part of the runner and no file of its own.
//
// Spec: gateway-payments-streams §A.3 (a governed hash).
func ExecutorDNS() digest.Hash { return digest.Hash(blake3.Sum256([]byte("cowboy-dns 1"))) }

// PublicResolvers are those a runner asks that names none.
//
// Spec: runner-marketplace §2.3 (default resolver pool).
func PublicResolvers() []netip.AddrPort {
	var list []netip.AddrPort
	for _, ip := range [...]string{"1.1.1.1", "8.8.8.8", "9.9.9.9", "208.67.222.222"} {
		list = append(list, netip.AddrPortFrom(netip.MustParseAddr(ip), 53))
	}
	return list
}

// The bounds of a look-up.
//
// Spec: runner-marketplace §2.3 (at most 8 hops).
const (
	MaxResolvers = 16
	maxHops      = 8
	maxTexts     = 64 // TXT records of an answer that are looked at
	dnsWithin    = 5 * time.Second
	dnsBuffer    = 1_232 // bytes of an answer over UDP; a larger one is asked for over TCP
)

// DNS looks records of domains up. Each resolver is asked once for each record and for itself; what a strict majority of them sees counts. It opens no
// connection to anything an answer names.
//
// Spec: gateway-payments-streams §A.3; runner-marketplace §2.3 (DnsTxtRecordMatch, DnsCnameMatch).
type DNS struct {
	Resolvers []netip.AddrPort
}

// NewDNS makes the executor that asks these resolvers, host:port each, or "public" for those that everybody may ask; nil for none.
func NewDNS(resolvers []string) (*DNS, error) {
	if len(resolvers) == 0 {
		return nil, nil
	}
	d := &DNS{}
	for _, text := range resolvers {
		if text == "public" {
			d.Resolvers = append(d.Resolvers, PublicResolvers()...)
			continue
		}
		at, err := netip.ParseAddrPort(text)
		if err != nil {
			return nil, fmt.Errorf("resolver %q: an address with its port, or public", text)
		}
		d.Resolvers = append(d.Resolvers, at)
	}
	sorted := slices.SortedFunc(slices.Values(d.Resolvers), netip.AddrPort.Compare)
	if len(slices.Compact(sorted)) < len(d.Resolvers) || len(d.Resolvers) > MaxResolvers {
		return nil, fmt.Errorf("there are %d resolvers; at most %d are asked, each once", len(d.Resolvers), MaxResolvers)
	}
	return d, nil
}

// sight is what one resolver sees.
type sight struct {
	Resolver string `json:"resolver"`
	Text     bool   `json:"txt"`
	Target   bool   `json:"target"`
	ACME     bool   `json:"acme"`
	failed   bool
}

// dnsResult is the result of a check. The runners of a job vote on the verdict.
type dnsResult struct {
	Verdict   string  `json:"verdict"`
	Resolvers []sight `json:"resolvers"`
}

// Do implements Executor.
//
// Spec: gateway-payments-streams §A.3; runner-marketplace §2.3 (a runner with fewer resolvers declines).
func (d *DNS) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	var q route.Question
	if err := json.Unmarshal(spec.Custom.Params, &q); err != nil {
		return Output{}, fail(Permanent, "the job asks nothing that can be read: %w", err)
	}
	if _, err := route.ParseExternal(q.Domain); err != nil || q.Text == "" || q.Target == "" || q.ACME == "" {
		return Output{}, fail(Permanent, "the job asks about no domain outside of the network")
	}
	if len(d.Resolvers) < q.Resolvers {
		return Output{}, fail(Refused, "the job wants %d resolvers, and this runner has %d", q.Resolvers, len(d.Resolvers))
	}
	seen := make([]sight, len(d.Resolvers))
	done := make(chan int)
	for i := range d.Resolvers {
		go func() {
			seen[i] = d.look(ctx, d.Resolvers[i], &q)
			done <- i
		}()
	}
	for range d.Resolvers {
		<-done
	}
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	heard := 0
	for i := range seen {
		if !seen[i].failed {
			heard++
		}
	}
	if heard < max(q.Resolvers, 1) {
		return Output{}, fail(Transient, "%d of %d resolvers answer, and the job wants %d", heard, len(seen), q.Resolvers)
	}
	data, err := json.Marshal(&dnsResult{verdictOf(seen).String(), seen})
	return Output{Data: data}, err
}

// verdictOf is what a strict majority of the resolvers sees; one that did not answer sees nothing.
func verdictOf(seen []sight) route.Verdict {
	majority := func(of func(*sight) bool) bool {
		n := 0
		for i := range seen {
			if of(&seen[i]) {
				n++
			}
		}
		return 2*n > len(seen)
	}
	switch {
	case !majority(func(s *sight) bool { return s.Text }):
		return route.TextMismatch
	case !majority(func(s *sight) bool { return s.Target }):
		return route.AliasDrift
	case !majority(func(s *sight) bool { return s.ACME }):
		return route.DelegationMissing
	}
	return route.Proved
}

// look asks one resolver for the records of a domain.
func (d *DNS) look(ctx context.Context, at netip.AddrPort, q *route.Question) sight {
	s := sight{Resolver: at.String()}
	var errs [3]error
	s.Text, errs[0] = hasText(ctx, at, route.ChallengeName+q.Domain, q.Text)
	if route.Method(q.Method) == route.ByService {
		s.Target, errs[1] = serves(ctx, at, route.ServiceName+q.Domain, q.Target)
	} else {
		s.Target, errs[1] = leads(ctx, at, q.Domain, func(name string) bool { return name == q.Target })
	}
	s.ACME, errs[2] = leads(ctx, at, route.DelegationName+q.Domain, func(name string) bool {
		return name == q.ACME || strings.HasSuffix(name, "."+q.ACME)
	})
	s.failed = errors.Join(errs[:]...) != nil
	return s
}

// hasText reports whether a name has a TXT record of exactly this value, or an alias of the name does.
func hasText(ctx context.Context, at netip.AddrPort, name, value string) (bool, error) {
	list, err := exchange(ctx, at, name, dns.TypeTXT)
	if err != nil {
		return false, err
	}
	owner := bareName(name)
	for range maxHops { // a resolver puts the aliases it followed into its answer
		next := aliasOf(list, owner)
		if next == "" {
			break
		}
		owner = next
	}
	texts := 0
	for _, record := range list {
		t, ok := record.(*dns.TXT)
		if !ok || bareName(t.Hdr.Name) != owner {
			continue
		}
		if texts++; texts > maxTexts {
			return false, nil
		}
		if strings.Join(t.Txt, "") == value {
			return true, nil
		}
	}
	return false, nil
}

// serves reports whether a name has an SRV record that leads to a target.
func serves(ctx context.Context, at netip.AddrPort, name, target string) (bool, error) {
	list, err := exchange(ctx, at, name, dns.TypeSRV)
	return slices.ContainsFunc(list, func(record dns.RR) bool {
		s, ok := record.(*dns.SRV)
		return ok && bareName(s.Hdr.Name) == bareName(name) && bareName(s.Target) == target
	}), err
}

// leads reports whether a name leads to what is wanted by at most 8 aliases, none of which comes twice.
//
// Spec: runner-marketplace §2.3 (DnsCnameMatch).
func leads(ctx context.Context, at netip.AddrPort, name string, wanted func(name string) bool) (bool, error) {
	been := []string{bareName(name)}
	for range maxHops {
		list, err := exchange(ctx, at, been[len(been)-1], dns.TypeCNAME)
		if err != nil {
			return false, err
		}
		next := aliasOf(list, been[len(been)-1])
		switch {
		case next == "" || slices.Contains(been, next):
			return false, nil
		case wanted(next):
			return true, nil
		}
		been = append(been, next)
	}
	return false, nil
}

// aliasOf is where the one CNAME record of a name leads; "" for none, or several.
func aliasOf(list []dns.RR, name string) (target string) {
	for _, record := range list {
		c, ok := record.(*dns.CNAME)
		if !ok || bareName(c.Hdr.Name) != name {
			continue
		}
		if target != "" {
			return ""
		}
		target = bareName(c.Target)
	}
	return target
}

// bareName is a name as DNS compares it.
func bareName(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// exchange asks a resolver for records of a name, over UDP and, where the answer is cut, over TCP. A name that does not exist has none. An error is a
// resolver that does not answer, fails or answers another question.
func exchange(ctx context.Context, at netip.AddrPort, name string, kind uint16) ([]dns.RR, error) {
	q := new(dns.Msg)
	q.SetQuestion(dns.Fqdn(name), kind)
	q.SetEdns0(dnsBuffer, false)
	reply, err := once(ctx, "udp", at, q)
	if err == nil && reply.Truncated {
		reply, err = once(ctx, "tcp", at, q)
	}
	switch {
	case err != nil:
		return nil, err
	case !reply.Response || len(reply.Question) != 1 || bareName(reply.Question[0].Name) != bareName(name) || reply.Question[0].Qtype != kind:
		return nil, errors.New("the resolver answers another question")
	case reply.Rcode == dns.RcodeNameError:
		return nil, nil
	case reply.Rcode != dns.RcodeSuccess || reply.Truncated:
		return nil, fmt.Errorf("the resolver says %s", dns.RcodeToString[reply.Rcode])
	}
	return reply.Answer, nil
}

func once(ctx context.Context, network string, at netip.AddrPort, q *dns.Msg) (*dns.Msg, error) {
	client := &dns.Client{Net: network, Timeout: dnsWithin, UDPSize: dnsBuffer, Dialer: &net.Dialer{Timeout: dnsWithin}}
	reply, _, err := client.ExchangeContext(ctx, q, at.String())
	return reply, err
}

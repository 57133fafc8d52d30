package work_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/miekg/dns"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// resolver is a DNS server on loopback, over UDP and TCP on one port, that answers as a test says and counts what it is asked.
type resolver struct {
	at string

	mu    sync.Mutex
	asked map[string]int // by "name type"
	zone  zone
	edit  func(q, reply *dns.Msg) // what a hostile one does with its answer
}

// newResolver answers from a zone: records as zone files have them, by "name type". A name it does not have does not exist.
func newResolver(t *testing.T, records zone) *resolver {
	t.Helper()
	r := &resolver{zone: records, asked: map[string]int{}}
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.at = packets.LocalAddr().String()
	streams, err := net.Listen("tcp", r.at)
	if err != nil {
		t.Skipf("the port is taken for TCP: %v", err)
	}
	for _, s := range [...]*dns.Server{{PacketConn: packets, Handler: r}, {Listener: streams, Handler: r}} {
		up := make(chan struct{})
		s.NotifyStartedFunc = func() { close(up) }
		go func() { _ = s.ActivateAndServe() }()
		<-up
		t.Cleanup(func() { _ = s.Shutdown() })
	}
	return r
}

// change alters what the resolver answers from.
func (r *resolver) change(how func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	how()
}

// counts gives what the resolver was asked, by "name type".
func (r *resolver) counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.asked)
}

// ServeDNS implements dns.Handler.
func (r *resolver) ServeDNS(w dns.ResponseWriter, q *dns.Msg) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := strings.ToLower(q.Question[0].Name) + " " + dns.TypeToString[q.Question[0].Qtype]
	r.asked[key]++
	reply := new(dns.Msg).SetReply(q)
	for _, text := range r.zone[key] {
		record, err := dns.NewRR(text)
		if err != nil {
			panic(err)
		}
		reply.Answer = append(reply.Answer, record)
	}
	if len(reply.Answer) == 0 {
		reply.Rcode = dns.RcodeNameError
	}
	if r.edit != nil {
		r.edit(q, reply)
	}
	if _, udp := w.RemoteAddr().(*net.UDPAddr); udp {
		reply.Truncate(1_232)
	}
	_ = w.WriteMsg(reply)
}

const (
	site = "shop.example"
	said = "cowboy-verify=000102030405060708090a0b0c0d0e0f"
)

// zone are records as zone files have them, by "name type".
type zone map[string][]string

// good is a zone in which all records of the domain are as they should be.
func good(text string) zone {
	return zone{
		"_cowboy-challenge.shop.example. TXT": {`_cowboy-challenge.shop.example. 0 IN TXT "` + text + `"`},
		"shop.example. CNAME":                 {"shop.example. 0 IN CNAME edge.cowboy.network."},
		"_acme-challenge.shop.example. CNAME": {"_acme-challenge.shop.example. 0 IN CNAME shop.acme.cowboy.network."},
	}
}

// with is a zone with other records for some names; nil takes a name away.
func with(of zone, more zone) zone {
	for key, records := range more { // order-free: each is set for itself
		of[key] = records
	}
	return of
}

// hops are CNAME records by which the domain leads to a target in n steps.
func hops(n int, target string) zone {
	list, name := zone{}, "shop.example."
	for i := 1; i <= n; i++ {
		next := fmt.Sprintf("h%d.example.", i)
		if i == n {
			next = target
		}
		list[name+" CNAME"] = []string{name + " 0 IN CNAME " + next}
		name = next
	}
	return list
}

func texts(count int, last string) (list []string) {
	for i := range count - 1 {
		list = append(list, fmt.Sprintf(`_cowboy-challenge.shop.example. 0 IN TXT "padding %0100d"`, i))
	}
	return append(list, `_cowboy-challenge.shop.example. 0 IN TXT "`+last+`"`)
}

func question(t *testing.T, q route.Question) *job.Spec {
	t.Helper()
	params, err := json.Marshal(&q)
	if err != nil {
		t.Fatal(err)
	}
	return &job.Spec{Kind: job.Custom, Custom: &job.CustomJob{Executor: work.ExecutorDNS(), Params: params}}
}

func asks() route.Question {
	return route.Question{Domain: site, Text: said, Target: route.Edge, ACME: route.ACME, Resolvers: 3}
}

// What resolvers say, and what a runner makes of it. The verdicts are those of the documents' table, read by hand off the records.
//
// Spec: gateway-payments-streams §A.3; runner-marketplace §2.3 (strict majority, byte-exact, at most 8 hops).
func TestVerdictsAboutDomains(t *testing.T) {
	challenge, alias, acme := "_cowboy-challenge.shop.example. TXT", "shop.example. CNAME", "_acme-challenge.shop.example. CNAME"
	service := "_cowboy._tcp.shop.example. SRV"
	changed := func(key string, records ...string) zone { return with(good(said), zone{key: records}) }
	text := func(value string) zone { return changed(challenge, "_cowboy-challenge.shop.example. 0 IN TXT "+value) }
	leads := func(n int, target string) zone { return with(good(said), hops(n, target)) }
	serves := func(target string) zone {
		return changed(service, "_cowboy._tcp.shop.example. 0 IN SRV 0 0 443 "+target)
	}
	well, none := good(said), zone{}
	bySRV := asks()
	bySRV.Method = 1
	for name, c := range map[string]struct {
		zones []zone
		ask   route.Question
		want  string
	}{
		"all is well":             {[]zone{well, well, well}, asks(), "VERIFIED"},
		"two of three":            {[]zone{well, none, well}, asks(), "VERIFIED"},
		"one of three":            {[]zone{well, none, none}, asks(), "TXT_MISMATCH"},
		"half of four":            {[]zone{well, none, well, none}, asks(), "TXT_MISMATCH"},
		"another text":            {[]zone{text(`"cowboy-verify=00"`), text(`"cowboy-verify=00"`), well}, asks(), "TXT_MISMATCH"},
		"a space behind":          {[]zone{text(`"` + said + ` "`), text(`"` + said + ` "`), well}, asks(), "TXT_MISMATCH"},
		"upper case":              {[]zone{text(`"` + strings.ToUpper(said) + `"`), text(`"x"`), well}, asks(), "TXT_MISMATCH"},
		"a text in two parts":     {[]zone{text(`"` + said[:14] + `" "` + said[14:] + `"`), well, well}, asks(), "VERIFIED"},
		"large answers, over TCP": {[]zone{{challenge: texts(64, said)}, {challenge: texts(64, said)}, none}, asks(), "CNAME_DRIFT"},
		"one record too many":     {[]zone{{challenge: texts(65, said)}, {challenge: texts(65, said)}, none}, asks(), "TXT_MISMATCH"},
		"no alias":                {[]zone{changed(alias), changed(alias), well}, asks(), "CNAME_DRIFT"},
		"another target":          {[]zone{leads(1, "edge.cowboy.network.evil."), leads(1, "x.edge.cowboy.network."), well}, asks(), "CNAME_DRIFT"},
		"eight hops":              {[]zone{leads(8, "Edge.Cowboy.Network."), leads(8, "edge.cowboy.network."), none}, asks(), "VERIFIED"},
		"nine hops":               {[]zone{leads(9, "edge.cowboy.network."), leads(9, "edge.cowboy.network."), well}, asks(), "CNAME_DRIFT"},
		"loops":                   {[]zone{leads(3, "h1.example."), leads(1, "shop.example."), well}, asks(), "CNAME_DRIFT"},
		"two aliases of one name": {[]zone{
			changed(alias, "shop.example. 0 IN CNAME edge.cowboy.network.", "shop.example. 0 IN CNAME a.example."), none, well,
		}, asks(), "CNAME_DRIFT"},
		"no delegation": {[]zone{
			changed(acme), changed(acme, "_acme-challenge.shop.example. 0 IN CNAME xacme.cowboy.network."), well,
		}, asks(), "ACME_DELEGATION_MISSING"},
		"delegated to the name": {[]zone{
			changed(acme, "_acme-challenge.shop.example. 0 IN CNAME acme.cowboy.network."), well, none,
		}, asks(), "VERIFIED"},
		"a record of another name": {[]zone{changed(challenge, `evil.example. 0 IN TXT "`+said+`"`), none, well}, asks(), "TXT_MISMATCH"},
		"the challenge has an alias": {[]zone{
			changed(challenge, "_cowboy-challenge.shop.example. 0 IN CNAME c.example.", `c.example. 0 IN TXT "`+said+`"`), well, none,
		}, asks(), "VERIFIED"},
		"a service":           {[]zone{with(serves("edge.cowboy.network."), zone{alias: nil}), serves("edge.cowboy.network."), none}, bySRV, "VERIFIED"},
		"a service elsewhere": {[]zone{serves("evil.example."), well, well}, bySRV, "CNAME_DRIFT"},
	} {
		t.Run(name, func(t *testing.T) {
			var at []string
			var all []*resolver
			for _, records := range c.zones {
				r := newResolver(t, records)
				at, all = append(at, r.at), append(all, r)
			}
			d, err := work.NewDNS(at)
			if err != nil {
				t.Fatal(err)
			}
			out, err := (&work.Custom{DNS: d}).Do(context.Background(), question(t, c.ask))
			var result struct{ Verdict string }
			if err != nil || json.Unmarshal(out.Data, &result) != nil || result.Verdict != c.want {
				t.Errorf("%s %v, want %s", out.Data, err, c.want)
			}
			for _, r := range all {
				for key, n := range r.counts() { // once over UDP, and once over TCP where that was cut
					if n > 2 || n == 2 && !strings.HasSuffix(key, "TXT") {
						t.Errorf("%s was asked %d times for %s", r.at, n, key)
					}
				}
			}
		})
	}
}

// What is no verdict: resolvers that answer another question, fail or are away leave a check without one where too few others answer.
//
// Spec: runner-marketplace §2.3 (a runner with fewer resolvers declines).
func TestResolversThatSayNothing(t *testing.T) {
	away, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := away.LocalAddr().String()
	if err := away.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit func(q, reply *dns.Msg)
		at   string
		want work.ErrorKind
	}{
		"it fails":                {edit: func(_, m *dns.Msg) { m.Rcode = dns.RcodeServerFailure }, want: work.Transient},
		"it refuses":              {edit: func(_, m *dns.Msg) { m.Rcode = dns.RcodeRefused }, want: work.Transient},
		"it answers another name": {edit: func(_, m *dns.Msg) { m.Question[0].Name = "other.example." }, want: work.Transient},
		"it answers another type": {edit: func(_, m *dns.Msg) { m.Question[0].Qtype = dns.TypeA }, want: work.Transient},
		"it asks back":            {edit: func(_, m *dns.Msg) { m.Response = false }, want: work.Transient},
		"it is away":              {at: closed, want: work.Transient},
	} {
		t.Run(name, func(t *testing.T) {
			at := []string{newResolver(t, good(said)).at, newResolver(t, good(said)).at, c.at}
			if c.edit != nil {
				r := newResolver(t, good(said))
				r.change(func() { r.edit = c.edit })
				at[2] = r.at
			}
			d, err := work.NewDNS(at)
			if err != nil {
				t.Fatal(err)
			}
			out, err := d.Do(context.Background(), question(t, asks()))
			var failed *work.Error
			if !errors.As(err, &failed) || failed.Kind != c.want {
				t.Errorf("%s %v", out.Data, err)
			}
			fourth, err := work.NewDNS(append(at, newResolver(t, good(said)).at))
			if err != nil {
				t.Fatal(err)
			}
			if out, err := fourth.Do(context.Background(), question(t, asks())); err != nil || !strings.Contains(string(out.Data), `"verdict":"VERIFIED"`) {
				t.Errorf("with a fourth: %s %v", out.Data, err)
			}
		})
	}
}

// A resolver that says something else each time it is asked (rebinding) is asked once for each record.
//
// Spec: runner-marketplace §2.3.
func TestResolversAreAskedOnce(t *testing.T) {
	var at []string
	for range 3 {
		r := newResolver(t, good(said))
		seen := map[string]bool{}
		r.change(func() {
			r.edit = func(q, reply *dns.Msg) {
				if key := q.Question[0].String(); seen[key] {
					reply.Answer = nil
				} else {
					seen[key] = true
				}
			}
		})
		at = append(at, r.at)
	}
	d, err := work.NewDNS(at)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"VERIFIED", "TXT_MISMATCH"} {
		if out, err := d.Do(context.Background(), question(t, asks())); err != nil || !strings.Contains(string(out.Data), want) {
			t.Errorf("%d: %s %v", i, out.Data, err)
		}
	}
}

// Spec: runner-marketplace §2.3 (default resolver pool; a runner with fewer resolvers declines).
func TestResolvers(t *testing.T) {
	for name, c := range map[string]struct {
		list []string
		ok   bool
	}{
		"public": {[]string{"public"}, true}, "no port": {[]string{"127.0.0.1"}, false}, "a name": {[]string{"dns.example:53"}, false},
		"one twice": {[]string{"127.0.0.1:53", "127.0.0.1:53"}, false}, "public twice": {[]string{"public", "1.1.1.1:53"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := work.NewDNS(c.list); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
	two, err := work.NewDNS([]string{"127.0.0.1:1", "127.0.0.1:2"})
	if err != nil {
		t.Fatal(err)
	}
	var failed *work.Error
	if _, err := two.Do(context.Background(), question(t, asks())); !errors.As(err, &failed) || failed.Kind != work.Refused {
		t.Error(err)
	}
	for name, q := range map[string]route.Question{
		"a name of the network": {Domain: "shop.cowboy.network", Text: said, Target: route.Edge, ACME: route.ACME},
		"no text":               {Domain: site, Target: route.Edge, ACME: route.ACME},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := two.Do(context.Background(), question(t, q)); !errors.As(err, &failed) || failed.Kind != work.Permanent {
				t.Error(err)
			}
		})
	}
}

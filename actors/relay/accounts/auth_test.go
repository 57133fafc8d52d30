package accounts

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

const me = "/ras/auth/me"

// What is wrong with a request is refused by its number, whichever of its parts it is; and what was refused has used no challenge up: the right request is
// taken after it. Taken twice it is not.
//
// Spec: storage-cbfs §3.4.
func TestWhoIsRefused(t *testing.T) {
	d := newDesk(t)
	h, other := d.holderOf(1, nil), d.holderOf(2, nil)
	foreign, _ := d.challenge(other)
	set := func(name, value string) func(*http.Request, *Message) *http.Request {
		return func(r *http.Request, _ *Message) *http.Request {
			r.Header.Set(name, value)
			return r
		}
	}
	anew := func(change func(m *Message)) func(*http.Request, *Message) *http.Request {
		return func(_ *http.Request, m *Message) *http.Request {
			wrong := *m
			change(&wrong)
			return h.signed(&wrong)
		}
	}
	sent := func(change func(m *Message)) func(*http.Request, *Message) *http.Request {
		return func(r *http.Request, m *Message) *http.Request { // signed as m, sent otherwise
			wrong := *m
			change(&wrong)
			other := h.signed(&wrong)
			other.Header = r.Header
			return other
		}
	}
	type change func(r *http.Request, m *Message) *http.Request
	cases := map[string]struct {
		change       change
		status, code int
	}{
		"another node's":            {anew(func(m *Message) { m.Node = digest.Hash{2} }), 401, codeSignature},
		"a challenge of its own":    {anew(func(m *Message) { m.Challenge[31] ^= 1 }), 401, codeSignature},
		"another path":              {sent(func(m *Message) { m.Target = "/ras/accounts/balance" }), 401, codeSignature},
		"another query":             {sent(func(m *Message) { m.Target += "?a" }), 401, codeSignature},
		"another method":            {sent(func(m *Message) { m.Method, m.Target = http.MethodHead, me }), 401, codeSignature},
		"a byte of the body":        {sent(func(m *Message) { m.Body = []byte("bodz") }), 401, codeSignature},
		"a body less":               {sent(func(m *Message) { m.Body = nil }), 401, codeSignature},
		"another nonce":             {set(HeaderNonce, strings.Repeat("m", minNonce)), 401, codeSignature},
		"a moment later":            {set(HeaderTimestamp, fmt.Sprint(d.now.UnixMilli()+1)), 401, codeSignature},
		"too late":                  {anew(func(m *Message) { m.TimestampMs -= cbfs.SkewMs + 1 }), 401, codeClock},
		"too early":                 {anew(func(m *Message) { m.TimestampMs += cbfs.SkewMs + 1 }), 401, codeClock},
		"at the end of time":        {anew(func(m *Message) { m.TimestampMs = 1<<64 - 1 }), 401, codeClock},
		"no challenge":              {anew(func(m *Message) { m.ChallengeID[0] ^= 1 }), 401, codeChallenge},
		"another key's challenge":   {anew(func(m *Message) { m.ChallengeID, m.Challenge = foreign.ChallengeID, foreign.Challenge }), 401, codeChallenge},
		"another's certificate":     {set(HeaderDelegation, base64.StdEncoding.EncodeToString(other.cert)), 401, codeChallenge},
		"a time in another form":    {set(HeaderTimestamp, fmt.Sprint("0", d.now.UnixMilli())), 400, codeHeader},
		"no time":                   {set(HeaderTimestamp, "now"), 400, codeHeader},
		"a short nonce":             {set(HeaderNonce, strings.Repeat("n", minNonce-1)), 400, codeHeader},
		"a long nonce":              {set(HeaderNonce, strings.Repeat("n", maxNonce+1)), 400, codeHeader},
		"a nonce of other signs":    {set(HeaderNonce, strings.Repeat("é", minNonce)), 400, codeHeader},
		"no identity":               {set(HeaderChallengeID, "1"), 400, codeHeader},
		"an identity in capitals":   {set(HeaderChallengeID, strings.Repeat("AB", IDSize)), 400, codeHeader},
		"half a signature":          {set(HeaderSignature, base64.StdEncoding.EncodeToString(make([]byte, 32))), 400, codeHeader},
		"a signature in hex":        {set(HeaderSignature, strings.Repeat("ab", 64)), 400, codeHeader},
		"no signature of anybody's": {set(HeaderSignature, base64.StdEncoding.EncodeToString(make([]byte, 64))), 401, codeSignature},
		"no certificate":            {set(HeaderDelegation, "AAAA"), 400, codeHeader},
		"no base64":                 {set(HeaderDelegation, "?"), 400, codeHeader},
		"a certificate and more":    {set(HeaderDelegation, base64.StdEncoding.EncodeToString(append(bytes.Clone(h.cert), 0))), 400, codeHeader},
		"a long certificate":        {set(HeaderDelegation, strings.Repeat("A", maxDelegation+4)), 400, codeHeader},
	}
	for _, name := range []string{HeaderDelegation, HeaderTimestamp, HeaderNonce, HeaderChallengeID, HeaderSignature} {
		cases["without "+name] = struct {
			change       change
			status, code int
		}{func(r *http.Request, _ *Message) *http.Request { r.Header.Del(name); return r }, 400, codeHeader}
		cases["twice "+name] = struct {
			change       change
			status, code int
		}{func(r *http.Request, _ *Message) *http.Request { r.Header.Add(name, r.Header.Get(name)); return r }, 400, codeHeader}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d.now = d.now.Add(time.Minute) // so that nobody comes too often
			r, m := d.request(h, http.MethodGet, me, []byte("body"))
			if strings.HasPrefix(name, "another key's") {
				foreign, _ = d.challenge(other)
			}
			if strings.HasPrefix(name, "a moment") {
				c.change = set(HeaderTimestamp, fmt.Sprint(d.now.UnixMilli()+1))
			}
			if a := d.take(c.change(r, m)); a.status != c.status || a.code != c.code || a.status == 401 && a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%d %s, want %d and E%d", a.status, a.body, c.status, c.code)
			}
			for i, want := range []int{http.StatusOK, http.StatusUnauthorized} {
				a := d.take(h.signed(m))
				if a.status != want || i == 1 && a.code != codeChallenge {
					t.Errorf("the right one, time %d: %d %s", i+1, a.status, a.body)
				}
			}
		})
	}
}

// A certificate has to be of this network and purpose, to hold now, to be its wallet's, and not to be revoked. What of it can be seen without the chain is seen
// before a challenge is given.
//
// Spec: storage-cbfs §2.5 (DelegationCert).
func TestCertificatesThatAreRefused(t *testing.T) {
	for name, change := range map[string]func(c *cbfs.Certificate){
		"of another chain":        func(c *cbfs.Certificate) { c.ChainID++ },
		"of another network":      func(c *cbfs.Certificate) { c.Network = "cowboy-8" },
		"of another scope":        func(c *cbfs.Certificate) { c.Scope = "cbss" },
		"of another audience":     func(c *cbfs.Certificate) { c.Audience = "cowboy:cbss" },
		"that is over":            func(c *cbfs.Certificate) { c.ExpiresMs = 1_750_000_000_000 },
		"that holds too long":     func(c *cbfs.Certificate) { c.ExpiresMs = 1_750_000_000_001 + cbfs.MaxCertLifeMs },
		"that another has signed": func(c *cbfs.Certificate) { c.Wallet = walletOf(2).Address() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if _, a := d.challenge(d.holderOf(1, change)); a.status != 401 || a.code != codeCertificate {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	t.Run("that ends meanwhile", func(t *testing.T) {
		d := newDesk(t)
		h := d.holderOf(1, func(c *cbfs.Certificate) { c.ExpiresMs = uint64(d.now.UnixMilli()) + 1 })
		r, _ := d.request(h, http.MethodGet, me, nil)
		d.now = d.now.Add(time.Millisecond)
		if a := d.take(r); a.status != 401 || a.code != codeCertificate {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
	t.Run("that is revoked", func(t *testing.T) {
		d := newDesk(t)
		h := d.holderOf(1, nil)
		if a := d.ask(h, http.MethodGet, me, nil); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		d.revoked[digest.Hash(h.key.Public().(ed25519.PublicKey))] = 5
		d.now = d.now.Add(15 * time.Second)
		if a := d.ask(h, http.MethodGet, me, nil); a.status != 401 || a.code != codeRevoked {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
}

// A challenge holds for thirty seconds. A source has so many of them for a certificate, and so many in all; another source goes on, and when all are taken it
// gets those of whom has most.
//
// Spec: storage-cbfs §3.4 (a challenge lives 30 s).
func TestChallengesAreBounded(t *testing.T) {
	d := newDesk(t)
	h := d.holderOf(1, nil)
	first, _ := d.request(h, http.MethodGet, me, nil)
	for i := 1; i < eachChallenges; i++ {
		if _, a := d.challenge(h); a.status != 200 {
			t.Fatalf("%d: %d %s", i, a.status, a.body)
		}
	}
	if _, a := d.challenge(h); a.status != 429 || a.code != codeChallenges || a.header.Get("Retry-After") == "" {
		t.Errorf("one too many: %d %s", a.status, a.body)
	}
	elsewhere := *h
	elsewhere.from = "192.0.3.1:1"
	if a := d.ask(&elsewhere, http.MethodGet, me, nil); a.status != 200 {
		t.Errorf("elsewhere: %d %s", a.status, a.body)
	}
	d.now = d.now.Add(ChallengeLife)
	if a := d.take(first); a.status != 401 || a.code != codeChallenge {
		t.Errorf("one that is over: %d %s", a.status, a.body)
	}
	if _, a := d.challenge(h); a.status != 200 || len(d.server.book.open) != 1 || d.server.book.places.Taken() != 1 {
		t.Errorf("later: %d %s, %d open", a.status, a.body, len(d.server.book.open))
	}

	b := newBook(func() time.Time { return d.now })
	seat := func(n int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}) }
	given := 0
	for n := range mostChallenges/sourceChallenges + 1 {
		for i := range sourceChallenges + 1 {
			if _, ok := b.give(asker{digest.Hash{byte(i), byte(i >> 8)}, seat(n)}); ok {
				given++
			}
		}
	}
	if taken := b.places.Taken(); taken != mostChallenges || len(b.open) != mostChallenges || given < mostChallenges {
		t.Errorf("%d given, %d taken, %d open", given, taken, len(b.open))
	}
	if _, ok := b.give(asker{digest.Hash{1}, seat(5_000)}); !ok || len(b.open) != mostChallenges {
		t.Errorf("a source that has none gets none: %d open", len(b.open))
	}
	d.now = d.now.Add(ChallengeLife)
	if _, ok := b.give(asker{digest.Hash{1}, seat(0)}); !ok || len(b.open) != 1 || len(b.held) != 1 || len(b.order) != 1 {
		t.Errorf("%d open, %d held, %d in order", len(b.open), len(b.held), len(b.order))
	}
}

// A source asks as often as it may and no more, whoever it says it is; others are none the wiser.
func TestPace(t *testing.T) {
	d := newDesk(t)
	ask := func(from string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/ras/nothing", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.RemoteAddr, r.RequestURI = from, "/ras/nothing"
		return d.take(r).status
	}
	for i := range eachAtOnce {
		if status := ask(ownPlace); status != 404 {
			t.Fatalf("%d: %d", i, status)
		}
	}
	for from, want := range map[string]int{ownPlace: 429, "192.0.2.1:1": 429, "[2001:db8::1]:1": 404} {
		t.Run(from, func(t *testing.T) {
			if status := ask(from); status != want {
				t.Errorf("%d, want %d", status, want)
			}
		})
	}
	d.now = d.now.Add(time.Second / eachSecond)
	if status := ask(ownPlace); status != 404 {
		t.Errorf("later: %d", status)
	}
}

// A body that is larger than a transaction in hex is not read to its end, and one that was not authenticated not at all.
func TestBodies(t *testing.T) {
	d := newDesk(t)
	h := d.holderOf(1, nil)
	if a := d.ask(h, http.MethodPost, "/ras/volumes", make([]byte, maxBody+1)); a.status != 413 || a.code != codeBody {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := d.ask(h, http.MethodPost, "/ras/volumes", make([]byte, maxBody)); a.status != 400 || a.code != codeChange {
		t.Errorf("as large as may be: %d %s", a.status, a.body)
	}
	for name, change := range map[string]func(m *Message){
		"no challenge":          func(m *Message) { m.ChallengeID[0] ^= 1 },
		"one that is over":      func(m *Message) { d.now = d.now.Add(ChallengeLife) },
		"one that was used":     func(m *Message) { d.take(h.signed(m)) },
		"one of another's":      func(m *Message) { m.Certificate = d.holderOf(2, nil).cert },
		"a clock that is wrong": func(m *Message) { m.TimestampMs = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			_, m := d.request(h, http.MethodPost, "/ras/volumes", nil)
			change(m)
			read := &counter{}
			r := h.signed(m)
			r.Body = io.NopCloser(read)
			if a := d.take(r); a.status != http.StatusUnauthorized || read.n != 0 {
				t.Errorf("%d %s, %d bytes read", a.status, a.body, read.n)
			}
		})
	}
}

// Of two requests with one challenge that come at the same time one is answered, and none whose challenge ends while its body comes.
//
// Spec: storage-cbfs §3.4.
func TestChallengesServeOnce(t *testing.T) {
	for name, meanwhile := range map[string]func(d *desk, again *http.Request) int{
		"twice at a time": func(d *desk, again *http.Request) int { return d.take(again).status },
		"a slow one": func(d *desk, _ *http.Request) int {
			d.now = d.now.Add(ChallengeLife)
			return http.StatusOK
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			h := d.holderOf(1, nil)
			r, m := d.request(h, http.MethodGet, me, nil)
			r.Body = io.NopCloser(during(func() {
				if status := meanwhile(d, h.signed(m)); status != http.StatusOK {
					t.Errorf("the other one: %d", status)
				}
			}))
			if a := d.take(r); a.status != http.StatusUnauthorized || a.code != codeChallenge {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
}

// during is a body of no bytes, during whose reading something happens.
type during func()

// Read implements io.Reader.
func (d during) Read([]byte) (int, error) {
	d()
	return 0, io.EOF
}

// counter counts what is read of it, which never ends.
type counter struct{ n int }

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

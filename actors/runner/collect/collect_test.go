package collect

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

var (
	loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	theJob   = digest.Hash{7}
)

// desk is a dispatcher, what posting costs, and where runners are.
type desk struct {
	says    runner.Reply
	got     []*verify.Reveal
	cost    unit.Amount
	free    chan struct{} // nil, or what an answer waits for
	at      string
	missing error
}

func (d *desk) Offer(ctx context.Context, id digest.Hash, r *verify.Reveal, cost unit.Amount) (runner.Reply, string) {
	if d.free != nil {
		select {
		case <-d.free:
		case <-ctx.Done():
		}
		return runner.Declined, "late"
	}
	if id != theJob {
		return runner.Declined, "another job"
	}
	d.got, d.cost = append(d.got, r), cost
	return d.says, "because"
}

func (d *desk) Price(_ context.Context, bytes int) (unit.Amount, error) {
	return unit.Amount(bytes), d.missing
}

func (d *desk) Endpoint(context.Context, account.Address) (string, error) { return d.at, nil }

func opened(t *testing.T, d *desk) string {
	t.Helper()
	raw, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(d, d)
	go func() { _ = server.Serve(Connections.Bounded(raw)) }()
	t.Cleanup(func() { _ = server.Close() })
	d.at = "http://" + raw.Addr().String()
	return d.at
}

func made(t *testing.T) *verify.Reveal {
	t.Helper()
	secret := digest.SHA256([]byte("member"))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	r := verify.Sign(key, theJob, (&verify.Output{Data: []byte("blue")}).Append(nil))
	return &r
}

// A reveal arrives as it was, with what posting it costs, and the member hears what the aggregator says.
//
// Spec: CIP-2 §8 (collect).
func TestHand(t *testing.T) {
	for _, says := range []runner.Reply{runner.Promised, runner.Early, runner.Declined} {
		d := &desk{says: says}
		opened(t, d)
		reveal := made(t)
		got, err := NewClient(d, loopback).Hand(t.Context(), account.Address{1}, theJob, reveal)
		if got != says || (err != nil) != (says == runner.Declined) || err != nil && !strings.Contains(err.Error(), "because") {
			t.Errorf("%v, %v", got, err)
		}
		if len(d.got) != 1 || d.cost != unit.Amount(len(reveal.Output)) {
			t.Fatalf("%d arrive, for %d", len(d.got), d.cost)
		}
		if _, err := d.got[0].Open(sig.Default(), theJob, verify.Commitment(reveal.Output, reveal.Salt)); err != nil || d.got[0].Runner != reveal.Runner {
			t.Errorf("%+v, %v", d.got[0], err)
		}
	}
}

// Where an aggregator is said to be that is no place of a runner, nothing is asked, and the member posts its reveal itself.
func TestEndpoints(t *testing.T) {
	d := &desk{says: runner.Promised}
	at := opened(t, d)
	elsewhere := httptest.NewServer(http.RedirectHandler(at, http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	for name, c := range map[string]struct {
		at      string
		allowed []netip.Prefix
		want    error
	}{
		"none":                         {"", loopback, ErrNowhere},
		"another scheme":               {"file:///etc/passwd", loopback, ErrNowhere},
		"a name and a password":        {"http://a:b@127.0.0.1", loopback, ErrNowhere},
		"no address":                   {"http://", loopback, ErrNowhere},
		"no address at all":            {"::::", loopback, ErrNowhere},
		"a network that is not public": {at, nil, nil},
		"it leads elsewhere":           {elsewhere.URL, loopback, nil},
		"a fragment and a query":       {at + "/x?y=1#z", loopback, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d.at = c.at
			got, err := NewClient(d, c.allowed).Hand(t.Context(), account.Address{1}, theJob, made(t))
			if got != runner.Declined || err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	if len(d.got) != 0 {
		t.Errorf("%d arrive", len(d.got))
	}
	d.at = at + "/"
	if got, err := NewClient(d, loopback).Hand(t.Context(), account.Address{1}, theJob, made(t)); got != runner.Promised {
		t.Errorf("with a stroke at its end: %v, %v", got, err)
	}
}

// What is no reveal is refused before the dispatcher hears of it, and before its body is read.
func TestNoReveals(t *testing.T) {
	d := &desk{says: runner.Promised}
	at := opened(t, d)
	whole := encode(made(t))
	for name, c := range map[string]struct {
		method, path string
		body         []byte
		want         int
	}{
		"another method":    {http.MethodGet, "/reveals/" + theJob.Hex(), nil, http.StatusMethodNotAllowed},
		"another path":      {http.MethodPost, "/", whole, http.StatusNotFound},
		"no identity":       {http.MethodPost, "/reveals/7", whole, http.StatusBadRequest},
		"nothing":           {http.MethodPost, "/reveals/" + theJob.Hex(), nil, http.StatusBadRequest},
		"a byte too little": {http.MethodPost, "/reveals/" + theJob.Hex(), whole[:headSize-1], http.StatusBadRequest},
		"a byte too much":   {http.MethodPost, "/reveals/" + theJob.Hex(), make([]byte, mostBody+1), http.StatusBadRequest},
		"the largest one":   {http.MethodPost, "/reveals/" + theJob.Hex(), make([]byte, mostBody), http.StatusAccepted},
		"of another job":    {http.MethodPost, "/reveals/" + digest.Hash{8}.Hex(), whole, http.StatusForbidden},
		"with 0x before it": {http.MethodPost, "/reveals/" + theJob.String(), whole, http.StatusAccepted},
	} {
		t.Run(name, func(t *testing.T) {
			ask, err := http.NewRequestWithContext(t.Context(), c.method, at+c.path, bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultClient.Do(ask)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = answer.Body.Close() }()
			if answer.StatusCode != c.want {
				t.Errorf("%d, want %d", answer.StatusCode, c.want)
			}
		})
	}
	if len(d.got) != 2 {
		t.Errorf("%d arrive", len(d.got))
	}
	d.missing = errors.New("no node")
	if got, _ := NewClient(d, loopback).Hand(t.Context(), account.Address{1}, theJob, made(t)); got != runner.Declined || len(d.got) != 2 {
		t.Errorf("without a price: %v", got)
	}
}

// While as many are answered as may be, others hear that it is busy; then it goes on.
func TestBusy(t *testing.T) {
	d := &desk{says: runner.Promised, free: make(chan struct{})}
	s := &server{dispatcher: d, prices: d, places: make(chan struct{}, Most)}
	for range Most {
		s.places <- struct{}{}
	}
	ask := func() int {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(encode(made(t))))
		r.SetPathValue("job", theJob.Hex())
		s.reveal(w, r)
		return w.Code
	}
	if got := ask(); got != http.StatusServiceUnavailable {
		t.Errorf("%d", got)
	}
	<-s.places
	close(d.free)
	if got := ask(); got != http.StatusForbidden {
		t.Errorf("%d", got)
	}
}

// Five sources that send slowly, on as many connections as they may have, more than are answered at a time, keep nobody else out.
func TestSlowBodies(t *testing.T) {
	d := &desk{says: runner.Promised}
	opened(t, d)
	at := strings.TrimPrefix(d.at, "http://")
	for source := range byte(5) {
		from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2+source)}}
		for range Connections.Each {
			c, err := from.DialContext(t.Context(), "tcp", at)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			head := "POST /reveals/" + theJob.Hex() + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 60000\r\n\r\n"
			if _, err := c.Write([]byte(head)); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(make([]byte, 16)); err != nil { // it reads the body from now on
				t.Fatal(err)
			}
		}
	}
	if got, err := NewClient(d, loopback).Hand(t.Context(), account.Address{1}, theJob, made(t)); got != runner.Promised || len(d.got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

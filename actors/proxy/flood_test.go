package proxy_test

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	"github.com/cowboyinc/cowboy-go/testkit/stranger"
)

const raiders = 8

// small are limits that eight strangers reach with few connections.
var small = exchange.Limits{Body: frame.MaxBody, Streams: 32, Connections: 64, PerAddress: 8, Memory: 8 << 20}

func walletOf(t testing.TB, n byte) *sig.PrivateKey {
	t.Helper()
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), n))
	must(t, err)
	return key
}

// request is a signed request of a runner to the proxy that is attacked, for its number.
func request(of *loopback, signed, named *sig.PrivateKey, number uint64, key [32]byte) []byte {
	nonce := digest.SHA256(binary.BigEndian.AppendUint64(nil, number))
	q := &cbss.Request{
		ChainID: chainID, Secret: cbss.SecretID{Account: account.Address{1}}, Version: 1, Actor: account.Address(nonce[:20]), Runner: named.Address(),
		Nonce: nonce, Block: 1, Epoch: 1, RunnerKey: key, Proxy: of.sealed.Serving.Committee[0],
	}
	return q.Signed(signed)
}

// raid is strangers that attack a proxy.
type raid struct {
	t      *testing.T
	of     *loopback
	served []byte // a request that was served
	lonely *sig.PrivateKey
	honest *sig.PrivateKey

	mu   sync.Mutex
	told map[string]int // by status and text
}

// ask is what one stream of a stranger carries.
func (r *raid) ask(number, connection, stream int) stranger.Question {
	ask := func(kind byte, claimed uint32, body []byte) stranger.Question {
		raw := append(binary.BigEndian.AppendUint32([]byte{kind}, claimed), body...)
		return stranger.Question{Raw: raw, Whole: len(body) == int(claimed), Reads: true}
	}
	var raw []byte
	n := uint64(number)<<32 | uint64(connection)<<16 | uint64(stream)
	switch stream % 8 { // those that are answered first, then those that hold on to what they have
	case 0:
		return ask(99, 9, []byte("nonsense!"))
	case 1: // a round of making a key, as any proxy may word it
		body := bytes.Repeat([]byte{byte(n)}, 1_000)
		return ask(frame.DkgRound, 1_000, body)
	case 2: // in the name of a runner that did not sign it
		raw = request(r.of, r.lonely, r.honest, n, [32]byte{9})
	case 3:
		raw = r.served
	case 4: // of a runner that nobody has anything for
		raw = request(r.of, r.lonely, r.lonely, n, [32]byte{9})
	case 5:
		return ask(frame.PartialSign, 1<<32-1, []byte("huge"))
	case 6: // a body that never comes
		return ask(frame.PartialSign, frame.MaxBody, nil)
	case 7: // one that comes to a part
		return ask(frame.PartialSign, frame.MaxBody, make([]byte, 16<<10))
	}
	return ask(frame.PartialSign, uint32(len(raw)), raw)
}

// heard reports whether strangers were told all of these.
func (r *raid) heard(all ...string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, want := range all {
		found := false
		for text := range r.told {
			found = found || strings.Contains(text, want)
		}
		if !found {
			return false
		}
	}
	return true
}

// hear takes an answer.
func (r *raid) hear(raw []byte) {
	if len(raw) < 5 {
		return
	}
	text := string(raw[5:])
	if raw[0] == frame.Done {
		r.t.Error("a stranger is served")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if raw[0] == exchange.Busy {
		text = "busy"
	}
	r.told[text]++
}

// hesitant is a node that is slow to refuse whomever it does not know.
type hesitant struct {
	of                     *loopback
	knows                  account.Address
	asking, most, unsigned atomic.Int64
}

func (h *hesitant) admit(ctx context.Context, raw []byte) (proxy.Admission, error) {
	defer h.asking.Add(-1)
	if n := h.asking.Add(1); n > h.most.Load() {
		h.most.Store(n)
	}
	q, mark, err := cbss.ParseRequest(raw)
	if err != nil {
		return proxy.Admission{}, err
	}
	if by, err := sig.Default().Recover(q.Hash(), mark); err != nil || by != q.Runner {
		h.unsigned.Add(1)
	}
	if q.Runner == h.knows {
		return h.of.said, nil
	}
	<-ctx.Done()
	return proxy.Admission{Height: 1, Refused: secret.ErrAccess.Error()}, ctx.Err()
}

// TestProxyAmongStrangers: while eight strangers take all connections that a proxy has, leave handshakes half-open, send garbage, frames that claim to be huge,
// bodies that never end, rounds of key making, requests that nobody signed, replays, and requests which its node is slow to refuse, a runner that comes then
// gets its partial. The node is asked about so much at a time and never about what is not signed; what the proxy holds goes when the strangers go.
func TestProxyAmongStrangers(t *testing.T) { // alone, since it counts what the process holds
	l := newLoopback(t, small)
	r := &raid{t: t, of: l, told: map[string]int{}, honest: walletOf(t, 7), lonely: walletOf(t, 8)}
	node := &hesitant{of: l, knows: r.honest.Address()}
	l.hears(node.admit)
	mine, err := ecdh.X25519().GenerateKey(rand.Reader)
	must(t, err)
	number := uint64(1) << 60
	release := func(when string) []byte {
		t.Helper()
		number++
		raw := request(l, r.honest, r.honest, number, [32]byte(mine.PublicKey().Bytes()))
		c := &exchange.Client{Body: frame.MaxBody} // a runner that comes now
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		p := l.sealed.Proxies[0]
		status, answer, err := c.Ask(ctx, p.Address, p.TLS, frame.PartialSign, raw)
		if err != nil || status != frame.Done {
			t.Fatalf("%s: status %d: %s, %v", when, status, answer, err)
		}
		q, _, err := cbss.ParseRequest(raw)
		must(t, err)
		if _, err := frame.Open(mine, frame.AnswerInfo, q.Hash(), answer); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		return raw
	}
	r.served = release("before")

	runtime.GC()
	runtime.GC() // buffers in pools outlive the first
	var start runtime.MemStats
	runtime.ReadMemStats(&start)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	flood := &stranger.Raid{
		Target: l.sealed.Proxies[0].Address, ALPN: "cowboy-exchange/1", First: 16, Strangers: raiders, Connections: small.PerAddress, Streams: 48,
		Key: func(number int) ed25519.PrivateKey {
			return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(number + 1)}, 32))
		},
		Ask: r.ask, Hear: r.hear,
	}
	gone, err := flood.Begin(ctx)
	must(t, err)
	again, limit := time.NewTicker(10*time.Millisecond), time.NewTimer(time.Minute)
	defer again.Stop()
	defer limit.Stop()
	until := func(what string, is func() bool) {
		t.Helper()
		for !is() {
			select {
			case <-again.C:
			case <-limit.C:
				t.Fatalf("never: %s", what)
			}
		}
	}
	until("questions of strangers wait, and others were refused, each for its reason", func() bool {
		n, err := stranger.Goroutines("exchange.(*Server).answer")
		full := n >= small.Memory/(2*small.Body)+raiders
		return err == nil && full && r.heard("no such question", "only a registered proxy", "InvalidRunnerSignature", "served before")
	})
	for range 3 {
		release("during")
	}
	if n := l.servers[0].Connections(); n > small.Connections || n < small.Connections-raiders {
		t.Errorf("%d connections: the flood did not fill the proxy, or there is no bound", n)
	}
	asked, err := stranger.Goroutines("exchange.(*Server).answer")
	must(t, err)
	if bound := small.Connections * small.Streams; asked == 0 || asked > bound {
		t.Errorf("%d questions under way, want at most %d", asked, bound)
	}
	runtime.GC()
	runtime.GC() // buffers in pools outlive the first
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	// questions and answers, 256 KiB that a connection may have unread, and 256 KiB for a connection itself; the strangers' side is in it too
	if bound := uint64(small.Memory + small.Connections*(512<<10)); now.HeapAlloc > start.HeapAlloc+bound {
		t.Errorf("%d MiB of heap more, want at most %d", (now.HeapAlloc-start.HeapAlloc)>>20, bound>>20)
	}
	cancel()
	gone()
	if most, unsigned := node.most.Load(), node.unsigned.Load(); most == 0 || most > 32 || unsigned > 0 {
		t.Errorf("the node was asked about %d requests at a time, and about %d that are not signed", most, unsigned)
	}
	until("the strangers are gone", func() bool { return l.servers[0].Connections() <= raiders })
	release("afterwards")
}

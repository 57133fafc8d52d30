package proxy_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/runner/secrets"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

const chainID = 5

// loopback is five proxies behind real sockets and disks, whose nodes admit everything, and a runner's view of the chain.
type loopback struct {
	exchange.Client
	sealed  *secrets.Sealed
	data    []byte
	key     [cbss.DataKeySize]byte
	servers []*exchange.Server

	mu     sync.Mutex // servers begin before the rest is known
	said   proxy.Admission
	admits func(ctx context.Context, raw []byte) (proxy.Admission, error) // nil: everything is admitted
}

func (l *loopback) Look(context.Context, []secret.Scope) (proxy.View, error) {
	return proxy.View{}, nil
}

func (l *loopback) Admit(ctx context.Context, raw []byte) (proxy.Admission, error) {
	l.mu.Lock()
	said, admits := l.said, l.admits
	l.mu.Unlock()
	if admits != nil {
		return admits(ctx, raw)
	}
	return said, nil
}

func (l *loopback) AdmitSeal(context.Context, uint64) (proxy.SealAdmission, error) {
	return proxy.SealAdmission{}, nil
}

// hears has what proxies admit decided by somebody else.
func (l *loopback) hears(admits func(ctx context.Context, raw []byte) (proxy.Admission, error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.admits = admits
}

func (l *loopback) Recorded(context.Context, digest.Hash) (bool, error) { return false, nil }

func (l *loopback) Send(context.Context, tx.Instruction) error { return nil }

func (l *loopback) Ask(ctx context.Context, to *proxy.Peer, kind byte, body []byte) (byte, []byte, error) {
	return l.Client.Ask(ctx, to.Address, to.TLS, kind, body)
}

func (l *loopback) Owner(context.Context, account.Address) (account.Address, error) {
	return account.Address{1}, nil
}

func (l *loopback) Sealed(context.Context, cbss.SecretID, *uint64) (*secrets.Sealed, error) {
	return l.sealed, nil
}

func (l *loopback) Wrapped(context.Context, digest.Hash) (*release.Sealed, error) {
	return &l.sealed.Sealed, nil
}

func (l *loopback) Accuse(context.Context, *tx.SlashCbssProxy) error { return nil }

func (l *loopback) Challenge(context.Context, *tx.SubmitLivenessChallenge) error { return nil }

func (l *loopback) Receipted(context.Context, digest.Hash) ([]digest.Hash, error) { return nil, nil }

func drawn() *cbss.Scalar {
	for {
		var raw [cbss.ScalarSize]byte
		rand.Read(raw[:])
		raw[0] &= 0x3f
		if s, err := cbss.ParseScalar(raw[:]); err == nil {
			return s
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

var unlimited = exchange.Limits{Body: frame.MaxBody, Rate: 1e6}

func newLoopback(tb testing.TB, limits exchange.Limits) *loopback {
	tb.Helper()
	poly := cbss.Polynomial{drawn(), drawn(), drawn(), drawn()}
	of := account.Address{1}
	to := &cbss.Identity{ChainID: chainID, Secret: cbss.SecretID{Account: of, KeyHash: cbss.KeyHash(of, "K")}, Version: 1, Epoch: 1, Master: poly[0].Public()}
	l := &loopback{data: to.Bytes()}
	var key [cbss.DataKeySize]byte
	rand.Read(key[:])
	envelope, err := cbss.Wrap(to, drawn(), [cbss.NonceSize]byte{}, key)
	must(tb, err)
	payload, err := cbss.SealPayload(key, [cbss.NonceSize]byte{}, to.Bytes(), []byte("the value"))
	must(tb, err)
	l.key = key
	l.sealed = &secrets.Sealed{Sealed: release.Sealed{ChainID: chainID, Height: 1, Secret: to.Secret, Version: 1, Envelope: envelope}, Payload: payload}
	l.sealed.Serving = secret.Generation{Epoch: 1, Commitments: poly.Commitments()}
	for i := range 5 {
		files, err := disk.NewDirectory(tb.TempDir())
		must(tb, err)
		self, err := proxy.Make(files, []byte("a passphrase of tests"), chainID, func(k sig.CompressedKey) digest.Hash { return digest.Keccak256(k[:]) })
		must(tb, err)
		door, err := proxy.NewDoor(&proxy.Door{Self: self, Node: l, Clock: supervision.RealClock{}}, proxy.NewHandle(), files)
		must(tb, err)
		share, err := poly.At(uint32(i + 1))
		must(tb, err)
		door.Give(secret.AccountScope(of), &proxy.Share{Epoch: 1, Place: uint32(i + 1), Secret: share})
		certificate, print, err := exchange.Certificate(self.TLS)
		must(tb, err)
		socket, err := net.ListenPacket("udp", "127.0.0.1:0")
		must(tb, err)
		server, err := exchange.Serve(socket, certificate, limits, door.Answer)
		must(tb, err)
		tb.Cleanup(func() { _ = server.Close(); _ = door.Close() })
		l.servers = append(l.servers, server)
		l.sealed.Serving.Committee = append(l.sealed.Serving.Committee, self.ID)
		l.sealed.Proxies = append(l.sealed.Proxies, proxy.Peer{ID: self.ID, Key: self.Key.Compressed(), TLS: print, Address: socket.LocalAddr().String()})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = proxy.Admission{Height: 1, Scope: secret.AccountScope(of), Data: l.data, Generation: l.sealed.Serving}
	tb.Cleanup(l.Close)
	return l
}

func (l *loopback) release(tb testing.TB, n int) {
	key := testSigner(tb)
	who := digest.SHA256(fmt.Append(nil, n))
	spec := &job.Spec{Submitter: account.Address(who[:20]), Secrets: []job.Secret{{Name: "K"}}}
	got, err := (&secrets.Client{Key: key, Chain: l, Peers: l}).Get(context.Background(), spec)
	if err != nil || string(got["K"]) != "the value" {
		tb.Fatalf("%q, %v", got["K"], err)
	}
}

// TestReleaseOverSockets gets a secret from five doors behind real sockets and disks.
//
// Spec: secrets-cbss §4, §5.
func TestReleaseOverSockets(t *testing.T) {
	l := newLoopback(t, unlimited)
	for n := range 3 {
		l.release(t, n)
	}
}

// TestKeyOfAVolumeOverSockets: an account that has no job gets the key of a volume, by requests that say so and whose payer it is; where the proxies' nodes
// refuse it gets nothing.
//
// Spec: secrets-cbss §4, §11.
func TestKeyOfAVolumeOverSockets(t *testing.T) {
	l := newLoopback(t, unlimited)
	reader := testSigner(t)
	asks := release.Client{Key: reader, Peers: l}
	sealed := l.sealed.Sealed
	sealed.Recipient = secret.OfVolume
	var mu sync.Mutex
	asked := map[digest.Hash]bool{}
	l.mu.Lock()
	said := l.said
	l.mu.Unlock()
	l.hears(func(_ context.Context, raw []byte) (proxy.Admission, error) {
		q, _, err := cbss.ParseRequest(raw)
		if err != nil || q.Recipient != 2 || !q.Job.IsZero() || q.Runner != reader.Address() || q.Actor != reader.Address() || q.Secret != sealed.Secret {
			t.Errorf("%+v %v", q, err)
		}
		mu.Lock()
		defer mu.Unlock()
		asked[q.Proxy] = true
		return said, nil
	})
	got, err := asks.Open(context.Background(), &sealed, reader.Address(), digest.Hash{})
	if err != nil || got != l.key {
		t.Fatal(err)
	}
	mu.Lock()
	if len(asked) < 4 {
		t.Errorf("%d proxies were asked", len(asked))
	}
	mu.Unlock()
	l.hears(func(context.Context, []byte) (proxy.Admission, error) {
		return proxy.Admission{Refused: secret.ErrAccess.Error()}, nil
	})
	got, err = asks.Open(context.Background(), &sealed, reader.Address(), digest.Hash{})
	if !errors.Is(err, release.ErrRefused) || !errors.Is(err, release.ErrUnavailable) || !strings.Contains(err.Error(), "SecretAccessDenied") || got == l.key {
		t.Error(err)
	}
}

func testSigner(tb testing.TB) *sig.PrivateKey {
	tb.Helper()
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 7))
	must(tb, err)
	return key
}

// BenchmarkRelease is a release end to end over the loopback, 4 of 5 proxies, each with its record on the disk; the chain's answers are in memory. The
// processor time is a fourth of all that the process had, whoever asks included: a partial costs its proxy less.
func BenchmarkRelease(b *testing.B) {
	l := newLoopback(b, unlimited)
	l.release(b, -1) // the connections are made
	var all []time.Duration
	before := bench.Processor()
	for n := 0; b.Loop(); n++ {
		from := time.Now()
		l.release(b, n)
		all = append(all, time.Since(from))
	}
	b.ReportMetric(float64((bench.Processor()-before).Microseconds())/1000/4/float64(len(all)), "cpu-ms/partial")
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "median-ms")
}

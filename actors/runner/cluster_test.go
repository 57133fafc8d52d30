package runner

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// authority makes certificates for loopback, as PEM files in a directory: ca.pem, and NAME.pem with NAME.key.
type authority struct {
	t    *testing.T
	dir  string
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	next int64
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.issue("ca")
	return a
}

func (a *authority) write(name, kind string, data []byte) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *authority) issue(name string) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	a.next++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(a.next), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{{127, 0, 0, 1}},
		IsCA: a.cert == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	data, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	if a.cert == nil {
		if a.cert, err = x509.ParseCertificate(data); err != nil {
			a.t.Fatal(err)
		}
		a.key = key
	}
	a.write(name+".pem", "CERTIFICATE", data)
	a.write(name+".key", "EC PRIVATE KEY", secret)
}

// client trusts the authority, and shows a certificate of its own unless the name is "".
func (a *authority) client(name string) *tls.Config {
	a.t.Helper()
	c := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS13}
	c.RootCAs.AddCert(a.cert)
	if name != "" {
		pair, err := tls.LoadX509KeyPair(filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key"))
		if err != nil {
			a.t.Fatal(err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c
}

// cluster is three servers of an operator, which read their users from what the queue writes for them, and ask for certificates.
type cluster struct {
	servers []*server.Server
	url     string
}

func newCluster(t *testing.T, a *authority, users string) *cluster {
	t.Helper()
	c := &cluster{}
	free, err := ports.Reserve(3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.Release)
	var urls, routes []string
	for i := range 3 {
		routes = append(routes, fmt.Sprintf("\"nats-route://127.0.0.1:%d\"", free.First+i))
	}
	for i := range 3 {
		text := fmt.Sprintf("server_name: s%d\nlisten: 127.0.0.1:-1\njetstream {store_dir: %q}\n"+
			"cluster {name: fleet, listen: \"127.0.0.1:%d\", routes: [%s]}\n"+
			"tls {cert_file: %q, key_file: %q, ca_file: %q, verify: true}\n%s", i, t.TempDir(), free.First+i, strings.Join(routes, ", "),
			filepath.Join(a.dir, "server.pem"), filepath.Join(a.dir, "server.key"), filepath.Join(a.dir, "ca.pem"), users)
		path := filepath.Join(t.TempDir(), "nats.conf")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		options, err := server.ProcessConfigFile(path)
		if err != nil {
			t.Fatal(err)
		}
		options.NoSigs, options.NoLog = true, true
		s, err := server.NewServer(options)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		c.servers = append(c.servers, s)
	}
	for _, s := range c.servers {
		if !s.ReadyForConnections(30 * time.Second) {
			t.Fatal("a server does not come up")
		}
		urls = append(urls, "tls://"+s.Addr().String())
	}
	c.url = strings.Join(urls, ",")
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := 0; !c.agree(); n++ {
		if <-tick.C; n > 2_000 {
			t.Fatal("the servers do not find each other")
		}
	}
	return c
}

// agree reports whether the servers have a leader and know of each other.
func (c *cluster) agree() bool {
	led := false
	for _, s := range c.servers {
		led = led || s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == 3
		if s.NumRoutes() == 0 || !s.JetStreamIsCurrent() {
			return false
		}
	}
	return led
}

// leader is the server that leads a stream.
func (c *cluster) leader(t *testing.T, stream string) *server.Server {
	t.Helper()
	for _, s := range c.servers {
		if s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
			return s
		}
	}
	t.Fatal("the stream has no leader")
	return nil
}

// On a cluster of three servers of the operator's, the one that leads the stream is killed in the middle of the jobs: each job is committed to once and
// revealed. The users are those that are written for operators; who has no certificate does not come in, and a worker's key can do nothing but work.
//
// Spec: runner-marketplace §2.7, §5, §9.
func TestCluster(t *testing.T) {
	a := newAuthority(t)
	a.issue("server")
	a.issue("runner")
	dispatcher, key := seed(t)
	worker, public := seed(t)
	other, otherPublic := seed(t)
	c := newCluster(t, a, queue.ServerConfig(key, []string{"http", "llm"}, []queue.Credential{
		{Key: public, Capabilities: []string{"http"}}, {Key: otherPublic, Capabilities: []string{"llm"}},
	}))
	const jobs = 60
	began, half := make(chan struct{}, jobs*queue.MaxDeliver), make(chan struct{})
	executor := &counted{do: func(ctx context.Context) {
		began <- struct{}{}
		select {
		case <-half:
		case <-ctx.Done():
		}
	}}
	set := &work.Set{Executors: map[job.Kind]work.Executor{job.HTTP: executor}}
	w := newWorld()
	for range jobs {
		w.submit(t, job.HTTP, 1_000_000_000)
	}
	f := runOn(t, w, []*work.Set{set, set, set, set}, nil, worker, queue.Config{
		Capabilities: []string{"http", "llm"}, Seed: dispatcher, URL: c.url, Keep: 3, TLS: a.client("runner"), MaxBytes: 16 << 20, AckWait: 2 * time.Second,
	})
	f.world = w
	for range 4 {
		<-began
	}
	gone := c.leader(t, "jobs-http")
	gone.Shutdown()
	gone.WaitForShutdown()
	close(half)
	f.settled(t)
	w.check(t)
	if executor.done.Load() < jobs {
		t.Errorf("%d jobs were done, of %d", executor.done.Load(), jobs)
	}
	left := strings.Split(c.url, ",")
	for i, s := range c.servers {
		if s != gone {
			c.url = left[i]
		}
	}
	c.guards(t, a, other)
}

// guards holds the servers to what they let in.
func (c *cluster) guards(t *testing.T, a *authority, worker []byte) {
	t.Helper()
	if j, err := queue.Join(queue.Joining{URL: c.url, Seed: worker, TLS: a.client("")}); err == nil {
		j.Close()
		t.Error("somebody without a certificate came in")
	}
	stranger, _ := seed(t)
	if j, err := queue.Join(queue.Joining{URL: c.url, Seed: stranger, TLS: a.client("runner")}); err == nil {
		j.Close()
		t.Error("somebody without a key came in")
	}
	refusals := make(chan error, 64)
	conn := connect(t, c.url, worker, a.client("runner"), func(err error) { refusals <- err })
	for _, subject := range []string{
		"jobs.http", "jobs.llm", "results.http", "$JS.API.STREAM.CREATE.jobs-llm", "$JS.API.STREAM.DELETE.jobs-llm", "$JS.API.STREAM.UPDATE.jobs-llm",
		"$JS.API.STREAM.PURGE.jobs-llm", "$JS.API.STREAM.MSG.GET.jobs-llm", "$JS.API.CONSUMER.CREATE.jobs-llm.workers",
		"$JS.API.CONSUMER.DELETE.jobs-llm.workers",
		"$JS.API.CONSUMER.MSG.NEXT.jobs-http.workers", "$JS.ACK.jobs-http.workers.1.1.1.1.1", "$JS.API.SERVER.REMOVE", "$JS.API.STREAM.PEER.REMOVE.jobs-llm",
	} {
		t.Run("publish "+subject, func(t *testing.T) {
			if err := errors.Join(conn.Publish(subject, []byte("x")), conn.Flush()); err != nil {
				t.Fatal(err)
			}
			isRefused(t, refusals)
		})
	}
	for _, subject := range []string{">", "jobs.llm", "results.llm", "results.http", "_INBOX.>", "_INBOX_*.>", "$JS.EVENT.>"} {
		t.Run("subscribe "+subject, func(t *testing.T) {
			if _, err := conn.Subscribe(subject, func(*nats.Msg) {}); err != nil {
				t.Fatal(err)
			}
			if err := conn.Flush(); err != nil {
				t.Fatal(err)
			}
			isRefused(t, refusals)
		})
	}
}

func isRefused(t *testing.T, refusals <-chan error) {
	t.Helper()
	select {
	case err := <-refusals:
		if !errors.Is(err, nats.ErrPermissionViolation) {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it was not refused")
	}
}

// connect logs in as a worker does, with the hands free.
func connect(t *testing.T, url string, secret []byte, secure *tls.Config, refused func(error)) *nats.Conn {
	t.Helper()
	pair, err := nkeys.FromSeed(secret)
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect(url, nats.Nkey(public, pair.Sign), nats.Secure(secure), nats.CustomInboxPrefix("_INBOX_"+public),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused(err) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// The server inside speaks TLS to other machines, asks for their certificates where an authority is configured, and lets this process in without.
func TestOwnServerWithTLS(t *testing.T) {
	a := newAuthority(t)
	a.issue("server")
	a.issue("runner")
	dispatcher, _ := seed(t)
	worker, public := seed(t)
	secure := a.client("server")
	secure.ClientCAs, secure.ClientAuth = secure.RootCAs, tls.RequireAndVerifyClientCert
	q, err := queue.Open(t.Context(), queue.Config{
		Capabilities: []string{"http"}, Seed: dispatcher, Dir: t.TempDir(), MaxBytes: 16 << 20, Listen: "127.0.0.1", TLS: secure,
		Workers: []queue.Credential{{Key: public, Capabilities: []string{"http"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Put(t.Context(), "http", "1", []byte("x")); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name string
		join queue.Joining
		in   bool
	}{
		{"certificate and key", queue.Joining{URL: q.Address(), Seed: worker, TLS: a.client("runner")}, true},
		{"no certificate", queue.Joining{URL: q.Address(), Seed: worker, TLS: a.client("")}, false},
		{"no TLS", queue.Joining{URL: q.Address(), Seed: worker}, false},
		{"another authority", queue.Joining{URL: q.Address(), Seed: worker, TLS: newAuthority(t).client("ca")}, false},
		{"dispatcher's key from elsewhere", queue.Joining{URL: q.Address(), Seed: dispatcher, TLS: a.client("")}, false},
		{"this process", queue.Joining{Inside: q.InProcess(), Seed: worker, TLS: a.client("runner")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := queue.Join(c.join)
			if err == nil {
				w.Close()
			}
			if (err == nil) != c.in {
				t.Error(err)
			}
		})
	}
}

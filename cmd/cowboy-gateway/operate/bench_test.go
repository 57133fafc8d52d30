package operate_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-gateway/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/cli"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/daemon"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// role makes the test binary one of the project's commands.
const role = "COWBOY_GATEWAY_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "cowboyd":
		os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr))
	case "cowboy":
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// chainOf starts a node with a trivial actor under a name, and gives its URL, the key of the wallet, and the processor time the node has used.
func chainOf(b *testing.B, dir string) (url string, key *sig.PrivateKey, used func() time.Duration) {
	b.Helper()
	free, err := ports.Reserve(1)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(free.Release)
	url = fmt.Sprintf("http://127.0.0.1:%d", free.First)
	command := func(as string, args ...string) *exec.Cmd {
		c := exec.Command(os.Args[0], args...)
		c.Dir, c.Env = dir, append(os.Environ(), role+"="+as, "COWBOY_RPC_URL="+url)
		return c
	}
	node := command("cowboyd", "--memory", "--rpc-port", fmt.Sprint(free.First), "--block-time", "1s", "--rpc-rate", "0")
	if err := node.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = node.Process.Signal(os.Interrupt)
		_ = node.Wait()
	})
	run := func(args ...string) string {
		out, err := command("cowboy", args...).CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range 1_200 {
		x, err := http.Get(url + "/health/ready")
		if err == nil {
			_ = x.Body.Close()
		}
		if err == nil && x.StatusCode == http.StatusOK {
			break
		}
		<-tick.C
	}
	bench.Open(b, dir, run)
	run("gateway", "register", "--endpoint", "127.0.0.1", "--port", "443", "--wait")
	raw, err := wallet.Load(filepath.Join(dir, ".cowboy", "keys", "local"))
	if err != nil {
		b.Fatal(err)
	}
	if key, err = sig.ParsePrivateKey(raw[:]); err != nil {
		b.Fatal(err)
	}
	return url, key, func() time.Duration {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", node.Process.Pid))
		if err != nil {
			b.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		var ticks time.Duration // of 10 ms
		for _, field := range strings.Fields(rest)[11:13] {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			ticks += time.Duration(n)
		}
		return ticks * 10 * time.Millisecond
	}
}

// BenchmarkQueries is requests for a trivial handler through a gateway beside a node that is another process, and to a bare server with the same certificates,
// turn by turn; the processor time of a request, with its client's and the node's; and the latency with half the requests a second that it then can. "same":
// all requests are alike, so that the node is asked once for each block. "distinct": no two are, so that it is asked for each.
//
// Spec: gateway-payments-streams §B (queries).
func BenchmarkQueries(b *testing.B) {
	const clients = 8
	const name = "trivial.cowboy.network"
	dir := b.TempDir()
	url, key, used := chainOf(b, dir)
	g, err := operate.New(&operate.Setting{
		Options: operate.Options{Dir: dir, HTTPS: "127.0.0.1:0", Kept: 1, Most: 10}, Node: operate.OpenNode(url), Key: key,
		Clock: bench.Hurried{Start: time.Now()}, Log: zerolog.Nop(),
	})
	if err != nil {
		b.Fatal(err)
	}
	address := g.Addresses()[0]
	tree, err := supervision.New(g.Tree, supervision.Config{})
	if err != nil {
		b.Fatal(err)
	}
	tree.Spawn()
	b.Cleanup(func() {
		if err := tree.Stop(context.Background()); err != nil {
			b.Error(err)
		}
		g.Close()
	})
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	all := func(context.Context, string) error { return nil }
	client := func(address string) *http.Client {
		text, err := os.ReadFile(filepath.Join(dir, gateway.AuthorityFile))
		roots := x509.NewCertPool()
		if err != nil || !roots.AppendCertsFromPEM(text) {
			b.Fatal(err)
		}
		transport := &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: name}, MaxIdleConnsPerHost: clients, DialContext: bench.DialTo(address[len("https://"):]),
		}
		b.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	through, straight := client(address), client(operate.Serve(b, bare, all, dir))
	bench.Beside(b, through, straight, "https://"+name+"/", clients, used)
}

// BenchmarkCommands is requests that change something, each beside a transfer that is sent by RPC at the same moment: in which block after the newest the
// transfer is, and in which the request's handler ran. A gateway's transaction leads to a message, which the next block delivers.
//
// Spec: gateway-payments-streams §B (commands).
func BenchmarkCommands(b *testing.B) {
	url, key, _ := chainOf(b, b.TempDir())
	node := operate.NewClient(url, key, tx.Cost{Cycles: 2_000_000, Cells: 200_000})
	handle := gateway.NewHandle()
	door := gateway.NewDoor(gateway.Door{Node: node, Handle: handle, Address: key.Address(), Clock: supervision.RealClock{}})
	tree, err := supervision.New(gateway.Tree(func() *gateway.Sender {
		return &gateway.Sender{Handle: handle, Node: node, Clock: supervision.RealClock{}}
	}), supervision.Config{})
	if err != nil {
		b.Fatal(err)
	}
	tree.Spawn()
	server := httptest.NewServer(door)
	b.Cleanup(func() {
		server.Close()
		if err := tree.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	})
	other := &api.Wallet{Node: operate.OpenNode(url), Key: genesis.DevFaucet()}
	var sums [2]float64
	var most uint64
	b.ResetTimer()
	for range b.N {
		began, err := node.Height(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		var blocks [2]uint64
		var both sync.WaitGroup
		both.Go(func() {
			_, hash, err := other.SendNamed(b.Context(), &tx.Transfer{To: key.Address(), Amount: 1}, 0, tx.Cost{Cycles: 21_000})
			if err != nil {
				b.Error(err)
				return
			}
			r, err := other.Node.Receipt(b.Context(), wire.Hash(hash), operate.IncludedEvery)
			if err != nil {
				b.Error(err)
			}
			blocks[0] = r.BlockHeight
		})
		both.Go(func() {
			q, err := http.NewRequestWithContext(b.Context(), http.MethodPost, server.URL, nil)
			if err != nil {
				b.Error(err)
				return
			}
			q.Host = "trivial.cowboy.network"
			q.Header.Set("Prefer", "wait=30")
			x, err := server.Client().Do(q)
			if err != nil {
				b.Error(err)
				return
			}
			defer x.Body.Close()
			text, err := io.ReadAll(x.Body)
			if err == nil {
				blocks[1], err = strconv.ParseUint(string(text), 10, 64)
			}
			if err != nil {
				b.Errorf("%d %s: %v", x.StatusCode, text, err)
			}
		})
		both.Wait()
		if b.Failed() {
			return
		}
		for i := range blocks {
			sums[i] += float64(blocks[i] - began)
		}
		most = max(most, blocks[1]-min(blocks[1], blocks[0]))
	}
	b.ReportMetric(sums[0]/float64(b.N), "rpc-blocks")
	b.ReportMetric(sums[1]/float64(b.N), "gateway-blocks")
	b.ReportMetric(float64(most), "most-blocks-later")
}

package script

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// victim is an actor that does for anybody what is dear.
const victim = `
import json

class Actor:
    def spin(self):
        while True:
            pass

    def parse(self, payload):
        return len(json.loads(payload.decode()))

    def fail(self):
        raise ValueError("no")

def __route__(handler, payload):
    return getattr(Actor(), handler)
`

// replies counts what a flood was told, by status and code.
type replies struct {
	t       *testing.T
	allowed map[string]bool

	mu  sync.Mutex
	got map[string]int
}

// take sends one request of a flood. Whatever is not a success has to have one of the codes that are allowed.
func (a *replies) take(ctx context.Context, method, url, body string) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		a.t.Error(err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return // the node closed the connection, or the flood is over
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return
	}
	a.count(answer.StatusCode, text)
}

func (a *replies) count(status int, text []byte) {
	kind := fmt.Sprint(status)
	if status != http.StatusOK && status != http.StatusSwitchingProtocols {
		var refusal struct{ Code int }
		_ = json.Unmarshal(text, &refusal) // then it has no code
		kind = fmt.Sprintf("%d/%d", status, refusal.Code)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.got[kind]++; !a.allowed[kind] {
		a.t.Errorf("a flood is answered with %s: %.200s", kind, text)
	}
}

func (a *replies) total() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, of := range a.got {
		n += of
	}
	return n
}

// crowd is refusals for want of room, which any flood may get.
var crowd = []string{"503/4029", "429/4029"}

// flooding is one way in and how it is flooded.
type flooding struct {
	name    string
	once    func(ctx context.Context, a *replies, i int)
	allowed string // what else may be answered
	wants   string // what has to be among it
}

// TestFloods: each way that strangers have into a node is flooded while it makes blocks: it goes on making them, every refusal is typed, no purpose takes more
// memory than its share, and afterwards everybody is served.
//
// Spec: WP §3.2 (resource limits), "Network Layer"; gateway-payments-streams §B; node-rpc-cli §1.
func TestFloods(t *testing.T) {
	t.Parallel()
	first := freePorts(t, 3)
	p, admin := &lone{url: fmt.Sprintf("http://127.0.0.1:%d", first), ended: make(chan error, 1)}, first+1
	program, err := exec.LookPath("cowboyd") // made by TestMain
	if err != nil {
		t.Fatal(err)
	}
	p.Cmd = exec.Command(program, "--data-dir", filepath.Join(t.TempDir(), "data"), "--rpc-port", fmt.Sprint(first), "--admin",
		fmt.Sprintf("127.0.0.1:%d", admin), "--p2p-port", fmt.Sprint(first+2), "--block-time", "20ms", "--rpc-rate", "0",
		"--memory-budget", fmt.Sprint(budget.Least>>20), "--log-level", "error")
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	p.height(t, 3)
	actor, failed := settle(t, p.url)
	for _, f := range floodings(t, p.url, first, actor, failed) {
		t.Run(f.name, func(t *testing.T) {
			a := &replies{t: t, allowed: map[string]bool{}, got: map[string]int{}}
			for _, kind := range append(strings.Fields(f.allowed+" "+f.wants), crowd...) {
				a.allowed[kind] = true
			}
			ctx, cancel := context.WithCancel(t.Context())
			var workers sync.WaitGroup
			for k := range 6 {
				workers.Go(func() {
					for i := k; ctx.Err() == nil; i += 6 {
						f.once(ctx, a, i)
					}
				})
			}
			p.growsAmid(t, admin, a)
			cancel()
			workers.Wait()
			for _, kind := range strings.Fields(f.wants) {
				if a.got[kind] == 0 {
					t.Errorf("nobody is told %s: %v", kind, a.got)
				}
			}
			t.Logf("%v", a.got)
		})
	}
	answer, err := http.Get(p.url + "/stream?kinds=blocks")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("after the floods a stream is answered with %s", answer.Status)
	}
	status := request(t.Context(), "POST", p.url+"/actor/"+actor.String()+"/read_handler", `{"selector":"parse","payload":"5b5d"}`)
	if status != http.StatusOK {
		t.Errorf("after the floods a query is answered with %d", status)
	}
}

// growsAmid waits until a flood was answered often enough and twelve blocks came while it lasted, and holds the memory of every purpose to its share.
func (p *lone) growsAmid(t *testing.T, admin int, a *replies) {
	t.Helper()
	const blocks, enough = 12, 12
	at := p.metrics(t, admin)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for goal, looks := at["cowboy_consensus_height"]+blocks, 0; at["cowboy_consensus_height"] < goal || a.total() < enough; looks++ {
		if looks == 6_000 {
			t.Fatalf("at block %v, want %v; %d answers\n%s", at["cowboy_consensus_height"], goal, a.total(), p.err.String())
		}
		<-tick.C
		at = p.metrics(t, admin)
		for of := range budget.Purposes {
			label := fmt.Sprintf(`{of="%v"}`, of)
			used, share := at["cowboy_memory_used_bytes"+label], at["cowboy_memory_share_bytes"+label]
			if of != budget.Execution && (used > share || share == 0) {
				t.Errorf("%v uses %v bytes, its share is %v", of, used, share)
			}
		}
		if heap := at["go_memstats_heap_inuse_bytes"]; heap > budget.Least {
			t.Fatalf("the heap takes %.0f bytes, the budget is %d", heap, budget.Least)
		}
	}
}

// faucetTx is a transaction of the development faucet.
func faucetTx(nonce uint64, in tx.Instruction) *tx.Tx {
	key := genesis.DevFaucet()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, From: key.Address(), CyclesLimit: 20_000_000, CellsLimit: 200_000, MaxFeePerCycle: 1 << 20, MaxFeePerCell: 1 << 20,
		Instruction: in,
	}
	x.Signature = key.Sign(x.SigningHash())
	return x
}

// settle deploys the victim and has it fail once.
func settle(t *testing.T, url string) (actor account.Address, failed string) {
	t.Helper()
	source, err := pvm.CanonicalSource([]byte(victim))
	if err != nil {
		t.Fatal(err)
	}
	actor = account.DeriveActor(genesis.DevFaucet().Address(), account.Salt{}, account.CodeHash(source))
	for i, in := range []tx.Instruction{&tx.Deploy{Code: source, Salt: make([]byte, 32)}, &tx.Execute{To: actor, Handler: []byte("fail")}} {
		x := faucetTx(uint64(i), in)
		body := `{"tx":"` + hex.EncodeToString(x.Encode()) + `","timeout_ms":10000}`
		if status := request(t.Context(), "POST", url+"/submit_wait", body); status != http.StatusOK {
			t.Fatalf("transaction %d: %d", i, status)
		}
		hash := x.SigningHash()
		failed = hex.EncodeToString(hash[:])
	}
	return actor, failed
}

// floodings are the ways in.
func floodings(t *testing.T, url string, port int, actor account.Address, failed string) []flooding {
	deep := strings.Repeat("[", 240<<10) + strings.Repeat("]", 240<<10)
	holder := genesis.DevFaucet().Address()
	read := url + "/actor/" + actor.String() + "/read_handler"
	hash := genesisHash(t, url)
	return []flooding{
		{"deep JSON", func(ctx context.Context, a *replies, i int) {
			to := []string{url + "/submit", url + "/simulate", url + "/submit_wait", read, url + "/faucet"}[i%5]
			a.take(ctx, "POST", to, []string{`{"tx":` + deep + `}`, deep, strings.Repeat(`{"a":`, 80<<10)}[i%3])
		}, "", "400/4000"},
		{"deep JSON in an actor", func(ctx context.Context, a *replies, i int) {
			payload := hex.EncodeToString([]byte(strings.Repeat("[", 20<<10+i%7) + strings.Repeat("]", 20<<10+i%7)))
			a.take(ctx, "POST", read, `{"selector":"parse","payload":"`+payload+`"}`)
		}, "", "500/1205"},
		{"sources that are dear to compile", func(ctx context.Context, a *replies, i int) {
			source := fmt.Sprintf("y=%d\nif y<0:\n", i) + strings.Repeat(" x=1\n", 20<<10) + "def f():\n return 1\n"
			x := faucetTx(2, &tx.Deploy{Code: []byte(source), Salt: make([]byte, 32)})
			a.take(ctx, "POST", url+"/simulate", `{"tx":"`+hex.EncodeToString(x.Encode())+`"}`)
		}, "422/1201", "200"},
		{"queries without an end", func(ctx context.Context, a *replies, i int) {
			height := ""
			if i%2 == 1 {
				height = fmt.Sprintf(`,"block_height":%d`, 2+i%3)
			}
			a.take(ctx, "POST", read, `{"selector":"spin","max_cycles":20000000`+height+`}`)
		}, "404/1220", "422/1201"},
		{"proofs", func(ctx context.Context, a *replies, i int) {
			absent := account.Address{byte(i >> 8), byte(i), 0xee}
			a.take(ctx, "GET", url+[]string{
				"/proof/account/" + holder.String(), fmt.Sprintf("/proof/storage/%v/%08x", absent, i), "/proof/tx/" + failed, "/proof/receipt/" + failed,
				"/light/final/1", "/light/trust/2", fmt.Sprintf("/state/at/%d/%v/%08x?prove=1", 1+i%5, actor, i),
			}[i%7], "")
		}, "404/4004", "200"},
		{"explanations and traces", func(ctx context.Context, a *replies, i int) {
			a.take(ctx, "GET", url+[]string{"/explain/", "/trace/", "/explorer/tx/"}[i%3]+failed, "")
		}, "422/1201", "200"},
		{"streams that nobody reads", func(ctx context.Context, a *replies, i int) { unread(ctx, a, port, i) }, "", "101 200"},
		{"handshakes of strangers", func(ctx context.Context, a *replies, i int) { handshake(ctx, a, port+2, hash, i) }, "", "200"},
	}
}

// unread opens a stream from the first block on, reads the head of its answer, and no more. It keeps a few open and then begins again.
func unread(ctx context.Context, a *replies, port, i int) {
	var open []net.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	d := net.Dialer{Timeout: time.Second}
	for range 16 {
		c, err := d.DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return
		}
		open = append(open, c)
		ask := "GET /stream?cursor=0 HTTP/1.1\r\nHost: node\r\n\r\n"
		if i%2 == 1 {
			ask = "GET /ws?cursor=0 HTTP/1.1\r\nHost: node\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
				"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
		}
		head := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.WriteString(c, ask); err != nil {
			return
		}
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		defer stop()
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		switch status := string(head[len("HTTP/1.1 "):]); status {
		case "200":
			a.count(http.StatusOK, nil)
		case "101":
			a.count(http.StatusSwitchingProtocols, nil)
		default:
			a.count(http.StatusTooManyRequests, []byte(`{"code":4029}`))
		}
	}
}

// handshake connects to a node's port for peers under a new key, of its network or of another one, and leaves again. What comes of it is no answer of HTTP:
// it counts as one.
func handshake(ctx context.Context, a *replies, port int, hash [32]byte, i int) {
	secret := [32]byte{byte(i), byte(i >> 8), byte(i >> 16), 77}
	key, err := transport.KeyFromSeed(secret[:])
	if err != nil {
		a.t.Error(err)
		return
	}
	if i%3 == 0 {
		hash[0] ^= 1
	}
	q := quiet{make(chan struct{}, 1), make(chan struct{}, 1)}
	link, err := transport.Listen(transport.Config{
		Key: key, Network: "cowboy-1", Genesis: hash, Agent: "stranger", Instance: uint64(i) + 1, Address: netip.MustParseAddrPort("127.0.0.1:0"), Closed: true,
	}, failing{q})
	if err != nil {
		return
	}
	defer link.Close()
	link.Dial(transport.Target{Address: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port))})
	select {
	case <-q.up:
		a.count(http.StatusOK, nil)
	case <-q.down:
		a.count(http.StatusOK, nil)
	case <-ctx.Done():
	}
}

// failing is quiet, and hears of dials that fail as of connections that end.
type failing struct{ quiet }

func (f failing) Failed(transport.Target, error) { f.Down(transport.Peer{}, nil) }

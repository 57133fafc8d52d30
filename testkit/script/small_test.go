package script

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// metrics reads numbers from the operator's port by their names, labels included.
func (p *lone) metrics(t *testing.T, admin int) map[string]float64 {
	t.Helper()
	answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", admin))
	if err != nil {
		t.Fatalf("the operator's port: %v\n%s", err, p.err.String())
	}
	defer answer.Body.Close()
	all := map[string]float64{}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if n, err := strconv.ParseFloat(value, 64); ok && err == nil {
			all[name] = n
		}
	}
	return all
}

// quiet is the host of a stranger: it hears nothing.
type quiet struct{ up, down chan struct{} }

func (q quiet) Up(transport.Peer) {
	select {
	case q.up <- struct{}{}:
	default:
	}
}
func (q quiet) Down(transport.Peer, error) {
	select {
	case q.down <- struct{}{}:
	default:
	}
}
func (quiet) Failed(transport.Target, error)  {}
func (quiet) Refused(netip.AddrPort, error)   {}
func (quiet) Receive(f *transport.Frame) bool { return false }

// stranger floods a node's port with frames of every channel until ctx ends. It connects anew, under another key, whenever it is sent away.
func stranger(ctx context.Context, at netip.AddrPort, genesisHash [32]byte, seed string, channel transport.Channel, frame []byte) {
	for i := 0; ctx.Err() == nil; i++ {
		secret := digest.Keccak256([]byte(fmt.Sprint(seed, i)))
		key, err := transport.KeyFromSeed(secret[:])
		if err != nil {
			return
		}
		q := quiet{make(chan struct{}, 1), make(chan struct{}, 1)}
		link, err := transport.Listen(transport.Config{
			Key: key, Network: "cowboy-1", Genesis: genesisHash, Agent: "stranger", Instance: uint64(i) + 1, Address: netip.MustParseAddrPort("127.0.0.1:0"),
			Closed: true,
		}, q)
		if err != nil {
			return
		}
		link.Dial(transport.Target{Address: at})
		flood(ctx, link, q, channel, frame)
		_ = link.Close()
	}
}

// flood sends until the connection ends.
func flood(ctx context.Context, t *transport.Transport, q quiet, channel transport.Channel, frame []byte) {
	within, cancel := context.WithTimeout(ctx, 2*time.Second) // a dial that is refused is told to Failed
	defer cancel()
	select {
	case <-q.up:
	case <-within.Done():
		return
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.down:
			return
		case <-tick.C:
		}
		for _, p := range t.Peers() {
			t.Send(p.ID, channel, frame)
		}
	}
}

// hostileFrames are large frames that decode, one for each channel: a proposal of nobody, transactions without funds, blocks nobody asked for, an answer to no
// question.
func hostileFrames(t *testing.T) map[transport.Channel][]byte {
	t.Helper()
	key := genesis.DevFaucet()
	var txs []*tx.Tx
	var flood [][]byte
	for i := range 600 {
		x := &tx.Tx{ChainID: 1, Nonce: uint64(1_000_000 + i), From: key.Address(), CyclesLimit: 50_000, CellsLimit: 1_000, MaxFeePerCycle: 1 << 30,
			MaxFeePerCell: 1 << 30,
			Instruction:   &tx.Execute{To: account.Address{1}, Handler: []byte("h"), Payload: bytes.Repeat([]byte{byte(i)}, 1_200)}}
		x.Signature = key.Sign(x.SigningHash())
		txs, flood = append(txs, x), append(flood, x.Encode())
	}
	b := &block.Block{Header: block.Header{ChainID: 1, Height: 1 << 40}, Txs: txs}
	raw := b.Encode()
	propose := replica.EncodePeerMessage(&replica.Agreement{Epoch: 0, Message: &simplex.Propose{Vote: simplex.Vote{Kind: sig.Notarization}, Block: raw}})
	return map[transport.Channel][]byte{
		transport.Channel(link.Consensus) + 1: propose, transport.Channel(link.Blocks) + 1: replica.EncodePeerMessage(&replica.BlockResponse{Block: raw}),
		transport.Channel(link.Sync) + 1: append([]byte{1}, bytes.Repeat([]byte{0}, 6<<20)...), transport.Channel(link.Transactions) + 1: floodFrame(flood),
	}
}

// TestSmallNode: a node with the least memory there is, flooded with transactions, proposals and blocks of strangers, handshakes, bodies that do not end
// and bodies of great depth, proofs, sources that are dear to compile, large answers that nobody takes and streams that nobody reads, makes blocks all the
// while, and its heap stays below its budget.
func TestSmallNode(t *testing.T) {
	t.Parallel()
	const mebibytes = budget.Least >> 20
	first := freePorts(t, 3)
	admin, p2p := first+1, first+2
	program, err := exec.LookPath("cowboyd") // made by TestMain
	if err != nil {
		t.Fatal(err)
	}
	p := &lone{url: fmt.Sprintf("http://127.0.0.1:%d", first), ended: make(chan error, 1)}
	p.Cmd = exec.Command(program, "--data-dir", filepath.Join(t.TempDir(), "data"), "--rpc-port", fmt.Sprint(first), "--admin",
		fmt.Sprintf("127.0.0.1:%d", admin),
		"--p2p-port", fmt.Sprint(p2p), "--block-time", "100ms", "--rpc-rate", "0", "--memory-budget", fmt.Sprint(mebibytes), "--log-level", "error")
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	p.height(t, 3)

	ctx, cancel := context.WithCancel(context.Background())
	var floods sync.WaitGroup
	defer floods.Wait()
	defer cancel()
	hash := genesisHash(t, p.url)
	frames := hostileFrames(t)
	for channel, frame := range frames { // what ends one flood leaves the others
		for i := range 3 {
			floods.Go(func() {
				at := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(p2p))
				stranger(ctx, at, hash, fmt.Sprint(channel, i), channel, frame)
			})
		}
	}
	floods.Go(func() { compilers(ctx, t, p.url) })
	for range 4 {
		floods.Go(func() { bodies(ctx, p.url) })
		floods.Go(func() { proofs(ctx, p.url) })
		floods.Go(func() { idleReaders(ctx, fmt.Sprintf("127.0.0.1:%d", first)) })
	}

	at := p.metrics(t, admin)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var highest float64
	for goal, looks := at["cowboy_consensus_height"]+60, 0; at["cowboy_consensus_height"] < goal; looks++ {
		if looks == 4_000 {
			t.Fatalf("blocks do not come: at %v, want %v\n%s", at["cowboy_consensus_height"], goal, p.err.String())
		}
		<-tick.C
		at = p.metrics(t, admin)
		highest = max(highest, at["go_memstats_heap_inuse_bytes"])
		for of := range budget.Purposes {
			label := fmt.Sprintf(`{of="%v"}`, of)
			used, share := at["cowboy_memory_used_bytes"+label], at["cowboy_memory_share_bytes"+label]
			if of != budget.Execution && used > share {
				t.Errorf("%v uses %v bytes, its share is %v", of, used, share)
			}
		}
	}
	if highest > budget.Least {
		t.Errorf("the heap took %.0f MiB, the budget is %d", highest/(1<<20), mebibytes)
	}
	if at[`cowboy_p2p_frames_shed_total{chID="blocks",direction="in"}`]+at[`cowboy_p2p_message_receive_bytes_total{chID="blocks"}`] == 0 {
		t.Error("the strangers were not heard at all: nothing was tried")
	}
	if at["cowboy_consensus_total_txs"] < 6 {
		t.Errorf("%v transactions were mined: nothing dear was compiled", at["cowboy_consensus_total_txs"])
	}
	t.Logf("%v transactions; heap in use at most %.0f MiB", at["cowboy_consensus_total_txs"], highest/(1<<20))
	for name, n := range at {
		if strings.HasPrefix(name, "cowboy_p2p_") && n > 0 {
			t.Logf("%s %.0f", name, n)
		}
	}
}

// floodFrame is a frame of transactions as lanes tells them: Vec of Bytes.
func floodFrame(raw [][]byte) []byte {
	var out []byte
	u32 := func(n int) { out = append(out, byte(n>>24), byte(n>>16), byte(n>>8), byte(n)) }
	u32(len(raw))
	for _, x := range raw {
		u32(len(x))
		out = append(out, x...)
	}
	return out
}

// genesisHash asks for the hash of block 0.
func genesisHash(t *testing.T, url string) (hash [32]byte) {
	t.Helper()
	answer, err := http.Get(url + "/block/height/0")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var b struct {
		Hash string `json:"hash"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&b); err != nil {
		t.Fatal(err)
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(b.Hash, "0x"))
	if err != nil || copy(hash[:], raw) != 32 {
		t.Fatalf("the hash of block 0 is %q: %v", b.Hash, err)
	}
	return hash
}

// bodies sends submissions of the largest size and of the greatest depth without end.
func bodies(ctx context.Context, url string) {
	large := `{"txs":["` + strings.Repeat("00", 120<<10) + `","` + strings.Repeat("01", 120<<10) + `"]}`
	deep := `{"tx":` + strings.Repeat("[", 240<<10) + strings.Repeat("]", 240<<10) + `}`
	for i := 0; ctx.Err() == nil; i++ {
		request(ctx, "POST", url+"/submit", []string{large, deep}[i%2])
	}
}

// request sends a request and reads the answer, whatever it is.
func request(ctx context.Context, method, url, body string) (status int) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	return answer.StatusCode
}

// proofs asks for proofs of presence and of absence, and for pages, without end.
func proofs(ctx context.Context, url string) {
	holder := genesis.DevFaucet().Address()
	for i := 0; ctx.Err() == nil; i++ {
		absent := account.Address{byte(i >> 8), byte(i), 0xee}
		request(ctx, "GET", url+"/proof/account/"+holder.String(), "")
		request(ctx, "GET", url+"/proof/storage/"+absent.String()+fmt.Sprintf("/%08x", i), "")
		request(ctx, "GET", url+"/account/"+holder.String()+"/transactions?limit=1000", "")
	}
}

// compilers deploys sources that are dear to compile and calls them in turn.
func compilers(ctx context.Context, t *testing.T, url string) {
	key := genesis.DevFaucet()
	nonce := uint64(0)
	submit := func(in tx.Instruction, cycles, cells uint64) bool {
		x := &tx.Tx{ChainID: 1, Nonce: nonce, From: key.Address(), CyclesLimit: unit.Cycles(cycles), CellsLimit: unit.Cells(cells), MaxFeePerCycle: 1 << 20,
			MaxFeePerCell: 1 << 20, Instruction: in}
		x.Signature = key.Sign(x.SigningHash())
		taken := request(ctx, "POST", url+"/submit", `{"tx":"`+hex.EncodeToString(x.Encode())+`"}`) == http.StatusOK
		if taken {
			nonce++
		}
		return taken
	}
	var actors []account.Address
	for i := range 6 {
		source, err := pvm.CanonicalSource([]byte(fmt.Sprintf("y=%d\nif y<0:\n", i) + strings.Repeat(" x=1\n", 20<<10) + "def f():\n return 1\n"))
		if err != nil {
			t.Error(err)
			return
		}
		for !submit(&tx.Deploy{Code: source, Salt: []byte{byte(i)}}, 20_000_000, 200_000) {
			if ctx.Err() != nil {
				return
			}
		}
		actors = append(actors, account.DeriveActor(key.Address(), account.Salt{byte(i)}, account.CodeHash(source)))
	}
	for i := 0; ctx.Err() == nil; i++ {
		submit(&tx.Execute{To: actors[i%len(actors)], Handler: []byte("f")}, 100_000, 10_000)
	}
}

// idleReaders opens connections that send half a body, or ask for much and read nothing, and keeps them.
func idleReaders(ctx context.Context, at string) {
	var open []net.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	asks := []string{
		"GET /blocks?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /api-docs/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n" + strings.Repeat("[", 400_000),
	}
	d := net.Dialer{Timeout: time.Second}
	for i := 0; i < 200 && ctx.Err() == nil; i++ {
		c, err := d.DialContext(ctx, "tcp", at)
		if err != nil {
			continue
		}
		open = append(open, c)
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = io.WriteString(c, asks[i%len(asks)])
	}
	<-ctx.Done()
}

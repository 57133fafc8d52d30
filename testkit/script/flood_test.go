package script

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// from is a client whose connections come from one loopback address.
func from(address string) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: time.Second}
	return &http.Client{Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}, Timeout: 2 * time.Second}
}

// made reads from the operator's port how many blocks the node made.
func (p *lone) made(t *testing.T, admin int) uint64 {
	t.Helper()
	answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", admin))
	if err != nil {
		t.Fatalf("the operator's port: %v\n%s", err, p.err.String())
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "cowboy_consensus_height "); ok {
			height, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return uint64(height)
		}
	}
	t.Fatal("the metrics name no height")
	return 0
}

// TestFlood: strangers open more connections than the node has descriptors, from one address and then from many, and keep them open. Blocks keep coming, a
// subsystem of the core can be restarted, which opens files, and the operator's port answers. A single address leaves room for others; when the flood ends
// everybody is served again.
func TestFlood(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell to limit the descriptors of a process")
	}
	const descriptors = 128
	first := freePorts(t, 2)
	admin := first + 1
	program, err := exec.LookPath("cowboyd") // made by TestMain
	if err != nil {
		t.Fatal(err)
	}
	p := &lone{url: fmt.Sprintf("http://127.0.0.1:%d", first), ended: make(chan error, 1)}
	p.Cmd = exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, descriptors), program, "--data-dir", filepath.Join(t.TempDir(), "data"),
		"--rpc-port", fmt.Sprint(first), "--admin", fmt.Sprintf("127.0.0.1:%d", admin), "--block-time", "20ms", "--rpc-rate", "0")
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	p.height(t, 3)

	var flood []net.Conn
	open := func(address string, count int) {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 200 * time.Millisecond}
		for range count {
			if c, err := d.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", first)); err == nil {
				flood = append(flood, c)
			}
		}
	}
	grow := func(when string) {
		t.Helper()
		before := p.made(t, admin)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for range 1_500 {
			if p.made(t, admin) >= before+20 {
				return
			}
			<-tick.C
		}
		t.Fatalf("%s no blocks come\n%s", when, p.err.String())
	}

	open("127.0.0.2", 2*descriptors)
	grow("while one address floods")
	answer, err := from("127.0.0.3").Post(p.url+"/dev/panic", "application/json", strings.NewReader(`{"subsystem":"core/replica"}`))
	if err != nil {
		t.Fatalf("another address is not served: %v\n%s", err, p.err.String())
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the replica was not restarted: %s", answer.Status)
	}
	grow("after the restart of the replica")

	for i := range 40 {
		open(fmt.Sprintf("127.0.1.%d", 1+i), 8)
	}
	grow("while many addresses flood")
	for _, c := range flood {
		_ = c.Close()
	}
	p.height(t, p.made(t, admin))
	select {
	case err := <-p.ended:
		t.Fatalf("the node ended: %v\n%s", err, p.err.String())
	default:
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-p.ended; err != nil {
		t.Errorf("an orderly end: %v\n%s", err, p.err.String())
	}
}

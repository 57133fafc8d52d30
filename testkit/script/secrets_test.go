package script

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// storySecret is what must be nowhere but at the server.
const storySecret = "sk-story-5f0e9bd7Qz31TTxK"

const keyed = `from cowboy_sdk import Storage, actor, public, runner


@actor
class Keyed:
    storage: Storage

    @public
    @runner.continuation(timeout_blocks=300)
    async def read(self, payload):
        self.storage["said"] = "nothing yet"
        page = await runner.http(payload.decode() + "?k=${API_KEY}", headers={"Authorization": "Bearer ${API_KEY}"}, secrets=["API_KEY"])
        self.storage["said"] = str(page)

    @public
    def said(self, payload):
        return self.storage["said"].encode()
`

// echoing is a server over TLS that gives back what it got, in several forms. It counts those who knew the secret.
func echoing(t *testing.T) (*httptest.Server, *atomic.Int64) {
	knew := new(atomic.Int64)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if got == storySecret && r.URL.Query().Get("k") == storySecret {
			knew.Add(1)
		}
		w.Header().Set("X-Echo", got)
		_, _ = fmt.Fprintf(w, "%s hello %s %s %x", r.URL.Path, got, base64.StdEncoding.EncodeToString([]byte("user:"+got)), got)
	}))
	t.Cleanup(s.Close)
	root := filepath.Join(t.TempDir(), "root.pem")
	if err := os.WriteFile(root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", root)
	return s, knew
}

// forms are the ways in which the secret is searched for.
func forms() [][]byte {
	raw := []byte(storySecret)
	list := [][]byte{raw, []byte(hex.EncodeToString(raw)), []byte(strings.ToUpper(hex.EncodeToString(raw)))}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, shift), raw...))
		list = append(list, []byte(text[4:len(text)-4]))
	}
	return list
}

// listen captures what goes over the loopback, and counts the packets that have the secret in them; ok is false for who may not.
func listen(t *testing.T) (leaked, packets *atomic.Int64, ok bool) {
	leaked, packets = new(atomic.Int64), new(atomic.Int64)
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		return leaked, packets, false
	}
	const all = unix.ETH_P_ALL<<8&0xff00 | unix.ETH_P_ALL>>8
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, all)
	if err != nil {
		return leaked, packets, false
	}
	file := os.NewFile(uintptr(fd), "lo")
	if err := unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: lo.Index}); err != nil {
		_ = file.Close()
		return leaked, packets, false
	}
	_ = unix.SetNonblock(fd, false)
	_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	stop, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-ended; _ = file.Close() })
	go func() {
		defer close(ended)
		buffer, forms := make([]byte, 128<<10), forms()
		for {
			select {
			case <-stop:
				return
			default:
			}
			n, _, err := unix.Recvfrom(fd, buffer, 0)
			if err != nil {
				continue
			}
			packets.Add(1)
			for _, form := range forms {
				if bytes.Contains(buffer[:n], form) {
					leaked.Add(1)
				}
			}
		}
	}()
	return leaked, packets, true
}

// searched fails where a file below a directory has the secret in it, and gives how many there are.
func searched(t *testing.T, dir string) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // it went meanwhile, or is a socket
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		files++
		for _, form := range forms() {
			if bytes.Contains(text, form) {
				t.Errorf("%s has the secret in it", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// receipts counts the proxies that have posted a receipt.
func (m *market) receipts() (n int) {
	m.t.Helper()
	var all wire.Proxies
	if !m.read("/proxies", &all) {
		return 0
	}
	for _, p := range all.Proxies {
		var page struct {
			Transactions []json.RawMessage `json:"transactions"`
		}
		if !m.read("/account/"+p.Operator+"/transactions?limit=100", &page) {
			continue
		}
		for _, one := range page.Transactions {
			if bytes.Contains(one, []byte("SubmitReleaseReceipt")) {
				n++
				break
			}
		}
	}
	return n
}

// TestSecrets: five proxies make a key, of which one is a program of its own; an actor's job uses a secret at a server over TLS, which gives it back in the
// address, a header and the body; that proxy is killed, and another job gets the secret from the four that are left, its payload from relays. It is in no file
// of the node, of the proxies, runners and relays, in no log, and in no packet on the loopback.
//
// Spec: secrets-cbss §4, §5, §10.
func TestSecrets(t *testing.T) {
	server, knew := echoing(t)
	leaked, packets, captured := listen(t)
	port, udp := freePorts(t, 1), freePorts(t, 1)
	m := &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	var log, fifth bytes.Buffer
	node := m.start(&log, fmt.Sprintf("cowboyd --rpc-port %d --data-dir data --block-time 100ms --rpc-rate 0 --mining interval --log-level debug "+
		"--proxies 4 --proxy-port 0 --runners 5 --runner-port 0 --relays 4", port))
	t.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
		if t.Failed() {
			t.Log(log.String(), fifth.String())
		}
	})
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	m.run("cowboy init local")
	m.run("cowboy account faucet")
	m.run("cowboy dev balance " + strings.TrimSpace(m.run("cowboy wallet address")) + " 10000")

	out := m.run(fmt.Sprintf("cowboy-proxy init --data-dir proxy --rpc-url %s --chain-id 1 --listen 127.0.0.1:%d", m.url, udp))
	operator := regexp.MustCompile(`operator (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
	m.run("cowboy dev balance " + operator + " 10100")
	own := m.start(&fifth, "cowboy-proxy start --data-dir proxy")
	t.Cleanup(func() { _ = own.Process.Kill(); _ = own.Wait() })
	m.until("five proxies serve", func() bool { return strings.Count(m.run("cowboy proxy status"), "  serves\n") == 5 })
	if said := m.run("cowboy-proxy doctor --data-dir proxy"); strings.Contains(said, "BAD") || strings.Count(said, "ok ") != 5 {
		t.Errorf("the doctor says\n%s", said)
	}

	m.run("cowboy secrets key --wait")
	m.until("the key is made", func() bool { return strings.Contains(m.run("cowboy proxy reshare-status"), "Epoch 1: 4 of 5 proxies") })
	m.until("the proxy holds its share", func() bool { return strings.Contains(m.run("cowboy-proxy status --data-dir proxy"), `"shares":1`) })
	value := filepath.Join(t.TempDir(), "value")
	if err := os.WriteFile(value, []byte(storySecret), 0o600); err != nil {
		t.Fatal(err)
	}
	m.run("cowboy secrets set API_KEY --value-file " + value + " --wait")
	m.until("relays are active", func() bool { return strings.Contains(m.run("cowboy relay list"), "\n4 active.") })
	m.run("cowboy volume create --name vault --data 2 --parity 2 --coins 1100 --wait")
	m.write("keyed.py", keyed)
	out = m.run("cowboy actor deploy --code keyed.py --salt 0x01 --wait")
	actor := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
	m.run("cowboy fund-actor --actor " + actor + " --amount 100 --wait")
	reads := func(path string, times int64) {
		m.run("cowboy actor execute --actor " + actor + " --handler read --payload-text " + server.URL + path + " --wait")
		m.until("the actor has the answer", func() bool {
			said := m.run("cowboy actor query --actor " + actor + " --handler said --payload-text x")
			return knew.Load() >= times && strings.Contains(said, path+" hello [redacted]")
		})
	}
	reads("/first", 1)

	if err := own.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = own.Wait()
	m.run("cowboy secrets set API_KEY --value-file " + value + " --volume vault --wait") // the second version lies on relays
	again := knew.Load()
	reads("/second", again+1)
	m.until("all proxies have posted receipts", func() bool { return m.receipts() >= 4 })
	_ = node.Process.Kill()
	_ = node.Wait()

	if files := searched(t, m.dir); files < 20 {
		t.Errorf("%d files were searched", files)
	}
	for _, form := range forms() {
		if bytes.Contains(log.Bytes(), form) || bytes.Contains(fifth.Bytes(), form) {
			t.Error("a log has the secret in it")
		}
	}
	if captured && (leaked.Load() > 0 || packets.Load() < 100) {
		t.Errorf("of %d packets %d have the secret in them", packets.Load(), leaked.Load())
	}
	if !captured {
		t.Log("packets are captured by root alone")
	}
}

// TestProxyPage: the commands that the page of proxies has are those of TestSecrets.
func TestProxyPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/running-a-proxy.md")
	if err != nil {
		t.Fatal(err)
	}
	story, err := os.ReadFile("secrets_test.go")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "    cowboy") {
			continue
		}
		commands++
		command := strings.TrimSpace(line)
		for _, varies := range []string{"http://", "OPERATOR", "FILE"} { // what stands behind differs
			command, _, _ = strings.Cut(command, varies)
		}
		if !strings.Contains(string(story), `"`+command) {
			t.Errorf("TestSecrets has no %q", command)
		}
	}
	if commands != 7 {
		t.Errorf("the page has %d commands, want 7", commands)
	}
}

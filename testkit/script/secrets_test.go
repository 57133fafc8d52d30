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
	"os/exec"
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

// echoing is a server over TLS that gives back what it got, in several forms. It counts those who knew the secret; root is the file with its certificate.
func echoing(t *testing.T) (s *httptest.Server, root string, knew *atomic.Int64) {
	knew = new(atomic.Int64)
	s = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if got == storySecret && r.URL.Query().Get("k") == storySecret {
			knew.Add(1)
		}
		w.Header().Set("X-Echo", got)
		_, _ = fmt.Fprintf(w, "%s hello %s %s %x", r.URL.Path, got, base64.StdEncoding.EncodeToString([]byte("user:"+got)), got)
	}))
	t.Cleanup(s.Close)
	root = filepath.Join(t.TempDir(), "root.pem")
	if err := os.WriteFile(root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return s, root, knew
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

// vault is a network with five runners, six relays and five proxies, of which a runner, a proxy and all relays are programs of their own.
type vault struct {
	*shelves
	proxy  *exec.Cmd
	wallet string
}

func newVault(t *testing.T, root string) *vault {
	t.Helper()
	v := &vault{shelves: shelvesIn(t, []string{"SSL_CERT_FILE=" + root}, 6, "--log-level debug", "--proxies 4 --proxy-port 0", "--runners 4 --runner-port 0")}
	v.wallet = strings.TrimSpace(v.run("cowboy wallet address"))
	v.run("cowboy dev balance " + v.wallet + " 100000")
	udp := freePorts(t, 1)
	out := v.run(fmt.Sprintf("cowboy-proxy init --data-dir proxy --rpc-url %s --chain-id 1 --listen 127.0.0.1:%d", v.url, udp))
	v.run("cowboy dev balance " + regexp.MustCompile(`operator (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1] + " 10100")
	v.proxy = v.begin("cowboy-proxy start --data-dir proxy")
	v.until("five proxies serve", func() bool { return strings.Count(v.run("cowboy proxy status"), "  serves\n") == 5 })
	if said := v.run("cowboy-proxy doctor --data-dir proxy"); strings.Contains(said, "BAD") || strings.Count(said, "ok ") != 5 {
		t.Errorf("the doctor says\n%s", said)
	}
	v.run("cowboy secrets key --wait")
	v.until("the key is made", func() bool { return strings.Contains(v.run("cowboy proxy reshare-status"), "Epoch 1: 4 of 5 proxies") })
	v.until("the proxy holds its share", func() bool { return strings.Contains(v.run("cowboy-proxy status --data-dir proxy"), `"shares":1`) })
	return v
}

// private makes a private volume whose key is a secret, and gives that secret's name.
func (v *vault) private(name string) string {
	v.t.Helper()
	out := v.run("cowboy volume key " + name)
	wrapped := regexp.MustCompile(`--wrapped-dek ([0-9a-f]+)`).FindStringSubmatch(out)[1]
	v.run("cowboy volume create --private true --name " + name + " --wrapped-dek " + wrapped + " --cbss-epoch 1 --data 2 --parity 2 --coins 1100 --wait")
	set := regexp.MustCompile(`cowboy secrets set (CBFS_DEK_[0-9A-F]{64}) --value-file \S+`).FindStringSubmatch(out)
	v.run(set[0] + " --wait")
	return set[1]
}

// letter locks a text until a round that many behind the newest, and gives how it is unlocked.
func (v *vault) letter(text string, rounds uint64) string {
	v.t.Helper()
	var newest wire.Block
	if !v.read("/block/latest", &newest) {
		v.t.Fatal("the node does not tell of a block")
	}
	v.write("letter", text)
	at := fmt.Sprintf("%d/%d", newest.Epoch, newest.View+rounds)
	v.run("cowboy secrets lock LETTER --round " + at + " --value-file letter --wait")
	return "cowboy secrets unlock LETTER --round " + at
}

// TestSecrets is the story of secrets and volumes. Five proxies make a key. An actor's job uses a secret at a server over TLS, which gives it back in the
// address, a header and the body; a job mounts a private volume, whose key is a secret as well, and writes a file there. Two of the relays that hold the
// volume and a proxy are killed. Another job gets the secret from the four that are left, its payload from relays; the file is read back; the relays that are
// left make the lost shards anew and prove that they have them; and the four open a time lock. The secret and the private file are in no file of the node,
// the proxies, the runners and the relays, in no log, and in no packet on the loopback.
//
// Spec: secrets-cbss §4, §5, §10, §11; storage-cbfs §2.5, §3, §4, §6.
func TestSecrets(t *testing.T) {
	t.Parallel()
	mountable(t)
	server, root, knew := echoing(t)
	leaked, packets, captured := listen(t)
	v := newVault(t, root)
	value := filepath.Join(t.TempDir(), "value")
	if err := os.WriteFile(value, []byte(storySecret), 0o600); err != nil {
		t.Fatal(err)
	}
	v.run("cowboy secrets set API_KEY --value-file " + value + " --wait")
	v.write("keyed.py", keyed)
	out := v.run("cowboy actor deploy --code keyed.py --salt 0x01 --wait")
	actor := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
	v.run("cowboy fund-actor --actor " + actor + " --amount 100 --wait")
	reads := func(path string, times int64) {
		v.run("cowboy actor execute --actor " + actor + " --handler read --payload-text " + server.URL + path + " --wait")
		v.until("the actor has the answer", func() bool {
			said := v.run("cowboy actor query --actor " + actor + " --handler said --payload-text x")
			return knew.Load() >= times && strings.Contains(said, path+" hello [redacted]")
		})
	}
	reads("/first", 1)

	key := v.private("docs")
	v.opened()
	in := filepath.Join(t.TempDir(), "in.txt")
	if err := os.WriteFile(in, []byte(strings.Repeat("what only one may read; ", 2_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	v.run("cowboy volume put docs " + in + " work/in.txt")
	runner, program := v.mounter()
	v.shouts(runner, program, "docs", key)
	v.confirmed("docs")
	v.run("cowboy volume create --name ours --data 2 --parity 2 --coins 1100 --wait")
	unlock := v.letter("what all may read then", 600)

	v.run("cowboy secrets set API_KEY --value-file " + value + " --volume ours --wait") // the second version lies on relays
	v.confirmed("ours")
	lost := v.loses("docs", 0, 3)
	v.kill(v.proxy)
	reads("/second", knew.Load()+1)
	v.until("all proxies have posted receipts", func() bool { return v.receipts() >= 4 })
	shouted := strings.Repeat("WHAT ONLY ONE MAY READ; ", 2_000)
	v.gives("docs work/out.txt", shouted)
	v.repaired("docs", lost, 0, 3)
	v.gives("docs work/out.txt", shouted)
	if err := os.Remove(filepath.Join(v.dir, "back")); err != nil {
		t.Fatal(err)
	}
	v.until("the letter is open", func() bool {
		return v.unlocked(unlock) == "what all may read then"
	})
	for _, p := range v.up {
		v.kill(p.Cmd)
	}

	if files := searched(t, v.dir); files < 20 {
		t.Errorf("%d files were searched", files)
	}
	if v.has("only one may read") != 0 || v.has("ONLY ONE MAY READ") != 0 {
		t.Error("what is private lies open at a relay")
	}
	for _, p := range v.up {
		for _, form := range forms() {
			if bytes.Contains(p.log.Bytes(), form) {
				t.Error("a log has the secret in it:", p.Args)
			}
		}
	}
	if captured && (leaked.Load() > 0 || packets.Load() < 100) {
		t.Errorf("of %d packets %d have the secret in them", packets.Load(), leaked.Load())
	}
	if !captured {
		t.Log("packets are captured by root alone")
	}
}

// unlocked is what a command prints that reads a time lock; "" while it is locked.
func (v *vault) unlocked(line string) string {
	fields := strings.Fields(line)
	c := exec.Command(fields[0], fields[1:]...)
	c.Dir, c.Env = v.dir, append(os.Environ(), "COWBOY_RPC_URL="+v.url)
	out, err := c.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// TestProxyPage: the commands that the page of proxies has are those of TestSecrets.
func TestProxyPage(t *testing.T) {
	t.Parallel()
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

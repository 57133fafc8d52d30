package script

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
)

// storySecret is what must be nowhere but at the server.
const storySecret = "sk-story-5f0e9bd7Qz31TTxK"

const clerk = `import pvm_host
from cowboy_sdk import Storage, actor, codec, public

VOLUMES = bytes(19) + b"\x0a"


@actor
class Clerk:
    storage: Storage

    @public
    def keep(self, payload):
        pvm_host.call(VOLUMES, "accept_volume", {"volume_id": payload}, 5_000_000)
        reader = {"volume_id": payload, "grantee": pvm_host.get_sender(), "access_mode": "RO", "valid_until": 700_000}
        pvm_host.call(VOLUMES, "grant_token", reader, 5_000_000)

    @public
    def fetch(self, payload):
        url = payload.decode()
        self.storage["said"] = "nothing yet"
        pvm_host.submit_job(codec.encode({
            "job_type": {"Mcp": {"server": "web", "tool_name": "save", "arguments": {"url": url, "key": "${API_KEY}", "file": "docs/work/out.txt"}}},
            "verification": {"mode": "none"}, "bounds": {"max_wall_time_seconds": 300, "max_retries": 0}, "max_price": 1_000_000_000,
            "timeout_blocks": 3_000,
            "secrets": [{"name": "API_KEY"}],
            "volume_attachments": [{"volume_name": "docs", "access_mode": "RW", "path_prefix": "work", "max_bytes": 1_000_000, "mount": True,
                                    "sync_interval": 5}],
            "cid": "fetch", "reply_to": pvm_host.get_actor_address(), "reply_handler": "answered",
        }))

    @public
    def answered(self, payload):
        self.storage["said"] = str(payload)

    @public
    def said(self, payload):
        return self.storage["said"].encode()
`

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

// vault is a network of four validators with five runners, six relays and five proxies, of which a runner, a proxy and all relays are programs of their own.
type vault struct {
	*shelves
	proxy, runner *exec.Cmd
	wallet        string
	value, key    *sought // the secret, and the key of the private volume
}

func newVault(t *testing.T, root string) *vault {
	t.Helper()
	line := fmt.Sprintf("cowboyd devnet --validators 4 --p2p-port %d", freePorts(t, 4))
	v := &vault{value: new(sought), key: new(sought), shelves: groundFor(t, []string{"SSL_CERT_FILE=" + root, storyMark}, 4, line,
		"--log-level debug", "--proxies 4 --proxy-port 0", "--runners 4 --runner-port 0")}
	v.until("four proxies serve and four runners are registered, which the faucet paid for", func() bool {
		return strings.Count(v.run("cowboy proxy status"), "  serves\n") == 4 && strings.Count(v.run("cowboy runner list"), "reputation 50") == 4
	})
	v.wallet = strings.TrimSpace(v.run("cowboy wallet address"))
	v.write("faucet.pem", string(wallet.Key(genesis.DevFaucet().Bytes()).PEM()))
	v.run("cowboy transfer --private-key faucet.pem --to " + v.wallet + " --amount 200000 --wait")
	v.stand(6)
	udp := freePorts(t, 1)
	out := v.run(fmt.Sprintf("cowboy-proxy init --data-dir proxy --rpc-url %s --chain-id 1 --listen 127.0.0.1:%d", v.url, udp))
	v.fund(regexp.MustCompile(`operator (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1], 10_100)
	v.proxy = v.begin("cowboy-proxy start --data-dir proxy")
	v.until("the proxy serves", func() bool { return strings.Count(v.run("cowboy proxy status"), "  serves\n") == 5 })
	if said := v.run("cowboy-proxy doctor --data-dir proxy"); strings.Contains(said, "BAD  ") || strings.Count(said, "ok ") != 5 {
		t.Errorf("the doctor says\n%s", said)
	}
	v.keyed()
	v.until("the proxy holds its share", func() bool { return strings.Contains(v.run("cowboy-proxy status --data-dir proxy"), `"shares":1`) })
	return v
}

// tooled starts a runner that mounts volumes for the tool, and gives its address.
func (v *vault) tooled(root string) (runner string) {
	v.t.Helper()
	tool, err := exec.LookPath("tool-web")
	if err != nil {
		v.t.Fatal(err)
	}
	runner = strings.TrimPrefix(strings.TrimSpace(v.run("cowboy-runner init --data-dir runner --rpc-url "+v.url)), "runner ")
	v.write("runner/config.toml", fmt.Sprintf("[runner]\nrpc = %q\nchain_id = 1\npoll = \"100ms\"\n\n[[place]]\ncapability = \"mcp\"\ncount = 1\n\n"+
		"[volumes]\nfolder = %q\n\n[[mcp]]\nname = \"web\"\ncommand = [%q]\nenvironment = [%q]\n",
		v.url, filepath.Join(v.dir, "mounts"), tool, "SSL_CERT_FILE="+root))
	v.write("declaration.json", `{"rate_card": {"mcp_call_base": 1000, "max_job_value": 10000000000, "supported_mcp_servers": ["web"]},
		"capabilities": {"job_types": ["mcp_web_save"], "max_concurrent_jobs": 1, "volume_mounts": true}}`)
	v.fund(runner, 10_200)
	v.run("cowboy runner register --private-key runner/runner.pem --declaration declaration.json --stake 10000 --wait")
	v.runner = v.begin("cowboy-runner start --data-dir runner")
	v.until("the runner is healthy", func() bool { return strings.Contains(v.run("cowboy runner get --address "+runner), "Health: Healthy") })
	return runner
}

// private makes a private volume whose key is searched for. The file of the key goes: from then on it is with whom the volume's grants let have it.
func (v *vault) private(name string) {
	v.t.Helper()
	v.run("cowboy volume create --private --name " + name + " --data 2 --parity 3 --coins 1100 --wait")
	files, err := filepath.Glob(filepath.Join(v.dir, ".cowboy", "volumes", "*.key"))
	if err != nil || len(files) != 1 {
		v.t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	key, bad := hex.DecodeString(strings.TrimSpace(string(text)))
	if err := errors.Join(err, bad, os.Remove(files[0])); err != nil || len(key) != 32 {
		v.t.Fatal(len(key), err)
	}
	v.key.add(key)
}

// keyed has five proxies make the wallet's release key.
func (s *shelves) keyed() {
	s.t.Helper()
	s.until("there are five proxies", func() bool { return strings.Count(s.run("cowboy proxy list"), "  operator ") == 5 })
	if said := s.run("cowboy secrets key --wait"); !strings.Contains(said, "Epoch 1: 4 of 5 proxies") {
		s.t.Fatal(said)
	}
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

// TestSecrets is the story of secrets and volumes on one machine: four validators, five runners, six relays and five proxies. The proxies make a key; a secret
// is sealed with it, its payload on relays, and so is the key of a private volume, which its owner gives to an actor and has no copy of. The actor's job has a
// tool call a server over TLS with the secret, and save the page in the volume, whose key the proxies release to the job's runner. While the server holds the
// page back two of the five relays that hold the volume are killed, and a proxy. The page is read back from three, by the account that the actor lets read, to
// which the proxies release the key; whom it does not let gets nothing. One of the two relays comes back and makes the shard it lacks anew; the operator of the
// other takes it out of service, and the sixth makes that shard; all slots are whole, and both prove it. Four proxies open a time lock. The secret and the
// volume's key are in no file of any of these programs, in no log, in no packet on the loopback, and in the memory of none of them, though the tool's server
// gave the secret back in several forms, but for the volume's key in the runner that had the volume mounted; neither is the page in what relays keep.
//
// Spec: secrets-cbss §4, §5, §10, §11; storage-cbfs §2.5, §3, §4, §6.
func TestSecrets(t *testing.T) {
	t.Parallel()
	mountable(t)
	server := newSite(t)
	v := newVault(t, server.root)
	v.value.add([]byte(storySecret))
	leaked, packets, captured := listen(t, v.value, v.key)
	value := filepath.Join(t.TempDir(), "value")
	if err := os.WriteFile(value, []byte(storySecret), 0o600); err != nil {
		t.Fatal(err)
	}
	v.run("cowboy volume create --name ours --data 2 --parity 2 --coins 1100 --wait")
	v.run("cowboy secrets set API_KEY --value-file " + value + " --volume ours --wait")
	v.private("docs")
	docs := v.volume("docs").VolumeID
	v.write("clerk.py", clerk)
	out := v.run("cowboy actor deploy --code clerk.py --salt 0x01 --wait")
	actor := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
	v.run("cowboy fund-actor --actor " + actor + " --amount 200 --wait")
	v.run("cowboy volume transfer docs --to " + actor + " --wait")
	v.run("cowboy actor execute --actor " + actor + " --handler keep --payload " + docs + " --wait")
	v.opened()
	v.tooled(server.root)

	v.run("cowboy actor execute --actor " + actor + " --handler fetch --payload-text " + server.URL + "/page --wait")
	v.asksFor(server)
	lost := v.midway(docs)
	close(server.free)
	v.until("the actor has the answer", func() bool {
		return strings.Contains(v.run("cowboy actor query --actor "+actor+" --handler said --payload-text x"), "saved; the server says hello [redacted]")
	})
	if n := server.knew.Load(); n != 1 {
		t.Errorf("the server was asked %d times", n)
	}
	v.gives(docs+" work/out.txt", saved)
	if said := v.fails("cowboy volume get " + docs + " work/out.txt none --private-key faucet.pem"); !strings.Contains(said, secret.ErrAccess.Error()) {
		t.Error(said)
	}
	unlock := v.letter("what all may read then", 60)
	v.mended(docs, lost)
	v.gives(docs+" work/out.txt", saved)
	if err := os.Remove(filepath.Join(v.dir, "back")); err != nil {
		t.Fatal(err)
	}
	v.until("four proxies have posted receipts", func() bool { return v.receipts() >= 4 })
	v.until("the letter is open", func() bool { return v.unlocked(unlock) == "what all may read then" })
	v.nowhere(captured, leaked, packets)
}

// asksFor waits until the tool has asked the server.
func (v *vault) asksFor(s *site) {
	v.t.Helper()
	v.until("the server is asked", func() bool {
		select {
		case <-s.asked:
			return true
		default:
			return false
		}
	})
}

// midway kills two relays that hold slots of a volume, and a proxy, which has nothing of the secret in its memory while the secret is in use.
func (v *vault) midway(docs string) (lost []string) {
	v.t.Helper()
	forgets(v.t, "a proxy", v.proxy, v.value, v.key)
	slots := v.volume(docs).Slots
	for _, slot := range []int{0, 3} {
		lost = append(lost, slots[slot].Relay)
	}
	v.loses(docs, 0, 3)
	v.kill(v.proxy)
	return lost
}

// mended has one of two relays that were killed come back, and the other's operator drain it, until all slots are whole, and has both slots proven.
func (v *vault) mended(docs string, lost []string) {
	v.t.Helper()
	at := func(owner string) string { return fmt.Sprintf("relay-%d", slices.Index(v.owners, owner)) }
	v.process[lost[0]] = v.begin("cowboy-relay start --data-dir " + at(lost[0]))
	v.run("cowboy relay drain --private-key " + at(lost[1]) + "/relay.pem --wait")
	v.proven(docs, map[string]bool{lost[1]: true}, 0, 3)
}

// nowhere looks for the secret and the volume's key in the memory of all programs, ends them, and looks in their files, in what they logged and in what went
// over the loopback.
func (v *vault) nowhere(captured bool, leaked, packets *atomic.Int64) {
	t := v.t
	t.Helper()
	forgets(t, "the runner", v.runner, v.value) // what its cipher made of the volume's key is the collector's
	forgets(t, "the node with its proxies and runners", v.node, v.value, v.key)
	for _, relay := range v.process {
		if relay != nil {
			forgets(t, "a relay", relay, v.value, v.key)
		}
	}
	for _, p := range v.up {
		v.kill(p.Cmd)
	}
	if files := searched(t, v.dir, v.value, v.key); files < 20 {
		t.Errorf("%d files were searched", files)
	}
	if v.has("only one may read") != 0 {
		t.Error("what is private lies open at a relay")
	}
	for _, p := range v.up {
		if v.value.in(p.log.Bytes())+v.key.in(p.log.Bytes()) > 0 {
			t.Error("a log has a secret in it:", p.Args)
		}
	}
	if captured && (leaked.Load() > 0 || packets.Load() < 100) {
		t.Errorf("of %d packets, secrets are in %d places", packets.Load(), leaked.Load())
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
		if strings.HasPrefix(line, "    cowboy dev balance ") { // a node that is alone; the story's four have coins sent
			continue
		}
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

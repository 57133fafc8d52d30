package script

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// region is a network of real processes on this machine.
type region struct {
	t     *testing.T
	dir   string
	nodes map[string]*resident
}

// resident is one node of a region.
type resident struct {
	url  string
	args []string // of cowboyd start
	cmd  *exec.Cmd
	log  bytes.Buffer

	program string // "" is cowboyd
}

// password is that of all keys of a region.
const regionPassword = "worth nothing\n"

func newRegion(t *testing.T) *region {
	t.Helper()
	r := &region{t: t, dir: t.TempDir(), nodes: map[string]*resident{}}
	for name, text := range map[string]string{"password": regionPassword, "faucet.hex": "1b5c740176ed0d0aa434de4ee0c4062f68c55eef511dc19451b489b2f2580449\n"} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(r.end)
	return r
}

// run runs a command in the region's directory and gives what it prints.
func (r *region) run(line string) string {
	r.t.Helper()
	out, err := r.try(line)
	if err != nil {
		r.t.Fatalf("$ %s\n%s%v", line, out, err)
	}
	return out
}

func (r *region) try(line string) (string, error) {
	fields := strings.Fields(line)
	c := exec.Command(fields[0], fields[1:]...)
	c.Dir = r.dir
	out, err := c.CombinedOutput()
	return string(out), err
}

// found makes a network of validators with short epochs.
func (r *region) found(validators, epoch int, blockTime time.Duration) {
	r.t.Helper()
	rpc := freePorts(r.t, 2*validators)
	r.run(fmt.Sprintf("cowboyd init --validators %d --epoch-blocks %d --block-time %v --data-dir net --chain-id 100 --faucet --password-file password"+
		" --light-keys --rpc-port %d --p2p-port %d", validators, epoch, blockTime, rpc, rpc+validators))
	for i := range validators {
		r.nodes[fmt.Sprintf("net/node-%d", i)] = &resident{url: fmt.Sprintf("http://127.0.0.1:%d", rpc+i)}
	}
}

// add makes another node; how is the flag that says with what it begins.
func (r *region) add(name, how string, blockTime time.Duration, args ...string) {
	r.t.Helper()
	port := freePorts(r.t, 2)
	r.run(fmt.Sprintf("cowboyd init %s --block-time %v --data-dir %s --password-file password --light-keys --rpc-port %d --p2p-port %d", how, blockTime, name,
		port, port+1))
	r.nodes[name] = &resident{url: fmt.Sprintf("http://127.0.0.1:%d", port), args: args}
}

func (r *region) start(names ...string) {
	r.t.Helper()
	for _, name := range names {
		n := r.nodes[name]
		args := append([]string{"start", "--data-dir", name, "--password-file", "password", "--rpc-rate", "0"}, n.args...)
		n.cmd = exec.Command(cmp.Or(n.program, "cowboyd"), args...)
		n.cmd.Dir, n.cmd.Stdout, n.cmd.Stderr = r.dir, &n.log, &n.log
		n.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := n.cmd.Start(); err != nil {
			r.t.Fatal(err)
		}
	}
}

// kill ends a node's process at once.
func (r *region) kill(name string) {
	n := r.nodes[name]
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
	n.cmd = nil
}

// end stops all nodes, and tells what they said if the test failed.
func (r *region) end() {
	for _, n := range r.nodes { // order-free: all are told
		if n.cmd != nil {
			_ = n.cmd.Process.Signal(syscall.SIGTERM)
		}
	}
	for name, n := range r.nodes { // order-free: all are waited for
		if n.cmd == nil {
			continue
		}
		if err := n.cmd.Wait(); err != nil {
			r.t.Errorf("%s: %v", name, err)
		}
		if r.t.Failed() {
			lines := strings.Split(n.log.String(), "\n")
			newest := len(lines) - 1
			for newest > 0 && !strings.Contains(lines[newest], " INF block ") {
				newest--
			}
			r.t.Logf("%s ends with %s", name, lines[newest])
			lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, " INF block ") })
			r.t.Logf("%s:\n%s", name, strings.Join(lines[max(0, len(lines)-40):], "\n"))
		}
	}
}

// read asks a node; ok is false where there is no answer, or none of this kind.
func (r *region) read(name, path string, into any) (ok bool) {
	resp, err := http.Get(r.nodes[name].url + path)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(into) == nil
}

// await asks until what is waited for is so.
func (r *region) await(what string, is func() bool) {
	r.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range 2_400 {
		if is() {
			return
		}
		<-tick.C
	}
	r.t.Fatalf("never: %s", what)
}

func (r *region) height(name string) uint64 {
	var h wire.Height
	r.read(name, "/height", &h)
	return h.Height
}

// reach waits until a node has a block.
func (r *region) reach(name string, height uint64) {
	r.t.Helper()
	r.await(fmt.Sprintf("%s at block %d", name, height), func() bool { return r.height(name) >= height })
}

func (r *region) validator(at, address string) (v wire.Validator) {
	r.read(at, "/validators/"+address, &v)
	return v
}

// account is the address of a node's account.
func (r *region) account(name string) string {
	r.t.Helper()
	found := regexp.MustCompile(`account +(0x[0-9a-fA-F]{40})`).FindStringSubmatch(r.run("cowboyd keys list --data-dir " + name))
	if found == nil {
		r.t.Fatalf("%s has no account", name)
	}
	return found[1]
}

// pay sends coins from the faucet.
func (r *region) pay(at, address string, cby int) {
	r.t.Helper()
	r.run(fmt.Sprintf("cowboy --rpc-url %s transfer --private-key faucet.hex --to %s --amount %d --wait", r.nodes[at].url, address, cby))
}

// act sends a validator's transaction from a node's own account.
func (r *region) act(at, name, what string) {
	r.t.Helper()
	r.run(fmt.Sprintf("cowboy --rpc-url %s validator %s --account-key %s/keys/account.json --password-file password --wait", r.nodes[at].url, what, name))
}

// final gives the newest header with a finalization of its own, and that.
func (r *region) final(at string) (*block.Header, *sig.Certificate) {
	r.t.Helper()
	var f wire.Final
	r.await("a finalization", func() bool { return r.read(at, "/light/final", &f) && len(f.Headers) == 1 })
	header, err := block.DecodeHeader(r.hex(f.Headers[0]))
	if err != nil {
		r.t.Fatal(err)
	}
	c, err := sig.DecodeCertificate(r.hex(f.Certificate))
	if err != nil {
		r.t.Fatal(err)
	}
	return header, c
}

func (r *region) hex(text string) []byte {
	r.t.Helper()
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		r.t.Fatal(err)
	}
	return raw
}

// TestEpochsOfProcesses takes a network of real processes with epochs of 40 blocks through changes of its validators. A fifth joins: it follows, is
// registered, takes part in a key ceremony, becomes active at a boundary and signs. One leaves and its stake unbonds. The round seeds of all epochs verify
// under the group key of the genesis although the shares were renewed. A node that lost its disk comes back by a snapshot of the state.
//
// Spec: WP "Validator Set", §3.4; commonware §4.3, §5.7; governance-staking A1.
func TestEpochsOfProcesses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes")
	}
	const pace = 100 * time.Millisecond
	r := newRegion(t)
	r.found(4, 40, pace)
	r.start("net/node-0", "net/node-1", "net/node-2", "net/node-3")
	r.reach("net/node-0", 2)

	r.add("erin", "--join net/deal.json", pace, "--snapshot", "30", "--history", "64")
	r.start("erin")
	r.reach("erin", 5)
	erin := r.account("erin")
	r.pay("net/node-0", erin, 80_000)
	r.act("net/node-1", "erin", "register --stake 60000 --vote-key erin/keys/vote.json")
	if v := r.validator("net/node-1", erin); v.Status != "pending" || v.Stake != uint64(60_000*unit.CBY) {
		t.Fatalf("registered: %+v", v)
	}
	r.await("erin in the set", func() bool { return r.validator("net/node-0", erin).Rank != nil })
	r.await("erin is active everywhere", func() bool { return r.validator("net/node-2", erin).Status == "active" })
	r.await("erin signs", func() bool {
		h, c := r.final("net/node-0")
		rank := r.validator("net/node-0", erin).Rank
		return rank != nil && h.Epoch > 0 && c.Signers.Len() == 5 && c.Signers.Has(int(*rank))
	})

	leaver := r.account("net/node-3")
	r.act("net/node-0", "net/node-3", "exit")
	if v := r.validator("net/node-0", leaver); v.Status != "exiting" {
		t.Fatalf("asked to leave: %+v", v)
	}
	var v wire.Validator
	r.await("node 3 out of the set", func() bool {
		v = r.validator("net/node-1", leaver)
		return v.Status == "unbonding"
	})
	if len(v.Releases) != 1 || v.Releases[0].Amount != uint64(genesis.DevnetStake) || v.Rank != nil || (v.Releases[0].Height-params.UnbondingBlocks)%40 != 0 {
		t.Errorf("unbonding: %+v", v)
	}

	top := r.height("net/node-0")
	r.kill("net/node-2")
	for _, name := range []string{"chain", "journal", "shares", "index.db"} {
		if err := os.RemoveAll(filepath.Join(r.dir, "net/node-2", name)); err != nil {
			t.Fatal(err)
		}
	}
	r.nodes["net/node-2"].args = []string{"--snapshot", "30", "--history", "64"}
	r.start("net/node-2")
	r.reach("net/node-2", top+45)
	var first wire.Block
	if r.read("net/node-2", "/block/height/1", &first) {
		t.Error("the node that lost its disk executed the chain from the beginning")
	}
	a, b := r.block("net/node-0", top+44), r.block("net/node-2", top+44)
	if a.Hash == "" || a.Hash != b.Hash {
		t.Errorf("block %d: %s and %s", top+44, a.Hash, b.Hash)
	}
	r.seeds("net/node-0", top+44)
}

// TestTwinsArePunished runs two processes with the keys of one validator, which the locks of keys and data refuse on one copy of them: here each has its
// own, as on two machines. They sign twice; the others find out, bring the evidence to the chain by themselves, and the validator loses exactly 1 % of its
// stake for each round it is convicted of, burned, and is jailed and out of the next set.
//
// Spec: WP "Slashing"; governance-staking A3.
func TestTwinsArePunished(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes")
	}
	const pace = 100 * time.Millisecond
	r := newRegion(t)
	r.found(4, 40, pace)
	r.add("twin", "--join net/deal.json", pace)
	for _, name := range []string{"vote.json", "share.json", "account.json"} {
		data, err := os.ReadFile(filepath.Join(r.dir, "net/node-3/keys", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.dir, "twin/keys", name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	guilty := r.account("net/node-3")
	var before wire.Validators
	r.start("net/node-0", "net/node-1", "net/node-2", "net/node-3", "twin")
	r.await("the registry", func() bool { return r.read("net/node-0", "/validators", &before) && len(before.Validators) == 4 })

	var convicted wire.Validator
	r.await("evidence on chain", func() bool {
		convicted = r.validator("net/node-0", guilty)
		return len(convicted.SlashesBPS) > 0 || convicted.Stake < uint64(genesis.DevnetStake)
	})
	if convicted.Jailings == 0 || convicted.JailedUntil < uint64(params.JailBlocks) || convicted.Status != "jailed" {
		t.Errorf("convicted: %+v", convicted)
	}
	var after wire.Validator
	r.await("the boundary", func() bool {
		after = r.validator("net/node-0", guilty)
		if after.Stake == uint64(genesis.DevnetStake) {
			convicted = after
		}
		return after.Stake < uint64(genesis.DevnetStake) && after.Rank == nil
	})
	for _, bps := range convicted.SlashesBPS {
		if bps != params.DoubleSignSlashBPS {
			t.Errorf("a slash of %d basis points", bps)
		}
	}
	want := genesis.DevnetStake
	for range after.Jailings { // one for each round
		want -= want / 100
	}
	t.Logf("%d convictions: %s of %s CBY are left", after.Jailings, unit.Amount(after.Stake).CBY(), genesis.DevnetStake.CBY())
	if unit.Amount(after.Stake) != want || len(after.SlashesBPS) > 0 || after.Status != "jailed" {
		t.Errorf("after the boundary: %+v, want a stake of %s CBY", after, want.CBY())
	}
	for _, name := range []string{"net/node-0", "net/node-1", "net/node-2"} {
		if v := r.validator("net/node-1", r.account(name)); v.Stake != uint64(genesis.DevnetStake) || v.Jailings > 0 || v.Status != "active" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func (r *region) block(at string, height uint64) (b wire.Block) {
	r.read(at, fmt.Sprintf("/block/height/%d", height), &b)
	return b
}

// seeds verifies the seed in every header up to a height under the group key of the genesis, and that the shares behind it are not the genesis's any more.
func (r *region) seeds(at string, top uint64) {
	r.t.Helper()
	file, err := os.Open(filepath.Join(r.dir, "net/node-0/genesis.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer file.Close()
	spec, err := genesis.Read(file)
	if err != nil {
		r.t.Fatal(err)
	}
	sharing, err := bls.DecodeSharing(spec.Sharing)
	if err != nil {
		r.t.Fatal(err)
	}
	keys := &bls.Epoch{Namespace: sig.NewNamespace(spec.ChainID), Group: sharing.GroupKey()}
	seen := map[uint64]int{}
	for h := uint64(1); h <= top; h++ {
		var f wire.Final
		if !r.read(at, fmt.Sprintf("/light/final/%d", h), &f) {
			r.t.Fatalf("block %d: no headers", h)
		}
		header, err := block.DecodeHeader(r.hex(f.Headers[len(f.Headers)-1]))
		if err != nil || uint64(header.Height) != h {
			r.t.Fatalf("block %d: %v", h, err)
		}
		if header.ParentSeed == nil {
			continue
		}
		if err := keys.VerifySeed(*header.ParentSeed); err != nil {
			r.t.Errorf("the seed in block %d of epoch %d: %v", h, header.Epoch, err)
		}
		seen[header.Epoch]++
	}
	var e wire.Epoch
	if !r.read(at, "/epoch", &e) || e.KeySince == 0 || e.GroupKey != fmt.Sprintf("%x", sharing.GroupKey().Bytes()) {
		r.t.Errorf("the key: %+v", e)
	}
	for epoch := range top / 40 { // those that are over by then
		if seen[epoch] < 30 {
			r.t.Errorf("epoch %d: %d seeds", epoch, seen[epoch])
		}
	}
}

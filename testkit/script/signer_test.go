package script

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
)

// signing is a signer's process.
type signing struct {
	r   *region
	dir string
	cmd *exec.Cmd
}

func (s *signing) start() {
	s.r.t.Helper()
	s.cmd = exec.Command("cowboyd", "signer", "run", s.dir, "--password-file", "password")
	s.cmd.Dir = s.r.dir
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		s.r.t.Fatal(err)
	}
}

func (s *signing) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// votes reports whether the newest finalization of node 1 has a validator's signature.
func (r *region) votes(address string) bool {
	h, c := r.final("net/node-1")
	rank := r.validator("net/node-1", address).Rank
	return rank != nil && h.Height > 0 && c.Signers.Has(int(*rank))
}

// TestSignerKilled has one of four validators vote through a signer, which is killed with -9 in the midst of its votes, again and again, and started with
// its journal. The validator votes again each time, through a change of the epoch as well, and loses nothing of its stake. Then a second node asks the same
// signer for its votes: with keys of its own it would be convicted, as TestTwinsArePunished shows; here each view has one vote.
//
// Spec: commonware §3.3 (invariants), §3.5; WP "Slashing".
func TestSignerKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes")
	}
	const pace = 200 * time.Millisecond
	r := newRegion(t)
	r.found(4, 60, pace)
	r.run(fmt.Sprintf("cowboyd signer init signer --data-dir net/node-0 --listen 127.0.0.1:%d --password-file password --light-keys", freePorts(t, 1)))
	if _, err := os.Stat(filepath.Join(r.dir, "net/node-0/keys/vote.json")); !os.IsNotExist(err) {
		t.Fatalf("the voting key is still with the node: %v", err)
	}
	address := r.account("net/node-0")
	s := &signing{r: r, dir: "signer"}
	s.start()
	defer func() { s.kill() }()
	r.start("net/node-0", "net/node-1", "net/node-2", "net/node-3")
	r.await("votes of the signer", func() bool { return r.votes(address) })
	for round := range 3 {
		s.kill()
		top := r.height("net/node-0")
		r.reach("net/node-0", top+6) // it follows without a vote
		var ready wire.Ready
		if !r.read("net/node-0", "/health/ready", &ready) || len(ready.Warnings) == 0 {
			t.Errorf("round %d: nobody says that the signer is away: %+v", round, ready)
		}
		if h, _ := r.final("net/node-1"); uint64(h.Height) > top+2 && r.votes(address) {
			t.Errorf("round %d: the validator votes without its signer", round)
		}
		s.start()
		r.await("votes after the signer came back", func() bool { return r.votes(address) })
	}

	r.add("twin", "--join net/deal.json", pace)
	r.run("rm -r twin/keys")
	r.run("cp -r net/node-0/keys net/node-0/signer twin/")
	r.run("rm twin/keys/network.key twin/keys/lock twin/keys/used")
	config, err := os.ReadFile(filepath.Join(r.dir, "signer/signer.json"))
	if err != nil {
		t.Fatal(err)
	}
	r.nodes["twin"].args = []string{"--signer", between(string(config), `"listen": "`, `"`)}
	r.start("twin")
	r.reach("twin", r.height("net/node-0"))
	r.reach("net/node-0", r.height("net/node-0")+70)
	r.await("votes of the twins", func() bool { return r.votes(address) })
	if v := r.validator("net/node-1", address); v.Stake != uint64(genesis.DevnetStake) || len(v.SlashesBPS) > 0 || v.Status != "active" {
		t.Errorf("the validator is punished: %+v", v)
	}
}

// between is what stands between two texts.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	inner, _, _ := strings.Cut(rest, after)
	return inner
}

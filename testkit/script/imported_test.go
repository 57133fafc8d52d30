package script

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// deployLarge puts an actor with a long source on a development network, and gives its address and the transaction.
func deployLarge(t *testing.T, client *api.Client, nonce uint64) (actor account.Address, id string) {
	t.Helper()
	var fees wire.Basefee
	if err := client.Read(t.Context(), "/basefee", &fees); err != nil {
		t.Fatal(err)
	}
	owner := genesis.DevFaucet()
	source := fmt.Appendf(nil, "NUMBER = %d\nTEXT = \"%s\"\n", nonce, strings.Repeat("x", 40_000))
	in := &tx.Deploy{Code: source}
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: in, CyclesLimit: 10_000_000, CellsLimit: 200_000, From: owner.Address(),
		MaxFeePerCycle: 2 * fees.CycleBasefee, MaxFeePerCell: 2 * fees.CellBasefee,
	}
	x.Signature = owner.Sign(x.SigningHash())
	reply, err := client.Submit(t.Context(), append(codec.AppendLen([]byte{1}, 1), x.Encode()...))
	if err != nil || len(reply.Hashes) != 1 {
		t.Fatalf("%+v, %v", reply, err)
	}
	return account.DeriveActor(owner.Address(), account.Salt{}, account.CodeHash(source)), reply.Hashes[0]
}

// killed imports a file of which only the first bytes arrive, and is killed with -9 while it waits for the next. What it reads from is a pipe, so that it has
// read all but what a pipe holds.
func killed(t *testing.T, file []byte, dir string) {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("cowboyd", "snapshot", "import", pipe, "--data-dir", dir)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	to, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Write(file); err != nil {
		t.Error(err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Error(err)
	}
	var ended *exec.ExitError
	if err := c.Wait(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("it ended by itself: %v", err)
	}
	_ = to.Close()
}

// stop ends a node in order.
func (p *lone) stop(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-p.ended; err != nil {
		t.Errorf("an orderly end: %v\n%s", err, p.err.String())
	}
}

// knows reports whether a node has an actor.
func (p *lone) knows(t *testing.T, actor account.Address) bool {
	var found wire.Actor
	return api.New(p.url).Read(t.Context(), "/actor/"+actor.String(), &found) == nil
}

// TestImportKilled kills imports of a state with -9, as processes, behind growing parts of the file. The chain is as it was: a node that is started makes
// blocks of its own and has nothing of the state. Where it is not, the same command goes on with what arrived, and the node that is started then has it all.
//
// Spec: ARCHITECTURE "State and disk".
func TestImportKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	origin := begin(t, filepath.Join(dir, "origin"))
	origin.height(t, 1)
	client := api.New(origin.url)
	var last account.Address
	for nonce := range uint64(12) {
		var id string
		last, id = deployLarge(t, client, nonce)
		if x, err := client.Receipt(t.Context(), id, 20*time.Millisecond); err != nil || x.Status != "success" {
			t.Fatalf("%+v, %v", x, err)
		}
	}
	at := origin.height(t, 0)
	origin.stop(t)
	file := filepath.Join(dir, "state.snap")
	if out, err := exec.Command("cowboyd", "snapshot", "export", file, "--data-dir", filepath.Join(dir, "origin")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	held, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(held) < 400_000 {
		t.Fatalf("the file has %d bytes only: a pipe holds a good part of it", len(held))
	}
	const parts = 5
	for part := range parts {
		killed(t, held[:part*len(held)/parts], filepath.Join(dir, "again"))
	}
	killed(t, held[:len(held)/2], filepath.Join(dir, "started"))

	started := begin(t, filepath.Join(dir, "started"))
	if height := started.height(t, 2); height >= at || started.knows(t, last) {
		t.Errorf("at block %d of %d it knows the actor: %v", height, at, started.knows(t, last))
	}
	started.stop(t)

	out, err := exec.Command("cowboyd", "snapshot", "import", file, "--data-dir", filepath.Join(dir, "again")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the chain begins with the state of block") {
		t.Fatalf("%v\n%s", err, out)
	}
	again := begin(t, filepath.Join(dir, "again"))
	if height := again.height(t, at+1); !again.knows(t, last) {
		t.Errorf("at block %d it does not know the actor", height)
	}
	again.stop(t)
}

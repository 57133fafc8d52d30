package script

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// upgradeProgram is what the Treasury runs for a while.
const upgradeProgram = `from pvm_host import get_state, set_state

def edition(p):
    return b"python"

def take_over(p):
    set_state(b"since", b"migration")
`

// codes is which code a node says the Treasury runs.
func (r *region) codes(at string) (c wire.CodeOf) {
	var all wire.Codes
	r.read(at, "/governance/codes", &all)
	for _, c := range all.Codes {
		if strings.HasSuffix(c.Address, "08") {
			return c
		}
	}
	return c
}

// text is what a node answers.
func (r *region) text(name, path string) string {
	answer, err := http.Get(r.nodes[name].url + path)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	raw, _ := io.ReadAll(answer.Body)
	return string(raw)
}

// TestUpgradeOfRunningNetwork: four validators under load give the Treasury a Python program with a migration, take it back, and then give it a native edition
// that one of them is without. It says so before, ends at the height with the reason, and comes back with a program that has the edition. The others go on all
// the time.
//
// Spec: governance-staking B8; ARCHITECTURE "Errors".
func TestUpgradeOfRunningNetwork(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes, and a program of its own")
	}
	newer := filepath.Join(t.TempDir(), "cowboyd")
	if out, err := exec.Command("go", "build", "-tags", "nextedition,netgo,osusergo", "-o", newer, "github.com/cowboyinc/cowboy-go/cmd/cowboyd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const pace, pot = 250 * time.Millisecond, "0x0000000000000000000000000000000000000008"
	r := newRegion(t)
	r.found(4, 40, pace)
	names := []string{"net/node-0", "net/node-1", "net/node-2", "net/node-3"}
	for _, name := range names[:3] {
		r.nodes[name].program = newer
	}
	r.start(names...)
	r.reach(names[0], 3)
	if err := os.WriteFile(filepath.Join(r.dir, "program.py"), []byte(upgradeProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	gov := func(line string) string {
		t.Helper()
		return r.run(fmt.Sprintf("cowboy --rpc-url %s gov %s --private-key faucet.hex --wait", r.nodes[names[0]].url, line))
	}
	load := func() { // a block's worth, so that blocks are not empty
		r.pay(names[0], "0x00000000000000000000000000000000000c0ffe", 1)
	}
	hash := ""
	for _, line := range strings.Split(gov("upload program.py"), "\n") {
		if rest, ok := strings.CutPrefix(line, "Code hash: "); ok {
			hash = strings.TrimSpace(rest)
		}
	}
	gov("upgrade " + pot + " --python " + hash + " --migration take_over --migration-cycles 1000000 --now")
	r.await("the Treasury runs Python", func() bool { load(); return strings.HasPrefix(r.codes(names[3]).Code, "python") })
	gov("rollback " + pot + " --now")
	r.await("the Treasury is native again", func() bool { load(); return r.codes(names[3]).Code == "native edition 1" })

	gov("upgrade " + pot + " --native 2 --delay 40 --now")
	at := r.codes(names[0]).At
	if at == 0 {
		t.Fatalf("nothing is scheduled: %+v", r.codes(names[0]))
	}
	r.await("the older program warns", func() bool {
		return r.codes(names[3]).Missing && strings.Contains(r.text(names[3], "/health/ready"), "native edition 2")
	})
	if text, _ := r.try("cowboyd doctor --data-dir " + names[3]); !strings.Contains(text, "native edition 2") {
		t.Errorf("doctor says nothing of it:\n%s", text)
	}
	if c := r.codes(names[0]); c.Missing || strings.Contains(r.text(names[0], "/health/ready"), "native edition 2") {
		t.Errorf("a program that has the edition warns: %+v", c)
	}
	older := r.nodes[names[3]]
	ended := make(chan error, 1)
	go func() { ended <- older.cmd.Wait() }()
	var err error
	over := false
	r.await("the older program ends", func() bool {
		load()
		select {
		case err = <-ended:
			over = true
		default:
		}
		return over
	})
	older.cmd = nil
	var status *exec.ExitError
	if !errors.As(err, &status) || status.ExitCode() != 3 {
		t.Errorf("it ended with %v", err)
	}
	reason := fmt.Sprintf("block %d needs native edition 2 of system actor", at)
	halted, _ := os.ReadFile(filepath.Join(r.dir, names[3], "HALTED"))
	if !strings.Contains(string(halted), reason) || strings.Contains(older.log.String(), "panic: ") || !strings.Contains(older.log.String(), reason) {
		t.Errorf("HALTED says %s", halted)
	}
	r.reach(names[0], at+3)
	if c := r.codes(names[0]); c.Code != "native edition 2" || c.Since != at {
		t.Errorf("%+v", c)
	}
	older.program = newer
	r.start(names[3])
	r.reach(names[3], at+5)
	r.await("it votes again", func() bool { return r.votes(r.account(names[3])) })
}

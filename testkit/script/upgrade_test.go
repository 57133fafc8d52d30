package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
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

// parliament is a region whose genesis has the council of development networks, and an hour of governance of one block.
type parliament struct {
	*region
	council []string // files of seven members' keys
	next    int      // the number of the next proposal
}

func newParliament(r *region) *parliament {
	r.t.Helper()
	p, council := &parliament{region: r, next: 1}, []account.Address{}
	for i, key := range genesis.DevCouncil() {
		council = append(council, key.Address())
		if i < params.CouncilQuorum {
			name := fmt.Sprintf("council-%d.hex", i)
			if err := os.WriteFile(filepath.Join(r.dir, name), fmt.Appendf(nil, "%x\n", key.Bytes()), 0o600); err != nil {
				r.t.Fatal(err)
			}
			p.council = append(p.council, name)
		}
	}
	for name := range r.nodes { // order-free: each has a file of its own
		path := filepath.Join(r.dir, name, "genesis.json")
		data, err := os.ReadFile(path)
		spec := map[string]any{}
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(data))
			d.UseNumber()
			err = d.Decode(&spec)
		}
		if err != nil {
			r.t.Fatal(err)
		}
		spec["security_council"], spec["governance_hour_blocks"] = council, 1
		if data, err = json.Marshal(spec); err == nil {
			err = os.WriteFile(path, data, 0o644)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
	return p
}

// cowboy runs a command at a node.
func (p *parliament) cowboy(at, line string) string {
	p.t.Helper()
	return p.run(fmt.Sprintf("cowboy --rpc-url %s %s", p.nodes[at].url, line))
}

// pass has the faucet propose, seven members of the council put it on the fast track, the validators vote for it, and anybody execute it.
func (p *parliament) pass(names []string, line string, meanwhile func()) {
	p.t.Helper()
	at, id := names[0], p.next
	p.next++
	title := fmt.Sprintf("proposal-%d", id)
	payload := strings.TrimSpace(p.cowboy(at, "gov "+line+" --print-payload"))
	ask := "gov " + line + " --title " + title + " --private-key faucet.hex --wait"
	for _, member := range p.council {
		signed := p.cowboy(at, fmt.Sprintf("gov council sign --payload %s --by %s --title %s --private-key %s", payload,
			genesis.DevFaucet().Address(), title, member))
		ask += " --signature " + strings.TrimSpace(signed)
	}
	p.cowboy(at, ask)
	var votes sync.WaitGroup
	for _, name := range names { // at once, since the vote is over after 24 blocks; three of the four are enough
		votes.Go(func() {
			vote := fmt.Sprintf("gov vote %d yes --account-key %s/keys/account.json --password-file password --wait", id, name)
			if out, err := p.try(fmt.Sprintf("cowboy --rpc-url %s %s", p.nodes[at].url, vote)); err != nil {
				p.t.Logf("%s: %v\n%s", vote, err, out)
			}
		})
	}
	votes.Wait()
	status := func() (proposal wire.Proposal) {
		p.read(at, fmt.Sprintf("/governance/proposals/%d", id), &proposal)
		return proposal
	}
	p.await(title+" is queued", func() bool { meanwhile(); return status().Status == "Queued" })
	p.await(title+" may be executed", func() bool { meanwhile(); return p.height(at) >= status().ExecutableAt })
	p.cowboy(at, fmt.Sprintf("gov execute %d --private-key faucet.hex --wait", id))
	if s := status(); s.Status != "Executed" {
		p.t.Fatalf("%+v", s)
	}
}

// TestUpgradeOfRunningNetwork: four validators under load give the Treasury a Python program with a migration, take it back, and then give it a native edition
// that one of them is without, each by a proposal that the council puts on the fast track. The one says so before, ends at the height with the reason, and
// comes back with a program that has the edition. The others go on all the time.
//
// Spec: governance-staking B2, B5, B6, B8; ARCHITECTURE "Errors".
func TestUpgradeOfRunningNetwork(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes, and a program of its own")
	}
	newer := filepath.Join(t.TempDir(), "cowboyd")
	build := exec.Command("go", "build", "-tags", "nextedition,netgo,osusergo", "-o", newer, "github.com/cowboyinc/cowboy-go/cmd/cowboyd")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const pace, pot = 250 * time.Millisecond, "0x0000000000000000000000000000000000000008"
	r := newRegion(t)
	r.found(4, 40, pace)
	p := newParliament(r)
	names := []string{"net/node-0", "net/node-1", "net/node-2", "net/node-3"}
	for _, name := range names[:3] {
		r.nodes[name].program = newer
	}
	r.start(names...)
	r.reach(names[0], 3)
	if err := os.WriteFile(filepath.Join(r.dir, "program.py"), []byte(upgradeProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func() { // a block's worth, so that blocks are not empty
		r.pay(names[0], "0x00000000000000000000000000000000000c0ffe", 1)
	}
	hash := ""
	for _, line := range strings.Split(p.cowboy(names[0], "gov upload program.py --private-key faucet.hex --wait"), "\n") {
		if rest, ok := strings.CutPrefix(line, "Code hash: "); ok {
			hash = strings.TrimSpace(rest)
		}
	}
	p.pass(names, "upgrade "+pot+" --python "+hash+" --migration take_over --migration-cycles 1000000", load)
	r.await("the Treasury runs Python", func() bool { load(); return strings.HasPrefix(r.codes(names[3]).Code, "python") })
	p.pass(names, "rollback "+pot, load)
	r.await("the Treasury is native again", func() bool { load(); return r.codes(names[3]).Code == "native edition 1" })

	p.pass(names, "upgrade "+pot+" --native 2 --delay 40", load)
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

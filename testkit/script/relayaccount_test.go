package script

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/accounts"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// An owner of volumes who has no node asks a relay of a network that runs: a key of hers speaks for her wallet, the volume she signed for is made, funded and
// shown, a stranger's transaction is not taken, and when her wallet has revoked the key the relay knows it no more. A client in Python, which was written from
// the page of relays alone, is told the same.
//
// Spec: storage-cbfs §3.4.
func TestAccountAtARelay(t *testing.T) {
	t.Parallel()
	at := fmt.Sprintf("127.0.0.1:%d", freePorts(t, 1))
	s := groundFor(t, nil, 1, "cowboyd", "--relays 1 --relay-accounts "+at)
	wallet := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(s.run("cowboy wallet address"))
	s.fund(wallet, 10_000)
	s.until("the relay is active", func() bool { return strings.Contains(s.run("cowboy relay list"), "\n1 active.") })
	key := regexp.MustCompile(`[0-9a-f]{64}`).FindString(s.run("cowboy volume delegate key.json"))
	const ask = "cowboy volume account --delegation key.json --relay http://"
	pace := time.NewTicker(300 * time.Millisecond) // a relay answers a source 20 requests a second, and a question takes two
	defer pace.Stop()
	look := func(line string) string { // what a command says, however it ends
		<-pace.C
		out, _ := s.command(line).CombinedOutput()
		return string(out)
	}
	handIn := func(name, command string) string {
		s.run(fmt.Sprintf("cowboy volume %s --unsigned %s.tx", command, name))
		s.run(fmt.Sprintf("cowboy tx sign %s.tx --out %s.signed", name, name))
		return ask + at + " --send " + name + ".signed"
	}
	s.run(handIn("made", "create --name docs --data 1 --parity 0 --coins 1100"))
	s.until("the volume is there", func() bool { return strings.Contains(look(ask+at), "docs  ACTIVE  reserve 100 CBY") })
	s.run(handIn("more", "fund docs --coins 5"))
	var b accounts.Balance
	s.until("the reserve has grown", func() bool {
		return json.Unmarshal([]byte(look(ask+at+" /ras/accounts/balance")), &b) == nil && b.Reserved == 105_000_000_000
	})
	if b.Wallet != wallet && !strings.EqualFold(b.Wallet, wallet) || b.TotalVolumes != 1 || b.Height == 0 {
		t.Errorf("%+v", b)
	}
	var v accounts.Volume
	s.until("the volume is shown", func() bool { return json.Unmarshal([]byte(look(ask+at+" /ras/volumes/docs")), &v) == nil })
	if len(v.Placement) != 1 || v.Placement[0].Status != "active" {
		t.Errorf("%+v", v)
	}
	if python, err := exec.LookPath("python3"); err == nil {
		client, err := filepath.Abs("../../actors/relay/accounts/testdata/client.py")
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "-B", client, "http://"+at, filepath.Join(s.dir, "key.json"), "/ras/accounts/balance").CombinedOutput()
		var same accounts.Balance
		if err != nil || json.Unmarshal(out, &same) != nil || same.Reserved != b.Reserved || same.Wallet != b.Wallet {
			t.Errorf("%s %v", out, err)
		}
	}

	s.fund("0x00000000000000000000000000000000000000aa", 10)
	s.run("cowboy volume expire docs --no-simulate --at 999999 --unsigned late.tx --sender 0x00000000000000000000000000000000000000aa")
	if out := s.fails(ask + at + " --send late.tx"); !strings.Contains(out, "not the transaction that the path names") {
		t.Errorf("a stranger's: %s", out)
	}
	var revoked wire.StorageKey
	s.run(handIn("ended", "revoke-key --key "+key))
	s.until("the key is revoked", func() bool { return s.read("/storage/"+wallet+"/keys/0x"+key, &revoked) && revoked.Revoked })
	s.until("the relay has looked again", func() bool { return strings.Contains(look(ask+at), "key revoked") })
}

package netfault

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var kills = flag.Int("kills", 3, "processes to kill")

// build makes the node's executable.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cowboyd")
	if out, err := exec.Command("go", "build", "-o", path, "github.com/cowboyinc/cowboy-go/cmd/cowboyd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func config(t *testing.T) Config {
	return Config{
		Node: build(t), Dir: t.TempDir(), Kills: *kills, Seed: 7, Partition: 5 * time.Second, BlockTime: 200 * time.Millisecond,
		Wire: Wire{Loss: 0.02, Delay: 10 * time.Millisecond, Jitter: 5 * time.Millisecond}, Out: os.Stderr,
	}
}

// Four processes lose nothing when they are killed, restarted in turn and when one loses its disk.
//
// Spec: commonware §3.5; WP §6.1.
func TestLoopback(t *testing.T) {
	result, err := Loopback(config(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(result)
}

// The same over wires that lose packets and are cut, where this machine lets namespaces be made.
//
// Spec: WP §6.1, §6.2.
func TestNamespaces(t *testing.T) {
	if *kills <= 3 {
		t.Skip("the long run: -args -kills N")
	}
	result, err := Namespaces(config(t))
	if errors.Is(err, ErrDenied) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Log(result)
}

// A shared key is made anew on real processes, and a key that two of them are given by hand is punished to the unit.
//
// Spec: WP "Validator Set", "Slashing"; governance-staking A1, A3.
func TestEpochs(t *testing.T) {
	if *kills <= 3 {
		t.Skip("the long run: -args -kills N")
	}
	result, err := Epochs(config(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(result)
}

// The chain goes on under a full block of one actor's work; what is mined of it used all its cycles.
//
// Spec: WP §6.1, §4.3.
func TestAttacks(t *testing.T) {
	const source = "def attack(payload):\n    while True:\n        try: getattr(1, 'ab' * 100000, None)\n        except AttributeError: pass\n"
	var told []Struck
	_, err := Attacks(config(t), []Attack{{"names", source}, {"broken", "def attack("}}, func(s Struck) { told = append(told, s) })
	if err != nil {
		t.Fatal(err)
	}
	if len(told) != 2 {
		t.Fatalf("%+v", told)
	}
	x := told[0] // a machine that is busy with other things mines some of the transactions, or none
	if x.Cycles != uint64(x.Mined)*strikeCycles || x.Mined > 0 && x.Ending != "out of cycles" || x.Before.Blocks < quietBlocks-2 || x.Pace.Blocks == 0 {
		t.Errorf("%+v", x)
	}
	t.Logf("%d of %d were mined", x.Mined, Strikes)
	if told[1].Cycles != 0 || !strings.HasPrefix(told[1].Ending, "not deployed: ") {
		t.Errorf("%+v", told[1])
	}
}

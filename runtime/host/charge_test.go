package host_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// placed deploys a source and gives its address.
func (w *world) placed(source string) account.Address {
	w.t.Helper()
	x := w.run(1, &tx.Deploy{Code: []byte(source), Salt: []byte{byte(w.tip.Header.Height)}})
	if x.Status != block.Success {
		w.t.Fatalf("deploying: %d %s", x.Fault.Code, x.Fault.Text)
	}
	return *x.Created
}

// Reading the route table costs a hundredth of a cell for each byte of it and no more; where there is none, no cell, however often.
//
// Spec: WP §17.3, §17.4 (state read); sdk §19.3.
func TestReadingRoutesCostsNoCells(t *testing.T) {
	w := newWorld(t)
	actor := w.placed("import pvm_host\n\ndef read(payload):\n    for _ in range(int(payload)):\n        assert pvm_host.published_routes() == []\n")
	never, often := w.call(1, actor, "read", []byte("0")), w.call(1, actor, "read", []byte("9"))
	if never.Status != block.Success || often.Status != block.Success || never.CellsUsed != often.CellsUsed || often.CyclesUsed < never.CyclesUsed+900 {
		t.Errorf("%d cycles and %d cells without reading, %d and %d with nine", never.CyclesUsed, never.CellsUsed, often.CyclesUsed, often.CellsUsed)
	}
}

// A route table is read as it was published, each time for the price of an entry read and a hundredth of a cell for each of its bytes, rounded up once.
//
// Spec: WP §17.3, §17.4 (state read); sdk §19.3.
func TestReadingRoutesCostsTheirBytes(t *testing.T) {
	w := newWorld(t)
	const route = `{"verb": "GET", "pays": "actor", "price": 0, "priority": 1, "enabled": True, "target": {"kind": "method", "name": "do"}}`
	const source = "import pvm_host\n\nTABLE = [dict(" + route + ", path=\"/\" + \"p\" * 90 + str(i)) for i in range(8)]\n\n\ndef publish(payload):\n" +
		"    pvm_host.publish_routes(TABLE)\n\n\ndef read(payload):\n    for _ in range(int(payload)):\n        assert pvm_host.published_routes() == TABLE\n"
	actor := w.placed(source)
	w.ok(1, actor, "publish", nil)
	var size uint64
	if err := w.tip.State.Scan(account.Key(account.KindStorage, actor), nil, 0, func(_, value []byte) bool {
		size += uint64(len(value))
		return true
	}); err != nil || size < 8*150 {
		t.Fatalf("%d bytes are kept, %v", size, err)
	}
	never, once := w.call(1, actor, "read", []byte("0")), w.call(1, actor, "read", []byte("1"))
	for times := range uint64(9) {
		x := w.call(1, actor, "read", fmt.Appendf(nil, "%d", times))
		if want := (times*size + 99) / 100; x.Status != block.Success || uint64(x.CellsUsed-never.CellsUsed) != want {
			t.Errorf("%d reads of %d bytes: %d cells, want %d; %s", times, size, x.CellsUsed-never.CellsUsed, want, x.Fault.Text)
		}
		if times > 0 && uint64(x.CyclesUsed-never.CyclesUsed) < times*uint64(once.CyclesUsed-never.CyclesUsed)-times*100 {
			t.Errorf("%d reads cost %d cycles, one %d", times, x.CyclesUsed-never.CyclesUsed, once.CyclesUsed-never.CyclesUsed)
		}
	}
}

// Attributes that an actor keeps are read at a hundredth of a cell for each byte, rounded up once in the turn: a few bytes cost one cell.
//
// Spec: WP §17.4 (state read); sdk §8.
func TestKeptAttributesCostACellToRead(t *testing.T) {
	w := newWorld(t)
	const source = "class Actor:\n    def __init__(self):\n        self.x = 1\n    def idle(self, payload):\n        pass\n"
	keeps, none := w.placed(source), w.placed("def idle(payload):\n    pass\n")
	var used [2]uint64
	for i, actor := range []account.Address{keeps, none} {
		w.ok(1, actor, "idle", nil) // keeps them
		x := w.call(1, actor, "idle", nil)
		if x.Status != block.Success {
			t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
		}
		used[i] = uint64(x.CellsUsed)
	}
	if kept := w.account(keeps).StorageBytes > w.account(none).StorageBytes; !kept || used[0] != used[1]+1 {
		t.Errorf("%d cells with attributes and %d without, kept %v", used[0], used[1], kept)
	}
}

// A timer that is refused does not count towards what a turn may send and schedule: neither where the market refuses its bid nor where a rule of timers does.
//
// Spec: scheduler-timers §4 (7), §9.5; WP §3.3 (1,024 in a transaction).
func TestRefusedTimersAreNotFannedOut(t *testing.T) {
	w := newWorld(t)
	if x := w.run(8, &tx.ActivateTimerMarket{Height: w.tip.Header.Height + 3}); x.Status != block.Success {
		t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	actor := w.placed(`import pvm_host

def many(payload):
    bid, distance = payload.split()
    now, refused = pvm_host.get_block_height(), 0
    for _ in range(600):
        try:
            pvm_host.schedule_timer_ex(now + int(distance), b"", None, 1000, None, int(bid))
        except pvm_host.HostError:
            refused += 1
    pvm_host.schedule_timer_ex(now + 5, b"", None, 1000, None, 1000000000)
    return str(refused).encode()
`)
	w.mine()
	w.mine()
	for _, payload := range []string{"1 5", "1000000000 0"} { // below the lane's basefee, and not above the present height
		if got := w.ok(1, actor, "many", []byte(payload)); got != "600" {
			t.Errorf("%s: %s refused", payload, got)
		}
	}
}

// A scan pays for what the block has removed from its way; what the block itself made and removed is passed once, and not paid for, since nobody but the
// proposer knows of all of it.
//
// Spec: sdk §8 (scan_state_prefix).
func TestScanPastRemoved(t *testing.T) {
	w := newWorld(t)
	actor := w.deployText(`
from pvm_host import delete_state, scan_state_prefix, set_state

def fill(payload):
    for i in range(40): set_state(b"k%d" % i, b"v")

def remove(payload):
    for i in range(40): delete_state(b"k%d" % i)
    for i in range(10): scan_state_prefix(payload)

def make_and_remove(payload):
    for i in range(40): set_state(b"m%d" % i, b"v")
    for i in range(40): delete_state(b"m%d" % i)
    for i in range(10): scan_state_prefix(payload)
`)
	cost := func(handler, prefix string) uint64 {
		x := w.call(1, actor, handler, []byte(prefix))
		if x.Status != block.Success {
			t.Fatal(x.Fault)
		}
		return uint64(x.CyclesUsed)
	}
	cost("fill", "")
	none := cost("remove", "z")
	cost("fill", "")
	if got := cost("remove", "k"); got != none+10*40*25 {
		t.Errorf("ten scans past 40 entries cost %d cycles more than of nothing", got-none)
	}
	if got, none := cost("make_and_remove", "m"), cost("make_and_remove", "z"); got != none {
		t.Errorf("ten scans past what the turn made itself cost %d cycles, of nothing %d", got, none)
	}
}

package transition

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Execution reads the seed of the round before the block's own, as the header carries it: never the block's VRF, nor a seed of its own round. The first block
// follows genesis, which has no seed, and reads its hash.
//
// Spec: WP §3.4; commonware §3.6.
func TestBeaconOfExecution(t *testing.T) {
	var read [][]byte
	c := newChain(t, script{"roll": func(c *call) *block.Fault {
		read = append(read, bytes.Clone(c.turn.Block.Beacon))
		return nil
	}})
	genesis := c.tip.Header.Hash()
	for n := range 3 {
		read = nil
		c.mine(c.execute(person(1), actorAt(1), "roll"))
		want := genesis[:]
		if n > 0 {
			// The kit's headers carry the signature {1, height of the parent} as the seed of the parent's round.
			want = make([]byte, len(sig.BLSSignature{}))
			want[0], want[1] = 1, byte(n)
		}
		if len(read) != 2 || !bytes.Equal(read[0], want) || !bytes.Equal(read[1], want) {
			t.Errorf("block %d read %x, want %x twice", n+1, read, want)
		}
	}
}

// More messages than the drain asks for at once are delivered in one block, in the order in which they were sent, none twice and none left out.
//
// Spec: WP §3.3; sdk §7 (start of the next block).
func TestDeliveryBeyondOneBatch(t *testing.T) {
	const count = 2*drain.Batch + 88 // two whole batches and a part
	var got []string
	c := newChain(t, script{
		"burst": func(c *call) *block.Fault {
			for n := range count {
				if f := must(c, c.send(actorAt(byte(2+n%7)), "take", fmt.Sprint(n))); f != nil {
					return f
				}
			}
			return nil
		},
		"take": func(c *call) *block.Fault {
			c.use(10, 0)
			got = append(got, string(c.turn.Payload.Data))
			return nil
		},
	})
	c.mine(c.execute(person(1), actorAt(1), "burst", func(x *tx.Tx) { x.CyclesLimit = 21_000 + count*(5_000+10) }))
	built := c.mine()
	if len(built.Receipts) != count {
		t.Fatalf("%d receipts in the next block, want %d", len(built.Receipts), count)
	}
	if len(got) != 2*count { // the block was built and verified
		t.Fatalf("%d deliveries in two executions, want %d", len(got), 2*count)
	}
	for n, said := range got {
		if said != fmt.Sprint(n%count) {
			t.Fatalf("delivery %d is %q", n, said)
		}
	}
	if openPools(c) != 0 {
		t.Errorf("%d pools are left", openPools(c))
	}
}

// The fan-out of an origin counts what its deliveries send, whichever block they are in: 1 by the transaction, 1,022 by the first delivery, and of the
// third generation one more fits.
//
// Spec: WP §3.3 (1,024 messages for each transaction, nested sends included).
func TestFanoutOverLaterDeliveries(t *testing.T) {
	var refused, sent int
	c := newChain(t, script{
		"first": func(c *call) *block.Fault { return must(c, c.send(actorAt(2), "second", "")) },
		"second": func(c *call) *block.Fault {
			for range params.FanoutPerTx - 2 {
				if f := must(c, c.send(actorAt(3), "third", "")); f != nil {
					return f
				}
			}
			return nil
		},
		"third": func(c *call) *block.Fault {
			c.use(1, 0)
			switch err := c.send(actorAt(4), "fourth", ""); {
			case err == nil:
				sent++
			case errors.Is(err, mailbox.ErrFanout):
				refused++
			default:
				return must(c, err)
			}
			return nil
		},
		"fourth": func(*call) *block.Fault { return nil },
	})
	c.mine(c.execute(person(1), actorAt(1), "first", func(x *tx.Tx) { x.CyclesLimit = 6_000_000 }))
	c.mine()
	c.mine()
	// Each block is executed twice.
	if sent != 2 || refused != 2*(params.FanoutPerTx-3) {
		t.Errorf("%d sent and %d refused in two executions, want 2 and %d", sent, refused, 2*(params.FanoutPerTx-3))
	}
	if last := c.mine(); len(last.Receipts) != 1 {
		t.Errorf("%d messages of the fourth generation, want 1", len(last.Receipts))
	}
}

// A fire pays the basefee times the timer lane's multiplier: with one and a half, 15,000 base units for a cycle and for a cell where another lane's
// work costs 10,000.
//
// Spec: WP §5.1a, §6.3, §17.9; scheduler-timers §6.2.
func TestTimerPaysTheLanesPrice(t *testing.T) {
	c := newChain(t, script{
		"arm":  scheduling(2, timer.Request{Handler: "fire"}),
		"fire": func(c *call) *block.Fault { c.use(3_000, 7); return nil },
	})
	multipliers := params.Genesis().Lanes
	multipliers.Timer = 1_500_000 // parts per million
	c.mine(c.sign(admin, &tx.UpdateLaneFeeMultipliers{Multipliers: multipliers}))
	c.mine(c.execute(person(1), actorAt(1), "arm"))
	c.mine()
	before := c.account(actorAt(1)).Balance
	x := c.mine().wantReceipt(t, 0, block.Timer, block.Success, 0)
	want := unit.Amount((uint64(x.CyclesUsed) + uint64(x.CellsUsed)) * 15_000)
	if x.CyclesUsed < 3_000 || x.CellsUsed < 7 || x.FeeBurned != want {
		t.Errorf("burned %d for %d cycles and %d cells, want %d", x.FeeBurned, x.CyclesUsed, x.CellsUsed, want)
	}
	if paid := before - c.account(actorAt(1)).Balance; paid != want {
		t.Errorf("the actor paid %d, want %d", paid, want)
	}
}

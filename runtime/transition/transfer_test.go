package transition

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// A transfer of 5 CBY with tip 7 at basefee 10,000: 21,000 cycles cost 210,000,000 burned and 147,000 tipped. The proposer also gets the
// block's inflation: 8 % of the supply of 102,000 CBY... a year, floor of one block's share.
//
// Spec: WP §2.3, §17.2, §8.2, §8.4.
func TestTransfer(t *testing.T) {
	c := newChain(t, nil)
	total, err := mustSupply(c).Total()
	if err != nil {
		t.Fatal(err)
	}
	v := c.sign(person(1), &tx.Transfer{To: person(2), Amount: 5 * unit.CBY}, func(x *tx.Tx) { x.MaxPriorityFeePerCycle = 7 })
	r := c.mine(v)
	x := r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if x.CyclesUsed != 21_000 || x.CellsUsed != 0 || x.FeeBurned != 210_000_000 || x.FeeTipped != 147_000 {
		t.Errorf("receipt %+v", x)
	}
	if got := c.account(person(1)); got.Balance != 10_000*unit.CBY-5*unit.CBY-210_147_000 || got.Nonce != 1 {
		t.Errorf("sender %+v", got)
	}
	if got := c.account(person(2)).Balance; got != 10_005*unit.CBY {
		t.Errorf("receiver %d", got)
	}
	minted := uint64(total) / 10_000 * 800 / params.BlocksPerYear // the supply is a multiple of 10,000
	if got := c.account(proposer).Balance; uint64(got) != minted+147_000 {
		t.Errorf("proposer %d, want %d", got, minted+147_000)
	}
	if s := mustSupply(c); s.Burned != 210_000_000 || uint64(s.Minted) != minted {
		t.Errorf("supply %+v", s)
	}
	// 21,000 of 20,000,000 cycles used: both basefees stay at the floor.
	if r.Basefees != params.GenesisBasefees() {
		t.Errorf("basefees %+v", r.Basefees)
	}
}

func mustSupply(c *chain) fee.Supply {
	c.t.Helper()
	s, err := fee.LoadSupply(c.tip.State)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// Spec: WP §2.3; sdk §18 (1220).
func TestTransferCases(t *testing.T) {
	c := newChain(t, nil)
	r := c.mine(
		c.sign(person(1), &tx.Transfer{To: person(1), Amount: unit.CBY}),
		c.sign(person(2), &tx.Transfer{To: actorAt(1), Amount: unit.CBY}),
		c.sign(person(3), &tx.FundActor{Actor: actorAt(2), Amount: unit.CBY}),
		c.sign(person(4), &tx.FundActor{Actor: person(5), Amount: unit.CBY}),
		c.sign(person(6), &tx.Transfer{To: account.Address{9}, Amount: unit.CBY}),
		c.sign(person(7), &tx.FundActor{Actor: person(7), Amount: unit.CBY}),
	)
	faults := map[account.Address]uint16{person(4): drain.FaultActor, person(7): drain.FaultActor}
	for _, x := range r.Receipts {
		if x.Fault.Code != faults[x.Sender] {
			t.Errorf("%v: fault %d %s", x.Sender, x.Fault.Code, x.Fault.Text)
		}
	}
	fee := unit.Amount(210_000_000)
	for addr, want := range map[account.Address]unit.Amount{
		person(1):          10_000*unit.CBY - fee,
		person(2):          9_999*unit.CBY - fee,
		actorAt(1):         1_001 * unit.CBY,
		person(3):          9_999*unit.CBY - fee,
		actorAt(2):         1_001 * unit.CBY,
		person(4):          10_000*unit.CBY - fee,
		person(5):          10_000 * unit.CBY,
		account.Address{9}: unit.CBY,
	} {
		t.Run(fmt.Sprint(addr), func(t *testing.T) {
			if got := c.account(addr).Balance; got != want {
				t.Errorf("%v holds %d, want %d", addr, got, want)
			}
		})
	}
}

// A proposer leaves out what cannot run; a verifier refuses a block that holds it.
//
// Spec: WP §2.2 (b).
func TestRefusals(t *testing.T) {
	c := newChain(t, nil)
	send := func(n byte, edit ...func(*tx.Tx)) tx.Verified {
		return c.sign(person(n), &tx.Transfer{To: person(9), Amount: 1}, edit...)
	}
	good := send(1)
	bad := []struct {
		v     tx.Verified
		class error
	}{
		{send(2, func(x *tx.Tx) { x.Nonce = 3 }), tx.ErrNonce},
		{send(3, func(x *tx.Tx) { x.MaxFeePerCycle = 9_999 }), tx.ErrBelowBasefee},
		{c.sign(person(4), &tx.Transfer{To: person(9), Amount: 20_000 * unit.CBY}), tx.ErrValue},
		{c.sign(person(5), &tx.Transfer{To: person(9), Amount: 9_999 * unit.CBY}), tx.ErrFunds},
		{c.sign(person(6), &tx.CancelTimer{}), tx.ErrNotPrivileged},
	}
	txs := []tx.Verified{good}
	for _, b := range bad {
		txs = append(txs, b.v)
	}
	built, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: txs}, c.script)
	if err != nil {
		t.Fatal(err)
	}
	if len(built.Txs) != 1 || len(built.Refused) != len(bad) {
		t.Fatalf("%d included, %d refused", len(built.Txs), len(built.Refused))
	}
	if _, err := Apply(c.tip, Job{Header: built.Header, Txs: built.Txs}, c.script); err != nil {
		t.Fatal(err)
	}
	for i, b := range bad {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			h := built.Header
			h.TxRoot, h.TxCount = block.TxRoot([]digest.Hash{b.v.Hash()}), 1
			_, err := Apply(c.tip, Job{Header: h, Txs: []tx.Verified{b.v}}, c.script)
			var verdict *Invalid
			if !errors.As(err, &verdict) || !errors.Is(err, b.class) {
				t.Errorf("%v: %v", b.class, err)
			}
		})
	}
}

// Each committed field is checked.
//
// Spec: WP "The State Transition Function", §4.2.
func TestMismatch(t *testing.T) {
	c := newChain(t, nil)
	built, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: []tx.Verified{
		c.sign(person(1), &tx.Transfer{To: person(2), Amount: 1})}}, c.script)
	if err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]func(*block.Header){
		"cycles used":  func(h *block.Header) { h.CyclesUsed++ },
		"cells used":   func(h *block.Header) { h.CellsUsed++ },
		"receipt root": func(h *block.Header) { h.ReceiptRoot[0]++ },
		"state root":   func(h *block.Header) { h.StateRoot[0]++ },
	} {
		t.Run(name, func(t *testing.T) {
			h := built.Header
			edit(&h)
			_, err := Apply(c.tip, Job{Header: h, Txs: built.Txs}, c.script)
			var m *Mismatch
			if !errors.As(err, &m) || m.Field != name {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for class, edit := range map[error]func(*block.Header){
		block.ErrTxRoot:    func(h *block.Header) { h.TxRoot[0]++ },
		block.ErrBasefee:   func(h *block.Header) { h.CycleBasefee++ },
		block.ErrParent:    func(h *block.Header) { h.Height++ },
		block.ErrTimestamp: func(h *block.Header) { h.TimestampMs = 0 },
		block.ErrChain:     func(h *block.Header) { h.ChainID = 2 },
	} {
		t.Run(fmt.Sprint(class), func(t *testing.T) {
			h := built.Header
			edit(&h)
			var verdict *Invalid
			if _, err := Apply(c.tip, Job{Header: h, Txs: built.Txs}, c.script); !errors.As(err, &verdict) || !errors.Is(err, class) {
				t.Errorf("%v: %v", class, err)
			}
		})
	}
}

// The builder may have to start over: a sender's later transaction is unaffordable, which moves the earlier one in the VRF order.
//
// Spec: WP §6.5.
func TestBuildStartsOver(t *testing.T) {
	for round := range 12 {
		c := newChain(t, nil)
		for range round { // other heights, other VRF outputs
			c.mine()
		}
		var txs []tx.Verified
		for n := byte(1); n <= 4; n++ {
			txs = append(txs, c.sign(person(n), &tx.Transfer{To: person(9), Amount: 1}))
			txs = append(txs, c.sign(person(n), &tx.Transfer{To: person(9), Amount: 9_970 * unit.CBY}))
			txs = append(txs, c.sign(person(n), &tx.Transfer{To: person(9), Amount: 9_970 * unit.CBY}))
		}
		if r := c.mine(txs...); len(r.Txs) != 8 || len(r.Refused) != 4 {
			t.Fatalf("%d included, %d refused", len(r.Txs), len(r.Refused))
		}
	}
}

// Blocks above target raise the price of the next, blocks below lower it to the floor.
//
// Spec: WP §4.2, §17.8.
func TestBasefeeMoves(t *testing.T) {
	burn := func(c *call) *block.Fault { c.use(20_000_000, 0); return nil }
	c := newChain(t, script{"burn": burn})
	heavy := func(n byte) tx.Verified {
		return c.execute(person(n), actorAt(n), "burn", func(x *tx.Tx) { x.CyclesLimit = 21_000_000; x.MaxFeePerCycle = 30_000 })
	}
	r := c.mine(heavy(1), heavy(2))
	if len(r.Txs) != 2 || r.Used.Cycles != 40_042_000 {
		t.Fatalf("%d transactions, %d cycles, refused %v", len(r.Txs), r.Used.Cycles, r.Refused)
	}
	if r.Basefees != (params.Basefees{Cycle: 10_104, Cell: 10_000}) { // the clamp: 10,000/96 = 104
		t.Errorf("after a full block %+v", r.Basefees)
	}
	if r = c.mine(); r.Header.CycleBasefee != 10_104 || r.Basefees.Cycle != 10_000 { // 10,104/96 = 105, floor
		t.Errorf("after an empty block %d, %+v", r.Header.CycleBasefee, r.Basefees)
	}
}

package transition

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// begins is the height version 2 begins at in these tests.
const begins unit.Height = 4

// twoVersions are a first version without CreateAccount and without the chapter of timers, and a second with both, in which a transfer costs 30,000 cycles
// and a delivery 7,000.
func twoVersions() *protocol.Table {
	var without, with []protocol.Edition
	for _, c := range system.Chapters() {
		with = append(with, protocol.Edition{Chapter: c.Name, Number: 1})
		if c.Name != tx.ChapterTimer {
			without = append(without, protocol.Edition{Chapter: c.Name, Number: 1})
		}
	}
	first := &protocol.Version{Number: 1, Rows: tx.All().Without(tx.OpCreateAccount), Costs: params.FirstCosts(), Chapters: without}
	transfer, _ := tx.RowOf(tx.OpTransfer)
	transfer.Intrinsic.Cycles = 30_000
	second := &protocol.Version{Number: 2, Rows: tx.All().With(transfer), Costs: params.FirstCosts(), Chapters: with}
	second.Costs.Delivery = 7_000
	return protocol.NewTable(first, second)
}

func secondBegins(p *params.Params) { p.Schedule = params.Schedule{{Version: 2, Height: begins}} }

// Blocks below the height of an activation have the old instructions, costs and chapters, those from it on the new ones. The header says which, and a
// replay of all blocks on a fresh state, in which nothing is remembered, gives the same headers.
func TestVersionsOfOneChain(t *testing.T) {
	c := newChain(t, script{
		"send": func(c *call) *block.Fault { return must(c, c.send(actorAt(2), "got", "")) },
		"got":  func(c *call) *block.Fault { c.use(10, 0); return nil },
	}, secondBegins)
	c.versions = twoVersions()
	first := c.tip
	for h := unit.Height(1); h < begins+2; h++ {
		version, transfer, delivery := uint64(1), unit.Cycles(21_000), unit.Cycles(5_000) // the constants of version 1
		if h >= begins {
			version, transfer, delivery = 2, 30_000, 7_000
		}
		create := c.sign(person(3), &tx.CreateAccount{Address: account.Address{0: 0xee, 19: byte(h)}, Amount: 1})
		r := c.mine(
			c.sign(person(1), &tx.Transfer{To: person(2), Amount: 1}),
			c.execute(person(2), actorAt(1), "send"),
			create,
			c.sign(person(4), &tx.TimerSchedule{Actor: actorAt(3), Height: 100, Handler: []byte("wake")}),
		)
		if r.Header.Version != version {
			t.Errorf("block %d has version %d, want %d", h, r.Header.Version, version)
		}
		deliveries := 0
		for _, x := range r.Receipts {
			switch {
			case x.Kind == block.Message:
				deliveries++
				want := delivery + 10 // a block delivers at its own version's price what the one below sent
				if x.CyclesUsed != want {
					t.Errorf("block %d: a delivery costs %d, want %d", h, x.CyclesUsed, want)
				}
			case x.Sender == person(1) && x.CyclesUsed != transfer:
				t.Errorf("block %d: a transfer costs %d, want %d", h, x.CyclesUsed, transfer)
			case x.Sender == person(4) && (x.Fault.Code == drain.FaultUnavailable) != (version == 1):
				t.Errorf("block %d: scheduling a timer gives %+v", h, x.Fault)
			}
		}
		if want := min(int(h)-1, 1); deliveries != want {
			t.Errorf("block %d: %d deliveries, want %d", h, deliveries, want)
		}
		var unsupported *tx.Unsupported
		switch {
		case version == 1 && (len(r.Refused) != 1 || !errors.As(r.Refused[0].Reason, &unsupported)):
			t.Errorf("block %d: refused %+v", h, r.Refused)
		case version == 1:
			c.nonces[person(3)]--
		case len(r.Refused) != 0:
			t.Errorf("block %d: refused %+v", h, r.Refused)
		}
	}
	tip := first
	for _, r := range c.results {
		again, err := Apply(Parent{Header: tip.Header, State: tip.State}, Job{Header: r.Header, Txs: r.Txs, Protocol: twoVersions()}, c.script)
		if err != nil {
			t.Fatal(err)
		}
		if again.Header.Hash() != r.Header.Hash() {
			t.Fatalf("block %d is another in a replay", r.Header.Height)
		}
		header := again.Header
		tip = Parent{Header: &header, State: again.State}
	}
}

// A block that claims another version than its height has is invalid, and so is one with an instruction or a price of another.
func TestBlockOfWrongVersion(t *testing.T) {
	for name, x := range map[string]struct {
		at   unit.Height
		job  func(c *chain, h block.Header) Job
		want error
	}{
		"too early": {1, func(c *chain, h block.Header) Job { h.Version = 2; return Job{Header: h} }, block.ErrVersion},
		"too late":  {begins, func(c *chain, h block.Header) Job { h.Version = 1; return Job{Header: h} }, block.ErrVersion},
		"instruction to come": {begins - 1, func(c *chain, h block.Header) Job {
			return Job{Header: h, Txs: []tx.Verified{c.sign(person(3), &tx.CreateAccount{Address: account.Address{0: 0xee}, Amount: 1})}}
		}, tx.ErrUnsupported},
		"limit below the new price": {begins, func(c *chain, h block.Header) Job {
			h.Version = 2
			return Job{Header: h, Txs: []tx.Verified{
				c.sign(person(1), &tx.Transfer{To: person(2), Amount: 1}, func(t *tx.Tx) { t.CyclesLimit = 29_999 }),
			}}
		}, tx.ErrCycles},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, script{}, secondBegins)
			c.versions = twoVersions()
			for c.tip.Header.Height+1 < x.at {
				c.mine()
			}
			job := x.job(c, c.header())
			job.Protocol = c.versions
			_, err := Begin(c.tip, job)
			var invalid *Invalid
			if !errors.As(err, &invalid) || !errors.Is(err, x.want) {
				t.Errorf("%v, want %v", err, x.want)
			}
		})
	}
}

// A version the program does not know is a failure of this machine: it says which and does not call the block invalid.
func TestUnknownVersion(t *testing.T) {
	c := newChain(t, script{}, func(p *params.Params) { p.Schedule = params.Schedule{{Version: 2, Height: 2}} })
	c.mine()
	_, err := Begin(c.tip, Job{Mode: Build, Header: c.header()})
	var unknown *protocol.UnknownError
	var invalid *Invalid
	if !errors.As(err, &unknown) || errors.As(err, &invalid) || *unknown != (protocol.UnknownError{Version: 2, Height: 2, Newest: 1}) {
		t.Errorf("%v", err)
	}
}

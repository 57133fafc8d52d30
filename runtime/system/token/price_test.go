package token

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// purse is a meter that counts.
type purse struct{ cycles, cells uint64 }

func (p *purse) Charge(n uint64) error {
	if n > p.cycles {
		return chapter.ErrCycles
	}
	p.cycles -= n
	return nil
}

func (p *purse) ChargeCells(n uint64) error {
	if n > p.cells {
		return chapter.ErrCells
	}
	p.cells -= n
	return nil
}

func (p *purse) Left() uint64      { return p.cycles }
func (p *purse) CellsLeft() uint64 { return p.cells }

const plenty = 1_000_000

var (
	ann, bob, cid = account.Address{1}, account.Address{2}, account.Address{3}
	key           = mustKey()
	owner         = key.Address()
)

func mustKey() *sig.PrivateKey {
	k, err := sig.ParsePrivateKey(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		panic(err)
	}
	return k
}

// fixture is an execution of ann's, in a state with a token of hers of which she may spend some of bob's and has some herself.
type fixture struct {
	*chapter.Env
	id token.ID
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	b := &drain.Block{ChainID: 7, Height: 10, Params: params.Genesis()}
	d := &fixture{Env: &chapter.Env{
		Chapter: New(), Turn: &drain.Turn{Block: b, Nonce: 5}, Block: b, State: overlay, Self: token.Home(), Sender: ann, Meter: &purse{plenty, plenty},
		Effects: &chapter.Effects{},
	}}
	g := registry(d.Env)
	var err error
	if d.id, err = g.Create(ann, 0, token.Terms{Name: []byte("Hay"), Symbol: []byte("HAY"), Supply: unit.Wide(1000)}); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{g.Transfer(ann, d.id, bob, unit.Wide(100)), g.Approve(bob, d.id, ann, unit.Wide(50)), g.Approve(ann, d.id, bob, unit.Wide(6))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d.Effects.Events = nil
	return d
}

// call runs a syscall.
func (d *fixture) call(name string, args ...any) (any, error) {
	for _, s := range d.Chapter.Syscalls {
		if s.Name == name {
			return s.Run(d.Env, args)
		}
	}
	return nil, fmt.Errorf("no call %s", name)
}

// send runs an instruction.
func (d *fixture) send(in tx.Instruction) ([]byte, error) {
	for _, x := range d.Chapter.Instructions {
		if x.Opcode == in.Opcode() {
			return x.Run(d.Env, in)
		}
	}
	return nil, fmt.Errorf("no instruction %v", in.Opcode())
}

// operation is an instruction, the call of the same meaning, and what both cost.
type operation struct {
	name          string
	in            func(d *fixture) tx.Instruction
	args          func(d *fixture) []any
	cycles, cells uint64
}

// operations have the prices of the tables.
//
// Spec: tokens §3; WP §17.3.
func operations() []operation {
	five := unit.Wide(5)
	permit := func(d *fixture) token.Permit {
		return token.Permit{Token: d.id, Owner: owner, Spender: bob, Value: five, Deadline: 10}
	}
	signed := func(d *fixture) sig.Signature {
		p := permit(d)
		return key.Sign(p.Digest(7))
	}
	return []operation{
		{"token_create", func(*fixture) tx.Instruction {
			return &tx.TokenCreate{Name: []byte("Oats"), Symbol: []byte("OAT"), Decimals: 3, InitialSupply: five, MetadataURI: []byte("x:yz")}
		}, func(*fixture) []any {
			return []any{[]byte("Oats"), []byte("OAT"), uint64(3), five, nil, nil, []byte("x:yz")}
		}, 10_000, 256 + 4 + 3 + 4},
		{"token_transfer", func(d *fixture) tx.Instruction { return &tx.TokenTransfer{TokenID: d.id, To: cid, Amount: five} },
			func(d *fixture) []any { return []any{d.id[:], cid, five} }, 1_000, 64},
		{"token_transfer_from", func(d *fixture) tx.Instruction {
			return &tx.TokenTransferFrom{TokenID: d.id, Owner: bob, To: cid, Amount: five}
		},
			func(d *fixture) []any { return []any{d.id[:], bob, cid, five} }, 1_500, 96},
		{"token_transfer_batch", func(d *fixture) tx.Instruction {
			return &tx.TokenTransferBatch{Transfers: []tx.TokenLeg{{TokenID: d.id, To: bob, Amount: five}, {TokenID: d.id, To: cid, Amount: five}}}
		}, func(d *fixture) []any {
			return []any{[]any{[]any{d.id[:], bob[:], int64(5)}, []any{d.id[:], cid[:], int64(5)}}}
		}, 500 + 2*500, 2 * 64},
		{"token_approve", func(d *fixture) tx.Instruction { return &tx.TokenApprove{TokenID: d.id, Spender: bob, Amount: five} },
			func(d *fixture) []any { return []any{d.id[:], bob, five} }, 500, 32},
		{"token_increase_allowance", func(d *fixture) tx.Instruction {
			return &tx.TokenIncreaseAllowance{TokenID: d.id, Spender: bob, Amount: five}
		},
			func(d *fixture) []any { return []any{d.id[:], bob, five} }, 500, 32},
		{"token_decrease_allowance", func(d *fixture) tx.Instruction {
			return &tx.TokenDecreaseAllowance{TokenID: d.id, Spender: bob, Amount: five}
		},
			func(d *fixture) []any { return []any{d.id[:], bob, five} }, 500, 32},
		{"token_permit", func(d *fixture) tx.Instruction {
			return &tx.TokenPermit{TokenID: d.id, Owner: owner, Spender: bob, Value: five, Deadline: 10, Signature: signed(d)}
		}, func(d *fixture) []any {
			s := signed(d)
			return []any{d.id[:], owner, bob, five, uint64(10), uint64(0), s[:]}
		}, 500 + 10_000, 32},
		{"token_mint", func(d *fixture) tx.Instruction { return &tx.TokenMint{TokenID: d.id, To: cid, Amount: five} },
			func(d *fixture) []any { return []any{d.id[:], cid, five} }, 1_000, 64},
		{"token_burn", func(d *fixture) tx.Instruction { return &tx.TokenBurn{TokenID: d.id, Amount: five} },
			func(d *fixture) []any { return []any{d.id[:], five} }, 500, 64},
		{"token_freeze_account", func(d *fixture) tx.Instruction { return &tx.TokenFreeze{TokenID: d.id, Account: cid} },
			func(d *fixture) []any { return []any{d.id[:], cid} }, 500, 32},
		{"token_unfreeze_account", func(d *fixture) tx.Instruction { return &tx.TokenUnfreeze{TokenID: d.id, Account: cid} },
			func(d *fixture) []any { return []any{d.id[:], cid} }, 500, 32},
		{"token_set_hook", func(d *fixture) tx.Instruction { return &tx.TokenSetHook{TokenID: d.id, TransferHook: &cid} },
			func(d *fixture) []any { return []any{d.id[:], cid} }, 500, 32},
		{"token_transfer_ownership", func(d *fixture) tx.Instruction { return &tx.TokenTransferOwnership{TokenID: d.id, NewOwner: cid} },
			func(d *fixture) []any { return []any{d.id[:], cid} }, 500, 32},
	}
}

// spent is what the fixture has used of its meter.
func (d *fixture) spent() (cycles, cells uint64) {
	p := d.Meter.(*purse)
	return plenty - p.cycles, plenty - p.cells
}

// entries are the state's, without how many tokens an actor has created, which only actors count.
func (d *fixture) entries(t *testing.T) string {
	t.Helper()
	var all bytes.Buffer
	err := d.State.Scan(nil, nil, 0, func(key, value []byte) bool {
		if !bytes.Contains(key, []byte("tokens/created/")) {
			fmt.Fprintf(&all, "%x=%x\n", key, value)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// Every instruction and the call of the same meaning cost what the tables say, write the same and emit the same; with a cycle or a cell less they do not run.
//
// Spec: tokens §3, §4; WP §17.3.
func TestPrices(t *testing.T) {
	list := operations()
	if c := New(); len(list) != len(c.Instructions) || len(list) != len(c.Syscalls)-4 {
		t.Errorf("%d operations, %d instructions, %d calls of which 4 read", len(list), len(c.Instructions), len(c.Syscalls))
	}
	for _, op := range list {
		sent, called := newFixture(t), newFixture(t)
		if op.name == "token_create" {
			sent.Turn.Nonce = 0 // as the actor's first
		}
		data, err := sent.send(op.in(sent))
		if err != nil {
			t.Fatalf("%s: %v", op.name, err)
		}
		got, err := called.call(op.name, op.args(called)...)
		if err != nil {
			t.Fatalf("%s: %v", op.name, err)
		}
		if id, made := got.(token.ID); made != (data != nil) || made && !bytes.Equal(id[:], data) || !made && got != true {
			t.Errorf("%s gives %v and %x", op.name, got, data)
		}
		if a, b := sent.entries(t), called.entries(t); a != b || a == newFixture(t).entries(t) && op.name != "token_unfreeze_account" {
			t.Errorf("%s writes\n%s\nas an instruction, and\n%s", op.name, a, b)
		}
		if a, b := fmt.Sprint(sent.Effects.Events), fmt.Sprint(called.Effects.Events); a != b || len(sent.Effects.Events) == 0 {
			t.Errorf("%s emits %s and %s", op.name, a, b)
		}
		for _, d := range []*fixture{sent, called} {
			if cycles, cells := d.spent(); cycles != op.cycles || cells != op.cells {
				t.Errorf("%s costs %d cycles, %d cells; want %d, %d", op.name, cycles, cells, op.cycles, op.cells)
			}
		}
		for _, short := range []struct {
			purse purse
			want  error
		}{{purse{op.cycles, op.cells}, nil}, {purse{op.cycles - 1, op.cells}, chapter.ErrCycles}, {purse{op.cycles, op.cells - 1}, chapter.ErrCells}} {
			t.Run(fmt.Sprintf("%s with %d cycles and %d cells", op.name, short.purse.cycles, short.purse.cells), func(t *testing.T) {
				d := newFixture(t)
				d.Meter = &short.purse
				before := d.entries(t)
				if _, err := d.call(op.name, op.args(d)...); !errors.Is(err, short.want) || err != nil && d.entries(t) != before {
					t.Error(err)
				}
			})
		}
	}
}

// Readings cost cycles and no cells, and give nothing for a token nobody made.
//
// Spec: tokens §3; sdk §13.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []any
		cycles uint64
		want   any
	}{
		{"token_balance_of", []any{bob}, 100, unit.Wide(100)},
		{"token_balance_of", []any{cid}, 100, unit.Wide(0)},
		{"token_allowance", []any{bob, ann}, 100, unit.Wide(50)},
		{"token_total_supply", nil, 100, unit.Wide(1000)},
		{"token_info", nil, 200, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newFixture(t)
			got, err := d.call(c.name, append([]any{d.id[:]}, c.args...)...)
			if err != nil || c.want != nil && got != c.want || got == nil {
				t.Errorf("gives %v, %v", got, err)
			}
			if cycles, cells := d.spent(); cycles != c.cycles || cells != 0 || len(d.Effects.Events) != 0 {
				t.Errorf("costs %d cycles, %d cells", cycles, cells)
			}
			if got, err := d.call(c.name, append([]any{make([]byte, 32)}, c.args...)...); got != nil || err != nil {
				t.Errorf("of an unknown token: %v, %v", got, err)
			}
		})
	}
}

// A permit counts towards the signatures a block may check, whatever comes of it, and the one beyond is refused.
//
// Spec: WP §3.5; tokens §4.
func TestPermitsOfABlock(t *testing.T) {
	d := newFixture(t)
	p := token.Permit{Token: d.id, Owner: owner, Spender: bob, Deadline: 10}
	d.Turn.Checked = params.VerifyWeightPerBlock - 1
	if err := permit(d.Env, p, sig.Signature{}); !errors.Is(err, token.ErrSignature) || d.Effects.Checked != 1 {
		t.Errorf("the last one: %v, weight %d", err, d.Effects.Checked)
	}
	err := permit(d.Env, p, key.Sign(p.Digest(7)))
	if f, ok := d.Chapter.FaultOf(err); !ok || f.Code != drain.FaultLimit {
		t.Errorf("one more: %v", err)
	}
}

// Every reject has a code of its own, those the text names theirs, and a class in Python.
//
// Spec: tokens §7; sdk §18.
func TestFaults(t *testing.T) {
	seen := map[uint16]bool{}
	for _, f := range New().Faults {
		if f.Code >= 1400 && (f.Code > 1499 || seen[f.Code]) || f.Class == "" || f.Host == 0 {
			t.Errorf("%v: %+v", f.Err, f)
		}
		seen[f.Code] = true
	}
	for err, code := range map[error]uint16{
		token.ErrBalance: 1403, token.ErrAllowance: 1404, token.ErrAuthority: 1406, token.ErrSupply: 1407, token.ErrRejected: 1408,
		token.ErrHookCycles: 1411, token.ErrHookCells: 1412, token.ErrExpired: 1413, token.ErrSignature: 1414, token.ErrNonce: 1415,
	} {
		t.Run(err.Error(), func(t *testing.T) {
			if f, ok := New().FaultOf(fmt.Errorf("%w: more", err)); !ok || f.Code != code {
				t.Errorf("E%d, want E%d", f.Code, code)
			}
		})
	}
	if _, ok := New().FaultOf(errors.New("disk on fire")); ok {
		t.Error("a failure is no reject")
	}
}

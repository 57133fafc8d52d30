package session

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// world is a book with a payer, a registered runner and the coins around them.
type world struct {
	t             testing.TB
	overlay       *state.Overlay
	now           unit.Height
	payer, runner *sig.PrivateKey
	burned        unit.Amount
	said          []string
	nonce         uint64
}

func secretOf(name string) *sig.PrivateKey {
	secret := digest.SHA256([]byte(name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		panic(err)
	}
	return key
}

func newWorld(t testing.TB) *world {
	w := &world{
		t: t, overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), now: 1_000, payer: secretOf("payer"), runner: secretOf("runner"),
	}
	w.must(account.Credit(w.overlay, w.payer.Address(), 10_000))
	r := &runner.Registry{State: w.overlay, Params: params.Genesis(), Height: 10, Emit: func(string, []byte) {}}
	w.must(r.Register(w.runner.Address(), runner.Terms{
		Key: w.runner.Compressed(), Stake: 20_000 * unit.CBY, Card: runner.RateCard{LLMOutputToken: 3, MaxJobValue: unit.CBY},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 2},
	}))
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// do runs one instruction as a block does: a reject leaves nothing.
func (w *world) do(run func(b *Book) error) error {
	mark, burned, said := w.overlay.Mark(), w.burned, len(w.said)
	err := run(&Book{
		State: w.overlay, ChainID: 7, Height: w.now, Split: params.Split{RunnerBPS: 8_900, BurnBPS: 1_000, TreasuryBPS: 100},
		Emit: func(topic string, data []byte) { w.said = append(w.said, fmt.Sprintf("%s %x", topic, data[32:])) },
		Bill: func(account.Address) error { return nil },
		Burn: func(amount unit.Amount) { w.burned += amount },
	})
	if err != nil {
		w.overlay.Revert(mark)
		w.burned, w.said = burned, w.said[:said]
	}
	return err
}

func (w *world) open(most uint64, deposit unit.Amount, expires unit.Height) (id digest.Hash, err error) {
	w.nonce++
	err = w.do(func(b *Book) error {
		id, err = b.Open(w.payer.Address(), w.nonce, Terms{Runner: w.runner.Address(), MaxAmount: unit.Wide(most), Deposit: deposit, Expires: expires})
		return err
	})
	return id, err
}

func (w *world) settle(by *sig.PrivateKey, v voucher.Voucher, signer *sig.PrivateKey) error {
	return w.do(func(b *Book) error { return b.Settle(by.Address(), &v, signer.Sign(v.Digest(7))) })
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

// holds compares the coins of payer, escrow, runner and treasury, and what was burned.
func (w *world) holds(payer, escrow, taker, treasury, burned unit.Amount) {
	w.t.Helper()
	got := [...]unit.Amount{
		w.balance(w.payer.Address()), w.balance(Home()), w.balance(w.runner.Address()), w.balance(account.System(account.Treasury)), w.burned,
	}
	if want := [...]unit.Amount{payer, escrow, taker, treasury, burned}; got != want {
		w.t.Errorf("coins %v, want %v", got, want)
	}
}

func (w *world) status(id digest.Hash) *Session {
	w.t.Helper()
	s, err := Load(w.overlay, id)
	w.must(err)
	return s
}

// A session from its opening to its end, with every amount.
//
// Spec: gateway-payments-streams §D (52 to 56).
func TestASessionIsPaidByVouchers(t *testing.T) {
	w := newWorld(t)
	id, err := w.open(1_000, 500, 2_000)
	w.must(err)
	w.holds(9_500, 500, 0, 0, 0)
	w.must(w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(199), Nonce: 3, Expires: 1_000}, w.payer))
	w.holds(9_500, 301, 179, 1, 19) // 199: a tenth is 19.9, a hundredth 1.99
	w.must(w.do(func(b *Book) error { return b.Deposit(w.payer.Address(), id, 500) }))
	w.holds(9_000, 801, 179, 1, 19)
	w.must(w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(200), Nonce: 4, Expires: 1_000}, w.payer))
	w.holds(9_000, 800, 180, 1, 19)
	w.must(w.do(func(b *Book) error { return b.Close(w.payer.Address(), id) }))
	w.now += ClosingBlocks - 1
	w.must(w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(900), Nonce: 5, Expires: w.now}, w.payer))
	w.holds(9_000, 100, 803, 8, 89)
	if err := w.do(func(b *Book) error { return b.Finalize(id) }); !errors.Is(err, ErrEarly) {
		t.Errorf("a block too early: %v", err)
	}
	w.now++
	w.must(w.do(func(b *Book) error { return b.Finalize(id) }))
	w.holds(9_100, 0, 803, 8, 89)
	if s := w.status(id); s.Status != Settled || s.Spent != 900 || s.Nonce != 5 || s.Closed != 1_000 {
		t.Errorf("%+v", s)
	}
	want := []string{
		fmt.Sprintf("session.opened %x%xf403d00f", [20]byte(w.payer.Address()), [20]byte(w.runner.Address())),
		"session.settled c701b3011301", "session.deposited f403e807", "session.settled c801010000", "session.closing b308",
		"session.settled 8407ef044607", "session.finalized 03840764",
	}
	if fmt.Sprint(w.said) != fmt.Sprint(want) {
		t.Errorf("events\n%q, want\n%q", w.said, want)
	}
}

// Spec: gateway-payments-streams §D (Refunded; 56: Open past its expiry), §J.
func TestASessionThatNobodySettledGoesBack(t *testing.T) {
	w := newWorld(t)
	id, err := w.open(500, 500, 1_001)
	w.must(err)
	w.now = 1_001
	if err := w.do(func(b *Book) error { return b.Finalize(id) }); !errors.Is(err, ErrEarly) {
		t.Errorf("in its last block: %v", err)
	}
	w.now = 1_002
	w.must(w.do(func(b *Book) error { return b.Finalize(id) }))
	w.holds(10_000, 0, 0, 0, 0)
	if s := w.status(id); s.Status != Refunded {
		t.Errorf("%+v", s)
	}
	for name, run := range map[string]func(b *Book) error{
		"finalized again": func(b *Book) error { return b.Finalize(id) },
		"closed":          func(b *Book) error { return b.Close(w.payer.Address(), id) },
		"added to":        func(b *Book) error { return b.Deposit(w.payer.Address(), id, 1) },
		"settled": func(b *Book) error {
			v := voucher.Voucher{Session: id, Cumulative: unit.Wide(1), Nonce: 1, Expires: 2_000}
			return b.Settle(w.runner.Address(), &v, w.payer.Sign(v.Digest(7)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.do(run); !errors.Is(err, ErrStatus) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Spec: gateway-payments-streams §D (errors; 53: never above max_amount).
func TestWhatSessionsRefuse(t *testing.T) {
	w := newWorld(t)
	me, taker := w.payer.Address(), w.runner.Address()
	terms := Terms{Runner: taker, MaxAmount: unit.Wide(600), Deposit: 500, Expires: 1_001}
	opened := func(change func(t *Terms)) func(b *Book) error {
		return func(b *Book) error {
			x := terms
			change(&x)
			_, err := b.Open(me, 99, x)
			return err
		}
	}
	id, err := w.open(600, 500, 1_001)
	w.must(err)
	settled := func(by account.Address, chain uint64, signer *sig.PrivateKey, change func(v *voucher.Voucher)) func(b *Book) error {
		return func(b *Book) error {
			v := voucher.Voucher{Session: id, Cumulative: unit.Wide(5), Nonce: 1, Expires: 1_000}
			change(&v)
			return b.Settle(by, &v, signer.Sign(v.Digest(chain)))
		}
	}
	same := func(*voucher.Voucher) {}
	for name, c := range map[string]struct {
		run  func(b *Book) error
		want error
	}{
		"a token":              {opened(func(t *Terms) { t.Asset = 1 }), ErrAsset},
		"no deposit":           {opened(func(t *Terms) { t.Deposit = 0 }), ErrAmount},
		"max_amount itself":    {opened(func(t *Terms) { t.Deposit = 600 }), nil},
		"above max_amount":     {opened(func(t *Terms) { t.Deposit = 601 }), ErrAmount},
		"expires now":          {opened(func(t *Terms) { t.Expires = 1_000 }), ErrExpiry},
		"nobody's runner":      {opened(func(t *Terms) { t.Runner = me }), ErrRunner},
		"more than there is":   {opened(func(t *Terms) { t.MaxAmount, t.Deposit = unit.Wide(20_000), 9_501 }), ErrFunds},
		"all there is":         {opened(func(t *Terms) { t.MaxAmount, t.Deposit = unit.Wide(20_000), 9_500 }), nil},
		"deposit to the limit": {func(b *Book) error { return b.Deposit(me, id, 100) }, nil},
		"deposit above it":     {func(b *Book) error { return b.Deposit(me, id, 101) }, ErrAmount},
		"deposit of nothing":   {func(b *Book) error { return b.Deposit(me, id, 0) }, ErrAmount},
		"deposit of a wrap":    {func(b *Book) error { return b.Deposit(me, id, ^unit.Amount(0)) }, ErrAmount},
		"deposit of another":   {func(b *Book) error { return b.Deposit(taker, id, 1) }, ErrParty},
		"deposit to nothing":   {func(b *Book) error { return b.Deposit(me, digest.Hash{}, 1) }, ErrUnknown},
		"close by the runner":  {func(b *Book) error { return b.Close(taker, id) }, ErrParty},
		"close nothing":        {func(b *Book) error { return b.Close(me, digest.Hash{}) }, ErrUnknown},
		"finalize nothing":     {func(b *Book) error { return b.Finalize(digest.Hash{}) }, ErrUnknown},
		"a voucher":            {settled(taker, 7, w.payer, same), nil},
		"by its payer":         {settled(me, 7, w.payer, same), ErrParty},
		"of another chain":     {settled(taker, 1, w.payer, same), voucher.ErrSignature},
		"signed by the runner": {settled(taker, 7, w.runner, same), voucher.ErrSignature},
		"of nothing":           {settled(taker, 7, w.payer, func(v *voucher.Voucher) { v.Session = digest.Hash{} }), ErrUnknown},
		"nonce 0":              {settled(taker, 7, w.payer, func(v *voucher.Voucher) { v.Nonce = 0 }), voucher.ErrStale},
		"above the deposit":    {settled(taker, 7, w.payer, func(v *voucher.Voucher) { v.Cumulative = unit.Wide(501) }), voucher.ErrDeposit},
		"expired":              {settled(taker, 7, w.payer, func(v *voucher.Voucher) { v.Expires = 999 }), voucher.ErrExpired},
	} {
		t.Run(name, func(t *testing.T) {
			mark, burned, said := w.overlay.Mark(), w.burned, w.said
			if err := w.do(c.run); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			w.overlay.Revert(mark)
			w.burned, w.said = burned, said
		})
	}
	w.now = 1_002
	if err := w.do(func(b *Book) error { return b.Deposit(me, id, 1) }); !errors.Is(err, ErrExpiry) {
		t.Errorf("a deposit past the expiry: %v", err)
	}
}

// A runner that is leaving is no longer one that sessions can be opened with; the sessions it has are paid.
//
// Spec: gateway-payments-streams §D (52: runner must be registered).
func TestALeavingRunnerGetsNoNewSessions(t *testing.T) {
	w := newWorld(t)
	id, err := w.open(500, 500, 1_001)
	w.must(err)
	r := &runner.Registry{State: w.overlay, Params: params.Genesis(), Height: w.now, Emit: func(string, []byte) {}}
	w.must(r.Deregister(w.runner.Address()))
	if _, err := w.open(500, 500, 1_001); !errors.Is(err, ErrRunner) {
		t.Errorf("%v", err)
	}
	w.must(w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(100), Nonce: 1, Expires: 1_000}, w.payer))
	w.holds(9_500, 400, 89, 1, 10)
}

// The identity is that of voucher/testdata/vectors.py.
//
// Spec: gateway-payments-streams §D (session_id).
func TestIdentities(t *testing.T) {
	data, err := os.ReadFile("voucher/testdata/vouchers.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		ID struct {
			Payer, Runner string
			Session       string `json:"session_id"`
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	raw := func(text string) []byte { b, _ := hex.DecodeString(text); return b }
	if got := ID(account.Address(raw(list.ID.Payer)), account.Address(raw(list.ID.Runner)), 9, 77); got != digest.Hash(raw(list.ID.Session)) {
		t.Errorf("%v, want %s", got, list.ID.Session)
	}
}

// told is a session as the model of TestRandomSessions has it.
type told struct {
	most, deposit, spent uint64
	nonce                uint64
	expires, closed      unit.Height
	state                string
}

// Random operations against a model with plain numbers: who has what, and which sessions are in which state.
//
// Spec: gateway-payments-streams §D.
func TestRandomSessions(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random, w := rand.New(rand.NewPCG(seed, 1)), newWorld(t)
			var ids []digest.Hash
			model := map[digest.Hash]*told{}
			payer, taker, treasury, burned := uint64(10_000), uint64(0), uint64(0), uint64(0)
			for range 400 {
				w.now += unit.Height(random.IntN(12))
				n := random.Uint64N(400)
				var id digest.Hash
				var m *told
				if len(ids) > 0 {
					id = ids[random.IntN(len(ids))]
					m = model[id]
				}
				switch kind := random.IntN(6); {
				case m == nil || kind == 0:
					most, expires := random.Uint64N(800), w.now+unit.Height(random.IntN(150))
					id, err := w.open(most, unit.Amount(n), expires)
					if may := n > 0 && n <= most && n <= payer && expires > w.now; may != (err == nil) {
						t.Fatalf("open %d of %d: %v", n, most, err)
					} else if may {
						payer -= n
						ids, model[id] = append(ids, id), &told{most: most, deposit: n, expires: expires, state: "open"}
					}
				case kind == 1:
					err := w.do(func(b *Book) error { return b.Deposit(w.payer.Address(), id, unit.Amount(n)) })
					if may := m.state == "open" && n > 0 && m.deposit+n <= m.most && n <= payer && w.now <= m.expires; may != (err == nil) {
						t.Fatalf("deposit %d into %+v: %v", n, m, err)
					} else if may {
						m.deposit, payer = m.deposit+n, payer-n
					}
				case kind == 2 || kind == 3:
					to, nonce := m.spent+random.Uint64N(200), m.nonce+random.Uint64N(3)
					err := w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(to), Nonce: nonce, Expires: w.now}, w.payer)
					live := m.state == "open" || m.state == "closing"
					if may := live && nonce > m.nonce && to > m.spent && to <= m.deposit; may != (err == nil) {
						t.Fatalf("settle %d of %+v: %v", to, m, err)
					} else if may {
						delta := to - m.spent
						m.spent, m.nonce = to, nonce
						burned, treasury, taker = burned+delta/10, treasury+delta/100, taker+delta-delta/10-delta/100
					}
				case kind == 4:
					err := w.do(func(b *Book) error { return b.Close(w.payer.Address(), id) })
					if may := m.state == "open"; may != (err == nil) {
						t.Fatalf("close %+v: %v", m, err)
					} else if may {
						m.state, m.closed = "closing", w.now
					}
				default:
					err := w.do(func(b *Book) error { return b.Finalize(id) })
					if may := m.state == "open" && w.now > m.expires || m.state == "closing" && w.now >= m.closed+75; may != (err == nil) {
						t.Fatalf("finalize %+v at %d: %v", m, w.now, err)
					} else if may {
						payer += m.deposit - m.spent
						m.state = map[bool]string{true: "settled", false: "refunded"}[m.spent > 0]
					}
				}
				if m != nil && w.status(id).Status.String() != m.state {
					t.Fatalf("%v, want %s", w.status(id).Status, m.state)
				}
				escrow := 10_000 - payer - taker - treasury - burned
				w.holds(unit.Amount(payer), unit.Amount(escrow), unit.Amount(taker), unit.Amount(treasury), unit.Amount(burned))
			}
			if len(ids) < 10 || taker == 0 {
				t.Errorf("%d sessions, %d paid: the draw says little", len(ids), taker)
			}
		})
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §D.
func TestGoldenRecords(t *testing.T) {
	full := golden.Fill(&Session{})
	golden.Records(t, map[string][]byte{"Session": full.Append(nil)})
	if back, err := Decode(full.Append(nil)); err != nil || *back != *full {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range full.Append(nil) {
		if _, err := Decode(full.Append(nil)[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
	most := Session{Deposit: ^unit.Amount(0), Spent: ^unit.Amount(0), Nonce: 1<<64 - 1, Opened: 1<<64 - 1, Expires: 1<<64 - 1, Closed: 1<<64 - 1}
	if n := len(most.Append(nil)) + len(keyOf(digest.Hash{})) - 1; n > int(params.SessionRecordCells) {
		t.Errorf("a record takes %d bytes and pays for %d", n, params.SessionRecordCells)
	}
}

package stream

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

var publisher, till, ann, ben = account.Address{1}, account.Address{2}, account.Address{3}, account.Address{4}

// world is a manager with coins around it.
type world struct {
	t       testing.TB
	overlay *state.Overlay
	now     unit.Height
	said    []string
	fee     unit.Amount // what a publisher's committee takes, and how often
	quorum  uint64
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), now: 6_000}
	for _, a := range []account.Address{ann, ben} {
		w.must(account.Credit(w.overlay, a, 10_000))
	}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// as runs one call of an account as a turn does: a reject leaves nothing.
func (w *world) as(by account.Address, run func(m *Manager) error) error {
	mark, said := w.overlay.Mark(), len(w.said)
	err := run(&Manager{
		State: w.overlay, Height: w.now, Bill: func(account.Address) error { return nil },
		Spend: func(amount unit.Amount) error {
			if err := account.Debit(w.overlay, by, amount); err != nil {
				return ErrFunds
			}
			return nil
		},
		Emit:  func(topic string, _ []byte) { w.said = append(w.said, topic) },
		Price: func(account.Address) (unit.Amount, uint64, error) { return w.fee, w.quorum, nil },
	})
	if err != nil {
		w.overlay.Revert(mark)
		w.said = w.said[:said]
	}
	return err
}

// stream configures one: 7 an epoch of 600 blocks, 333 basis points on top, three epochs at least.
func (w *world) stream() (id digest.Hash) {
	w.t.Helper()
	w.must(w.as(publisher, func(m *Manager) (err error) {
		id, err = m.Configure(publisher, []byte("news"), Config{Fee: 7, ProtocolBPS: 333, Treasury: till, EpochBlocks: 600, MinPurchase: 3})
		return err
	}))
	return id
}

func (w *world) acquire(id digest.Hash, payer, beneficiary account.Address, target uint64) (r *Receipt, err error) {
	err = w.as(payer, func(m *Manager) error {
		r, err = m.Acquire(id, beneficiary, payer, target)
		return err
	})
	return r, err
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

func (w *world) holds(payer, publishers, protocol unit.Amount) {
	w.t.Helper()
	got := [...]unit.Amount{w.balance(ann), w.balance(till), w.balance(account.System(account.Treasury))}
	if want := [...]unit.Amount{payer, publishers, protocol}; got != want {
		w.t.Errorf("coins %v, want %v", got, want)
	}
}

func (w *world) register(by account.Address, n byte) (number uint64, err error) {
	err = w.as(by, func(m *Manager) error {
		number, err = m.Register(by, bytes.Repeat([]byte{n}, 32))
		return err
	})
	return number, err
}

func (w *world) request(n uint64) (*Request, Status) {
	w.t.Helper()
	q, status, err := LoadRequest(w.overlay, n, w.now)
	w.must(err)
	return q, status
}

// Block 6,000 is in epoch 10. Each purchase is paid to the unit, the protocol's part on top and rounded down.
//
// Spec: gateway-payments-streams §E.2 (acquire_epoch_access).
func TestAccessIsBoughtByTheEpoch(t *testing.T) {
	w := newWorld(t)
	id := w.stream()
	for _, c := range []struct {
		name          string
		now           unit.Height
		target        uint64
		want          error
		charged       uint64
		publishers    unit.Amount
		protocol      unit.Amount
		payer, bought unit.Amount // balances after it
	}{
		{"the past is not free, and not for sale", 6_000, 9, nil, 0, 0, 0, 10_000, 0},
		{"fewer than three", 6_000, 11, ErrMinimum, 0, 0, 0, 10_000, 0},
		{"10 to 12", 6_000, 12, nil, 3, 21, 0, 9_979, 21}, // 21: 0.69 on top
		{"the same again", 6_000, 12, nil, 0, 0, 0, 9_979, 21},
		{"less", 6_000, 3, nil, 0, 0, 0, 9_979, 21},
		{"two more", 6_000, 14, ErrMinimum, 0, 0, 0, 9_979, 21},
		{"13 to 28", 7_199, 28, nil, 16, 112, 3, 9_864, 133}, // 112: 3.72 on top
		{"above the bound and before now", 600 * 40, 39, ErrTarget, 0, 0, 0, 9_864, 133},
		{"29 to 40, those that passed too", 600 * 40, 40, nil, 12, 84, 2, 9_778, 217},
		{"more than there is", 600 * 40, 2_000, ErrFunds, 0, 0, 0, 9_778, 217},
		{"beyond all coins", 600 * 40, 1<<64 - 2, ErrTarget, 0, 0, 0, 9_778, 217},
		{"the last number", 600 * 40, 1<<64 - 1, ErrTarget, 0, 0, 0, 9_778, 217},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.now = c.now
			r, err := w.acquire(id, ann, ann, c.target)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if err == nil && (r.Charged != c.charged || r.Publisher != c.publishers || r.Protocol != c.protocol) {
				t.Errorf("%+v", r)
			}
			w.holds(c.payer, c.bought, 10_000-c.payer-c.bought)
		})
	}
	if covered, err := Covered(w.overlay, id, ann); err != nil || covered != 41 {
		t.Errorf("%d %v", covered, err)
	}
	if _, err := w.acquire(digest.Hash{9}, ann, ann, 100); !errors.Is(err, ErrManaged) {
		t.Errorf("%v", err)
	}
}

// Who pays for another gains nothing: the keys are sealed for the beneficiary.
//
// Spec: gateway-payments-streams §E.2 (a payer who is not the beneficiary gains no keys).
func TestPayingForAnother(t *testing.T) {
	w := newWorld(t)
	id := w.stream()
	for _, a := range []account.Address{ann, ben} {
		if _, err := w.register(a, a[0]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.acquire(id, ann, ben, 12); err != nil {
		t.Fatal(err)
	}
	if covered, err := Covered(w.overlay, id, ann); err != nil || covered != 0 {
		t.Errorf("the payer has access: %d %v", covered, err)
	}
	if q, status := w.request(0); q.Beneficiary != ben || q.From != 10 || q.To != 12 || q.Key != 1 || status != Emitted {
		t.Errorf("%+v %v", q, status)
	}
	w.holds(9_979, 21, 0)
}

// Spec: gateway-payments-streams §E.1 (at most 8 keys an account), §E.2 (KEY_REVOKED).
func TestAccountKeys(t *testing.T) {
	w := newWorld(t)
	for n := uint64(1); n <= MaxKeys; n++ {
		if got, err := w.register(ann, byte(n)); err != nil || got != n {
			t.Fatalf("key %d: %d %v", n, got, err)
		}
	}
	if _, err := w.register(ann, 9); !errors.Is(err, ErrKeys) {
		t.Errorf("a ninth: %v", err)
	}
	revoke := func(n uint64) error { return w.as(ann, func(m *Manager) error { return m.Revoke(ann, n) }) }
	for _, c := range []struct {
		n    uint64
		want error
	}{{3, nil}, {3, ErrRevoked}, {0, ErrRevoked}, {9, ErrRevoked}} {
		t.Run(fmt.Sprint("revoke ", c.n, c.want), func(t *testing.T) {
			if err := revoke(c.n); !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
		})
	}
	if got, err := w.register(ann, 9); err != nil || got != 9 {
		t.Errorf("numbers come once: %d %v", got, err)
	}
	for name, key := range map[string][]byte{"short": make([]byte, 31), "long": bytes.Repeat([]byte{1}, 33), "zero": make([]byte, 32)} {
		t.Run(name, func(t *testing.T) {
			if err := w.as(ben, func(m *Manager) error { _, err := m.Register(ben, key); return err }); !errors.Is(err, ErrKey) {
				t.Errorf("%v", err)
			}
		})
	}
	if err := w.as(ben, func(m *Manager) error { return m.Revoke(ben, 1) }); !errors.Is(err, ErrRevoked) {
		t.Errorf("of an account without keys: %v", err)
	}
}

// Spec: gateway-payments-streams §E.1 (ActorAuthorization, at most 64; own actors unless revoked).
func TestAuthorizations(t *testing.T) {
	w := newWorld(t)
	id := w.stream()
	say := func(actor account.Address, may bool) error {
		return w.as(ann, func(m *Manager) error { return m.Authorize(ann, actor, id, may) })
	}
	own := account.Address{50}
	a := account.Account{Kind: account.Actor, Creator: ann}
	account.Save(w.overlay, own, &a)
	is := func(of, actor account.Address, want bool) {
		t.Helper()
		if got, err := Authorized(w.overlay, of, actor, id); err != nil || got != want {
			t.Errorf("%v %v, want %v", got, err, want)
		}
	}
	is(ann, own, true)
	is(ben, own, false)
	w.must(say(own, false))
	is(ann, own, false)
	w.must(say(own, true))
	is(ann, own, true)
	for n := range byte(MaxAuthorized - 1) {
		w.must(say(account.Address{100, n}, true))
	}
	is(ann, account.Address{100, 62}, true)
	if err := say(account.Address{100, 63}, true); !errors.Is(err, ErrAuthorized) {
		t.Errorf("a sixty-fifth: %v", err)
	}
	w.must(say(account.Address{100, 1}, false)) // what there is changes
	is(ann, account.Address{100, 1}, false)
	w.must(w.as(ben, func(m *Manager) error { return m.Authorize(ben, own, id, true) })) // of another account
	if err := w.as(ann, func(m *Manager) error { return m.Authorize(ann, own, digest.Hash{7}, true) }); !errors.Is(err, ErrManaged) {
		t.Errorf("%v", err)
	}
}

// Spec: gateway-payments-streams §E.1 (content keys, PaidStreamConfig).
func TestStreamsAndTheirContentKeys(t *testing.T) {
	w := newWorld(t)
	id := w.stream()
	good := Config{Fee: 1, ProtocolBPS: 5_000, Treasury: till, EpochBlocks: 600, MinPurchase: 1}
	for name, c := range map[string]struct {
		name   string
		change func(c *Config)
		want   error
	}{
		"as it is":          {"news", func(*Config) {}, nil},
		"no fee":            {"news", func(c *Config) { c.Fee = 0 }, ErrConfig},
		"too much on top":   {"news", func(c *Config) { c.ProtocolBPS = 5_001 }, ErrConfig},
		"nothing at once":   {"news", func(c *Config) { c.MinPurchase = 0 }, ErrConfig},
		"no epochs":         {"other", func(c *Config) { c.EpochBlocks = 0 }, ErrConfig},
		"other epochs":      {"news", func(c *Config) { c.EpochBlocks = 601 }, ErrConfig},
		"of another stream": {"other", func(c *Config) { c.EpochBlocks = 601 }, nil},
		"no name":           {"", func(*Config) {}, ErrName},
		"the longest name":  {string(make([]byte, 64)), func(*Config) {}, nil},
		"too long a name":   {string(make([]byte, 65)), func(*Config) {}, ErrName},
	} {
		t.Run(name, func(t *testing.T) {
			x := good
			c.change(&x)
			if err := w.as(publisher, func(m *Manager) error { _, err := m.Configure(publisher, []byte(c.name), x); return err }); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	many := make([]Content, MaxBatch+1)
	for i := range many {
		many[i] = Content{uint64(100 + i), []byte{1}}
	}
	for _, c := range []struct {
		name string
		by   account.Address
		list []Content
		want error
	}{
		{"by another", ann, many[:1], ErrOwner},
		{"nothing", publisher, nil, ErrBatch},
		{"too many", publisher, many, ErrBatch},
		{"empty", publisher, []Content{{1, nil}}, ErrBatch},
		{"too long", publisher, []Content{{1, make([]byte, MaxWrapped+1)}}, ErrBatch},
		{"twice", publisher, []Content{{1, []byte{1}}, {1, []byte{2}}}, ErrBatch},
		{"the longest", publisher, []Content{{1, bytes.Repeat([]byte{5}, MaxWrapped)}, {3, []byte{6}}}, nil},
		{"over one there is", publisher, []Content{{2, []byte{1}}, {3, []byte{7}}}, ErrWritten},
		{"as many as may be", publisher, many[:MaxBatch], nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := w.as(c.by, func(m *Manager) error { return m.RegisterContent(c.by, id, c.list) }); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	if got, err := LoadContent(w.overlay, id, 3); err != nil || !bytes.Equal(got, []byte{6}) {
		t.Errorf("%x %v", got, err)
	}
	if got, err := LoadContent(w.overlay, id, 2); err != nil || got != nil {
		t.Errorf("%x %v", got, err)
	}
}

// Random purchases of two accounts against plain numbers: bounds only grow, and every coin is somewhere.
//
// Spec: gateway-payments-streams §E.2.
func TestRandomPurchases(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random, w := rand.New(rand.NewPCG(seed, 3)), newWorld(t)
			id := w.stream()
			bound, have := map[account.Address]int64{}, map[account.Address]uint64{ann: 10_000, ben: 10_000}
			bought := 0
			for range 300 {
				w.now += unit.Height(random.IntN(700))
				payer, to := []account.Address{ann, ben}[random.IntN(2)], []account.Address{ann, ben}[random.IntN(2)]
				epoch := int64(w.now) / 600
				target := max(epoch-3+random.Int64N(20), 0)
				e, known := bound[to]
				if !known {
					e = epoch - 1
				}
				n := target - e
				price := uint64(max(n, 0)) * 7
				price += price * 333 / 10_000
				r, err := w.acquire(id, payer, to, uint64(target))
				switch {
				case target <= e:
					if err != nil || r.Charged != 0 {
						t.Fatalf("%d with %d: %+v %v", target, e, r, err)
					}
				case target < epoch:
					if !errors.Is(err, ErrTarget) {
						t.Fatalf("%d in epoch %d: %v", target, epoch, err)
					}
				case n < 3:
					if !errors.Is(err, ErrMinimum) {
						t.Fatalf("%d epochs: %v", n, err)
					}
				case price > have[payer]:
					if !errors.Is(err, ErrFunds) {
						t.Fatalf("%d of %d: %v", price, have[payer], err)
					}
				default:
					if err != nil || r.Charged != uint64(n) || uint64(r.Publisher+r.Protocol) != price {
						t.Fatalf("%d epochs for %d: %+v %v", n, price, r, err)
					}
					bound[to], have[payer], bought = target, have[payer]-price, bought+1
				}
				sum := w.balance(ann) + w.balance(ben) + w.balance(till) + w.balance(account.System(account.Treasury))
				if uint64(w.balance(ann)) != have[ann] || uint64(w.balance(ben)) != have[ben] || sum != 20_000 {
					t.Fatalf("%d and %d of %d, want %v", w.balance(ann), w.balance(ben), sum, have)
				}
			}
			if bought < 5 {
				t.Errorf("%d purchases: the draw says little", bought)
			}
		})
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §E.1.
func TestGoldenRecords(t *testing.T) {
	c, k, q := golden.Fill(&Config{}), golden.Fill(&Keys{}), golden.Fill(&Request{})
	golden.Records(t, map[string][]byte{
		"Config": c.Append(nil), "Keys": k.Append(nil), "Key": golden.Fill(&Key{}).Append(nil), "Request": q.Append(nil),
		"Access": golden.Fill(&Access{}).Append(nil), "Receipt": golden.Fill(&Receipt{}).Append(nil),
	})
	if back, err := decodeConfig(c.Append(nil)); err != nil || *back != *c {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := decodeKeys(k.Append(nil)); err != nil || !reflect.DeepEqual(back, k) {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := decodeRequest(q.Append(nil)); err != nil || !reflect.DeepEqual(back, q) {
		t.Errorf("%+v %v", back, err)
	}
}

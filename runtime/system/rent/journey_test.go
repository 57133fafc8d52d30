package rent_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// epoch is the length of a rent epoch here, in blocks. A byte beyond the free ones costs ten base units a block.
const (
	epoch    = 20
	perByte  = 10
	perEpoch = perByte * epoch
)

const keeper = `
from cowboy_sdk import rent, runtime, set_timer, current_block, storage, call, send
import pvm_host

def fill(payload):
    for i in range(int(payload[1:])):
        storage["k%04d" % i] = "x" * (900 + i)

def total(payload):
    return str(sum(len(storage["k%04d" % i]) for i in range(int(payload[1:])))).encode()

def wait(payload):
    set_timer(current_block() + 1000, "tick", b"")

def tick(payload):
    pass

def take(payload):
    pass

def pay(payload):
    pvm_host.transfer(bytes.fromhex(payload[:40].decode()), int(payload[40:]))

def status(payload):
    s = rent.status()
    return ("%s %s %s" % (s["state"], s["paid_through_epoch"], s["balance_epochs"])).encode()

def prepay(payload):
    rent.prepay(epochs=int(payload[1:]))

def sponsor(payload):
    rent.sponsor(actor_address=payload[:40].decode(), epochs=int(payload[40:]))

def restore(payload):
    storage.restore(actor_address=payload[:40].decode(), storage_data=bytes.fromhex(payload[40:].decode()))
`

// town is a chain whose rent epochs are twenty blocks long.
type town struct {
	*testkit.Chain
	t     *testing.T
	alice *testkit.Account
	admin *testkit.Account
}

func newTown(t *testing.T) *town {
	c := testkit.NewChain(t)
	w := &town{Chain: c, t: t, alice: c.Account("alice"), admin: c.Impersonate(genesis.DevFaucet().Address())}
	config := params.Genesis().Rent
	config.EpochBlocks, config.RatePerByteYear, config.BondPerByte = epoch, perByte*params.BlocksPerYear, 2
	w.must(w.admin.Do(&tx.UpdateRentConfig{Config: config}, 100_000, 100_000))
	return w
}

func (w *town) must(r *block.Receipt) *block.Receipt {
	w.t.Helper()
	if r.Status != block.Success {
		w.t.Fatalf("%+v", r.Fault)
	}
	return r
}

func (w *town) refused(r *block.Receipt, code uint16) {
	w.t.Helper()
	if r.Status != block.Faulted || r.Fault.Code != code {
		w.t.Fatalf("%v %+v, want fault %d", r.Status, r.Fault, code)
	}
}

// epochs lets so many rent epochs begin and their sweeps end.
func (w *town) epochs(n uint64) {
	w.t.Helper()
	for until := w.clock().Epoch + n; w.clock().Swept < until; {
		w.Mine()
	}
}

// excess is the bytes an actor is billed for.
func (w *town) excess(addr account.Address) uint64 {
	a := w.Record(addr)
	return rent.Size(&a) - 10_240
}

func (w *town) rent(addr account.Address) rent.Record {
	w.t.Helper()
	c, err := rent.Load(w.State(), addr)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *town) stored(addr account.Address) (list []rent.Entry) {
	w.t.Helper()
	prefix := account.Key(account.KindStorage, addr)
	if err := w.State().Scan(prefix, nil, 0, func(key, value []byte) bool {
		list = append(list, rent.Entry{Key: bytes.Clone(key[len(prefix):]), Value: bytes.Clone(value)})
		return true
	}); err != nil {
		w.t.Fatal(err)
	}
	return list
}

// supply holds all coins against what was minted and burned.
func (w *town) supply() {
	w.t.Helper()
	if err := transition.CheckSupply(w.State()); err != nil {
		w.t.Fatal(err)
	}
}

// An actor that nobody pays for: overdue, evicted with its timers, refused in every way it is asked to run, and back as it was.
//
// Spec: rent §5, §6, §7, §8, §9; WP "State Rent", "Grace Period and Eviction"; WP-January "Eviction Mechanics".
func TestLifeOfAnActor(t *testing.T) {
	w := newTown(t)
	addr := w.deploy()
	w.alice.Call(addr, "fill", "n30")
	w.alice.Call(addr, "wait", "")
	list, before := w.stored(addr), w.Record(addr)
	total := w.alice.Call(addr, "total", "n30")
	due := unit.Amount(w.excess(addr)) * perEpoch

	w.alice.Fund(addr, 2*due+5) // two epochs, and a part of the third
	w.epochs(2)
	if got := w.Balance(addr); got != 5 {
		t.Fatalf("balance %d after two epochs of %d", got, due)
	}
	w.epochs(1)
	if c := w.rent(addr); c.Debt != due-5 || w.Record(addr).RentMissed != 1 || w.Balance(addr) != 0 {
		t.Fatalf("%+v", c)
	}
	if got := w.alice.Call(addr, "status", ""); got != "overdue 0 0" {
		t.Error(got)
	}
	if out := w.Query(addr, "status", nil, nil); string(out.Return) != "overdue 0 0" || out.Fault != nil { // asking costs nothing
		t.Errorf("%q %+v", out.Return, out.Fault)
	}
	w.supply()
	w.epochs(6)
	if got := w.alice.Call(addr, "total", "n30"); got != total { // in grace it works in full
		t.Error(got)
	}
	w.epochs(3)
	if a := w.Record(addr); a.RentMissed != 10 || a.Dormant {
		t.Fatalf("after ten missed epochs: missed %d, dormant %v", a.RentMissed, a.Dormant)
	}
	w.epochs(1)
	w.Mine() // removes the storage
	if a := w.Record(addr); !a.Dormant || a.Timers != 0 || a.StorageBytes != 0 || len(w.stored(addr)) != 0 {
		t.Fatalf("after eleven: %+v", a)
	}
	home := account.System(account.Governance)
	if n, m, e := len(w.Events(home, rent.TopicOverdue)), len(w.Events(home, rent.TopicImminent)), len(w.Events(home, rent.TopicEvicted)); n != 7 || m != 3 ||
		e != 1 {
		t.Errorf("%d overdue, %d imminent, %d evicted", n, m, e)
	}
	w.supply()

	// Whatever runs it fails and is refunded; coins come in.
	w.refused(w.alice.Try(addr, "total", "n30"), drain.FaultDormant)
	w.refused(w.alice.TryWith(addr, "take", "", 7), drain.FaultDormant)
	if w.Balance(addr) != 0 {
		t.Errorf("a refused call left %d", w.Balance(addr))
	}
	w.alice.Transfer(addr, 9)
	if w.Balance(addr) != 9 {
		t.Errorf("balance %d", w.Balance(addr))
	}
	w.refused(w.alice.Do(&tx.PayRent{Actor: addr, Epochs: 1}, 100_000, 100_000), drain.FaultDormant)

	// Somebody else brings the storage back, in pieces; a wrong one harms nobody.
	bob, c := w.Account("bob"), w.rent(addr)
	if c.Dormant.Root != rent.Root(list) || c.Dormant.Entries != uint64(len(list)) {
		t.Fatalf("%+v", c.Dormant)
	}
	spoiled := w.piece(addr, list, 0, 9)
	spoiled.Entries[40] ^= 1
	w.refused(bob.Do(spoiled, 300_000, 300_000), drain.FaultInput)
	w.refused(bob.Do(w.piece(addr, list, 9, 12), 300_000, 300_000), drain.FaultInput)
	had := w.Balance(bob.Address())
	first := w.must(bob.Do(w.piece(addr, list, 0, 9), 300_000, 300_000))
	owed := (11*due - 5) // eleven epochs but for what the balance paid of the first
	want := (owed*11+9)/10 + due
	if paid := had - w.Balance(bob.Address()) - first.FeeBurned - first.FeeTipped; paid != want {
		t.Errorf("the first piece paid %d, want 110 %% of %d and %d", paid, owed, due)
	}
	w.supply()
	w.refused(w.alice.Try(addr, "total", "n30"), drain.FaultDormant)
	carol := w.Account("carol")
	w.must(carol.Do(w.piece(addr, list, 9, 20), 300_000, 300_000))
	w.refused(bob.Do(w.piece(addr, list, 9, 20), 300_000, 300_000), drain.FaultInput)
	w.must(bob.Do(w.piece(addr, list, 20, len(list)), 300_000, 300_000))
	if got := w.alice.Call(addr, "total", "n30"); got != total {
		t.Errorf("total %s, was %s", got, total)
	}
	after := w.Record(addr)
	if after.StorageBytes != before.StorageBytes || after.CodeHash != before.CodeHash || after.RentMissed != 0 || rent.Root(w.stored(addr)) != rent.Root(list) {
		t.Errorf("%+v, was %+v", after, before)
	}
	w.refused(bob.Do(w.piece(addr, list, 0, 9), 300_000, 300_000), drain.FaultForbidden)
	w.supply()
}

func (w *town) deploy() account.Address { return w.alice.Deploy(keeper, nil) }

func (w *town) piece(addr account.Address, list []rent.Entry, from, to int) *tx.RestoreActor {
	w.t.Helper()
	p, err := rent.Prove(list, from, to)
	if err != nil {
		w.t.Fatal(err)
	}
	return &tx.RestoreActor{Actor: addr, From: uint64(from), Entries: rent.AppendEntries(nil, list[from:to]), Proof: p.Append(nil)}
}

// The reserve is what an actor cannot spend: one unit below it, and one above.
//
// Spec: rent §5 (reserve); WP-January "Minimum Balance Reserve".
func TestReserve(t *testing.T) {
	w := newTown(t)
	addr := w.deploy()
	w.alice.Call(addr, "fill", "n20")
	reserve := unit.Amount(w.excess(addr)) * perByte * params.BlocksPerYear / 10
	w.alice.Fund(addr, reserve+100)
	sink := account.Address{0x77}
	pay := func(amount unit.Amount) *block.Receipt {
		return w.alice.Try(addr, "pay", fmt.Sprintf("%x%d", sink[:], amount))
	}
	w.refused(pay(101), drain.FaultValue)
	w.must(pay(100))
	w.refused(pay(1), drain.FaultValue)
	if w.Balance(sink) != 100 {
		t.Errorf("%d were paid", w.Balance(sink))
	}
	w.epochs(1) // rent goes below it
	if got := w.Balance(addr); got != reserve-unit.Amount(w.excess(addr))*perEpoch {
		t.Errorf("balance %d of %d", got, reserve)
	}
	w.supply()
}

// Python prepays for itself and for others, and restores what it has the data of.
//
// Spec: rent §5, §9; WP-January "Rent Payment Options", "Storage Restoration".
func TestFromPython(t *testing.T) {
	w := newTown(t)
	addr := w.deploy()
	other := w.alice.Deploy(keeper+"\n# another\n", nil)
	for _, a := range []account.Address{addr, other} {
		w.alice.Call(a, "fill", "n12")
	}
	list := w.stored(other)
	due := unit.Amount(w.excess(addr)) * perEpoch
	w.alice.Fund(addr, 100*due)
	w.alice.Call(addr, "prepay", "n3")
	if got := w.Balance(addr); got != 97*due {
		t.Errorf("balance %d, want %d", got, 97*due)
	}
	now := w.clock().Epoch
	if got, want := w.alice.Call(addr, "status", ""), fmt.Sprintf("active %d 97", now+3); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w.alice.Call(addr, "sponsor", fmt.Sprintf("%x%d", other[:], 2))
	if c := w.rent(other); c.PaidThrough < now+2 || c.PrepaidBytes != w.excess(other) {
		t.Errorf("%+v", c)
	}
	w.epochs(13)
	w.Mine()
	if !w.Record(other).Dormant || w.Record(addr).RentMissed != 0 {
		t.Fatalf("%+v", w.Record(other))
	}
	data := fmt.Sprintf("%x%x", other[:], rent.AppendEntries(nil, list))
	w.refused(w.alice.Try(addr, "restore", strings.Replace(data, "7878", "7978", 1)), drain.FaultInput)
	w.alice.Call(addr, "restore", data)
	if got := w.alice.Call(other, "total", "n12"); len(w.stored(other)) != len(list) || got == "0" {
		t.Errorf("total %s, %d entries", got, len(w.stored(other)))
	}
	w.supply()
}

func (w *town) clock() *rent.Clock {
	c, err := rent.At(w.State())
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// Who may change a quota, and what that costs.
//
// Spec: rent §10.
func TestQuota(t *testing.T) {
	w := newTown(t)
	addr := w.deploy()
	bob := w.Account("bob")
	w.refused(bob.Do(&tx.SetActorQuota{Actor: addr, QuotaBytes: 2 << 20}, 100_000, 100_000), drain.FaultPermission)
	had := w.Balance(w.alice.Address())
	r := w.must(w.alice.Do(&tx.SetActorQuota{Actor: addr, QuotaBytes: 2 << 20}, 100_000, 100_000))
	if paid := had - w.Balance(w.alice.Address()) - r.FeeBurned - r.FeeTipped; paid != 2<<20 {
		t.Errorf("the bond is %d", paid)
	}
	w.supply()
	w.refused(w.alice.Do(&tx.SetActorQuota{Actor: addr, QuotaBytes: 8<<20 + 1}, 100_000, 100_000), drain.FaultInput)
	w.refused(w.alice.Do(&tx.SetActorQuota{Actor: account.Address{9}, QuotaBytes: 2 << 20}, 100_000, 100_000), drain.FaultActor)
	w.must(w.alice.Do(&tx.SetActorQuota{Actor: addr, QuotaBytes: 1 << 20}, 100_000, 100_000))
	w.supply()
	events := w.Events(account.System(account.Governance), rent.TopicQuota)
	if len(events) != 2 {
		t.Fatalf("%d events", len(events))
	}
	in := codec.NewReader([]byte(events[0])[account.AddressSize:])
	if old, now, bond := in.Uint(), in.Uint(), in.Uint(); old != 1<<20 || now != 2<<20 || bond != 2<<20 || in.Finish() != nil {
		t.Errorf("%d %d %d", old, now, bond)
	}
}

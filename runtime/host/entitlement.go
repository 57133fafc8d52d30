package host

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// ManifestKey is where an actor's manifest lives in state, in its canonical form; absent for an actor deployed without one.
//
// Spec: ENT §5.
func ManifestKey(addr account.Address) []byte { return entitlement.Key(addr) }

// spentKey is where the coins an actor with a limit per block has sent are kept: height and sum, 8 bytes each.
func spentKey(addr account.Address) []byte { return account.Key(account.KindActorMeta, addr, 's') }

// childrenKey is where it is counted how many children an actor has spawned, 8 bytes.
func childrenKey(addr account.Address) []byte { return account.Key(account.KindActorMeta, addr, 'c') }

// grants is what the frames of a turn know of manifests.
type grants struct {
	read     map[account.Address]*entitlement.Manifest // nil: deployed without one
	requests map[request]uint64                        // asked for in this turn
	asked    []request                                 // the same in their order
	passing  []passing                                 // actors that may not keep what they get
}

// request counts towards max_requests.
type request struct {
	actor account.Address
	id    string
}

// passing is an actor that holds no balance, and what it had when coins first reached it in the turn.
type passing struct {
	actor  account.Address
	before unit.Amount
}

// admit holds a deployment's manifest against the registry of the block and gives its canonical form. No bytes are no manifest: then it is nil, or
// the empty one where the network requires manifests.
//
// Spec: ENT §1 (least privilege), §3.3, §6 (deployment-time check), §9.2, §10, §11.
func admit(w *work, deployer account.Address, raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		if !w.turn.Block.Params.Entitlements.RequireManifest {
			return nil, nil
		}
		return (&entitlement.Manifest{}).Encode(), nil
	}
	m, err := w.declared(raw)
	if err != nil {
		return nil, err
	}
	if _, asks := m.Grant(entitlement.Upgrade); asks && !slices.Contains(w.turn.Block.Params.Administrators, deployer) {
		return nil, raise(SystemOnly, "only a system deployer may deploy with %s", entitlement.Upgrade)
	}
	return m.Encode(), nil
}

// declared reads a manifest somebody wants an actor to have: it is complete, and holds nothing the registry has lost.
//
// Spec: ENT §9.10, §9.11 (removal), §10.
func (w *work) declared(raw []byte) (*entitlement.Manifest, error) {
	m, err := entitlement.Parse(raw)
	if err == nil {
		err = m.Complete()
	}
	if err != nil {
		return nil, raise(BadManifest, "%v", err)
	}
	b := w.turn.Block
	if id, removed := m.Removed(&b.Params.Entitlements, b.Height); removed {
		return nil, raise(BadManifest, "%s is not in the registry any more", id)
	}
	return m, nil
}

// warn announces the deprecated entitlements among those an actor is given.
//
// Spec: ENT §9.11 (warning event).
func (w *work) warn(actor account.Address, manifest []byte) error {
	b := w.turn.Block
	if manifest == nil || len(b.Params.Entitlements.Deprecated) == 0 {
		return nil
	}
	m, err := entitlement.Parse(manifest)
	if err != nil {
		return err
	}
	for _, g := range m.Grants {
		if d, deprecated := b.Params.Entitlements.Warns(g.ID, b.Height); deprecated {
			w.events = append(w.events, block.Event{
				Actor: account.System(account.Entitlements), Topic: []byte(entitlement.TopicDeprecated), Data: entitlement.EventDeprecated(actor, &d),
			})
		}
	}
	return nil
}

// executable refuses to run an actor that holds an entitlement the registry has lost.
//
// Spec: ENT §9.11 (non-executable state), §11 (ERR_ACTOR_NON_EXECUTABLE).
func (f *Frame) executable() error {
	b := f.work.turn.Block
	if !b.Params.Entitlements.AnyRemoved(b.Height) {
		return nil
	}
	m, err := f.manifest(f.self)
	if err != nil || m == nil {
		return err
	}
	if id, removed := m.Removed(&b.Params.Entitlements, b.Height); removed {
		return raise(NonExecutable, "the actor holds %s, which was removed; it does not execute until it is redeployed", id)
	}
	return nil
}

// manifest reads an actor's manifest, once per turn; nil if it was deployed without one. The first look at one costs a state read and a decoding.
//
// Spec: ENT §5, §6.
func (f *Frame) manifest(addr account.Address) (*entitlement.Manifest, error) {
	known := &f.work.grants
	if m, ok := known.read[addr]; ok {
		return m, nil
	}
	raw, found, err := f.work.overlay.Lookup(ManifestKey(addr))
	if err != nil {
		return nil, err
	}
	var m *entitlement.Manifest
	if found {
		if err := f.charge(uint64(params.CostStorageRead), 0); err != nil {
			return nil, err
		}
		if err := f.chargeCodec(len(raw)); err != nil {
			return nil, err
		}
		if m, err = entitlement.Parse(raw); err != nil {
			return nil, err
		}
	}
	if known.read == nil {
		known.read = map[account.Address]*entitlement.Manifest{}
	}
	known.read[addr] = m
	return m, nil
}

// require gives the grant a syscall needs, nil for an actor without a manifest, which is not held to one.
//
// Spec: ENT §6 (VM syscall gate), §11; WP §15.
func (f *Frame) require(id, call string) (*entitlement.Grant, error) {
	m, err := f.manifest(f.self)
	if err != nil || m == nil {
		return nil, err
	}
	g, ok := m.Grant(id)
	if !ok {
		return nil, raise(NoEntitlement, "%s needs the entitlement %s", call, id)
	}
	return g, nil
}

// count refuses the request that is one too many in this turn. What a failed call asked for is taken back with it.
//
// Spec: ENT §9.12 (max_requests: per execution).
func (f *Frame) count(g *entitlement.Grant) error {
	most, limited := g.Number("max_requests")
	if !limited {
		return nil
	}
	known := &f.work.grants
	r := request{f.self, g.ID}
	if known.requests[r] >= most {
		return raise(EntitlementQuota, "%s: more than %d requests in one execution", g.ID, most)
	}
	if known.requests == nil {
		known.requests = map[request]uint64{}
	}
	known.requests[r]++
	known.asked = append(known.asked, r)
	return nil
}

// forget takes back the requests after the first n.
func (g *grants) forget(n int) {
	for _, r := range g.asked[n:] {
		g.requests[r]--
	}
	g.asked = g.asked[:n]
}

// permitTransfer holds a payment against econ.transfer, and counts it.
//
// Spec: ENT §9.7, §9.12 (max_amount, max_per_block).
func (f *Frame) permitTransfer(amount unit.Amount) error {
	g, err := f.require(entitlement.Transfer, "transfer")
	if err != nil || g == nil {
		return err
	}
	if most, limited := g.Number("max_amount"); limited && uint64(amount) > most {
		return raise(EntitlementQuota, "%s: %d is more than %d at once", g.ID, amount, most)
	}
	most, limited := g.Number("max_per_block")
	if !limited {
		return nil
	}
	raw, found, err := f.work.overlay.Lookup(spentKey(f.self))
	if err != nil {
		return err
	}
	height := uint64(f.work.turn.Block.Height)
	var spent uint64
	if found && len(raw) == 16 && binary.BigEndian.Uint64(raw) == height {
		spent = binary.BigEndian.Uint64(raw[8:])
	}
	if uint64(amount) > most || spent > most-uint64(amount) {
		return raise(EntitlementQuota, "%s: more than %d in one block", g.ID, most)
	}
	entry := binary.BigEndian.AppendUint64(nil, height)
	f.work.overlay.Set(spentKey(f.self), binary.BigEndian.AppendUint64(entry, spent+uint64(amount)))
	return nil
}

// watch notes that coins reach an actor which may only pass them on.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (f *Frame) watch(to account.Address, a *account.Account) error {
	if a.Kind != account.Actor {
		return nil
	}
	m, err := f.manifest(to)
	if err != nil || m == nil {
		return err
	}
	if _, holds := m.Grant(entitlement.HoldBalance); holds {
		return nil
	}
	for _, p := range f.work.grants.passing {
		if p.actor == to {
			return nil
		}
	}
	f.work.grants.passing = append(f.work.grants.passing, passing{to, a.Balance})
	return nil
}

// arrive notes that a message brings coins to an actor which may only pass them on.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (f *Frame) arrive(m *object.Machine, i *invocation) *object.Exception {
	if !i.letter || i.value == 0 {
		return nil
	}
	a, err := f.loadAccount(f.self)
	if err == nil {
		a.Balance -= i.value
		err = f.watch(f.self, &a)
	}
	if err != nil {
		return f.raise(m, err)
	}
	return nil
}

// settle is a turn's last step: what reached actors that may not hold a balance has to be gone again.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (w *work) settle() *ending {
	for _, p := range w.grants.passing {
		data, _, err := w.overlay.Lookup(p.actor.Key())
		if err != nil {
			return failed(err)
		}
		a, err := account.Decode(data)
		if err != nil {
			return failed(err)
		}
		if a.Balance > p.before {
			return endingOf(raise(NoEntitlement, "%v keeps coins without the entitlement %s", p.actor, entitlement.HoldBalance))
		}
	}
	return nil
}

// permitTimer holds one more timer against timer.schedule.
//
// Spec: ENT §9.8, §9.12 (max_timers: active timers).
func (f *Frame) permitTimer() error {
	g, err := f.require(entitlement.Timers, "scheduling a timer")
	if err != nil || g == nil {
		return err
	}
	most, limited := g.Number("max_timers")
	if !limited {
		return nil
	}
	a, err := f.loadAccount(f.self)
	if err != nil {
		return err
	}
	if uint64(a.Timers) >= most {
		return raise(EntitlementQuota, "%s: more than %d active timers", g.ID, most)
	}
	return nil
}

// storageQuota is the least of the protocol's quota and storage.kv's max_bytes, with the grant if it is the latter.
//
// Spec: ENT §9.4, §9.12 (max_bytes).
func (f *Frame) storageQuota(quota uint64) (uint64, *entitlement.Grant, error) {
	m, err := f.manifest(f.self)
	if err != nil || m == nil {
		return quota, nil, err
	}
	if g, ok := m.Grant(entitlement.KV); ok {
		if most, limited := g.Number("max_bytes"); limited && most < quota {
			return most, g, nil
		}
	}
	return quota, nil, nil
}

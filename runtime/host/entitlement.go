package host

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// ManifestKey is where an actor's manifest lives in state, in its canonical form; absent for an actor deployed without one.
//
// Spec: ENT §5.
func ManifestKey(addr account.Address) []byte { return entitle.Key(addr) }

// Marks of an actor's counters.
const (
	tagSpent    = 's'
	tagChildren = 'c'
)

// spentKey is where the coins an actor with a limit per block has sent are kept: height and sum, 8 bytes each.
func spentKey(addr account.Address) []byte { return account.Key(account.KindActorMeta, addr, tagSpent) }

// childrenKey is where it is counted how many children an actor has spawned, 8 bytes.
func childrenKey(addr account.Address) []byte {
	return account.Key(account.KindActorMeta, addr, tagChildren)
}

// grants is what the invocations of a turn know of manifests.
type grants struct {
	read     map[account.Address]*entitle.Manifest // nil: deployed without one
	requests map[request]uint64                    // asked for in this turn
	asked    []request                             // the same in their order
	passing  entitle.Passing                       // actors that may not keep what they get
}

// request counts towards max_requests.
type request struct {
	actor account.Address
	id    string
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
		return (&entitle.Manifest{}).Encode(), nil
	}
	m, err := w.declared(raw)
	if err != nil {
		return nil, err
	}
	if _, asks := m.Grant(entitle.Upgrade); asks && !slices.Contains(w.turn.Block.Params.Administrators, deployer) {
		return nil, raise(SystemOnly, "only a system deployer may deploy with %s", entitle.Upgrade)
	}
	return m.Encode(), nil
}

// declared reads a manifest somebody wants an actor to have: it is complete, and holds nothing the registry has lost.
//
// Spec: ENT §9.10, §9.11 (removal), §9.14, §10; entitlement-extras §2.2.
func (w *work) declared(raw []byte) (*entitle.Manifest, error) {
	m, err := entitle.Parse(raw)
	if err == nil {
		err = m.Complete()
	}
	if err != nil {
		return nil, raise(BadManifest, "%v", err)
	}
	if m.NamesRegion() {
		list, err := entitle.RegionsIn(w.overlay)
		if err != nil {
			return nil, err
		}
		if !m.InRegions(list) {
			return nil, raise(BadManifest, "sec.data_residency.region is not one of the network's regions")
		}
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
	m, err := entitle.Parse(manifest)
	if err != nil {
		return err
	}
	for _, g := range m.Grants {
		if d, deprecated := b.Params.Entitlements.Warns(g.ID, b.Height); deprecated {
			w.Events = append(w.Events, block.Event{
				Actor: account.System(account.Entitlements), Topic: []byte(entitle.TopicDeprecated), Data: entitle.EventDeprecated(actor, &d),
			})
		}
	}
	return nil
}

// executable refuses to run an actor that holds an entitlement the registry has lost.
//
// Spec: ENT §9.11 (non-executable state), §11 (ERR_ACTOR_NON_EXECUTABLE).
func (f *Invocation) executable() error {
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
func (f *Invocation) manifest(addr account.Address) (*entitle.Manifest, error) {
	known := &f.work.grants
	if m, ok := known.read[addr]; ok {
		return m, nil
	}
	raw, found, err := f.work.overlay.Lookup(ManifestKey(addr))
	if err != nil {
		return nil, err
	}
	var m *entitle.Manifest
	if found {
		if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
			return nil, err
		}
		if err := f.chargeCodec(len(raw)); err != nil {
			return nil, err
		}
		if m, err = entitle.Parse(raw); err != nil {
			return nil, err
		}
	}
	if known.read == nil {
		known.read = map[account.Address]*entitle.Manifest{}
	}
	known.read[addr] = m
	return m, nil
}

// require gives the grant a syscall needs, nil for an actor without a manifest, which is not held to one.
//
// Spec: ENT §6 (VM syscall gate), §11; WP §15.
func (f *Invocation) require(id, call string) (*entitle.Grant, error) {
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

// domainSets are the curated sets of domains as they are now; where nobody names one they are not read.
//
// Spec: entitlement-extras §2.3.
func (f *Invocation) domainSets(named bool) (*entitle.Sets, error) {
	if !named {
		return new(entitle.Sets), nil
	}
	if err := f.charge(uint64(len(entitle.Sets{}))*uint64(f.costs().StorageRead), 0); err != nil {
		return nil, err
	}
	return entitle.SetsIn(f.work.overlay)
}

// count refuses the request that is one too many in this turn. What a failed call asked for is taken back with it.
//
// Spec: ENT §9.12 (max_requests: per execution).
func (f *Invocation) count(g *entitle.Grant) error {
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
func (f *Invocation) permitTransfer(amount unit.Amount) error {
	g, err := f.require(entitle.Transfer, "transfer")
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

// watch notes that an actor which may only pass coins on got some.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (f *Invocation) watch(to account.Address, got unit.Amount) error {
	a, err := account.Load(f.work.overlay, to)
	if err != nil || a.Kind != account.Actor {
		return err
	}
	m, err := f.manifest(to)
	if err != nil || m == nil {
		return err
	}
	if _, holds := m.Grant(entitle.HoldBalance); !holds {
		f.work.grants.passing.Note(to, a.Balance-got)
	}
	return nil
}

// arrive notes that a message brings coins to an actor which may only pass them on.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (f *Invocation) arrive(m *object.Machine, i *handlerCall) *object.Exception {
	if !i.letter || i.value == 0 {
		return nil
	}
	if err := f.watch(f.self, i.value); err != nil {
		return f.raise(m, err)
	}
	return nil
}

// settle is a turn's last step: what reached actors that may not hold a balance has to be gone again.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (w *work) settle() *ending {
	keeper, ok, err := w.grants.passing.Keeper(w.overlay)
	switch {
	case err != nil:
		return failed(err)
	case ok:
		return endingOf(raise(NoEntitlement, "%v keeps coins without the entitlement %s", keeper, entitle.HoldBalance))
	}
	return nil
}

// permitTimer holds one more timer against timer.schedule.
//
// Spec: ENT §9.8, §9.12 (max_timers: active timers).
func (f *Invocation) permitTimer() error {
	g, err := f.require(entitle.Timers, "scheduling a timer")
	if err != nil || g == nil {
		return err
	}
	most, limited := g.Number("max_timers")
	if !limited {
		return nil
	}
	a, err := account.Load(f.work.overlay, f.self)
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
func (f *Invocation) storageQuota(quota uint64) (uint64, *entitle.Grant, error) {
	m, err := f.manifest(f.self)
	if err != nil || m == nil {
		return quota, nil, err
	}
	if g, ok := m.Grant(entitle.KV); ok {
		if most, limited := g.Number("max_bytes"); limited && most < quota {
			return most, g, nil
		}
	}
	return quota, nil, nil
}

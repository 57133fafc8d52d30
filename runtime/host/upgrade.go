package host

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// replacement is the code an actor is to have, and its manifest; nil leaves the manifest as it is.
type replacement struct {
	source, manifest []byte
}

// exchange replaces code and manifest of an actor that holds sys.upgrade. The new manifest may ask for no more than the old one. Storage,
// timers, mailbox and address stay; what is executing goes on with the code it began with. sys.upgrade itself stays granted.
//
// Spec: ENT §7.1, §9.2; sdk §8 (upgrade_self), §19.1; entitlement-extras §4.
func (h *Host) exchange(w *work, meter Meter, addr account.Address, held *entitle.Manifest, r replacement) error {
	if held == nil {
		return raise(NoEntitlement, "upgrading needs the entitlement %s, and the actor has no manifest", entitle.Upgrade)
	}
	if _, ok := held.Grant(entitle.Upgrade); !ok {
		return raise(NoEntitlement, "upgrading needs the entitlement %s", entitle.Upgrade)
	}
	source, err := pvm.CanonicalSource(r.source)
	if err != nil {
		return raise(InvalidArgument, "%v", err)
	}
	hash := account.CodeHash(source)
	code, err := h.programs.compile(hash, source)
	if err != nil {
		return raise(InvalidArgument, "%v", err)
	}
	if err := meter.Charge(h.programs.ready(code, meter.Left())); err != nil {
		return err
	}
	if r.manifest != nil {
		m, err := w.declared(r.manifest)
		if err != nil {
			return err
		}
		sets, err := entitle.SetsIn(w.overlay)
		if err != nil {
			return err
		}
		if !m.Within(held, sets) {
			return raise(NoEntitlement, "the new manifest asks for more than the old one grants")
		}
		b := w.turn.Block
		if _, keeps := m.Grant(entitle.Upgrade); !keeps && !b.Params.Entitlements.Removed(entitle.Upgrade, b.Height) {
			return raise(BadManifest, "%s cannot be revoked", entitle.Upgrade)
		}
		canonical := m.Encode()
		w.overlay.Set(ManifestKey(addr), canonical)
		delete(w.grants.read, addr)
		if err := w.warn(addr, canonical); err != nil {
			return err
		}
	}
	return h.replace(w, addr, hash, source)
}

// replace writes an actor's new code.
func (h *Host) replace(w *work, addr account.Address, hash digest.Hash, source []byte) error {
	if err := w.bill(addr); err != nil {
		return err
	}
	a, err := account.Load(w.overlay, addr)
	if err != nil {
		return err
	}
	a.CodeHash, a.CodeBytes = hash, uint64(len(source))
	account.Save(w.overlay, addr, &a)
	w.overlay.Set(CodeKey(hash), source)
	return nil
}

// UpgradeSelf replaces the executing actor's own code, from its next invocation on.
//
// Spec: sdk §8 (upgrade_self: code bytes in cells); WP §17.2 (a deployment's cycles).
func (f *Invocation) UpgradeSelf(r replacement) error {
	if err := f.mutates("upgrade_self"); err != nil {
		return err
	}
	held, err := f.manifest(f.self)
	if err != nil {
		return err
	}
	if held == nil {
		return raise(NoEntitlement, "upgrade_self needs the entitlement %s, and the actor has no manifest", entitle.Upgrade)
	}
	size := len(r.source) + len(r.manifest)
	if len(r.source) > params.MaxCodeBytes {
		return raise(Quota, "code of %d bytes; at most %d are allowed", len(r.source), params.MaxCodeBytes)
	}
	if err := f.chargeFor(f.work.deploys()+unit.Cycles(f.work.compiling(r.source)), size, f.costs().CellsPerByteWritten); err != nil {
		return err
	}
	return f.exchange(r)
}

func upgradeSelf(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	source, e := octets(m, a.Arg(0), "new_code")
	if e != nil {
		return object.Value{}, e
	}
	r := replacement{source: source}
	if r.manifest, e = f.manifestArgument(m, a.Arg(1), "new_manifest"); e != nil {
		return object.Value{}, e
	}
	return none(f.UpgradeSelf(r), f, m)
}

// upgrade executes an UpgradeActor transaction: the deployer of an actor that holds sys.upgrade may send it, and administrators.
//
// Spec: ENT §9.2; entitlement-extras §4; node-rpc-cli (upgrade-actor).
func (h *Host) upgrade(w *work, meter *object.Meter, in *tx.UpgradeActor) (*account.Address, []byte, *ending) {
	if !meter.Spend(w.compiling(in.Code)) {
		return nil, nil, faulted(drain.FaultCycles, "out of cycles")
	}
	a, err := account.Load(w.overlay, in.Actor)
	if err != nil {
		return nil, nil, failed(err)
	}
	if a.Kind != account.Actor {
		return nil, nil, faulted(drain.FaultActor, "no actor at "+in.Actor.String())
	}
	if sender := w.turn.Sender; sender != a.Creator && !slices.Contains(w.turn.Block.Params.Administrators, sender) {
		return nil, nil, faulted(drain.FaultPermission, "only the deployer of an actor may upgrade it")
	}
	raw, found, err := w.overlay.Lookup(ManifestKey(in.Actor))
	if err != nil {
		return nil, nil, failed(err)
	}
	var held *entitle.Manifest
	if found {
		if held, err = entitle.Parse(raw); err != nil {
			return nil, nil, failed(err)
		}
	}
	r := replacement{source: in.Code}
	if len(in.Manifest) > 0 {
		r.manifest = in.Manifest
	}
	err = h.exchange(w, innerMeter{meter}, in.Actor, held, r)
	if errors.Is(err, ErrCycles) {
		return nil, nil, faulted(drain.FaultCycles, "out of cycles")
	}
	return nil, nil, endingOf(err)
}

// endingOf is how a turn ends on an error of the host.
func endingOf(err error) *ending {
	if err == nil {
		return nil
	}
	refused, ok := err.(*Error)
	if !ok {
		return failed(err)
	}
	return faulted(refused.Class.Code, refused.Text)
}

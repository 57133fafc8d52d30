package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/sdk/lower"
)

// deploy creates an actor and calls the init handler the deployment names. Everything of it is undone if that raises. A non-executable actor
// that is deployed again goes on with the new manifest; nothing of it is called.
//
// Spec: sdk §3.8; WP §1.2; ENT §6, §9.11.
func (h *Host) deploy(w *work, meter *object.Meter, in *tx.Deploy) (*account.Address, []byte, *ending) {
	if !meter.Spend(w.compiling(in.Code)) {
		return nil, nil, faulted(drain.FaultCycles, "out of cycles")
	}
	source, err := pvm.CanonicalSource(in.Code)
	if err != nil {
		return nil, nil, faulted(drain.FaultSource, err.Error())
	}
	manifest, err := admit(w, w.turn.Sender, in.Manifest)
	if err != nil {
		return nil, nil, endingOf(err)
	}
	salt, err := account.PadSalt(in.Salt)
	if err != nil {
		return nil, nil, faulted(drain.FaultInput, err.Error())
	}
	hash := account.CodeHash(source)
	code, err := h.programs.compile(hash, source)
	if err != nil {
		return nil, nil, faulted(sourceFault(err), err.Error())
	}
	if !meter.Spend(h.programs.ready(code, meter.Left())) {
		return nil, nil, faulted(drain.FaultCycles, "out of cycles")
	}
	creator := w.turn.Sender
	addr := account.DeriveActor(creator, salt, hash)
	again, err := w.place(addr, newActor{creator: creator, source: source, hash: hash, manifest: manifest})
	if err != nil {
		return &addr, nil, endingOf(err)
	}
	switch {
	case again:
		return &addr, nil, nil
	case in.InitHandler == nil:
		if !code.Form.Routes {
			return &addr, nil, nil
		}
		_, end := h.execute(w, meter, handlerCall{target: addr, sender: &creator, code: code, unnamed: true})
		return &addr, nil, end
	}
	result, end := h.execute(w, meter, handlerCall{
		target: addr, sender: &creator, handler: string(in.InitHandler), delivery: delivery{data: in.InitPayload}, code: code,
		bootstrap: true,
	})
	return &addr, result, end
}

// compiling is the price in cycles of bringing a source into its canonical form and compiling it, which nobody does before it is paid. It is execution: the
// 100,000 cycles of WP §17.2 are what a deployment pays before that begins, whatever its size.
//
// Spec: WP §17.2 (base cost), §17.3 (opcode costs are the implementation's).
func (w *work) compiling(source []byte) uint64 {
	return uint64(len(source)) * uint64(w.turn.Block.Version().Costs.Compile)
}

// deploys is what an actor pays for putting code in a place, beside what compiling it costs.
//
// Spec: WP §17.2.
func (w *work) deploys() unit.Cycles {
	row, _ := w.turn.Block.Version().Rows.Of(tx.OpDeploy)
	return row.Intrinsic.Cycles
}

// newActor is what an actor begins with.
type newActor struct {
	creator  account.Address
	source   []byte // canonical
	hash     digest.Hash
	manifest []byte // canonical; nil for none
}

// place writes a new actor; coin that was sent to the address before stays on it. If a non-executable actor lives there, which by the address
// has the same creator, salt and source, it gets the new manifest and keeps everything else; again then says so.
//
// Spec: sdk §3.8; WP §1.2; ENT §9.11 (redeployed by its owner with an updated manifest; state and balance stay).
func (w *work) place(addr account.Address, n newActor) (again bool, err error) {
	a, err := account.Load(w.overlay, addr)
	if err != nil {
		return false, err
	}
	if a.Kind != account.External || a.Nonce != 0 {
		again, err = w.redeploys(addr, &a, &n)
		if err == nil && !again {
			err = raise(ActorExists, "an actor lives at %v already", addr)
		}
		if err != nil {
			return false, err
		}
	} else {
		a.Kind, a.CodeHash, a.Creator, a.CreatedAt = account.Actor, n.hash, n.creator, w.turn.Block.Height
		a.CodeBytes, a.RentEpoch = uint64(len(n.source)), w.turn.Block.Rent.Epoch()
		account.Save(w.overlay, addr, &a)
		rent.Enlist(w.overlay, addr)
		w.overlay.Set(CodeKey(n.hash), n.source)
	}
	if n.manifest != nil {
		w.overlay.Set(ManifestKey(addr), n.manifest)
		delete(w.grants.read, addr)
	}
	return again, w.warn(addr, n.manifest)
}

// redeploys says whether a deployment onto an actor is one that makes it executable again: it does not execute, its code is the deployed one
// still, and the deployment has a manifest.
func (w *work) redeploys(addr account.Address, a *account.Account, n *newActor) (bool, error) {
	b := w.turn.Block
	if a.Kind != account.Actor || a.CodeHash != n.hash || n.manifest == nil || !b.Params.Entitlements.AnyRemoved(b.Height) {
		return false, nil
	}
	raw, found, err := w.overlay.Lookup(ManifestKey(addr))
	if err != nil || !found {
		return false, err
	}
	held, err := entitle.Parse(raw)
	if err != nil {
		return false, err
	}
	_, removed := held.Removed(&b.Params.Entitlements, b.Height)
	return removed, nil
}

// sourceFault is the code of a source that does not load. Spec: sdk §10.4 (E1202 at class load).
func sourceFault(err error) uint16 {
	var refused *lower.Error
	if errors.As(err, &refused) {
		return drain.FaultInput
	}
	return drain.FaultSource
}

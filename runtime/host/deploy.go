package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/sdk/lower"
)

// deploy creates an actor and calls the init handler the deployment names. Everything of it is undone if that raises.
//
// The canonical form of the source is what is hashed, stored and compiled. Coin that was sent to the address before stays on it.
//
// Spec: sdk §3.8; WP §1.2.
func (h *Host) deploy(w *work, meter *object.Meter, in *tx.Deploy) (account.Address, []byte, *ending) {
	source, err := account.CanonicalSource(in.Code)
	if err != nil {
		return account.Address{}, nil, faulted(drain.FaultSource, err.Error())
	}
	manifest, end := admit(w, w.turn.Sender, in.Manifest)
	if end != nil {
		return account.Address{}, nil, end
	}
	salt, err := account.PadSalt(in.Salt)
	if err != nil {
		return account.Address{}, nil, faulted(drain.FaultInput, err.Error())
	}
	hash := account.CodeHash(source)
	code, err := h.programs.compile(hash, source)
	if err != nil {
		return account.Address{}, nil, faulted(sourceFault(err), err.Error())
	}
	creator := w.turn.Sender
	addr := account.DeriveActor(creator, salt, hash)
	data, ok, err := w.overlay.Lookup(addr.Key())
	if err != nil {
		return addr, nil, failed(err)
	}
	var a account.Account
	if ok {
		if a, err = account.Decode(data); err != nil {
			return addr, nil, failed(err)
		}
	}
	if a.Kind != account.External || a.Nonce != 0 {
		return addr, nil, faulted(drain.FaultExists, "an actor lives at "+addr.String()+" already")
	}
	a.Kind, a.CodeHash, a.Creator, a.CreatedAt = account.Actor, hash, creator, w.turn.Block.Height
	w.overlay.Set(addr.Key(), a.Encode())
	w.overlay.Set(CodeKey(hash), source)
	if manifest != nil {
		w.overlay.Set(ManifestKey(addr), manifest)
	}
	if in.InitHandler == nil {
		if !code.Form.Routes {
			return addr, nil, nil
		}
		_, end := h.execute(w, meter, invocation{target: addr, sender: &creator, code: code, unnamed: true})
		return addr, nil, end
	}
	result, end := h.execute(w, meter, invocation{
		target: addr, sender: &creator, handler: string(in.InitHandler), delivery: delivery{data: in.InitPayload}, code: code,
		bootstrap: true,
	})
	return addr, result, end
}

// sourceFault is the code of a source that does not load. Spec: sdk §10.4 (E1202 at class load).
func sourceFault(err error) uint16 {
	var refused *lower.Error
	if errors.As(err, &refused) {
		return drain.FaultInput
	}
	return drain.FaultSource
}

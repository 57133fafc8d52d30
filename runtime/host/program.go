package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// systemCode reads the program of a system actor that governance gave one, and that answers in this block.
//
// Spec: governance-staking B7, B8.
func (h *Host) systemCode(w *work, addr account.Address) (*Code, *ending) {
	hash, ok := system.Program(w.turn.Block, addr)
	if !ok {
		end := faulted(drain.FaultActor, "no actor at "+addr.String())
		end.class = ActorNotFound
		return nil, end
	}
	var told *Error
	if err := system.Closed(w.overlay, addr, w.turn.Block); err != nil && errors.As(wrap(err), &told) {
		return nil, told.ending()
	} else if err != nil {
		return nil, failed(err)
	}
	return h.load(w, hash, uploaded)
}

// load gives the program with a code hash, whose source is where from finds it.
func (h *Host) load(w *work, hash digest.Hash, from sourceOf) (*Code, *ending) {
	if w.Fresh >= params.FreshPerTurn && !w.turn.Fresh.Has(hash) {
		end := faulted(drain.FaultLimit, "this turn has loaded as many programs as one may that were not used in the block before")
		end.class = Quota
		return nil, end
	}
	code, err := h.programs.code(w.overlay, hash, from)
	if err != nil {
		return nil, failed(err)
	}
	if w.turn.Fresh != nil && w.turn.Fresh.Add(hash) {
		w.Fresh += code.weight()
	}
	return code, nil
}

// sourceOf finds the canonical source with a code hash.
type sourceOf func(from state.Reader, hash digest.Hash) (source []byte, ok bool, err error)

// deployed finds the source of an actor.
func deployed(from state.Reader, hash digest.Hash) ([]byte, bool, error) {
	return from.Lookup(CodeKey(hash))
}

// uploaded finds a source that was uploaded for system actors.
func uploaded(from state.Reader, hash digest.Hash) ([]byte, bool, error) {
	u, ok, err := govern.LoadUpload(from, hash)
	return u.Source, ok, err
}

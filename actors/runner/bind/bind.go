package bind

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// When it looks, and how long it waits.
const (
	every  = 10 * time.Second
	within = time.Minute
	quiet  = 15 // blocks after something was sent
	// ahead is how many blocks before its end a binding is renewed: jobs have to end before it.
	ahead = 2 * tee.MaxLifetime
	// fresh is how many blocks old a nonce may be: the chain takes it a little longer.
	fresh = tee.MaxQuoteAge - quiet
)

// The methods of 0x05.
const (
	methodAsk   = "begin_binding"
	methodBind  = "bind_measurements"
	methodRenew = "renew_binding"
)

// Standing is what the chain has of a runner.
type Standing struct {
	Height  unit.Height
	Hash    digest.Hash // of its binding; zero for none
	Expires unit.Height
	Asked   *tee.Asked // the nonce it has not used; nil for none
}

// Chain is a node, on behalf of the runner.
type Chain interface {
	Standing(ctx context.Context) (*Standing, error)
	// Ask calls a method of 0x05, and does not wait for what becomes of it.
	Ask(ctx context.Context, method string, args cbor.Map) error
}

// Environment signs a binding's hash for a nonce, and gives tee.Evidence of it.
type Environment interface {
	Bound(ctx context.Context, nonce, binding digest.Hash) (proof []byte, err error)
}

// Status is how far it is.
type Status struct {
	Bound bool   `json:"bound"` // the chain has the configured binding
	Until uint64 `json:"until"` // the first block in which it admits no new jobs
	Why   string `json:"why,omitempty"`
}

// Handle is how others ask for the status, over restarts.
type Handle struct {
	inbox  *supervision.Inbox
	status atomic.Pointer[Status]
}

// NewHandle gives the handle of a keeper that is to be started.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("binding", 4)}
	h.status.Store(&Status{})
	return h
}

// Status is how far it is at present.
func (h *Handle) Status() Status { return *h.status.Load() }

// due is the time to look.
type due struct{}

// Keeper is the supervised actor that keeps the binding.
type Keeper struct {
	Handle      *Handle
	Wanted      *tee.Binding
	Chain       Chain
	Environment Environment
	Clock       supervision.Clock

	sent unit.Height // the block in which it last sent something
	used digest.Hash // the nonce it last proved with
	next supervision.Deadline
}

// Receive is the subsystem's one switch.
func (k *Keeper) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		k.Handle.inbox.Reply(due{})
	case *actor.Stopping, *actor.Restarting:
		if k.next != nil {
			k.next.Stop()
		}
	case due:
		k.look()
		k.next = k.Clock.AfterFunc(every, func() { k.Handle.inbox.Reply(due{}) })
	}
}

// look does what is next.
func (k *Keeper) look() {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	status := k.Handle.Status()
	s, err := k.Chain.Standing(ctx)
	if err == nil {
		status = Status{Bound: s.Hash == k.Wanted.Hash(), Until: uint64(s.Expires)}
		err = k.act(ctx, s, status.Bound)
	}
	if err != nil {
		status.Why = err.Error()
	}
	k.Handle.status.Store(&status)
}

// act sends what is next, if anything is.
func (k *Keeper) act(ctx context.Context, s *Standing, same bool) error {
	if same && s.Height+ahead < s.Expires {
		return nil
	}
	method, args := methodAsk, cbor.Map{}
	if s.Asked != nil && s.Height <= s.Asked.At+fresh && s.Asked.Nonce != k.used {
		proof, err := k.Environment.Bound(ctx, s.Asked.Nonce, k.Wanted.Hash())
		if err != nil {
			return err
		}
		if method = methodRenew; !same {
			method, args = methodBind, form(k.Wanted)
		}
		args = append(args, cbor.Pair{Key: "proof", Value: proof})
	}
	if method == methodAsk && k.sent > 0 && s.Height < k.sent+quiet {
		return nil
	}
	err := k.Chain.Ask(ctx, method, args)
	if err == nil {
		k.sent = s.Height
		if method != methodAsk {
			k.used = s.Asked.Nonce
		}
	}
	return err
}

// form is a binding as bind_measurements takes it.
func form(b *tee.Binding) cbor.Map {
	list := func(all []digest.Hash) []any {
		out := make([]any, len(all))
		for i := range all {
			out[i] = all[i][:]
		}
		return out
	}
	return cbor.Map{
		{Key: "cpu_tee_type", Value: b.Type.String()}, {Key: "allowed_cpu_measurements", Value: list(b.Measurements)},
		{Key: "allowed_gpu", Value: list(b.Accelerators)}, {Key: "service_pubkey", Value: b.Service[:]},
		{Key: "service_scheme", Value: b.Scheme.String()},
	}
}

// Spec declares the keeper as a member of a tree.
func Spec(h *Handle, of func() *Keeper) supervision.Spec {
	return supervision.Spec{Name: "binding", Inbox: h.inbox, New: func() actor.Actor { return of() }, StopWithin: within + 5*time.Second}
}

package host

import (
	"errors"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Scratch is what surrounds the only actor of an offline machine: who calls it, where its chain is, who else is there, and what it has
// done. It is for tools; no node has one.
//
// Spec: sdk §21 (mock_host).
type Scratch struct {
	top  *Invocation
	jobs bool // there is a job dispatcher
	// Answer gives what another actor's handler returns: exact bytes, or CBOR when structured. Nil: nobody answers.
	Answer func(target account.Address, handler string, args []byte, structured bool) ([]byte, error)
}

// scratchAddress is the actor's own.
var scratchAddress = account.Address{0: 0xff, account.AddressSize - 1: 0xff}

// open begins anew: nothing stored, nothing sent, called by itself at height 0.
func (s *Scratch) open(f *Invocation) error {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	work, err := newWork(&drain.Turn{Kind: block.Transaction, Overlay: overlay, Block: &drain.Block{Params: params.Genesis()}})
	if err != nil {
		return err
	}
	work.jobs = s.jobs
	work.turn.Block.Limits = mailbox.Limits{Capacity: 1_000_000, Depth: 32, DedupBlocks: 10_000, DeferredActor: 64, DeferredList: 16_384, DeferredAge: 1_000}
	s.top, s.Answer = f, nil
	f.value = 0
	f.work, f.native, f.form.Permissions = work, true, true
	self := f.self
	f.sender = &self
	s.AddActor(self)
	s.AddActor(account.System(account.JobDispatcher))
	f.run = func(n nested) (nestedResult, error) {
		if s.Answer == nil {
			return nestedResult{}, raise(ActorNotFound, "there is no other actor outside of a chain")
		}
		before := work.overlay.Mark()
		if n.value > 0 {
			if err := f.pay(n.target, n.value); err != nil {
				return nestedResult{}, err
			}
		}
		data, err := s.Answer(n.target, n.method, n.args, n.structured)
		if err != nil {
			work.overlay.Revert(before)
		}
		return nestedResult{data}, err
	}
	return nil
}

// Reset begins anew.
func (s *Scratch) Reset() error { return s.open(s.top) }

// Self is the actor's address.
func (s *Scratch) Self() account.Address { return s.top.self }

// SetSender says who calls; nil is nobody, as in a query. Permissions apply to everybody but the actor itself.
func (s *Scratch) SetSender(who *account.Address) {
	s.top.sender = who
	s.top.native = who != nil && *who == s.top.self
}

// SetValue says what coins come with a call.
func (s *Scratch) SetValue(amount unit.Amount) { s.top.value = amount }

// SetOpen says whether handlers without a tag are open, as they are in a module that names no permission decorator.
func (s *Scratch) SetOpen(open bool) { s.top.form.Permissions = !open }

// SetMode says how handlers run.
func (s *Scratch) SetMode(m Mode) { s.top.mode = m }

// SetBlock says where the chain is.
func (s *Scratch) SetBlock(height unit.Height, timestampMs, chainID uint64) {
	b := s.top.work.turn.Block
	b.Height, b.TimestampMs, b.ChainID = height, timestampMs, chainID
}

// Block is where the chain is.
func (s *Scratch) Block() (height unit.Height, timestampMs, chainID uint64) {
	b := s.top.work.turn.Block
	return b.Height, b.TimestampMs, b.ChainID
}

// SetBalance gives an address its coins.
func (s *Scratch) SetBalance(addr account.Address, amount unit.Amount) error {
	a, err := account.Load(s.top.work.overlay, addr)
	if err == nil {
		err = errors.Join(a.Debit(a.Balance), a.Credit(amount))
	}
	account.Save(s.top.work.overlay, addr, &a)
	return err
}

// AddActor makes an address one that messages can be sent to.
func (s *Scratch) AddActor(addr account.Address) {
	a := account.Account{Kind: account.Actor}
	if addr.IsReserved() {
		a.Kind = account.SystemActor
	}
	account.Save(s.top.work.overlay, addr, &a)
}

// Events are what the actor has emitted.
func (s *Scratch) Events() []block.Event { return s.top.work.Events }

// State calls fn with the actor's own entries, ascending; what is kept under a hash is left out.
func (s *Scratch) State(fn func(key, value []byte)) error {
	prefix := account.Key(account.KindStorage, s.top.self)
	return s.top.work.overlay.Scan(prefix, nil, 0, func(full, value []byte) bool {
		if key := full[len(prefix):]; len(key) <= verbatimKey && !IsReserved(key) {
			fn(key, value)
		}
		return true
	})
}

// Messages are what the actor has sent, in order; jobs go to the job dispatcher.
func (s *Scratch) Messages() ([]mailbox.Message, error) {
	var list []mailbox.Message
	entries, err := mailbox.Pending(s.top.work.overlay, nil, 0)
	for _, e := range entries {
		m, ok, err := mailbox.Load(s.top.work.overlay, e)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, m)
		}
	}
	return list, err
}

// Timers are those that wait, the one due first first.
func (s *Scratch) Timers() ([]timer.Timer, error) {
	var list []timer.Timer
	var failed error
	err := timer.Owned(s.top.work.overlay, s.top.self, 0, func(id timer.ID) bool {
		t, ok, err := timer.Load(s.top.work.overlay, id)
		if failed = err; ok && err == nil {
			list = append(list, t)
		}
		return err == nil
	})
	if err == nil {
		err = failed
	}
	return list, err
}

// Raised carries an exception of the machine out of Answer.
func Raised(e *object.Exception) error { return &thrown{e} }

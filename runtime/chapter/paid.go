package chapter

import (
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Paid is a state whose reads are paid for beyond those that a price covers, and whose writes are. A reject of the meter comes out of every read after it,
// and out of Err.
//
// Spec: CIP-2 §7.4 (check); WP §17.3.
type Paid struct {
	store *state.Overlay
	env   *Env
	free  int // entries
	err   error
}

// Paid gives the environment's state with so many entries to read that are paid for already.
func (e *Env) Paid(free int) *Paid { return &Paid{store: e.State, env: e, free: free} }

// Err is the meter's reject.
func (p *Paid) Err() error { return p.err }

func (p *Paid) pay() error {
	if p.free--; p.free < 0 && p.err == nil {
		p.err = p.env.Charge(p.env.Costs().StorageRead, 0)
	}
	return p.err
}

// Lookup implements state.Reader.
func (p *Paid) Lookup(key []byte) ([]byte, bool, error) {
	if p.err != nil {
		return nil, false, p.err
	}
	value, ok, err := p.store.Lookup(key)
	if ok && err == nil {
		err = p.pay()
	}
	return value, ok, err
}

// Scan implements state.Reader.
func (p *Paid) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	if p.err != nil {
		return p.err
	}
	passed := func() bool {
		if p.err == nil {
			p.err = p.env.Charge(p.env.Costs().StoragePassed, 0)
		}
		return p.err == nil
	}
	err := p.store.ScanOver(prefix, after, limit, passed, func(key, value []byte) bool { return p.pay() == nil && fn(key, value) })
	if err == nil {
		err = p.err
	}
	return err
}

// Set implements state.Store.
func (p *Paid) Set(key, value []byte) {
	if p.err == nil {
		p.err = p.env.Charge(p.env.Costs().StorageWrite, 0)
	}
	p.store.Set(key, value)
}

// Delete implements state.Store.
func (p *Paid) Delete(key []byte) { p.store.Delete(key) }

package host

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
)

// owner reads the ownership slot: set is false while nobody has taken it. After renouncing it holds the zero address and counts as set.
//
// Spec: sdk §12.
func (f *Invocation) owner() (addr account.Address, set bool, err error) {
	value, set, err := f.work.overlay.Lookup(StorageKey(f.self, []byte(keyOwner)))
	if err != nil || !set || len(value) != account.AddressSize {
		return account.Address{}, set, err
	}
	return account.Address(value), true, nil
}

// Owner is owner, charged.
//
// Spec: sdk §12 (get_owner).
func (f *Invocation) Owner() (account.Address, bool, error) {
	if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
		return account.Address{}, false, err
	}
	return f.owner()
}

// setOwner writes the ownership slot, an entry of the actor's storage like any other.
//
// Spec: sdk §12; ENT §9.4 (storage.kv).
func (f *Invocation) setOwner(to account.Address) error {
	if err := f.charge(uint64(f.costs().StorageWrite), uint64(len(keyOwner)+account.AddressSize)); err != nil {
		return err
	}
	if _, err := f.require(entitle.KV, "writing the owner"); err != nil {
		return err
	}
	return f.put([]byte(keyOwner), to[:])
}

// TransferOwnership gives the actor an owner: anyone while it has none, else the owner or the actor itself. The zero address is the
// caller's to refuse.
//
// Spec: sdk §12 (transfer_ownership).
func (f *Invocation) TransferOwnership(to account.Address) error {
	if err := f.mutates("transfer_ownership"); err != nil {
		return err
	}
	owner, set, err := f.owner()
	if err != nil {
		return err
	}
	if set && !f.sentBy(owner) && !f.sentBy(f.self) {
		return raise(PermissionDenied, "only the owner may transfer ownership")
	}
	return f.setOwner(to)
}

// RenounceOwnership leaves the actor without an owner for ever.
//
// Spec: sdk §12 (renounce_ownership).
func (f *Invocation) RenounceOwnership() error {
	if err := f.mutates("renounce_ownership"); err != nil {
		return err
	}
	owner, set, err := f.owner()
	if err != nil {
		return err
	}
	if !set || !f.sentBy(owner) && !f.sentBy(f.self) {
		return raise(PermissionDenied, "only the owner may renounce ownership")
	}
	return f.setOwner(account.Address{})
}

// AssumeOwnership makes the sender the owner if there is none, and returns the owner.
//
// Spec: sdk §12 (assume_ownership_if_unowned).
func (f *Invocation) AssumeOwnership() (account.Address, error) {
	if err := f.mutates("assume_ownership_if_unowned"); err != nil {
		return account.Address{}, err
	}
	owner, set, err := f.Owner()
	if err != nil || set {
		return owner, err
	}
	if f.sender == nil {
		return account.Address{}, raise(PermissionDenied, "nobody is calling")
	}
	return *f.sender, f.setOwner(*f.sender)
}

// initialized reports whether init has returned once.
//
// Spec: sdk §5.3, §12 (is_initialized).
func (f *Invocation) initialized() (bool, error) {
	if f.self.IsReserved() { // governance gave a system actor its program; nobody initializes it
		return true, nil
	}
	_, ok, err := f.work.overlay.Lookup(StorageKey(f.self, []byte(keyInitialized)))
	return ok, err
}

// setInitialized closes the init window. The flag is the protocol's own and free.
func (f *Invocation) setInitialized() error { return f.put([]byte(keyInitialized), []byte{1}) }

// sentBy reports whether addr, which is not the zero address, is the sender.
func (f *Invocation) sentBy(addr account.Address) bool {
	return f.sender != nil && *f.sender == addr && !addr.IsZero()
}

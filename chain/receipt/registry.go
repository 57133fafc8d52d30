package receipt

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Choose gives the identity a request has: the one its gateway chose, or where that is in use the one of its transaction. Reject: ErrPending for an identity
// of a request that is pending, and where both are in use.
//
// Spec: gateway-payments-streams §C (never accept a reused pending id).
func Choose(r state.Reader, wanted ID, tx digest.Hash, at unit.Height) (ID, error) {
	old, err := Load(r, wanted)
	switch {
	case errors.Is(err, ErrUnknown):
		return wanted, nil
	case err != nil:
		return ID{}, err
	case old.Status == Pending && !old.Expired(at):
		return ID{}, ErrPending
	}
	id := Derived(tx)
	if _, err := Load(r, id); errors.Is(err, ErrUnknown) {
		return id, nil
	} else if err != nil {
		return ID{}, err
	}
	return ID{}, ErrPending
}

// Open writes the receipt of a request that a message brings to its actor, and takes it up among those that are removed later.
//
// Spec: gateway-payments-streams §C.
func Open(s state.Store, id ID, message digest.Hash, c *Receipt) {
	s.Set(idKey(id), c.Append(nil))
	s.Set(messageKey(message), id[:])
	s.Set(dueKey(c.Expires+KeptBlocks, id), message[:])
}

// Of finds the request that a message brings; ok is false for a message that brings none.
func Of(r state.Reader, message digest.Hash) (id ID, ok bool, err error) {
	data, ok, err := r.Lookup(messageKey(message))
	if err != nil || !ok || len(data) != IDBytes {
		return ID{}, false, err
	}
	return ID(data), true, nil
}

// Settle notes how the message of a request ended: failed, or with a response that is kept, or with one that is not. A response with status 202 leaves the
// receipt pending, and so does a receipt that the actor has completed already stay as it is.
//
// Spec: gateway-payments-streams §C (a handler that traps makes it FAILED).
func Settle(s state.Store, id ID, message digest.Hash, failed bool, r *Response) error {
	s.Delete(messageKey(message))
	c, err := Load(s, id)
	if err != nil || c.Status != Pending {
		return err
	}
	switch {
	case failed:
		c.Status = Failed
	case r == nil:
		c.Status = Completed
	case r.Status == Accepted:
		c.Private = r.Private
	default:
		c.Status, c.Private, c.Envelope = Completed, r.Private, r.Envelope
	}
	s.Set(idKey(id), c.Append(nil))
	return nil
}

// Complete answers a pending request with a final response. speaks says whether the sender may answer for the actor. Rejects: ErrUnknown, ErrActor,
// ErrExpired, ErrStatus, ErrResponse.
//
// Spec: gateway-payments-streams §C (66).
func Complete(s state.Store, id ID, at unit.Height, envelope []byte, speaks func(*Receipt) (ok bool, mostBody uint64, err error)) error {
	c, err := Load(s, id)
	if err != nil {
		return err
	}
	ok, most, err := speaks(&c)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrActor
	case c.Expired(at):
		return ErrExpired
	case c.Status != Pending:
		return ErrStatus
	}
	r, err := ParseStored(envelope, most)
	if err == nil && r.Status == Accepted {
		err = ErrResponse
	}
	if err != nil {
		return err
	}
	c.Status, c.Private, c.Envelope = Completed, c.Private || r.Private, r.Envelope
	s.Set(idKey(id), c.Append(nil))
	return nil
}

// Sweep removes receipts whose time to be removed has come, the oldest first and most of them at once.
//
// Spec: gateway-payments-streams §C (one sweep of the registry a block).
func Sweep(s state.Store, now unit.Height, most int) (removed int, err error) {
	prefix := under(underDue)
	type due struct {
		key     []byte
		id      ID
		message digest.Hash
	}
	var list []due
	err = s.Scan(prefix, nil, most, func(key, value []byte) bool {
		rest := key[len(prefix):]
		if len(rest) != 8+IDBytes || len(value) != digest.Size || unit.Height(binary.BigEndian.Uint64(rest)) > now {
			return false
		}
		list = append(list, due{append([]byte(nil), key...), ID(rest[8:]), digest.Hash(value)})
		return true
	})
	if err != nil {
		return 0, err
	}
	for _, d := range list {
		s.Delete(d.key)
		s.Delete(idKey(d.id))
		s.Delete(messageKey(d.message))
	}
	return len(list), nil
}

package secret

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Named is a secret with what its name hashes to.
type Named struct {
	KeyHash digest.Hash
	*Secret
}

// List lists the secrets of an account, those that were deleted among them, ascending by key hash, after one (nil: from the first) and at most limit.
//
// Spec: secrets-cbss §4 (secrets list).
func List(r state.Reader, of account.Address, after *digest.Hash, limit int) ([]Named, error) {
	prefix := under(underSecret, of[:])
	var list []Named
	err := scan(r, prefix, after, limit, func(id digest.Hash, value []byte) error {
		s, err := DecodeSecret(value)
		list = append(list, Named{id, s})
		return err
	})
	return list, err
}

// NamedProxy is a proxy with its identity.
type NamedProxy struct {
	ID digest.Hash
	*Proxy
}

// Proxies lists the proxies, ascending by identity, likewise.
//
// Spec: secrets-cbss §4 (proxy status).
func Proxies(r state.Reader, after *digest.Hash, limit int) ([]NamedProxy, error) {
	var list []NamedProxy
	err := scan(r, under(underProxy), after, limit, func(id digest.Hash, value []byte) error {
		p, err := DecodeProxy(value)
		list = append(list, NamedProxy{id, p})
		return err
	})
	return list, err
}

// scan reads entries whose keys end with a hash.
func scan(r state.Reader, prefix []byte, after *digest.Hash, limit int, take func(id digest.Hash, value []byte) error) error {
	var from []byte
	if after != nil {
		from = append(bytes.Clone(prefix), after[:]...)
	}
	var bad error
	err := r.Scan(prefix, from, limit, func(key, value []byte) bool {
		bad = take(digest.Hash(key[len(prefix):]), value)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	return err
}

// Memberships lists the first scopes whose committee a proxy is of, at most limit.
//
// Spec: secrets-cbss §4 (proxy reshare-status).
func Memberships(r state.Reader, proxy digest.Hash, limit int) ([]Scope, error) {
	prefix := under(underMembership, proxy[:])
	var list []Scope
	var bad error
	err := r.Scan(prefix, nil, limit, func(key, _ []byte) bool {
		var of Scope
		of, bad = ParseScope(key[len(prefix):])
		list = append(list, of)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	return list, err
}

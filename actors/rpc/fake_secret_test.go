package rpc

import (
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

func (f *fake) Secrets(account.Address, *digest.Hash, int) (wire.Secrets, error) {
	return wire.Secrets{Secrets: []wire.Secret{}}, nil
}

func (f *fake) SecretVersions(account.Address, digest.Hash) (wire.SecretVersions, error) {
	return wire.SecretVersions{}, errNotFound
}

func (f *fake) SecretPayload(account.Address, digest.Hash, uint64) (wire.SecretPayload, error) {
	return wire.SecretPayload{}, errNotFound
}

func (f *fake) ReleaseKey(secret.Scope) (wire.ReleaseKey, error) {
	return wire.ReleaseKey{}, errNotFound
}

func (f *fake) Proxies(*digest.Hash, int) (wire.Proxies, error) {
	return wire.Proxies{Proxies: []wire.Proxy{}}, nil
}

func (f *fake) Proxy(digest.Hash) (wire.Proxy, error) { return wire.Proxy{}, errNotFound }

func (f *fake) ProxyOf(account.Address) (wire.Proxy, error) { return wire.Proxy{}, errNotFound }

func (f *fake) Release(digest.Hash) (wire.SecretRelease, error) {
	return wire.SecretRelease{}, errNotFound
}

func (f *fake) WaitingLocks(account.Address) ([]wire.Tlock, error) { return nil, nil }

func (f *fake) Tlock(digest.Hash) (wire.Tlock, error) { return wire.Tlock{}, errNotFound }

func (f *fake) ProxyWork(digest.Hash) (wire.ProxyWork, error) { return wire.ProxyWork{}, errNotFound }

func (f *fake) SealAdmission(digest.Hash, uint64) (wire.SealAdmission, error) {
	return wire.SealAdmission{}, errNotFound
}

func (f *fake) Admission(digest.Hash, []byte) (wire.Admission, error) {
	return wire.Admission{}, errNotFound
}

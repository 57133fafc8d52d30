package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// SecretBackend tells of the secret service after the newest block.
//
// Spec: secrets-cbss §2, §4.
type SecretBackend interface {
	// Secrets lists the secrets of an account, a page of them after a key hash; SecretVersions tells of one and of its versions, never of what is in them.
	Secrets(of account.Address, after *digest.Hash, limit int) (wire.Secrets, error)
	SecretVersions(of account.Address, key digest.Hash) (wire.SecretVersions, error)
	// SecretPayload gives the encrypted payload of a version that is kept inline.
	SecretPayload(of account.Address, key digest.Hash, version uint64) (wire.SecretPayload, error)
	// ReleaseKey tells of the key of an account, or of a version, and of the committee that shares it.
	ReleaseKey(of secret.Scope) (wire.ReleaseKey, error)
	// Proxies lists the proxies, Proxy tells of one by its identity, ProxyOf by its operator.
	Proxies(after *digest.Hash, limit int) (wire.Proxies, error)
	Proxy(id digest.Hash) (wire.Proxy, error)
	ProxyOf(operator account.Address) (wire.Proxy, error)
	// Tlock tells of a time lock.
	Tlock(id digest.Hash) (wire.Tlock, error)
	// WaitingLocks lists the time locks of an account that are not open, the earliest round first, without their payloads.
	WaitingLocks(of account.Address) ([]wire.Tlock, error)
	// Release tells which receipts of a release there are, while it is remembered.
	Release(id digest.Hash) (wire.SecretRelease, error)
}

// memberships is how many of a proxy's committees are shown.
const memberships = 100

// secrets adds the calls about the secret service.
//
// Spec: secrets-cbss §2, §4.
func (s *server) secrets(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /secrets/{addr}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		after, limit, err := secretPage(r)
		if err != nil {
			return nil, err
		}
		return b.Secrets(a, after, limit)
	}))
	mux.HandleFunc("GET /secrets/{addr}/{hash}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		key, err := hashIn(r.PathValue("hash"))
		if err != nil {
			return nil, err
		}
		return b.SecretVersions(a, key)
	}))
	mux.HandleFunc("GET /secrets/{addr}/{hash}/{version}/payload", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		key, version, err := versionIn(r)
		if err != nil {
			return nil, err
		}
		return b.SecretPayload(a, key, version)
	}))
	mux.HandleFunc("GET /release-key/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) {
		return b.ReleaseKey(secret.AccountScope(a))
	}))
	mux.HandleFunc("GET /release-key/{addr}/{hash}/{version}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		key, version, err := versionIn(r)
		if err != nil {
			return nil, err
		}
		return b.ReleaseKey(secret.Scope{Secret: cbss.SecretID{Account: a, KeyHash: key}, Version: version})
	}))
	mux.HandleFunc("GET /proxies", func(w http.ResponseWriter, r *http.Request) {
		after, limit, err := secretPage(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := b.Proxies(after, limit)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /proxy/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Proxy(h) }))
	mux.HandleFunc("GET /proxy/of/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.ProxyOf(a) }))
	mux.HandleFunc("GET /tlock/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Tlock(h) }))
	mux.HandleFunc("GET /release/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Release(h) }))
}

// versionIn reads which version of a secret a path names.
func versionIn(r *http.Request) (key digest.Hash, version uint64, err error) {
	if key, err = hashIn(r.PathValue("hash")); err != nil {
		return key, 0, err
	}
	version, err = strconv.ParseUint(r.PathValue("version"), 10, 64)
	if err != nil || version == 0 {
		err = badRequest("a version is a number above zero")
	}
	return key, version, err
}

func hashIn(text string) (digest.Hash, error) {
	raw, err := hex.DecodeString(trim0x(text))
	if err != nil || len(raw) != digest.Size {
		return digest.Hash{}, badRequest("a hash is 64 hex digits, with or without 0x")
	}
	return digest.Hash(raw), nil
}

// secretPage reads where a page begins and how long it is.
func secretPage(r *http.Request) (after *digest.Hash, limit int, err error) {
	if text := r.URL.Query().Get("cursor"); text != "" {
		id, err := hashIn(text)
		if err != nil {
			return nil, 0, badRequest("cursor is not one this node gave")
		}
		after = &id
	}
	n, err := number(r, "limit", maxPage)
	return after, int(min(max(n, 1), maxPage)), err
}

// secretCalls describes them.
func secretCalls() []Call {
	page := []string{"cursor:string:those after this one", "limit:integer:how many, at most 1000"}
	return []Call{
		{"get", "/secrets/{addr}", "the secrets of an account, by the hashes of their names", page, "", wire.Secrets{}},
		{"get", "/secrets/{addr}/{hash}", "a secret with its versions: policies and sealed keys, no contents", nil, "", wire.SecretVersions{}},
		{"get", "/secrets/{addr}/{hash}/{version}/payload", "the encrypted payload of a version that is kept inline", nil, "", wire.SecretPayload{}},
		{"get", "/release-key/{addr}", "the release key of an account, and the committee that shares it", nil, "", wire.ReleaseKey{}},
		{"get", "/release-key/{addr}/{hash}/{version}", "the release key of a version that has a committee of its own", nil, "", wire.ReleaseKey{}},
		{"get", "/proxies", "the proxies of the secret service", page, "", wire.Proxies{}},
		{"get", "/proxy/{hash}", "a proxy, by its identity", nil, "", wire.Proxy{}},
		{"get", "/proxy/of/{addr}", "a proxy, by its operator", nil, "", wire.Proxy{}},
		{"get", "/tlock/{hash}", "a time lock, with what opens it once the beacon has reached its round", nil, "", wire.Tlock{}},
		{"get", "/release/{hash}", "the receipts of a release, while it is remembered", nil, "", wire.SecretRelease{}},
	}
}

// Secrets implements SecretBackend.
func (n *Node) Secrets(of account.Address, after *digest.Hash, limit int) (wire.Secrets, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Secrets{}, err
	}
	list, err := secret.List(t.State, of, after, limit)
	return wire.ViewSecrets(of, list, limit), err
}

// SecretVersions implements SecretBackend.
func (n *Node) SecretVersions(of account.Address, key digest.Hash) (wire.SecretVersions, error) {
	t, err := n.tip()
	if err != nil {
		return wire.SecretVersions{}, err
	}
	id := cbss.SecretID{Account: of, KeyHash: key}
	m, err := secret.LoadSecret(t.State, id)
	if err == nil && m == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.SecretVersions{}, err
	}
	v := wire.SecretVersions{Secret: wire.ViewSecret(&secret.Named{KeyHash: key, Secret: m}), Account: of.String(), Versions: []wire.SecretVersion{}}
	for _, number := range m.Active {
		one, err := secret.LoadVersion(t.State, id, number)
		if err != nil {
			return v, err
		}
		v.Versions = append(v.Versions, wire.ViewVersion(number, one))
	}
	return v, nil
}

// SecretPayload implements SecretBackend.
func (n *Node) SecretPayload(of account.Address, key digest.Hash, version uint64) (wire.SecretPayload, error) {
	t, err := n.tip()
	if err != nil {
		return wire.SecretPayload{}, err
	}
	raw, err := secret.LoadPayload(t.State, cbss.SecretID{Account: of, KeyHash: key}, version)
	if err == nil && raw == nil {
		err = errNotFound
	}
	return wire.SecretPayload{Payload: hex.EncodeToString(raw)}, err
}

// ReleaseKey implements SecretBackend.
func (n *Node) ReleaseKey(of secret.Scope) (wire.ReleaseKey, error) {
	t, err := n.tip()
	if err != nil {
		return wire.ReleaseKey{}, err
	}
	k, err := secret.LoadKey(t.State, of)
	if err != nil {
		return wire.ReleaseKey{}, err
	}
	p, err := secret.LoadPending(t.State, of)
	if err == nil && k == nil && p == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.ReleaseKey{}, err
	}
	return wire.ViewReleaseKey(of, k, p), nil
}

// Proxies implements SecretBackend.
func (n *Node) Proxies(after *digest.Hash, limit int) (wire.Proxies, error) {
	v := wire.Proxies{Proxies: []wire.Proxy{}}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := secret.Proxies(t.State, after, limit)
	for _, p := range list {
		v.Proxies = append(v.Proxies, wire.ViewProxy(p.ID, p.Proxy, nil, t.Header.Height))
	}
	if len(list) == limit {
		v.NextCursor = wire.Hash(list[limit-1].ID)
	}
	return v, err
}

// Proxy implements SecretBackend.
func (n *Node) Proxy(id digest.Hash) (wire.Proxy, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Proxy{}, err
	}
	p, err := secret.LoadProxy(t.State, id)
	if errors.Is(err, secret.ErrProxy) {
		err = errNotFound
	}
	if err != nil {
		return wire.Proxy{}, err
	}
	scopes, err := secret.Memberships(t.State, id, memberships)
	return wire.ViewProxy(id, p, scopes, t.Header.Height), err
}

// ProxyOf implements SecretBackend.
func (n *Node) ProxyOf(operator account.Address) (wire.Proxy, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Proxy{}, err
	}
	id, err := secret.ProxyOf(t.State, operator)
	if errors.Is(err, secret.ErrProxy) {
		err = errNotFound
	}
	if err != nil {
		return wire.Proxy{}, err
	}
	return n.Proxy(id)
}

// WaitingLocks implements SecretBackend.
func (n *Node) WaitingLocks(of account.Address) (list []wire.Tlock, err error) {
	t, err := n.tip()
	if err != nil {
		return nil, err
	}
	all, err := secret.WaitingLocks(t.State, of)
	for _, one := range all {
		list = append(list, wire.ViewTlock(one.ID, one.Lock, nil))
	}
	return list, err
}

// Tlock implements SecretBackend.
func (n *Node) Tlock(id digest.Hash) (wire.Tlock, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Tlock{}, err
	}
	l, err := secret.LoadLock(t.State, id)
	if err == nil && l == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.Tlock{}, err
	}
	payload, err := secret.LoadLockPayload(t.State, id)
	return wire.ViewTlock(id, l, payload), err
}

// Release implements SecretBackend.
func (n *Node) Release(id digest.Hash) (wire.SecretRelease, error) {
	t, err := n.tip()
	if err != nil {
		return wire.SecretRelease{}, err
	}
	s, err := secret.LoadReceipts(t.State, id)
	if err == nil && s == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.SecretRelease{}, err
	}
	return wire.ViewRelease(id, s), nil
}

package explorer

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// secretRows is how many secrets or proxies a page has.
const secretRows = 25

// SecretSource is what the pages of the secret service read.
type SecretSource interface {
	Secrets(of account.Address, after *digest.Hash, limit int) (wire.Secrets, error)
	SecretVersions(of account.Address, key digest.Hash) (wire.SecretVersions, error)
	ReleaseKey(of secret.Scope) (wire.ReleaseKey, error)
	WaitingLocks(of account.Address) ([]wire.Tlock, error)
	Proxies(after *digest.Hash, limit int) (wire.Proxies, error)
}

// proxiesPage is the proxies of the secret service.
type proxiesPage struct {
	Proxies []wire.Proxy
	Next    string
}

func (s *site) proxies(r *http.Request) (view, error) {
	after, err := cursorHash(r)
	if err != nil {
		return view{}, err
	}
	list, err := s.source.Proxies(after, secretRows)
	if err != nil {
		return view{}, err
	}
	p := proxiesPage{list.Proxies, list.NextCursor}
	return view{Page: "proxies", Title: "Proxies of the secret service", Active: "runners", Live: after == nil, Data: &p}, nil
}

func cursorHash(r *http.Request) (*digest.Hash, error) {
	text := r.URL.Query().Get("cursor")
	if text == "" {
		return nil, nil
	}
	h, err := parseHash(text)
	return &h, err
}

// secretsPage is the secrets of an account by their policies, with the committee that shares its key; never what is in them.
type secretsPage struct {
	Account string
	Key     *wire.ReleaseKey // nil: none was asked for
	Secrets []wire.SecretVersions
	Next    string
	Locks   []wire.Tlock // that wait for their rounds, on the first page
}

func (s *site) secrets(r *http.Request) (view, error) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		return view{}, errAddress
	}
	after, err := cursorHash(r)
	if err != nil {
		return view{}, err
	}
	list, err := s.source.Secrets(addr, after, secretRows)
	if err != nil {
		return view{}, err
	}
	p := secretsPage{Account: addr.String(), Next: list.NextCursor}
	for i := range list.Secrets {
		key, err := parseHash(list.Secrets[i].KeyHash)
		if err != nil {
			return view{}, err
		}
		one, err := s.source.SecretVersions(addr, key)
		if err != nil {
			return view{}, err
		}
		p.Secrets = append(p.Secrets, one)
	}
	key, err := s.source.ReleaseKey(secret.AccountScope(addr))
	if err == nil {
		p.Key = &key
	} else if !absent(err) {
		return view{}, err
	}
	if after == nil {
		if p.Locks, err = s.source.WaitingLocks(addr); err != nil {
			return view{}, err
		}
	}
	return view{Page: "secrets", Title: "Secrets of " + short(addr.String()), Active: "", Live: after == nil, Data: &p}, nil
}

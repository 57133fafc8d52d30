package explorer

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// keptRows is how many volumes and relays a page has of each.
const keptRows = 25

// storagePage is what is stored, and who holds it.
type storagePage struct {
	wire.Relays
	MoreRelays  string // cursor of the relays after
	Volumes     []wire.Volume
	MoreVolumes string
	Retentions  wire.Retentions
}

func (s *site) storage(r *http.Request) (view, error) {
	var p storagePage
	var relays *account.Address
	var volumes *digest.Hash
	query := r.URL.Query()
	if text := query.Get("relays"); text != "" {
		addr, err := account.ReadAddress(text)
		if err != nil {
			return view{}, errAddress
		}
		relays = &addr
	}
	if text := query.Get("volumes"); text != "" {
		id, err := parseHash(text)
		if err != nil {
			return view{}, err
		}
		volumes = &id
	}
	var err error
	if p.Relays, err = s.source.Relays(relays, keptRows); err != nil {
		return view{}, err
	}
	list, err := s.source.Volumes(volumes, keptRows)
	if err != nil {
		return view{}, err
	}
	var contracts *digest.Hash
	if text := query.Get("contracts"); text != "" {
		id, err := parseHash(text)
		if err != nil {
			return view{}, err
		}
		contracts = &id
	}
	if p.Retentions, err = s.source.Retentions(contracts, keptRows); err != nil {
		return view{}, err
	}
	p.Volumes, p.MoreVolumes, p.MoreRelays = list.Volumes, list.NextCursor, p.NextCursor
	return view{Page: "storage", Title: "Volumes and relays", Active: "storage", Live: relays == nil && volumes == nil && contracts == nil, Data: &p}, nil
}

func (s *site) volume(r *http.Request) (view, error) {
	id, err := parseHash(r.PathValue("hash"))
	if err != nil {
		return view{}, err
	}
	v, err := s.source.Volume(id)
	if err != nil {
		return view{}, err
	}
	return view{Page: "volume", Title: "Volume " + short(v.VolumeID), Active: "storage", Live: true, Data: &v}, nil
}

func (s *site) relay(r *http.Request) (view, error) {
	owner, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		return view{}, errAddress
	}
	one, err := s.source.Relay(owner)
	if err != nil {
		return view{}, err
	}
	return view{Page: "relay", Title: "Relay " + short(one.Owner), Active: "storage", Live: true, Data: &one}, nil
}

func (s *site) retention(r *http.Request) (view, error) {
	id, err := parseHash(r.PathValue("hash"))
	if err != nil {
		return view{}, err
	}
	one, err := s.source.Retention(id)
	if err != nil {
		return view{}, err
	}
	return view{Page: "retention", Title: "Retention " + short(one.ContractID), Active: "storage", Live: true, Data: &one}, nil
}

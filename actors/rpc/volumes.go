package rpc

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// volumes adds the calls about volumes and relays. A volume under its public address is answered for as its objects are: one in grace says so in a header,
// one that is deleted is 503, and 410 when its shards go.
//
// Spec: storage-cbfs §2.1, §3.1, §4.
func (s *server) volumes(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /volumes", func(w http.ResponseWriter, r *http.Request) {
		list, err := afterCursor(r, digest.ParseHash, b.Volumes)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /volume/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Volume(h) }))
	mux.HandleFunc("GET /volume/{hash}/wraps", s.byHash(func(h digest.Hash) (any, error) { return b.VolumeWraps(h) }))
	mux.HandleFunc("GET /volumes/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.OwnedVolumes(a) }))
	mux.HandleFunc("GET /volumes/{addr}/{name}", func(w http.ResponseWriter, r *http.Request) {
		s.byAddress(func(r *http.Request, a account.Address) (any, error) {
			v, err := b.NamedVolume(a, r.PathValue("name"))
			if err == nil && v.Status == volume.Grace.String() {
				w.Header().Set(volume.GraceHeader, volume.GraceValue)
			}
			return v, err
		})(w, r)
	})
	mux.HandleFunc("GET /storage/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.StorageAccount(a) }))
	mux.HandleFunc("GET /storage/{addr}/keys/{hash}", func(w http.ResponseWriter, r *http.Request) {
		s.byAddress(func(r *http.Request, a account.Address) (any, error) {
			key, err := digest.ParseHash(r.PathValue("hash"))
			if err != nil {
				return nil, badRequest("a key of CBFS is 32 bytes in hex")
			}
			return b.StorageKey(a, key)
		})(w, r)
	})
	mux.HandleFunc("GET /relays", func(w http.ResponseWriter, r *http.Request) {
		list, err := afterCursor(r, account.ReadAddress, b.Relays)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /relays/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.Relay(a) }))
	mux.HandleFunc("GET /relays/{addr}/slots", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		from, err := number(r, "cursor", 0)
		if err != nil {
			return nil, err
		}
		limit, err := number(r, "limit", maxPage)
		if err != nil {
			return nil, err
		}
		return b.RelaySlots(a, uint32(min(from, relay.MaxPerRelay)), int(min(max(limit, 1), maxPage)))
	}))
}

// afterCursor reads a page behind a cursor.
func afterCursor[C, V any](r *http.Request, parse func(string) (C, error), read func(after *C, limit int) (V, error)) (none V, err error) {
	var after *C
	if text := r.URL.Query().Get("cursor"); text != "" {
		c, err := parse(text)
		if err != nil {
			return none, badRequest("cursor is not one this node gave")
		}
		after = &c
	}
	limit, err := number(r, "limit", maxPage)
	if err != nil {
		return none, err
	}
	return read(after, int(min(max(limit, 1), maxPage)))
}

// volumeCalls describes them.
func volumeCalls() []Call {
	pages := []string{"cursor:string:those after this one", "limit:integer:how many, at most 1000"}
	return []Call{
		{"get", "/volumes", "volumes, in the order of their identities", pages, "", wire.Volumes{}},
		{"get", "/volumes/{addr}", "the volumes of an account", nil, "", wire.Volumes{}},
		{"get", "/volumes/{addr}/{name}", "a volume by its public address: 503 when it is deleted, 410 when its shards go", nil, "", wire.Volume{}},
		{"get", "/volume/{hash}", "a volume by its identity, with its slots and tokens, whatever its status", nil, "", wire.Volume{}},
		{"get", "/volume/{hash}/wraps", "how often the key of a private volume was wrapped, also of one that is gone or to come", nil, "", wire.VolumeWraps{}},
		{"get", "/storage/{addr}", "what an account has of volumes at one height: its coins, sums over its volumes, and each of them", nil, "",
			wire.StorageAccount{}},
		{"get", "/storage/{addr}/keys/{hash}", "whether an account revoked a key of CBFS that spoke for it", nil, "", wire.StorageKey{}},
		{"get", "/relays", "relays of storage, and what they share", pages, "", wire.Relays{}},
		{"get", "/relays/{addr}", "a relay, with its open challenges", nil, "", wire.Relay{}},
		{"get", "/relays/{addr}/slots", "the slots of volumes a relay has been given", pages, "", wire.RelaySlots{}},
	}
}

var (
	errNoVolume = refuse(http.StatusNotFound, 4004, "there is no volume of this name")
	errNoRelay  = refuse(http.StatusNotFound, 4004, "no relay is registered under this address")
)

// Volumes implements Backend. Spec: storage-cbfs §3.1 (queries).
func (n *Node) Volumes(after *digest.Hash, limit int) (wire.Volumes, error) {
	reply := wire.Volumes{Volumes: []wire.Volume{}}
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	var from digest.Hash
	if after != nil {
		from = *after
	}
	ids, list, err := volume.List(t.State.Overlay(), from, limit)
	for i, v := range list {
		reply.Volumes = append(reply.Volumes, wire.ViewVolume(ids[i], v))
	}
	if len(list) == limit {
		reply.NextCursor = wire.Hash(ids[limit-1])
	}
	return reply, err
}

// OwnedVolumes implements Backend.
func (n *Node) OwnedVolumes(owner account.Address) (wire.Volumes, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Volumes{Volumes: []wire.Volume{}}, err
	}
	list, err := ownedVolumes(t.State.Overlay(), owner)
	return wire.Volumes{Volumes: list}, err
}

// ownedVolumes shows all volumes of an account, without slots and tokens.
func ownedVolumes(view state.Reader, owner account.Address) ([]wire.Volume, error) {
	list := []wire.Volume{}
	ids, err := volume.Owned(view, owner)
	for i := 0; err == nil && i < len(ids); i++ {
		var v *volume.Volume
		if v, err = volume.Load(view, ids[i]); err == nil {
			list = append(list, wire.ViewVolume(ids[i], v))
		}
	}
	return list, err
}

// StorageAccount implements Backend.
//
// Spec: storage-cbfs §2.2 (AccountStorageSummary), §3.4 (accounts/balance).
func (n *Node) StorageAccount(owner account.Address) (wire.StorageAccount, error) {
	t, err := n.tip()
	if err != nil {
		return wire.StorageAccount{}, err
	}
	return storageAccount(t.State.Overlay(), owner, t.Header.Height)
}

func storageAccount(view state.Store, owner account.Address, now unit.Height) (wire.StorageAccount, error) {
	reply := wire.StorageAccount{Height: uint64(now), Address: owner.String(), Volumes: []wire.Volume{}}
	a, _, err := account.Find(view, owner)
	if err != nil {
		return reply, err
	}
	s, err := volume.LoadSummary(view, owner)
	if err != nil {
		return reply, err
	}
	reply.Balance, reply.TotalVolumes, reply.TotalEffective = uint64(a.Balance), s.Volumes, s.Effective
	reply.Billed, reply.Reserved = s.Billed, uint64(s.Reserved)
	reply.Volumes, err = ownedVolumes(view, owner)
	return reply, err
}

// StorageKey implements Backend.
//
// Spec: storage-cbfs §2.2 (ras:revocation), §3.4 (auth/revoke).
func (n *Node) StorageKey(wallet account.Address, key digest.Hash) (wire.StorageKey, error) {
	t, err := n.tip()
	if err != nil {
		return wire.StorageKey{}, err
	}
	return storageKey(t.State.Overlay(), wallet, key, t.Header.Height)
}

func storageKey(view state.Reader, wallet account.Address, key digest.Hash, now unit.Height) (wire.StorageKey, error) {
	reply := wire.StorageKey{Height: uint64(now), Wallet: wallet.String(), Key: wire.Hash(key)}
	r, err := volume.LoadRevocation(view, wallet, key)
	if r != nil {
		reply.Revoked, reply.RevokedAt = true, uint64(r.At)
	}
	return reply, err
}

// NamedVolume implements Backend.
func (n *Node) NamedVolume(owner account.Address, name string) (wire.Volume, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Volume{}, err
	}
	return servedVolume(t.State.Overlay(), owner, name, t.Header.Height)
}

// servedVolume shows a volume as its objects are answered for.
//
// Spec: storage-cbfs §4 (over HTTP).
func servedVolume(view state.Store, owner account.Address, name string, now unit.Height) (wire.Volume, error) {
	if cbfs.CheckName(name) != nil {
		return wire.Volume{}, errNoVolume
	}
	id, err := volume.Find(view, owner, name)
	if err != nil {
		return wire.Volume{}, missing(err, errNoVolume)
	}
	v, err := volume.Load(view, id)
	if err != nil {
		return wire.Volume{}, err
	}
	switch code, err := v.Status.HTTP(); err {
	case volume.ErrDeleted:
		return wire.Volume{}, refuse(code, int(systemvolume.FaultDeleted), "VOLUME_DELETED")
	case volume.ErrCollected:
		return wire.Volume{}, refuse(code, int(systemvolume.FaultCollected), "VOLUME_GC")
	}
	return showVolume(view, id, v, now)
}

// VolumeWraps implements Backend. Of a volume that never had a key it says none.
//
// Spec: secrets-cbss §11.
func (n *Node) VolumeWraps(id digest.Hash) (wire.VolumeWraps, error) {
	reply := wire.VolumeWraps{VolumeID: wire.Hash(id), KeyHash: wire.Hash(cbss.VolumeKeyHash(id))}
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	known, err := volume.LoadWrapped(t.State.Overlay(), cbss.VolumeKeyHash(id))
	if known != nil {
		reply.Wraps = known.Wraps
	}
	return reply, err
}

// Volume implements Backend.
func (n *Node) Volume(id digest.Hash) (wire.Volume, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Volume{}, err
	}
	view := t.State.Overlay()
	v, err := volume.Load(view, id)
	if err != nil {
		return wire.Volume{}, missing(err, errNoVolume)
	}
	return showVolume(view, id, v, t.Header.Height)
}

// missing makes the reject of something that is not there that of the API.
func missing(err error, none *Refusal) error {
	if errors.Is(err, volume.ErrNotFound) || errors.Is(err, relay.ErrUnknown) {
		return none
	}
	return err
}

// showVolume shows a volume with its slots and tokens.
func showVolume(view state.Store, id digest.Hash, v *volume.Volume, now unit.Height) (wire.Volume, error) {
	reply := wire.ViewVolume(id, v)
	p, err := relay.LoadPlacement(view, id)
	if err != nil && !errors.Is(err, relay.ErrNotFound) {
		return reply, err
	}
	if err == nil {
		reply.Version = p.Version
		g := &relay.Registry{State: view, Height: now}
		for i := range p.Slots {
			s := &p.Slots[i]
			bad, err := g.Degraded(p, i, v.ShardRoot)
			if err != nil {
				return reply, err
			}
			asked, err := g.Asked(id, uint8(i))
			if err != nil {
				return reply, err
			}
			one := wire.VolumeSlot{Relay: s.Relay.String(), Bytes: s.Bytes, Superseded: uint64(s.Superseded), Degraded: bad, Challenged: asked}
			if !s.Root.IsZero() {
				one.Root = wire.Hash(s.Root)
			}
			if bad {
				reply.Degraded++
			}
			reply.Slots = append(reply.Slots, one)
		}
	}
	tokens, err := volume.Tokens(view, id)
	if err != nil {
		return reply, err
	}
	for _, token := range tokens {
		t, err := volume.LoadToken(view, token)
		if err != nil {
			return reply, err
		}
		body, err := cbfs.DecodeRunnerToken(t.Body)
		if err != nil {
			return reply, err
		}
		one := wire.CapToken{
			TokenID: wire.Hex(token[:]), Token: wire.Hex(t.Body), Runner: body.Runner.String(), Mode: body.Mode.String(), Prefix: body.Prefix,
			MaxBytes: body.MaxBytes, Used: t.Used, Until: body.Until,
		}
		if !t.Job.IsZero() {
			one.Job = wire.Hash(t.Job)
		}
		if t.Grant != ([cbfs.TokenIDSize]byte{}) {
			one.Grant = wire.Hex(t.Grant[:])
		}
		reply.Tokens = append(reply.Tokens, one)
	}
	return reply, nil
}

// Relays implements Backend. Spec: storage-cbfs §2.6, §6.
func (n *Node) Relays(after *account.Address, limit int) (wire.Relays, error) {
	reply := wire.Relays{Relays: []wire.Relay{}}
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	view := t.State.Overlay()
	k, err := relay.LoadClock(view)
	if err != nil {
		return reply, err
	}
	reply.Epoch, reply.Ends, reply.Active, reply.Pot, reply.Pool = k.Epoch, uint64(k.Ends), uint64(k.Active), uint64(k.Pot), uint64(k.Pool)
	list, err := relay.List(view, after, limit)
	for _, one := range list {
		reply.Relays = append(reply.Relays, wire.ViewRelay(one.Owner, one.Relay))
	}
	if len(list) == limit {
		reply.NextCursor = list[limit-1].Owner.String()
	}
	return reply, err
}

// Relay implements Backend.
func (n *Node) Relay(owner account.Address) (wire.Relay, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Relay{}, err
	}
	view := t.State.Overlay()
	r, err := relay.Load(view, owner)
	if err != nil {
		return wire.Relay{}, missing(err, errNoRelay)
	}
	reply := wire.ViewRelay(owner, r)
	open, err := relay.OpenChallenges(view, owner, maxPage)
	for i := 0; err == nil && i < len(open); i++ {
		var c *relay.Challenge
		if c, err = relay.LoadChallenge(view, open[i]); err == nil && c.Drawn {
			reply.Challenges = append(reply.Challenges, wire.ViewChallenge(open[i], c))
		}
	}
	return reply, err
}

// RelaySlots implements Backend. Spec: storage-cbfs §2.3.
func (n *Node) RelaySlots(owner account.Address, from uint32, limit int) (wire.RelaySlots, error) {
	t, err := n.tip()
	if err != nil {
		return wire.RelaySlots{}, err
	}
	return relaySlots(t.State.Overlay(), owner, from, limit)
}

func relaySlots(view state.Reader, owner account.Address, from uint32, limit int) (wire.RelaySlots, error) {
	reply := wire.RelaySlots{Slots: []wire.RelaySlot{}}
	list, err := relay.HeldBy(view, owner, from, limit)
	for _, one := range list {
		reply.Slots = append(reply.Slots, wire.RelaySlot{VolumeID: wire.Hash(one.Volume), Slot: one.Slot})
	}
	if len(list) == limit {
		reply.NextCursor = strconv.FormatUint(uint64(from)+uint64(limit), 10)
	}
	return reply, err
}

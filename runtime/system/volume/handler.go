package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/relay"
)

// action is what a handler does with its arguments.
type action func(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error)

// use makes a handler of an action, its parameters and its price, which is taken before the action begins.
func use(name string, coins bool, cycles unit.Cycles, cells unit.Cells, run action, list ...chapter.Parameter) chapter.Handler {
	return chapter.Handler{Name: name, Ways: relay.Ways, Coins: coins, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		a, err := e.Named(r, list...)
		if err != nil {
			return nil, err
		}
		if err := e.Charge(cycles, cells+unit.Cells(len(r.Data))); err != nil {
			return nil, err
		}
		m, err := Open(e)
		if err != nil {
			return nil, err
		}
		defer relay.Close(e, m.Relays)
		v, err := run(e, m, a)
		if err != nil {
			return nil, err
		}
		return chapter.Plain(v)
	}}
}

// done is what a handler returns that has nothing to say.
func done(err error) (any, error) { return true, err }

func par(name string, kind chapter.Kind) chapter.Parameter {
	return chapter.Parameter{Name: name, Kind: kind}
}

// octet is a number that a byte holds; a larger one becomes 255, which no rule allows.
func octet(n uint64) uint8 { return uint8(min(n, 255)) }

const maybe = chapter.Optional

// ofVolume are the parameters of a call about a volume of the sender's: its identity or its name, and others.
func ofVolume(list ...chapter.Parameter) []chapter.Parameter {
	return append([]chapter.Parameter{par("volume_id", chapter.Hash|maybe), par("name", chapter.Text|maybe)}, list...)
}

// named gives the identity that the arguments of ofVolume name.
func named(e *chapter.Env, a chapter.Args) digest.Hash {
	if a.Has(0) {
		return a.Hash(0)
	}
	return cbfs.VolumeID(e.Sender, a.Text(1))
}

// wrapping are the parameters of what wraps the key of a private volume, the last of a list.
//
// Spec: storage-cbfs §2.2.
func wrapping(list ...chapter.Parameter) []chapter.Parameter {
	return append(list, par("wrapped_dek", chapter.Bytes|maybe), par("wrapping_key_hash", chapter.Hash|maybe),
		par("cbss_committee_epoch", chapter.Number|maybe), par("cbss_release_key_material_hash", chapter.Hash|maybe))
}

// wrap reads the arguments of wrapping.
func wrap(a chapter.Args) volume.Wrap {
	return volume.Wrap{DEK: a.Bytes(0), KeyHash: a.Hash(1), Epoch: a.Number(2), ReleaseHash: a.Hash(3)}
}

// permissions are the parameters of what a token is to allow, the first of a list.
func permissions(list ...chapter.Parameter) []chapter.Parameter {
	return append([]chapter.Parameter{
		par("path_prefix", chapter.Text|maybe), par("max_bytes", chapter.Number|maybe), par("valid_until", chapter.Number|maybe),
		par("access_mode", chapter.Text|maybe),
	}, list...)
}

func handlers() []chapter.Handler {
	const entry = params.CostVolumeEntry
	token, slot := par("token_id", chapter.Bytes), par("slot", chapter.Number)
	id, root := par("volume_id", chapter.Hash), par("shard_root", chapter.Hash)
	return []chapter.Handler{
		use(HandlerCreate, true, params.CostVolumeCreate+6*entry, params.CellsVolumeCreate, create, wrapping(par("name", chapter.Text),
			par("private", chapter.Truth|maybe), par("expires_at", chapter.Number|maybe), par("erasure_k", chapter.Number|maybe),
			par("erasure_m", chapter.Number|maybe))...),
		use(HandlerDelete, false, params.CostVolumeDelete+3*entry, 0, owned((*volume.Manager).Delete), ofVolume()...),
		use(HandlerUndelete, false, params.CostVolumeDelete+3*entry, 0, owned((*volume.Manager).Undelete), ofVolume()...),
		use(HandlerTransfer, false, params.CostVolumeTransfer+3*entry, params.CellsVolumeTransfer, transfer, ofVolume(par("to", chapter.Address))...),
		use(HandlerAccept, false, params.CostVolumeTransfer+7*entry, params.CellsVolumeTransfer, accept, id),
		use(HandlerExpiry, false, 4*entry, 0, expiry, ofVolume(par("expires_at", chapter.Number))...),
		use(HandlerTopUp, true, 6*entry, 0, topUp, ofVolume()...),
		use(HandlerGrant, false, params.CostVolumeGrant+3*entry, params.CellsVolumeGrant, grant, permissions(ofVolume(par("grantee", chapter.Address),
			par("mount", chapter.Truth|maybe), par("sync_interval", chapter.Number|maybe))...)...),
		use(HandlerNarrow, false, params.CostVolumeGrant+entry, 0, narrow, permissions(token)...),
		use(HandlerRevoke, false, params.CostVolumeRevoke+3*entry, params.CellsVolumeRevoke, revoke, token),
		use(HandlerCommit, false, params.CostVolumeAnchor+6*entry, 0, commit, ofVolume(par("token_id", chapter.Bytes|maybe),
			par("base_root", chapter.Hash|maybe), par("manifest_root", chapter.Hash), root, par("raw_size", chapter.Number),
			par("objects", chapter.Number), par("chunks", chapter.Number))...),
		use(HandlerConfirm, false, 2*entry, 0, confirm, id, slot, root),
		use(HandlerRepair, false, params.CostVolumePlace+6*entry, params.CellsVolumePlace, repair, id, slot, par("version", chapter.Number)),
		use(HandlerWrap, false, params.CostSecretSet+3*entry, 0, rewrap, wrapping(ofVolume()...)...),
		use(HandlerRevokeKey, false, params.CostVolumeRevoke+2*entry, params.CellsVolumeGrant, revokeKey, // kept for good
			par("cbfs_public_key", chapter.Hash)),
		{Name: HandlerVolume, Ways: relay.Ways, Reads: true, Run: look},
		{Name: HandlerToken, Ways: relay.Ways, Reads: true, Run: lookToken},
	}
}

func create(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	r := volume.Request{
		Name: a.Text(0), Private: a.Truth(1), K: volume.DefaultData, M: volume.DefaultParity, Expires: unit.Height(a.Number(2)),
		Wrap: wrap(a[5:]),
	}
	if a.Has(3) || a.Has(4) {
		r.K, r.M = octet(a.Number(3)), octet(a.Number(4))
	}
	slots := unit.Cycles(r.K) + unit.Cycles(r.M)
	if err := e.Charge(slots*params.CostVolumePlace, unit.Cells(slots)*params.CellsVolumePlace); err != nil {
		return nil, err
	}
	if r.Private {
		if err := e.Charge(params.CostSecretSet+params.CostVolumeEntry, 0); err != nil {
			return nil, err
		}
	}
	id, err := m.Create(e.Sender, r, e.Value)
	return id[:], err
}

func rewrap(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.Rewrap(e.Sender, named(e, a), wrap(a[2:])))
}

// owned is a call about a volume of the sender's that has no other argument.
func owned(run func(m *volume.Manager, by account.Address, id digest.Hash) error) action {
	return func(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
		return done(run(m, e.Sender, named(e, a)))
	}
}

func transfer(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.Transfer(e.Sender, named(e, a), a.Address(2)))
}

func accept(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	id := a.Hash(0)
	if err := tokens(e, id, 4); err != nil {
		return nil, err
	}
	return done(m.Accept(e.Sender, id))
}

// tokens takes the price of looking at all tokens of a volume, each so many times.
func tokens(e *chapter.Env, id digest.Hash, times unit.Cycles) error {
	v, err := volume.Load(e.State, id)
	if err != nil {
		return err
	}
	return e.Charge(unit.Cycles(v.Tokens)*times*params.CostVolumeToken, 0)
}

func expiry(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.SetExpiry(e.Sender, named(e, a), unit.Height(a.Number(2))))
}

func topUp(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.TopUp(named(e, a), e.Value))
}

// permission reads the arguments of permissions.
func permission(a chapter.Args) volume.Permission {
	p := volume.Permission{Prefix: a.Text(0), MaxBytes: a.Number(1), Until: unit.Height(a.Number(2))}
	switch mode := a.Text(3); mode {
	case "RO", "WO", "RW":
		p.Mode = map[string]cbfs.Mode{"RO": cbfs.ReadOnly, "WO": cbfs.WriteOnly, "RW": cbfs.ReadWrite}[mode]
	default:
		p.Mode = cbfs.Modes
	}
	return p
}

func grant(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	p, rest := permission(a), a[4:]
	id := named(e, rest)
	p.Grantee, p.Mount, p.SyncSecs = rest.Address(2), rest.Truth(3), rest.Number(4)
	if err := tokens(e, id, 1); err != nil {
		return nil, err
	}
	token, err := m.Grant(e.Sender, id, e.Turn.ID, p)
	return token[:], err
}

// tokenOf gives the identity of a token.
func tokenOf(raw []byte) (id [cbfs.TokenIDSize]byte, err error) {
	if copy(id[:], raw) != len(raw) || len(raw) != len(id) {
		return id, chapter.Reject(drain.FaultInput, "InvalidInputError", 2, "a token_id has %d bytes, not %d", len(id), len(raw))
	}
	return id, nil
}

// below takes the price of looking for the tokens that were made from one.
func below(e *chapter.Env, id [cbfs.TokenIDSize]byte) error {
	t, err := volume.LoadToken(e.State, id)
	if err != nil {
		return err
	}
	body, err := cbfs.DecodeRunnerToken(t.Body)
	if err != nil {
		return err
	}
	return tokens(e, body.Volume, 1)
}

func narrow(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	id, err := tokenOf(a.Bytes(4))
	if err == nil {
		err = below(e, id)
	}
	if err != nil {
		return nil, err
	}
	return done(m.Narrow(e.Sender, id, permission(a)))
}

func revoke(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	id, err := tokenOf(a.Bytes(0))
	if err == nil {
		err = below(e, id)
	}
	if err != nil {
		return nil, err
	}
	return done(m.Revoke(e.Sender, id))
}

func revokeKey(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.RevokeKey(e.Sender, a.Hash(0)))
}

// commit takes the owner's commit, or that of whom token_id lets write.
//
// Spec: storage-cbfs §3.1, §10.
func commit(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	var token *[cbfs.TokenIDSize]byte
	if a.Has(2) {
		id, err := tokenOf(a.Bytes(2))
		if err == nil {
			err = counted(e, id)
		}
		if err != nil {
			return nil, err
		}
		token = &id
	}
	c := volume.Commit{Base: a.Hash(3), Manifest: a.Hash(4), Shards: a.Hash(5), Raw: a.Number(6), Objects: a.Number(7), Chunks: a.Number(8)}
	return done(m.Commit(e.Sender, named(e, a), token, c))
}

// counted takes the price of the grant that a commit counts against besides its token.
func counted(e *chapter.Env, id [cbfs.TokenIDSize]byte) error {
	t, err := volume.LoadToken(e.State, id)
	if err != nil || t.Grant == ([cbfs.TokenIDSize]byte{}) {
		return err
	}
	return e.Charge(2*params.CostVolumeEntry, 0)
}

func confirm(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.Confirm(e.Sender, a.Hash(0), octet(a.Number(1)), a.Hash(2)))
}

func repair(e *chapter.Env, m *volume.Manager, a chapter.Args) (any, error) {
	return done(m.Repair(e.Sender, a.Hash(0), octet(a.Number(1)), a.Number(2)))
}

// look answers with what actors may know of a volume, None where there is none.
func look(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, ofVolume()...)
	if err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostVolumeRead, 0); err != nil {
		return nil, err
	}
	id := named(e, a)
	v, err := volume.Load(e.State, id)
	if err == volume.ErrNotFound {
		return chapter.Plain(nil)
	}
	if err != nil {
		return nil, err
	}
	known := cbor.Map{
		{Key: "volume_id", Value: id[:]}, {Key: "owner", Value: v.Owner[:]}, {Key: "name", Value: v.Name}, {Key: "private", Value: v.Private},
		{Key: "manifest_root", Value: v.ManifestRoot[:]}, {Key: "shard_root", Value: v.ShardRoot[:]}, {Key: "raw_size", Value: v.Raw},
		{Key: "effective_size", Value: v.Effective()}, {Key: "objects", Value: v.Objects}, {Key: "status", Value: v.Status.String()},
		{Key: "reserve", Value: uint64(v.Reserve)}, {Key: "accrued_fees", Value: uint64(v.Accrued)}, {Key: "expires_at", Value: uint64(v.Expires)},
		{Key: "last_updated", Value: uint64(v.Updated)},
	}
	if v.Private {
		known = append(known, cbor.Map{
			{Key: "wrapped_dek", Value: v.Wrap.DEK}, {Key: "wrapping_key_hash", Value: v.Wrap.KeyHash[:]},
			{Key: "cbss_committee_epoch", Value: v.Wrap.Epoch}, {Key: "cbss_release_key_material_hash", Value: v.Wrap.ReleaseHash[:]},
		}...)
	}
	return chapter.Plain(known)
}

// lookToken answers with a token as relays are shown it, None where there is none.
func lookToken(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("token_id", chapter.Bytes))
	if err != nil {
		return nil, err
	}
	id, err := tokenOf(a.Bytes(0))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostVolumeRead, 0); err != nil {
		return nil, err
	}
	t, err := volume.LoadToken(e.State, id)
	if err == volume.ErrNotFound {
		return chapter.Plain(nil)
	}
	if err != nil {
		return nil, err
	}
	return chapter.Plain(cbor.Map{{Key: "token", Value: t.Body}, {Key: "used_bytes", Value: t.Used}})
}

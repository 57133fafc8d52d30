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
	"github.com/cowboyinc/cowboy-go/runtime/system/relay"
)

// use makes a handler out of what reads its arguments and gives what they ask for. Its price is taken between the two.
func use(
	name string, coins bool, cycles unit.Cycles, cells unit.Cells,
	read func(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error),
) chapter.Handler {
	return chapter.Handler{Name: name, Ways: relay.Ways, Coins: coins, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		n := chapter.Names(e, r)
		run := read(e, n)
		if err := n.Finish(); err != nil {
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
		v, err := run(m)
		if err != nil {
			return nil, err
		}
		return chapter.Plain(v)
	}}
}

// done is what a handler returns that has nothing to say.
func done(err error) (any, error) { return true, err }

// named gives the identity a request names a volume by.
func named(e *chapter.Env, n *chapter.Named) digest.Hash {
	if n.Has("volume_id") {
		return n.Hash("volume_id")
	}
	return cbfs.VolumeID(e.Sender, n.Text("name"))
}

func handlers() []chapter.Handler {
	const entry = params.CostVolumeEntry
	return []chapter.Handler{
		use(HandlerCreate, true, params.CostVolumeCreate+6*entry, params.CellsVolumeCreate, create),
		use(HandlerDelete, false, params.CostVolumeDelete+3*entry, 0, owned((*volume.Manager).Delete)),
		use(HandlerUndelete, false, params.CostVolumeDelete+3*entry, 0, owned((*volume.Manager).Undelete)),
		use(HandlerTransfer, false, params.CostVolumeTransfer+3*entry, params.CellsVolumeTransfer, transfer),
		use(HandlerAccept, false, params.CostVolumeTransfer+7*entry, params.CellsVolumeTransfer, accept),
		use(HandlerExpiry, false, 4*entry, 0, expiry),
		use(HandlerTopUp, true, 6*entry, 0, topUp),
		use(HandlerGrant, false, params.CostVolumeGrant+3*entry, params.CellsVolumeGrant, grant),
		use(HandlerNarrow, false, params.CostVolumeGrant+entry, 0, narrow),
		use(HandlerRevoke, false, params.CostVolumeRevoke+3*entry, params.CellsVolumeRevoke, revoke),
		use(HandlerCommit, false, params.CostVolumeAnchor+6*entry, 0, commit),
		use(HandlerConfirm, false, 2*entry, 0, confirm),
		use(HandlerRepair, false, params.CostVolumePlace+6*entry, params.CellsVolumePlace, repair),
		{Name: HandlerVolume, Ways: relay.Ways, Reads: true, Run: look},
		{Name: HandlerToken, Ways: relay.Ways, Reads: true, Run: lookToken},
	}
}

func create(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	r := volume.Request{
		Name: n.Text("name"), Private: n.Truth("private"), K: volume.DefaultData, M: volume.DefaultParity, Expires: unit.Height(n.Number("expires_at")),
		Wrap: volume.Wrap{
			DEK: n.Bytes("wrapped_dek"), KeyHash: n.Hash("wrapping_key_hash"), Epoch: n.Number("cbss_committee_epoch"),
			ReleaseHash: n.Hash("cbss_release_key_material_hash"),
		},
	}
	if n.Has("erasure_k") || n.Has("erasure_m") {
		r.K, r.M = n.Small("erasure_k"), n.Small("erasure_m")
	}
	return func(m *volume.Manager) (any, error) {
		slots := unit.Cycles(r.K) + unit.Cycles(r.M)
		if err := e.Charge(slots*params.CostVolumePlace, unit.Cells(slots)*params.CellsVolumePlace); err != nil {
			return nil, err
		}
		id, err := m.Create(e.Sender, r, e.Value)
		return id[:], err
	}
}

// owned is a call about a volume of the sender's that has no other argument.
func owned(
	run func(m *volume.Manager, by account.Address, id digest.Hash) error,
) func(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	return func(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
		id := named(e, n)
		return func(m *volume.Manager) (any, error) { return done(run(m, e.Sender, id)) }
	}
}

func transfer(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id, to := named(e, n), n.Address("to")
	return func(m *volume.Manager) (any, error) { return done(m.Transfer(e.Sender, id, to)) }
}

func accept(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id := n.Hash("volume_id")
	return func(m *volume.Manager) (any, error) {
		if err := tokens(e, id, 4); err != nil {
			return nil, err
		}
		return done(m.Accept(e.Sender, id))
	}
}

// tokens takes the price of looking at all tokens of a volume, each so many times.
func tokens(e *chapter.Env, id digest.Hash, times unit.Cycles) error {
	v, err := volume.Load(e.State, id)
	if err != nil {
		return err
	}
	return e.Charge(unit.Cycles(v.Tokens)*times*params.CostVolumeToken, 0)
}

func expiry(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id, at := named(e, n), unit.Height(n.Number("expires_at"))
	return func(m *volume.Manager) (any, error) { return done(m.SetExpiry(e.Sender, id, at)) }
}

func topUp(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id := named(e, n)
	return func(m *volume.Manager) (any, error) { return done(m.TopUp(id, e.Value)) }
}

// permission reads what a token is to allow.
func permission(n *chapter.Named) volume.Permission {
	p := volume.Permission{
		Prefix: n.Text("path_prefix"), MaxBytes: n.Number("max_bytes"), Until: unit.Height(n.Number("valid_until")),
	}
	switch mode := n.Text("access_mode"); mode {
	case "RO", "WO", "RW":
		p.Mode = map[string]cbfs.Mode{"RO": cbfs.ReadOnly, "WO": cbfs.WriteOnly, "RW": cbfs.ReadWrite}[mode]
	default:
		p.Mode = cbfs.Modes
	}
	return p
}

func grant(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id, p := named(e, n), permission(n)
	p.Grantee, p.Mount, p.SyncSecs = n.Address("grantee"), n.Truth("mount"), n.Number("sync_interval")
	return func(m *volume.Manager) (any, error) {
		if err := tokens(e, id, 1); err != nil {
			return nil, err
		}
		token, err := m.Grant(e.Sender, id, e.Turn.ID, p)
		return token[:], err
	}
}

func tokenOf(n *chapter.Named) (id [cbfs.TokenIDSize]byte) {
	n.Into("token_id", id[:])
	return id
}

func narrow(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id, p := tokenOf(n), permission(n)
	return func(m *volume.Manager) (any, error) { return done(m.Narrow(e.Sender, id, p)) }
}

func revoke(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id := tokenOf(n)
	return func(m *volume.Manager) (any, error) { return done(m.Revoke(e.Sender, id)) }
}

// commit takes the owner's commit, or that of whom token_id lets write.
//
// Spec: storage-cbfs §3.1, §10.
func commit(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	var token *[cbfs.TokenIDSize]byte
	if n.Has("token_id") {
		id := tokenOf(n)
		token = &id
	}
	id := named(e, n)
	c := volume.Commit{
		Base: n.Hash("base_root"), Manifest: n.Hash("manifest_root"), Shards: n.Hash("shard_root"), Raw: n.Number("raw_size"), Objects: n.Number("objects"),
		Chunks: n.Number("chunks"),
	}
	return func(m *volume.Manager) (any, error) { return done(m.Commit(e.Sender, id, token, c)) }
}

func confirm(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id, slot, root := n.Hash("volume_id"), n.Small("slot"), n.Hash("shard_root")
	return func(m *volume.Manager) (any, error) { return done(m.Confirm(e.Sender, id, slot, root)) }
}

func repair(e *chapter.Env, n *chapter.Named) func(m *volume.Manager) (any, error) {
	id, slot, version := n.Hash("volume_id"), n.Small("slot"), n.Number("version")
	return func(m *volume.Manager) (any, error) { return done(m.Repair(e.Sender, id, slot, version)) }
}

// look answers with what actors may know of a volume, None where there is none.
func look(e *chapter.Env, r chapter.Request) ([]byte, error) {
	n := chapter.Names(e, r)
	id := named(e, n)
	if err := n.Finish(); err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostVolumeRead, 0); err != nil {
		return nil, err
	}
	v, err := volume.Load(e.State, id)
	if err == volume.ErrNotFound {
		return chapter.Plain(nil)
	}
	if err != nil {
		return nil, err
	}
	return chapter.Plain(cbor.Map{
		{Key: "volume_id", Value: id[:]}, {Key: "owner", Value: v.Owner[:]}, {Key: "name", Value: v.Name}, {Key: "private", Value: v.Private},
		{Key: "manifest_root", Value: v.ManifestRoot[:]}, {Key: "shard_root", Value: v.ShardRoot[:]}, {Key: "raw_size", Value: v.Raw},
		{Key: "effective_size", Value: v.Effective()}, {Key: "objects", Value: v.Objects}, {Key: "status", Value: v.Status.String()},
		{Key: "reserve", Value: uint64(v.Reserve)}, {Key: "accrued_fees", Value: uint64(v.Accrued)}, {Key: "expires_at", Value: uint64(v.Expires)},
		{Key: "last_updated", Value: uint64(v.Updated)},
	})
}

// lookToken answers with a token as relays are shown it, None where there is none.
func lookToken(e *chapter.Env, r chapter.Request) ([]byte, error) {
	n := chapter.Names(e, r)
	id := tokenOf(n)
	if err := n.Finish(); err != nil {
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

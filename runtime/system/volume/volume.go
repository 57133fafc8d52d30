package volume

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	chain "github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
)

// Names of the handlers of 0x0A. The arguments of each are a map in canonical CBOR, and so is what it returns. A volume is named by volume_id, or by name
// where it is the sender's.
const (
	HandlerCreate    = "create_volume" // name, private, k, m, expires_at, wrapped_dek, wrapping_key_hash, cbss_committee_epoch, …; returns volume_id
	HandlerDelete    = "delete_volume"
	HandlerUndelete  = "undelete_volume"
	HandlerTransfer  = "transfer_volume" // to
	HandlerAccept    = "accept_volume"
	HandlerExpiry    = "set_expiry" // expires_at
	HandlerTopUp     = "top_up"     // the coins are for the reserve
	HandlerGrant     = "grant_token"
	HandlerNarrow    = "narrow_token"
	HandlerRevoke    = "revoke_token"
	HandlerCommit    = "commit_manifest"
	HandlerConfirm   = "confirm_shards" // slot, shard_root
	HandlerRepair    = "repair_shard"   // slot, version
	HandlerWrap      = "wrap_volume"    // wrapped_dek, cbss_committee_epoch, …
	HandlerRevokeKey = "revoke_key"     // cbfs_public_key, of the sender's
	HandlerVolume    = "get_volume"
	HandlerToken     = "get_token"
)

// The codes of faults about volumes.
//
// Spec: storage-cbfs §9.
const (
	FaultNotFound  uint16 = 1801
	FaultAuth      uint16 = 1802
	FaultInvalid   uint16 = 1803
	FaultConflict  uint16 = 1804
	FaultQuota     uint16 = 1805
	FaultOverlap   uint16 = 1806
	FaultToken     uint16 = 1807
	FaultBytes     uint16 = 1808
	FaultCommittee uint16 = 1809
	FaultReserve   uint16 = 1810
	FaultDeleted   uint16 = 1811
	FaultCollected uint16 = 1812
	FaultName      uint16 = 1813
	FaultPath      uint16 = 1814
)

// The numbers of HostError. Spec: sdk §18.
const (
	hostInput     = 2
	hostMissing   = 3
	hostForbidden = 5
	hostLimit     = 8
)

// New gives the chapter.
//
// Spec: storage-cbfs §3.1; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterVolume, Homes: []byte{account.StorageManager}, Handlers: append(handlers(), retentionHandlers()...), End: end,
		Faults: slices.Concat(Faults(), keyFaults(), retentionFaults()),
		Claims: append(volume.Claims(string(tx.ChapterVolume)), retention.Claims(string(tx.ChapterVolume))...),
	}
}

// Faults are the rejects of packages volume, cbfs and relay, for those that ask the manager.
func Faults() []chapter.Fault {
	return append([]chapter.Fault{
		{Err: volume.ErrNotFound, Code: FaultNotFound, Class: "ErrNotFound", Host: hostMissing},
		{Err: volume.ErrAuth, Code: FaultAuth, Class: "ErrAuth", Host: hostForbidden},
		{Err: volume.ErrInvalid, Code: FaultInvalid, Class: "ErrInvalid", Host: hostInput},
		{Err: volume.ErrConflict, Code: FaultConflict, Class: "ErrConflict", Host: hostInput},
		{Err: volume.ErrQuota, Code: FaultQuota, Class: "VolumeQuotaError", Host: hostLimit},
		{Err: volume.ErrOverlap, Code: FaultOverlap, Class: "VolumePrefixError", Host: hostForbidden},
		{Err: volume.ErrToken, Code: FaultToken, Class: "VolumeTokenError", Host: hostForbidden},
		{Err: volume.ErrBytes, Code: FaultBytes, Class: "VolumeTokenError", Host: hostLimit},
		{Err: volume.ErrCommittee, Code: FaultCommittee, Class: "VolumeKeyError", Host: hostInput},
		{Err: volume.ErrReserve, Code: FaultReserve, Class: "VolumeReserveError", Host: hostInput},
		{Err: volume.ErrDeleted, Code: FaultDeleted, Class: "VolumeDeletedError", Host: hostForbidden},
		{Err: volume.ErrCollected, Code: FaultCollected, Class: "VolumeDeletedError", Host: hostForbidden},
		{Err: cbfs.ErrName, Code: FaultName, Class: "ErrInvalid", Host: hostInput},
		{Err: cbfs.ErrPath, Code: FaultPath, Class: "ErrInvalid", Host: hostInput},
		{Err: cbfs.ErrForm, Code: drain.FaultInput, Class: "ErrInvalid", Host: hostInput},
	}, relay.Faults()...)
}

// keyFaults are the rejects of package secret that whoever wraps the key of a private volume meets.
//
// Spec: secrets-cbss §9, §11.
func keyFaults() (list []chapter.Fault) {
	for _, f := range systemsecret.Faults() {
		for _, own := range [...]error{secret.ErrNoKey, secret.ErrWrapEpoch, secret.ErrCorrupted, secret.ErrData} {
			if f.Err == own {
				list = append(list, f)
			}
		}
	}
	return list
}

// Open is the manager as a turn sees it; relay.Close of its relays ends its use.
func Open(e *chapter.Env) (*volume.Manager, error) {
	g, err := relay.Open(e)
	return &volume.Manager{
		State: e.State, Height: e.Block.Height, Relays: g, Development: len(e.Block.Params.Administrators) > 0,
		Keys: (&secret.Service{State: e.State, ChainID: e.Block.ChainID}).HoldKey,
		Emit: func(topic string, data []byte) { e.Effects.Events = append(e.Effects.Events, event(topic, data)) },
	}, err
}

func event(topic string, data []byte) block.Event {
	return block.Event{Actor: volume.Home(), Topic: []byte(topic), Data: data}
}

// At is the manager as the end of a block sees it.
func At(b *chapter.Boundary, g *chain.Registry) *volume.Manager {
	return &volume.Manager{State: b.State, Height: b.Block.Height, Relays: g, Emit: func(topic string, data []byte) {
		b.Events = append(b.Events, event(topic, data))
	}}
}

func end(b *chapter.Boundary) error {
	g, err := relay.At(b)
	if err != nil {
		return err
	}
	m := At(b, g)
	if err = m.End(); err == nil {
		err = (&retention.Market{State: b.State, Height: b.Block.Height, Relays: g, Emit: m.Emit}).End()
	}
	b.Burn(string(tx.ChapterVolume), g.Burned)
	return err
}

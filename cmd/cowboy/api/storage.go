package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// Storage is the chain's volumes and relays behind a node. It implements reach.Source.
type Storage struct{ Node *Client }

// unknown says of what the chain has none that it has none.
func unknown(name string, err error) error {
	if NotFound(err) {
		return fmt.Errorf("%s: %w", name, reach.ErrUnknown)
	}
	return err
}

// Height implements reach.Source.
func (s Storage) Height(ctx context.Context) (uint64, error) {
	var v wire.Height
	err := s.Node.Read(ctx, "/height", &v)
	return v.Height, err
}

// Volume implements reach.Source.
func (s Storage) Volume(ctx context.Context, id digest.Hash) (*reach.Volume, error) {
	var v wire.Volume
	if err := s.Node.Read(ctx, "/volume/"+wire.Hash(id), &v); err != nil {
		return nil, unknown("volume "+wire.Hash(id), err)
	}
	return reach.VolumeOf(&v)
}

// Named is the identity of the volume that an account has under a name: that of one it took over is not made of its address. Errors: reach.ErrUnknown.
//
// Spec: storage-cbfs §2.1, §3.1 (transfer).
func (s Storage) Named(ctx context.Context, owner account.Address, name string) (digest.Hash, error) {
	var v wire.Volume
	if err := s.Node.Read(ctx, "/volumes/"+owner.String()+"/"+url.PathEscape(name), &v); err != nil {
		return digest.Hash{}, unknown("volume "+name+" of "+owner.String(), err)
	}
	return digest.ParseHash(v.VolumeID)
}

// Attached is the identity of the volume that an attachment of an account names. Errors: reach.ErrUnknown, cbfs.ErrName.
//
// Spec: storage-cbfs §2.1 (public address), §2.5 (VolumeAttachment).
func (s Storage) Attached(ctx context.Context, by account.Address, name string) (id digest.Hash, err error) {
	if strings.HasPrefix(name, "/") {
		if by, name, err = cbfs.ParsePublicAddress(name); err != nil {
			return id, err
		}
	}
	return s.Named(ctx, by, name)
}

// Relay implements reach.Source.
func (s Storage) Relay(ctx context.Context, owner account.Address) (*reach.Relay, error) {
	var v wire.Relay
	if err := s.Node.Read(ctx, "/relays/"+owner.String(), &v); err != nil {
		return nil, unknown("relay of "+owner.String(), err)
	}
	return reach.RelayOf(&v)
}

// Revoked implements reach.Source.
func (s Storage) Revoked(ctx context.Context, wallet account.Address, key digest.Hash) (uint64, error) {
	var v wire.StorageKey
	err := s.Node.Read(ctx, "/storage/"+wallet.String()+"/keys/"+wire.Hash(key), &v)
	return v.RevokedAt, err
}

// Account implements reach.Source.
func (s Storage) Account(ctx context.Context, owner account.Address) (*wire.StorageAccount, error) {
	var v wire.StorageAccount
	err := s.Node.Read(ctx, "/storage/"+owner.String(), &v)
	return &v, err
}

// Committer commits to volumes for a wallet, and waits until it is final. It implements the Chain of package actors/volume.
type Committer struct {
	Storage
	Wallet *Wallet
}

// Commit implements the Chain of package actors/volume.
//
// Spec: storage-cbfs §3.1 (commit_manifest).
func (c Committer) Commit(ctx context.Context, v *reach.Volume, token *[cbfs.TokenIDSize]byte, next chain.Commit) error {
	in, err := CommitCall(v, token, next)
	if err == nil {
		_, err = c.Wallet.within(ctx, in, CommitCost)
	}
	return CommitError(err)
}

// CommitCost is what a commit takes at most: its lane has little room.
var CommitCost = tx.Cost{Cycles: 300_000, Cells: 20_000}

// CommitCall is the call that commits.
//
// Spec: storage-cbfs §3.1 (commit_manifest).
func CommitCall(v *reach.Volume, token *[cbfs.TokenIDSize]byte, next chain.Commit) (*tx.Execute, error) {
	given := cbor.Map{
		{Key: "volume_id", Value: v.ID[:]}, {Key: "base_root", Value: next.Base[:]}, {Key: "manifest_root", Value: next.Manifest[:]},
		{Key: "shard_root", Value: next.Shards[:]}, {Key: "raw_size", Value: int64(next.Raw)}, {Key: "objects", Value: int64(next.Objects)},
		{Key: "chunks", Value: int64(next.Chunks)},
	}
	if token != nil {
		given = append(given, cbor.Pair{Key: "token_id", Value: token[:]})
	}
	payload, err := cbor.Append(nil, given)
	return &tx.Execute{To: chain.Home(), Handler: []byte(systemvolume.HandlerCommit), Payload: payload}, err
}

// CommitError tells which rule of volumes a commit broke.
func CommitError(err error) error {
	var failed *Failed
	if !errors.As(err, &failed) {
		return err
	}
	says := func(known error) bool {
		return strings.Contains(failed.Why, strings.TrimPrefix(known.Error(), "volume: "))
	}
	if says(chain.ErrConflict) {
		return volume.ErrConflict
	}
	for _, known := range [...]error{chain.ErrQuota, chain.ErrBytes, chain.ErrReserve, chain.ErrToken, chain.ErrAuth} {
		if says(known) {
			return errors.Join(known, err)
		}
	}
	return err
}

// NetworkOf is the network of a chain, as certificates name it.
//
// Spec: storage-cbfs §2.5 (network).
func NetworkOf(chainID uint64) cbfs.Network {
	return cbfs.Network{ChainID: chainID, Name: "cowboy-" + strconv.FormatUint(chainID, 10)}
}

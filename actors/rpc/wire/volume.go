package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// Volume is a volume: what is committed in it, what it pays, and who holds its shards. Amounts are base units. Spec: storage-cbfs §2.2.
type Volume struct {
	VolumeID       string       `json:"volume_id"`
	Owner          string       `json:"owner"`
	Name           string       `json:"volume_name"`
	Address        string       `json:"public_address"` // what jobs of others attach it by
	Visibility     string       `json:"visibility"`     // "PUBLIC" or "PRIVATE"
	Status         string       `json:"status"`
	Created        uint64       `json:"created_at"`
	Updated        uint64       `json:"last_updated"`
	ManifestRoot   string       `json:"manifest_root"`
	ShardRoot      string       `json:"shard_root"`
	RawSize        uint64       `json:"raw_size"`
	EffectiveSize  uint64       `json:"effective_size"`
	Objects        uint64       `json:"objects"`
	Chunks         uint64       `json:"chunks"` // of each slot
	K              uint8        `json:"erasure_k"`
	M              uint8        `json:"erasure_m"`
	WrappedDEK     string       `json:"wrapped_dek,omitempty"` // of a private one, in hex
	KeyHash        string       `json:"wrapping_key_hash,omitempty"`
	CommitteeEpoch uint64       `json:"cbss_committee_epoch,omitempty"`
	ReleaseHash    string       `json:"cbss_release_key_material_hash,omitempty"`
	Reserve        uint64       `json:"reserve"`
	Accrued        uint64       `json:"accrued_fees"`
	Billed         uint64       `json:"last_billed_epoch"`
	Expires        uint64       `json:"expires_at,omitempty"`
	Due            uint64       `json:"due_at,omitempty"` // the block something becomes of it in
	Offered        string       `json:"offered_to,omitempty"`
	Degraded       uint64       `json:"degraded_shards"`
	Version        uint64       `json:"placement_version"`
	Slots          []VolumeSlot `json:"slots,omitempty"`
	Tokens         []CapToken   `json:"tokens,omitempty"`
}

// VolumeWraps tells how often the key of a private volume was wrapped: the next wrap is one more. Spec: secrets-cbss §11.
type VolumeWraps struct {
	VolumeID string `json:"volume_id"`
	KeyHash  string `json:"key_hash"`
	Wraps    uint64 `json:"wraps"`
}

// VolumeSlot is a place of a volume. Spec: storage-cbfs §2.3.
type VolumeSlot struct {
	Relay      string `json:"relay"`
	Root       string `json:"confirmed_root,omitempty"`
	Bytes      uint64 `json:"bytes"`
	Superseded uint64 `json:"superseded_at,omitempty"`
	Degraded   bool   `json:"degraded"`
	Challenged bool   `json:"challenged,omitempty"` // and stays where it is until that is over
}

// CapToken is a token of a volume, version 0. Spec: storage-cbfs §2.5.
type CapToken struct {
	TokenID  string `json:"token_id"`
	Token    string `json:"token"` // as relays are shown it, in hex
	Runner   string `json:"runner_address"`
	Mode     string `json:"access_mode"`
	Prefix   string `json:"path_prefix"`
	MaxBytes uint64 `json:"max_bytes"`
	Used     uint64 `json:"used_bytes"`
	Until    uint64 `json:"valid_until"`
	Job      string `json:"job_id,omitempty"`   // it was minted for
	Grant    string `json:"grant_id,omitempty"` // the token of the job's submitter that it was made from
}

// Volumes is a page of volumes. Spec: storage-cbfs §3.1 (queries).
type Volumes struct {
	Volumes    []Volume `json:"volumes"`
	NextCursor string   `json:"next_cursor,omitempty"`
}

// StorageAccount is what an account has of volumes, at one height. Amounts are base units; the sums are of AccountStorageSummary. Spec: storage-cbfs §2.2,
// §3.4.
type StorageAccount struct {
	Height         uint64   `json:"height"`
	Address        string   `json:"address"`
	Balance        uint64   `json:"balance"` // coins of the account itself
	TotalVolumes   uint64   `json:"total_volumes"`
	TotalEffective uint64   `json:"total_effective_bytes"`
	Billed         uint64   `json:"last_billed_epoch"`
	Reserved       uint64   `json:"balance_reserved"`
	Volumes        []Volume `json:"volumes"` // without slots and tokens
}

// StorageKey tells whether a wallet revoked a key of CBFS that spoke for it. Spec: storage-cbfs §2.2, §3.4.
type StorageKey struct {
	Height    uint64 `json:"height"`
	Wallet    string `json:"wallet_address"`
	Key       string `json:"cbfs_public_key"`
	Revoked   bool   `json:"revoked"`
	RevokedAt uint64 `json:"revoked_at,omitempty"` // the block
}

// ViewVolume shows a volume without its slots and tokens.
func ViewVolume(id digest.Hash, v *volume.Volume) Volume {
	view := Volume{
		VolumeID: Hash(id), Owner: v.Owner.String(), Name: v.Name, Address: cbfs.PublicAddress(v.Owner, v.Name), Visibility: "PUBLIC",
		Status: v.Status.String(), Created: uint64(v.Created), Updated: uint64(v.Updated), ManifestRoot: Hash(v.ManifestRoot), ShardRoot: Hash(v.ShardRoot),
		RawSize: v.Raw, EffectiveSize: v.Effective(), Objects: v.Objects, Chunks: v.Chunks, K: v.K, M: v.M, Reserve: uint64(v.Reserve),
		Accrued: uint64(v.Accrued), Billed: v.Billed, Expires: uint64(v.Expires), Due: uint64(v.Due),
	}
	if v.Private {
		view.Visibility, view.WrappedDEK, view.CommitteeEpoch = "PRIVATE", Hex(v.Wrap.DEK), v.Wrap.Epoch
		view.KeyHash, view.ReleaseHash = Hash(v.Wrap.KeyHash), Hash(v.Wrap.ReleaseHash)
	}
	if !v.Offered.IsZero() {
		view.Offered = v.Offered.String()
	}
	return view
}

// Relay is a relay of storage. Amounts are base units. Spec: storage-cbfs §2.6.
type Relay struct {
	Owner      string         `json:"owner"`
	NodeID     string         `json:"node_id"`
	PublicKey  string         `json:"pubkey"`
	Endpoint   string         `json:"endpoint"`
	Region     string         `json:"region_hint,omitempty"`
	Status     string         `json:"status"`
	Cause      string         `json:"cause,omitempty"` // why it drains or leaves
	Stake      uint64         `json:"stake"`
	Bond       uint64         `json:"drain_bond,omitempty"`
	Capacity   uint64         `json:"capacity"`
	Used       uint64         `json:"used"`
	Slots      uint64         `json:"slots"`
	Shards     uint64         `json:"shards_held"`
	Lost       uint64         `json:"shards_lost"`
	Misses     uint64         `json:"misses_in_a_row"`
	Weight     uint64         `json:"weight"`
	Since      uint64         `json:"since_epoch"`
	Heartbeat  uint64         `json:"last_heartbeat"`
	NextProof  uint64         `json:"next_challenge,omitempty"`
	Unlock     uint64         `json:"unlocks_at,omitempty"`
	Challenges []PorChallenge `json:"challenges,omitempty"`
}

// RelaySlots is a page of the slots a relay has been given. Spec: storage-cbfs §2.3.
type RelaySlots struct {
	Slots      []RelaySlot `json:"slots"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

// RelaySlot is one of them.
type RelaySlot struct {
	VolumeID string `json:"volume_id"`
	Slot     uint8  `json:"slot"`
}

// PorChallenge is an open challenge of retrievability. Spec: storage-cbfs §2.7.
type PorChallenge struct {
	ID         string `json:"challenge_id"`
	VolumeID   string `json:"volume_id"`
	Slot       uint8  `json:"slot"`
	Chunk      uint64 `json:"chunk"`
	Draw       uint64 `json:"draw,string"` // of the block: modulo the chunk's blocks
	Root       string `json:"shard_root"`
	Issued     uint64 `json:"issued_at"`
	Deadline   uint64 `json:"deadline"`
	Challenger string `json:"challenger,omitempty"` // none: the chain
	Bond       uint64 `json:"bond,omitempty"`
}

// Relays is a page of relays, with what all share. Spec: storage-cbfs §6.
type Relays struct {
	Epoch      uint64  `json:"epoch"`
	Ends       uint64  `json:"epoch_ends_at"`
	Active     uint64  `json:"active"`
	Pot        uint64  `json:"pot"`
	Pool       uint64  `json:"pool"`
	Relays     []Relay `json:"relays"`
	NextCursor string  `json:"next_cursor,omitempty"`
}

// ViewRelay shows a relay without its challenges.
func ViewRelay(owner account.Address, r *relay.Relay) Relay {
	return Relay{
		Owner: owner.String(), NodeID: Hash(r.Node), PublicKey: Hash(r.Key), Endpoint: r.Endpoint, Region: r.Region, Status: r.Status.String(),
		Cause: r.Cause.String(), Stake: uint64(r.Stake), Bond: uint64(r.Bond), Capacity: r.Capacity, Used: r.Used, Slots: uint64(r.Slots), Shards: r.Shards,
		Lost: uint64(r.Lost), Misses: uint64(r.Misses), Weight: r.Weight, Since: r.Since, Heartbeat: uint64(r.Beat), NextProof: uint64(r.ProofAt),
		Unlock: uint64(r.Unlock),
	}
}

// ViewChallenge shows an open challenge.
func ViewChallenge(id digest.Hash, c *relay.Challenge) PorChallenge {
	v := PorChallenge{
		ID: Hash(id), VolumeID: Hash(c.Volume), Slot: c.Slot, Chunk: c.Ordinal, Draw: c.Draw, Root: Hash(c.Root), Issued: uint64(c.Issued),
		Deadline: uint64(c.Deadline), Bond: uint64(c.Bond),
	}
	if !c.Challenger.IsZero() {
		v.Challenger = c.Challenger.String()
	}
	return v
}

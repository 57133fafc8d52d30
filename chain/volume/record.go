package volume

import (
	"encoding/binary"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds.
//
// Spec: storage-cbfs §5, §8.
const (
	MaxPerAccount = 256
	MaxObjects    = cbfs.MaxManifest
	MaxRawBytes   = 100 << 30
	LeastRecord   = 64  // bytes of raw_size that each object after the first has at least: its record in the manifest has more
	FreeChunks    = 256 // of a slot, at places that no object has, beyond as many as the objects take
	MaxTokens     = 64  // of a volume that hold at the same time
	MaxLent       = 16  // of them, that are made from one grant for the jobs of whom it was granted to
	MaxDEKBytes   = cbss.EnvelopeSize
	MinData       = 2 // k
	MaxData       = 16
	MinParity     = 1 // m
	MaxParity     = 8
	DefaultData   = 4
	DefaultParity = 2
)

// Status is what becomes of a volume.
//
// Spec: storage-cbfs §2.2, §4.
type Status uint8

// The statuses.
const (
	Active Status = iota
	Grace
	Deleted
	Collecting
	statuses
)

// String names the status as the documents do.
func (s Status) String() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"ACTIVE", "GRACE_PERIOD", "DELETED", "GARBAGE_COLLECTING"}[s]
}

// Wrap is what a private volume's key is wrapped by.
//
// Spec: storage-cbfs §2.2, §3.1; secrets-cbss §11.
type Wrap struct {
	DEK         []byte      // wrapped_dek: a cbss.Envelope, whose identity says for which account, and as which wrap of the volume's key
	KeyHash     digest.Hash // wrapping_key_hash: keccak256 of the release key
	Epoch       uint64      // cbss_committee_epoch
	ReleaseHash digest.Hash // cbss_release_key_material_hash: keccak256 of the committee with its commitments
}

// Identity is what the key is sealed to.
//
// Spec: secrets-cbss §3, §11.
func (w *Wrap) Identity() (*cbss.Identity, error) {
	return cbss.ParseIdentity(w.DEK[max(0, len(w.DEK)-cbss.IdentitySize):])
}

// Volume is a volume (StorageCommitment and VolumeBillingState).
//
// Spec: storage-cbfs §2.2.
type Volume struct {
	Owner        account.Address
	Name         string
	Private      bool
	Wrap         Wrap // of a private one
	Created      unit.Height
	ManifestRoot digest.Hash
	ShardRoot    digest.Hash
	Raw          uint64 // bytes
	Objects      uint64
	Chunks       uint64 // of each slot
	K, M         uint8
	Updated      unit.Height
	Status       Status
	Expires      unit.Height     // when it is deleted by itself; 0: never
	Since        unit.Height     // when the status began
	Due          unit.Height     // when something becomes of it; 0: nothing does
	Billed       uint64          // the last epoch it was billed for
	Requested    uint64          // the epoch it was deleted in (delete_requested_epoch)
	Accrued      unit.Amount     // rent it owes (accrued_fees)
	Reserve      unit.Amount     // coins at 0x0B that its rent is paid from
	Offered      account.Address // who may take it over; zero: nobody
	Tokens       uint32
}

// Effective is the size that is paid for: that of all shards, each of a k-th of the bytes, rounded up.
//
// Spec: storage-cbfs §2.2 (effective_size), §5.
func (v *Volume) Effective() uint64 { return v.Slot() * uint64(v.K+v.M) }

// Slot is how many bytes each slot holds.
func (v *Volume) Slot() uint64 { return (v.Raw + uint64(v.K) - 1) / uint64(v.K) }

// Encode is the record in state: the fields in their order.
func (v *Volume) Encode() []byte {
	dst := codec.AppendBool(codec.AppendBytes(codec.AppendFixed(nil, v.Owner[:]), []byte(v.Name)), v.Private)
	dst = codec.AppendFixed(codec.AppendBytes(dst, v.Wrap.DEK), v.Wrap.KeyHash[:])
	dst = codec.AppendFixed(codec.AppendUint(dst, v.Wrap.Epoch), v.Wrap.ReleaseHash[:])
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendUint(dst, uint64(v.Created)), v.ManifestRoot[:]), v.ShardRoot[:])
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, v.Raw), v.Objects), v.Chunks)
	dst = append(codec.AppendUint(append(dst, v.K, v.M), uint64(v.Updated)), byte(v.Status))
	for _, n := range [...]uint64{
		uint64(v.Expires), uint64(v.Since), uint64(v.Due), v.Billed, v.Requested, uint64(v.Accrued), uint64(v.Reserve), uint64(v.Tokens),
	} {
		dst = codec.AppendUint(dst, n)
	}
	return codec.AppendFixed(dst, v.Offered[:])
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Volume, error) {
	in, v := codec.NewReader(data), new(Volume)
	in.Into(v.Owner[:])
	v.Name, v.Private = string(in.Bytes(cbfs.MaxNameBytes)), in.Bool()
	v.Wrap.DEK = in.Bytes(MaxDEKBytes)
	in.Into(v.Wrap.KeyHash[:])
	v.Wrap.Epoch = in.Uint()
	in.Into(v.Wrap.ReleaseHash[:])
	v.Created = unit.Height(in.Uint())
	in.Into(v.ManifestRoot[:])
	in.Into(v.ShardRoot[:])
	v.Raw, v.Objects, v.Chunks, v.K, v.M = in.Uint(), in.Uint(), in.Uint(), in.U8(), in.U8()
	v.Updated, v.Status = unit.Height(in.Uint()), Status(in.Tag(uint8(statuses)))
	v.Expires, v.Since, v.Due, v.Billed, v.Requested = unit.Height(in.Uint()), unit.Height(in.Uint()), unit.Height(in.Uint()), in.Uint(), in.Uint()
	v.Accrued, v.Reserve, v.Tokens = unit.Amount(in.Uint()), unit.Amount(in.Uint()), in.Uint32()
	in.Into(v.Offered[:])
	return v, in.Finish()
}

// Token is a CapToken of version 0 with what became of it.
//
// Spec: storage-cbfs §2.5.
type Token struct {
	Body []byte      // cbfs.RunnerToken, which relays compare with what they are shown
	Job  digest.Hash // it was minted for; zero: its owner granted it
	Used uint64      // bytes the volume has grown by
	// Grant is the token of the job's submitter that it was made from, and ends with; zero: the volume is the submitter's own.
	Grant [cbfs.TokenIDSize]byte
}

// Encode is the record in state: Bytes body ‖ job(32) ‖ UInt used ‖ grant(16).
func (t *Token) Encode() []byte {
	return codec.AppendFixed(codec.AppendUint(codec.AppendFixed(codec.AppendBytes(nil, t.Body), t.Job[:]), t.Used), t.Grant[:])
}

// DecodeToken reads what Encode wrote.
func DecodeToken(data []byte) (*Token, error) {
	in := codec.NewReader(data)
	t := &Token{Body: in.Bytes(cbfs.MaxTokenBytes)}
	in.Into(t.Job[:])
	t.Used = in.Uint()
	in.Into(t.Grant[:])
	return t, in.Finish()
}

// Summary is what an account has of volumes (AccountStorageSummary).
//
// Spec: storage-cbfs §2.2.
type Summary struct {
	Volumes   uint64
	Effective uint64      // bytes
	Billed    uint64      // the last epoch one of them was billed in
	Reserved  unit.Amount // in all
}

// Encode is the record in state: the fields as UInt.
func (s *Summary) Encode() []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, s.Volumes), s.Effective), s.Billed), uint64(s.Reserved))
}

// DecodeSummary reads what Encode wrote.
func DecodeSummary(data []byte) (*Summary, error) {
	in := codec.NewReader(data)
	s := &Summary{in.Uint(), in.Uint(), in.Uint(), unit.Amount(in.Uint())}
	return s, in.Finish()
}

// Wrapped is what is known of the key of a private volume. It outlives the volume: the number of a wrap is never given twice, or whoever is let into a volume
// could open what a former one of the same name was wrapped by.
//
// Spec: secrets-cbss §11.
type Wrapped struct {
	Volume digest.Hash
	Wraps  uint64 // how many there were; the volume's is the last one
}

// Encode is the record in state: volume_id(32) ‖ UInt wraps.
func (w *Wrapped) Encode() []byte {
	return codec.AppendUint(codec.AppendFixed(nil, w.Volume[:]), w.Wraps)
}

// DecodeWrapped reads what Encode wrote.
func DecodeWrapped(data []byte) (*Wrapped, error) {
	in, w := codec.NewReader(data), new(Wrapped)
	in.Into(w.Volume[:])
	w.Wraps = in.Uint()
	return w, in.Finish()
}

// What the keys begin with, after the address of the manager.
const (
	underVolume  = "ras:volume:"          // id → Volume
	underOwner   = "ras:owner-name:"      // owner ‖ keccak(name) → id
	underToken   = "ras:token:"           // token_id → Token
	underLive    = "ras:live:"            // id ‖ token_id → nothing
	underSummary = "ras:account-summary:" // owner → Summary
	underDue     = "ras:due:"             // be8 height ‖ id → nothing
	underKey     = "ras:volume-key:"      // key hash → Wrapped
	underRevoked = "ras:revocation:"      // wallet ‖ key of CBFS → Revocation
	keySweep     = "ras:volume-billing"   // UInt epoch ‖ id(32)
)

// Home is where volumes lie. Their coins are at relay.Home.
func Home() account.Address { return account.System(account.StorageManager) }

func under(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

func volumeKey(id digest.Hash) []byte { return under(underVolume, id[:]) }

func nameKey(owner account.Address, name string) []byte {
	h := digest.Keccak256([]byte(name))
	return under(underOwner, owner[:], h[:])
}

func dueKey(at unit.Height, id digest.Hash) []byte {
	return under(underDue, binary.BigEndian.AppendUint64(nil, uint64(at)), id[:])
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...]struct{ suffix, holds string }{
		{underVolume, "volumes"}, {underOwner, "volumes, by owner and name"}, {underToken, "tokens of volumes"}, {underLive, "tokens, by volume"},
		{underKey, "keys of private volumes, by what stands for them in identities"},
		{underRevoked, "keys of CBFS that speak for their wallets no more"},
		{underSummary, "volumes of accounts in all"}, {underDue, "volumes, by the block something becomes of them"},
		{keySweep, "how far the sweep of volumes has come"},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c.suffix, c.holds, c.suffix == keySweep))
	}
	return list
}

// Load reads a volume. Reject: ErrNotFound.
func Load(r state.Reader, id digest.Hash) (*Volume, error) {
	return state.Require(r, volumeKey(id), Decode, ErrNotFound)
}

// Find gives the identity of an owner's volume by its name. Reject: ErrNotFound.
//
// Spec: storage-cbfs §2.1 (public address).
func Find(r state.Reader, owner account.Address, name string) (id digest.Hash, err error) {
	raw, ok, err := r.Lookup(nameKey(owner, name))
	if err == nil && (!ok || len(raw) != digest.Size) {
		err = ErrNotFound
	}
	if err != nil {
		return id, err
	}
	return digest.Hash(raw), nil
}

// Named finds the volume that an attachment of an account names, and whose it is: one of its own by its name, or anybody's by its public address. Rejects:
// ErrNotFound, cbfs.ErrName.
//
// Spec: storage-cbfs §2.1 (public address), §2.5 (VolumeAttachment).
func Named(r state.Reader, by account.Address, name string) (id digest.Hash, owner account.Address, err error) {
	if owner = by; strings.HasPrefix(name, "/") {
		if owner, name, err = cbfs.ParsePublicAddress(name); err != nil {
			return id, owner, err
		}
	}
	id, err = Find(r, owner, name)
	return id, owner, err
}

// LoadToken reads a token. Reject: ErrNotFound.
func LoadToken(r state.Reader, id [cbfs.TokenIDSize]byte) (*Token, error) {
	return state.Require(r, under(underToken, id[:]), DecodeToken, ErrNotFound)
}

// LoadSummary reads what an account has of volumes; nothing where it has none.
func LoadSummary(r state.Reader, owner account.Address) (*Summary, error) {
	s, err := state.Find(r, under(underSummary, owner[:]), DecodeSummary)
	if err == nil && s == nil {
		s = new(Summary)
	}
	return s, err
}

// List lists at most limit volumes with identities above after (zero: from the first), ascending.
func List(r state.Reader, after digest.Hash, limit int) (ids []digest.Hash, list []*Volume, err error) {
	prefix := under(underVolume)
	var above []byte
	if !after.IsZero() {
		above = volumeKey(after)
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var v *Volume
		if v, err = Decode(value); err != nil {
			return false
		}
		ids, list = append(ids, digest.Hash(key[len(prefix):])), append(list, v)
		return true
	})
	if failed != nil {
		err = failed
	}
	return ids, list, err
}

// Owned lists the identities of an owner's volumes, in the order of the hashes of their names.
func Owned(r state.Reader, owner account.Address) (ids []digest.Hash, err error) {
	err = r.Scan(under(underOwner, owner[:]), nil, MaxPerAccount, func(_, value []byte) bool {
		ids = append(ids, digest.Hash(value))
		return true
	})
	return ids, err
}

// Tokens lists the tokens of a volume that were neither revoked nor found expired.
func Tokens(r state.Reader, id digest.Hash) (list [][cbfs.TokenIDSize]byte, err error) {
	prefix := under(underLive, id[:])
	err = r.Scan(prefix, nil, MaxTokens, func(key, _ []byte) bool {
		list = append(list, [cbfs.TokenIDSize]byte(key[len(prefix):]))
		return true
	})
	return list, err
}

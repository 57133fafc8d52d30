package host

import (
	"bytes"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Names of the entries the host keeps in an actor's storage.
//
// Spec: sdk §4.2.
const (
	keyOwner       = "__OWNER__"
	keyInitialized = "__INITIALIZED__"
	keyInstance    = "__instance__"
	keyReentrancy  = "__reentrancy:"
	keyProtocol    = "__cowboy/" // the route table and what else the protocol keeps there
	keyRoutes      = keyProtocol + "routes"
)

// recordPrefixes begin the keys of record_get, record_set and record_delete.
var recordPrefixes = [...]string{"__continuation:", "__runner_result:"}

// verbatimKey is the longest key stored as it is; longer ones are stored under their hash and are invisible to scans.
//
// Spec: sdk §4.3.
const verbatimKey = 32

// scanMax is the most pairs one scan gives. Spec: sdk §4.3.
const scanMax = 1_000

func isRecord(key []byte) bool {
	for _, p := range recordPrefixes {
		if strings.HasPrefix(string(key), p) {
			return true
		}
	}
	return false
}

// IsReserved reports whether an actor may not use a storage key itself.
//
// Spec: sdk §4.2.
func IsReserved(key []byte) bool {
	for _, p := range [...]string{keyOwner, keyInitialized, keyInstance, keyReentrancy, keyProtocol, keyBlob} {
		if strings.HasPrefix(string(key), p) {
			return true
		}
	}
	return isRecord(key)
}

// StorageKey is the state key of an actor's storage entry: the key itself up to 32 bytes, else a zero byte and its keccak256. The
// two forms differ in length, so they cannot meet.
//
// Spec: sdk §4.3; commonware §5.10.
func StorageKey(actor account.Address, key []byte) []byte {
	if len(key) <= verbatimKey {
		return account.Key(account.KindStorage, actor, key...)
	}
	hash := digest.Keccak256(key)
	return append(account.Key(account.KindStorage, actor, 0), hash[:]...)
}

// checkKey refuses keys of a bad length and keys that are not of the caller's kind.
func checkKey(key []byte, record bool) error {
	if len(key) == 0 || len(key) > params.MaxStateKeyBytes {
		return raise(InvalidArgument, "storage key of %d bytes; 1 to %d are allowed", len(key), params.MaxStateKeyBytes)
	}
	switch {
	case record && !isRecord(key):
		return raise(ForbiddenAccess, "%.64q is no record key", key)
	case !record && IsReserved(key):
		return raise(ForbiddenAccess, "storage key %.64q is reserved", key)
	}
	return nil
}

// State reads an entry; found is false when it is absent. The value must not be modified.
//
// Spec: WP §17.3, §17.4; sdk §8 (get_state); ENT §9.4 (storage.kv: access).
func (f *Invocation) State(key []byte, record bool) (value []byte, found bool, err error) {
	if err := checkKey(key, record); err != nil {
		return nil, false, err
	}
	if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
		return nil, false, err
	}
	if _, err := f.require(entitle.KV, "get_state"); err != nil {
		return nil, false, err
	}
	value, found, err = f.work.overlay.Lookup(StorageKey(f.self, key))
	if err != nil || !found {
		return nil, false, err
	}
	return value, true, f.chargeHundredths(uint64(len(value)) * 100 / f.costs().StateReadBytesPerCell)
}

// SetState writes an entry.
//
// Spec: WP §17.3, §17.4; CIP-3 §2.2 (len(key) + len(value)); sdk §8 (set_state), §3.9 (quota); ENT §9.4.
func (f *Invocation) SetState(key, value []byte, record bool) error {
	if err := f.mutates("set_state"); err != nil {
		return err
	}
	if err := checkKey(key, record); err != nil {
		return err
	}
	if len(value) > params.MaxStorageValueBytes {
		return raise(Quota, "storage value of %d bytes; at most %d are allowed", len(value), params.MaxStorageValueBytes)
	}
	if err := f.chargeFor(f.costs().StorageWrite, len(key)+len(value), f.costs().CellsPerByteWritten); err != nil {
		return err
	}
	if _, err := f.require(entitle.KV, "set_state"); err != nil {
		return err
	}
	return f.put(key, value)
}

// put writes an entry and keeps the actor's storage size; the quota is checked before anything changes.
func (f *Invocation) put(key, value []byte) error {
	at := StorageKey(f.self, key)
	old, found, err := f.work.overlay.Lookup(at)
	if err != nil {
		return err
	}
	grown := int64(len(value) - len(old))
	if !found {
		grown += int64(len(key))
	}
	if err := f.resize(grown); err != nil {
		return err
	}
	f.work.overlay.Set(at, value)
	return nil
}

// resize changes the actor's storage size by n bytes, or refuses with Quota.
//
// Spec: WP §3.2, §13 (storage_quota_per_actor).
func (f *Invocation) resize(n int64) error {
	if n == 0 {
		return nil
	}
	a, err := account.Load(f.work.overlay, f.self)
	if err != nil {
		return err
	}
	quota := a.QuotaBytes
	if quota == 0 {
		quota = f.work.turn.Block.Params.Limits.BaseQuotaBytes
	}
	var limit *entitle.Grant
	if n > 0 {
		if quota, limit, err = f.storageQuota(quota); err != nil {
			return err
		}
	}
	size := a.StorageBytes
	if n < 0 {
		size -= min(size, uint64(-n))
	} else if size += uint64(n); size > quota {
		if limit != nil {
			return raise(EntitlementQuota, "%s: storage of %d bytes is more than %d", limit.ID, size, quota)
		}
		return raise(Quota, "storage of %d bytes exceeds the quota of %d", size, quota)
	}
	a.StorageBytes = size
	account.Save(f.work.overlay, f.self, &a)
	return nil
}

// DeleteState removes an entry; an absent one is no error.
//
// Spec: sdk §8 (delete_state); ENT §9.4.
func (f *Invocation) DeleteState(key []byte, record bool) error {
	if err := f.mutates("delete_state"); err != nil {
		return err
	}
	if err := checkKey(key, record); err != nil {
		return err
	}
	if err := f.charge(uint64(f.costs().StorageDelete), 0); err != nil {
		return err
	}
	if _, err := f.require(entitle.KV, "delete_state"); err != nil {
		return err
	}
	return f.remove(key)
}

func (f *Invocation) remove(key []byte) error {
	at := StorageKey(f.self, key)
	old, found, err := f.work.overlay.Lookup(at)
	if err != nil || !found {
		return err
	}
	if err := f.resize(-int64(len(key) + len(old))); err != nil {
		return err
	}
	f.work.overlay.Delete(at)
	return nil
}

// Pair is an entry a scan gives.
type Pair struct{ Key, Value []byte }

// ScanState lists entries by prefix, ascending, at most limit and never more than 1,000. Hashed and reserved keys are left out;
// finding where it begins is paid for, each pair as it is found, and each that the block has removed as it is passed.
//
// Spec: sdk §4.3, §8 (scan_state_prefix); WP §17.4; ENT §9.4.
func (f *Invocation) ScanState(prefix []byte, limit int, record bool) ([]Pair, error) {
	if len(prefix) > verbatimKey {
		return nil, raise(InvalidArgument, "prefix of %d bytes; only keys of at most %d bytes are listed", len(prefix), verbatimKey)
	}
	if record && !isRecord(prefix) {
		return nil, raise(ForbiddenAccess, "%.64q is no record prefix", prefix)
	}
	if _, err := f.require(entitle.KV, "scan_state_prefix"); err != nil {
		return nil, err
	}
	// Finding where the scan begins costs as much as a pair.
	if err := f.charge(uint64(f.costs().StorageScan), 0); err != nil {
		return nil, err
	}
	if limit = min(limit, scanMax); limit <= 0 {
		return nil, nil
	}
	var pairs []Pair
	var failed error
	base := account.Key(account.KindStorage, f.self)
	passed := func() bool {
		failed = f.charge(uint64(f.costs().StoragePassed), 0)
		return failed == nil
	}
	err := f.work.overlay.ScanOver(append(bytes.Clone(base), prefix...), nil, 0, passed, func(full, value []byte) bool {
		key := full[len(base):]
		if len(key) > verbatimKey || (!record && IsReserved(key)) {
			// Looking at an entry that is not given costs what giving it does, so hidden entries cannot make a scan long for nothing.
			failed = f.charge(uint64(f.costs().StorageScan), 0)
			return failed == nil
		}
		if failed = f.charge(uint64(f.costs().StorageScan), 0); failed == nil {
			failed = f.chargeHundredths(uint64(len(key)+len(value)) * 100 / f.costs().StateReadBytesPerCell)
		}
		if failed != nil {
			return false
		}
		pairs = append(pairs, Pair{key, value})
		return len(pairs) < limit
	})
	if err == nil {
		err = failed
	}
	return pairs, err
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "host", Holds: "code, by its hash", Kind: account.KindCode, Holder: account.Nobody},
		{Chapter: "host", Holds: "Python actors' storage", Kind: account.KindStorage, Holder: account.Program},
		{Chapter: "host", Holds: "coins sent in the present block", Kind: account.KindActorMeta, Holder: account.Somebody, Suffix: string(tagSpent),
			Exact: true},
		{Chapter: "host", Holds: "children spawned", Kind: account.KindActorMeta, Holder: account.Somebody, Suffix: string(tagChildren), Exact: true},
	}
}

package wire

// Rent answers GET /actor/{addr}/rent: what an actor's bytes cost, and what it owes, as the next block will find it. Amounts are base units.
// Spec: rent §5, §8.
type Rent struct {
	Address string `json:"address"`
	State   string `json:"state"` // active, overdue, eviction_imminent or dormant
	// Epoch is the rent epoch, and EpochEnds the first block of the next.
	Epoch     uint64 `json:"epoch"`
	EpochEnds uint64 `json:"epoch_ends"`
	Bytes     uint64 `json:"bytes"` // code, storage and waiting messages
	Quota     uint64 `json:"quota_bytes"`
	EpochRent uint64 `json:"epoch_rent"`
	YearRent  uint64 `json:"year_rent"`
	// PaidThrough is the last epoch that is paid, 0 with a debt. BalanceEpochs is how many more the balance lasts; null for an actor that pays nothing.
	PaidThrough   uint64   `json:"paid_through_epoch"`
	BalanceEpochs *uint64  `json:"balance_epochs"`
	Balance       uint64   `json:"balance"`
	Reserve       uint64   `json:"reserve"` // of the balance, kept for rent
	Missed        uint32   `json:"missed_epochs"`
	Survives      uint32   `json:"missed_epochs_survived"`
	Debt          uint64   `json:"debt"`
	Payoff        uint64   `json:"payoff"` // the debt with its surcharge
	Bond          uint64   `json:"bond"`
	Dormant       *Dormant `json:"dormant,omitempty"`
}

// Dormant is what is known of an evicted actor's storage.
// Spec: rent §9.
type Dormant struct {
	Epoch    uint64 `json:"since_epoch"`
	Height   uint64 `json:"evicted_in_block"` // the state before it has the storage
	Pruned   bool   `json:"pruned"`           // false while the storage is being removed
	Root     string `json:"storage_root"`
	Entries  uint64 `json:"entries"`
	Bytes    uint64 `json:"storage_bytes"`
	Restored uint64 `json:"restored_entries"`
	Cost     uint64 `json:"restoration_cost"`
}

// StoredEntries answers GET /actor/{addr}/entries: a run of an actor's storage as it was after a block, in the order of the keys, with which a dormant actor is
// restored. Keys are as state has them behind the actor's address.
// Spec: rent §9.
type StoredEntries struct {
	Height  uint64        `json:"height"`
	Entries []StoredEntry `json:"entries"`
	Cursor  string        `json:"cursor,omitempty"` // "" where these were the last
}

// StoredEntry is one entry.
type StoredEntry struct {
	Key   string `json:"key"`   // hex
	Value string `json:"value"` // hex
}

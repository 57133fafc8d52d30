package wire

// Account answers GET /account/{address}. Spec: node-rpc-cli §2.3.
type Account struct {
	Address string `json:"address"`
	Nonce   uint64 `json:"nonce"`
	Balance uint64 `json:"balance"`
}

// Actor answers GET /actor/{address}. Storage maps hex keys to hex values; NextCursor continues a long one. Spec: node-rpc-cli §2.3.
type Actor struct {
	Address      string            `json:"address"`
	CodeHash     string            `json:"code_hash"` // without 0x
	Balance      uint64            `json:"balance"`
	Nonce        uint64            `json:"nonce"`
	Creator      string            `json:"creator,omitempty"`
	CreatedAt    uint64            `json:"created_at"`
	MailboxCount uint64            `json:"mailbox_count"`
	MailboxBytes uint64            `json:"mailbox_bytes"`
	TimerCount   uint64            `json:"timer_count"`
	StorageBytes uint64            `json:"storage_bytes"`
	Entitlements []Entitlement     `json:"entitlements"` // null: deployed without a manifest
	Executable   bool              `json:"executable"`   // false: it holds an entitlement that was removed
	Storage      map[string]string `json:"storage"`
	NextCursor   string            `json:"next_cursor,omitempty"`
}

// Actors answers GET /actors. Without a NextCursor there are no more.
type Actors struct {
	Height     uint64        `json:"height"` // of the state they were read from
	Actors     []ListedActor `json:"actors"`
	NextCursor string        `json:"next_cursor,omitempty"`
}

// ListedActor is an actor without its storage.
type ListedActor struct {
	Address      string `json:"address"`
	CodeHash     string `json:"code_hash"` // without 0x
	Creator      string `json:"creator"`
	CreatedAt    uint64 `json:"created_at"`
	Balance      uint64 `json:"balance"` // base units
	StorageBytes uint64 `json:"storage_bytes"`
	TimerCount   uint64 `json:"timer_count"`
	MailboxCount uint64 `json:"mailbox_count"`
}

// Entitlement is one grant of an actor's manifest. State is active, deprecated or removed; the last two come with the height from which on it is
// removed. Spec: ENT §3.2, §9.11 (flagged in queries and explorers).
type Entitlement struct {
	ID        string         `json:"id"`
	Params    map[string]any `json:"params,omitempty"`
	State     string         `json:"state"`
	RemovedAt uint64         `json:"removed_at,omitempty"`
}

// Code answers GET /actor/{address}/code.
type Code struct {
	Address  string `json:"address"`
	CodeHash string `json:"code_hash"`
	Code     string `json:"code"` // Python source
}

// Timer is one pending timer. Spec: scheduler-timers §3.
type Timer struct {
	ID        string `json:"timer_id"`
	Owner     string `json:"owner"`
	Actor     string `json:"actor"`
	Height    uint64 `json:"height"`
	Handler   string `json:"handler"`
	Payload   string `json:"payload"`
	FeePayer  string `json:"fee_payer"`
	GasLimit  uint64 `json:"gas_limit"`
	ExpiresAt uint64 `json:"expires_at"`
	Interval  uint64 `json:"interval,omitempty"`
}

// Timers is a page of timers by height.
type Timers struct {
	Timers     []Timer `json:"timers"`
	TotalCount uint64  `json:"total_count"`
}

// Value answers GET /state/{actor}/{key}: Value is null when the key is absent. Proof is the encoded membership or
// exclusion proof against StateRoot, in hex.
type Value struct {
	Address   string  `json:"address"`
	Key       string  `json:"key"`
	Value     *string `json:"value"`
	Height    uint64  `json:"height"`
	StateRoot string  `json:"state_root"`
	Proof     *Proof  `json:"proof,omitempty"`
}

// Proof is a state, transaction or receipt proof. Spec: commonware §5.6, §6.
type Proof struct {
	ProofVersion int    `json:"proof_version"`
	Kind         string `json:"kind"` // membership, exclusion, transaction, receipt
	StateKey     string `json:"state_key,omitempty"`
	Value        string `json:"value,omitempty"`
	Root         string `json:"root"`
	Height       uint64 `json:"height"`
	Index        uint64 `json:"index,omitempty"`
	Leaf         string `json:"leaf,omitempty"`
	Encoded      string `json:"encoded"`
}

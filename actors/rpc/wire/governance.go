package wire

// Proposal is a proposal of governance. Amounts are base units, times are heights. Spec: governance-staking B4, B5.
type Proposal struct {
	ID           uint64            `json:"proposal_id"`
	Proposer     string            `json:"proposer"`
	Tier         uint8             `json:"tier"`
	FastTrack    bool              `json:"fast_track"`
	Status       string            `json:"status"`
	Open         bool              `json:"open"`
	Title        string            `json:"title_hash"`
	Kind         string            `json:"payload_kind"`
	Payload      map[string]string `json:"payload"`
	Deposit      uint64            `json:"deposit"`
	SubmittedAt  uint64            `json:"submitted_at"`
	Deadline     uint64            `json:"deadline"` // last block of the check or the vote
	Extensions   uint32            `json:"extensions_used"`
	Check        Tally             `json:"temp_check"`
	Vote         Tally             `json:"vote"`
	QuorumBPS    uint32            `json:"quorum_bps"`
	StakeBPS     uint32            `json:"stake_approval_bps"`
	ValidatorBPS uint32            `json:"validator_approval_bps"`
	ExecutableAt uint64            `json:"executable_at,omitempty"`
	RetryUntil   uint64            `json:"execution_retry_until,omitempty"`
	ClosedAt     uint64            `json:"closed_at,omitempty"`
	Reason       string            `json:"reason,omitempty"` // why it was not executed
}

// Tally counts the votes of a phase: stake, and validators, of those who could vote at its snapshot.
type Tally struct {
	Snapshot         uint64 `json:"snapshot"`
	Stake            uint64 `json:"stake"`
	Yes              uint64 `json:"yes"`
	No               uint64 `json:"no"`
	Abstain          uint64 `json:"abstain"`
	Validators       uint64 `json:"validators"`
	ValidatorYes     uint64 `json:"validators_yes"`
	ValidatorNo      uint64 `json:"validators_no"`
	ValidatorAbstain uint64 `json:"validators_abstain"`
}

// Proposals answers GET /governance/proposals, the newest first.
type Proposals struct {
	Height     uint64     `json:"height"`
	Proposals  []Proposal `json:"proposals"`
	NextCursor string     `json:"next_cursor,omitempty"`
}

// Council answers GET /governance/council.
type Council struct {
	ChainID  uint64   `json:"chain_id"`
	Members  []string `json:"members"` // none: the chain has no council
	Rotation uint64   `json:"rotation"`
	Nonce    uint64   `json:"nonce"` // of its next act
	Warnings uint32   `json:"warnings"`
	Labs     []string `json:"labs,omitempty"`
	Sign     uint32   `json:"labs_threshold,omitempty"`
	// Foundation is who the foundation is.
	Foundation []string `json:"foundation,omitempty"`
}

// Paused answers GET /governance/paused.
type Paused struct {
	Height uint64  `json:"height"`
	Paused []Pause `json:"paused"`
}

// Codes answers GET /governance/codes.
type Codes struct {
	Height      uint64   `json:"height"`
	Codes       []CodeOf `json:"codes"`
	Uploads     []string `json:"uploads"`      // code hashes of the programs that system actors may be given
	UploadBytes uint64   `json:"upload_bytes"` // of all of them
}

// CodeOf is which code a system actor runs; one that was never upgraded is not listed. Spec: governance-staking B8.
type CodeOf struct {
	Address  string `json:"address"`
	Code     string `json:"code"` // "native edition 2", or "python" and a code hash
	Since    uint64 `json:"since"`
	Upgrades uint64 `json:"upgrades"` // that took effect, rollbacks among them
	Former   string `json:"former,omitempty"`
	Until    uint64 `json:"rollback_until,omitempty"` // last block in which Former can be restored
	Next     string `json:"next,omitempty"`
	At       uint64 `json:"next_at,omitempty"` // first block that runs Next
	Missing  bool   `json:"missing,omitempty"` // this node's program is without the native code of one of them
}

// Pause is a system actor that answers nobody. Spec: governance-staking B7.
type Pause struct {
	Address    string `json:"address"`
	Since      uint64 `json:"since"`
	Until      uint64 `json:"until,omitempty"` // first block in which it answers again; absent: permanent
	Extensions uint32 `json:"extensions"`
	Proposal   uint64 `json:"proposal_id"` // that ratifies it
}

package wire

// Validator is a validator's record. Amounts are base units. Spec: governance-staking A1.
type Validator struct {
	Address     string    `json:"address"`
	PublicKey   string    `json:"public_key"` // voting key, without 0x
	Status      string    `json:"status"`
	Stake       uint64    `json:"stake"`
	Joining     uint64    `json:"joining,omitempty"`      // added, counts from the next boundary on
	Leaving     uint64    `json:"leaving,omitempty"`      // of the stake: taken out at the next boundary
	JailedUntil uint64    `json:"jailed_until,omitempty"` // height
	Jailings    uint32    `json:"jailings,omitempty"`
	SlashesBPS  []uint32  `json:"pending_slashes_bps,omitempty"` // taken at the epoch's end
	Releases    []Release `json:"releases,omitempty"`
	Rank        *uint32   `json:"rank,omitempty"`   // in the set of the next block's epoch
	Weight      *uint64   `json:"weight,omitempty"` // there, in the draw of proposers
	Listed      bool      `json:"listed"`           // on the closed list of the next epoch
	// Part is how a member of the set takes part in agreement.
	Part *Participation `json:"participation,omitempty"`
}

// Participation is a validator's part in the agreement of the present epoch.
type Participation struct {
	Missed    int    `json:"missed_votes"`        // of those in the last blocks whose votes are counted
	Counted   int    `json:"counted_blocks"`      // 1,000 at most, of the epoch
	Most      int    `json:"missed_votes_most"`   // one more and it is jailed
	Lately    int    `json:"missed_lately"`       // of recent_blocks
	Recent    int    `json:"recent_blocks"`       // the newest 64 at most that are counted
	Last      uint64 `json:"last_vote,omitempty"` // the newest block it is known to have voted for; absent: none of the newest
	Leads     bool   `json:"leads"`               // in the round the answering node is in
	Connected *bool  `json:"connected,omitempty"` // to the answering node; absent for itself, and where it is not known
	Self      bool   `json:"self,omitempty"`      // it is the answering node
}

// Release is stake on its way out.
type Release struct {
	Amount uint64 `json:"amount"`
	Height uint64 `json:"height"` // withdrawable from here on
}

// Validators answers GET /validators.
type Validators struct {
	Height     uint64      `json:"height"`
	Epoch      Epoch       `json:"epoch"`
	Validators []Validator `json:"validators"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

// Epoch answers GET /epoch: that of the next block.
type Epoch struct {
	Number   uint64 `json:"number"`
	First    uint64 `json:"first_height"`
	Midpoint uint64 `json:"list_closes"` // height whose block closes the next epoch's list
	Last     uint64 `json:"last_height"`
	Members  int    `json:"members"`
	Quorum   int    `json:"quorum"`
	Weight   uint64 `json:"total_weight"`
	KeySince uint64 `json:"key_since_epoch"` // the round seed's key is held by the shares of that epoch's resharing
	GroupKey string `json:"group_key"`       // verifies round seeds
	// Ceremony is the resharing under way; absent before the list closes.
	Ceremony *Ceremony `json:"ceremony,omitempty"`
}

// Ceremony is how far a resharing got. What this node did in it is absent for one without a voting key.
type Ceremony struct {
	Epoch    uint64 `json:"for_epoch"`
	Dealers  int    `json:"dealers"`
	Players  int    `json:"players"`
	Logs     int    `json:"logs"` // on chain
	Required int    `json:"required"`
	Node     *Part  `json:"node,omitempty"`
}

// Part is a node's own part in a ceremony.
type Part struct {
	Dealer bool `json:"dealer"`
	Player bool `json:"player"`
	Silent int  `json:"silent_players"` // that have not answered its deal
	Held   int  `json:"deals_held"`
	Mute   bool `json:"cannot_post,omitempty"` // it has no account
}

// Turnouts answers GET /validators/turnout: the finished epochs whose votes this node can still tell, the newest first.
type Turnouts struct {
	Epochs []EpochTurnout `json:"epochs"`
}

// EpochTurnout is who missed how many votes in an epoch.
type EpochTurnout struct {
	Epoch   uint64          `json:"epoch"`
	First   uint64          `json:"first_height"`
	Last    uint64          `json:"last_height"`
	Members []MemberTurnout `json:"members"` // by rank
}

// MemberTurnout is one member's: of the votes counted at the epoch's end, the newest 1,000 at most.
type MemberTurnout struct {
	Address string `json:"address"`
	Missed  int    `json:"missed_votes"`
	Counted int    `json:"counted_blocks"`
}

package wire

// EpochProof answers GET /light/epoch-proof/{epoch}. Encoded is a light.EpochProof: what takes a client over the end of the epoch.
type EpochProof struct {
	Epoch   uint64 `json:"epoch"`
	Height  uint64 `json:"height"` // of the epoch's last block
	Encoded string `json:"encoded"`
}

// Trust answers GET /light/trust/{height}. Encoded is a light.Trust.
type Trust struct {
	Height  uint64 `json:"height"`
	Hash    string `json:"hash"`
	Encoded string `json:"encoded"`
}

// Final answers GET /light/final. Headers are encoded headers, the certified one first, each the parent of the one before; the last one is that of
// the height that was asked for.
type Final struct {
	Height      uint64   `json:"height"` // of the certified header
	Epoch       uint64   `json:"epoch"`
	Hash        string   `json:"hash"`
	Certificate string   `json:"certificate"`
	Headers     []string `json:"headers"`
}

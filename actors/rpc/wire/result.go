package wire

import (
	"encoding/hex"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// JobResults answers GET /job/{id}/results: what the runners of the present attempt, or of the last, revealed, ascending by address.
// Spec: node-rpc-cli §2.4; runner-marketplace §2.6, §14.
type JobResults struct {
	JobID   string      `json:"job_id"`
	Results []JobResult `json:"results"`
}

// JobResult is what a runner revealed.
type JobResult struct {
	Runner     string         `json:"runner"`
	RevealedAt uint64         `json:"revealed_at"`
	Output     *verify.Output `json:"output"`
	Salt       string         `json:"salt"`
	Proof      string         `json:"proof"` // its signature
}

// JobVerified answers GET /job/{id}/verified. Spec: node-rpc-cli §2.4; runner-marketplace §2.6 (VerifiedResult).
type JobVerified struct {
	JobID      string   `json:"job_id"`
	Outcome    string   `json:"outcome"`
	Data       string   `json:"data"`           // hexadecimal
	Text       string   `json:"text,omitempty"` // the data, where they are UTF-8
	Count      uint32   `json:"consensus_count"`
	Total      uint32   `json:"total_runners"`
	Mode       string   `json:"verification_mode"`
	Agreed     []string `json:"agreed"`
	Slash      []string `json:"runners_to_slash"`
	VerifiedAt uint64   `json:"verified_at"`
	Price      uint64   `json:"price"` // base units
}

// ViewJobResult shows a reveal.
func ViewJobResult(r *market.Reveal, o *verify.Output) JobResult {
	return JobResult{
		Runner: r.Runner.String(), RevealedAt: uint64(r.Height), Output: o, Salt: Hash(r.Salt), Proof: r.Proof.String(),
	}
}

// ViewJobVerified shows a verified result.
func ViewJobVerified(id digest.Hash, v *market.Result) JobVerified {
	text := ""
	if utf8.Valid(v.Data) {
		text = string(v.Data)
	}
	return JobVerified{
		JobID: Hash(id), Outcome: v.Outcome.String(), Data: "0x" + hex.EncodeToString(v.Data), Text: text, Count: v.Count, Total: v.Total,
		Mode: v.Mode.String(), Agreed: texts(v.Agreed), Slash: texts(v.Slash), VerifiedAt: uint64(v.Height), Price: uint64(v.Price),
	}
}

package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
)

// Retention is a retention contract. Amounts are base units, epochs have 600 blocks. Spec: storage-cbfs §7.
type Retention struct {
	ContractID string              `json:"contract_id"`
	Operator   string              `json:"operator"`
	Feed       string              `json:"feed_id,omitempty"`
	Metadata   string              `json:"metadata,omitempty"` // in hex
	Epoch      uint64              `json:"epoch"`              // of the chain
	Start      uint64              `json:"start_epoch"`
	End        uint64              `json:"end_epoch"` // the first that is not paid
	Replicas   uint64              `json:"min_replica_count"`
	Cadence    uint64              `json:"audit_cadence"`
	Sampling   string              `json:"sampling"` // "CHUNK_INDEX" or "RANGE"
	SampleSize uint64              `json:"sample_size,omitempty"`
	Samples    uint64              `json:"sample_num"`
	Rate       uint64              `json:"rate_per_epoch"`
	Penalty    string              `json:"penalty"` // "NO_PAY", "SLASH" or "BOTH"
	Stake      uint64              `json:"stake"`
	Slash      uint64              `json:"slash_amount,omitempty"`
	SlashBPS   uint64              `json:"slash_bps,omitempty"`
	Strikes    uint64              `json:"max_strikes"`
	Escrow     uint64              `json:"escrow"`
	Blobs      []BlobRef           `json:"blob_refs"`
	Providers  []RetentionProvider `json:"providers"`
}

// BlobRef is a blob of a contract. Spec: storage-cbfs §7; WP §7.2.
type BlobRef struct {
	Ref       string `json:"ref"` // the 64 bytes, in hex
	Multihash string `json:"multihash"`
	Codec     uint8  `json:"codec"`
	Size      uint64 `json:"size_bytes"`
	ChunkSize uint64 `json:"chunk_size"`
	Root      string `json:"merkle_root"`
}

// RetentionProvider is a provider of a contract. Spec: storage-cbfs §7.
type RetentionProvider struct {
	Provider string           `json:"provider"`
	Endpoint string           `json:"service_endpoint,omitempty"` // none: that of the relay
	Stake    uint64           `json:"stake"`
	Accepted uint64           `json:"accepted_at_epoch"`
	Unpaid   uint64           `json:"unpaid_from_epoch"`
	Audit    uint64           `json:"next_audit_epoch,omitempty"`
	Strikes  uint64           `json:"strikes"`
	Proven   uint64           `json:"audits_proven"`
	AuditID  string           `json:"audit_id,omitempty"` // of an audit that is open
	Asked    []RetentionPlace `json:"asked,omitempty"`
}

// RetentionPlace is a piece that an audit asks for. Spec: storage-cbfs §7 (sampling).
type RetentionPlace struct {
	Blob  int    `json:"blob"` // of blob_refs, from 0
	Piece uint64 `json:"piece"`
}

// Retentions is a page of contracts, without their providers' parts.
type Retentions struct {
	Epoch      uint64      `json:"epoch"`
	Contracts  []Retention `json:"contracts"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

// ViewRetention shows a contract with its providers by name alone.
func ViewRetention(id digest.Hash, c *retention.Contract, epoch uint64) Retention {
	p := &c.Policy
	v := Retention{
		ContractID: Hash(id), Operator: c.Operator.String(), Epoch: epoch, Start: p.Start, End: p.End, Replicas: uint64(p.Replicas), Cadence: p.Cadence,
		Sampling: p.Sampling.String(), SampleSize: uint64(p.SampleSize), Samples: uint64(p.Samples), Rate: uint64(p.Rate), Penalty: p.Penalty.String(),
		Stake: uint64(p.Stake), Slash: uint64(p.Slash), SlashBPS: p.SlashBPS, Strikes: uint64(p.Strikes), Escrow: uint64(c.Escrow),
		Blobs: []BlobRef{}, Providers: []RetentionProvider{},
	}
	if !c.Feed.IsZero() {
		v.Feed = Hash(c.Feed)
	}
	if len(c.Metadata) > 0 {
		v.Metadata = Hex(c.Metadata)
	}
	for i := range c.Blobs {
		b := &c.Blobs[i].Ref
		v.Blobs = append(v.Blobs, BlobRef{Hex(b.Encode()), Hex(b.Multihash()), b.Codec, b.Size, uint64(b.ChunkSize), Hash(c.Blobs[i].Root)})
	}
	for _, who := range c.Providers {
		v.Providers = append(v.Providers, RetentionProvider{Provider: who.String()})
	}
	return v
}

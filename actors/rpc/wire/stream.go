package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/stream"
)

// Stream answers GET /paid-stream/{hash}: how access to a managed stream is sold. Amounts are in base units. Spec: gateway-payments-streams §E.1.
type Stream struct {
	StreamID          string `json:"stream_id"`
	Actor             string `json:"actor"`
	FeePerKeyEpoch    uint64 `json:"fee_per_key_epoch_cby"`
	ProtocolFeeBPS    uint64 `json:"protocol_fee_bps"`
	PublisherTreasury string `json:"publisher_treasury"`
	KeyEpochBlocks    uint64 `json:"key_epoch_blocks"`
	MinPurchaseEpochs uint64 `json:"min_purchase_epochs"`
	KeyEpoch          uint64 `json:"key_epoch"` // of the next block
}

// StreamAccess answers GET /paid-stream/{hash}/access/{addr}. Spec: gateway-payments-streams §E.1 (StreamEntitlement).
type StreamAccess struct {
	StreamID            string  `json:"stream_id"`
	Account             string  `json:"account"`
	ActiveFromKeyEpoch  *uint64 `json:"active_from_key_epoch"` // null for an account that never had any, and so is the next
	ActiveUntilKeyEpoch *uint64 `json:"active_until_key_epoch"`
}

// StreamKeys answers GET /account/{addr}/stream-keys. Spec: gateway-payments-streams §E.1 (AccountKeyRegistration).
type StreamKeys struct {
	Account    string      `json:"account"`
	Generation uint64      `json:"generation"`
	Keys       []StreamKey `json:"keys"` // active ones
}

// StreamKey is an X25519 key to which content keys of streams are sealed.
type StreamKey struct {
	AccountKeyID uint64 `json:"account_key_id"`
	PublicKey    string `json:"public_key"`
	RegisteredAt uint64 `json:"registered_at"`
}

// ContentKey answers GET /paid-stream/{hash}/key/{epoch}. Spec: gateway-payments-streams §E.1 (content keys).
type ContentKey struct {
	StreamID string `json:"stream_id"`
	KeyEpoch uint64 `json:"key_epoch"`
	Wrapped  string `json:"wrapped"`
}

// SealRequest asks the committee for keys of epochs, for a key of an account. Spec: gateway-payments-streams §E.1.
type SealRequest struct {
	Number       uint64 `json:"number"`
	StreamID     string `json:"stream_id"`
	Beneficiary  string `json:"beneficiary"`
	FromKeyEpoch uint64 `json:"from_key_epoch"`
	ToKeyEpoch   uint64 `json:"to_key_epoch"`
	AccountKeyID uint64 `json:"account_key_id"`
	Generation   uint64 `json:"generation"`
	EmittedAt    uint64 `json:"emitted_at"`
	Until        uint64 `json:"until"`
	State        string `json:"state"` // emitted, sealed, expired or void
	Receipts     int    `json:"receipts"`
	Quorum       uint64 `json:"quorum"` // receipts that it takes; 0 where nobody has paid for it
}

// SealRequests answers GET /seal-requests: a page, by number.
type SealRequests struct {
	Requests   []SealRequest `json:"requests"`
	NextCursor uint64        `json:"next_cursor,omitempty"`
}

// ViewStream shows the terms of a managed stream, and the key epoch of the next block.
func ViewStream(id digest.Hash, c *stream.Config, epoch uint64) Stream {
	return Stream{
		StreamID: Hash(id), Actor: c.Owner.String(), FeePerKeyEpoch: uint64(c.Fee), ProtocolFeeBPS: c.ProtocolBPS, PublisherTreasury: c.Treasury.String(),
		KeyEpochBlocks: c.EpochBlocks, MinPurchaseEpochs: c.MinPurchase, KeyEpoch: epoch,
	}
}

// ViewSealRequest shows a SealRequest.
func ViewSealRequest(n uint64, q *stream.Request, s stream.Status) SealRequest {
	return SealRequest{
		Number: n, StreamID: Hash(q.Stream), Beneficiary: q.Beneficiary.String(), FromKeyEpoch: q.From, ToKeyEpoch: q.To, AccountKeyID: q.Key,
		Generation: q.Generation, EmittedAt: uint64(q.Emitted), Until: uint64(q.Until), State: s.String(),
		Receipts: len(q.Receipts), Quorum: q.Quorum,
	}
}

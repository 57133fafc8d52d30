package wire

import (
	"encoding/hex"

	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Gateways answers GET /gateways. Spec: gateway-payments-streams §B.
type Gateways struct {
	Gateways   []Gateway   `json:"gateways"`
	Pool       GatewayPool `json:"pool"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

// GatewayPool is the pool that gateways share, base units.
type GatewayPool struct {
	Amount uint64 `json:"amount"`
	Epoch  uint64 `json:"epoch"`
	Began  uint64 `json:"began"` // the first block of the epoch
}

// Gateway is a registered gateway. Spec: gateway-payments-streams §B (GatewayProfile).
type Gateway struct {
	Address       string  `json:"address"`
	Stake         uint64  `json:"stake_amount"` // base units
	Endpoint      string  `json:"endpoint"`
	Port          uint16  `json:"http_port"`
	LastHeartbeat uint64  `json:"last_heartbeat"`
	Health        uint64  `json:"health"`
	Active        bool    `json:"active"`
	RegisteredAt  uint64  `json:"registered_at"`
	LeavingSince  *uint64 `json:"leaving_since,omitempty"`
}

// ViewGateway shows a gateway as of a height.
func ViewGateway(c gateway.Config, g *gateway.Located, at unit.Height) Gateway {
	p := &g.Profile
	return Gateway{
		Address: g.Address.String(), Stake: uint64(p.Stake), Endpoint: p.Endpoint, Port: p.Port, LastHeartbeat: uint64(p.Heartbeat),
		Health: p.HealthAt(c, at), Active: p.ActiveAt(c, at), RegisteredAt: uint64(p.Registered), LeavingSince: p.Leaving,
	}
}

// Requests answers GET /requests. Spec: gateway-payments-streams §C.
type Requests struct {
	Requests   []Request `json:"requests"`
	NextCursor string    `json:"next_cursor,omitempty"`
}

// Request is what became of a request over HTTP. Spec: gateway-payments-streams §C.
type Request struct {
	ID        string  `json:"request_id"`
	Target    string  `json:"target_actor"`
	Gateway   string  `json:"gateway"`
	Status    string  `json:"status"` // PENDING, COMPLETED or FAILED
	Envelope  *string `json:"envelope,omitempty"`
	CreatedAt uint64  `json:"created_at"`
	ExpiresAt uint64  `json:"expires_at"`
	Expired   bool    `json:"expired"`
	Private   bool    `json:"private"`
	// BlockHeight is the newest final block's: the state that this was read from is the one after it.
	BlockHeight uint64 `json:"block_height"`
}

// ViewRequest shows a receipt of a request as of a height; envelope is canonical CBOR in hex digits, which a list leaves out.
func ViewRequest(r *receipt.Identified, at unit.Height, envelope bool) Request {
	c := &r.Receipt
	v := Request{
		ID: r.ID.String(), Target: c.Target.String(), Gateway: c.Gateway.String(), Status: c.Status.String(), CreatedAt: uint64(c.Created),
		ExpiresAt: uint64(c.Expires), Expired: c.Expired(at), Private: c.Private, BlockHeight: uint64(at),
	}
	if envelope && c.Envelope != nil {
		text := hex.EncodeToString(c.Envelope)
		v.Envelope = &text
	}
	return v
}

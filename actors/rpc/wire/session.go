package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
)

// Session answers GET /session/{hash}. Amounts are in base units. Spec: gateway-payments-streams §D.
type Session struct {
	SessionID         string `json:"session_id"`
	Payer             string `json:"payer"`
	Runner            string `json:"runner"`
	Asset             string `json:"asset"` // CBY
	MaxAmount         string `json:"max_amount"`
	Deposit           uint64 `json:"deposit"`
	Spent             uint64 `json:"spent"`
	LastVoucherNonce  uint64 `json:"last_voucher_nonce"`
	PriceAdvertDigest string `json:"price_advert_digest"`
	OpenedAt          uint64 `json:"opened_at"`
	ExpiresAt         uint64 `json:"expires_at"`
	Status            string `json:"status"`
	ClosedAt          uint64 `json:"closed_at,omitempty"`
	FinalFrom         uint64 `json:"final_from,omitempty"` // the first block anybody can finalize it in; absent where it is over
}

// ViewSession shows a session.
func ViewSession(id digest.Hash, s *session.Session) Session {
	v := Session{
		SessionID: Hash(id), Payer: s.Payer.String(), Runner: s.Runner.String(), Asset: "CBY", MaxAmount: s.MaxAmount.String(), Deposit: uint64(s.Deposit),
		Spent: uint64(s.Spent), LastVoucherNonce: s.Nonce, PriceAdvertDigest: Hash(s.PriceAdvert), OpenedAt: uint64(s.Opened), ExpiresAt: uint64(s.Expires),
		Status: s.Status.String(), ClosedAt: uint64(s.Closed),
	}
	if s.Status == session.Open || s.Status == session.Closing {
		v.FinalFrom = uint64(s.FinalFrom())
	}
	return v
}

package paid

import (
	"encoding/binary"
	"encoding/hex"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Path is what the path of a conversation begins with; a session's identity follows. TermsPath tells prices.
const (
	Path      = "/sessions/"
	TermsPath = "/terms"
)

const (
	maxMessage = 256 << 10 // bytes, of a question
	maxPiece   = 16 << 10
)

// Prices are what a runner takes, in base units.
type Prices struct {
	Request unit.Amount `json:"per_request"` // before the model is asked
	Piece   unit.Amount `json:"per_piece"`
	Ahead   uint64      `json:"ahead"` // pieces that come before they are paid
}

// Advert is the digest of prices: keccak256("cowboy-session-prices" ‖ chain id(8) ‖ runner(20) ‖ request(8) ‖ piece(8)), numbers big-endian.
//
// Spec: gateway-payments-streams §D (price_advert_digest).
func (p Prices) Advert(chainID uint64, runner account.Address) digest.Hash {
	b := append(binary.BigEndian.AppendUint64([]byte("cowboy-session-prices"), chainID), runner[:]...)
	return digest.Keccak256(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, uint64(p.Request)), uint64(p.Piece)))
}

// Signed is a voucher in JSON, as `cowboy session voucher` writes it.
//
// Spec: gateway-payments-streams §D (Voucher).
type Signed struct {
	SessionID  string       `json:"session_id"`
	Cumulative unit.Uint128 `json:"cumulative_amount"` // base units
	Nonce      uint64       `json:"nonce"`
	Expires    uint64       `json:"expires_at"`
	Usage      string       `json:"usage_digest"`
	Signature  string       `json:"signature"`
}

// Sign gives a voucher and its signature in JSON's form.
func Sign(v voucher.Voucher, s sig.Signature) *Signed {
	return &Signed{v.Session.String(), v.Cumulative, v.Nonce, uint64(v.Expires), v.Usage.String(), s.String()}
}

// Voucher reads one.
func (s *Signed) Voucher() (v voucher.Voucher, by sig.Signature, err error) {
	v = voucher.Voucher{Cumulative: s.Cumulative, Nonce: s.Nonce, Expires: unit.Height(s.Expires)}
	if v.Session, err = digest.ParseHash(s.SessionID); err != nil {
		return v, by, err
	}
	if v.Usage, err = digest.ParseHash(s.Usage); err != nil {
		return v, by, err
	}
	text := s.Signature
	if len(text) > 2 && text[:2] == "0x" {
		text = text[2:]
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return v, by, errors.New("a signature has 65 bytes in hexadecimal digits")
	}
	by, err = sig.FromEdge(raw)
	return v, by, err
}

// Terms are what a runner says first.
type Terms struct {
	ChainID uint64  `json:"chain_id"`
	Runner  string  `json:"runner"`
	Prices  Prices  `json:"prices"`
	Advert  string  `json:"price_advert_digest"`
	Owed    uint64  `json:"owed"`             // of the session in all, paid or not, in base units
	Newest  *Signed `json:"newest,omitempty"` // the voucher that the runner has
}

// Ask is a question to a model.
type Ask struct {
	Model  string `json:"model_id,omitempty"` // "": the runner's first
	System string `json:"system,omitempty"`
	Prompt string `json:"prompt"`
	Most   uint64 `json:"max_tokens,omitempty"` // 0: as many as the model likes
}

// message is any message: one of its fields is set.
type message struct {
	Terms   *Terms   `json:"terms,omitempty"`
	Ask     *Ask     `json:"ask,omitempty"`
	Piece   *piece   `json:"piece,omitempty"`
	Voucher *payment `json:"voucher,omitempty"`
	End     *ending  `json:"end,omitempty"`
}

type piece struct {
	Number uint64 `json:"number"` // from 1
	Text   string `json:"text"`
	Owed   uint64 `json:"owed"` // of the session in all
}

type payment struct {
	Signed *Signed `json:"signed"`
	Pieces uint64  `json:"pieces"` // of this request, that it is for
}

type ending struct {
	Pieces uint64 `json:"pieces"`
	Why    string `json:"why"` // "" where the answer is whole
}

// usage is the digest of a conversation up to a piece.
type usage digest.Hash

// begun is the usage of a question that nothing was answered to yet.
func begun(ask []byte) usage { return usage(digest.Keccak256([]byte("cowboy-session-usage"), ask)) }

func (u usage) with(text string) usage {
	one := digest.Keccak256([]byte(text))
	return usage(digest.Keccak256(u[:], one[:]))
}

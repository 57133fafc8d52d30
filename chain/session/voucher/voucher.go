package voucher

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The rejects of a voucher.
var (
	ErrStale     = errors.New("voucher: its nonce is not above that of the last one")
	ErrAmount    = errors.New("voucher: its amount is not above what was paid already")
	ErrDeposit   = errors.New("voucher: its amount is above the deposit")
	ErrExpired   = errors.New("voucher: it has expired")
	ErrSignature = errors.New("voucher: the payer did not sign it")
	ErrSession   = errors.New("voucher: it is of another session")
)

// Voucher is a payer's word that a runner may have taken so much of a session.
//
// Spec: gateway-payments-streams §D (Voucher).
type Voucher struct {
	Session    digest.Hash
	Cumulative unit.Uint128 // base units, all of the session so far
	Nonce      uint64       // above that of the voucher before
	Expires    unit.Height  // the last block it may be settled in
	Usage      digest.Hash  // of what was used; no rule looks into it
}

// The typed data, as wallets show it. Spec: gateway-payments-streams §D (EIP-712).
const (
	domainType  = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
	domainName  = "Cowboy MPP Session"
	domainMark  = "1"
	voucherType = "Voucher(bytes32 session_id,uint128 cumulative_amount,uint64 nonce,uint64 expires_at,bytes32 usage_digest)"
)

// word is a number as a word of 32 bytes.
func word(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24, 32), n) }

// Digest is what the payer signs on a chain.
//
// Spec: gateway-payments-streams §D (EIP-712, the real chainId).
func (v *Voucher) Digest(chainID uint64) digest.Hash {
	kind, name, mark := digest.Keccak256([]byte(domainType)), digest.Keccak256([]byte(domainName)), digest.Keccak256([]byte(domainMark))
	home := account.System(account.Session)
	domain := digest.Keccak256(kind[:], name[:], mark[:], word(chainID), make([]byte, 12), home[:])
	kind = digest.Keccak256([]byte(voucherType))
	body := digest.Keccak256(
		kind[:], v.Session[:], make([]byte, 16), v.Cumulative.AppendBig(nil), word(v.Nonce), word(uint64(v.Expires)), v.Usage[:],
	)
	return digest.Keccak256([]byte{0x19, 0x01}, domain[:], body[:])
}

// SignedBy reports whether an account signed the voucher for a chain.
func (v *Voucher) SignedBy(payer account.Address, chainID uint64, s sig.Signature) bool {
	by, err := sig.Default().Recover(v.Digest(chainID), s)
	return err == nil && by == payer
}

// Paid is what of a session was settled before, and how much may be settled in all.
type Paid struct {
	Nonce   uint64      // of the last voucher, 0 before the first
	Spent   unit.Amount // base units
	Deposit unit.Amount // base units
}

// Check holds a voucher to what was paid before it, in a block. Rejects: ErrStale, ErrAmount, ErrDeposit, ErrExpired.
//
// Spec: gateway-payments-streams §D (54).
func (v *Voucher) Check(p Paid, now unit.Height) error {
	switch {
	case v.Nonce <= p.Nonce:
		return ErrStale
	case v.Cumulative.Cmp(unit.Wide(uint64(p.Spent))) <= 0:
		return ErrAmount
	case v.Cumulative.Cmp(unit.Wide(uint64(p.Deposit))) > 0:
		return ErrDeposit
	case now > v.Expires:
		return ErrExpired
	}
	return nil
}

// Running is a sequence of vouchers as one side sees it. The zero value is no session's.
type Running struct {
	ChainID   uint64
	Session   digest.Hash
	Payer     account.Address
	Paid      Paid          // of the newest voucher
	Newest    Voucher       // nothing before the first
	Signature sig.Signature // of Newest
}

// Raise signs the next voucher, of so much more than the one before, and takes it as the newest. Rejects: ErrAmount, ErrDeposit.
func (r *Running) Raise(key *sig.PrivateKey, more unit.Amount, expires unit.Height, usage digest.Hash) (Voucher, sig.Signature, error) {
	sum, err := r.Paid.Spent.Add(more)
	if err != nil {
		return Voucher{}, sig.Signature{}, ErrDeposit
	}
	v := Voucher{Session: r.Session, Cumulative: unit.Wide(uint64(sum)), Nonce: r.Paid.Nonce + 1, Expires: expires, Usage: usage}
	if err := v.Check(r.Paid, 0); err != nil {
		return Voucher{}, sig.Signature{}, err
	}
	s := key.Sign(v.Digest(r.ChainID))
	r.take(v, s)
	return v, s, nil
}

// Accept takes a voucher that the payer signed as the newest if it raises the one before by at least so much. Rejects: those of Check, ErrSession,
// ErrSignature.
func (r *Running) Accept(v Voucher, s sig.Signature, least unit.Amount, now unit.Height) error {
	if v.Session != r.Session {
		return ErrSession
	}
	if err := v.Check(r.Paid, now); err != nil {
		return err
	}
	if unit.Amount(v.Cumulative.Lo)-r.Paid.Spent < least {
		return ErrAmount
	}
	if !v.SignedBy(r.Payer, r.ChainID, s) {
		return ErrSignature
	}
	r.take(v, s)
	return nil
}

func (r *Running) take(v Voucher, s sig.Signature) {
	r.Newest, r.Signature = v, s
	r.Paid.Nonce, r.Paid.Spent = v.Nonce, unit.Amount(v.Cumulative.Lo)
}

package bank

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Voucher is the word of a bank's signer that somebody paid it in money of a state (FiatMintVoucher).
//
// Spec: gateway-payments-streams §G.1.
type Voucher struct {
	Bank      uint32
	Card      account.Address
	Token     *token.ID // nil: coins, which come out of what the bank owns
	Amount    unit.Uint128
	ID        [32]byte
	Expires   unit.Height // the last height it is taken at
	Reference []byte      // at most MaxReferenceBytes, for people
}

// Digest is what the bank's signer signs: keccak256("CowboyBankFiatMint\x01" ‖ rlp(voucher)), the fields in their order and the number of the chain behind
// them; no token is the empty string. Without the number a voucher for one network would be worth as much on every other.
//
// Spec: gateway-payments-streams §G.2 (vouchers).
func (v *Voucher) Digest(chainID uint64) digest.Hash {
	var id []byte
	if v.Token != nil {
		id = v.Token[:]
	}
	var fields []byte
	for _, f := range [...][]byte{
		trimmed(uint64(v.Bank)), v.Card[:], id, bare(v.Amount.AppendBig(nil)), v.ID[:], trimmed(uint64(v.Expires)), v.Reference, trimmed(chainID),
	} {
		fields = appendString(fields, f)
	}
	list := appendHeader(nil, 0xc0, len(fields))
	return digest.Keccak256([]byte("CowboyBankFiatMint\x01"), list, fields)
}

// trimmed is a number without leading zero bytes, as RLP has numbers.
func trimmed(n uint64) []byte { return bare(binary.BigEndian.AppendUint64(nil, n)) }

func bare(b []byte) []byte {
	for len(b) > 0 && b[0] == 0 {
		b = b[1:]
	}
	return b
}

// appendString appends a string of RLP: a byte below 0x80 is its own encoding.
func appendString(dst, s []byte) []byte {
	if len(s) == 1 && s[0] < 0x80 {
		return append(dst, s[0])
	}
	return append(appendHeader(dst, 0x80, len(s)), s...)
}

// appendHeader appends the length of a string or a list of RLP.
func appendHeader(dst []byte, kind byte, length int) []byte {
	if length < 56 {
		return append(dst, kind+byte(length))
	}
	n := trimmed(uint64(length))
	return append(append(dst, kind+55+byte(len(n))), n...)
}

package bank

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func filled(b byte) (a account.Address) {
	copy(a[:], bytes.Repeat([]byte{b}, len(a)))
	return a
}

// Addresses of cards by a program of a few lines of Python, which has Keccak-f[1600] by the standard and of it keccak256, checked by that of nothing:
//
//	keccak256(b'CowboyBankCard\x01' + bank.to_bytes(4, 'big') + bytes([owner] * 20) + bytes([agent] * 20) + nonce.to_bytes(8, 'big'))[12:]
//
// Spec: gateway-payments-streams §G.1.
func TestAddresses(t *testing.T) {
	for want, x := range map[string]struct {
		bank         uint32
		owner, agent byte
		nonce        uint64
	}{
		"0x2f28e47226a42f87f4ad1c6e55290e2936ba4072": {1, 1, 2, 0},
		"0x25ffc79f829fe25d68065ba3dc801bd9bc7e8870": {1, 1, 2, 1},
		"0xa960aacc485c6cbf8bcd431b4b6d7e5d2438d988": {2, 1, 2, 0},
		"0x06221f16982e066680be9429a20de6219bf4587b": {1, 2, 1, 0},
		"0xe031ea5c501263684cc2e57dcc95366907483824": {1<<32 - 1, 255, 254, 1<<64 - 1},
	} {
		t.Run(want, func(t *testing.T) {
			a, err := account.ParseAddress(want)
			if got := AddressOf(x.bank, filled(x.owner), filled(x.agent), x.nonce); err != nil || got != a {
				t.Errorf("%v %v", got, err)
			}
		})
	}
	// keccak256(b'CowboyBankReserve\x01' + (1).to_bytes(4, 'big'))[12:]
	if a, err := account.ParseAddress("0xa085b6f0f1aae0776ed6d2e05706e146f8797151"); err != nil || ReserveOf(1) != a {
		t.Errorf("%v %v", ReserveOf(1), err)
	}
}

// Digests of vouchers by the same program, with RLP in five lines: a string of one byte below 0x80 is itself, a length below 56 is one byte, a number has no
// leading zeros.
//
//	keccak256(b'CowboyBankFiatMint\x01' + rlp([num(bank), card, token, num(amount), id, num(expires), reference, num(chain)]))
//
// Spec: gateway-payments-streams §G.2 (vouchers).
func TestVoucherDigests(t *testing.T) {
	id := token.ID(bytes.Repeat([]byte{8}, 32))
	nine := [32]byte(bytes.Repeat([]byte{9}, 32))
	hay := Voucher{
		Bank: 1, Card: filled(7), Token: &id, Amount: unit.Uint128{Hi: 5, Lo: 7_766_279_631_452_241_920}, ID: nine, Expires: 1_000,
		Reference: []byte("wire 17"),
	}
	for want, x := range map[string]struct {
		voucher Voucher
		chain   uint64
	}{
		"5952cb0ad950dc79841f8b31b3e0c4f10fb24decd90d9a0070131a98ea88b333": {hay, 42},
		"b31a02cdc90b041532b7e2252d6db7af78b1fdd8174d5b3c76e01bedb35dc21d": {hay, 43},
		"91bb7311d92b509f5a0adc7957d63b0d76711a53188b69a81a43497c05ed1f09": {Voucher{Bank: 1, Card: filled(7), ID: nine}, 0},
		"3da6bf5d98636ca1138ff458d862eb3583abe6db7f2acba118c5ce397e6c845f": {
			Voucher{Bank: 300, Card: filled(7), Token: &id, Amount: unit.Wide(127), ID: nine, Expires: 128, Reference: bytes.Repeat([]byte("x"), 64)},
			1<<64 - 1,
		},
	} {
		t.Run(want, func(t *testing.T) {
			if got := x.voucher.Digest(x.chain).Hex(); got != want && got != "0x"+want {
				t.Error(got)
			}
		})
	}
}

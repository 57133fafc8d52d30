// Vouchers prints vouchers of sessions that go-ethereum's signer of typed data has signed, as JSON:
//
//	go run ./vouchers > ../../../chain/session/voucher/testdata/geth.json
//
// It has no line in common with the code that reads them, and is of this module so that go-ethereum is none of the chain's.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"

	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// signed is a voucher with its signature.
type signed struct {
	Payer      string `json:"payer"`
	ChainID    string `json:"chain_id"`
	Session    string `json:"session"`
	Cumulative string `json:"cumulative"`
	Nonce      string `json:"nonce"`
	Expires    string `json:"expires"`
	Usage      string `json:"usage"`
	Digest     string `json:"digest"`
	Signature  string `json:"signature"` // v is 0 or 1
}

func field(name, kind string) apitypes.Type { return apitypes.Type{Name: name, Type: kind} }

// sign signs a voucher as a wallet does that was shown its typed data.
func sign(n, chain uint64, cumulative, nonce, expires string) (signed, error) {
	key, err := crypto.ToECDSA(crypto.Keccak256(fmt.Appendf(nil, "geth payer %d", n)))
	if err != nil {
		return signed{}, err
	}
	session, usage := crypto.Keccak256(fmt.Appendf(nil, "geth session %d", n)), crypto.Keccak256(fmt.Appendf(nil, "geth usage %d", n))
	data := apitypes.TypedData{
		Types: apitypes.Types{
			"EIP712Domain": {field("name", "string"), field("version", "string"), field("chainId", "uint256"), field("verifyingContract", "address")},
			"Voucher": {
				field("session_id", "bytes32"), field("cumulative_amount", "uint128"), field("nonce", "uint64"), field("expires_at", "uint64"),
				field("usage_digest", "bytes32"),
			},
		},
		PrimaryType: "Voucher",
		Domain: apitypes.TypedDataDomain{
			Name: "Cowboy MPP Session", Version: "1", ChainId: (*math.HexOrDecimal256)(new(big.Int).SetUint64(chain)),
			VerifyingContract: "0x000000000000000000000000000000000000000C",
		},
		Message: apitypes.TypedDataMessage{
			"session_id": session, "cumulative_amount": cumulative, "nonce": nonce, "expires_at": expires, "usage_digest": usage,
		},
	}
	hash, _, err := apitypes.TypedDataAndHash(data)
	if err != nil {
		return signed{}, err
	}
	signature, err := crypto.Sign(hash, key)
	if err != nil {
		return signed{}, err
	}
	return signed{
		hex.EncodeToString(crypto.PubkeyToAddress(key.PublicKey).Bytes()), fmt.Sprint(chain), hex.EncodeToString(session), cumulative, nonce, expires,
		hex.EncodeToString(usage), hex.EncodeToString(hash), hex.EncodeToString(signature),
	}, nil
}

func main() {
	most, wide := "18446744073709551615", "340282366920938463463374607431768211455"
	var list []signed
	for i, x := range []struct {
		chain                      uint64
		cumulative, nonce, expires string
	}{
		{1, "1", "1", "1"}, {2, "0", "0", "0"}, {31_337, "1000000000000000000", "7", "3600"}, {1 << 63, wide, most, most}, {1<<64 - 1, most, "1", most},
		{7, "18446744073709551616", "255", "256"},
	} {
		one, err := sign(uint64(i), x.chain, x.cumulative, x.nonce, x.expires)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		list = append(list, one)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	if err := out.Encode(list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

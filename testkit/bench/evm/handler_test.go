package evm

import (
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/ethereum/go-ethereum/params"
)

var counter = common.FromHex("6012600c60003960126000f3" + "6000546001018060005560005260206000f3" + "00")

// BenchmarkHandlerTest is a whole test of a counter in the simulated backend: a chain of its own, the contract deployed, one call and a look at what it
// returns.
func BenchmarkHandlerTest(b *testing.B) {
	key, err := crypto.GenerateKey()
	if err != nil {
		b.Fatal(err)
	}
	addr := crypto.PubkeyToAddress(key.PublicKey)
	ctx := context.Background()
	for b.Loop() {
		backend := simulated.NewBackend(types.GenesisAlloc{addr: {Balance: big.NewInt(params.Ether)}})
		client := backend.Client()
		chainID, err := client.ChainID(ctx)
		if err != nil {
			b.Fatal(err)
		}
		signer := types.LatestSignerForChainID(chainID)
		tip := big.NewInt(params.GWei)
		send := func(nonce uint64, to *common.Address, data []byte) *types.Receipt {
			tx := types.MustSignNewTx(key, signer, &types.DynamicFeeTx{
				ChainID: chainID, Nonce: nonce, GasTipCap: tip, GasFeeCap: big.NewInt(10 * params.GWei), Gas: 200_000, To: to, Data: data,
			})
			if err := client.SendTransaction(ctx, tx); err != nil {
				b.Fatal(err)
			}
			backend.Commit()
			r, err := client.TransactionReceipt(ctx, tx.Hash())
			if err != nil || r.Status != 1 {
				b.Fatal(err, r)
			}
			return r
		}
		at := send(0, nil, counter).ContractAddress
		send(1, &at, nil)
		out, err := client.CallContract(ctx, ethereum.CallMsg{From: addr, To: &at}, nil)
		if err != nil || new(big.Int).SetBytes(out).Int64() != 2 {
			b.Fatal(err, out)
		}
		if err := backend.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

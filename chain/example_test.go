package chain_test

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A transfer is signed over its encoding without signatures. Whoever receives the bytes decodes them and recovers who signed.
func Example() {
	key := genesis.DevFaucet() // the funded account of development networks
	transfer := &tx.Tx{
		ChainID: 1, Nonce: 0, From: key.Address(),
		Instruction: &tx.Transfer{To: account.Address{0xaa}, Amount: 3 * unit.CBY},
		CyclesLimit: 21_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000,
	}
	transfer.Signature = key.Sign(transfer.SigningHash())
	encoded := transfer.Encode()

	received, err := tx.Decode(encoded)
	if err != nil {
		fmt.Println(err)
		return
	}
	verified, err := tx.Verify(received, 1, sig.Default())
	fmt.Println(verified.Lane(), verified.Tx().From == key.Address(), err)

	encoded[len(encoded)-2] ^= 1 // somewhere in the signature
	if received, err = tx.Decode(encoded); err == nil {
		_, err = tx.Verify(received, 1, sig.Default())
	}
	reject, _ := tx.ClassOf(err)
	fmt.Println(reject.Slug(), reject == tx.ErrSignature)
	// Output:
	// user true <nil>
	// E1001 true
}

package actors_test

import (
	"context"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// alone makes a node of one validator, with everything in memory.
func alone() (*node.Node, error) {
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		return nil, err
	}
	store, err := ledger.NewMemory(spec, state.Config{})
	if err != nil {
		return nil, err
	}
	validator, err := node.DevValidator(0, 1)
	if err != nil {
		return nil, err
	}
	return node.New(node.Config{
		Genesis: spec, Validator: validator, Store: store, Journal: disk.NewMemory(), Shares: disk.NewMemory(), Interval: time.Millisecond,
		NewRunner: func() drain.Runner { return host.New(host.NewPrograms()) },
	})
}

// transfer is one of development coins to an address, signed and encoded.
func transfer(to account.Address) []byte {
	faucet := genesis.DevFaucet()
	t := &tx.Tx{
		ChainID: 1, From: faucet.Address(), Instruction: &tx.Transfer{To: to, Amount: 3 * unit.CBY},
		CyclesLimit: 21_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000,
	}
	t.Signature = faucet.Sign(t.SigningHash())
	return t.Encode()
}

// A node is made of a configuration, started and stopped. Its subsystems are reached through their handles.
func Example() {
	ctx := context.Background()
	n, err := alone()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := n.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	to := account.Address{0xaa}
	refused, err := n.Lanes.Submit(ctx, [][]byte{transfer(to)})
	fmt.Println(refused[0], err)

	var received unit.Amount
	for height := n.Ledger.Finalized(); received == 0; height++ {
		if err := n.Ledger.Await(ctx, height+1); err != nil {
			fmt.Println(err)
			return
		}
		if data, ok, err := n.Ledger.Tip().State.Lookup(to.Key()); ok && err == nil {
			a, err := account.Decode(data)
			if err != nil {
				fmt.Println(err)
				return
			}
			received = a.Balance
		}
	}
	fmt.Println(received == 3*unit.CBY)
	fmt.Println(n.Stop(ctx))
	// Output:
	// <nil> <nil>
	// true
	// <nil>
}

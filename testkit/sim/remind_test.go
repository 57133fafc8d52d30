package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// A client sends a transaction, once, to a node that is no validator and that nobody hears. When it is heard again the transaction becomes final.
//
// Spec: WP "Network Layer" (transactions flood to all peers).
func TestTransactionToldAgain(t *testing.T) {
	p := calm(4)
	p.Observers, p.Clients, p.Chaos, p.Interval = 1, 1, 0, 100*time.Millisecond
	s := tell(t, p)
	s.reach(3)
	observer := s.machines[4]
	for i := range 4 {
		s.severed[[2]int{4, i}] = 1 // it hears the others
	}
	key := s.machines[0].keys.Account // of the registry's accounts; clients send from their own
	x := &tx.Tx{
		ChainID: chainID, Nonce: s.nonce(key.Address()), Instruction: &tx.Transfer{To: account.Address{0xcc}, Amount: 7}, CyclesLimit: 100_000,
		CellsLimit: 1_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: key.Address(),
	}
	x.Signature = key.Sign(x.SigningHash())
	observer.life.node.Lanes.Admit(lanes.Submit{Raw: [][]byte{x.Encode()}, Reply: func(r []lanes.Result) {
		if r[0].Err != nil {
			t.Error(r[0].Err)
		}
	}})
	s.reach(s.chain.Height() + 10)
	if n := s.nonce(key.Address()); n != x.Nonce {
		t.Fatalf("nonce %d: the transaction was heard", n)
	}
	clear(s.severed)
	s.until("the transaction is final", func() bool { return s.nonce(key.Address()) > x.Nonce })
}

// nonce is an account's in the newest final state.
func (s *story) nonce(a account.Address) uint64 {
	data, ok, err := s.chain.State().Lookup(a.Key())
	if err != nil || !ok {
		s.t.Fatal(ok, err)
	}
	record, err := account.Decode(data)
	if err != nil {
		s.t.Fatal(err)
	}
	return record.Nonce
}

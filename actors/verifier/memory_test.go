package verifier

import (
	"sync/atomic"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// counting counts recoveries.
type counting struct{ n atomic.Int64 }

func (c *counting) Recover(hash digest.Hash, s sig.Signature) (account.Address, error) {
	c.n.Add(1)
	return sig.Default().Recover(hash, s)
}

// The second look at a transaction costs no recovery and says the same; another signature over it does, and little is remembered.
//
// Spec: WP §2.2 (c).
func TestMemory(t *testing.T) {
	count := &counting{}
	m := NewMemory(count)
	txs := transfers(20)
	for range 3 {
		s := started(1, m, 3)
		for i, r := range s.verify(txs) {
			if (i%5 == 3) != (r.Err != nil) {
				t.Fatalf("transaction %d: %v", i, r.Err)
			}
		}
	}
	if got := count.n.Load(); got > 20+2*4 { // four are bad, and may or may not be somebody else's
		t.Errorf("%d recoveries of 20 transactions", got)
	}
	key := genesis.DevFaucet()
	if signer, err := m.Recover(txs[0].SigningHash(), key.Sign(txs[1].SigningHash())); err == nil && signer == key.Address() {
		t.Error("another signature over the same transaction is the sender's")
	}
}

// anybody finds that everybody signed.
type anybody struct{}

func (anybody) Recover(digest.Hash, sig.Signature) (account.Address, error) {
	return account.Address{1}, nil
}

// However many are recovered, two halves are remembered.
func TestMemoryIsBounded(t *testing.T) {
	m := NewMemory(anybody{})
	for i := range 5*memoryKept/2 + 1 {
		if _, err := m.Recover(digest.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, sig.Signature{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.old) != memoryKept || len(m.young) != memoryKept/2+1 {
		t.Errorf("%d and %d are remembered", len(m.old), len(m.young))
	}
}

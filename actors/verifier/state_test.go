package verifier

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

func transfers(n int) []*tx.Tx {
	key := genesis.DevFaucet()
	list := make([]*tx.Tx, n)
	for i := range list {
		t := &tx.Tx{
			ChainID: 1, Nonce: uint64(i), Instruction: &tx.Transfer{To: account.Address{1}, Amount: 5},
			CyclesLimit: 30_000, CellsLimit: 1_000, MaxFeePerCycle: 10_000, MaxFeePerCell: 10_000, From: key.Address(),
		}
		t.Signature = key.Sign(t.SigningHash())
		if i%5 == 3 {
			t.Signature[7] ^= 1
		}
		list[i] = t
	}
	return list
}

// started is a subsystem as it verifies.
func started(chainID uint64, r sig.Recoverer, cores int) *Subsystem {
	s := &Subsystem{ChainID: chainID, Recoverer: r, Cores: cores}
	s.start()
	return s
}

// Every transaction is in one piece, in its order; no piece is empty unless there is nothing.
func TestPieces(t *testing.T) {
	for _, x := range []struct {
		n, cores int
		want     []int
	}{{0, 4, []int{0, 0}}, {5, 1, []int{0, 5}}, {5, 2, []int{0, 2, 5}}, {2, 8, []int{0, 1, 2}}, {3, 0, []int{0, 3}}} {
		t.Run(fmt.Sprintf("%d on %d cores", x.n, x.cores), func(t *testing.T) {
			if got := pieces(x.n, x.cores); !slices.Equal(got, x.want) {
				t.Errorf("%v, want %v", got, x.want)
			}
		})
	}
}

// The number of cores changes nothing. Spec: WP §2.2 (c).
func TestCoresDoNotMatter(t *testing.T) {
	txs := transfers(37)
	for _, cores := range []int{1, 2, 3, 64} {
		s := started(1, nil, cores)
		for i, r := range s.verify(txs) {
			if bad := i%5 == 3; bad != errors.Is(r.Err, tx.ErrSignature) || !bad && r.Verified.Tx() != txs[i] {
				t.Fatalf("%d cores, transaction %d: %v", cores, i, r.Err)
			}
		}
	}
	if got := started(1, nil, 4).verify(nil); len(got) != 0 {
		t.Errorf("an empty batch gave %v", got)
	}
}

type broken struct{}

func (broken) Recover(digest.Hash, sig.Signature) (account.Address, error) { panic("broken") }

func TestPanicReachesTheSupervisor(t *testing.T) {
	defer func() {
		if recover() != "broken" {
			t.Error("the panic of a piece was lost")
		}
	}()
	s := started(1, broken{}, 2)
	s.verify(transfers(4))
}

func BenchmarkVerify(b *testing.B) {
	txs := transfers(1000)
	for _, cores := range []int{1, 2} {
		b.Run(map[int]string{1: "cores=1", 2: "cores=2"}[cores], func(b *testing.B) {
			s := started(1, nil, cores)
			for range b.N {
				s.verify(txs)
			}
			b.ReportMetric(float64(b.N*len(txs))/b.Elapsed().Seconds(), "tx/s")
		})
	}
}

package lanes

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// waiting admits a transfer.
func (p *pool) waiting(name string, nonce uint64) tx.Verified {
	p.t.Helper()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: &tx.Transfer{To: account.Address{9}, Amount: 1}, CyclesLimit: 21_000, MaxFeePerCycle: 10_000,
		MaxFeePerCell: 10_000, From: person(name),
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		p.t.Fatal(err)
	}
	it, _, err := p.book.admit(v, true, p.view())
	if err != nil {
		p.t.Fatal(err)
	}
	p.lanes[it.lane()].add(it)
	return v
}

// What was dropped for a reason is refused with it for an hour of blocks, before and after its signature is looked at, and its sender's later ones leave
// with it; what was dropped without a reason may come again at once.
func TestDroppedIsRefused(t *testing.T) {
	p := newPool(t)
	p.height = 100
	slow, later, plain := p.waiting("ann", 0), p.waiting("ann", 1), p.waiting("bob", 0)
	r := &Router{Handle: NewHandle(), book: p.book, view: p.view()}
	r.handle(drop{[]digest.Hash{slow.Hash()}, ErrSlow})
	r.handle(drop{[]digest.Hash{plain.Hash()}, nil})
	if len(p.book.items) != 0 {
		t.Fatalf("%d wait", len(p.book.items))
	}
	submit := func(v tx.Verified) (err error) {
		r.handle(Submit{Raw: [][]byte{v.Tx().Encode()}, Reply: func(x []Result) { err = x[0].Err }})
		return err
	}
	for i, c := range []struct {
		height unit.Height
		want   error
	}{{100, ErrSlow}, {100 + refusedFor - 1, ErrSlow}, {100 + refusedFor, nil}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p.height = c.height
			r.view = p.view()
			if c.want != nil {
				if err := submit(slow); err != c.want {
					t.Errorf("height %d: %v", c.height, err)
				}
			}
			if _, _, err := p.book.admit(slow, true, p.view()); err != c.want {
				t.Errorf("height %d: admitted with %v, want %v", c.height, err, c.want)
			}
		})
	}
	if _, _, err := p.book.admit(later, true, p.view()); err != nil {
		t.Errorf("its sender's next: %v", err)
	}
	if _, _, err := p.book.admit(plain, true, p.view()); err != nil {
		t.Errorf("dropped without a reason: %v", err)
	}
}

// So many dropped transactions are remembered and no more, the newest.
func TestRefusalsAreBounded(t *testing.T) {
	p := newPool(t)
	hash := func(i int) digest.Hash { return digest.Hash{byte(i), byte(i >> 8), byte(i >> 16)} }
	for i := range refusedMost + 1 {
		p.book.refuse([]digest.Hash{hash(i)}, ErrSlow, 1)
	}
	if err := p.book.refused(hash(0), 1); err != nil {
		t.Errorf("the oldest: %v", err)
	}
	for _, i := range []int{1, refusedMost} {
		if err := p.book.refused(hash(i), 1); err != ErrSlow {
			t.Errorf("number %d: %v", i, err)
		}
	}
}

// An offer holds what is wanted, and of a sender nothing behind what is not.
func TestOfferOfWhatIsWanted(t *testing.T) {
	p := newPool(t)
	var unwanted tx.Verified
	for _, name := range []string{"ann", "bob"} {
		for nonce := range uint64(3) {
			if v := p.waiting(name, nonce); name == "ann" && nonce == 1 {
				unwanted = v
			}
		}
	}
	var labels []string
	for _, q := range p.lanes {
		txs, err := q.offer(want{cycles: 1 << 40, txs: 100, bytes: 1 << 20, take: func(v tx.Verified) (bool, error) {
			return v.Hash() != unwanted.Hash(), nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range txs {
			labels = append(labels, label(v))
		}
	}
	want := []string{"ann/0", "bob/0", "bob/1", "bob/2"}
	if !slices.Equal(labels, want) {
		t.Errorf("offered %v, want %v", labels, want)
	}
}

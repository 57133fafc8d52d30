package index

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// minting is a chain of blocks that do nothing but change tokens, with its newest state; from is the lowest height it holds.
type minting struct {
	blocks [][]*block.Receipt
	memory *state.Memory
	commit *state.Commit
	from   unit.Height
}

func (m *minting) Header(h unit.Height) (*block.Header, error) { return &block.Header{Height: h}, nil }
func (m *minting) First() unit.Height                          { return m.from }
func (m *minting) Finalized() unit.Height                      { return unit.Height(len(m.blocks) - 1) }
func (m *minting) Tip() *ledger.Tip                            { return &ledger.Tip{State: m.commit} }
func (m *minting) Flows(unit.Height) (*flow.Sheet, error)      { return nil, ledger.ErrAbsent }
func (m *minting) Receipts(h unit.Height) ([]*block.Receipt, error) {
	if h < m.from {
		return nil, ledger.ErrAbsent
	}
	return m.blocks[h], nil
}

// block runs changes of tokens, each a receipt of its own.
func (m *minting) block(t *testing.T, changes ...func(g *token.Registry) error) {
	t.Helper()
	o := m.commit.Overlay()
	height := unit.Height(len(m.blocks))
	var receipts []*block.Receipt
	for i, change := range changes {
		x := &block.Receipt{Kind: block.Transaction, ID: digest.Hash{1, byte(height), byte(i)}}
		g := &token.Registry{State: o, Height: height, Emit: func(topic string, data []byte) {
			x.Events = append(x.Events, block.Event{Actor: token.Home(), Topic: []byte(topic), Data: data})
		}}
		if err := change(g); err != nil {
			t.Fatal(err)
		}
		receipts = append(receipts, x)
	}
	commit, err := o.Commit(height)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.memory.Add(commit.Delta()); err != nil {
		t.Fatal(err)
	}
	m.commit, m.blocks = commit, append(m.blocks, receipts)
}

func startMinting(t *testing.T) *minting {
	m := &minting{memory: state.NewMemory(state.Config{})}
	m.commit = state.New(state.Config{}, m.memory)
	if err := m.memory.Add(m.commit.Delta()); err != nil {
		t.Fatal(err)
	}
	return m
}

var gold = token.IDOf(alice, []byte("G"), 0)

// populate creates a token and moves it at random for so many blocks. It gives who has what, and every move, by a map and a list of its own.
func (m *minting) populate(t *testing.T, blocks int) (balances map[account.Address]uint64, moved []string) {
	random := rand.New(rand.NewPCG(5, 5))
	balances = map[account.Address]uint64{alice: 1_000}
	m.block(t)
	m.block(t, func(g *token.Registry) error {
		_, err := g.Create(alice, 0, token.Terms{Name: []byte("gold"), Symbol: []byte("G"), Supply: unit.Wide(1_000)})
		return err
	}, func(g *token.Registry) error { // another token, which is nobody's concern here
		id, err := g.Create(bob, 0, token.Terms{Name: []byte("tin"), Symbol: []byte("T"), Supply: unit.Wide(9)})
		if err != nil {
			return err
		}
		return g.Transfer(bob, id, alice, unit.Wide(4))
	})
	moved = []string{fmt.Sprintf("create - %v 1000 at 1.0.0", alice)}
	for h := 2; h < blocks; h++ {
		who := func() account.Address { return account.Address{byte(1 + random.IntN(12))} }
		from, to, amount := who(), who(), uint64(random.IntN(60))
		if amount > balances[from] || random.IntN(9) == 0 {
			amount = balances[from]
		}
		m.block(t, func(g *token.Registry) error {
			switch {
			case h%7 == 0:
				if err := g.Mint(alice, gold, to, unit.Wide(50)); err != nil {
					return err
				}
				balances[to] += 50
				moved = append(moved, fmt.Sprintf("mint - %v 50 at %d.0.0", to, h))
				return nil
			case h%11 == 0:
				balances[from] -= amount
				moved = append(moved, fmt.Sprintf("burn %v - %d at %d.0.0", from, amount, h))
				return g.Burn(from, gold, unit.Wide(amount))
			}
			balances[from] -= amount
			balances[to] += amount
			moved = append(moved, fmt.Sprintf("transfer %v %v %d at %d.0.1", from, to, amount, h)) // event 0 is the approval
			if err := g.Approve(from, gold, to, unit.Wide(1)); err != nil {
				return err
			}
			return g.Transfer(from, gold, to, unit.Wide(amount))
		})
	}
	slices.Reverse(moved)
	return balances, moved
}

// ranking is the holders by a map, who has most first, then by address.
func ranking(balances map[account.Address]uint64) (list []Rank) {
	for who, n := range balances {
		if n > 0 {
			list = append(list, Rank{who, unit.Wide(n)})
		}
	}
	slices.SortFunc(list, func(a, b Rank) int { return cmp.Or(b.Amount.Cmp(a.Amount), bytes.Compare(a.Owner[:], b.Owner[:])) })
	return list
}

// settle lets a subsystem do all it has to.
func settle(s *Subsystem) {
	for range len(s.Source.(*minting).blocks)/batch + 20 {
		s.catchUp()
	}
}

// Holders and moves are what a map and a list of the same operations have, in pages of any length; and also of a file that is made anew.
//
// Spec: tokens §2, §7.
func TestHoldersAndMoves(t *testing.T) {
	m := startMinting(t)
	balances, moved := m.populate(t, 400)
	want := ranking(balances)
	if len(want) < 8 {
		t.Fatalf("only %d holders", len(want))
	}
	s := &Subsystem{Path: filepath.Join(t.TempDir(), "index.db"), Source: m, Handle: NewHandle()}
	for _, again := range []string{"first", "opened again", "made anew"} {
		t.Run(again, func(t *testing.T) {
			s.open()
			settle(s)
			for _, limit := range []int{1, 3, 1_000} {
				holders, total := everyHolder(t, s.Handle, limit)
				if !reflect.DeepEqual(holders, want) || total != uint64(len(want)) {
					t.Errorf("pages of %d: %v of %d, want %v", limit, holders, total, want)
				}
				if got := everyMove(t, s.Handle, limit, len(moved)); !slices.Equal(got, moved) {
					t.Errorf("pages of %d: %d moves, want %d", limit, len(got), len(moved))
				}
			}
			if list, total, err := s.Handle.Holders(token.ID{9}, nil, 5); err != nil || list != nil || total != 0 {
				t.Errorf("of no token: %v, %d, %v", list, total, err)
			}
			if again == "opened again" {
				s.replace(s.file, nil)
				settle(s)
			}
			s.close()
			if err := Check(s.Path); err != nil {
				t.Error(err)
			}
		})
	}
}

func everyHolder(t *testing.T, h *Handle, limit int) (list []Rank, total uint64) {
	t.Helper()
	var after *Rank
	for {
		page, n, err := h.Holders(gold, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		if list, total = append(list, page...), n; len(page) < limit {
			return list, total
		}
		after = &page[len(page)-1]
	}
}

func everyMove(t *testing.T, h *Handle, limit, count int) (list []string) {
	t.Helper()
	shown := func(a account.Address) string {
		if a.IsZero() {
			return "-"
		}
		return a.String()
	}
	var before MovePlace
	for {
		page, total, err := h.Moves(gold, before, limit)
		if err != nil || total != uint64(count) {
			t.Fatal(total, err)
		}
		for i := range page {
			x := &page[i]
			list = append(list, fmt.Sprintf("%v %s %s %v at %d.%d.%d", x.Kind, shown(x.From), shown(x.To), x.Amount, x.Height, x.Index, x.Event))
			if x.Receipt != (digest.Hash{1, byte(x.Height), byte(x.Index)}) || x.Token != gold {
				t.Errorf("%v is in %v", list[len(list)-1], x.Receipt)
			}
		}
		if len(page) < limit {
			return list
		}
		before = page[len(page)-1].MovePlace
	}
}

// A node that holds the last blocks only knows all holders: it reads the balances of its state, a step at a time; and it forgets moves it has no block of.
//
// Spec: tokens §2.
func TestHoldersBehindASnapshot(t *testing.T) {
	m := startMinting(t)
	balances, moved := m.populate(t, 300)
	crowd := func(g *token.Registry) error {
		for i := range 2 * seedStep {
			to := account.Address{200, byte(i), byte(i >> 8)}
			if err := g.Mint(alice, gold, to, unit.Wide(uint64(i+1))); err != nil {
				return err
			}
			balances[to] = uint64(i + 1)
		}
		return nil
	}
	m.block(t, crowd)
	m.from = 250
	s := &Subsystem{Path: filepath.Join(t.TempDir(), "index.db"), Source: m, Handle: NewHandle()}
	m.blocks[300] = nil // as if below what it holds: only the state tells of the crowd
	s.open()
	settle(s)
	want := ranking(balances)
	holders, total := everyHolder(t, s.Handle, 999)
	if !reflect.DeepEqual(holders, want) || total != uint64(len(want)) {
		t.Errorf("%d holders of %d, want %d", len(holders), total, len(want))
	}
	got := everyMove(t, s.Handle, 7, 50)
	if !slices.Equal(got, moved[:50]) {
		t.Errorf("moves %v, want %v", got, moved[:50])
	}
	m.from = 250 + trimEvery // nothing below is held any more
	for range 4 {
		if err := s.trim.step(s.file, m.from); err != nil {
			t.Fatal(err)
		}
	}
	if list, total, err := s.Handle.Moves(gold, MovePlace{}, 5); err != nil || len(list) != 0 || total != 0 {
		t.Errorf("moves of dropped blocks: %v, %d, %v", list, total, err)
	}
	s.close()
}

package rent

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

var most = flag.Int("actors", 1_000_000, "most actors of BenchmarkSweep")

// many is a state with so many actors, of which each tenth pays rent.
func many(b *testing.B, n int) *state.Commit {
	memory := state.NewMemory(state.Config{})
	commit := state.New(state.Config{}, memory)
	if err := memory.Add(commit.Delta()); err != nil {
		b.Fatal(err)
	}
	for at := 0; at < n; {
		o := commit.Overlay()
		for range min(n-at, 100_000) {
			var addr account.Address
			binary.BigEndian.PutUint64(addr[1:], uint64(at)*0x9e3779b97f4a7c15)
			addr[0] = 1
			size := uint64(9_000)
			if at%10 == 0 {
				size = 11_000
			}
			account.Save(o, addr, &account.Account{Kind: account.Actor, StorageBytes: size, Balance: 1 << 40})
			Enlist(o, addr)
			at++
		}
		next, err := o.Commit(1)
		if err != nil {
			b.Fatal(err)
		}
		if err := memory.Add(next.Delta()); err != nil {
			b.Fatal(err)
		}
		commit = next.Settled(memory)
	}
	return commit
}

// BenchmarkSweep is the sweep of one block, 256 actors from the midst of the list, among so many. Spec: rent §6 (some K a block).
func BenchmarkSweep(b *testing.B) {
	const perBlock = 256
	for n := 1_000; n <= *most; n *= 10 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			commit := many(b, n)
			p := params.Genesis()
			clock := &Clock{Epoch: 1, Began: 1, Terms: []Terms{TermsOf(p)}}
			book := &Book{Clock: clock, Params: p, Height: 1}
			at := uint64(0)
			for b.Loop() {
				o := commit.Overlay()
				at += 0x9e3779b97f4a7c15 // anywhere in the list
				cursor := account.Address{1}
				binary.BigEndian.PutUint64(cursor[1:], at>>1)
				var list []account.Address
				if err := Listed(o, cursor, perBlock, func(a account.Address) bool { list = append(list, a); return true }); err != nil {
					b.Fatal(err)
				}
				for _, addr := range list {
					a, err := account.Load(o, addr)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := book.Settle(o, addr, &a); err != nil {
						b.Fatal(err)
					}
				}
				if len(list) < perBlock/4 && n > perBlock*4 {
					b.Logf("%d actors", len(list))
				}
			}
		})
	}
}

// BenchmarkRestore gives eight MiB back, in pieces of 96 KiB that are each proven: what the blocks of a restoration execute, and what whoever sends them
// makes. Spec: rent §9.
func BenchmarkRestore(b *testing.B) {
	const value, pieceBytes = 4 << 10, 96 << 10
	var list []Entry
	for i := range 8 << 20 / value {
		list = append(list, Entry{fmt.Appendf(nil, "key%06d", i), bytes.Repeat([]byte{byte(i)}, value-9)})
	}
	addr := account.Address{1}
	for b.Loop() {
		var size uint64
		for i := range list {
			size += uint64(len(list[i].Key) + len(list[i].Value))
		}
		o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
		p := params.Genesis()
		book := &Book{Clock: &Clock{Epoch: 12, Swept: 12}, Params: p, Height: 100}
		book.Clock.Start(p, 1)
		account.Save(o, addr, &account.Account{Kind: account.Actor, Dormant: true, RentMissed: 11, RentEpoch: 12})
		account.Save(o, account.Address{0xaa}, &account.Account{Balance: 1 << 60})
		(&Record{Debt: 7, Dormant: &Dormancy{Epoch: 1, Height: 1, Pruned: true, Root: Root(list), Entries: uint64(len(list)), Bytes: size}}).save(o, addr)
		per := pieceBytes / value
		for from := 0; from < len(list); from += per {
			to := min(from+per, len(list))
			proof, err := Prove(list, from, to)
			if err != nil {
				b.Fatal(err)
			}
			part := Piece{
				Payer: account.Address{0xaa}, Actor: addr, From: uint64(from), Quota: 8 << 20,
				Data: AppendEntries(nil, list[from:to]), Proof: proof.Append(nil),
			}
			if _, err := book.Restore(o, part); err != nil {
				b.Fatal(err)
			}
		}
		if a, err := account.Load(o, addr); err != nil || a.Dormant {
			b.Fatal("still dormant", err)
		}
	}
}

package relay

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// BenchmarkProof answers a challenge out of the store as a relay does, of volumes from 4 MiB to 4 TiB with 4 + 2, and verifies the answer as the chain does.
//
// Spec: storage-cbfs §6.
func BenchmarkProof(b *testing.B) {
	check := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	s, err := store.Open(b.TempDir(), 1<<40)
	check(err)
	defer s.Close()
	chunk := make([]byte, cbfs.ChunkBytes)
	root := cbfs.ChunkRoot(chunk)
	_, err = s.Keep(root, chunk)
	check(err)
	for _, stripes := range []uint64{1, 1_000, 100_000, 1_000_000} {
		name := store.Name{Volume: digest.Hash{byte(stripes)}}
		for from := uint64(0); from < stripes; from += 100_000 {
			c := &protocol.Change{K: 4, M: 2, Count: min(stripes, from+100_000)}
			for number := from; number < c.Count; number++ {
				one := protocol.Numbered{Number: number, Stripe: protocol.Stripe{Size: cbfs.ChunkBytes, Roots: make([]digest.Hash, 6)}}
				for slot := range one.Roots {
					binary.BigEndian.PutUint64(one.Roots[slot][:], number*6+uint64(slot)+1)
				}
				if number == stripes/2 {
					one.Roots[3] = root
				}
				c.List = append(c.List, one)
			}
			draft, err := s.Draft(name, nil)
			check(err)
			check(draft.Apply(c))
			name, err = draft.Keep()
			check(err)
			draft.Close()
		}
		table, err := s.Table(name)
		check(err)
		b.Run(fmt.Sprint("stripes=", stripes), func(b *testing.B) {
			proving, verifying, size := time.Duration(0), time.Duration(0), 0
			for draw := uint64(0); b.Loop(); draw++ {
				ask := cbfs.Ask{Root: name.Root, Slot: 3, Ordinal: stripes / 2, Draw: draw}
				began := time.Now()
				data, err := s.Get(root)
				check(err)
				p, err := proof(table, data, ask)
				check(err)
				proving += time.Since(began)
				began = time.Now()
				check(p.Verify(ask))
				verifying += time.Since(began)
				size = len(p.Append(nil))
			}
			b.ReportMetric(float64(proving.Microseconds())/float64(b.N), "prove-µs")
			b.ReportMetric(float64(verifying.Nanoseconds())/1e3/float64(b.N), "verify-µs")
			b.ReportMetric(float64(size), "proof-bytes")
		})
	}
}

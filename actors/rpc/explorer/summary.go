package explorer

import (
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// charted is how many blocks the charts of the overview show.
const charted = 90

// keptSummaries bounds the summaries in memory.
const keptSummaries = 1_024

// summary is what lists and charts need of a final block.
type summary struct {
	Height, TimestampMs        uint64
	Hash, Proposer             string
	Txs, Executions            int
	Cycles, Cells, Cycle, Cell uint64 // used, and basefees
	Epoch, View                uint64
}

func summarize(b wire.Block) summary {
	return summary{
		Height: b.Height, TimestampMs: b.TimestampMs, Hash: b.Hash, Proposer: b.Proposer,
		Txs: len(b.Transactions), Executions: len(b.Executions), Cycles: b.CyclesUsed, Cells: b.CellsUsed,
		Cycle: b.CycleBasefee, Cell: b.CellBasefee, Epoch: b.Epoch, View: b.View,
	}
}

// summaries keeps the summaries of recent blocks; a final block never changes.
type summaries struct {
	source Source

	mu   sync.Mutex
	kept map[uint64]summary
}

func (s *summaries) at(height uint64) (summary, error) {
	s.mu.Lock()
	found, ok := s.kept[height]
	s.mu.Unlock()
	if ok {
		return found, nil
	}
	b, err := s.source.BlockAt(height)
	if err != nil {
		return summary{}, err
	}
	found = summarize(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= keptSummaries {
		clear(s.kept)
	}
	s.kept[height] = found
	return found, nil
}

// newest gives up to count blocks from top down.
func (s *summaries) newest(top uint64, count int) ([]summary, error) {
	list := make([]summary, 0, count)
	for i := range uint64(count) {
		if i > top {
			break
		}
		one, err := s.at(top - i)
		if absent(err) && i > 0 {
			break // older blocks are not held any more, or never were
		}
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

package mailbox

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// agedSize is the length of an aging record: height, target, identity.
const agedSize = 8 + account.AddressSize + 32

func remember(s state.Store, seen []byte, m Message, now unit.Height) {
	s.Set(seen, []byte{})
	out := codec.AppendU64(make([]byte, 0, agedSize), uint64(now))
	out = append(out, m.Target[:]...)
	s.Set(sequenceKey(account.KindDedup, account.Address{}, m.Seq), append(out, m.ID[:]...))
}

// Prune forgets identities recorded more than DedupBlocks after their block was final, oldest first and at most limit of them,
// and returns how many. Whatever limit leaves is forgotten by later blocks; an identity is never forgotten early.
//
// Spec: WP §3.3 (dedup entries retained for at least dedup_window after finality), §13.
func Prune(s state.Store, l Limits, now unit.Height, limit int) (int, error) {
	age := l.DedupBlocks + l.FinalityBlocks
	if uint64(now) <= age {
		return 0, nil
	}
	oldest := uint64(now) - age // entries of blocks before this one have aged
	counters, err := LoadCounters(s)
	if err != nil || counters.Aged == counters.Sent {
		return 0, err
	}
	pruned := 0
	for counters.Aged < counters.Sent && pruned < limit {
		key := sequenceKey(account.KindDedup, account.Address{}, counters.Aged)
		data, ok, err := s.Lookup(key)
		if err != nil {
			return pruned, err
		}
		if ok {
			r := codec.NewReader(data)
			height, target, id := r.U64(), r.Fixed(account.AddressSize), r.Fixed(32)
			if err := r.Finish(); err != nil {
				return pruned, err
			}
			if height >= oldest {
				break
			}
			s.Delete(account.Key(account.KindDedup, account.Address(target), id...))
			s.Delete(key)
			pruned++
		}
		counters.Aged++
	}
	counters.save(s)
	return pruned, nil
}

// Seen reports whether target remembers the identity.
func Seen(s state.Reader, target account.Address, id [32]byte) (bool, error) {
	_, ok, err := s.Lookup(account.Key(account.KindDedup, target, id[:]...))
	return ok, err
}

package lanes

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// submission is one Submit on its way through the verifier.
type submission struct {
	from    *link.Peer // who told; nil for a client
	raw     [][]byte
	reply   func([]Result)
	results []Result
	txs     []*tx.Tx
	at      []int // where each of txs stands in results
}

// decode reads the transactions of a submission that nobody has read yet, and rejects what needs no signature check.
//
// Spec: WP §2.5; node-rpc-cli §3 (admission order).
func decode(s Submit, refused func(digest.Hash) error) *submission {
	sub := &submission{from: s.from, raw: s.Raw, reply: s.Reply, results: make([]Result, len(s.Raw))}
	for i, raw := range s.Raw {
		var t *tx.Tx
		if i < len(s.Decoded) {
			t = s.Decoded[i]
		}
		if t == nil {
			var err error
			if t, err = tx.Decode(raw); err != nil {
				sub.results[i].Err = err
				continue
			}
		}
		hash := t.SigningHash()
		sub.results[i].Hash = hash
		if err := refused(hash); err != nil {
			sub.results[i].Err = err
			continue
		}
		sub.txs = append(sub.txs, t)
		sub.at = append(sub.at, i)
	}
	return sub
}

// readView reads what admission needs of a state.
func readView(c *state.Commit, height unit.Height) (view, error) {
	reader := c.Overlay()
	p, err := params.Load(reader)
	if err != nil {
		return view{}, err
	}
	fees, err := fee.LoadBasefees(reader)
	if err != nil {
		return view{}, err
	}
	version, err := protocol.All().At(p, height+1)
	if err != nil {
		return view{}, err
	}
	return view{params: p, rows: version.Rows, fees: fees, height: height, account: accounts(c), state: reader}, nil
}

// accounts reads account records; an absent one is empty.
func accounts(r state.Reader) func(account.Address) (account.Account, error) {
	return func(addr account.Address) (account.Account, error) {
		return account.Load(r, addr)
	}
}

// change is what the lanes have to be told.
type change struct {
	add    [params.LaneCount][]*item
	remove [params.LaneCount][]*item
}

func (c *change) removed(items []*item) {
	for _, it := range items {
		c.remove[it.lane()] = append(c.remove[it.lane()], it)
	}
}

// admit decides about the verified transactions of a submission, in order, and fills in its results.
func (b *book) admitAll(sub *submission, results []verifierResult, w view) (c change) {
	for i, r := range results {
		out := &sub.results[sub.at[i]]
		if r.Err != nil {
			out.Err = r.Err
			continue
		}
		it, removed, err := b.admit(r.Verified, sub.from == nil, w)
		if err != nil {
			out.Err = err
			continue
		}
		c.removed(removed)
		c.add[it.lane()] = append(c.add[it.lane()], it)
	}
	return c
}

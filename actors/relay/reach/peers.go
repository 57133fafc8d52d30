package reach

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// knownPeers is how many relays are remembered; whoever was not heard of for longest makes room.
const knownPeers = 1_024

// Peers are the relays that a relay spoke with, as the chain told of them then. The zero value is ready, and so is nil, which remembers none; it is safe for
// many goroutines.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
type Peers struct {
	mu   sync.Mutex
	list []protocol.Peer // by owner
}

func byOwner(p protocol.Peer, owner account.Address) int { return bytes.Compare(p.Owner[:], owner[:]) }

// Seen notes that a relay was heard of.
func (p *Peers) Seen(r *Relay, at time.Time) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	one := protocol.Peer{Owner: r.Owner, Node: r.Node, Endpoint: r.Endpoint, SeenMs: uint64(at.UnixMilli())}
	i, there := slices.BinarySearchFunc(p.list, r.Owner, byOwner)
	if there {
		p.list[i] = one
		return
	}
	p.list = slices.Insert(p.list, i, one)
	if len(p.list) > knownPeers {
		last := slices.MinFunc(p.list, func(a, b protocol.Peer) int { return cmp.Compare(a.SeenMs, b.SeenMs) })
		i, _ = slices.BinarySearchFunc(p.list, last.Owner, byOwner)
		p.list = slices.Delete(p.list, i, i+1)
	}
}

// After gives at most so many relays whose owners come after one, and how many there are in all.
func (p *Peers) After(owner account.Address, most int) (list []protocol.Peer, total int) {
	if p == nil {
		return nil, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i, there := slices.BinarySearchFunc(p.list, owner, byOwner)
	if there {
		i++
	}
	return slices.Clone(p.list[i:min(i+most, len(p.list))]), len(p.list)
}

// peerPages is how many answers a list of peers is read from at most.
const peerPages = 16

// Known asks a relay for the relays that it knows. Errors: ErrNode for what is no list of them by ascending owners, those of the relay.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
func (p *Pool) Known(ctx context.Context, r *Relay) (list []protocol.Peer, err error) {
	q := &protocol.Request{Op: protocol.SyncPeers}
	for range peerPages {
		a, err := p.Ask(ctx, r, q)
		if err != nil {
			return nil, err
		}
		page, err := protocol.DecodePeers(a.Data)
		if err != nil {
			return nil, errors.Join(ErrNode, err)
		}
		if len(page) == 0 {
			break
		}
		list = append(list, page...)
		q.Hashes = []digest.Hash{{}}
		copy(q.Hashes[0][digest.Size-account.AddressSize:], page[len(page)-1].Owner[:])
	}
	if !slices.IsSortedFunc(list, func(a, b protocol.Peer) int { return cmp.Or(byOwner(a, b.Owner), -1) }) {
		return nil, ErrNode
	}
	return list, nil
}

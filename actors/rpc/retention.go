package rpc

import (
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// retentions adds the calls about retention contracts.
//
// Spec: storage-cbfs §7.
func (s *server) retentions(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /retentions", func(w http.ResponseWriter, r *http.Request) {
		list, err := afterCursor(r, digest.ParseHash, b.Retentions)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /retention/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Retention(h) }))
}

// retentionCalls describes them.
func retentionCalls() []Call {
	pages := []string{"cursor:string:those after this one", "limit:integer:how many, at most 1000"}
	return []Call{
		{"get", "/retentions", "retention contracts, in the order of their identities", pages, "", wire.Retentions{}},
		{"get", "/retention/{hash}", "a retention contract, with its providers and what is asked of them", nil, "", wire.Retention{}},
	}
}

var errNoRetention = refuse(http.StatusNotFound, 4004, "there is no retention contract of this identity")

// Retentions implements Backend.
func (n *Node) Retentions(after *digest.Hash, limit int) (wire.Retentions, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Retentions{}, err
	}
	reply := wire.Retentions{Epoch: retention.EpochOf(t.Header.Height), Contracts: []wire.Retention{}}
	var from digest.Hash
	if after != nil {
		from = *after
	}
	ids, list, err := retention.List(t.State.Overlay(), from, limit)
	for i, c := range list {
		reply.Contracts = append(reply.Contracts, wire.ViewRetention(ids[i], c, reply.Epoch))
	}
	if len(list) == limit {
		reply.NextCursor = wire.Hash(ids[limit-1])
	}
	return reply, err
}

// Retention implements Backend.
func (n *Node) Retention(id digest.Hash) (wire.Retention, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Retention{}, err
	}
	return showRetention(t.State.Overlay(), id, t.Header.Height)
}

// showRetention shows a contract with its providers and what the epoch asks of them.
func showRetention(view state.Reader, id digest.Hash, now unit.Height) (wire.Retention, error) {
	c, err := retention.Load(view, id)
	if errors.Is(err, retention.ErrNotFound) {
		err = errNoRetention
	}
	if err != nil {
		return wire.Retention{}, err
	}
	epoch := retention.EpochOf(now)
	reply := wire.ViewRetention(id, c, epoch)
	seed, err := retention.LoadSeed(view)
	if err != nil && !errors.Is(err, retention.ErrAudit) {
		return reply, err
	}
	for i, who := range c.Providers {
		one, err := retention.LoadCommitment(view, id, who)
		if err != nil {
			return reply, err
		}
		p := &reply.Providers[i]
		p.Endpoint, p.Stake, p.Accepted, p.Unpaid, p.Audit = one.Endpoint, uint64(one.Stake), one.Accepted, one.From, one.Audit
		p.Strikes, p.Proven = uint64(one.Strikes), one.Proven
		if seed == nil || one.Audit != epoch || seed.Epoch != epoch {
			continue
		}
		audit := retention.AuditID(seed.Random, id, who, epoch)
		p.AuditID = wire.Hash(audit)
		for _, at := range c.Asked(audit) {
			p.Asked = append(p.Asked, wire.RetentionPlace{Blob: at.Blob, Piece: at.Piece})
		}
	}
	return reply, nil
}

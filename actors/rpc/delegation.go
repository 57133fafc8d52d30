package rpc

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// delegations adds the calls about delegated stake and about models. None looks at more than a page of records.
//
// Spec: governance-staking C5 (queries); WP §5.1.
func (s *server) delegations(mux *http.ServeMux) {
	b := s.Backend
	paged := func(read func(a account.Address, cursor string, limit int) (wire.Delegations, error)) http.HandlerFunc {
		return s.byAddress(func(r *http.Request, a account.Address) (any, error) {
			limit, err := number(r, "limit", defaultPage)
			if err != nil {
				return nil, err
			}
			return read(a, r.URL.Query().Get("cursor"), int(min(max(limit, 1), maxPage)))
		})
	}
	mux.HandleFunc("GET /runners/{addr}/delegations", paged(b.RunnerDelegations))
	mux.HandleFunc("GET /accounts/{addr}/delegations", paged(b.AccountDelegations))
	mux.HandleFunc("GET /runners/{addr}/delegation_stats", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.DelegationStats(a) }))
	mux.HandleFunc("GET /delegations/unbonding", func(w http.ResponseWriter, r *http.Request) {
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := b.UnbondingDelegations(r.URL.Query().Get("cursor"), int(min(max(limit, 1), maxPage)))
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /models", func(w http.ResponseWriter, r *http.Request) {
		after, limit, err := hashPage(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := b.Models(after, limit)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /model/{hash}", s.byHash(func(id digest.Hash) (any, error) { return b.Model(id) }))
}

// hashPage reads which page is asked for: those after the cursor, a hash, nil for the first.
func hashPage(r *http.Request) (after *digest.Hash, limit int, err error) {
	if text := r.URL.Query().Get("cursor"); text != "" {
		raw, err := hex.DecodeString(trim0x(text))
		if err != nil || len(raw) != digest.Size {
			return nil, 0, badCursor()
		}
		id := digest.Hash(raw)
		after = &id
	}
	n, err := number(r, "limit", defaultPage)
	return after, int(min(max(n, 1), maxPage)), err
}

// delegationCalls describes them.
func delegationCalls() []Call {
	page := []string{"cursor:string:those after this one", "limit:integer:how many, 50 unless told, at most 1000"}
	return []Call{
		{"get", "/runners/{addr}/delegations", "stake delegated to a runner, by delegator", page, "", wire.Delegations{}},
		{"get", "/runners/{addr}/delegation_stats", "a runner's terms of delegation, and what stands behind it", nil, "", wire.DelegationStats{}},
		{"get", "/accounts/{addr}/delegations", "stake an account has delegated, the oldest first", page, "", wire.Delegations{}},
		{"get", "/delegations/unbonding", "delegated stake that unbonds, by the block it may be claimed in", page, "", wire.Delegations{}},
		{"get", "/models", "published models, by model_id", page, "", wire.Models{}},
		{"get", "/model/{hash}", "a model that is published, or marked by governance", nil, "", wire.Model{}},
	}
}

// RunnerDelegations implements Backend. A cursor is delegator.number of the last tranche of the page before.
//
// Spec: governance-staking C5 (queries).
func (n *Node) RunnerDelegations(addr account.Address, cursor string, limit int) (v wire.Delegations, err error) {
	var after *runner.Delegation
	if cursor != "" {
		from, number, _ := strings.Cut(cursor, ".")
		d := &runner.Delegation{}
		if d.Delegator, err = account.ReadAddress(from); err == nil {
			d.Number, err = strconv.ParseUint(number, 10, 64)
		}
		if err != nil {
			return v, badCursor()
		}
		after = d
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := runner.Delegations(t.State, addr, after, limit)
	if v = wire.ViewDelegations(list); len(list) == limit {
		last := list[limit-1]
		v.NextCursor = fmt.Sprintf("%v.%d", last.Delegator, last.Number)
	}
	return v, err
}

// AccountDelegations implements Backend. A cursor is the number of the last tranche of the page before.
//
// Spec: governance-staking C5 (queries).
func (n *Node) AccountDelegations(addr account.Address, cursor string, limit int) (v wire.Delegations, err error) {
	var after uint64
	if cursor != "" {
		if after, err = strconv.ParseUint(cursor, 10, 64); err != nil {
			return v, badCursor()
		}
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := runner.DelegationsOf(t.State, addr, after, limit)
	if v = wire.ViewDelegations(list); len(list) == limit {
		v.NextCursor = strconv.FormatUint(list[limit-1].Number, 10)
	}
	return v, err
}

// UnbondingDelegations implements Backend. A cursor is height.number of the last tranche of the page before.
//
// Spec: governance-staking C5 (queries).
func (n *Node) UnbondingDelegations(cursor string, limit int) (v wire.Delegations, err error) {
	var after *runner.Delegation
	if cursor != "" {
		height, number, _ := strings.Cut(cursor, ".")
		at, bad := strconv.ParseUint(height, 10, 64)
		id, err := strconv.ParseUint(number, 10, 64)
		if bad != nil || err != nil {
			return v, badCursor()
		}
		after = &runner.Delegation{Number: id, Tranche: &runner.Tranche{Claimable: unit.Height(at)}}
	}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := runner.Unbonding(t.State, after, limit)
	if v = wire.ViewDelegations(list); err == nil && len(list) == limit {
		last := list[limit-1]
		v.NextCursor = fmt.Sprintf("%d.%d", last.Claimable, last.Number)
	}
	return v, err
}

// DelegationStats implements Backend.
//
// Spec: governance-staking C5 (queries).
func (n *Node) DelegationStats(addr account.Address) (v wire.DelegationStats, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	r, ok, err := runner.Load(t.State, addr)
	if err != nil {
		return v, err
	}
	if !ok {
		return v, errNoRunner
	}
	p, err := params.Load(t.State)
	if err != nil {
		return v, err
	}
	c, err := runner.LoadDelegationConfig(t.State, addr)
	if err != nil {
		return v, err
	}
	totals, err := runner.LoadTotals(t.State, addr)
	if err != nil {
		return v, err
	}
	next := t.Header.Height + 1
	on, err := runner.Delegable(t.State, next)
	return wire.DelegationStats{
		Runner: addr.String(), Config: wire.ViewDelegationConfig(c, p.Calendar.Epoch(next)), SelfStake: uint64(r.Stake), TotalActive: uint64(r.Delegated),
		EffectiveStake: uint64(r.Effective()), DelegatorCount: totals.Delegators, ActiveTranches: totals.Tranches, DelegationsOpen: on,
	}, err
}

// Models implements Backend.
//
// Spec: WP §5.1.
func (n *Node) Models(after *digest.Hash, limit int) (v wire.Models, err error) {
	v.Models = []wire.Model{}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	marks, err := model.LoadMarks(t.State)
	if err != nil {
		return v, err
	}
	list, err := model.List(t.State, after, limit)
	for _, m := range list {
		v.Models = append(v.Models, wire.ViewModel(m.ID, m.Record, marks.Of(m.ID)))
	}
	if len(list) == limit {
		v.NextCursor = wire.Hash(list[limit-1].ID)
	}
	return v, err
}

// Model implements Backend. One that is marked is found though nobody has published it.
//
// Spec: WP §5.1.
func (n *Node) Model(id digest.Hash) (v wire.Model, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	marks, err := model.LoadMarks(t.State)
	if err != nil {
		return v, err
	}
	m, err := model.Load(t.State, id)
	if errors.Is(err, model.ErrUnknown) {
		m, err = nil, nil
		if marks.Of(id) == model.Unmarked {
			err = refuse(http.StatusNotFound, 4004, "no model is published under this model_id")
		}
	}
	return wire.ViewModel(id, m, marks.Of(id)), err
}

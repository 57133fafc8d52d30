package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// validators adds the calls about the registry.
func (s *server) validators(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /epoch", func(w http.ResponseWriter, _ *http.Request) {
		e, err := b.Epoch()
		s.answer(w, e, err)
	})
	mux.HandleFunc("GET /validators", func(w http.ResponseWriter, r *http.Request) {
		after, limit, err := cursorOf(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := b.Validators(after, limit)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /validators/turnout", func(w http.ResponseWriter, _ *http.Request) {
		list, err := b.Turnout()
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /validators/endpoints", func(w http.ResponseWriter, _ *http.Request) {
		v, err := b.Endpoints()
		s.answer(w, v, err)
	})
	mux.HandleFunc("GET /validators/{key}", func(w http.ResponseWriter, r *http.Request) {
		v, err := b.Validator(r.PathValue("key"))
		s.answer(w, v, err)
	})
}

func cursorOf(r *http.Request) (after account.Address, limit uint64, err error) {
	if text := r.URL.Query().Get("cursor"); text != "" {
		if after, err = account.ReadAddress(text); err != nil {
			return after, 0, badRequest("cursor is not one this node gave")
		}
	}
	limit, err = number(r, "limit", maxPage)
	return after, min(max(limit, 1), maxPage), err
}

// validatorCalls describes them.
func validatorCalls() []Call {
	return []Call{
		{"get", "/epoch", "the epoch of the next block, and the key ceremony under way in it", nil, "", wire.Epoch{}},
		{"get", "/validators", "the validators by address, and the epoch", []string{"cursor:string:those after this one", "limit:integer:how many"}, "",
			wire.Validators{}},
		{"get", "/validators/turnout", "votes missed in the finished epochs this node still knows", nil, "", wire.Turnouts{}},
		{"get", "/validators/endpoints", "the validators of the next block, and where those that take connections of runners do", nil, "", wire.Endpoints{}},
		{"get", "/validators/{key}", "a validator, by its account's address or its voting key", nil, "", wire.Validator{}},
	}
}

// Endpoints implements Backend. Spec: runner-marketplace §9.
func (n *Node) Endpoints() (wire.Endpoints, error) {
	r, err := n.registry()
	if err != nil {
		return wire.Endpoints{}, err
	}
	v := wire.Endpoints{Height: uint64(r.height), Validators: make([]string, len(r.set.Members)), Endpoints: []wire.Endpoint{}}
	for i, m := range r.set.Members {
		v.Validators[i] = hex.EncodeToString(m.Key[:])
	}
	if n.Invitations != nil {
		for _, one := range n.Invitations() {
			v.Endpoints = append(v.Endpoints, wire.ViewEndpoint(one))
		}
	}
	return v, nil
}

// registry is the validator registry after the newest block.
type registry struct {
	height   unit.Height
	view     *state.Commit
	calendar params.Calendar
	set      *stake.Set // of the next block's epoch
	next     []stake.Member
	closed   bool                 // the list of the next epoch is
	parts    []wire.Participation // by rank in the set
}

func (n *Node) registry() (*registry, error) {
	t, err := n.tip()
	if err != nil {
		return nil, err
	}
	r := &registry{height: t.Header.Height, view: t.State}
	if r.calendar, err = params.LoadCalendar(r.view); err != nil {
		return nil, err
	}
	r.set, err = stake.SetAt(r.view, r.calendar.Epoch(r.height+1))
	if errors.Is(err, stake.ErrNoEpoch) {
		return nil, errNoRegistry
	}
	if err == nil {
		r.next, r.closed, err = stake.Next(r.view)
	}
	if err == nil {
		r.parts, err = n.participation(r)
	}
	return r, err
}

// Epoch implements Backend. Spec: WP "Validator Set"; commonware §4.3.
func (n *Node) Epoch() (wire.Epoch, error) {
	r, err := n.registry()
	if err != nil {
		return wire.Epoch{}, err
	}
	return n.epoch(r)
}

func (n *Node) epoch(r *registry) (wire.Epoch, error) {
	set, number := r.set, r.set.Epoch
	sharing, err := bls.DecodeSharing(set.Sharing)
	if err != nil {
		return wire.Epoch{}, err
	}
	group := sharing.GroupKey().Bytes()
	e := wire.Epoch{
		Number: number, First: uint64(r.calendar.First(number)), Midpoint: uint64(r.calendar.Freeze(number)), Last: uint64(r.calendar.Last(number)),
		Members: len(set.Members), Quorum: sig.Quorum(len(set.Members)), KeySince: set.Shared, GroupKey: hex.EncodeToString(group[:]),
	}
	for _, m := range set.Members {
		e.Weight += uint64(m.Weight)
	}
	if !r.closed {
		return e, nil
	}
	c := &wire.Ceremony{
		Epoch: number + 1, Dealers: len(set.Members), Players: len(r.next), Required: max(sig.Quorum(len(set.Members)), sharing.Threshold()),
	}
	if c.Logs, err = posted(r.view, len(set.Members)); err != nil {
		return e, err
	}
	if n.Duties != nil {
		if own := n.Duties(); own.Epoch == c.Epoch {
			c.Node = &wire.Part{Dealer: own.Dealer, Player: own.Player, Silent: own.Silent, Held: own.Held, Mute: own.Dealer && own.Mute}
		}
	}
	e.Ceremony = c
	return e, nil
}

// posted counts the dealer logs on chain.
func posted(view *state.Commit, dealers int) (count int, err error) {
	for rank := range uint32(dealers) {
		there, err := stake.Posted(view, rank)
		if err != nil {
			return 0, err
		}
		if there {
			count++
		}
	}
	return count, nil
}

// Validators implements Backend. Spec: governance-staking A1.
func (n *Node) Validators(after account.Address, limit uint64) (wire.Validators, error) {
	r, err := n.registry()
	if err != nil {
		return wire.Validators{}, err
	}
	out := wire.Validators{Height: uint64(r.height), Validators: []wire.Validator{}}
	if out.Epoch, err = n.epoch(r); err != nil {
		return out, err
	}
	list, err := stake.All(r.view, after, int(limit)+1)
	if err != nil {
		return out, err
	}
	if len(list) > int(limit) {
		list = list[:limit]
		out.NextCursor = list[limit-1].Address.String()
	}
	for _, x := range list {
		out.Validators = append(out.Validators, r.validator(x))
	}
	return out, nil
}

// Validator implements Backend.
func (n *Node) Validator(key string) (wire.Validator, error) {
	r, err := n.registry()
	if err != nil {
		return wire.Validator{}, err
	}
	addr, err := account.ReadAddress(key)
	if err != nil {
		raw, err := hex.DecodeString(trim0x(key))
		if err != nil || len(raw) != sig.BLSPublicKeySize {
			return wire.Validator{}, badRequest("a validator is named by its address, 40 hex digits, or its voting key, 96 hex digits")
		}
		owner, ok, err := stake.Owner(r.view, sig.BLSPublicKey(raw))
		if err != nil {
			return wire.Validator{}, err
		}
		if !ok {
			return wire.Validator{}, errNotFound
		}
		addr = owner
	}
	v, ok, err := stake.Load(r.view, addr)
	if err != nil {
		return wire.Validator{}, err
	}
	if !ok {
		return wire.Validator{}, errNotFound
	}
	return r.validator(stake.Listed{Address: addr, Validator: v}), nil
}

// validator shows a record.
func (r *registry) validator(x stake.Listed) wire.Validator {
	v := wire.Validator{
		Address: x.Address.String(), PublicKey: hex.EncodeToString(x.Key[:]), Status: x.Status.String(), Stake: uint64(x.Stake), Joining: uint64(x.Joining),
		Leaving: uint64(x.Leaving), JailedUntil: uint64(x.JailedUntil), Jailings: x.Jailings,
	}
	for _, p := range x.Penalties {
		v.SlashesBPS = append(v.SlashesBPS, p.BPS)
	}
	for _, out := range x.Releases {
		v.Releases = append(v.Releases, wire.Release{Amount: uint64(out.Amount), Height: uint64(out.Height)})
	}
	if rank, ok := r.set.Rank(x.Address); ok {
		weight := uint64(r.set.Members[rank].Weight)
		v.Rank, v.Weight = &rank, &weight
		if int(rank) < len(r.parts) {
			v.Part = &r.parts[rank]
		}
	}
	for _, m := range r.next {
		v.Listed = v.Listed || m.Address == x.Address
	}
	return v
}

// Duties tells of a validator's part in ceremonies; attendant.Handle's Status is one.
type Duties func() attendant.Status

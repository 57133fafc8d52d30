package explorer

import (
	"errors"
	"fmt"
	"net/http"
	"sort"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// proposer is one proposer's share of recent blocks.
type proposer struct {
	Address string
	Blocks  uint64
	Last    uint64
}

// validatorRow is a validator with its votes in the epochs before, the newest first.
type validatorRow struct {
	wire.Validator
	Voted string // of the counted votes of the present epoch, in percent; "" where none is counted
	Past  []pastVotes
}

// pastVotes is a member's part in an epoch; Voted is empty where it was no member or nothing was counted.
type pastVotes struct {
	Voted string
	Low   bool // it missed more than a tenth
}

type validatorsPage struct {
	Registered *wire.Validators // nil: the chain has no registry
	Rows       []validatorRow
	Epochs     []uint64 // of the past votes
	Voting     int      // members that voted lately
	Jailed     int
	Met        int  // members this node is connected to, itself included
	Told       bool // whether it says whom it is connected to
	Leader     string
	Proposers  []proposer
	Of         int
	Blocks     []summary
}

func (s *site) validators(*http.Request) (view, error) {
	top := s.source.Height().Height
	blocks, err := s.blocks.newest(top, 2*charted)
	if err != nil {
		return view{}, err
	}
	p := validatorsPage{Blocks: blocks[:min(len(blocks), 12)]}
	p.Proposers, p.Of = proposers(blocks)
	if p.Registered, err = s.registered(); err != nil {
		return view{}, err
	}
	if p.Registered != nil {
		turnouts, err := s.source.Turnout()
		if err != nil && !absent(err) {
			return view{}, err
		}
		p.fill(turnouts.Epochs)
	}
	return view{Page: "validators", Title: "Validators", Active: "validators", Live: true, Data: p}, nil
}

// proposers counts blocks by proposer, and all of them. Genesis has none.
func proposers(blocks []summary) (list []proposer, of int) {
	byAddress := map[string]*proposer{}
	for _, b := range blocks {
		if b.Height == 0 {
			continue
		}
		of++
		p := byAddress[b.Proposer]
		if p == nil {
			p = &proposer{Address: b.Proposer, Last: b.Height}
			byAddress[b.Proposer] = p
		}
		p.Blocks++
	}
	for _, p := range byAddress {
		list = append(list, *p)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Address < list[j].Address })
	return list, of
}

// fill joins the registry with the epochs before: members by rank, then the others by address.
func (p *validatorsPage) fill(past []wire.EpochTurnout) {
	votes := make([]map[string]wire.MemberTurnout, len(past))
	for i, e := range past {
		p.Epochs = append(p.Epochs, e.Epoch)
		votes[i] = map[string]wire.MemberTurnout{}
		for _, m := range e.Members {
			votes[i][m.Address] = m
		}
	}
	for _, v := range p.Registered.Validators {
		row := validatorRow{Validator: v}
		if v.Status == "jailed" {
			p.Jailed++
		}
		if part := v.Part; part != nil {
			row.Voted, _ = voted(part.Missed, part.Counted)
			if part.Recent > part.Lately || part.Recent == 0 {
				p.Voting++
			}
			if part.Leads {
				p.Leader = v.Address
			}
			p.Told = p.Told || part.Connected != nil
			if part.Self || part.Connected != nil && *part.Connected {
				p.Met++
			}
		}
		for i := range past {
			m := votes[i][v.Address]
			text, low := voted(m.Missed, m.Counted)
			row.Past = append(row.Past, pastVotes{text, low})
		}
		p.Rows = append(p.Rows, row)
	}
	rank := func(r *validatorRow) uint32 {
		if r.Rank == nil {
			return ^uint32(0)
		}
		return *r.Rank
	}
	sort.SliceStable(p.Rows, func(i, j int) bool { return rank(&p.Rows[i]) < rank(&p.Rows[j]) })
}

// voted is the part of the counted votes that were given.
func voted(missed, counted int) (text string, low bool) {
	if counted == 0 {
		return "", false
	}
	return fmt.Sprintf("%.1f %%", float64(counted-missed)*100/float64(counted)), missed*10 > counted
}

// registered are the first validators of the registry; nil where the chain has none.
func (s *site) registered() (*wire.Validators, error) {
	all, err := s.source.Validators(account.Address{}, registeredMax)
	var refused interface{ HTTPStatus() int }
	if errors.As(err, &refused) && refused.HTTPStatus() == http.StatusNotFound {
		return nil, nil
	}
	return &all, err
}

// registeredMax bounds the validators on a page.
const registeredMax = 500

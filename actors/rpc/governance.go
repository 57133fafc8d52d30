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
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// governance adds the calls about proposals, the council and pauses.
func (s *server) governance(mux *http.ServeMux) {
	b := s.Backend
	list := func(w http.ResponseWriter, r *http.Request) {
		before, err := number(r, "cursor", 0)
		if err != nil {
			s.fail(w, err)
			return
		}
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			s.fail(w, err)
			return
		}
		reply, err := b.Proposals(before, min(max(limit, 1), maxPage))
		s.answer(w, reply, err)
	}
	one := func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
		if err != nil {
			s.fail(w, badRequest("a proposal is named by its number"))
			return
		}
		p, err := b.Proposal(id)
		s.answer(w, p, err)
	}
	mux.HandleFunc("GET /governance/proposals", list)
	mux.HandleFunc("GET /governance/proposals/{id}", one)
	mux.HandleFunc("GET /proposals", list) // the names of node-rpc-cli §2.6
	mux.HandleFunc("GET /proposal/{id}", one)
	mux.HandleFunc("GET /governance/council", func(w http.ResponseWriter, _ *http.Request) {
		c, err := b.Council()
		s.answer(w, c, err)
	})
	mux.HandleFunc("GET /governance/paused", func(w http.ResponseWriter, _ *http.Request) {
		p, err := b.Paused()
		s.answer(w, p, err)
	})
	mux.HandleFunc("GET /governance/codes", func(w http.ResponseWriter, _ *http.Request) {
		c, err := b.Codes()
		s.answer(w, c, err)
	})
	mux.HandleFunc("GET /parameters/history", func(w http.ResponseWriter, r *http.Request) {
		after, err := number(r, "cursor", 0)
		if err != nil {
			s.fail(w, err)
			return
		}
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			s.fail(w, err)
			return
		}
		changes, err := b.ParameterHistory(r.URL.Query().Get("key"), after, min(max(limit, 1), maxPage))
		s.answer(w, changes, err)
	})
}

// governanceCalls describes them.
func governanceCalls() []Call {
	return []Call{
		{"get", "/governance/proposals", "the proposals of governance, newest first",
			[]string{"cursor:integer:those before this number", "limit:integer:how many"}, "", wire.Proposals{}},
		{"get", "/governance/proposals/{id}", "a proposal by its number", nil, "", wire.Proposal{}},
		{"get", "/proposals", "the same as /governance/proposals",
			[]string{"cursor:integer:those before this number", "limit:integer:how many"}, "", wire.Proposals{}},
		{"get", "/proposal/{id}", "the same as /governance/proposals/{id}", nil, "", wire.Proposal{}},
		{"get", "/governance/council", "the Security Council, the nonce of its next act, and the multisig of the portal", nil, "", wire.Council{}},
		{"get", "/governance/paused", "the system actors the circuit breaker paused", nil, "", wire.Paused{}},
		{"get", "/governance/codes", "the code of the system actors that were upgraded, and the programs uploaded for them", nil, "", wire.Codes{}},
		{"get", "/parameters/history", "the values that a group of parameters got by governance, oldest first",
			[]string{"key:string:the group's governance key", "cursor:integer:those behind this version", "limit:integer:how many"}, "",
			wire.ParameterHistory{}},
	}
}

// Proposals implements Backend. Spec: governance-staking B4, B5.
func (n *Node) Proposals(before, limit uint64) (wire.Proposals, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Proposals{}, err
	}
	out := wire.Proposals{Height: uint64(t.Header.Height), Proposals: []wire.Proposal{}}
	list, err := govern.All(t.State, before, int(limit))
	if err != nil {
		return out, err
	}
	for _, p := range list {
		out.Proposals = append(out.Proposals, viewProposal(p))
	}
	if len(list) == int(limit) && list[len(list)-1].ID > 1 {
		out.NextCursor = fmt.Sprint(list[len(list)-1].ID)
	}
	return out, nil
}

// Proposal implements Backend. Spec: governance-staking B4, B5.
func (n *Node) Proposal(id uint64) (wire.Proposal, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Proposal{}, err
	}
	p, err := govern.Load(t.State, id)
	if errors.Is(err, govern.ErrNoProposal) {
		return wire.Proposal{}, errNotFound
	}
	if err != nil {
		return wire.Proposal{}, err
	}
	return viewProposal(p), nil
}

// viewProposal shows a record.
func viewProposal(p *govern.Proposal) wire.Proposal {
	v := wire.Proposal{
		ID: p.ID, Proposer: p.Proposer.String(), Tier: p.Tier, FastTrack: p.Fast, Status: p.Status.String(), Open: p.Open(), Title: p.Title.String(),
		Deposit: uint64(p.Deposit), SubmittedAt: uint64(p.SubmittedAt), Deadline: uint64(p.Deadline), Extensions: p.Extensions,
		Check: viewTally(p.Check, p.CheckSnapshot), Vote: viewTally(p.Vote, p.VoteSnapshot),
		QuorumBPS: p.Rules.QuorumBPS, StakeBPS: p.Rules.StakeBPS, ValidatorBPS: p.Rules.ValidatorBPS,
		ExecutableAt: uint64(p.ExecutableAt), RetryUntil: uint64(p.RetryUntil), ClosedAt: uint64(p.ClosedAt), Reason: p.Reason.String(),
	}
	v.Kind, v.Payload = viewPayload(p.Payload)
	return v
}

func viewTally(t govern.Tally, s govern.Snapshot) wire.Tally {
	return wire.Tally{
		Snapshot: uint64(s.Height), Stake: uint64(s.Stake), Validators: s.Validators,
		Yes: uint64(t.Stake[govern.Yes]), No: uint64(t.Stake[govern.No]), Abstain: uint64(t.Stake[govern.Abstain]),
		ValidatorYes: t.Validators[govern.Yes], ValidatorNo: t.Validators[govern.No], ValidatorAbstain: t.Validators[govern.Abstain],
	}
}

// viewPayload names a payload and its fields.
func viewPayload(data []byte) (kind string, fields map[string]string) {
	payload, err := govern.DecodePayload(data)
	if err != nil {
		return "unknown", map[string]string{"bytes": hex.EncodeToString(data)}
	}
	fields = map[string]string{}
	switch p := payload.(type) {
	case *govern.ParamUpdate:
		fields["key"], fields["value"] = p.Key, hex.EncodeToString(p.Value)
	case *govern.Disbursement:
		fields["recipient"], fields["amount"], fields["memo"] = p.Recipient.String(), fmt.Sprint(uint64(p.Amount)), string(p.Memo)
	case *govern.GrantAward:
		fields["bucket"], fields["recipient"], fields["amount"] = p.Bucket, p.To.String(), fmt.Sprint(uint64(p.Amount))
		fields["revocable"] = strconv.FormatBool(p.Revocable)
	case *govern.GrantRevoke:
		fields["grant"] = fmt.Sprint(p.Grant)
	case *govern.RegistryUpdate:
		fields["key"], fields["tier"] = p.Key, fmt.Sprint(p.Tier)
	case *govern.SystemActorUpgrade:
		fields["target"], fields["code"] = p.Target.String(), p.Code.String()
		fields["delay"], fields["window"] = fmt.Sprint(p.Delay), fmt.Sprint(p.Window)
		if m := p.Migration; m.Cycles > 0 {
			fields["migration"], fields["cycles"] = m.Handler, fmt.Sprint(uint64(m.Cycles))
		}
	case *govern.SystemActorRollback:
		fields["target"] = p.Target.String()
	case *govern.Circuit:
		fields["target"], fields["action"] = p.Target.String(), p.Action.String()
	case *govern.SetCouncil:
		fields["members"] = strings.Join(addresses(p.Members), " ")
	case *govern.SetFoundation:
		fields["members"] = strings.Join(addresses(p.Members), " ")
	case *govern.SetLabs:
		fields["members"], fields["threshold"] = strings.Join(addresses(p.Members), " "), fmt.Sprint(p.Threshold)
	}
	return payload.Name(), fields
}

func addresses(list []account.Address) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.String()
	}
	return out
}

// Council implements Backend. Spec: governance-staking B2.
func (n *Node) Council() (wire.Council, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Council{}, err
	}
	out := wire.Council{ChainID: t.Header.ChainID, Members: []string{}}
	c, ok, err := govern.LoadCouncil(t.State)
	if err != nil {
		return out, err
	}
	if ok {
		out.Members, out.Rotation, out.Nonce, out.Warnings = addresses(c.Members), c.Rotation, c.Nonce, c.Warnings
	}
	labs, ok, err := govern.LoadLabs(t.State)
	if err == nil && ok {
		out.Labs, out.Sign = addresses(labs.Members), labs.Threshold
	}
	if err != nil {
		return out, err
	}
	foundation, err := govern.LoadFoundation(t.State)
	out.Foundation = addresses(foundation)
	return out, err
}

// Paused implements Backend: those of the next block. Spec: governance-staking B7.
func (n *Node) Paused() (wire.Paused, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Paused{}, err
	}
	out := wire.Paused{Height: uint64(t.Header.Height), Paused: []wire.Pause{}}
	list, err := govern.Pauses(t.State)
	for _, p := range list {
		if t.Header.Height+1 >= p.Until {
			continue
		}
		v := wire.Pause{Address: account.System(p.Target).String(), Since: uint64(p.Since), Extensions: p.Extensions, Proposal: p.Proposal}
		if p.Until != govern.Forever {
			v.Until = uint64(p.Until)
		}
		out.Paused = append(out.Paused, v)
	}
	return out, err
}

// Codes implements Backend. Spec: governance-staking B8.
func (n *Node) Codes() (wire.Codes, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Codes{}, err
	}
	out := wire.Codes{Height: uint64(t.Header.Height), Codes: []wire.CodeOf{}, Uploads: []string{}}
	all, err := govern.LoadPointers(t.State)
	if err != nil {
		return out, err
	}
	for _, p := range all {
		addr := account.System(p.Target)
		v := wire.CodeOf{
			Address: addr.String(), Code: p.Active.String(), Since: uint64(p.Since), Upgrades: p.Upgrades, Missing: !system.Knows(addr, p.Active),
		}
		if p.Until != 0 {
			v.Former, v.Until = p.Former.String(), uint64(p.Until)
		}
		if p.Next != nil {
			v.Next, v.At = p.Next.Code.String(), uint64(p.Next.At)
			v.Missing = v.Missing || !system.Knows(addr, p.Next.Code)
		}
		out.Codes = append(out.Codes, v)
	}
	list, bytes, err := govern.Uploads(t.State)
	for _, hash := range list {
		out.Uploads = append(out.Uploads, hash.String())
	}
	out.UploadBytes = bytes
	return out, err
}

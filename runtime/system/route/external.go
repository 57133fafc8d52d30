package route

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	systemjob "github.com/cowboyinc/cowboy-go/runtime/system/job"
)

// ExecutorDNS is the name under which governance pins the executor that looks records of the DNS up. As long as it is not pinned, no domain is attached.
//
// Spec: gateway-payments-streams §A.3 (a governed hash), §J.
const ExecutorDNS = "dns"

// handlerCallback takes what runners say of a domain, from 0x03.
const handlerCallback = "external_domain_callback"

// The committee of a check, and what each of its runners may take.
//
// Spec: gateway-payments-streams §A.3 (3 runners, threshold 2, at least 3 resolvers each).
const (
	dnsRunners   = 3
	dnsThreshold = 2
	dnsResolvers = 3
	dnsSeconds   = 60
	dnsMemory    = 64
	dnsRetries   = 2
	dnsResult    = 4_096 // bytes
	dnsTimeout   = 150   // blocks of an attempt
)

var (
	errDormant  = errors.New("route: governance has pinned no executor for records of the DNS, so no domain outside of the network is attached")
	errCallback = errors.New("route: the callback of an external domain comes from the Result Verifier alone")
)

// external are the handlers of domains outside of the network.
func (c *externals) handlers() []chapter.Handler {
	return []chapter.Handler{
		{Name: "begin_attach_external", Ways: anyWay, Run: attach},
		{Name: "reverify_external", Ways: anyWay, Coins: true, Run: c.verify},
		{Name: "detach_external", Ways: anyWay, Run: detach},
		{Name: "resolve_external", Ways: anyWay, Reads: true, Run: resolveExternal},
		{Name: handlerCallback, Ways: chapter.ByMessage, Run: answer},
	}
}

// externals has checks posted by the chapter of jobs, which it is shown once.
type externals struct{ jobs *chapter.Chapter }

func (c *externals) join(all []*chapter.Chapter) {
	for _, one := range all {
		if one.Name == tx.ChapterJob {
			c.jobs = one
		}
	}
}

// attach begins a challenge and answers what the domain's records have to say.
//
// Spec: gateway-payments-streams §A.2 (begin_attach_external), §A.3.
func attach(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, g, err := open(e, r, []chapter.Parameter{text("fqdn"), address("actor_address"), {Name: "method", Kind: chapter.Number | chapter.Optional}})
	if err != nil {
		return nil, err
	}
	d, err := route.ParseExternal(a.Text(0))
	if err != nil {
		return nil, err
	}
	c, err := g.Attach(d, a.Address(1), route.Method(min(a.Number(2), 255)))
	if err != nil {
		return nil, err
	}
	data, err := chapter.Plain(attachment(d, c, e))
	if err != nil {
		return nil, err
	}
	event := append(append(told(d), c.Actor[:]...), c.Owner[:]...)
	return data, e.Emit(TopicChallenged, append(event, c.Nonce[:]...))
}

// verify posts a job that looks a domain's records up. The coins that come along are the most it may cost; what it does not goes back to the sender.
//
// Spec: gateway-payments-streams §A.2 (reverify_external), §A.3.
func (c *externals) verify(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, g, err := open(e, r, []chapter.Parameter{text("fqdn")})
	if err != nil {
		return nil, err
	}
	d, err := route.ParseExternal(a.Text(0))
	if err != nil {
		return nil, err
	}
	asked, err := g.Ask(d)
	if err != nil {
		return nil, err
	}
	spec, err := specOf(e, d, asked)
	if err != nil {
		return nil, err
	}
	if err := account.Debit(e.State, e.Self, e.Value); err != nil {
		return nil, err
	}
	if err := e.Bill(e.Sender); err != nil {
		return nil, err
	}
	if err := account.Credit(e.State, e.Sender, e.Value); err != nil {
		return nil, err
	}
	fields, err := cbor.Append(nil, cbor.Map{
		{Key: "handler", Value: handlerCallback}, {Key: "fqdn", Value: d.Label}, {Key: "owner", Value: asked.Owner[:]}, {Key: "nonce", Value: asked.Nonce[:]},
	})
	if err != nil {
		return nil, err
	}
	t, err := systemjob.Post(e, c.jobs, spec, &market.Caller{Actor: route.Home(), Origin: e.Turn.Origin, Fields: fields})
	if err != nil {
		return nil, err
	}
	data, err := chapter.Plain(cbor.Map{{Key: "fqdn", Value: d.Label}, {Key: "job_id", Value: t.ID[:]}})
	if err != nil {
		return nil, err
	}
	return data, e.Emit(TopicChecked, append(told(d), t.ID[:]...))
}

// specOf is the job of a check.
//
// Spec: gateway-payments-streams §A.3 (kind Custom, mode majority_vote).
func specOf(e *chapter.Env, d route.Domain, a *route.Attachment) (*job.Spec, error) {
	pinned, ok, err := e.State.Lookup(params.StateKey(params.KeyExecutorPrefix + ExecutorDNS))
	if err != nil {
		return nil, err
	}
	if !ok || len(pinned) != digest.Size {
		return nil, errDormant
	}
	question, err := json.Marshal(a.Question(d, dnsResolvers))
	if err != nil {
		return nil, err
	}
	s := &job.Spec{
		Kind: job.Custom, Custom: &job.CustomJob{Executor: digest.Hash(pinned), Params: question},
		Bounds: job.ResourceBounds{MaxWallTimeSeconds: dnsSeconds, MaxMemoryMB: dnsMemory, MaxRetries: dnsRetries},
		Verification: job.Verification{
			Mode: job.ModeMajorityVote, Runners: dnsRunners, Threshold: dnsThreshold, DisputeBlocks: params.DisputeWindowBlocks,
			Checks: []job.Check{{Kind: job.CheckMajorityVote, Field: "verdict"}},
		},
		Schema: job.ResultSchema{MaxReturnBytes: dnsResult}, MaxPrice: e.Value, TimeoutBlocks: dnsTimeout,
	}
	return job.Decode(s.Append(nil))
}

// detach ends an attachment, or the sender's challenge.
//
// Spec: gateway-payments-streams §A.2 (detach_external).
func detach(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, g, err := open(e, r, []chapter.Parameter{text("fqdn")})
	if err != nil {
		return nil, err
	}
	d, err := route.ParseExternal(a.Text(0))
	if err != nil {
		return nil, err
	}
	if err := g.Detach(d); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicDetached, append(told(d), e.Sender[:]...))
}

// resolveExternal answers what is known of a domain outside of the network.
//
// Spec: gateway-payments-streams §A.1 (DomainBinding), §A.3.
func resolveExternal(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, text("fqdn"))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(resolveCycles, 0); err != nil {
		return nil, err
	}
	d, err := route.ParseExternal(a.Text(0))
	if err != nil {
		return nil, err
	}
	paid := e.Paid(1)
	c, err := route.Find(paid, d, e.Block.Height)
	if err == nil {
		err = paid.Err()
	}
	if err != nil {
		return nil, err
	}
	return chapter.Plain(attachment(d, &c, e))
}

// attachment is an external domain as methods answer it.
func attachment(d route.Domain, a *route.Attachment, e *chapter.Env) cbor.Map {
	s, why := a.Standing(e.Block.Height)
	m := cbor.Map{
		{Key: "fqdn", Value: d.Label}, {Key: "actor_address", Value: a.Actor[:]}, {Key: "owner", Value: a.Owner[:]}, {Key: "namespace_kind", Value: uint64(2)},
		{Key: "status", Value: s.String()}, {Key: "registered_at", Value: uint64(a.Registered)}, {Key: "expires_at", Value: uint64(a.Expires())},
		{Key: "verified_at", Value: uint64(a.Verified)}, {Key: "dns_target", Value: route.Edge}, {Key: "method", Value: uint64(a.Method)},
		{Key: "verification_nonce", Value: a.Nonce[:]}, {Key: "txt", Value: a.Text()},
	}
	if why != route.Proved {
		m = append(m, cbor.Pair{Key: "reason", Value: why.String()})
	}
	if a.Verified > 0 {
		m = append(m, cbor.Pair{Key: "next_reverify_at", Value: uint64(a.Due())})
	}
	return m
}

// answer takes the result of a check, which 0x03 tells of.
//
// Spec: gateway-payments-streams §A.2 (67, from 0x03 only).
func answer(e *chapter.Env, r chapter.Request) ([]byte, error) {
	if e.Sender != account.System(account.ResultVerifier) {
		return nil, errCallback
	}
	v, err := cbor.Parse(r.Data)
	m, _ := v.(cbor.Map)
	if err != nil {
		return nil, errCallback
	}
	in := &tx.ExternalDomainCallback{Domain: []byte(textOf(m, "fqdn"))}
	owner, _ := m.Lookup("owner")
	nonce, _ := m.Lookup("nonce")
	ownerBytes, _ := owner.([]byte)
	nonceBytes, _ := nonce.([]byte)
	if len(ownerBytes) != account.AddressSize || len(nonceBytes) != len(in.Nonce) {
		return nil, errCallback
	}
	copy(in.Owner[:], ownerBytes)
	copy(in.Nonce[:], nonceBytes)
	if textOf(m, "status") == "ok" {
		result, _ := m.Lookup("result")
		fields, _ := result.(cbor.Map)
		in.Verdict = []byte(textOf(fields, "verdict"))
	}
	return callback(e, in)
}

// callback is opcode 67. No account is 0x03, so that no transaction succeeds with it.
//
// Spec: gateway-payments-streams §A.2 (67, from 0x03 only).
func callback(e *chapter.Env, in *tx.ExternalDomainCallback) ([]byte, error) {
	if e.Sender != account.System(account.ResultVerifier) {
		return nil, errCallback
	}
	d, err := route.ParseExternal(string(in.Domain))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(writeCycles, 0); err != nil {
		return nil, err
	}
	g, err := registry(e, handlerCallback)
	if err != nil {
		return nil, err
	}
	n := &route.Answer{Domain: d, Owner: in.Owner, Nonce: in.Nonce}
	n.Verdict, n.Said = route.ParseVerdict(string(in.Verdict))
	a, err := g.Apply(n)
	if err != nil || a == nil {
		return nil, err
	}
	s, why := a.Standing(e.Block.Height)
	said := why.String()
	if !n.Said {
		said = ""
	}
	data := codec.AppendU8(append(told(d), a.Owner[:]...), byte(s))
	return fmt.Appendf(nil, "%s", s), e.Emit(TopicVerdict, codec.AppendBytes(data, []byte(said)))
}

// prune forgets external domains whose time is over.
func prune(b *chapter.Boundary) error { return route.Prune(b.State, b.Block.Height) }

package rpc

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// fake is a backend with a chain of empty blocks, one event in each.
type fake struct {
	mu     sync.Mutex
	height uint64
	grown  chan struct{}
	got    [][]byte
	refuse *wire.Error
	broken bool
}

func newFake(height uint64) *fake { return &fake{height: height, grown: make(chan struct{})} }

func (f *fake) grow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.height++
	close(f.grown)
	f.grown = make(chan struct{})
}

func (f *fake) Health() wire.Health { return wire.Health{Status: "ok", ChainID: 1} }
func (f *fake) Ready() wire.Ready   { return wire.Ready{Ready: !f.broken, Reason: []string{"starting"}} }
func (f *fake) Basefee() wire.Basefee {
	return wire.Basefee{CycleBasefee: 10_000, CellBasefee: 10_000}
}
func (f *fake) Tree() supervision.Status { return supervision.Status{Name: "node"} }
func (f *fake) Height() wire.Height {
	f.mu.Lock()
	defer f.mu.Unlock()
	return wire.Height{Height: f.height, Committed: f.height}
}

var errMissing = refuse(http.StatusNotFound, 4004, "")

func (f *fake) BlockAt(height uint64) (wire.Block, error) {
	if f.broken {
		return wire.Block{}, errors.New("the disk is gone")
	}
	if height > f.Height().Height {
		return wire.Block{}, errMissing
	}
	return wire.Block{Height: height}, nil
}
func (f *fake) BlockByHash(digest.Hash) (wire.Block, error) { return wire.Block{}, errMissing }
func (f *fake) Blocks(offset, limit uint64) (wire.Blocks, error) {
	return wire.Blocks{Offset: offset, Limit: limit}, nil
}
func (f *fake) BlockReceipts(height uint64) ([]wire.Receipt, error) {
	e := wire.Event{Actor: account.System(9).String(), Topic: "tick", BlockHeight: height}
	return []wire.Receipt{{BlockHeight: height, Sender: account.System(1).String(), Events: []wire.Event{e}}}, nil
}
func (f *fake) AwaitFinal(ctx context.Context, height uint64) error {
	for {
		f.mu.Lock()
		grown, now := f.grown, f.height
		f.mu.Unlock()
		if now >= height {
			return ctx.Err()
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
func (f *fake) Transaction(digest.Hash) (wire.Transaction, error) {
	return wire.Transaction{}, errMissing
}
func (f *fake) Pending(digest.Hash) (wire.Transaction, error) { return wire.Transaction{}, errMissing }
func (f *fake) Receipt(digest.Hash) (wire.Receipt, error)     { return wire.Receipt{}, errMissing }
func (f *fake) Known(digest.Hash) bool                        { return false }
func (f *fake) Trace(context.Context, netip.Addr, digest.Hash) (wire.Trace, error) {
	return wire.Trace{}, errMissing
}
func (f *fake) ReadHandler(_ context.Context, _ netip.Addr, _ account.Address, q wire.ReadRequest, _ []byte) (wire.ReadReply, error) {
	return wire.ReadReply{BlockHeight: f.Height().Height, Result: q.Payload}, nil
}
func (f *fake) Simulate(context.Context, netip.Addr, *tx.Tx) (wire.Simulation, error) {
	return wire.Simulation{BlockHeight: f.Height().Height, Success: true}, nil
}
func (f *fake) Explain(context.Context, netip.Addr, digest.Hash) (wire.Explanation, error) {
	return wire.Explanation{}, errMissing
}
func (f *fake) AccountTransactions(account.Address, uint64, uint64) ([]wire.Transaction, uint64, error) {
	return nil, 0, nil
}
func (f *fake) Submit(_ context.Context, list []tx.Encoded) (wire.SubmitReply, error) {
	f.got = nil
	for _, one := range list {
		f.got = append(f.got, one.Raw)
	}
	if f.refuse != nil {
		return wire.SubmitReply{Skipped: 1, Hashes: []string{""}, Errors: []*wire.Error{f.refuse}}, nil
	}
	return wire.SubmitReply{Added: uint64(len(list)), Hashes: make([]string, len(list))}, nil
}
func (f *fake) Faucet(context.Context, account.Address) (wire.Faucet, error) {
	return wire.Faucet{Status: "ok", Amount: 5_000_000_000_000, AmountCBY: 5_000}, nil
}
func (f *fake) Account(a account.Address) (wire.Account, error) {
	if a == account.System(1) {
		return wire.Account{Address: a.String(), Balance: 7}, nil
	}
	return wire.Account{}, errMissing
}
func (f *fake) Actor(account.Address, []byte, uint64) (wire.Actor, error) {
	return wire.Actor{}, errMissing
}
func (f *fake) Code(account.Address) (wire.Code, error)                  { return wire.Code{}, errMissing }
func (f *fake) Actors(_, _ *account.Address, _ int) (wire.Actors, error) { return wire.Actors{}, nil }
func (f *fake) Interface(account.Address) (*outline.Document, error)     { return nil, errMissing }
func (f *fake) Logs(account.Address, uint64, uint64) (wire.Logs, error)  { return wire.Logs{}, nil }
func (f *fake) Events(account.Address, string, uint64) (wire.Events, error) {
	return wire.Events{}, nil
}
func (f *fake) ActorTimers(account.Address, uint64, uint64) (wire.Timers, error) {
	return wire.Timers{}, nil
}
func (f *fake) TimersAt(uint64, uint64, uint64) (wire.Timers, error) { return wire.Timers{}, nil }
func (f *fake) TimersAhead(uint64, uint64) (wire.Timers, error)      { return wire.Timers{}, nil }
func (f *fake) Parameters() ([]wire.Parameter, error)                { return nil, nil }
func (f *fake) ParameterHistory(string, uint64, uint64) (wire.ParameterHistory, error) {
	return wire.ParameterHistory{}, nil
}
func (f *fake) Value(account.Address, []byte, *uint64, bool) (wire.Value, error) {
	return wire.Value{}, errMissing
}
func (f *fake) ProveAccount(account.Address) (wire.Proof, error) { return wire.Proof{}, errMissing }
func (f *fake) ProveTransaction(digest.Hash) (wire.Proof, error) { return wire.Proof{}, errMissing }
func (f *fake) ProveRecord(account.Address, []byte) (wire.Proof, error) {
	return wire.Proof{}, errMissing
}
func (f *fake) ProveReceipt(digest.Hash) (wire.Proof, error) { return wire.Proof{}, errMissing }
func (f *fake) EpochProof(uint64) (wire.EpochProof, error)   { return wire.EpochProof{}, errMissing }
func (f *fake) Trust(uint64) (wire.Trust, error)             { return wire.Trust{}, errMissing }
func (f *fake) Final(uint64) (wire.Final, error)             { return wire.Final{}, errMissing }
func (f *fake) Newest() (wire.Final, error)                  { return wire.Final{}, errMissing }
func (f *fake) Epoch() (wire.Epoch, error)                   { return wire.Epoch{}, errMissing }
func (f *fake) Validator(string) (wire.Validator, error)     { return wire.Validator{}, errMissing }
func (f *fake) Tokens(*token.ID, int) (wire.Tokens, error)   { return wire.Tokens{}, nil }
func (f *fake) Token(token.ID) (wire.Token, error)           { return wire.Token{}, errMissing }
func (f *fake) TokenBalance(token.ID, account.Address) (wire.TokenBalance, error) {
	return wire.TokenBalance{}, errMissing
}
func (f *fake) TokenAllowance(token.ID, account.Address, account.Address) (wire.TokenAllowance, error) {
	return wire.TokenAllowance{}, errMissing
}
func (f *fake) TokenHolders(token.ID, string, int) (wire.TokenHolders, error) {
	return wire.TokenHolders{}, errMissing
}
func (f *fake) TokenMoves(token.ID, string, int) (wire.TokenMoves, error) {
	return wire.TokenMoves{}, errMissing
}
func (f *fake) AccountTokens(account.Address, *token.ID, int) (wire.Holdings, error) {
	return wire.Holdings{}, nil
}
func (f *fake) Entitlement(digest.Hash) (wire.Grant, error) {
	return wire.Grant{}, errMissing
}
func (f *fake) Entitlements(account.Address, bool, digest.Hash, uint64) (wire.Grants, error) {
	return wire.Grants{}, errMissing
}
func (f *fake) Runner(account.Address) (wire.Runner, error) { return wire.Runner{}, errNoRunner }
func (f *fake) Job(digest.Hash) (wire.Job, error)           { return wire.Job{}, errNoJob }
func (f *fake) JobRunners(digest.Hash) (wire.JobRunners, error) {
	return wire.JobRunners{}, errNoJob
}
func (f *fake) JobResults(digest.Hash) (wire.JobResults, error) {
	return wire.JobResults{}, errNoJob
}
func (f *fake) Endpoints() (wire.Endpoints, error) {
	return wire.Endpoints{Validators: []string{}, Endpoints: []wire.Endpoint{}}, nil
}
func (f *fake) JobVerified(digest.Hash) (wire.JobVerified, error) {
	return wire.JobVerified{}, errNoResults
}
func (f *fake) RunnerJobs(account.Address, digest.Hash) (wire.RunnerJobs, error) {
	return wire.RunnerJobs{Jobs: []wire.Job{}}, nil
}
func (f *fake) ActiveRunners(*account.Address, int) (wire.Runners, error) {
	return wire.Runners{Runners: []wire.Runner{}}, nil
}
func (f *fake) RegisteredRunners(*account.Address, int) (wire.Runners, error) {
	return wire.Runners{Runners: []wire.Runner{}}, nil
}
func (f *fake) Market() (wire.Market, error)                    { return wire.Market{}, nil }
func (f *fake) Volumes(*digest.Hash, int) (wire.Volumes, error) { return wire.Volumes{}, nil }
func (f *fake) OwnedVolumes(account.Address) (wire.Volumes, error) {
	return wire.Volumes{}, nil
}
func (f *fake) NamedVolume(_ account.Address, name string) (wire.Volume, error) {
	if name == "grace" {
		return wire.Volume{Status: "GRACE_PERIOD"}, nil
	}
	return wire.Volume{}, errNoVolume
}
func (f *fake) Collateral(t tee.Type) (wire.Collateral, error) {
	return wire.Collateral{TEEType: t.String()}, nil
}
func (f *fake) StorageAccount(owner account.Address) (wire.StorageAccount, error) {
	return wire.StorageAccount{Height: 9, Address: owner.String(), Volumes: []wire.Volume{}}, nil
}

func (f *fake) StorageKey(wallet account.Address, key digest.Hash) (wire.StorageKey, error) {
	return wire.StorageKey{Height: 9, Wallet: wallet.String(), Key: wire.Hash(key)}, nil
}

func (f *fake) VolumeWraps(id digest.Hash) (wire.VolumeWraps, error) {
	return wire.VolumeWraps{VolumeID: wire.Hash(id), Wraps: 2}, nil
}
func (f *fake) Volume(digest.Hash) (wire.Volume, error)           { return wire.Volume{}, errNoVolume }
func (f *fake) Relays(*account.Address, int) (wire.Relays, error) { return wire.Relays{}, nil }
func (f *fake) Relay(account.Address) (wire.Relay, error)         { return wire.Relay{}, errNoRelay }
func (f *fake) Retentions(*digest.Hash, int) (wire.Retentions, error) {
	return wire.Retentions{Contracts: []wire.Retention{}}, nil
}
func (f *fake) Retention(digest.Hash) (wire.Retention, error) {
	return wire.Retention{}, errNoRetention
}
func (f *fake) RelaySlots(account.Address, uint32, int) (wire.RelaySlots, error) {
	return wire.RelaySlots{}, nil
}
func (f *fake) Containers(string, int) (wire.Containers, error) { return wire.Containers{}, nil }
func (f *fake) Turnout() (wire.Turnouts, error)                 { return wire.Turnouts{}, errMissing }
func (f *fake) Names(string, int) (wire.Names, error)           { return wire.Names{}, nil }
func (f *fake) Name(string) (wire.Name, error)                  { return wire.Name{}, errMissing }
func (f *fake) NameQuote(string, uint64) (wire.NameQuote, error) {
	return wire.NameQuote{}, errMissing
}
func (f *fake) ActorNames(account.Address, string, int) (wire.NamesOf, error) {
	return wire.NamesOf{}, nil
}
func (f *fake) ActorRoutes(account.Address) (wire.Routes, error)            { return wire.Routes{}, errMissing }
func (f *fake) Gateways(string, int) (wire.Gateways, error)                 { return wire.Gateways{}, nil }
func (f *fake) Gateway(account.Address) (wire.Gateway, error)               { return wire.Gateway{}, errMissing }
func (f *fake) Requests(string, int) (wire.Requests, error)                 { return wire.Requests{}, nil }
func (f *fake) Request(string) (wire.Request, error)                        { return wire.Request{}, errMissing }
func (f *fake) Banks(uint32) (wire.Banks, error)                            { return wire.Banks{}, nil }
func (f *fake) Card(account.Address) (wire.Card, error)                     { return wire.Card{}, errMissing }
func (f *fake) Cards(account.Address, *account.Address) (wire.Cards, error) { return wire.Cards{}, nil }
func (f *fake) Session(digest.Hash) (wire.Session, error)                   { return wire.Session{}, errMissing }
func (f *fake) PaymentPolicy(account.Address) (wire.PaymentPolicy, error) {
	return wire.PaymentPolicy{}, errMissing
}
func (f *fake) PaymentHolder(account.Address, account.Address) (wire.PaymentHolder, error) {
	return wire.PaymentHolder{}, errMissing
}
func (f *fake) Payment(payment.Key) (wire.Payment, error) { return wire.Payment{}, errMissing }
func (f *fake) Subscription(digest.Hash) (wire.Subscription, error) {
	return wire.Subscription{}, errMissing
}
func (f *fake) Subscriptions(account.Address, *digest.Hash, int) (wire.Subscriptions, error) {
	return wire.Subscriptions{}, nil
}
func (f *fake) Orderbook(account.Address, []byte, int) (wire.Subscriptions, error) {
	return wire.Subscriptions{}, nil
}
func (f *fake) Stream(digest.Hash) (wire.Stream, error) { return wire.Stream{}, errMissing }
func (f *fake) StreamAccess(digest.Hash, account.Address) (wire.StreamAccess, error) {
	return wire.StreamAccess{}, nil
}
func (f *fake) ContentKey(digest.Hash, uint64) (wire.ContentKey, error) {
	return wire.ContentKey{}, errMissing
}
func (f *fake) StreamKeys(account.Address) (wire.StreamKeys, error) { return wire.StreamKeys{}, nil }
func (f *fake) SealRequestsOf(account.Address, uint64) (wire.SealRequests, error) {
	return wire.SealRequests{}, nil
}

func (f *fake) SealRequests(uint64) (wire.SealRequests, error) { return wire.SealRequests{}, nil }
func (f *fake) LineCosts(context.Context, netip.Addr, account.Address) (wire.LineCosts, error) {
	return wire.LineCosts{}, nil
}
func (f *fake) Rent(account.Address) (wire.Rent, error) { return wire.Rent{}, nil }

func (f *fake) StoredEntries(account.Address, uint64, []byte) (wire.StoredEntries, error) {
	return wire.StoredEntries{}, nil
}

func (f *fake) Entitled(account.Address, grant.Scope, grant.Action) (wire.Entitled, error) {
	return wire.Entitled{}, nil
}
func (f *fake) Role(digest.Hash) (wire.Role, error)       { return wire.Role{}, errMissing }
func (f *fake) Roles(account.Address) (wire.Roles, error) { return wire.Roles{}, errMissing }
func (f *fake) RunnerDelegations(account.Address, string, int) (wire.Delegations, error) {
	return wire.ViewDelegations(nil), nil
}

func (f *fake) AccountDelegations(account.Address, string, int) (wire.Delegations, error) {
	return wire.ViewDelegations(nil), nil
}

func (f *fake) UnbondingDelegations(string, int) (wire.Delegations, error) {
	return wire.ViewDelegations(nil), nil
}

func (f *fake) DelegationStats(account.Address) (wire.DelegationStats, error) {
	return wire.DelegationStats{}, errNoRunner
}

func (f *fake) Models(*digest.Hash, int) (wire.Models, error) {
	return wire.Models{Models: []wire.Model{}}, nil
}

func (f *fake) Model(digest.Hash) (wire.Model, error) { return wire.Model{}, errNotFound }

func (f *fake) Runners() (wire.DevRunners, error)                { return wire.DevRunners{}, errNoScripts }
func (f *fake) Proposals(uint64, uint64) (wire.Proposals, error) { return wire.Proposals{}, nil }
func (f *fake) Proposal(uint64) (wire.Proposal, error)           { return wire.Proposal{}, errMissing }
func (f *fake) Council() (wire.Council, error)                   { return wire.Council{}, nil }
func (f *fake) Codes() (wire.Codes, error)                       { return wire.Codes{}, nil }
func (f *fake) Paused() (wire.Paused, error)                     { return wire.Paused{}, nil }
func (f *fake) Validators(account.Address, uint64) (wire.Validators, error) {
	return wire.Validators{}, errMissing
}

func (f *fake) NewestActors(string, uint64) (wire.NewestActors, error) {
	return wire.NewestActors{}, nil
}
func (f *fake) Flows(from, to uint64) (wire.Flows, error) { return wire.Flows{From: from, To: to}, nil }
func (f *fake) FlowSeries(string) (wire.Flows, error)     { return wire.Flows{}, nil }
func (f *fake) Supply() (wire.Supply, error)              { return wire.Supply{}, nil }
func (f *fake) Estimate(context.Context, netip.Addr, *tx.Tx) (wire.Estimate, error) {
	return wire.Estimate{BlockHeight: f.Height().Height}, nil
}
func (f *fake) FeeHistory(newest, blocks uint64, _ []uint64) (wire.FeeHistory, error) {
	return wire.FeeHistory{Newest: newest, Oldest: newest - blocks + 1}, nil
}
func (f *fake) Topics(string, int) ([]wire.Topic, error) { return nil, nil }
func (f *fake) Series(string) (wire.Series, error)       { return wire.Series{}, nil }

func (f *fake) Sent(account.Address, uint64, uint64) (wire.Logs, error) { return wire.Logs{}, nil }

package explorer

import (
	"context"
	"net/netip"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Source is what the pages show. Every method may be called from many goroutines; an error with a Status method that
// gives 404 means that nothing is known by that name.
type Source interface {
	Health() wire.Health
	Ready() wire.Ready
	Height() wire.Height
	Basefee() wire.Basefee
	Tree() supervision.Status
	BlockAt(height uint64) (wire.Block, error)
	BlockByHash(hash digest.Hash) (wire.Block, error)
	BlockReceipts(height uint64) ([]wire.Receipt, error)
	Transaction(hash digest.Hash) (wire.Transaction, error)
	Pending(hash digest.Hash) (wire.Transaction, error)
	Trace(ctx context.Context, client netip.Addr, hash digest.Hash) (wire.Trace, error)
	Known(hash digest.Hash) bool
	AccountTransactions(addr account.Address, offset, limit uint64) ([]wire.Transaction, uint64, error)
	Account(addr account.Address) (wire.Account, error)
	Actor(addr account.Address, after []byte, limit uint64) (wire.Actor, error)
	Code(addr account.Address) (wire.Code, error)
	Logs(addr account.Address, offset, limit uint64) (wire.Logs, error)
	// Sent gives executions that an address caused, the newest first.
	Sent(addr account.Address, offset, limit uint64) (wire.Logs, error)
	Events(addr account.Address, cursor string, limit uint64) (wire.Events, error)
	ActorTimers(addr account.Address, offset, limit uint64) (wire.Timers, error)
	TimersAhead(offset, limit uint64) (wire.Timers, error)
	Parameters() ([]wire.Parameter, error)
	ParameterHistory(key string, after, limit uint64) (wire.ParameterHistory, error)
	Turnout() (wire.Turnouts, error)
	Rent(addr account.Address) (wire.Rent, error)
	LineCosts(ctx context.Context, client netip.Addr, addr account.Address) (wire.LineCosts, error)
	Validators(after account.Address, limit uint64) (wire.Validators, error)
	Proposals(before, limit uint64) (wire.Proposals, error)
	Proposal(id uint64) (wire.Proposal, error)
	Paused() (wire.Paused, error)
	Codes() (wire.Codes, error)
	NewestActors(cursor string, limit uint64) (wire.NewestActors, error)
	Topics(prefix string, limit int) ([]wire.Topic, error)
	Series(name string) (wire.Series, error)
	Flows(from, to uint64) (wire.Flows, error)
	FlowSeries(name string) (wire.Flows, error)
	Supply() (wire.Supply, error)
	Runners() (wire.DevRunners, error)
	Market() (wire.Market, error)
	RegisteredRunners(after *account.Address, limit int) (wire.Runners, error)
	Runner(addr account.Address) (wire.Runner, error)
	RunnerJobs(addr account.Address, after digest.Hash) (wire.RunnerJobs, error)
	DelegationStats(addr account.Address) (wire.DelegationStats, error)
	Models(after *digest.Hash, limit int) (wire.Models, error)
	Banks(after uint32) (wire.Banks, error)
	Card(addr account.Address) (wire.Card, error)
	Cards(who account.Address, after *account.Address) (wire.Cards, error)
	PaymentPolicy(actor account.Address) (wire.PaymentPolicy, error)
	Containers(after string, limit int) (wire.Containers, error)
	Volumes(after *digest.Hash, limit int) (wire.Volumes, error)
	Volume(id digest.Hash) (wire.Volume, error)
	Relays(after *account.Address, limit int) (wire.Relays, error)
	Relay(owner account.Address) (wire.Relay, error)
	Retentions(after *digest.Hash, limit int) (wire.Retentions, error)
	Retention(id digest.Hash) (wire.Retention, error)
	SecretSource
	StreamSource
	Names(after string, limit int) (wire.Names, error)
	Gateways(cursor string, limit int) (wire.Gateways, error)
	Requests(cursor string, limit int) (wire.Requests, error)
	// Job and those below take a job's identity or its alias.
	Job(name digest.Hash) (wire.Job, error)
	JobRunners(name digest.Hash) (wire.JobRunners, error)
	JobResults(name digest.Hash) (wire.JobResults, error)
	JobVerified(name digest.Hash) (wire.JobVerified, error)
	Tokens(after *token.ID, limit int) (wire.Tokens, error)
	Token(id token.ID) (wire.Token, error)
	TokenHolders(id token.ID, cursor string, limit int) (wire.TokenHolders, error)
	TokenMoves(id token.ID, cursor string, limit int) (wire.TokenMoves, error)
	AccountTokens(who account.Address, after *token.ID, limit int) (wire.Holdings, error)
}

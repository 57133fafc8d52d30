package rpc

import (
	"context"
	"net/netip"

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

// Backend is what the interface answers from. Every method may be called from many goroutines. An error that is a *Refusal
// becomes that answer; any other is a failure of this node and becomes a 500.
type Backend interface {
	Health() wire.Health
	Ready() wire.Ready
	Height() wire.Height
	Basefee() wire.Basefee
	Tree() supervision.Status

	BlockAt(height uint64) (wire.Block, error)
	BlockByHash(hash digest.Hash) (wire.Block, error)
	Blocks(offset, limit uint64) (wire.Blocks, error)
	// BlockReceipts gives the receipts of a finalized block in their order.
	BlockReceipts(height uint64) ([]wire.Receipt, error)
	// AwaitFinal returns when height is finalized or ctx ends.
	AwaitFinal(ctx context.Context, height uint64) error

	Transaction(hash digest.Hash) (wire.Transaction, error)
	Pending(hash digest.Hash) (wire.Transaction, error)
	Receipt(hash digest.Hash) (wire.Receipt, error)
	// Trace gives the causal tree an identity belongs to, by executing its blocks again for a client. Known reports whether there is one, at little cost.
	Trace(ctx context.Context, client netip.Addr, hash digest.Hash) (wire.Trace, error)
	Known(hash digest.Hash) bool
	AccountTransactions(addr account.Address, offset, limit uint64) ([]wire.Transaction, uint64, error)
	Submit(ctx context.Context, list []tx.Encoded) (wire.SubmitReply, error)
	Faucet(ctx context.Context, addr account.Address) (wire.Faucet, error)

	Account(addr account.Address) (wire.Account, error)
	Actor(addr account.Address, after []byte, limit uint64) (wire.Actor, error)
	Code(addr account.Address) (wire.Code, error)
	// Actors lists at most limit actors behind an address, those of one creator if one is given.
	Actors(creator, after *account.Address, limit int) (wire.Actors, error)
	// Interface describes an actor by its source.
	Interface(addr account.Address) (*outline.Document, error)
	Logs(addr account.Address, offset, limit uint64) (wire.Logs, error)
	// Sent gives the receipts of what an address sent, the newest first.
	Sent(addr account.Address, offset, limit uint64) (wire.Logs, error)
	Events(addr account.Address, cursor string, limit uint64) (wire.Events, error)
	ActorTimers(addr account.Address, offset, limit uint64) (wire.Timers, error)
	TimersAt(height, offset, limit uint64) (wire.Timers, error)
	// TimersAhead gives all pending timers in the order they fire.
	TimersAhead(offset, limit uint64) (wire.Timers, error)
	Parameters() ([]wire.Parameter, error)
	// ParameterHistory gives changes of a group behind a version, the oldest first.
	ParameterHistory(key string, after, limit uint64) (wire.ParameterHistory, error)
	// Value reads one storage entry of an actor. A nil height is the newest finalized one.
	Value(addr account.Address, key []byte, height *uint64, prove bool) (wire.Value, error)
	ProveAccount(addr account.Address) (wire.Proof, error)
	// ProveRecord proves what a system actor keeps under a name and what follows it, or that it keeps nothing there.
	ProveRecord(addr account.Address, name []byte) (wire.Proof, error)
	ProveTransaction(hash digest.Hash) (wire.Proof, error)
	ProveReceipt(hash digest.Hash) (wire.Proof, error)

	// ReadHandler runs a handler of an actor on a committed state for a client. Nothing comes of it but the answer.
	ReadHandler(ctx context.Context, client netip.Addr, addr account.Address, q wire.ReadRequest, payload []byte) (wire.ReadReply, error)
	// Simulate tries a transaction, whose signature need not be there, on the newest state.
	Simulate(ctx context.Context, client netip.Addr, t *tx.Tx) (wire.Simulation, error)
	// Explain tells where a final execution failed, by executing its block again.
	Explain(ctx context.Context, client netip.Addr, hash digest.Hash) (wire.Explanation, error)

	// LineCosts adds up by line what the newest executions of an actor used, by executing their blocks again for a client.
	LineCosts(ctx context.Context, client netip.Addr, addr account.Address) (wire.LineCosts, error)

	// Epoch, Validators and Validator tell of the registry after the newest block. A validator is named by its address or its voting key.
	Epoch() (wire.Epoch, error)
	Validators(after account.Address, limit uint64) (wire.Validators, error)
	Validator(key string) (wire.Validator, error)
	// Endpoints tells where validators take connections of runners, as far as this node knows.
	Endpoints() (wire.Endpoints, error)
	// Turnout tells who missed votes in epochs that are over.
	Turnout() (wire.Turnouts, error)
	// Tokens, Token, TokenBalance, TokenAllowance and AccountTokens tell of tokens after the newest block. A page follows a token, nil for the first.
	Tokens(after *token.ID, limit int) (wire.Tokens, error)
	Token(id token.ID) (wire.Token, error)
	TokenBalance(id token.ID, who account.Address) (wire.TokenBalance, error)
	TokenAllowance(id token.ID, owner, spender account.Address) (wire.TokenAllowance, error)
	AccountTokens(who account.Address, after *token.ID, limit int) (wire.Holdings, error)
	// TokenHolders and TokenMoves are what the index knows of a token, after a cursor.
	TokenHolders(id token.ID, cursor string, limit int) (wire.TokenHolders, error)
	TokenMoves(id token.ID, cursor string, limit int) (wire.TokenMoves, error)
	// Entitlement to Roles tell of the Entitlement Registry after the newest block; given lists what an address gave instead of what it has.
	Entitlement(id digest.Hash) (wire.Grant, error)
	Entitlements(addr account.Address, given bool, after digest.Hash, limit uint64) (wire.Grants, error)
	Rent(addr account.Address) (wire.Rent, error)
	StoredEntries(addr account.Address, height uint64, after []byte) (wire.StoredEntries, error)
	Entitled(addr account.Address, s grant.Scope, a grant.Action) (wire.Entitled, error)
	Role(id digest.Hash) (wire.Role, error)
	Roles(addr account.Address) (wire.Roles, error)
	// Proposals gives those with a number below before (0: all), the newest first. Paused are the system actors that are paused in the next block.
	Proposals(before, limit uint64) (wire.Proposals, error)
	Proposal(id uint64) (wire.Proposal, error)
	Council() (wire.Council, error)
	Paused() (wire.Paused, error)
	Codes() (wire.Codes, error)
	// Actors gives those that deployments created, the newest first, after a cursor. Topics gives topics of events that begin so.
	NewestActors(cursor string, limit uint64) (wire.NewestActors, error)
	Topics(prefix string, limit int) ([]wire.Topic, error)
	// Series tells what happened in equal stretches of the past; the names are wire.SeriesMinutes and so on.
	Series(name string) (wire.Series, error)
	// Flows tells what became of coins in the blocks of a range, FlowSeries in equal stretches of the past, and Supply of all coins.
	Flows(from, to uint64) (wire.Flows, error)
	FlowSeries(name string) (wire.Flows, error)
	Supply() (wire.Supply, error)
	// Estimate tells what a transaction, whose signature need not be there, would use and lead to. FeeHistory tells of the prices of blocks up to one.
	Estimate(ctx context.Context, client netip.Addr, t *tx.Tx) (wire.Estimate, error)
	FeeHistory(newest, blocks uint64, percentiles []uint64) (wire.FeeHistory, error)
	// Runner, RegisteredRunners and ActiveRunners, those of them that get jobs, tell of runners after the newest block. A page follows an address, nil for the
	// first. Market tells how large committees of jobs are now.
	Runner(addr account.Address) (wire.Runner, error)
	RegisteredRunners(after *account.Address, limit int) (wire.Runners, error)
	ActiveRunners(after *account.Address, limit int) (wire.Runners, error)
	Market() (wire.Market, error)
	// Names tells of registered names, a page of them; Name finds one, or the one a host lies below; NameQuote is what one costs in the next block.
	Names(after string, limit int) (wire.Names, error)
	Name(text string) (wire.Name, error)
	NameQuote(text string, blocks uint64) (wire.NameQuote, error)
	// ActorNames tells which names lead to an actor, and ActorRoutes which routes it has published.
	ActorNames(addr account.Address, after string, limit int) (wire.NamesOf, error)
	ActorRoutes(addr account.Address) (wire.Routes, error)
	// Gateways tells of gateways, a page of them, and of their pool; Requests of what became of requests over HTTP.
	Gateways(cursor string, limit int) (wire.Gateways, error)
	Gateway(addr account.Address) (wire.Gateway, error)
	Requests(cursor string, limit int) (wire.Requests, error)
	Request(id string) (wire.Request, error)
	// Banks tells of banks with numbers above one, a page of them, and of the tokens that cards may pay in.
	Banks(after uint32) (wire.Banks, error)
	// Card tells of a card, and Cards of those that an account owns or is the agent of, a page above one.
	Card(addr account.Address) (wire.Card, error)
	Cards(who account.Address, after *account.Address) (wire.Cards, error)
	// Containers tells of the images that container jobs may run, a page of them, and of the resource classes.
	Containers(after string, limit int) (wire.Containers, error)
	// Collateral tells what quotes of a type of trusted environment are held against.
	Collateral(t tee.Type) (wire.Collateral, error)
	// Volumes, OwnedVolumes, NamedVolume and Volume tell of volumes; the third answers as their objects do. Relays, Relay and RelaySlots
	// tell of who holds their shards.
	Volumes(after *digest.Hash, limit int) (wire.Volumes, error)
	OwnedVolumes(owner account.Address) (wire.Volumes, error)
	NamedVolume(owner account.Address, name string) (wire.Volume, error)
	Volume(id digest.Hash) (wire.Volume, error)
	VolumeWraps(id digest.Hash) (wire.VolumeWraps, error)
	// StorageAccount tells what an account has of volumes, StorageKey whether it revoked a key of CBFS.
	StorageAccount(owner account.Address) (wire.StorageAccount, error)
	StorageKey(wallet account.Address, key digest.Hash) (wire.StorageKey, error)
	Relays(after *account.Address, limit int) (wire.Relays, error)
	Relay(owner account.Address) (wire.Relay, error)
	RelaySlots(owner account.Address, from uint32, limit int) (wire.RelaySlots, error)
	// Retentions and Retention tell of retention contracts, a page of them after one.
	Retentions(after *digest.Hash, limit int) (wire.Retentions, error)
	Retention(id digest.Hash) (wire.Retention, error)
	SecretBackend
	ProxyBackend
	// Session tells of a session of payment. Subscription, Subscriptions and Orderbook tell of one subscription to events, of those of an actor after one, and
	// of the first of a topic.
	Session(id digest.Hash) (wire.Session, error)
	// PaymentPolicy, PaymentHolder and Payment tell of an actor's prices, of what an account has bought of it, and of a payment.
	PaymentPolicy(actor account.Address) (wire.PaymentPolicy, error)
	PaymentHolder(actor, holder account.Address) (wire.PaymentHolder, error)
	Payment(k payment.Key) (wire.Payment, error)
	Subscription(id digest.Hash) (wire.Subscription, error)
	Subscriptions(of account.Address, after *digest.Hash, limit int) (wire.Subscriptions, error)
	Orderbook(emitter account.Address, topic []byte, limit int) (wire.Subscriptions, error)
	// Stream and those below tell of managed streams: terms, access of an account, a wrapped key, keys of an account, requests from a number on.
	Stream(id digest.Hash) (wire.Stream, error)
	StreamAccess(id digest.Hash, of account.Address) (wire.StreamAccess, error)
	ContentKey(id digest.Hash, epoch uint64) (wire.ContentKey, error)
	StreamKeys(of account.Address) (wire.StreamKeys, error)
	SealRequests(from uint64) (wire.SealRequests, error)
	SealRequestsOf(of account.Address, from uint64) (wire.SealRequests, error)
	// Job and JobRunners tell of a job of registered runners, by its identity or its alias; RunnerJobs of the open ones of a runner, after one.
	Job(name digest.Hash) (wire.Job, error)
	JobRunners(name digest.Hash) (wire.JobRunners, error)
	// JobResults and JobVerified tell what its runners revealed, and what of it was verified.
	JobResults(name digest.Hash) (wire.JobResults, error)
	JobVerified(name digest.Hash) (wire.JobVerified, error)
	RunnerJobs(addr account.Address, after digest.Hash) (wire.RunnerJobs, error)
	// RunnerDelegations, AccountDelegations and UnbondingDelegations list delegated stake after the newest block; a page follows a cursor, "" for the first.
	RunnerDelegations(addr account.Address, cursor string, limit int) (wire.Delegations, error)
	AccountDelegations(addr account.Address, cursor string, limit int) (wire.Delegations, error)
	UnbondingDelegations(cursor string, limit int) (wire.Delegations, error)
	DelegationStats(addr account.Address) (wire.DelegationStats, error)
	// Models and Model tell of published models after the newest block. A page follows a model_id, nil for the first.
	Models(after *digest.Hash, limit int) (wire.Models, error)
	Model(id digest.Hash) (wire.Model, error)
	// Runners tells of the scripted runners of a developer's network.
	Runners() (wire.DevRunners, error)

	// EpochProof, Trust, Final and Newest are what a light client follows the chain by.
	EpochProof(epoch uint64) (wire.EpochProof, error)
	Trust(height uint64) (wire.Trust, error)
	// Final gives the header at a height and those between it and the next one above with a finalization of its own.
	Final(height uint64) (wire.Final, error)
	Newest() (wire.Final, error)
}

// Refusal is an answer other than 200: an HTTP status and the error body.
type Refusal struct {
	Status int
	Body   wire.Error
}

func (r *Refusal) Error() string { return r.Body.Error() }

// HTTPStatus is the answer's status.
func (r *Refusal) HTTPStatus() int { return r.Status }

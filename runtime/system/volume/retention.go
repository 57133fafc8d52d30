package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/relay"
)

// Names of the handlers of 0x0A about retention contracts. Their arguments are as those about volumes.
const (
	HandlerRetain        = "create_retention" // blobs, start_epoch, end_epoch, min_replica_count, audit_cadence, sampling, …; returns contract_id
	HandlerProvide       = "accept_retention" // contract_id, service_endpoint; the coins are the stake
	HandlerProvePieces   = "prove_retention"  // contract_id, proof; returns whether it is one
	HandlerRenew         = "renew_retention"  // contract_id, end_epoch; the coins go into escrow
	HandlerLeaveContract = "leave_retention"
	HandlerCancel        = "cancel_retention"
	HandlerContract      = "get_retention" // contract_id; returns a map, or None
)

// The codes of faults about blobs and retention contracts.
//
// Spec: storage-cbfs §7, §9.
const (
	FaultBlob       uint16 = 1815
	FaultNoContract uint16 = 1816
	FaultTerms      uint16 = 1817
	FaultEscrow     uint16 = 1818
	FaultSeat       uint16 = 1819
	FaultProvider   uint16 = 1820
	FaultRetained   uint16 = 1821 // stake
	FaultAudit      uint16 = 1822
	FaultOver       uint16 = 1823
	FaultParty      uint16 = 1824
	FaultTaken      uint16 = 1825
)

// retentionFaults are the rejects of package retention, and of references to blobs.
func retentionFaults() []chapter.Fault {
	return []chapter.Fault{
		{Err: cbfs.ErrBlob, Code: FaultBlob, Class: "BlobRefError", Host: hostInput},
		{Err: retention.ErrNotFound, Code: FaultNoContract, Class: "RetentionNotFoundError", Host: hostMissing},
		{Err: retention.ErrTerms, Code: FaultTerms, Class: "RetentionTermsError", Host: hostInput},
		{Err: retention.ErrEscrow, Code: FaultEscrow, Class: "RetentionEscrowError", Host: hostInput},
		{Err: retention.ErrSeat, Code: FaultSeat, Class: "RetentionSeatError", Host: hostLimit},
		{Err: retention.ErrProvider, Code: FaultProvider, Class: "RetentionSeatError", Host: hostForbidden},
		{Err: retention.ErrStake, Code: FaultRetained, Class: "RetentionSeatError", Host: hostInput},
		{Err: retention.ErrAudit, Code: FaultAudit, Class: "RetentionAuditError", Host: hostForbidden},
		{Err: retention.ErrOver, Code: FaultOver, Class: "RetentionOverError", Host: hostForbidden},
		{Err: retention.ErrAuth, Code: FaultParty, Class: "RetentionAuthError", Host: hostForbidden},
		{Err: retention.ErrTaken, Code: FaultTaken, Class: "RetentionTakenError", Host: hostForbidden},
	}
}

// dealing is what a handler of the market does with its arguments.
type dealing func(e *chapter.Env, m *retention.Market, a chapter.Args) (any, error)

// deal makes a handler of the market, as use makes one of the manager.
func deal(name string, coins bool, cycles unit.Cycles, cells unit.Cells, run dealing, list ...chapter.Parameter) chapter.Handler {
	return chapter.Handler{Name: name, Ways: relay.Ways, Coins: coins, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		a, err := e.Named(r, list...)
		if err != nil {
			return nil, err
		}
		if err := e.Charge(cycles, cells+unit.Cells(len(r.Data))); err != nil {
			return nil, err
		}
		g, err := relay.Open(e)
		if err != nil {
			return nil, err
		}
		defer relay.Close(e, g)
		v, err := run(e, &retention.Market{State: e.State, Height: e.Block.Height, Relays: g, Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, event(topic, data))
		}}, a)
		if err != nil {
			return nil, err
		}
		return chapter.Plain(v)
	}}
}

func retentionHandlers() []chapter.Handler {
	const entry = params.CostVolumeEntry
	id := par("contract_id", chapter.Hash)
	return []chapter.Handler{
		deal(HandlerRetain, true, 7*entry, params.CellsVolumeCreate, retain,
			par("feed_id", chapter.Hash|maybe), par("blobs", chapter.Bytes), par("metadata", chapter.Bytes|maybe), par("sampling", chapter.Text),
			par("penalty", chapter.Text), par("sample_size", chapter.Number|maybe), par("start_epoch", chapter.Number|maybe), par("end_epoch", chapter.Number),
			par("min_replica_count", chapter.Number), par("audit_cadence", chapter.Number), par("sample_num", chapter.Number),
			par("rate_per_epoch", chapter.Number|maybe), par("stake", chapter.Number|maybe), par("slash_amount", chapter.Number|maybe),
			par("slash_bps", chapter.Number|maybe), par("max_strikes", chapter.Number|maybe)),
		deal(HandlerProvide, true, 8*entry, params.CellsVolumeGrant, provide, id, par("service_endpoint", chapter.Text|maybe)),
		deal(HandlerProvePieces, false, 10*entry, 0, provePieces, id, par("proof", chapter.Bytes)),
		// Each of up to 16 providers is read and written, with its next audit.
		deal(HandlerRenew, true, (7+4*retention.MaxReplicas)*entry, 0, renew, id, par("end_epoch", chapter.Number)),
		deal(HandlerLeaveContract, false, 8*entry, 0, ofContract((*retention.Market).Leave), id),
		deal(HandlerCancel, false, 6*entry, 0, ofContract((*retention.Market).Cancel), id),
		{Name: HandlerContract, Ways: relay.Ways, Reads: true, Run: lookContract},
	}
}

func retain(e *chapter.Env, m *retention.Market, a chapter.Args) (any, error) {
	size := a.Number(5)
	if size > 1<<32-1 {
		return nil, retention.ErrTerms
	}
	p := retention.Policy{
		SampleSize: uint32(size), Start: a.Number(6), End: a.Number(7), Replicas: octet(a.Number(8)), Cadence: a.Number(9), Samples: octet(a.Number(10)),
		Rate: unit.Amount(a.Number(11)), Stake: unit.Amount(a.Number(12)), Slash: unit.Amount(a.Number(13)), SlashBPS: a.Number(14),
		Strikes: octet(a.Number(15)),
	}
	switch a.Text(3) {
	case "CHUNK_INDEX":
	case "RANGE":
		p.Sampling = retention.ByRange
	default:
		return nil, retention.ErrTerms
	}
	switch a.Text(4) {
	case "NO_PAY":
	case "SLASH":
		p.Penalty = retention.Slash
	case "BOTH":
		p.Penalty = retention.Both
	default:
		return nil, retention.ErrTerms
	}
	id, err := m.Create(e.Sender, e.Turn.ID, retention.Request{Feed: a.Hash(0), Blobs: a.Bytes(1), Policy: p, Metadata: a.Bytes(2)}, e.Value)
	return id[:], err
}

func provide(e *chapter.Env, m *retention.Market, a chapter.Args) (any, error) {
	return done(m.Accept(e.Sender, a.Hash(0), a.Text(1), e.Value))
}

func provePieces(e *chapter.Env, m *retention.Market, a chapter.Args) (any, error) {
	pieces, err := cbfs.DecodePieces(a.Bytes(1))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(unit.Cycles(len(pieces))*params.CostRelayProof, 0); err != nil {
		return nil, err
	}
	return m.Prove(e.Sender, a.Hash(0), pieces)
}

func renew(e *chapter.Env, m *retention.Market, a chapter.Args) (any, error) {
	return done(m.Renew(e.Sender, a.Hash(0), a.Number(1), e.Value))
}

// ofContract is a call about a contract that has no other argument.
func ofContract(run func(m *retention.Market, by account.Address, id digest.Hash) error) dealing {
	return func(e *chapter.Env, m *retention.Market, a chapter.Args) (any, error) {
		return done(run(m, e.Sender, a.Hash(0)))
	}
}

// lookContract answers with what actors may know of a contract, None where there is none.
func lookContract(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("contract_id", chapter.Hash))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostVolumeRead, 0); err != nil {
		return nil, err
	}
	c, err := retention.Load(e.State, a.Hash(0))
	if err == retention.ErrNotFound {
		return chapter.Plain(nil)
	}
	if err != nil {
		return nil, err
	}
	var blobs, providers []any
	for i := range c.Blobs {
		blobs = append(blobs, c.Blobs[i].Ref.Encode())
	}
	for i := range c.Providers {
		providers = append(providers, c.Providers[i][:])
	}
	p := &c.Policy
	return chapter.Plain(cbor.Map{
		{Key: "operator", Value: c.Operator[:]}, {Key: "blob_refs", Value: blobs}, {Key: "start_epoch", Value: p.Start}, {Key: "end_epoch", Value: p.End},
		{Key: "epoch", Value: retention.EpochOf(e.Block.Height)}, {Key: "min_replica_count", Value: uint64(p.Replicas)},
		{Key: "providers", Value: providers}, {Key: "rate_per_epoch", Value: uint64(p.Rate)}, {Key: "stake", Value: uint64(p.Stake)},
		{Key: "escrow", Value: uint64(c.Escrow)},
	})
}

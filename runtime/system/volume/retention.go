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

// deal makes a handler of the market, as use makes one of the manager.
func deal(
	name string, coins bool, cycles unit.Cycles, cells unit.Cells,
	read func(e *chapter.Env, n *chapter.Named) (func(m *retention.Market) (any, error), error),
) chapter.Handler {
	return chapter.Handler{Name: name, Ways: relay.Ways, Coins: coins, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		n := chapter.Names(e, r)
		run, failed := read(e, n)
		if err := n.Finish(); err != nil {
			return nil, err
		}
		if err := e.Charge(cycles, cells+unit.Cells(len(r.Data))); err != nil {
			return nil, err
		}
		if failed != nil {
			return nil, failed
		}
		g, err := relay.Open(e)
		if err != nil {
			return nil, err
		}
		defer relay.Close(e, g)
		v, err := run(&retention.Market{State: e.State, Height: e.Block.Height, Relays: g, Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, event(topic, data))
		}})
		if err != nil {
			return nil, err
		}
		return chapter.Plain(v)
	}}
}

func retentionHandlers() []chapter.Handler {
	const entry = params.CostVolumeEntry
	return []chapter.Handler{
		deal(HandlerRetain, true, 7*entry, params.CellsVolumeCreate, retain),
		deal(HandlerProvide, true, 8*entry, params.CellsVolumeGrant, provide),
		deal(HandlerProvePieces, false, 10*entry, 0, provePieces),
		// Each of up to 16 providers is read and written, with its next audit.
		deal(HandlerRenew, true, (7+4*retention.MaxReplicas)*entry, 0, renew),
		deal(HandlerLeaveContract, false, 8*entry, 0, ofContract((*retention.Market).Leave)),
		deal(HandlerCancel, false, 6*entry, 0, ofContract((*retention.Market).Cancel)),
		{Name: HandlerContract, Ways: relay.Ways, Reads: true, Run: lookContract},
	}
}

type dealing = func(m *retention.Market) (any, error)

func retain(e *chapter.Env, n *chapter.Named) (dealing, error) {
	p := retention.Policy{
		Start: n.Number("start_epoch"), End: n.Number("end_epoch"), Replicas: n.Small("min_replica_count"), Cadence: n.Number("audit_cadence"),
		Samples: n.Small("sample_num"), Rate: unit.Amount(n.Number("rate_per_epoch")), Stake: unit.Amount(n.Number("stake")),
		Slash: unit.Amount(n.Number("slash_amount")), SlashBPS: n.Number("slash_bps"), Strikes: n.Small("max_strikes"),
	}
	size := n.Number("sample_size")
	var err error
	if p.SampleSize = uint32(size); size > 1<<32-1 {
		err = retention.ErrTerms
	}
	switch n.Text("sampling") {
	case "CHUNK_INDEX":
	case "RANGE":
		p.Sampling = retention.ByRange
	default:
		err = retention.ErrTerms
	}
	switch n.Text("penalty") {
	case "NO_PAY":
	case "SLASH":
		p.Penalty = retention.Slash
	case "BOTH":
		p.Penalty = retention.Both
	default:
		err = retention.ErrTerms
	}
	r := retention.Request{Feed: n.Hash("feed_id"), Blobs: n.Bytes("blobs"), Policy: p, Metadata: n.Bytes("metadata")}
	return func(m *retention.Market) (any, error) {
		id, err := m.Create(e.Sender, e.Turn.ID, r, e.Value)
		return id[:], err
	}, err
}

func provide(e *chapter.Env, n *chapter.Named) (dealing, error) {
	id, endpoint := n.Hash("contract_id"), n.Text("service_endpoint")
	return func(m *retention.Market) (any, error) { return done(m.Accept(e.Sender, id, endpoint, e.Value)) }, nil
}

func provePieces(e *chapter.Env, n *chapter.Named) (dealing, error) {
	id := n.Hash("contract_id")
	raw := n.Bytes("proof")
	return func(m *retention.Market) (any, error) {
		pieces, err := cbfs.DecodePieces(raw)
		if err != nil {
			return nil, err
		}
		if err := e.Charge(unit.Cycles(len(pieces))*params.CostRelayProof, 0); err != nil {
			return nil, err
		}
		return m.Prove(e.Sender, id, pieces)
	}, nil
}

func renew(e *chapter.Env, n *chapter.Named) (dealing, error) {
	id, end := n.Hash("contract_id"), n.Number("end_epoch")
	return func(m *retention.Market) (any, error) { return done(m.Renew(e.Sender, id, end, e.Value)) }, nil
}

// ofContract is a call about a contract that has no other argument.
func ofContract(run func(m *retention.Market, by account.Address, id digest.Hash) error) func(*chapter.Env, *chapter.Named) (dealing, error) {
	return func(e *chapter.Env, n *chapter.Named) (dealing, error) {
		id := n.Hash("contract_id")
		return func(m *retention.Market) (any, error) { return done(run(m, e.Sender, id)) }, nil
	}
}

// lookContract answers with what actors may know of a contract, None where there is none.
func lookContract(e *chapter.Env, r chapter.Request) ([]byte, error) {
	n := chapter.Names(e, r)
	id := n.Hash("contract_id")
	if err := n.Finish(); err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostVolumeRead, 0); err != nil {
		return nil, err
	}
	c, err := retention.Load(e.State, id)
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

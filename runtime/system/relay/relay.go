package relay

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// Names of the handlers of 0x0B. The arguments of each are a map in canonical CBOR, and so is what it returns.
const (
	HandlerRegister  = "register_relay" // node_id, public_key, endpoint, region, capacity; the coins are stake
	HandlerHeartbeat = "heartbeat"
	HandlerDrain     = "drain"
	HandlerUnstake   = "unstake"
	HandlerWithdraw  = "withdraw"
	HandlerChallenge = "challenge" // volume_id, slot; the coins are bond and fee; returns the challenge_id
	HandlerProve     = "prove"     // challenge_id, proof; returns whether it is one
	HandlerRelay     = "get_relay" // owner; returns a map, or None
)

// The codes of faults about relays.
//
// Spec: storage-cbfs §9.
const (
	FaultUnknown   uint16 = 1831
	FaultProfile   uint16 = 1832
	FaultStake     uint16 = 1833
	FaultStatus    uint16 = 1834
	FaultSlots     uint16 = 1835
	FaultEarly     uint16 = 1836
	FaultCapacity  uint16 = 1837
	FaultAuth      uint16 = 1838
	FaultNotFound  uint16 = 1839
	FaultConflict  uint16 = 1840
	FaultAlive     uint16 = 1841
	FaultChallenge uint16 = 1842
	FaultAsked     uint16 = 1843
	FaultBond      uint16 = 1844
	FaultProof     uint16 = 1845
)

// The numbers of HostError. Spec: sdk §18.
const (
	hostInput     = 2
	hostMissing   = 3
	hostForbidden = 5
	hostLimit     = 8
)

// Ways are how each handler of 0x0A and 0x0B may be reached: by a message of an actor, which carries no coins, by a call of one, which may, and by an Execute
// transaction.
const Ways = chapter.ByMessage | chapter.ByExecute | chapter.ByCall

// New gives the chapter.
//
// Spec: storage-cbfs §3, §6; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterRelay, Homes: []byte{account.RelayRegistry},
		Handlers: []chapter.Handler{
			{Name: HandlerRegister, Ways: Ways, Coins: true, Run: register},
			plain(HandlerHeartbeat, 2, (*relay.Registry).Heartbeat), plain(HandlerDrain, 4, (*relay.Registry).Drain),
			plain(HandlerUnstake, 5, (*relay.Registry).Unstake), plain(HandlerWithdraw, 6, (*relay.Registry).Withdraw),
			{Name: HandlerChallenge, Ways: Ways, Coins: true, Run: challenge},
			{Name: HandlerProve, Ways: Ways, Run: prove},
			{Name: HandlerRelay, Ways: Ways, Reads: true, Run: look},
		},
		End: end, Faults: Faults(), Claims: relay.Claims(string(tx.ChapterRelay)), Params: Params(),
	}
}

// Params are the governed groups of volumes and relays. Who stakes what, and what is slashed, takes a tier more than prices.
//
// Spec: storage-cbfs §6, §8; governance-staking B3.
func Params() []chapter.Param {
	terms := relay.Genesis()
	var list []chapter.Param
	for _, key := range relay.Keys() {
		tier := uint8(0)
		if key == relay.KeyStake || key == relay.KeyPenalty {
			tier = 1
		}
		list = append(list, chapter.Param{
			Key: key, Default: terms.Encode(key), Tier: tier, Check: func(value []byte) error { return relay.Check(key, value) },
		})
	}
	return list
}

// Faults are the rejects of package relay, for those that ask it.
func Faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: relay.ErrUnknown, Code: FaultUnknown, Class: "RelayNotFoundError", Host: hostMissing},
		{Err: relay.ErrProfile, Code: FaultProfile, Class: "RelayInputError", Host: hostInput},
		{Err: relay.ErrStake, Code: FaultStake, Class: "RelayStakeError", Host: hostInput},
		{Err: relay.ErrStatus, Code: FaultStatus, Class: "RelayStatusError", Host: hostForbidden},
		{Err: relay.ErrSlots, Code: FaultSlots, Class: "RelayStatusError", Host: hostForbidden},
		{Err: relay.ErrEarly, Code: FaultEarly, Class: "RelayStatusError", Host: hostForbidden},
		{Err: relay.ErrCapacity, Code: FaultCapacity, Class: "ErrCapacity", Host: hostLimit},
		{Err: relay.ErrAuth, Code: FaultAuth, Class: "ErrAuth", Host: hostForbidden},
		{Err: relay.ErrNotFound, Code: FaultNotFound, Class: "ErrNotFound", Host: hostMissing},
		{Err: relay.ErrConflict, Code: FaultConflict, Class: "ErrConflict", Host: hostInput},
		{Err: relay.ErrAlive, Code: FaultAlive, Class: "RelayStatusError", Host: hostForbidden},
		{Err: relay.ErrChallenge, Code: FaultChallenge, Class: "ChallengeError", Host: hostMissing},
		{Err: relay.ErrAsked, Code: FaultAsked, Class: "ChallengeError", Host: hostForbidden},
		{Err: relay.ErrBond, Code: FaultBond, Class: "ChallengeError", Host: hostInput},
		{Err: cbfs.ErrProofForm, Code: FaultProof, Class: "ChallengeError", Host: hostInput},
	}
}

// Open is the registry as a turn sees it; Close ends its use.
func Open(e *chapter.Env) (*relay.Registry, error) {
	terms, err := relay.LoadTerms(e.State)
	return &relay.Registry{
		State: e.State, Terms: terms, Height: e.Block.Height, TimeMs: e.Block.TimestampMs, Beacon: e.Block.Seed.Signature[:], Bill: e.Bill,
		Look: func() error { return e.Charge(params.CostVolumeLook, 0) },
		Emit: func(topic string, data []byte) { e.Effects.Events = append(e.Effects.Events, event(topic, data)) },
	}, err
}

// Close adds what a registry burned to the turn.
func Close(e *chapter.Env, g *relay.Registry) { e.Effects.Burn(string(e.Chapter.Name), g.Burned) }

// At is the registry as the end of a block sees it; Done ends its use.
func At(b *chapter.Boundary) (*relay.Registry, error) {
	terms, err := relay.LoadTerms(b.State)
	return &relay.Registry{
		State: b.State, Terms: terms, Height: b.Block.Height, TimeMs: b.Block.TimestampMs, Beacon: b.Block.Seed.Signature[:], Bill: b.Bill,
		Emit: func(topic string, data []byte) { b.Events = append(b.Events, event(topic, data)) },
	}, err
}

func event(topic string, data []byte) block.Event {
	return block.Event{Actor: relay.Home(), Topic: []byte(topic), Data: data}
}

func end(b *chapter.Boundary) error {
	g, err := At(b)
	if err == nil {
		err = g.End()
	}
	b.Burn(string(tx.ChapterRelay), g.Burned)
	return err
}

// plain makes a handler without arguments that moves so many entries of the state.
func plain(name string, entries uint64, run func(g *relay.Registry, owner account.Address) error) chapter.Handler {
	return chapter.Handler{Name: name, Ways: Ways, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if _, err := e.Named(r); err != nil {
			return nil, err
		}
		if err := e.Charge(unit.Cycles(entries)*params.CostVolumeEntry, 0); err != nil {
			return nil, err
		}
		g, err := Open(e)
		if err != nil {
			return nil, err
		}
		defer Close(e, g)
		if err := run(g, e.Sender); err != nil {
			return nil, err
		}
		return chapter.Plain(true)
	}}
}

func par(name string, kind chapter.Kind) chapter.Parameter {
	return chapter.Parameter{Name: name, Kind: kind}
}

func register(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("node_id", chapter.Hash), par("public_key", chapter.Hash), par("endpoint", chapter.Text),
		par("region", chapter.Text|chapter.Optional), par("capacity", chapter.Number))
	if err != nil {
		return nil, err
	}
	p := relay.Profile{Node: a.Hash(0), Key: a.Hash(1), Endpoint: a.Text(2), Region: a.Text(3), Capacity: a.Number(4)}
	if err := e.Charge(params.CostRelayRegister, params.CellsRelayRegister); err != nil {
		return nil, err
	}
	g, err := Open(e)
	if err != nil {
		return nil, err
	}
	defer Close(e, g)
	if err := g.Register(e.Sender, p, e.Value); err != nil {
		return nil, err
	}
	return chapter.Plain(true)
}

func challenge(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("volume_id", chapter.Hash), par("slot", chapter.Number))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(4*params.CostVolumeEntry, params.CellsVolumeGrant); err != nil {
		return nil, err
	}
	g, err := Open(e)
	if err != nil {
		return nil, err
	}
	defer Close(e, g)
	id, err := g.Challenge(e.Sender, a.Hash(0), uint8(min(a.Number(1), 255)), e.Value)
	if err != nil {
		return nil, err
	}
	return chapter.Plain(id[:])
}

func prove(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("challenge_id", chapter.Hash), par("proof", chapter.Bytes))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostRelayProof+4*params.CostVolumeEntry, 0); err != nil {
		return nil, err
	}
	proof, err := cbfs.DecodeProof(a.Bytes(1))
	if err != nil {
		return nil, err
	}
	g, err := Open(e)
	if err != nil {
		return nil, err
	}
	defer Close(e, g)
	right, err := g.Prove(e.Sender, a.Hash(0), proof)
	if err != nil {
		return nil, err
	}
	return chapter.Plain(right)
}

// look answers with what actors may know of a relay.
func look(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("owner", chapter.Address))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(params.CostVolumeRead, 0); err != nil {
		return nil, err
	}
	one, err := relay.Load(e.State, a.Address(0))
	if err == relay.ErrUnknown {
		return chapter.Plain(nil)
	}
	if err != nil {
		return nil, err
	}
	return chapter.Plain(cbor.Map{
		{Key: "node_id", Value: one.Node[:]}, {Key: "public_key", Value: one.Key[:]}, {Key: "endpoint", Value: one.Endpoint},
		{Key: "region", Value: one.Region}, {Key: "status", Value: one.Status.String()}, {Key: "capacity", Value: one.Capacity},
		{Key: "used", Value: one.Used}, {Key: "stake", Value: uint64(one.Stake)}, {Key: "shards_held", Value: one.Shards},
		{Key: "shards_lost", Value: uint64(one.Lost)},
	})
}

package recorded

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	"github.com/cowboyinc/cowboy-go/testkit"
)

var (
	blocks = flag.Int("blocks", 4_000, "blocks that are played")
	record = flag.Bool("record", false, "write the file anew")
)

// file has a line for every hundredth block: height, state root, digest of the headers and receipts so far.
const file = "testdata/chain.txt"

// source is the actor that is deployed again and again.
const source = `from pvm_host import (set_state, get_state, send_message, set_timer, set_interval, create_deferred_tx, call_actor, transfer, emit_event,
    submit_job, get_block_height, get_sender, cancel_timer, spawn_actor, randomness)

def init(p):
    set_state(b"n", b"0")

def attack(p):
    raise ValueError(p)

def work(p):
    """p: what to do, and another actor"""
    n = int(get_state(b"n")) + 1
    set_state(b"n", str(n).encode())
    what, other = p[0] % 10, p[1:21]
    if what == 0: send_message(other, {"handler": "work", "payload": n})
    elif what == 1: set_timer(get_block_height() + 3, "wake", {"n": n})
    elif what == 2: create_deferred_tx("later", p)
    elif what == 3: return call_actor(other, "read", b"")
    elif what == 4: transfer(other, 5)
    elif what == 5: submit_job({"job_type": "llm", "cid": "c%d" % n, "payload": {"prompt": "x"}})
    elif what == 6: set_state(b"k%d" % (n % 50), b"v" * (n % 200))
    elif what == 7: emit_event("worked", {"n": n})
    elif what == 8: send_message(b"\x00" * 19 + b"\x02", {"cid": "d%d" % n})
    else: send_message(other, b"plain", value=3)
    return b"ok"

def read(p):
    return get_state(b"n")

def later(p):
    emit_event("later", p)
    return randomness(b"x")

def wake(p):
    emit_event("woke", {"n": p["n"]})

def on_message(p):
    emit_event("got", str(type(p)))
`

// player sends what the next block holds.
type player struct {
	chain  *testkit.Chain
	draw   *rand.Rand
	people []*testkit.Account
	admin  *testkit.Account
	actors []account.Address
	timers []digest.Hash
	tokens []digest.Hash
	grants []digest.Hash
	locked []locked // time locks, the oldest first
	roles  []digest.Hash
	jobs   []digest.Hash
	said   map[digest.Hash]map[int][]byte // what a person committed to in a job
	from   *testkit.Account               // who sends what was drawn; nil: anybody
	stored map[account.Address][]rent.Entry
	count  map[string]int
	made   int
	sent   func(from *testkit.Account, in tx.Instruction, id digest.Hash) // nil; told of what a step sends
	t      *testing.T
}

func (p *player) person() *testkit.Account { return p.people[p.draw.IntN(len(p.people))] }

func (p *player) actor() account.Address {
	if len(p.actors) == 0 || p.draw.IntN(40) == 0 {
		return account.Address{9, byte(p.draw.IntN(4))} // nobody
	}
	return p.actors[p.draw.IntN(len(p.actors))]
}

// instruction draws one that a person sends.
func (p *player) instruction() (in tx.Instruction, cycles unit.Cycles, cells unit.Cells) {
	height := p.chain.Height()
	switch n := p.draw.IntN(44); {
	case n < 5:
		return &tx.Transfer{To: p.person().Address(), Amount: unit.Amount(p.draw.IntN(1_000))}, 21_000, 0
	case n == 5:
		p.made++
		return &tx.CreateAccount{Address: account.Address{7, byte(p.made / 2 >> 8), byte(p.made / 2)}, Amount: 10}, 40_000, 1_000
	case n == 6:
		return &tx.FundActor{Actor: p.actor(), Amount: unit.Amount(p.draw.IntN(int(unit.CBY)))}, 50_000, 1_000
	case n < 16:
		data := append([]byte{byte(p.draw.IntN(256))}, addressOf(p.actor())...)
		handler := []string{"work", "work", "work", "work", "read", "attack", "none"}[p.draw.IntN(7)]
		return &tx.Execute{To: p.actor(), Handler: []byte(handler), Payload: data, Amount: unit.Amount(p.draw.IntN(3))}, 300_000, 20_000
	case n == 16:
		expires, gas := uint64(height)+500, uint64(100_000)
		in := &tx.TimerSchedule{Actor: p.actor(), Height: height + 2 + unit.Height(p.draw.IntN(200)), Handler: []byte("wake"), Payload: []byte("x")}
		if p.draw.IntN(2) == 0 {
			in.ExpiresAt, in.CyclesPerFire = &expires, &gas
		}
		return in, 100_000, 10_000
	case n == 17 && p.draw.IntN(2) == 0:
		code := fmt.Sprintf("%s# %d\n", source, p.draw.IntN(100))
		return &tx.UpgradeActor{Actor: p.actor(), Code: []byte(code)}, 2_000_000, 100_000
	case n == 17:
		return &tx.ValidatorAddStake{Amount: unit.Amount(p.draw.IntN(100))}, 200_000, 10_000
	case n == 18:
		amount := uint64(p.draw.IntN(50_000)) * uint64(unit.CBY)
		if p.draw.IntN(3) == 0 {
			return &tx.ValidatorExit{}, 200_000, 10_000
		}
		return &tx.ValidatorExit{Amount: &amount}, 200_000, 10_000
	case n == 19:
		return &tx.ValidatorWithdraw{}, 200_000, 10_000
	case n == 20:
		return &tx.ValidatorUnjail{}, 200_000, 10_000
	case n == 21:
		return &tx.SubmitMisbehaviour{Evidence: []byte{byte(p.draw.IntN(3)), 1, 2}}, 500_000, 20_000
	case n == 22:
		return &tx.SystemDkg{Log: []byte{1, 2, 3}}, 500_000, 20_000
	case n > 39:
		in, p.from = p.secret()
		return in, 2_400_000, 12_000
	case n == 39 && p.draw.IntN(2) == 0:
		in, p.from = p.session()
		return in, 100_000, 5_000
	case n == 39:
		return p.trust(), 250_000, 5_000
	case n > 33:
		in, p.from = p.market()
		return in, 150_000, 5_000
	case n == 33:
		return p.runner(), 100_000, 5_000
	case n == 32 && p.draw.IntN(2) == 0:
		return p.bank(), 100_000, 5_000
	case n > 31:
		return p.rent(), 300_000, 60_000
	case n > 29:
		return p.entitlement(), 100_000, 5_000
	case n > 27:
		return p.token(), 400_000, 60_000
	case n > 23:
		return p.governance(n), 500_000, 20_000
	default:
		switch p.draw.IntN(4) {
		case 0:
			return p.ingress(), 200_000, 20_000
		case 1:
			return p.storage(), 200_000, 20_000
		}
		return &tx.Execute{To: account.System(byte(p.draw.IntN(32))), Handler: []byte("anything")}, 50_000, 1_000
	}
}

// proposal draws the number of a proposal that there may be.
func (p *player) proposal() uint64 { return uint64(1 + p.draw.IntN(1+len(p.chain.Blocks())/80)) }

// governance draws an instruction about proposals.
func (p *player) governance(n int) tx.Instruction {
	id := p.proposal()
	switch {
	case n == 25:
		return &tx.ExecuteProposal{Proposal: id}
	case n == 27 && p.draw.IntN(4) == 0:
		return p.pause()
	}
	return &tx.CastVote{Proposal: id, Choice: uint64(p.draw.IntN(3))}
}

// pause is an act of the council, which pauses one of the actors nobody needs.
func (p *player) pause() tx.Instruction {
	target := account.System([]byte{account.Bank, account.Treasury}[p.draw.IntN(2)])
	in := &tx.CouncilAct{Act: tx.ActPause, Actor: target}
	if c, ok, err := govern.LoadCouncil(p.chain.State()); err == nil && ok {
		in.Nonce = c.Nonce
	}
	for _, k := range genesis.DevCouncil()[:7] {
		s := k.Sign(govern.Digest(testkit.ChainID, 0, in.Nonce, govern.PauseAct(target)))
		in.Signatures = append(in.Signatures, s[:]...)
	}
	return in
}

func addressOf(a account.Address) []byte { return a[:] }

// governed draws an instruction of the administrator.
func (p *player) governed() tx.Instruction {
	now := params.Genesis()
	id := digest.SHA256([]byte{byte(p.draw.IntN(9))})
	if len(p.timers) > 0 {
		id = p.timers[len(p.timers)-1-p.draw.IntN(min(len(p.timers), 4))]
	}
	switch p.draw.IntN(12) {
	case 10:
		now.Reputation.HalfLifeBlocks += uint64(p.draw.IntN(3))
		return &tx.UpdateReputationConfig{Config: now.Reputation}
	case 11:
		return &tx.UpdateSlashDistribution{Config: now.SlashDistribution}
	case 9: // what an actor here stores costs about half a coin an epoch
		now.Rent.EpochBlocks, now.Rent.GraceBytes, now.Rent.RatePerByteYear, now.Rent.ReserveBPS = 20, 0, 300*unit.CBY, 0
		return &tx.UpdateRentConfig{Config: now.Rent}
	case 7:
		return &tx.SubmitProposal{
			Payload: govern.EncodePayload(&govern.ParamUpdate{Key: params.KeyLanes, Value: now.Lanes.Append(nil)}), Deposit: now.Governance.Tiers[0].Deposit,
		}
	case 8:
		return &tx.WithdrawProposal{Proposal: p.proposal()}
	case 0:
		now.Basefee.Alpha += uint64(p.draw.IntN(3))
		return &tx.UpdateBasefeeConfig{Config: now.Basefee}
	case 1:
		return &tx.UpdateLaneFeeMultipliers{Multipliers: now.Lanes}
	case 2:
		now.Timer.MaxTimersPerActor += uint32(p.draw.IntN(5))
		return &tx.UpdateTimerConfig{Config: now.Timer}
	case 3:
		return &tx.CancelTimer{TimerID: id}
	case 4:
		return &tx.ExtendTimer{TimerID: id, ExpiresAt: p.chain.Height() + 900}
	case 5:
		return &tx.UpdateEntitlementConfig{Config: now.Entitlements}
	}
	height := p.chain.Height()
	if height > 4_000 {
		return &tx.ActivateTimerMarket{Height: height + 10}
	}
	return &tx.ActivateTimerMarket{Height: height} // too late
}

// deploy adds an actor, with a manifest or without.
func (p *player) deploy(t *testing.T) {
	in := &tx.Deploy{Code: []byte(source), Salt: []byte(fmt.Sprint("s", len(p.actors))), InitHandler: []byte("init")}
	r := p.people[len(p.actors)%len(p.people)].Do(in, testkit.DeployCycles, testkit.DeployCells)
	if r.Created == nil {
		t.Fatal(testkit.Describe(r))
	}
	p.count[fmt.Sprintf("%v %v", in.Opcode(), r.Status)]++
	p.actors = append(p.actors, *r.Created)
	if len(p.actors)%4 != 3 { // the others have nothing to pay rent with
		p.people[0].Fund(*r.Created, 100*unit.CBY)
	}
}

// validator makes a person a validator, whose stake the faucet gives.
func (p *player) validator(t *testing.T, n int) {
	secret := digest.SHA256([]byte{'v', byte(n)})
	secret[0] &= 0x3f
	key, err := bls.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	who := p.people[n%len(p.people)]
	p.chain.SetBalance(who.Address(), 500_000*unit.CBY)
	in := &tx.ValidatorRegister{Key: key.PublicKey().Bytes(), Possession: key.ProvePossession(sig.NewNamespace(testkit.ChainID)), Stake: 100_000 * unit.CBY}
	r := who.Do(in, 500_000, 10_000)
	p.count[fmt.Sprintf("%v %v", in.Opcode(), r.Status)]++
}

func newPlayer(t *testing.T) *player {
	p := &player{
		chain: testkit.NewChain(t), draw: rand.New(rand.NewPCG(1, 2)), count: map[string]int{}, said: map[digest.Hash]map[int][]byte{},
		stored: map[account.Address][]rent.Entry{}, t: t,
	}
	for i := range 8 {
		p.people = append(p.people, p.chain.Account(fmt.Sprint("person ", i)))
		p.chain.SetBalance(p.people[i].Address(), 100_000*unit.CBY)
	}
	p.admin = p.chain.Impersonate(genesis.DevFaucet().Address())
	for range 3 {
		p.deploy(t)
	}
	p.enrol()
	p.chain.SetRunner(dispatcher.Script{Reply: testkit.ReplyWith(dispatcher.OK, "answer")})
	return p
}

// step sends a block's transactions, makes it, and counts what became of them.
func (p *player) step() []*block.Receipt {
	ids := map[digest.Hash]tx.Opcode{}
	for range p.draw.IntN(4) {
		in, cycles, cells := p.instruction()
		from := p.person()
		if p.from != nil {
			from, p.from = p.from, nil
		}
		if row, _ := tx.RowOf(in.Opcode()); row.Chapter == tx.ChapterToken || row.Chapter == tx.ChapterEntitle {
			from = p.people[p.draw.IntN(2)] // who made most of what there is
		}
		id := from.Send(in, cycles, cells)
		ids[id] = in.Opcode()
		if p.sent != nil {
			p.sent(from, in, id)
		}
	}
	if p.draw.IntN(10) == 0 {
		in := p.governed()
		if p.draw.IntN(2) == 0 {
			in = p.decided()
		}
		ids[p.admin.Send(in, 500_000, 10_000)] = in.Opcode()
	}
	if p.draw.IntN(25) == 0 {
		in := p.banks()
		ids[p.admin.Send(in, 100_000, 5_000)] = in.Opcode()
	}
	p.chain.Mine()
	made := p.chain.Blocks()
	receipts := made[len(made)-1].Receipts
	for _, r := range receipts {
		name := fmt.Sprintf("%v %v", r.Kind, r.Status)
		if op, ok := ids[r.ID]; ok {
			name = fmt.Sprintf("%v %v", op, r.Status)
			if r.Status == block.Success {
				p.keep(op, r.ReturnData)
			}
		}
		p.count[name]++
	}
	return receipts
}

// play makes so many blocks and gives a line for every hundredth.
func play(t *testing.T, n int) ([]string, map[string]int) {
	p := newPlayer(t)
	sum := sha256.New()
	var lines []string
	seen := 0
	for len(p.chain.Blocks()) < n {
		switch height := len(p.chain.Blocks()); {
		case height/400 > len(p.actors)-3:
			p.deploy(t)
		case height/1_000 > p.made>>16:
			p.made += 1 << 16
			p.validator(t, height/1_000)
		default:
			p.step()
		}
		for _, b := range p.chain.Blocks()[seen:] {
			seen++
			hash := b.Header.Hash()
			sum.Write(hash[:])
			for _, r := range b.Receipts {
				sum.Write(r.Encode())
			}
			if seen%100 == 0 && seen <= n {
				lines = append(lines, fmt.Sprintf("%d %v %x", b.Header.Height, b.Header.StateRoot, binary.BigEndian.Uint64(sum.Sum(nil))))
			}
		}
	}
	return lines, p.count
}

// The recorded chain is made again to the same roots and receipts.
//
// Spec: WP "The State Transition Function"; ARCHITECTURE "One block, from bytes to root".
func TestRecordedChain(t *testing.T) {
	lines, count := play(t, *blocks)
	if *record {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded := strings.Split(string(bytes.TrimSpace(data)), "\n")
	if len(lines) == 0 || len(lines) > len(recorded) {
		t.Fatalf("%d lines played, %d recorded", len(lines), len(recorded))
	}
	for i, line := range lines {
		if line != recorded[i] {
			t.Fatalf("played %s, recorded %s", line, recorded[i])
		}
	}
	for _, row := range tx.Rows() {
		if row.Built() && count[fmt.Sprintf("%v %v", row.Opcode, block.Success)]+count[fmt.Sprintf("%v %v", row.Opcode, block.Faulted)] == 0 {
			t.Errorf("no block has %v", row.Opcode)
		}
	}
	names := make([]string, 0, len(count))
	for name := range count { // order-free: sorted below
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%6d %s", count[name], name)
	}
}

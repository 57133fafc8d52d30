package sim

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/testkit/check"
)

const (
	chainID    = 1
	clientsMax = 4
)

// setup is what all runs with the same number of validators share. It is read only.
type setup struct {
	spec      *genesis.Spec
	namespace sig.Namespace
	keys      []genesis.DevValidator
	calendar  params.Calendar
	first     *ledger.Final
}

var setups struct {
	sync.Mutex
	of map[kit]*setup
}

// kit is what a setup depends on.
type kit struct{ validators, epoch, joiners, heavy int }

// setupOf makes or finds a plan's setup.
func setupOf(p Plan) (*setup, error) {
	setups.Lock()
	defer setups.Unlock()
	n, k := p.Validators, kit{p.Validators, p.Epoch, p.Joiners, p.Heavy}
	if s := setups.of[k]; s != nil {
		return s, nil
	}
	spec, err := genesis.Devnet(chainID, n)
	if err != nil {
		return nil, err
	}
	for i := range clientsMax {
		key, err := clientKey(i)
		if err != nil {
			return nil, err
		}
		spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: key.Address(), Balance: 1_000 * unit.CBY})
		spec.Accounts[0].Balance -= 1_000 * unit.CBY
	}
	for i := range p.Joiners {
		keys, err := joinerKeys(i)
		if err != nil {
			return nil, err
		}
		spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: keys.Account.Address(), Balance: joinerPurse})
		spec.Accounts[0].Balance -= joinerPurse
	}
	if more := unit.Amount(max(p.Heavy-1, 0)) * genesis.DevnetStake; more > 0 {
		spec.Validators[0].Stake += more
		spec.Accounts[0].Balance -= more
	}
	spec.EpochBlocks = uint64(p.Epoch)
	s := &setup{spec: spec, namespace: sig.NewNamespace(chainID)}
	if s.calendar, err = spec.Calendar(); err != nil {
		return nil, err
	}
	if s.keys, _, err = genesis.DevValidators(n); err != nil {
		return nil, err
	}
	if s.first, err = ledger.Genesis(spec, state.Config{}, state.NewMemory(state.Config{})); err != nil {
		return nil, err
	}
	if setups.of == nil {
		setups.of = map[kit]*setup{}
	}
	setups.of[k] = s
	return s, nil
}

func clientKey(i int) (*sig.PrivateKey, error) {
	raw := genesis.DevKey(fmt.Sprint("client", i), 0)
	return sig.ParsePrivateKey(raw[:])
}

// chain is a checker that has only the genesis.
func (s *setup) chain() *check.Chain {
	return check.NewChain(&s.first.Block.Header, s.first.State, host.New(host.NewPrograms()))
}

// client sends one transfer after the other: each to some machine, again and again until it is final.
type client struct {
	w     *World
	index uint64
	acts  uint64
	key   *sig.PrivateKey
	nonce uint64
	raw   []byte
}

// clientEvery is how often a client looks whether its transfer is final.
const clientEvery = 400 * time.Millisecond

func newClient(w *World, i int) *client {
	key, err := clientKey(i)
	if err != nil {
		panic(err)
	}
	c := &client{w: w, index: uint64(i), key: key}
	w.after(w.between(0, clientEvery, drawClient, c.index, 0), c.act)
	return c
}

func (c *client) act() {
	w := c.w
	c.acts++
	w.after(w.between(clientEvery/2, 2*clientEvery, drawClient, c.index, c.acts, 0), c.act)
	a, err := account.Load(w.chain.State(), c.key.Address())
	if err != nil {
		panic(err)
	}
	if c.raw == nil || a.Nonce != c.nonce {
		c.nonce = a.Nonce
		t := &tx.Tx{
			ChainID: chainID, Nonce: a.Nonce, Instruction: &tx.Transfer{To: account.Address{0xee, byte(a.Nonce)}, Amount: unit.Amount(a.Nonce) + 1},
			CyclesLimit: 100_000, CellsLimit: 1_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: c.key.Address(),
		}
		t.Signature = c.key.Sign(t.SigningHash())
		c.raw = t.Encode()
	}
	m := w.machines[w.draw(drawClient, c.index, c.acts, 1)%uint64(len(w.machines))]
	if m.life == nil || m.life.node == nil {
		return
	}
	m.life.node.Lanes.Admit(lanes.Submit{Raw: [][]byte{c.raw}, Reply: func(r []lanes.Result) { c.answered(m, r[0].Err) }})
}

// answered holds that an honest node rejects a good transaction for no other reason than that it knows better.
func (c *client) answered(m *machine, err error) {
	var nonce *tx.NonceError
	class, rejected := tx.ClassOf(err)
	if err == nil || !m.honest() || errors.As(err, &nonce) || errors.Is(err, lanes.ErrKnown) || errors.Is(err, lanes.ErrBusy) ||
		errors.Is(err, lanes.ErrAccountFull) || !rejected {
		return
	}
	c.w.violation("%s rejects a transfer: %v", m.name, class)
}

package relays

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	chain "github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-relay/operate"
	runner "github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// MaxRelays bounds the relays of a network in one process: a volume has 24 slots at most.
	MaxRelays  = 24
	capacity   = 10 << 30 // bytes
	stake      = 5_000 * unit.CBY
	purse      = 100 * unit.CBY // for what a relay sends; it is filled up when half of it is gone
	again      = 20 * time.Second
	looksFor   = 30 // polls between two looks at the registration and the purse
	stopWithin = 40 * time.Second
)

// Config is what relays are started with.
type Config struct {
	Relays  int
	Dir     string // of the stores; "" for a temporary one
	Node    *api.Client
	ChainID uint64
	Every   time.Duration // between two polls
	// Connections bounds the connections of each relay, in all and from one address: on a development network they all come from this machine.
	Connections int
	Accounts    string // host:port of the first one's account API, the others have the ports behind it; "" for none
	Log         zerolog.Logger
}

// Relays are those that are up.
type Relays struct {
	members []*operate.Relay
	tree    *supervision.Tree
	scratch string // to be removed
}

// Start opens the stores and ports and starts the relays, which enrol as soon as the node answers.
func Start(c Config) (*Relays, error) {
	if c.Relays < 1 || c.Relays > MaxRelays {
		return nil, fmt.Errorf("a development network has 1 to %d relays, not %d", MaxRelays, c.Relays)
	}
	r := &Relays{}
	if err := r.start(&c); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	return r, nil
}

func (r *Relays) start(c *Config) (err error) {
	under := c.Dir
	if under == "" {
		if r.scratch, err = os.MkdirTemp("", "cowboyd-relays-"); err != nil {
			return err
		}
		under = r.scratch
	}
	root := supervision.Spec{
		Name: "relays", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 10, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: time.Second, Max: 10 * time.Second},
	}
	limits := mutual.DefaultLimits()
	limits.Connections, limits.PerAddress = c.Connections, c.Connections
	faucet := runner.NewClient(c.Node, genesis.DevFaucet())
	for i := range c.Relays {
		account, seed := genesis.DevRelay(byte(i)), genesis.DevKey("relay-protocol", byte(i))
		key := ed25519.NewKeyFromSeed(seed[:])
		joining := &enrolment{Chain: operate.NewChain(c.Node, account), faucet: faucet, account: account}
		log := c.Log.With().Int("relay", i).Logger()
		at := filepath.Join(under, fmt.Sprintf("relay-%d", i))
		s := &operate.Setting{
			Self: account.Address(), Key: key, Dir: at, Capacity: capacity, Listen: "127.0.0.1:0", ChainID: c.ChainID, Chain: joining, Every: c.Every,
			Limits: limits, Retained: operate.RetainedIn(at), Contracts: operate.Contracts{Chain: joining.Chain},
			Observe: func(what string, err error) { log.Debug().Err(err).Msg(what) },
		}
		if s.Accounts, err = c.accounts(i); err != nil {
			return err
		}
		one, err := operate.New(s)
		if err == nil {
			r.members = append(r.members, one)
			err = operate.Furnish(s, account, c.Node.URL, one.Address())
		}
		if err != nil {
			return fmt.Errorf("relay %d: %w", i, err)
		}
		joining.profile = chain.Profile{
			Node: operate.NodeOf(key), Key: digest.Hash(key.Public().(ed25519.PublicKey)), Endpoint: one.Address(), Capacity: capacity,
		}
		one.Tree.Name = fmt.Sprintf("relay-%d", i)
		root.Children = append(root.Children, one.Tree)
		c.Log.Info().Int("relay", i).Str("address", account.Address().String()).Str("endpoint", one.Address()).Str("accounts", one.AccountsURL()).
			Msg("a relay is up")
	}
	r.tree, err = supervision.New(root, supervision.Config{Observe: func(e supervision.Event) {
		c.Log.Debug().Str("subsystem", e.Subsystem).Str("event", string(e.Kind)).Msg(e.Text)
	}})
	if err == nil {
		r.tree.Spawn()
	}
	return err
}

// accounts says where a relay serves its account API.
func (c *Config) accounts(number int) (operate.Accounts, error) {
	if c.Accounts == "" {
		return operate.Accounts{}, nil
	}
	host, port, err := net.SplitHostPort(c.Accounts)
	if err != nil {
		return operate.Accounts{}, err
	}
	first, err := strconv.Atoi(port)
	return operate.Accounts{Listen: net.JoinHostPort(host, strconv.Itoa(first+number)), Node: c.Node}, err
}

// Stop ends the relays.
func (r *Relays) Stop() error {
	var err error
	for _, one := range r.members {
		err = errors.Join(err, one.Stop())
	}
	if r.tree != nil {
		ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
		defer cancel()
		err = errors.Join(err, r.tree.Stop(ctx))
	}
	if r.scratch != "" {
		err = errors.Join(err, os.RemoveAll(r.scratch))
	}
	return err
}

// sending are the limits of a transfer.
var sending = tx.Cost{Cycles: 100_000, Cells: 60_000}

var errEnrolling = errors.New("the relay's coins or its registration are on their way")

// enrolment is the chain, for a relay that registers itself before it is told of itself.
type enrolment struct {
	*operate.Chain
	faucet  *runner.Client
	account *sig.PrivateKey
	profile chain.Profile

	polls    int       // since the last look at a relay that is registered; 0 for a look
	asked    time.Time // for coins
	declared time.Time // to the registry
}

// Self implements relay.Chain. It is asked by one goroutine, once for each poll.
func (e *enrolment) Self(ctx context.Context) (*reach.Relay, error) {
	me, err := e.Chain.Self(ctx)
	missing := errors.Is(err, reach.ErrUnknown)
	if err != nil && !missing {
		return nil, err
	}
	moved := missing || me.Endpoint != e.profile.Endpoint
	if e.polls = (e.polls + 1) % looksFor; !moved && e.polls != 1 {
		return me, nil
	}
	account, err := e.Node.Account(ctx, e.account.Address().String())
	if err != nil {
		return nil, err
	}
	wanted, coins := purse/2, unit.Amount(0)
	if missing {
		wanted, coins = wanted+stake, stake
	}
	switch poor := account.Balance < uint64(wanted); { // what was sent shows on the chain, or did not come; what was refused is sent with the next poll
	case poor && time.Since(e.asked) > again:
		if err = e.faucet.Send(ctx, &tx.Transfer{To: e.account.Address(), Amount: wanted + purse/2}, sending); err == nil {
			e.asked = time.Now()
		}
	case !poor && moved && time.Since(e.declared) > again:
		if err = e.Register(ctx, &e.profile, coins); err == nil {
			e.declared = time.Now()
		}
	}
	if err == nil && moved {
		err = errEnrolling
	}
	return me, err
}

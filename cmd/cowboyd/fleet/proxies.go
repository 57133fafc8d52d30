package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	proxies "github.com/cowboyinc/cowboy-go/cmd/cowboy-proxy/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// MaxProxies bounds the proxies of a development network; the registry's default committee has five.
const MaxProxies = 16

// devPassphrase seals the vaults of a development network, which are no secret.
const devPassphrase = "cowboy development network"

// ProxyConfig is what the proxies of a development network are started with.
type ProxyConfig struct {
	Count   int
	Dir     string // of the vaults; "" for memory
	Port    int    // UDP port of the first one; 0 for any
	Node    *api.Client
	ChainID uint64
	Every   time.Duration
	Log     zerolog.Logger
}

// Proxies are those that are up.
type Proxies struct {
	open []*proxies.Proxy
	tree *supervision.Tree
}

// StartProxies starts proxies, which enrol as soon as the node answers.
func StartProxies(c ProxyConfig) (*Proxies, error) {
	if c.Count < 1 || c.Count > MaxProxies {
		return nil, fmt.Errorf("a development network has 1 to %d proxies, not %d", MaxProxies, c.Count)
	}
	p := &Proxies{}
	if err := p.start(&c); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

func (p *Proxies) start(c *ProxyConfig) (err error) {
	root := supervision.Spec{
		Name: "proxies", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 10, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: time.Second, Max: 10 * time.Second},
	}
	faucet := operate.NewClient(c.Node, genesis.DevFaucet())
	for i := range c.Count {
		one, err := openProxy(c, i, faucet)
		if err != nil {
			return fmt.Errorf("proxy %d: %w", i, err)
		}
		p.open = append(p.open, one)
		one.Spec.Name = fmt.Sprintf("proxy-%d", i)
		root.Children = append(root.Children, one.Spec)
	}
	p.tree, err = supervision.New(root, supervision.Config{Observe: func(e supervision.Event) {
		c.Log.Debug().Str("subsystem", e.Subsystem).Str("event", string(e.Kind)).Msg(e.Text)
	}})
	if err == nil {
		p.tree.Spawn()
	}
	return err
}

// operatorOf is the key of a development network's proxy operator, which everybody has.
func operatorOf(i int) (*sig.PrivateKey, error) {
	raw := digest.Keccak256(fmt.Appendf(nil, "cowboy development proxy %d", i))
	return sig.ParsePrivateKey(raw[:])
}

func openProxy(c *ProxyConfig, i int, faucet *operate.Client) (*proxies.Proxy, error) {
	operator, err := operatorOf(i)
	if err != nil {
		return nil, err
	}
	var files disk.Disk = disk.NewMemory()
	if c.Dir != "" {
		if files, err = disk.NewDirectory(filepath.Join(c.Dir, fmt.Sprintf("proxy-%d", i))); err != nil {
			return nil, err
		}
	}
	_, err = proxy.Make(files, []byte(devPassphrase), c.ChainID, func(k sig.CompressedKey) digest.Hash { return secret.ProxyID(operator.Address(), k) })
	if err != nil && !errors.Is(err, proxy.ErrPresent) {
		return nil, err
	}
	port := c.Port
	if port != 0 {
		port += i
	}
	socket, err := net.ListenPacket("udp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	log := c.Log.With().Int("proxy", i).Logger()
	one, err := proxies.Open(&proxies.Setting{
		Files: files, Passphrase: []byte(devPassphrase), ChainID: c.ChainID, API: c.Node, Operator: operator, Socket: socket, Stake: stake, Every: c.Every,
		Fund: func(ctx context.Context, amount unit.Amount) error {
			return faucet.Send(ctx, &tx.Transfer{To: operator.Address(), Amount: amount}, sending)
		},
		Observe: func(e proxy.Event) { proxies.Tell(log, zerolog.DebugLevel, e) },
	})
	if err == nil {
		log.Info().Str("id", one.Self.ID.Hex()).Str("operator", operator.Address().String()).Str("at", socket.LocalAddr().String()).Msg("a proxy is up")
	}
	return one, err
}

// Stop ends the proxies.
func (p *Proxies) Stop() (err error) {
	if p.tree != nil {
		ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
		defer cancel()
		err = p.tree.Stop(ctx)
	}
	for _, one := range p.open {
		err = errors.Join(err, one.Close())
	}
	return err
}

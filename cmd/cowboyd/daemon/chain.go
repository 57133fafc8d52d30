package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// configPath is where the configuration of the data directory is, or would be.
func (s *settings) configPath() string {
	if s.configFile != "" {
		return s.configFile
	}
	return filepath.Join(s.dataDir, config.File)
}

// hasConfig reports whether the data directory is of a configured node.
func (s *settings) hasConfig() bool {
	_, err := os.Stat(s.configPath())
	return err == nil
}

// load takes the configuration over, but for what flags of the command say. Without a configuration it does nothing.
func (s *settings) load(cmd *cobra.Command) error {
	c, err := config.Read(s.configPath())
	if errors.Is(err, os.ErrNotExist) && s.configFile == "" {
		return nil
	}
	if err != nil {
		return err
	}
	s.config = c
	return s.apply(c, cmd.Flags())
}

// apply takes every value of a configuration whose flag was not given.
func (s *settings) apply(c *config.Config, flags *pflag.FlagSet) error {
	if flags.Changed("chain-id") && s.chainID != c.Chain.ID {
		return usageError{fmt.Errorf("--chain-id is %d, but %s is of chain %d", s.chainID, s.configPath(), c.Chain.ID)}
	}
	s.chainID = c.Chain.ID
	s.genesisFile = c.Resolve(c.Chain.Genesis)
	s.keys = c.Resolve(c.Validator.Keys)
	unless := func(flag string, take func()) {
		if !flags.Changed(flag) {
			take()
		}
	}
	unless("password-file", func() { s.passwordFile = c.Resolve(c.Validator.PasswordFile) })
	unless("signer", func() { s.signer = c.Validator.Signer })
	unless("block-time", func() { s.blockTime = time.Duration(c.Chain.BlockTime) })
	s.kept.configured(&c.Chain, unless)
	unless("p2p-host", func() { s.p2pHost = c.P2P.Listen.Addr().String() })
	unless("p2p-port", func() { s.p2pPort = int(c.P2P.Listen.Port()) })
	unless("p2p-advertise", func() { s.advertise = c.P2P.Advertise })
	unless("peers", func() { s.peers = texts(c.P2P.Peers) })
	unless("private-peers", func() { s.private = texts(c.P2P.Private) })
	unless("boot", func() { s.boot = texts(c.P2P.Boot) })
	unless("rpc-host", func() { s.rpcHost = c.RPC.Listen.Addr().String() })
	unless("rpc-port", func() { s.rpcPort = int(c.RPC.Listen.Port()) })
	unless("rpc-rate", func() { s.rpcRate = int(c.RPC.Rate) })
	s.serving.configured(c, unless)
	s.pushing.configured(&c.Runners, unless)
	s.portal.configured(c, unless)
	unless("pvm-workers", func() { s.workers = int(c.PVM.Workers) })
	unless("memory-budget", func() { s.memoryBudget = uint(c.Memory.Budget) })
	unless("build-time", func() { s.budget = time.Duration(c.PVM.BuildMs) * time.Millisecond })
	unless("log-level", func() { s.logLevel = c.Log.Level.Word })
	unless("log-format", func() { s.logFormat = c.Log.Format.Word })
	unless("admin", func() {
		if s.admin = ""; c.Admin.Listen.IsValid() {
			s.admin = c.Admin.Listen.String()
		}
	})
	return nil
}

func texts[T fmt.Stringer](list []T) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.String()
	}
	return out
}

// spec is the genesis of the node's chain: the file of a configured node, else a development network's of so many validators.
func (s *settings) spec(validators int) (*genesis.Spec, error) {
	if s.genesisFile == "" {
		return genesis.Devnet(s.chainID, validators)
	}
	file, err := os.Open(s.genesisFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s\n  get the network's deal from its makers and run `cowboyd genesis accept DEAL --data-dir %s`",
			s.genesisFile, s.dataDir)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	spec, err := genesis.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n  get the file again from the network's makers", s.genesisFile, err)
	}
	if spec.ChainID != s.chainID {
		return nil, fmt.Errorf("%s is of chain %d, but chain.id in %s is %d\n  correct the one that is wrong",
			s.genesisFile, spec.ChainID, s.configPath(), s.chainID)
	}
	return spec, nil
}

// ring is the node's directory of keys.
func (s *settings) ring() keyring.Ring {
	dir := s.keys
	if dir == "" {
		dir = filepath.Join(s.dataDir, "keys")
	}
	return keyring.Ring{Dir: dir, Work: s.work()}
}

// peerKey is the node's network identity.
func (s *settings) peerKey() (transport.Key, error) {
	if s.config == nil {
		return devPeerKey(s.rank)
	}
	r := s.ring()
	if err := r.Make(); err != nil {
		return transport.Key{}, err
	}
	return r.Identity()
}

// validator is what the node signs with: the keys everybody knows in a development network, none for a node that follows.
func (s *settings) validator(spec *genesis.Spec) (node.Validator, error) {
	if s.config == nil {
		return node.DevValidator(s.rank, len(spec.Validators))
	}
	if s.keys == "" {
		return node.Validator{}, nil
	}
	return s.unlock(spec)
}

// reach sorts peers into those with addresses and those with names.
func reach(list []string) (targets []transport.Target, names []peers.Name, err error) {
	for _, text := range list {
		if t, err := book.ParsePeer(text); err == nil {
			targets = append(targets, t)
			continue
		}
		p, err := config.ParsePeer(text)
		if err != nil {
			return nil, nil, usageError{fmt.Errorf("--peers %w", err)}
		}
		names = append(names, peers.Name{ID: p.ID, Host: p.Host, Port: p.Port})
	}
	return targets, names, nil
}

package daemon

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/founding"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// beginning is what init is told.
type beginning struct {
	follow     string // a deal or a genesis
	join       string // likewise
	peers      []string
	validators int // of a whole network; 0: one node
	blockTime  time.Duration
	supply     supply
}

// initCommand makes data directories.
func initCommand(shared *settings, out io.Writer) *cobra.Command {
	s, b := &settings{}, &beginning{}
	c := &cobra.Command{
		Use: "init", Short: "Make a node's keys and configuration, or those of a whole private network", Args: cobra.NoArgs,
		Long: "Make the data directory of a validator: keys under a password and config.toml. Its genesis comes by `cowboyd genesis accept`.\n" +
			"With --follow FILE it is a node that follows the network of a deal or a genesis and never votes; with --join FILE likewise, but with keys to\n" +
			"become a validator of it by `cowboy validator register`. With --validators N it is a whole network of N nodes on this machine, in node-0,\n" +
			"node-1, … below the data directory, each ready to start.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.inherit(shared)
			switch {
			case b.validators != 0:
				return s.initNetwork(b, out)
			case b.follow != "" && b.join != "":
				return usageError{errors.New("--follow and --join both name the network")}
			case b.follow != "":
				return s.initFollower(cmd, b, b.follow, false, out)
			case b.join != "":
				return s.initFollower(cmd, b, b.join, true, out)
			}
			return s.initValidator(b, out)
		},
	}
	flags := c.Flags()
	flags.StringVar(&b.follow, "follow", "", "deal or genesis of the network to follow")
	flags.StringVar(&b.join, "join", "", "deal or genesis of the network to become a validator of")
	flags.StringSliceVar(&b.peers, "peers", nil, "with --follow or --join: nodes to stay connected to, id@host:port; a deal names some itself")
	flags.IntVar(&b.validators, "validators", 0, "number of validators of the network")
	flags.DurationVar(&b.blockTime, "block-time", time.Second, "least time between two blocks; the same on all nodes")
	b.supply.flags(c, "with --validators: ")
	flags.StringVar(&s.passwordFile, "password-file", "", "file whose first line is the password of the keys; it is noted in the configuration")
	flags.BoolVar(&s.lightKeys, "light-keys", false, "make key files whose password is cheap to try: only for networks whose keys are worth nothing")
	flags.StringVar(&s.p2pHost, "p2p-host", "0.0.0.0", "address the peer-to-peer port is bound to")
	flags.IntVar(&s.p2pPort, "p2p-port", 4300, "UDP port for other nodes; the first of them with --validators")
	return c
}

// initial is the configuration a new node begins with.
func (s *settings) initial(b *beginning) (*config.Config, error) {
	host, err := netip.ParseAddr(s.p2pHost)
	if err != nil {
		return nil, usageError{fmt.Errorf("--p2p-host: %w", err)}
	}
	if s.p2pPort < 1 || s.p2pPort > 65_535 || s.rpcPort < 0 || s.rpcPort > 65_535 {
		return nil, usageError{fmt.Errorf("a port is 1 to 65535")}
	}
	if b.blockTime <= 0 {
		return nil, usageError{fmt.Errorf("--block-time is more than zero")}
	}
	if s.chainID == 0 {
		return nil, usageError{fmt.Errorf("--chain-id is the number of the network, more than zero")}
	}
	c := config.Default()
	c.Chain.ID, c.Chain.BlockTime = s.chainID, config.Duration(b.blockTime)
	c.P2P.Listen.AddrPort = netip.AddrPortFrom(host, uint16(s.p2pPort))
	c.RPC.Listen.AddrPort = netip.AddrPortFrom(loopback, uint16(s.rpcPort))
	if s.passwordFile != "" {
		if c.Validator.PasswordFile, err = filepath.Abs(s.passwordFile); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// found writes the configuration and the keys of one node.
func (s *settings) found(c *config.Config, validator bool) error {
	if s.hasConfig() {
		return fmt.Errorf("%s exists: the node is made already\n  start it by `cowboyd start`, or use another --data-dir", s.configPath())
	}
	if err := os.MkdirAll(s.dataDir, 0o755); err != nil {
		return err
	}
	if validator {
		c.Validator.Keys = "keys"
	} else {
		c.Validator.PasswordFile = ""
	}
	if err := s.makeKeys(s.ring(), validator); err != nil {
		return err
	}
	return os.WriteFile(s.configPath(), c.Write(), 0o644)
}

func (s *settings) initValidator(b *beginning, out io.Writer) error {
	c, err := s.initial(b)
	if err != nil {
		return err
	}
	if err := s.found(c, true); err != nil {
		return err
	}
	r := s.ring()
	for _, name := range []string{keyring.Network, keyring.Vote, keyring.Account} {
		if err := s.keyWritten(out, r, name); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "made %s; next: `cowboyd genesis entry --at HOST:PORT --data-dir %s`, and a backup of %s\n", s.configPath(), s.dataDir, r.Dir)
	return err
}

// initFollower makes a node of a network that exists, with or without a validator's keys.
func (s *settings) initFollower(cmd *cobra.Command, b *beginning, path string, validator bool, out io.Writer) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	d, err := founding.Public(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if cmd.Flags().Changed("chain-id") && s.chainID != d.Genesis.ChainID {
		return usageError{fmt.Errorf("--chain-id is %d, but %s is of chain %d", s.chainID, path, d.Genesis.ChainID)}
	}
	s.chainID = d.Genesis.ChainID
	c, err := s.initial(b)
	if err != nil {
		return err
	}
	for _, text := range b.peers {
		p, err := config.ParsePeer(text)
		if err != nil {
			return usageError{fmt.Errorf("--peers %s: want id@host:port", text)}
		}
		c.P2P.Peers = append(c.P2P.Peers, p)
	}
	if err := s.found(c, validator); err != nil {
		return err
	}
	if err := s.load(cmd); err != nil {
		return err
	}
	if validator {
		r := s.ring()
		for _, name := range []string{keyring.Network, keyring.Vote, keyring.Account} {
			if err := s.keyWritten(out, r, name); err != nil {
				return err
			}
		}
	}
	return s.enter(d, "a node that follows", out)
}

// initNetwork makes every node of a private network: what its operators would do, in one process. Where it fails nothing stays behind.
func (s *settings) initNetwork(b *beginning, out io.Writer) (err error) {
	if b.validators < 1 || b.validators > genesis.MaxDevValidators {
		return usageError{fmt.Errorf("--validators is 1 to %d", genesis.MaxDevValidators)}
	}
	terms, err := s.terms(&b.supply)
	if err != nil {
		return usageError{err}
	}
	password, err := s.newPassword(s.passwordFile, passwordVariable, "Password for the keys: ")
	if err != nil {
		return err
	}
	nodes := make([]*settings, b.validators)
	entries := make([]*founding.Entry, b.validators)
	deal := filepath.Join(s.dataDir, "deal.json")
	var places []string
	for i := range nodes {
		places = append(places, filepath.Join(s.dataDir, fmt.Sprintf("node-%d", i)))
	}
	places = append(places, deal)
	for _, path := range places {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s exists: a network is made already, or something else is there\n"+
				"  start its nodes by `cowboyd start`, or use another --data-dir", path)
		}
	}
	_, there := os.Stat(s.dataDir)
	defer func() {
		if err == nil {
			return
		}
		for _, path := range places {
			err = errors.Join(err, os.RemoveAll(path))
		}
		if errors.Is(there, os.ErrNotExist) {
			_ = os.Remove(s.dataDir) // if nothing else came into it
		}
	}()
	for i := range nodes {
		own := *s
		own.dataDir, own.p2pPort, own.rpcPort = filepath.Join(s.dataDir, fmt.Sprintf("node-%d", i)), s.p2pPort+i, s.rpcPort+i
		own.fixed = &password
		c, err := own.initial(b)
		if err != nil {
			return err
		}
		if err := own.found(c, true); err != nil {
			return err
		}
		if own.config, err = config.Read(own.configPath()); err != nil {
			return err
		}
		own.keys, own.genesisFile = own.config.Resolve(own.config.Validator.Keys), own.config.Resolve(own.config.Chain.Genesis)
		if entries[i], err = own.entry(password, genesis.DevnetStake, fmt.Sprintf("%v:%d", loopback, own.p2pPort), ""); err != nil {
			return err
		}
		nodes[i] = &own
	}
	d, err := founding.New(terms, entries, rand.Reader)
	if err != nil {
		return err
	}
	for _, own := range nodes {
		if err := own.accept(d, password, out); err != nil {
			return err
		}
	}
	return save(deal, d)
}

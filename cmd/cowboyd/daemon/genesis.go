package daemon

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/founding"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// genesisCommand founds networks.
func genesisCommand(s *settings, out io.Writer) *cobra.Command {
	c := &cobra.Command{
		Use: "genesis", Short: "Found a network with others: entry, deal, accept",
		Long: "Found a network with other operators. Each makes keys by `cowboyd init` and sends the dealer its `genesis entry`; the dealer makes one\n" +
			"`genesis deal` of all of them and sends it to everybody; each accepts it by `genesis accept`. Neither file is a secret.",
	}
	c.PersistentFlags().StringVar(&s.configFile, "config", "", "configuration; the default is config.toml in the data directory")
	c.AddCommand(genesisEntry(s, out), genesisDeal(s, out), genesisAccept(s, out), genesisShow(s, out))
	return c
}

func genesisEntry(s *settings, out io.Writer) *cobra.Command {
	var at, stake, to, owner string
	c := &cobra.Command{
		Use: "entry", Short: "Write this validator's entry, which the dealer collects", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := s.read(); err != nil {
				return err
			}
			if err := s.load(cmd); err != nil {
				return err
			}
			amount, err := unit.ParseCBY(stake)
			if err != nil {
				return usageError{fmt.Errorf("--stake: %w", err)}
			}
			password, err := s.password(fmt.Sprintf("Password of the keys in %s: ", s.ring().Dir))
			if err != nil {
				return err
			}
			e, err := s.entry(password, amount, at, owner)
			if err != nil {
				return err
			}
			if to == "" {
				return writeJSON(out, e)
			}
			if err := save(to, e); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s: send it to the dealer\n", to)
			return err
		},
	}
	c.Flags().StringVar(&to, "out", "", "file to write; standard output otherwise")
	c.Flags().StringVar(&at, "at", "", "host:port at which other nodes reach this one; a name or an address")
	c.Flags().StringVar(&owner, "owner", "", "account that owns the stake, whose key need not be here (default: the node's own account)")
	c.Flags().StringVar(&stake, "stake", genesis.DevnetStake.CBY(), "stake in CBY")
	c.Flags().StringVar(&s.passwordFile, "password-file", "", "file whose first line is the password of the keys")
	return c
}

// entry makes the entry of the keys in the data directory.
func (s *settings) entry(password string, stake unit.Amount, at, owner string) (*founding.Entry, error) {
	r := s.ring()
	vote, err := r.VoteKey(password)
	if err != nil {
		return nil, s.explainKey(err)
	}
	own, err := r.File(keyring.Account)
	if err != nil {
		return nil, err
	}
	duties, err := account.ParseAddress(own.PublicKey)
	if err != nil {
		return nil, err
	}
	address := duties
	if owner != "" {
		if address, err = account.ReadAddress(owner); err != nil {
			return nil, usageError{fmt.Errorf("--owner: %s", rpc.AddressFault(err))}
		}
	}
	peer := ""
	if at != "" {
		id, err := r.Identity()
		if err != nil {
			return nil, err
		}
		p, err := config.ParsePeer(id.ID().String() + "@" + at)
		if err != nil {
			return nil, usageError{fmt.Errorf("--at %s: want host:port", at)}
		}
		peer = p.String()
	}
	return founding.NewEntry(s.chainID, address, duties, stake, vote, peer)
}

func writeJSON(out io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		_, err = out.Write(append(text, '\n'))
	}
	return err
}

func genesisDeal(s *settings, out io.Writer) *cobra.Command {
	var given supply
	var to string
	c := &cobra.Command{
		Use: "deal ENTRY...", Short: "Make the genesis of a network from the entries of all its validators", Args: cobra.MinimumNArgs(1),
		Long: "Make the genesis of a network, and for each validator its share of the round seed sealed to it alone, of the entries of all validators.\n" +
			"What the supply has left after stakes and accounts goes to --rest. A validator's node pays for dealer logs and evidence from its own account,\n" +
			"which --validator-balance gives something to begin with. The dealer's secrets are forgotten when the command ends.",
		RunE: func(_ *cobra.Command, args []string) error {
			terms, err := s.terms(&given)
			if err != nil {
				return usageError{err}
			}
			var entries []*founding.Entry
			for _, path := range args {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				e, err := founding.ParseEntry(data)
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				entries = append(entries, e)
			}
			d, err := founding.New(terms, entries, rand.Reader)
			if err != nil {
				return err
			}
			if err := save(to, d); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: chain %d with %s\nsend it to all of them; each runs `cowboyd genesis accept %s`\n", to, d.Genesis.ChainID,
				plural(len(entries), "validator", "validators"), filepath.Base(to))
			return nil
		},
	}
	given.flags(c, "")
	c.Flags().StringVar(&to, "out", "deal.json", "file to write")
	return c
}

// save writes a file that is not there yet.
func save(path string, v any) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%s exists\n  move it away, or name another file", path)
	}
	var b bytes.Buffer
	if err := writeJSON(&b, v); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

func genesisAccept(s *settings, out io.Writer) *cobra.Command {
	c := &cobra.Command{
		Use: "accept DEAL", Short: "Accept the dealer's file: genesis, peers, and this validator's share", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := s.read(); err != nil {
				return err
			}
			if err := s.load(cmd); err != nil {
				return err
			}
			d, err := readDeal(args[0])
			if err != nil {
				return err
			}
			password := ""
			if s.keys != "" {
				if password, err = s.password(fmt.Sprintf("Password of the keys in %s: ", s.ring().Dir)); err != nil {
					return err
				}
			}
			return s.accept(d, password, out)
		},
	}
	c.Flags().StringVar(&s.passwordFile, "password-file", "", "file whose first line is the password of the keys")
	c.Flags().BoolVar(&s.lightKeys, "light-keys", false, "make a key file whose password is cheap to try: only for networks whose keys are worth nothing")
	return c
}

func readDeal(path string) (*founding.Deal, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d, err := founding.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// accept puts a deal into the data directory: the share first, the genesis last, so that a genesis is there only with its share.
func (s *settings) accept(d *founding.Deal, password string, out io.Writer) error {
	if d.Genesis.ChainID != s.chainID {
		return fmt.Errorf("the deal is of chain %d, but chain.id in %s is %d", d.Genesis.ChainID, s.configPath(), s.chainID)
	}
	if _, err := os.Stat(s.genesisFile); err == nil {
		return fmt.Errorf("%s exists: the node has a genesis\n  a node belongs to one network; use another --data-dir for another", s.genesisFile)
	}
	role := "a node that follows"
	if s.keys != "" {
		r := s.ring()
		vote, err := r.VoteKey(password)
		if err != nil {
			return s.explainKey(err)
		}
		share, err := d.Accept(vote)
		if err != nil {
			return err
		}
		if err := r.Put(keyring.Share, share.Key.Bytes(), password); err != nil {
			return err
		}
		role = fmt.Sprintf("validator %d", share.Index)
	}
	return s.enter(d, role, out)
}

// enter puts the peers and the genesis of a network into the data directory.
func (s *settings) enter(d *founding.Deal, role string, out io.Writer) error {
	if err := s.addPeers(d.Peers, out); err != nil {
		return err
	}
	if err := save(s.genesisFile, d.Genesis); err != nil {
		return err
	}
	hash, err := genesisHash(d.Genesis)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s of chain %d, genesis %s\nstart it by `cowboyd start --data-dir %s`\n", role, s.chainID, hash, s.dataDir)
	return err
}

// addPeers puts the deal's peers into a configuration that names none.
func (s *settings) addPeers(list []string, out io.Writer) error {
	self, err := s.peerKey()
	if err != nil {
		return err
	}
	var others []config.Peer
	for _, text := range list {
		p, err := config.ParsePeer(text)
		if err != nil {
			return err
		}
		if p.ID != self.ID() {
			others = append(others, p)
		}
	}
	if len(s.peers) > 0 || len(others) == 0 {
		return nil
	}
	path := s.configPath()
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	next, ok := config.SetPeers(data, others)
	if !ok {
		fmt.Fprintf(out, "add to [p2p] in %s:\n%s\n", path, config.PeersLine(others))
		return nil
	}
	return book.File{Path: path}.Save(next)
}

// genesisHash is the hash of the genesis block, as peers compare it.
func genesisHash(spec *genesis.Spec) (string, error) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := system.Found(spec, o); err != nil {
		return "", err
	}
	c, err := o.Commit(0)
	if err != nil {
		return "", err
	}
	h := spec.Header(c.Root()).Hash()
	return hex.EncodeToString(h[:]), nil
}

func genesisShow(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Print the genesis hash, validators and supply of the node's network", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			spec, err := s.spec(1)
			if err != nil {
				return err
			}
			hash, err := genesisHash(spec)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "chain    %d\ngenesis  %s\nsince    %s\nsupply   %s CBY\n", spec.ChainID, hash,
				time.UnixMilli(int64(spec.TimestampMs)).UTC().Format(time.RFC3339), spec.TotalSupply.CBY())
			for i, v := range spec.Validators {
				fmt.Fprintf(out, "validator %d  %x  %v  %s CBY\n", i, v.PublicKey[:8], v.Address, v.Stake.CBY())
			}
			return nil
		},
	}
}

// loopback is a machine's own address.
var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

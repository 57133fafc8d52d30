package operate

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// Main runs the command line and gives the exit status: 1 for a failure, 2 for wrong usage.
func Main(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "cowboy-relay", Short: "Keep shards of volumes", Version: version.Version, SilenceErrors: true, SilenceUsage: true,
	}
	dir := root.PersistentFlags().String("data-dir", "cowboy-relay-data", "the relay's directory")
	root.AddCommand(initCommand(dir), retainCommand(dir), forgetCommand(dir),
		&cobra.Command{Use: "start", Short: "Run the relay", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			return start(cmd.Context(), *dir, cmd.ErrOrStderr())
		}},
		&cobra.Command{Use: "status", Short: "Print what the running relay does", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), *dir, cmd.OutOrStdout())
		}},
		&cobra.Command{Use: "doctor", Short: "Check the configuration, the keys, the store, the node and the registration", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return examine(cmd.Context(), cmd.OutOrStdout(), *dir) }},
		&cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs, Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "cowboy-relay %s\n", version.Version)
		}})
	return usage.Run(root, args, stdout, stderr)
}

func initCommand(dir *string) *cobra.Command {
	var rpc, listen, endpoint, accounts string
	var chain, capacity uint64
	cmd := &cobra.Command{Use: "init", Short: "Make a data directory: keys, configuration", Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if endpoint == "" {
			endpoint = listen
		}
		text := configText(rpc, chain, listen, endpoint, capacity) + "metrics = \"\" # host:port\n" +
			fmt.Sprintf("accounts = %q # host:port of the account API\n", accounts)
		return initialize(cmd.OutOrStdout(), *dir, text, endpoint, capacity)
	}
	cmd.Flags().StringVar(&rpc, "rpc-url", "http://127.0.0.1:4000", "the node the relay asks and sends to")
	cmd.Flags().Uint64Var(&chain, "chain-id", 1, "the chain the relay is registered on")
	cmd.Flags().StringVar(&listen, "listen", "0.0.0.0:4433", "host:port it listens on, UDP and TCP")
	cmd.Flags().StringVar(&endpoint, "endpoint", "", "host:port that others reach it at (default: --listen)")
	cmd.Flags().StringVar(&accounts, "accounts", "", "host:port it serves the account API at, TCP (default: nowhere)")
	cmd.Flags().Uint64Var(&capacity, "capacity-gib", 100, "how much it keeps at most, in GiB")
	return cmd
}

// configText is the text of a configuration.
func configText(rpc string, chain uint64, listen, endpoint string, capacity uint64) string {
	return fmt.Sprintf("[relay]\nrpc = %q\nchain_id = %d\nlisten = %q # UDP and TCP\nendpoint = %q # that others reach it at\ncapacity_gib = %d\n",
		rpc, chain, listen, endpoint, capacity)
}

// furnish writes the keys of a data directory, and then its configuration.
func furnish(dir, text string, account wallet.Key, key ed25519.PrivateKey, anew bool) error {
	if err := account.Save(filepath.Join(dir, accountFile), anew); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, keyFile), []byte(hex.EncodeToString(key.Seed())+"\n"), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, configFile), []byte(text), 0o600)
}

// Furnish makes the folder of a store the data directory of a relay that runs in another program, so that the commands of this one find its keys, its node and
// its blobs. What is there of a run before is written anew. rpc is the node, at is where the relay listens.
func Furnish(s *Setting, account *sig.PrivateKey, rpc, at string) error {
	text := configText(rpc, s.ChainID, at, at, s.Capacity/gib) + "store = \".\"\n"
	return furnish(s.Dir, text, wallet.Key(account.Bytes()), s.Key, true)
}

// initialize makes a data directory. What is there already is not touched.
func initialize(out io.Writer, dir, text, endpoint string, capacity uint64) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	at := filepath.Join(dir, configFile)
	if _, err := os.Stat(at); err == nil {
		return fmt.Errorf("%s is there already", at)
	}
	raw, err := wallet.New()
	if err != nil {
		return err
	}
	account, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return err
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err == nil {
		err = furnish(dir, text, raw, key, false)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "relay %s\nIt is registered, once its account has coins, by\n"+
		"  cowboy relay register --private-key %s --stake 5000 --node %s --public-key %s --endpoint %s --capacity %d --wait\n", account.Address(),
		filepath.Join(dir, accountFile), NodeOf(key).Hex(), hex.EncodeToString(key.Public().(ed25519.PublicKey)), endpoint, capacity*gib)
	return nil
}

// examine checks what a relay needs, one line for each.
func examine(ctx context.Context, out io.Writer, dir string) error {
	e := operator.Examination{Out: out}
	say := e.Say
	c, err := readConfig(dir)
	say("configuration", err)
	if err != nil {
		return errors.New("the configuration comes first")
	}
	account, key, err := keys(dir)
	say("keys", err)
	if err != nil {
		return errors.New("the keys come next")
	}
	if b := c.bucket(key); b != nil {
		_, err := store.LookBucket(*b)
		say(fmt.Sprintf("store %s/%s at %s", b.Name, b.Prefix, b.Endpoint), err)
	} else {
		say("store "+c.Relay.Store, roomy(c))
	}
	node := api.New(c.Relay.RPC)
	var health wire.Health
	err = node.Read(ctx, "/health/detailed", &health)
	if err == nil && health.ChainID != c.Relay.ChainID {
		err = fmt.Errorf("it is of chain %d, and the relay of chain %d", health.ChainID, c.Relay.ChainID)
	}
	say("node "+c.Relay.RPC, err)
	if err == nil {
		r, err := NewChain(node, account).Self(ctx)
		if err == nil {
			err = matches(r, key, c.Relay.Endpoint)
		}
		say("registration of "+account.Address().String(), err)
		if err == nil {
			say("endpoint "+r.Endpoint+" over QUIC", reachable(ctx, r, mutual.DialQUIC))
			say("endpoint "+r.Endpoint+" over TCP", reachable(ctx, r, mutual.DialTCP))
		}
	}
	return e.End()
}

// roomy looks whether the disk has room for what the store may hold.
func roomy(c *config) error {
	held, err := store.Look(c.Relay.Store)
	if err != nil {
		return err
	}
	at := c.Relay.Store
	if _, err := os.Stat(at); err != nil {
		at = filepath.Dir(at)
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(at, &disk); err != nil {
		return err
	}
	if free, wanted := disk.Bavail*uint64(disk.Bsize), c.Relay.CapacityGiB*gib-min(held.Bytes, c.Relay.CapacityGiB*gib); free < wanted {
		return fmt.Errorf("it may still grow by %d GiB, and the disk has %d", wanted/gib, free/gib)
	}
	return nil
}

// matches holds what is registered to what is here.
func matches(r *reach.Relay, key ed25519.PrivateKey, endpoint string) error {
	switch {
	case r.Node != NodeOf(key) || r.Key != digest.Hash(key.Public().(ed25519.PublicKey)):
		return errors.New("it is registered with another key")
	case r.Endpoint != endpoint:
		return fmt.Errorf("it is registered at %s, and the configuration says %s", r.Endpoint, endpoint)
	}
	return nil
}

// reachable asks the relay as a client would, over one way.
func reachable(ctx context.Context, r *reach.Relay, dial mutual.Dialer) error {
	_, own, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	pool := &reach.Pool{Key: own, Now: time.Now, Dial: dial}
	defer pool.Close()
	a, err := pool.Ask(ctx, r, &protocol.Request{Op: protocol.Ping})
	if err == nil && (len(a.Holders) != 1 || a.Holders[0] != r.Node) {
		err = errors.New("another relay answers")
	}
	return err
}

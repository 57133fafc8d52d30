package cli

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/relay/accounts"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// delegation is a key of CBFS with a certificate of a wallet's, as a file has it.
type delegation struct {
	Wallet      string `json:"wallet_address"`
	Public      string `json:"cbfs_public_key"`
	Private     string `json:"cbfs_private_key,omitempty"` // the seed
	Certificate []byte `json:"certificate"`                // wire form
	Expires     uint64 `json:"expires_at_ms"`
}

// delegate has the wallet make a certificate for a new key.
//
// Spec: storage-cbfs §2.5 (DelegationCert).
func (a *app) delegate(ctx context.Context, life time.Duration) (*delegation, error) {
	raw, err := a.senderKey("")
	if err != nil {
		return nil, err
	}
	wallet, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return nil, err
	}
	var health wire.Health
	if err := a.node().Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	network := api.NetworkOf(health.ChainID)
	c := cbfs.Certificate{
		Wallet: wallet.Address(), Key: [32]byte(public), Scope: cbfs.Scope, ChainID: network.ChainID, Network: network.Name, Audience: cbfs.Audience,
		ExpiresMs: uint64(time.Now().Add(life).UnixMilli()),
	}
	c.Signature = wallet.Sign(c.Hash())
	return &delegation{wallet.Address().String(), hex.EncodeToString(public), hex.EncodeToString(key.Seed()), c.Encode(), c.ExpiresMs}, nil
}

func (a *app) volumeDelegate() *cobra.Command {
	var days uint
	cmd := &cobra.Command{
		Use: "delegate FILE", Short: "Make a key that speaks for the wallet about volumes, with a certificate, in a file", Args: cobra.ExactArgs(1),
		Long: "Make a key of CBFS and a certificate by which it speaks for the wallet to relays until it is over, and write both to a file. Whoever has the\n" +
			"file reads and writes the wallet's volumes; its coins move with the wallet's own signature alone. `cowboy volume revoke-key` ends it before.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if days < 1 || days > 30 {
				return usageError{errors.New("a certificate holds for 1 to 30 days")}
			}
			d, err := a.delegate(cmd.Context(), time.Duration(days)*24*time.Hour-time.Minute) // relays' clocks may be slow
			if err != nil {
				return err
			}
			text, err := json.MarshalIndent(d, "", " ")
			if err != nil {
				return err
			}
			f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			_, err = f.Write(append(text, '\n'))
			if err = errors.Join(err, f.Close()); err != nil {
				return err
			}
			d.Private = ""
			return a.show(d, "Key %s speaks for %s until %s\n", d.Public, d.Wallet, time.UnixMilli(int64(d.Expires)).UTC().Format(time.RFC3339))
		},
	}
	cmd.Flags().UintVar(&days, "days", 7, "how long it holds, 30 days at most")
	return cmd
}

// readDelegation reads what delegate wrote.
func readDelegation(file string) (*delegation, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := &delegation{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s is no file of `cowboy volume delegate`: %w", file, err)
	}
	return d, nil
}

// accountClient asks a relay for a wallet.
func (a *app) accountClient(ctx context.Context, relay, file, node string) (*accounts.Client, error) {
	at, err := url.Parse(relay)
	if err != nil || at.Host == "" {
		return nil, usageError{fmt.Errorf("%q is no address of a relay's account API, as http://relay.example:4480 is", shorten(relay))}
	}
	var d *delegation
	if file != "" {
		d, err = readDelegation(file)
	} else {
		d, err = a.delegate(ctx, 5*time.Minute)
	}
	if err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(d.Private)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s has no key", file)
	}
	c := &accounts.Client{
		URL: relay, Key: ed25519.NewKeyFromSeed(seed), Certificate: d.Certificate, HTTP: &http.Client{Timeout: time.Minute}, Now: time.Now,
		Trusts: func(ctx context.Context, said digest.Hash) error { return a.relayAt(ctx, at.Hostname(), said) },
	}
	if node == "" {
		return c, nil
	}
	want, err := parseHash(node)
	c.Trusts = func(_ context.Context, said digest.Hash) error {
		if said != want {
			return accounts.ErrNodeID
		}
		return nil
	}
	return c, err
}

// relayAt finds a relay on the chain that has a node_id and is reached at a host. Error: accounts.ErrNodeID.
func (a *app) relayAt(ctx context.Context, host string, node digest.Hash) error {
	found := false
	err := pages(ctx, a, "/relays", func(page *wire.Relays) string {
		for i := range page.Relays {
			at, _, err := net.SplitHostPort(page.Relays[i].Endpoint)
			found = found || err == nil && at == host && page.Relays[i].NodeID == wire.Hash(node)
		}
		return page.NextCursor
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: the chain has no relay of node_id %s at %s\n  say with --node-id which one is meant", accounts.ErrNodeID, wire.Hash(node), host)
	}
	return err
}

func (a *app) volumeAccount() *cobra.Command {
	var relay, file, node, send, name string
	cmd := &cobra.Command{
		Use: "account [PATH]", Short: "Ask a relay for the wallet's account and volumes, or hand a signed transaction in there", Args: cobra.MaximumNArgs(1),
		Long: "Ask a relay's account API: without PATH for the coins of the wallet and the reserves of its volumes, else for a path as /ras/volumes/docs.\n" +
			"With --send a transaction that the wallet has signed (--unsigned, then `cowboy tx sign`) is handed in there. Without --delegation the wallet\n" +
			"makes a certificate for five minutes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.accountClient(cmd.Context(), relay, file, node)
			switch {
			case err != nil:
				return err
			case send != "":
				return a.handIn(cmd.Context(), c, send, name)
			case len(args) > 0:
				var any json.RawMessage
				if err := c.Do(cmd.Context(), http.MethodGet, args[0], nil, &any); err != nil {
					return err
				}
				return a.showJSON(any)
			}
			var b accounts.Balance
			if err := c.Do(cmd.Context(), http.MethodGet, "/ras/accounts/balance", nil, &b); err != nil {
				return err
			}
			var text strings.Builder
			fmt.Fprintf(&text, "Account %s in block %d: %s CBY\n%d volumes, %d bytes on relays, billed up to epoch %d, reserves of %s CBY\n", b.Wallet,
				b.Height, unit.Amount(b.Balance).CBY(), b.TotalVolumes, b.TotalEffective, b.Billed, unit.Amount(b.Reserved).CBY())
			for _, v := range b.Reserves {
				reserve, owed := unit.Amount(v.Reserve).CBY(), unit.Amount(v.Accrued).CBY()
				fmt.Fprintf(&text, "  %s  %s  reserve %s CBY, owed %s CBY\n", v.Name, v.Status, reserve, owed)
			}
			return a.show(b, "%s", text.String())
		},
	}
	cmd.Flags().StringVar(&relay, "relay", "", "where the account API is, as http://relay.example:4480")
	cmd.Flags().StringVar(&file, "delegation", "", "file of `cowboy volume delegate`")
	cmd.Flags().StringVar(&node, "node-id", "", "the relay's node_id (default: one that the chain has at the relay's host)")
	cmd.Flags().StringVar(&send, "send", "", "file of a signed transaction to hand in")
	cmd.Flags().StringVar(&name, "volume", "", "with --send: the volume's name, where the transaction does not say it")
	require(cmd, "relay")
	return cmd
}

// handIn hands the transaction of a file in at a relay.
func (a *app) handIn(ctx context.Context, c *accounts.Client, file, name string) error {
	raw, err := readFile(file)
	if err != nil {
		return err
	}
	t, err := tx.Decode(raw)
	if err != nil {
		return fmt.Errorf("%s: not a canonical transaction: %w", file, err)
	}
	method, target, err := accounts.Path(t, name)
	if err != nil {
		return fmt.Errorf("%w: say with --volume", err)
	}
	var said accounts.Sent
	if err := c.Do(ctx, method, target, raw, &said); err != nil {
		return err
	}
	return a.show(said, "The relay's node has transaction %s, a call of %s\n", said.Hash, said.Handler)
}

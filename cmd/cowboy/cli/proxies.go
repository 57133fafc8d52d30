package cli

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ascending puts addresses into the order of a list, each once.
func ascending(list []account.Address) (out []tx.PolicyActor) {
	slices.SortFunc(list, account.Address.Compare)
	for _, addr := range slices.Compact(list) {
		out = append(out, tx.PolicyActor{Actor: addr})
	}
	return out
}

// proxyCommand is about proxies of the secret service. Spec: secrets-cbss §4.
func (a *app) proxyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "proxy", Short: "Register a proxy of the secret service, and list proxies",
		Long: "A proxy stakes coins and holds shares of release keys. It may be drawn for committees some time after it registered, and earns a fee\n" +
			"for each receipt.",
	}
	cmd.AddCommand(a.proxyRegister(), a.runnerSend("deregister", "Leave: its committees get other members, and the stake is paid out after the unbonding time",
		func() tx.Instruction { return &tx.DeregisterCbssProxy{} }), a.proxyStatus(), a.proxyList(), a.proxyReshare())
	return cmd
}

func (a *app) proxyRegister() *cobra.Command {
	var stake, key, hpke, spki, address string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "register", Short: "Register a proxy, for a stake", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.RegisterCbssProxy{NetworkAddr: []byte(address)}
			for _, part := range []struct {
				flag, text string
				into       []byte
			}{{"pubkey", key, in.PublicKey[:]}, {"hpke-pubkey", hpke, in.HPKE[:]}, {"tls-spki", spki, in.TLS[:]}} {
				raw, err := hex.DecodeString(strings.TrimPrefix(part.text, "0x"))
				if err != nil || len(raw) != len(part.into) {
					return usageError{fmt.Errorf("--%s is %d bytes in hexadecimal", part.flag, len(part.into))}
				}
				copy(part.into, raw)
			}
			var err error
			if in.Stake, err = unit.ParseCBY(stake); err != nil {
				return usageError{err}
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&stake, "stake", "10000", "in CBY")
	cmd.Flags().StringVar(&key, "pubkey", "", fmt.Sprintf("the key the proxy signs with, %d bytes of secp256k1", sig.CompressedKeySize))
	cmd.Flags().StringVar(&hpke, "hpke-pubkey", "", "the X25519 key shares are sealed to")
	cmd.Flags().StringVar(&spki, "tls-spki", "", "SHA-256 of the public key of its certificate")
	cmd.Flags().StringVar(&address, "network-addr", "", "host:port the proxy listens at")
	require(cmd, "pubkey", "hpke-pubkey", "tls-spki", "network-addr")
	flags.register(cmd, secretCycles, secretCells)
	return cmd
}

// proxyStatus prints one proxy, or all.
func (a *app) proxyStatus() *cobra.Command {
	var operator string
	cmd := &cobra.Command{
		Use: "status [PROXY]", Short: "Print a proxy, by its identity or its operator, or all proxies", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			switch {
			case len(args) == 1:
				h, err := parseHash(args[0])
				if err != nil {
					return err
				}
				path = "/proxy/" + wire.Hash(h)
			case operator != "":
				addr, err := account.ReadAddress(operator)
				if err != nil {
					return usageError{err}
				}
				path = "/proxy/of/" + addr.String()
			}
			if path != "" {
				var p wire.Proxy
				if err := a.node().Read(cmd.Context(), path, &p); err != nil {
					return err
				}
				return a.show(p, "%s", proxyText(&p))
			}
			return a.listProxies(cmd)
		},
	}
	cmd.Flags().StringVar(&operator, "operator", "", "operator of the proxy")
	return cmd
}

// proxyList prints all proxies.
func (a *app) proxyList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print all proxies", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return a.listProxies(cmd) },
	}
}

func (a *app) listProxies(cmd *cobra.Command) error {
	all := wire.Proxies{Proxies: []wire.Proxy{}}
	err := pages(cmd.Context(), a, "/proxies", func(page *wire.Proxies) string {
		all.Proxies = append(all.Proxies, page.Proxies...)
		return page.NextCursor
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	for i := range all.Proxies {
		text.WriteString(proxyText(&all.Proxies[i]))
	}
	if len(all.Proxies) == 0 {
		text.WriteString("No proxies.\n")
	}
	return a.show(all, "%s", text.String())
}

func proxyText(p *wire.Proxy) string {
	state := "serves"
	switch {
	case p.UnbondAt > 0:
		state = fmt.Sprintf("leaves in block %d", p.UnbondAt)
	case p.Suspended:
		state = "suspended"
	case !p.Serves:
		state = fmt.Sprintf("soaks until block %d", p.EligibleAfter)
	}
	text := fmt.Sprintf("%s  %s\n  operator %s, at %s\n  stake %s CBY, health %d.%02d %%\n",
		p.ID, state, p.Operator, p.NetworkAddr, unit.Amount(p.Stake).CBY(), p.Health/100, p.Health%100)
	for _, s := range p.Committees {
		text += "  of the committee of " + s + "\n"
	}
	return text
}

// proxyReshare prints where the key of an account is.
func (a *app) proxyReshare() *cobra.Command {
	var of string
	cmd := &cobra.Command{
		Use: "reshare-status", Short: "Print the committee of an account's release key, and a change of it that is under way", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.own(nil, of)
			if err != nil {
				return err
			}
			var v wire.ReleaseKey
			if err := a.node().Read(cmd.Context(), "/release-key/"+addr.String(), &v); err != nil {
				return err
			}
			return a.show(v, "%s", releaseKeyText(&v))
		},
	}
	cmd.Flags().StringVar(&of, "account", "", "the account (default: your own)")
	return cmd
}

func releaseKeyText(v *wire.ReleaseKey) string {
	var text strings.Builder
	if v.Master == "" {
		text.WriteString("No key yet\n")
	} else {
		fmt.Fprintf(&text, "Epoch %d: %d of %d proxies, since block %d\n", v.Epoch, v.Threshold, len(v.Committee), v.LastReshare)
		for _, p := range v.Committee {
			text.WriteString("  " + p + "\n")
		}
		for _, p := range v.Prior {
			fmt.Fprintf(&text, "Epoch %d serves until block %d\n", p.Epoch, p.ExpiresAt)
		}
	}
	if p := v.Pending; p != nil {
		what := "A key is being made"
		if p.Reshare {
			what = "The key is being passed on"
		}
		if p.Deadline == 0 {
			fmt.Fprintf(&text, "%s; its committee of %d is drawn in the next block\n", what, p.Members)
		} else {
			fmt.Fprintf(&text, "%s, until block %d, to %d proxies\n", what, p.Deadline, len(p.Committee))
		}
	}
	return text.String()
}

package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// toManager sends a call of the Stream Key Manager.
func (a *app) toManager(ctx context.Context, flags *sendFlags, handler string, args ...any) error {
	payload, err := cbor.Append(nil, args)
	if err != nil {
		return err
	}
	return a.sendAndShow(ctx, flags, &tx.Execute{To: account.System(account.StreamKeys), Handler: []byte(handler), Payload: payload})
}

// senderAddress is who a transaction will be from.
func (a *app) senderAddress(f *sendFlags) (account.Address, error) {
	if f.from != "" {
		return parseAddress(f.from)
	}
	raw, err := a.senderKey(f.key)
	if err != nil {
		return account.Address{}, err
	}
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return account.Address{}, err
	}
	return key.Address(), nil
}

func (a *app) streamBuy() *cobra.Command {
	var id, beneficiary string
	var epoch uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "buy", Short: "Buy access to a managed stream up to and with a key epoch", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			stream, err := parseHash(id)
			if err != nil {
				return err
			}
			me, err := a.senderAddress(flags)
			if err != nil {
				return err
			}
			to := me
			if beneficiary != "" {
				if to, err = parseAddress(beneficiary); err != nil {
					return err
				}
			}
			return a.toManager(cmd.Context(), flags, "acquire_epoch_access", stream[:], to[:], me[:], epoch)
		},
	}
	cmd.Flags().StringVar(&id, "stream", "", "the stream's identity, as `cowboy stream show` prints it")
	cmd.Flags().Uint64Var(&epoch, "epoch", 0, "the last key epoch to buy")
	cmd.Flags().StringVar(&beneficiary, "for", "", "who gets the keys (default: you)")
	require(cmd, "stream", "epoch")
	flags.register(cmd, streamCycles, streamCells)
	return cmd
}

func (a *app) streamRegisterKey() *cobra.Command {
	var public string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "register-key", Short: "Register an X25519 key to which keys of streams are sealed for you", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			raw, err := parseHex("public-key", public)
			if err != nil {
				return err
			}
			return a.toManager(cmd.Context(), flags, "register_account_key", raw)
		},
	}
	cmd.Flags().StringVar(&public, "public-key", "", "the key in hexadecimal")
	require(cmd, "public-key")
	flags.register(cmd, streamCycles, streamCells)
	return cmd
}

func (a *app) streamAccess() *cobra.Command {
	var id, of string
	cmd := &cobra.Command{
		Use: "access", Short: "Print up to which key epoch an account has access to a stream, and its keys", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			stream, err := parseHash(id)
			if err != nil {
				return err
			}
			addr, err := parseAddress(of)
			if err != nil {
				return err
			}
			var access wire.StreamAccess
			var keys wire.StreamKeys
			if err := a.node().Read(cmd.Context(), "/paid-stream/"+wire.Hash(stream)+"/access/"+addr.String(), &access); err != nil {
				return err
			}
			if err := a.node().Read(cmd.Context(), "/account/"+addr.String()+"/stream-keys", &keys); err != nil {
				return err
			}
			text := "No access\n"
			if last := access.ActiveUntilKeyEpoch; last != nil {
				text = fmt.Sprintf("Access: up to key epoch %d\n", *last)
			}
			for _, k := range keys.Keys {
				text += fmt.Sprintf("Key %d: 0x%s, since block %d\n", k.AccountKeyID, k.PublicKey, k.RegisteredAt)
			}
			return a.show(map[string]any{"access": access, "keys": keys}, "%s", text)
		},
	}
	cmd.Flags().StringVar(&id, "stream", "", "the stream's identity")
	cmd.Flags().StringVar(&of, "account", "", "the account")
	require(cmd, "stream", "account")
	return cmd
}

func (a *app) streamRequests() *cobra.Command {
	return &cobra.Command{
		Use: "requests", Short: "Print what the committee was asked to seal", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.SealRequests{Requests: []wire.SealRequest{}}
			err := pages(cmd.Context(), a, "/seal-requests", func(page *wire.SealRequests) string {
				all.Requests = append(all.Requests, page.Requests...)
				return behind(page.NextCursor)
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, q := range all.Requests {
				answers := "nobody has paid"
				if q.Quorum > 0 {
					answers = fmt.Sprintf("%d of %d receipts", q.Receipts, q.Quorum)
				}
				fmt.Fprintf(&text, "%d  %s  epochs %d to %d of %s  for %s, key %d  %s\n",
					q.Number, q.State, q.FromKeyEpoch, q.ToKeyEpoch, q.StreamID, q.Beneficiary, q.AccountKeyID, answers)
			}
			if len(all.Requests) == 0 {
				text.WriteString("No requests\n")
			}
			return a.show(all, "%s", text.String())
		},
	}
}

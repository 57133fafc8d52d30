package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

func (a *app) transactionCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "transaction", Aliases: []string{"tx"}, Short: "Read, decode, sign and submit transactions"}
	cmd.AddCommand(a.transactionRead(), a.transactionStatus(), a.transactionDecode(), a.transactionSubmit(), a.transactionSign(), a.transactionSignFile())
	a.addInstructions(cmd)
	return cmd
}

func (a *app) transactionRead() *cobra.Command {
	var hash string
	cmd := &cobra.Command{
		Use: "get", Short: "Print a transaction", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := parseHash(hash)
			if err != nil {
				return err
			}
			var t wire.Transaction
			if err := a.node().Read(cmd.Context(), "/transaction/"+wire.Hash(id), &t); err != nil {
				return err
			}
			told := toldTransaction{Transaction: t}
			if e := a.why(cmd.Context(), wire.Hash(id)); e.Error != nil || len(e.Printed) > 0 {
				told.Explanation = &e
			}
			return a.showJSON(told)
		},
	}
	cmd.Flags().StringVar(&hash, "hash", "", "transaction hash")
	require(cmd, "hash")
	return cmd
}

// toldTransaction is a transaction, and where it failed if it did.
type toldTransaction struct {
	wire.Transaction
	Explanation *wire.Explanation `json:"explanation,omitempty"`
}

func (a *app) transactionStatus() *cobra.Command {
	var hash string
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "status", Short: "Print whether a transaction is pending, included or failed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := parseHash(hash)
			if err != nil {
				return err
			}
			return a.showStatus(cmd.Context(), wire.Hash(id), wait)
		},
	}
	cmd.Flags().StringVar(&hash, "hash", "", "transaction hash")
	cmd.Flags().DurationVar(&wait, "wait", 0, "wait this long for the receipt")
	require(cmd, "hash")
	return cmd
}

func (a *app) showStatus(ctx context.Context, hash string, wait time.Duration) error {
	node := a.node()
	ctx, cancel := context.WithTimeout(ctx, max(wait, 15*time.Second))
	defer cancel()
	var receipt wire.Receipt
	var err error
	if wait > 0 {
		receipt, err = node.Receipt(ctx, hash, 200*time.Millisecond)
	} else {
		err = node.Do(ctx, "GET", "/transaction/"+hash+"/receipt", "", nil, &receipt)
	}
	if err == nil {
		if a.asJSON {
			return a.showJSON(receipt)
		}
		_, err := fmt.Fprint(a.out, receiptText(receipt), a.whyText(a.why(ctx, hash)))
		return err
	}
	var pending wire.Transaction
	if node.Read(ctx, "/mempool/transaction/"+hash, &pending) == nil {
		return a.show(pending, "Status: pending\nNonce: %d\n", pending.Nonce)
	}
	return err
}

// transactionDecode prints every field of a canonical transaction and its hash, or says why the bytes are none.
func (a *app) transactionDecode() *cobra.Command {
	var text string
	cmd := &cobra.Command{
		Use: "decode", Short: "Print every field of an encoded transaction as JSON", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			raw, err := hexOrFile("transaction", text)
			if err != nil {
				return err
			}
			t, err := tx.Decode(raw)
			if err != nil {
				return fmt.Errorf("not a canonical transaction: %w", err)
			}
			return a.showJSON(wire.FromTx(t))
		},
	}
	cmd.Flags().StringVar(&text, "hex", "", "encoded transaction in hex, or @file with its bytes")
	require(cmd, "hex")
	return cmd
}

func (a *app) transactionSubmit() *cobra.Command {
	var text string
	cmd := &cobra.Command{
		Use: "submit", Short: "Submit a signed transaction", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			raw, err := hexOrFile("transaction", text)
			if err != nil {
				return err
			}
			t, err := tx.Decode(raw)
			if err != nil {
				return fmt.Errorf("not a canonical transaction: %w", err)
			}
			if err := submit(cmd.Context(), a.node(), tx.EdgeForm(raw, t).Raw); err != nil {
				return err
			}
			return a.showSent(sent{Hash: wire.Hash(t.SigningHash()), Sender: t.From.String(), Nonce: t.Nonce}, "", "")
		},
	}
	cmd.Flags().StringVar(&text, "hex", "", "signed transaction in hex, or @file with its bytes")
	require(cmd, "hex")
	return cmd
}

// transactionSign signs a hash as it is. With --expect-tx-hex it signs only the hash of that transaction, and only when
// the key fills one of its signer slots. Spec: node-rpc-cli §4.2.
func (a *app) transactionSign() *cobra.Command {
	var text, expect string
	cmd := &cobra.Command{
		Use: "sign-hash", Short: "Sign a transaction's signing hash", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			hash, err := parseHash(text)
			if err != nil {
				return err
			}
			raw, err := a.key("")
			if err != nil {
				return err
			}
			key, err := sig.ParsePrivateKey(raw[:])
			if err != nil {
				return err
			}
			if expect != "" {
				encoded, err := parseHex("transaction", expect)
				if err != nil {
					return err
				}
				t, err := tx.Decode(encoded)
				if err != nil {
					return fmt.Errorf("not a canonical transaction: %w", err)
				}
				if t.SigningHash() != hash {
					return errors.New("the hash is not that transaction's signing hash; nothing was signed")
				}
				slot := t.From == key.Address()
				for _, s := range t.AdditionalSigners {
					slot = slot || s.Address == key.Address()
				}
				if !slot {
					return fmt.Errorf("%s signs no slot of that transaction; nothing was signed", key.Address())
				}
			}
			signature := key.Sign(hash)
			line, err := json.Marshal(map[string]any{
				"r": hex.EncodeToString(signature[:32]), "s": hex.EncodeToString(signature[32:64]),
				"v": signature[64], "address": key.Address().String(),
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s\n", line)
			return err
		},
	}
	cmd.Flags().StringVar(&text, "hash", "", "hash to sign")
	cmd.Flags().StringVar(&expect, "expect-tx-hex", "", "unsigned transaction the hash must belong to")
	require(cmd, "hash")
	return cmd
}

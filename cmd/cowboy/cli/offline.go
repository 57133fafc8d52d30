package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// prepare completes a transaction and writes it, unsigned, to a file. No key is needed.
func (a *app) prepare(ctx context.Context, f *sendFlags, in tx.Instruction) (sent, error) {
	switch {
	case f.unsigned == "":
		return sent{}, usageError{errors.New("--sender is of a transaction that is signed elsewhere\n  say with --unsigned where to write it")}
	case f.wait:
		return sent{}, usageError{errors.New("--wait is for a transaction that is sent; with --unsigned it is only written")}
	}
	var from account.Address
	var err error
	if f.from != "" {
		from, err = parseAddress(f.from)
	} else if from, err = a.addressFlag(""); errors.Is(err, errNoKey) {
		err = usageError{errors.New("who is to sign it?\n  say with --sender")}
	}
	if err != nil {
		return sent{}, err
	}
	t, err := a.complete(ctx, f, a.node(), from, in)
	if err != nil {
		return sent{}, err
	}
	return sent{Hash: wire.Hash(t.SigningHash()), Sender: from.String(), Nonce: t.Nonce, File: f.unsigned}, writeNew(f.unsigned, t.Encode())
}

// writeNew writes a file that is not there yet.
func writeNew(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists\n  name a file that does not exist", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// transactionSignFile signs a transaction of a file. It asks no node: what it signs is what it prints.
func (a *app) transactionSignFile() *cobra.Command {
	var to, passwordFile string
	cmd := &cobra.Command{
		Use: "sign FILE", Short: "Sign the transaction of a file, without a node", Args: cobra.ExactArgs(1),
		Long: "Print the transaction that --unsigned wrote to a file, sign it with the key of its sender, and write it to another file for\n" +
			"`cowboy tx submit --hex @FILE`. No node is asked, so it can be done on a machine without a network. The key is the wallet's, or with\n" +
			"--private-key that of a file, such as a validator's account.json, whose password is in --password-file or " + votePasswordEnv + ".",
		RunE: func(_ *cobra.Command, args []string) error {
			raw, err := readFile(args[0])
			if err != nil {
				return err
			}
			t, err := tx.Decode(raw)
			if err != nil {
				return fmt.Errorf("%s: not a canonical transaction: %w\n  have it written again with --unsigned", args[0], err)
			}
			key, err := a.signingKey(passwordFile)
			if err != nil {
				return err
			}
			if err := signSlot(t, key); err != nil {
				return err
			}
			if err := writeNew(to, t.Encode()); err != nil {
				return err
			}
			if a.asJSON {
				return a.showJSON(wire.FromTx(t))
			}
			return a.showSigned(t, to)
		},
	}
	cmd.Flags().StringVar(&to, "out", "", "file for the signed transaction")
	cmd.Flags().StringVar(&passwordFile, "password-file", "", "file with the password of a sealed key (default: "+votePasswordEnv+")")
	require(cmd, "out")
	return cmd
}

// signingKey is the wallet's key, or the one of --private-key, which may be sealed under a password.
func (a *app) signingKey(passwordFile string) (*sig.PrivateKey, error) {
	if a.keyPath != "" && passwordFile != "" {
		secret, err := openKeyFile(a.keyPath, passwordFile)
		if err != nil {
			return nil, err
		}
		return sig.ParsePrivateKey(secret)
	}
	raw, err := a.key("")
	if err != nil {
		return nil, err
	}
	return sig.ParsePrivateKey(raw[:])
}

// signSlot puts a key's signature where the transaction wants it.
func signSlot(t *tx.Tx, key *sig.PrivateKey) error {
	signature, found := key.Sign(t.SigningHash()), false
	if t.From == key.Address() {
		t.Signature, found = signature, true
	}
	for i := range t.AdditionalSigners {
		if t.AdditionalSigners[i].Address == key.Address() {
			t.AdditionalSigners[i].Signature, found = signature, true
		}
	}
	if !found {
		return fmt.Errorf("the transaction is %s's, and this is the key of %s; nothing was signed", t.From, key.Address())
	}
	return nil
}

// showSigned tells what was signed: everything that costs or moves something.
func (a *app) showSigned(t *tx.Tx, file string) error {
	w := wire.FromTx(t)
	most, err := t.MaxCost()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "Chain: %d\nSender: %s\nNonce: %d\nAt most: %s CBY, of which %s CBY are handed over\nInstruction: ", t.ChainID, t.From, t.Nonce,
		most.CBY(), unit.Amount(tx.ValueOf(t.Instruction)).CBY())
	if err := a.showJSON(w.Instruction); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "Transaction hash: %s\n%s is signed; `cowboy tx submit --hex @%s` sends it\n", wire.Hash(t.SigningHash()), file, file)
	return err
}

package daemon

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// keysCommand manages the directory of keys.
func keysCommand(s *settings, out io.Writer) *cobra.Command {
	c := &cobra.Command{
		Use: "keys", Short: "List, show, import, back up and restore the node's keys, or change their password",
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return s.load(cmd) },
	}
	flags := c.PersistentFlags()
	flags.StringVar(&s.configFile, "config", "", "configuration; the default is config.toml in the data directory")
	flags.StringVar(&s.passwordFile, "password-file", "", "file whose first line is the password of the keys")
	flags.BoolVar(&s.lightKeys, "light-keys", false, "make key files whose password is cheap to try: only for networks whose keys are worth nothing")
	c.AddCommand(keysList(s, out), keysShow(s, out), keysImport(s, out), keysPassword(s, out), keysBackup(s, out), keysRestore(s, out), keysExport(s, out))
	c.AddCommand(keysProof(s, out))
	return c
}

func keysList(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the keys: name, public part, file", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, found := s.ring(), false
			for _, name := range append([]string{keyring.Network}, keyring.Sealed...) {
				if !r.Has(name) {
					continue
				}
				public, err := public(r, name)
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "%-8s %s  %s\n", name, public, r.Path(name))
				found = true
			}
			if !found {
				return fmt.Errorf("%s: %w\n  `cowboyd init` makes keys", r.Dir, keyring.ErrAbsent)
			}
			return nil
		},
	}
}

// public is what others know of a key. No password is needed.
func public(r keyring.Ring, name string) (string, error) {
	if name == keyring.Network {
		if !r.Has(name) {
			return "", fmt.Errorf("%s: %w", r.Path(name), keyring.ErrAbsent)
		}
		k, err := r.Identity()
		return k.ID().String(), err
	}
	f, err := r.File(name)
	if err != nil {
		return "", err
	}
	return f.PublicKey, nil
}

func keysShow(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Print the public part of a key: network (the id of p2p.peers), vote, share or account", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkKeyName(args[0], true); err != nil {
				return err
			}
			text, err := public(s.ring(), args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(out, text)
			return err
		},
	}
}

// checkKeyName gives an error for a name that is none.
func checkKeyName(name string, network bool) error {
	for _, known := range keyring.Sealed {
		if known == name {
			return nil
		}
	}
	if network && name == keyring.Network {
		return nil
	}
	return usageError{fmt.Errorf("there is no key %q: want vote, share or account", name)}
}

func keysImport(s *settings, out io.Writer) *cobra.Command {
	var theirs string
	c := &cobra.Command{
		Use: "import NAME FILE", Short: "Import a key from an EIP-2335 file, such as another validator client's", Args: cobra.ExactArgs(2),
		Long: "Take the vote, share or account key out of an EIP-2335 file under another password and put it under this directory's.\n" +
			"The keys count as used: a validator whose journal was left behind does not vote before the epoch ends.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkKeyName(args[0], false); err != nil {
				return err
			}
			f, err := keyring.Read(args[1])
			if err != nil {
				return err
			}
			password, ok, err := s.given(theirs, "COWBOYD_IMPORT_PASSWORD")
			if err == nil && !ok {
				password, err = ask("Password of " + args[1] + ": ")
			}
			if err != nil {
				return err
			}
			secret, err := f.Open(password)
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			r := s.ring()
			if err := r.Make(); err != nil {
				return err
			}
			own, err := s.common(r)
			if err != nil {
				return err
			}
			if err := r.Put(args[0], secret, own); err != nil {
				return err
			}
			if err := r.MarkUsed(); err != nil {
				return err
			}
			return s.keyWritten(out, r, args[0])
		},
	}
	c.Flags().StringVar(&theirs, "import-password-file", "",
		"file whose first line is the password of FILE; COWBOYD_IMPORT_PASSWORD and the terminal otherwise")
	return c
}

// common is the password the directory's keys are under, or a new one where there are none.
func (s *settings) common(r keyring.Ring) (string, error) {
	for _, name := range keyring.Sealed {
		if !r.Has(name) {
			continue
		}
		password, err := s.password(fmt.Sprintf("Password of the keys in %s: ", r.Dir))
		if err != nil {
			return "", err
		}
		_, err = r.Secret(name, password)
		return password, s.explainKey(err)
	}
	return s.newPassword(s.passwordFile, passwordVariable, "New password of the keys: ")
}

func (s *settings) keyWritten(out io.Writer, r keyring.Ring, name string) error {
	text, err := public(r, name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s %s\n", name, text)
	return err
}

func keysPassword(s *settings, out io.Writer) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: "password", Short: "Change the password of all keys", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := s.ring()
			old, err := s.password("Present password: ")
			if err != nil {
				return err
			}
			next, err := s.newPassword(file, "COWBOYD_NEW_PASSWORD", "New password: ")
			if err != nil {
				return err
			}
			if err := r.ChangePassword(old, next); err != nil {
				return s.explainKey(err)
			}
			_, err = fmt.Fprintf(out, "the keys in %s have a new password; backups keep the old one\n", r.Dir)
			return err
		},
	}
	c.Flags().StringVar(&file, "new-password-file", "", "file whose first line is the new password; COWBOYD_NEW_PASSWORD and the terminal otherwise")
	return c
}

func keysBackup(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "backup DIR", Short: "Copy the key files, still sealed, into a new directory", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := s.ring().Backup(args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "the keys are in %s; keep it apart from the password\n", args[0])
			return err
		},
	}
}

func keysRestore(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "restore DIR", Short: "Put the keys of a backup into a data directory that has none", Args: cobra.ExactArgs(1),
		Long: "Put the keys of a backup into a data directory that has none. Without the journal that was lost with them the validator follows, and\n" +
			"votes again in the first epoch that begins while it runs: what it signed before is not known any more.",
		RunE: func(_ *cobra.Command, args []string) error {
			r := s.ring()
			if err := r.Restore(args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "the keys are in %s; the validator votes again in the first epoch that begins while it runs\n", r.Dir)
			return err
		},
	}
}

func keysExport(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "export FILE", Short: "Write the account's private key to a file for the cowboy command", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r := s.ring()
			password, err := s.password(fmt.Sprintf("Password of the keys in %s: ", r.Dir))
			if err != nil {
				return err
			}
			secret, err := r.Secret(keyring.Account, password)
			if err != nil {
				return s.explainKey(err)
			}
			if err := wallet.Key(secret).Save(args[0], false); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "the account's private key is in %s, not encrypted\n", args[0])
			return err
		},
	}
}

// makeKeys draws a new node's keys.
func (s *settings) makeKeys(r keyring.Ring, validator bool) error {
	if err := r.Make(); err != nil {
		return err
	}
	if _, err := r.Identity(); err != nil || !validator {
		return err
	}
	if r.Has(keyring.Vote) {
		return fmt.Errorf("%s: %w", r.Path(keyring.Vote), keyring.ErrPresent)
	}
	password, err := s.newPassword(s.passwordFile, passwordVariable, "Password for the keys: ")
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w\n  write a password of at least %d characters into that file first", err, leastPassword)
	}
	if err != nil {
		return err
	}
	return r.Draw(password, rand.Reader)
}

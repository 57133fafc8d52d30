package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
)

// maxSecret bounds what is read from a secret's file or standard input.
const maxSecret = 4096

func (a *app) walletCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "wallet", Short: "Make, import and read keys"}
	cmd.AddCommand(a.walletCreate(), a.walletCreateMnemonic(), a.walletAddress(), a.walletBalance(),
		a.walletExport(), a.walletImportHex(), a.walletImportMnemonic(), a.walletUpgrade())
	return cmd
}

// keyOutput is where a new key goes: the flag, the project's key file, or .cowboy/key here.
func keyOutput(flag string) string {
	if flag != "" {
		return flag
	}
	if config, err := findProject(); err == nil {
		if name := config.Active().KeyFile; name != "" {
			return filepath.Join(config.Folder(), name)
		}
	}
	return filepath.Join(project.Dir, "key")
}

func saveKey(key wallet.Key, path string, force bool) error {
	err := key.Save(path, force)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s holds a key already; it was left alone\n  name another file with --output", path)
	}
	return err
}

// keep saves a new key where the flag says, and shows its address.
func (a *app) keep(key wallet.Key, output string, force bool, phrase string) error {
	path := keyOutput(output)
	if err := saveKey(key, path, force); err != nil {
		return err
	}
	address, err := addressOf(key)
	if err != nil {
		return err
	}
	value := map[string]string{"address": address.String(), "key_file": path}
	text := fmt.Sprintf("Created %s\nWallet address: %s\n", path, address)
	if phrase != "" {
		value["mnemonic"] = phrase
		text += "Recovery phrase (write it down; it is shown once):\n  " + phrase + "\n"
	}
	return a.show(value, "%s", text)
}

func (a *app) walletCreate() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "create", Short: "Make a new key", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			key, err := wallet.New()
			if err != nil {
				return err
			}
			return a.keep(key, output, false, "")
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "file to write")
	return cmd
}

func (a *app) walletCreateMnemonic() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "create-mnemonic", Short: "Make a new key from a recovery phrase", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			phrase, err := wallet.NewMnemonic()
			if err != nil {
				return err
			}
			key, err := wallet.FromMnemonic(phrase, 0)
			if err != nil {
				return err
			}
			return a.keep(key, output, false, phrase)
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "file to write")
	return cmd
}

func (a *app) walletAddress() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: "address", Short: "Print the wallet's address", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			key, err := a.key(path)
			if err != nil {
				return err
			}
			address, err := addressOf(key)
			if err != nil {
				return err
			}
			return a.show(map[string]string{"address": address.String()}, "%s\n", address)
		},
	}
	cmd.Flags().StringVar(&path, "key", "", "key file")
	return cmd
}

func (a *app) walletBalance() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: "balance", Short: "Print the wallet's balance", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, err := a.key(path)
			if err != nil {
				return err
			}
			address, err := addressOf(key)
			if err != nil {
				return err
			}
			reply, err := a.node().Account(cmd.Context(), address.String())
			if err != nil {
				return err
			}
			return a.show(reply, "Balance: %s CBY\n", unit.Amount(reply.Balance).CBY())
		},
	}
	cmd.Flags().StringVar(&path, "key", "", "key file")
	return cmd
}

func (a *app) walletExport() *cobra.Command {
	var path string
	var noPrefix bool
	cmd := &cobra.Command{
		Use: "export", Short: "Print the private key in hex", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			key, err := a.key(path)
			if err != nil {
				return err
			}
			text := "0x" + key.Hex()
			if noPrefix {
				text = key.Hex()
			}
			return a.show(map[string]string{"private_key": text}, "%s\n", text)
		},
	}
	cmd.Flags().StringVar(&path, "key", "", "key file")
	cmd.Flags().BoolVar(&noPrefix, "no-prefix", false, "without 0x")
	return cmd
}

// secret reads a file, or standard input when the name is -.
func (a *app) secret(name string) (string, error) {
	source := a.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer file.Close()
		source = file
	}
	text, err := io.ReadAll(io.LimitReader(source, maxSecret))
	return strings.TrimSpace(string(text)), err
}

func (a *app) walletImportHex() *cobra.Command {
	var file, output string
	var force bool
	cmd := &cobra.Command{
		Use: "import-hex", Short: "Keep a private key given in hex", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := a.secret(file)
			if err != nil {
				return err
			}
			key, err := wallet.ParseHex(text)
			if err != nil {
				return err
			}
			return a.keep(key, output, force, "")
		},
	}
	cmd.Flags().StringVar(&file, "hex-file", "-", "file with the key, - for standard input")
	cmd.Flags().StringVar(&output, "output", "", "file to write")
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return cmd
}

func (a *app) walletImportMnemonic() *cobra.Command {
	var file, output string
	var index uint32
	cmd := &cobra.Command{
		Use: "import-mnemonic", Short: "Keep the key of a recovery phrase", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			phrase, err := a.secret(file)
			if err != nil {
				return err
			}
			key, err := wallet.FromMnemonic(phrase, index)
			if err != nil {
				return err
			}
			return a.keep(key, output, false, "")
		},
	}
	cmd.Flags().StringVar(&file, "mnemonic-file", "-", "file with the phrase, - for standard input")
	cmd.Flags().StringVar(&output, "output", "", "file to write")
	cmd.Flags().Uint32Var(&index, "index", 0, "account index")
	return cmd
}

func (a *app) walletUpgrade() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: "upgrade", Short: "Rewrite a raw hex key file in the armoured form", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			target := path
			if target == "" {
				target = keyOutput(a.keyPath)
			}
			key, err := loadKey(target)
			if err != nil {
				return err
			}
			return a.keep(key, target, true, "")
		},
	}
	cmd.Flags().StringVar(&path, "key", "", "key file")
	return cmd
}

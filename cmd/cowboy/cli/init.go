package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
)

// networks are the names `init` takes, with the node each one talks to; dev has no address of its own here.
var networks = map[string]string{"local": project.DefaultURL, "dev": "", "summit": ""}

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "init <local|dev|summit>",
		Short:     "Make a project here: wallet, configuration, starter actor",
		Args:      oneNetwork,
		ValidArgs: []string{"local", "dev", "summit"},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			url, known := networks[name]
			switch {
			case !known:
				return usageError{fmt.Errorf("%q is not a network: want local, dev or summit\n"+
					"  for a project in a directory of that name: mkdir %s && cd %s && cowboy init local", name, name, name)}
			case name == "summit":
				return errors.New("the summit network is not open yet\n  use `cowboy init local` with your own node")
			case name == "dev" && os.Getenv("COWBOY_RPC_URL") == "" && a.rpcURL == "":
				return errors.New("name the dev network's node with --rpc-url or COWBOY_RPC_URL")
			case name == "dev":
				url = os.Getenv("COWBOY_RPC_URL")
			}
			if a.rpcURL != "" {
				url = a.rpcURL
			}
			return a.initialise(cmd.Context(), name, url)
		},
	}
}

func oneNetwork(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{errors.New("say which network the project begins on: `cowboy init local` for one on this machine, dev or summit")}
	}
	return nil
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

type initReport struct {
	Created       []string `json:"created"`
	WalletAddress string   `json:"wallet_address"`
	Funded        string   `json:"funded_cby,omitempty"`
	Note          string   `json:"note,omitempty"`
}

// initialise adds the environment and makes it active, keeping what the project holds already, its key included.
// A faucet that cannot be reached or refuses is a note, not a failure. Spec: node-rpc-cli §4.2.
func (a *app) initialise(ctx context.Context, name, url string) error {
	config, err := project.Open(project.Dir)
	if err != nil {
		return err
	}
	report := initReport{}
	keyFile := filepath.Join("keys", name)
	keyPath := filepath.Join(project.Dir, keyFile)
	key, err := wallet.Load(keyPath)
	if errors.Is(err, fs.ErrNotExist) {
		if key, err = wallet.New(); err != nil {
			return err
		}
		if err = key.Save(keyPath, false); err == nil {
			report.Created = append(report.Created, keyPath)
		}
	}
	if err != nil {
		return err
	}
	address, err := addressOf(key)
	if err != nil {
		return err
	}
	report.WalletAddress = address.String()
	config.SetEnvironment(project.Environment{Name: name, RPCURL: url, KeyFile: keyFile}, address.String())
	if err := config.Save(); err != nil {
		return err
	}
	report.Created = append(report.Created, config.Path)
	for _, write := range []func() (string, error){
		func() (string, error) { return project.WriteProject(".") },
		func() (string, error) { return project.WriteReadme(".") },
		func() (string, error) { return project.WriteIgnore(".") },
	} {
		path, err := write()
		if err == nil {
			report.Created = append(report.Created, path)
		} else if !errors.Is(err, project.ErrExists) {
			return err
		}
	}
	for _, write := range []func() ([]string, error){
		func() ([]string, error) { return project.WriteActor(".", "counter") },
		func() ([]string, error) { return project.WriteStubs(".") },
	} {
		made, err := write()
		report.Created = append(report.Created, made...)
		if err != nil && !errors.Is(err, project.ErrExists) {
			return err
		}
	}
	faucetURL := firstOf(a.rpcURL, os.Getenv("COWBOY_RPC_URL"), url)
	faucetCtx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if reply, err := a.at(faucetURL).Faucet(faucetCtx, address.String()); err == nil {
		report.Funded = unit.Amount(reply.Amount).CBY()
	} else {
		report.Note = "the faucet did not fund the wallet: " + err.Error()
	}
	return a.showInit(report)
}

func (a *app) showInit(r initReport) error {
	text := ""
	for _, path := range r.Created {
		text += "Created " + path + "\n"
	}
	text += "Wallet address: " + r.WalletAddress + "\n"
	if r.Funded != "" {
		text += "Funded with " + r.Funded + " CBY\n"
	}
	if r.Note != "" {
		text += "Note: " + r.Note + "\n"
	}
	text += "Next steps:\n" +
		"  cowboy test                                                 # the starter's tests, without a node\n" +
		"  cowboyd                                                     # a node of your own, if none runs\n" +
		"  cowboy account faucet                                       # coins, if the wallet has none\n" +
		"  cowboy deploy                                               # bring the network to the actors cowboy.toml declares\n" +
		"  cowboy actor execute --actor counter --handler increment --wait\n"
	return a.show(r, "%s", text)
}

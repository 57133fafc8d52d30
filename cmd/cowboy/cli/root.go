package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
)

// app is what the commands share: the flags every one of them takes.
type app struct {
	rpcURL     string
	indexerURL string
	keyPath    string
	asJSON     bool
	caFile     string
	client     http.Client // without a limit of time
	out        io.Writer
	err        io.Writer
	in         io.Reader
	nodeKey    nodeKey
}

// silent is an error whose text has been shown already; only its exit status is left.
type silent struct{ error }

// status is how a program wished to end.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Main runs the command line and gives the exit status: 0 done, 1 failed, 2 wrong usage.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{out: out, err: errOut, in: in}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	var quiet silent
	var usage usageError
	var wished status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wished):
		return int(wished)
	case errors.As(err, &quiet):
		return 1
	case errors.As(err, &usage):
		fmt.Fprintf(errOut, "Error: %v\n", err)
		return 2
	}
	if a.asJSON {
		a.printErrorJSON(err)
	}
	fmt.Fprintf(errOut, "Error: %v\n", err)
	return 1
}

type usageError struct{ error }

// printErrorJSON also puts the error on standard output, where a script that asked for JSON reads.
func (a *app) printErrorJSON(err error) {
	body := map[string]any{"error": err.Error()}
	var status *api.StatusError
	if errors.As(err, &status) {
		body["error"] = status.Reply.Message
		body["code"] = status.Reply.Code
		body["why"] = status.Reply.Why
		body["fix"] = status.Reply.Fix
	}
	if would := (*wouldFail)(nil); errors.As(err, &would) {
		body["simulation"] = would.simulation
	}
	_ = json.NewEncoder(a.out).Encode(body)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "cowboy",
		Short:         "Deploy, call and watch Python actors on a Cowboy chain",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version.Version,
		// A project whose configuration is broken is never taken for no project.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Name() == "version" {
				return nil
			}
			if err := a.trust(); err != nil {
				return err
			}
			if _, err := findProject(); err != nil && !errors.Is(err, project.ErrNoProject) {
				return err
			}
			return nil
		},
	}
	root.SetVersionTemplate("cowboy {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringVar(&a.rpcURL, "rpc-url", "", "node to talk to (default: COWBOY_RPC_URL, the project's environment, "+project.DefaultURL+")")
	flags.StringVar(&a.indexerURL, "indexer-url", "", "another name of --rpc-url")
	flags.StringVar(&a.keyPath, "private-key", "", "key file (default: the key in COWBOY_PRIVATE_KEY, 64 hex digits; the project's key)")
	flags.StringVar(&a.caFile, "ca-file", "", "PEM file of certificates to trust for https beside the system's (default: "+caFileEnv+")")
	flags.BoolVar(&a.asJSON, "json", false, "answer in JSON")
	root.AddCommand(
		a.versionCommand(), a.initCommand(), a.walletCommand(), a.accountCommand(), a.transferCommand(),
		a.actorCommand(), a.deployCommand(), a.clientCommand(), a.fundActorCommand(), a.upgradeActorCommand(), a.transactionCommand(), a.blockCommand(),
		a.queryCommand(), a.statusCommand(), a.devCommand(), a.pvmCommand(), a.checkCommand(), a.treeCommand(), a.eventsCommand(), a.traceCommand(),
		a.testCommand(), a.profileCommand(), a.lightCommand(), a.validatorCommand(), a.governanceCommand(), a.tokenCommand(),
		a.entitlementCommand(), a.roleCommand(), a.poolCommand(), a.rentCommand(), a.supplyCommand(), a.feesCommand(), a.runnerCommand(), a.jobCommand(),
		a.containerCommand(), a.modelCommand(), a.volumeCommand(), a.relayCommand(), a.retentionCommand(), a.routeCommand(), a.gatewayCommand(),
		a.secretsCommand(), a.proxyCommand(), a.bankCommand(), a.sessionCommand(), a.subscriptionCommand(), a.streamCommand(), a.paymentCommand(),
	)
	listing(root)
	usage.Guard(root, func(err error) error { return usageError{err} })
	return root
}

// listing has every command that is called list answer to ls too, and the other way round.
func listing(cmd *cobra.Command) {
	switch cmd.Name() {
	case "list":
		cmd.Aliases = append(cmd.Aliases, "ls")
	case "ls":
		cmd.Aliases = append(cmd.Aliases, "list")
	}
	for _, sub := range cmd.Commands() {
		listing(sub)
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.show(map[string]string{"version": version.Version}, "cowboy %s\n", version.Version)
		},
	}
}

// show prints the value as JSON when asked for, else the text.
func (a *app) show(value any, format string, args ...any) error {
	if a.asJSON {
		return a.showJSON(value)
	}
	_, err := fmt.Fprintf(a.out, format, args...)
	return err
}

func (a *app) showJSON(value any) error {
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}

// url finds the node: flag, COWBOY_RPC_URL, the project's active environment, the local default. Spec: node-rpc-cli §4.1.
func (a *app) url() string {
	if a.rpcURL != "" {
		return a.rpcURL
	}
	if a.indexerURL != "" {
		return a.indexerURL
	}
	if env := os.Getenv("COWBOY_RPC_URL"); env != "" {
		return env
	}
	if config, err := findProject(); err == nil {
		if env := config.Active(); env.RPCURL != "" {
			return env.RPCURL
		}
	}
	return project.DefaultURL
}

func (a *app) node() *api.Client { return a.at(a.url()) }

// at gives a client of the node at an address.
func (a *app) at(url string) *api.Client {
	node := api.New(url)
	node.HTTP.Transport = a.client.Transport
	return node
}

// caFileEnv names a file of certificates where --ca-file does not.
const caFileEnv = "COWBOY_CA_FILE"

// trust has clients of nodes trust the certificates of the file that --ca-file or the environment names.
func (a *app) trust() error {
	path := a.caFile
	if path == "" {
		path = os.Getenv(caFileEnv)
	}
	if path == "" {
		return nil
	}
	transport, err := api.Trusting(path)
	if err != nil {
		return fmt.Errorf("--ca-file: %w\n  name a PEM file with the certificate that signed the node's, or the node's own", err)
	}
	a.client.Transport = transport
	return nil
}

func findProject() (*project.Config, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return project.Find(dir)
}

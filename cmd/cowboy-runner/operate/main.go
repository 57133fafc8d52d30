package operate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
)

// Main runs the command line and gives the exit status: 1 for a failure, 2 for wrong usage.
func Main(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "cowboy-runner", Short: "Do the jobs of a registered runner", Version: version.Version, SilenceErrors: true, SilenceUsage: true,
	}
	dir := root.PersistentFlags().String("data-dir", "cowboy-runner-data", "the runner's directory")
	root.AddCommand(initCommand(dir), startCommand(dir), workerCommand(dir), statusCommand(dir), drainCommand(dir), doctorCommand(dir), permissionsCommand(dir),
		quoteCommand(),
		&cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs, Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "cowboy-runner %s\n", version.Version)
		}})
	return usage.Run(root, args, stdout, stderr)
}

func initCommand(dir *string) *cobra.Command {
	var rpc string
	var chain uint64
	cmd := &cobra.Command{Use: "init", Short: "Make a data directory: keys, configuration, journal", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return initialize(cmd.OutOrStdout(), *dir, rpc, chain) }}
	cmd.Flags().StringVar(&rpc, "rpc-url", "http://127.0.0.1:4000", "the node the runner asks and sends to")
	cmd.Flags().Uint64Var(&chain, "chain-id", 1, "the chain the runner is registered on")
	return cmd
}

// initialize makes a data directory. What is there already is not touched.
func initialize(out io.Writer, dir, rpc string, chain uint64) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	config := filepath.Join(dir, configFile)
	if _, err := os.Stat(config); err == nil {
		return fmt.Errorf("%s is there already", config)
	}
	key, err := wallet.New()
	if err != nil {
		return err
	}
	if err := key.Save(filepath.Join(dir, keyFile), false); err != nil {
		return err
	}
	private, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		return err
	}
	for _, name := range []string{seedFile, workerFile} {
		pair, err := nkeys.CreateUser()
		if err != nil {
			return err
		}
		seed, err := pair.Seed()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), seed, 0o600); err != nil {
			return err
		}
	}
	files, err := disk.NewDirectory(filepath.Join(dir, journalDir))
	if err != nil {
		return err
	}
	if err := runner.MakeJournal(files, private.Address(), ChainOf(chain)); err != nil {
		return err
	}
	text := fmt.Sprintf("[runner]\nrpc = %q\nchain_id = %d\nmetrics = \"\" # host:port\n\n[[place]] # so many jobs of a capability are done at a time\n"+
		"capability = \"http\"\ncount = 4\n", rpc, chain)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(out, "runner %s\n", private.Address())
	return nil
}

func startCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "start", Short: "Run the dispatcher and its workers", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		c, err := readConfig(*dir)
		if err != nil {
			return err
		}
		return newRunning(*dir, c, cmd.ErrOrStderr()).start(cmd.Context())
	}}
}

func workerCommand(dir *string) *cobra.Command {
	var at string
	cmd := &cobra.Command{Use: "worker", Short: "Run workers that join a dispatcher", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		c, err := readConfig(*dir)
		if err != nil {
			return err
		}
		return newRunning(*dir, c, cmd.ErrOrStderr()).work(cmd.Context(), at)
	}}
	cmd.Flags().StringVar(&at, "join", "", "the dispatcher's queue: nats://host:port")
	_ = cmd.MarkFlagRequired("join")
	return cmd
}

func statusCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "status", Short: "Print what the runner has open", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return ask(cmd.Context(), *dir, http.MethodGet, "/status", cmd.OutOrStdout())
	}}
}

func drainCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "drain", Short: "Take no more jobs, and wait until none is open", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), *dir, http.MethodPost, "/drain", cmd.OutOrStdout())
		}}
}

func doctorCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "doctor", Short: "Check the configuration, the keys and the node", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return examine(cmd.Context(), cmd.OutOrStdout(), *dir) }}
}

// examine checks what a runner needs, one line for each.
func examine(ctx context.Context, out io.Writer, dir string) error {
	e := operator.Examination{Out: out}
	say := e.Say
	c, err := readConfig(dir)
	say("configuration", err)
	if err != nil {
		return errors.New("the configuration comes first")
	}
	key, err := wallet.Load(filepath.Join(dir, keyFile))
	say("key of the runner", err)
	for _, name := range []string{seedFile, workerFile} {
		seed, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			var public string
			public, err = publicOf(seed)
			name += " " + public
		}
		say(name, err)
	}
	c.examineContainers(ctx, say)
	c.examineKeys(ctx, dir, say)
	node := api.New(c.Runner.RPC)
	var health wire.Health
	err = node.Read(ctx, "/health/detailed", &health)
	if err == nil && health.ChainID != c.Runner.ChainID {
		err = fmt.Errorf("it is of chain %d, and the journal of chain %d", health.ChainID, c.Runner.ChainID)
	}
	say("node "+c.Runner.RPC, err)
	if private, keyErr := sig.ParsePrivateKey(key[:]); keyErr == nil && err == nil {
		var registered wire.Runner
		err := node.Read(ctx, "/runner/"+private.Address().String(), &registered)
		if say("registration of "+private.Address().String(), err); err == nil {
			c.Aggregator.examineEndpoint(&registered, say)
		}
		if !c.Runner.PollOnly {
			examineValidators(ctx, node, private, c.Runner.ChainID, say)
		}
	}
	return e.End()
}

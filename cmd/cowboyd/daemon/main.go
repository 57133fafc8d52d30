package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/actors/rpc/spans"
	"github.com/cowboyinc/cowboy-go/actors/signer"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
)

// Exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitHalted = 3
)

// settings are the node's own: none of them can reach a root, but for the chain id, which chooses the genesis.
type settings struct {
	rpcHost   string
	rpcPort   int
	dataDir   string
	blockTime time.Duration
	chainID   uint64
	memory    bool
	kept      kept
	rpcRate   int
	serving   serving
	// queryCycles and queryTime bound what is executed for a client.
	queryCycles uint64
	queryTime   time.Duration
	logLevel    string
	logFormat   string
	workers     int
	// memoryBudget is in MiB; 0: half of what there is.
	memoryBudget uint
	shares       *budget.Budget // of it; nil for commands that run no node
	budget       time.Duration  // for building a block; 0: the usual
	admin        string
	otlp         string
	traced       *spans.Recorder // of the running node; nil without otlp

	validators int    // of the development network
	rank       int    // of this node among them
	p2pHost    string // address the peer-to-peer port is bound to
	p2pPort    int    // 0: no network
	peers      []string
	boot       []string
	private    []string      // ids of nodes whose addresses are told to nobody
	advertise  config.Listen // zero: the address that is bound

	pushing pushing
	runners runners
	proxies proxies
	stores  stores
	portal  portal
	mining  dev.Mining // "": as paced says
	paced   bool       // --block-time was given

	// of a configured node; zero for a development network
	configFile   string // "": config.toml in the data directory
	config       *config.Config
	genesisFile  string
	keys         string // directory; "": the node follows
	passwordFile string
	fixed        *string // the password, where it is known already
	lightKeys    bool
	keyLock      *os.File // held while the node votes
	signer       string   // host:port of the process that holds the voting key; "": it is among the files
	signing      *signer.Client
	last         last
	hangups      chan os.Signal // SIGHUPs; nil while they end the process
}

// inherit takes over the flags that all commands share.
func (s *settings) inherit(from *settings) *settings {
	s.dataDir, s.chainID, s.rpcPort = from.dataDir, from.chainID, from.rpcPort
	return s
}

type usageError struct{ error }

// haltedError ends the process with exitHalted.
type haltedError struct{ error }

// Main runs the command line and gives the exit status.
func Main(args []string, out, errOut io.Writer) int {
	s := &settings{}
	root := &cobra.Command{
		Use:           "cowboyd",
		Short:         "Run a Cowboy node; without arguments a development network of one validator",
		Args:          cobra.NoArgs,
		Version:       version.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.hasConfig() {
				return usageError{fmt.Errorf("%s holds a configured node; start it by `cowboyd start --data-dir %s`", s.dataDir, s.dataDir)}
			}
			s.paced = cmd.Flags().Changed("block-time")
			return run(cmd.Context(), s, out)
		},
	}
	root.SetVersionTemplate("cowboyd {{.Version}}\n")
	root.PersistentFlags().StringVar(&s.dataDir, "data-dir", ".cowboyd", "directory of the chain")
	root.PersistentFlags().Uint64Var(&s.chainID, "chain-id", 1, "network: 1 is local")
	root.PersistentFlags().IntVar(&s.rpcPort, "rpc-port", 4000, "port of the HTTP interface")
	nodeFlags(root, s)
	networkFlags(root, s)
	s.pushing.flags(root, "127.0.0.1:0")
	s.runners.flags(root.Flags())
	s.proxies.flags(root.Flags())
	s.stores.flags(root.Flags())
	root.AddCommand(initCommand(s, out), startCommand(s, out), configCommand(s, out), keysCommand(s, out), genesisCommand(s, out))
	root.AddCommand(signerCommand(s, out), backupCommand(s, out), snapshotCommand(s, out), compactCommand(s, out))
	root.AddCommand(devnetCommand(s, out), treeCommand(s, out), peersCommand(s, out), verifyCommand(s, out))
	root.AddCommand(divergeCommand(s, out), doctorCommand(s, out), versionCommand(out))
	usage.Guard(root, func(err error) error { return usageError{err} })
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.Execute()
	var wrong usageError
	var halted haltedError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(errOut, "cowboyd: %v\n", err)
		return exitUsage
	case errors.As(err, &halted):
		fmt.Fprintf(errOut, "cowboyd: %v\n", err)
		return exitHalted
	}
	fmt.Fprintf(errOut, "cowboyd: %v\n", err)
	return exitFailed
}

// nodeFlags are the flags of the commands that run nodes.
func nodeFlags(c *cobra.Command, s *settings) {
	flags := c.Flags()
	flags.StringVar(&s.rpcHost, "rpc-host", "127.0.0.1", "address the HTTP interface listens on")
	flags.DurationVar(&s.blockTime, "block-time", time.Second, "least time between two blocks")
	flags.Var(&s.mining, "mining", "when a development network makes blocks: auto, as soon as something waits and each --block-time; interval,\n"+
		"each --block-time; manual, upon cowboy dev mine (default: auto, or interval where --block-time is given)")
	flags.BoolVar(&s.memory, "memory", false, "keep nothing on disk")
	s.kept.flags(flags)
	flags.IntVar(&s.rpcRate, "rpc-rate", envInt("RPC_GLOBAL_RATE_LIMIT_PER_SEC", 100), "requests a second the HTTP interface answers; 0 is no limit")
	s.serving.flags(flags)
	flags.StringVar(&s.logLevel, "log-level", "info", "debug, info, warn or error")
	flags.StringVar(&s.logFormat, "log-format", "text", "text or json")
	flags.StringVar(&s.admin, "admin", "", "loopback address for metrics, profiles and log levels, such as 127.0.0.1:4100; none unless given")
	flags.StringVar(&s.otlp, "otlp", "", "OTLP/HTTP endpoint to send OpenTelemetry traces to, such as http://127.0.0.1:4318; none unless given")
	flags.Uint64Var(&s.queryCycles, "query-cycles", 100_000_000, "most cycles a query of a client may use")
	flags.DurationVar(&s.queryTime, "query-time", 2*time.Second, "how long a query or a simulation of a client may take")
	flags.IntVar(&s.workers, "pvm-workers", 2, "Python machines kept ready")
	flags.UintVar(&s.memoryBudget, "memory-budget", 0, "MiB of memory the node may use, 256 or more; 0 is half of what the machine or its control group has")
	s.portal.flags(flags)
	flags.DurationVar(&s.budget, "build-time", 0,
		"how long a block may take to build before no further transaction is taken; 0 is a fifth of the leader deadline")
}

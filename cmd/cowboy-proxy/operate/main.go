package operate

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Main runs the command line and gives the exit status: 1 for a failure, 2 for wrong usage.
func Main(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "cowboy-proxy", Short: "Hold shares of release keys, and release secrets to runners as the chain allows", Version: version.Version,
		SilenceErrors: true, SilenceUsage: true,
	}
	dir := root.PersistentFlags().String("data-dir", "cowboy-proxy-data", "the proxy's directory")
	root.AddCommand(initCommand(dir),
		&cobra.Command{Use: "start", Short: "Run the proxy; it registers itself if it is not registered", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return start(cmd.Context(), cmd.ErrOrStderr(), *dir) }},
		&cobra.Command{Use: "status", Short: "Print what the running proxy holds and does", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return ask(cmd.Context(), cmd.OutOrStdout(), *dir) }},
		&cobra.Command{Use: "doctor", Short: "Check the configuration, the vault, the node and the registration", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return doctor(cmd.Context(), cmd.OutOrStdout(), *dir) }},
		&cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs, Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "cowboy-proxy %s\n", version.Version)
		}})
	return usage.Run(root, args, stdout, stderr)
}

func initCommand(dir *string) *cobra.Command {
	var rpc, listen, address string
	var chain uint64
	cmd := &cobra.Command{Use: "init", Short: "Make a data directory: keys, vault, configuration", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return initialize(cmd.OutOrStdout(), *dir, rpc, listen, address, chain)
		}}
	cmd.Flags().StringVar(&rpc, "rpc-url", "http://127.0.0.1:4000", "the node it asks and sends to: the operator's own, since it says who may have what")
	cmd.Flags().Uint64Var(&chain, "chain-id", 1, "the chain of that node")
	cmd.Flags().StringVar(&listen, "listen", fmt.Sprintf("0.0.0.0:%d", frame.Port), "host:port of UDP it listens at")
	cmd.Flags().StringVar(&address, "address", "", "host:port that runners and other proxies reach it at (default: --listen)")
	return cmd
}

// initialize makes a data directory. What is there already is not touched.
func initialize(out io.Writer, dir, rpc, listen, address string, chain uint64) error {
	at := filepath.Join(dir, configFile)
	if _, err := os.Stat(at); err == nil {
		return fmt.Errorf("%s is there already", at)
	}
	c := &config{}
	c.Proxy.Listen, c.Proxy.Address, c.Proxy.Stake = listen, address, "10000"
	if err := c.check(); err != nil {
		return usage.Wrong(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
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
	passphrase := rand.Text()
	if err := os.WriteFile(filepath.Join(dir, passphraseFile), []byte(passphrase+"\n"), 0o600); err != nil {
		return err
	}
	files, err := disk.NewDirectory(filepath.Join(dir, storeDir))
	if err != nil {
		return err
	}
	self, err := proxy.Make(files, []byte(passphrase), chain, func(k sig.CompressedKey) digest.Hash { return secret.ProxyID(private.Address(), k) })
	if err != nil {
		return err
	}
	text := fmt.Sprintf("[proxy]\nrpc = %q\nchain_id = %d\nlisten = %q\naddress = %q # that runners and other proxies reach\nstake = \"10000\" # in CBY\n"+
		"passphrase = %q # a file; keep it on another disk than the vault\nmetrics = \"\" # host:port\n", rpc, chain, listen, c.Proxy.Address, passphraseFile)
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(out, "proxy %s\noperator %s\n", hex.EncodeToString(self.ID[:]), private.Address())
	return nil
}

// loaded is what a data directory has.
type loaded struct {
	config   *config
	operator *sig.PrivateKey
	setting  *Setting
}

func load(dir string) (*loaded, error) {
	c, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	key, err := wallet.Load(filepath.Join(dir, keyFile))
	if err != nil {
		return nil, err
	}
	private, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		return nil, err
	}
	passphrase, err := c.passphrase(dir)
	if err != nil {
		return nil, err
	}
	files, err := disk.NewDirectory(filepath.Join(dir, storeDir))
	if err != nil {
		return nil, err
	}
	return &loaded{c, private, &Setting{
		Files: files, Passphrase: passphrase, ChainID: c.Proxy.ChainID, API: api.New(c.Proxy.RPC), Operator: private, Address: c.Proxy.Address, Stake: c.stake,
		Every: c.poll, Limits: exchange.Limits{Rate: c.Proxy.Rate},
	}}, nil
}

// refusals bounds the lines that strangers can have a process log.
var refusals = &zerolog.BurstSampler{Burst: 10, Period: time.Minute}

// Tell logs what a proxy tells of. What it could not sign or send is a warning whatever the usual level: from outside such a proxy looks well.
func Tell(log zerolog.Logger, usual zerolog.Level, e proxy.Event) {
	switch e.What {
	case "unsent", "unsigned":
		usual = zerolog.WarnLevel
	case "refused":
		log = log.Sample(refusals)
	}
	log.WithLevel(usual).Str("scope", hex.EncodeToString(e.Scope.Bytes())).Err(e.Err).Msg(e.What)
}

// start runs a proxy until the context ends, or it halts.
func start(ctx context.Context, to io.Writer, dir string) error {
	l, err := load(dir)
	if err != nil {
		return err
	}
	lock, err := l.setting.Files.Lock("lock")
	if err != nil {
		return fmt.Errorf("another proxy runs in %s: %w", dir, err)
	}
	defer lock.Close()
	log := zerolog.New(to).With().Timestamp().Logger()
	registry := prometheus.NewRegistry()
	events := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "cowboy_proxy_events_total", Help: "What the proxy tells of."}, []string{"what"})
	registry.MustRegister(events)
	l.setting.Observe = func(e proxy.Event) {
		events.WithLabelValues(e.What).Inc()
		Tell(log, zerolog.InfoLevel, e)
	}
	if l.setting.Socket, err = net.ListenPacket("udp", l.config.Proxy.Listen); err != nil {
		return err
	}
	p, err := Open(l.setting)
	if err != nil {
		return err
	}
	stop, err := control(dir, l.config.Proxy.Metrics, p.Handle, registry)
	if err != nil {
		return errors.Join(err, p.Close())
	}
	defer stop()
	tree, err := supervision.New(p.Spec, supervision.Config{Observe: func(e supervision.Event) {
		log.Debug().Str("subsystem", e.Subsystem).Str("event", string(e.Kind)).Msg(e.Text)
	}})
	if err != nil {
		return errors.Join(err, p.Close())
	}
	tree.Spawn()
	log.Info().Str("proxy", p.Self.ID.Hex()).Str("operator", l.operator.Address().String()).Str("address", l.config.Proxy.Address).Msg("the proxy is up")
	select {
	case h := <-tree.Halted():
		err = errors.New(h.String())
	case <-ctx.Done():
	}
	return errors.Join(err, tree.Stop(context.Background()), p.Close())
}

// control serves status on a socket of the data directory, and metrics where the configuration says.
func control(dir, metrics string, h *proxy.Handle, registry *prometheus.Registry) (stop func(), err error) {
	page, err := operator.Metrics(metrics, registry)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		s, ok := h.Status()
		if !ok {
			http.Error(w, "the proxy does not answer", http.StatusServiceUnavailable)
			return
		}
		_ = json.NewEncoder(w).Encode(s)
	})
	socket, err := operator.Control(filepath.Join(dir, socketFile), mux)
	if err != nil {
		page()
		return nil, err
	}
	return func() { page(); socket() }, nil
}

// ask asks the proxy that is up.
func ask(ctx context.Context, to io.Writer, dir string) error {
	return operator.Ask(ctx, filepath.Join(dir, socketFile), "proxy", http.MethodGet, "/status", to)
}

// doctor looks at everything a proxy needs.
func doctor(ctx context.Context, out io.Writer, dir string) error {
	e := operator.Examination{Out: out}
	say := e.Say
	l, err := load(dir)
	say("configuration, key and passphrase", err)
	if err != nil {
		return errors.New("the configuration comes first")
	}
	_, self, err := proxy.OpenVault(l.setting.Files, l.setting.Passphrase, l.setting.ChainID)
	say("vault", err)
	var health wire.Health
	err = l.setting.API.Read(ctx, "/health/detailed", &health)
	if err == nil && health.ChainID != l.config.Proxy.ChainID {
		err = fmt.Errorf("it is of chain %d, and the vault of chain %d", health.ChainID, l.config.Proxy.ChainID)
	}
	say("node "+l.config.Proxy.RPC, err)
	if self != nil && err == nil {
		examine(ctx, l, self, say)
	}
	return e.End()
}

// examine holds the registration against the vault, and asks the proxy at its address.
func examine(ctx context.Context, l *loaded, self *proxy.Identity, say func(what string, err error)) {
	_, print, err := exchange.Certificate(self.TLS)
	if err != nil {
		say("certificate", err)
		return
	}
	e := &Enrolment{Self: self, TLS: digest.Hash(print), Address: l.config.Proxy.Address, Stake: l.config.stake}
	var known wire.Proxy
	err = l.setting.API.Read(ctx, "/proxy/of/"+l.operator.Address().String(), &known)
	switch {
	case api.NotFound(err):
		err = fmt.Errorf("there is none; `start` makes it, or by hand:\n  %s", e.command())
	case err == nil && (known.ID != wire.Hash(self.ID) || known.TLS != wire.Hash(e.TLS) || known.NetworkAddr != e.Address):
		err = errElsewhere
	case err == nil && known.Suspended:
		err = errors.New("it is suspended")
	}
	say("registration of "+l.operator.Address().String(), err)
	peers := &Peers{}
	defer peers.Close()
	within, cancel := context.WithTimeout(ctx, 2*frame.Deadline)
	defer cancel()
	_, _, err = peers.Ask(within, &proxy.Peer{Address: e.Address, TLS: e.TLS}, frame.Health, nil)
	say("door at "+e.Address+" from here", err)
}

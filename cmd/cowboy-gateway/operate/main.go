package operate

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// options are the flags of the command that serves.
type options struct {
	rpc, key, dir string
	https, http   string
	cert, certKey string
	acme, email   string
	acmeCA        string
	cycles, cells uint64
	beat          time.Duration
	kept, most    int64 // GiB of files of volumes, MiB of one
}

// Main runs the command line and gives the exit status: 1 for a failure, 2 for wrong usage.
func Main(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "cowboy-gateway", Short: "Bring requests over HTTP to actors", Version: version.Version, SilenceErrors: true, SilenceUsage: true,
	}
	root.AddCommand(serveCommand(), &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs, Run: func(cmd *cobra.Command, _ []string) {
		fmt.Fprintf(cmd.OutOrStdout(), "cowboy-gateway %s\n", version.Version)
	}})
	return usage.Run(root, args, stdout, stderr)
}

func serveCommand() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "serve", Short: "Answer requests for names of the network", Args: cobra.NoArgs,
		Long: "With --acme certificates come from an authority that speaks ACME, for names that the chain has, when their first client comes. With\n" +
			"--tls-cert there is one certificate. Without either an authority in the data directory signs for the network's names; clients of a\n" +
			"development network trust its authority.pem. The account of --private-key pays for requests that change something and is registered\n" +
			"with `cowboy gateway register`.",
		RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd.Context(), cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.rpc, "rpc-url", "http://127.0.0.1:4000", "the node it asks and sends to")
	f.StringVar(&o.key, "private-key", "", "key file of the gateway's account")
	f.StringVar(&o.dir, "data-dir", "cowboy-gateway-data", "where the development authority lies")
	f.StringVar(&o.https, "https", "127.0.0.1:8443", "host:port for HTTPS; \"\" for none")
	f.StringVar(&o.http, "http", "", "host:port for plain HTTP; \"\" for none")
	f.StringVar(&o.cert, "tls-cert", "", "PEM file of a certificate, instead of the development authority")
	f.StringVar(&o.certKey, "tls-key", "", "PEM file of its key")
	f.StringVar(&o.acme, "acme", "", "directory address of an authority that speaks ACME; using it agrees to its terms")
	f.StringVar(&o.email, "acme-email", "", "where the authority may write to")
	f.StringVar(&o.acmeCA, "acme-ca", "", "PEM file that the authority's own certificate is checked against, instead of the system's")
	f.Uint64Var(&o.cycles, "cycles-limit", 2_000_000, "most cycles a request that changes something may use")
	f.Uint64Var(&o.cells, "cells-limit", 200_000, "most cells it may use")
	f.Int64Var(&o.kept, "cache-gib", 10, "most files of volumes that are kept in the data directory while it is up")
	f.Int64Var(&o.most, "static-mib", gateway.MaxStatic>>20, "largest file of a volume that is served, 100 at most")
	f.DurationVar(&o.beat, "heartbeat", gateway.DefaultBeat, "how often a heartbeat is sent; 0 for none")
	_ = cmd.MarkFlagRequired("private-key")
	return cmd
}

// secure gives the certificates of HTTPS at an address, and what ends their renewals. Those that are made or ordered are for hosts that serves admits.
//
// Spec: gateway-payments-streams §B.
func (o *options) secure(at *net.TCPAddr, serves func(ctx context.Context, host string) error, observe func(what, host string, err error)) (
	*tls.Config, func(), error,
) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	none := func() {}
	switch {
	case o.acme != "" && (o.cert != "" || o.certKey != ""):
		return nil, nil, usage.Wrong(errors.New("--acme and --tls-cert are two sources of certificates"))
	case o.cert != "" || o.certKey != "":
		pair, err := tls.LoadX509KeyPair(o.cert, o.certKey)
		config.Certificates = []tls.Certificate{pair}
		return config, none, err
	case o.acme != "":
		a := gateway.ACME{
			Directory: o.acme, Email: o.email, Dir: filepath.Join(o.dir, "acme"), Host: at.IP.String(), Port: at.Port, Serves: serves, Observe: observe,
		}
		if o.acmeCA != "" {
			text, err := os.ReadFile(o.acmeCA)
			if err != nil {
				return nil, nil, err
			}
			if a.Roots = x509.NewCertPool(); !a.Roots.AppendCertsFromPEM(text) {
				return nil, nil, fmt.Errorf("%s holds no certificate", o.acmeCA)
			}
		}
		c := gateway.NewCertificates(a)
		return c.TLS(), c.Close, nil
	}
	authority, err := gateway.OpenAuthority(o.dir, time.Now)
	if err != nil {
		return nil, nil, err
	}
	config.GetCertificate = gateway.Gate(serves, "localhost", authority.Certificate)
	return config, none, nil
}

// serve runs a gateway until the context ends.
func (o *options) serve(ctx context.Context, to io.Writer) error {
	if o.https == "" && o.http == "" {
		return usage.Wrong(errors.New("neither --https nor --http says where to listen"))
	}
	if o.kept < 1 || o.most < 1 || o.most > gateway.StaticCeiling>>20 {
		return usage.Wrong(errors.New("--cache-gib is at least 1, and --static-mib from 1 to 100"))
	}
	logger := zerolog.New(to).With().Timestamp().Logger()
	key, err := wallet.Load(o.key)
	if err != nil {
		return err
	}
	private, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		return err
	}
	most := tx.Cost{Cycles: unit.Cycles(o.cycles), Cells: unit.Cells(o.cells)}
	node := &client{wallet: &api.Wallet{Node: openNode(o.rpc), Key: private}, most: most}
	handle := gateway.NewHandle()
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	paywall := gateway.NewPaywall(node, private.Address(), secret, time.Now)
	volumes, err := openFiles(node.wallet.Node, filepath.Join(o.dir, "files"), o.kept<<30, o.most<<20)
	if err != nil {
		return err
	}
	defer volumes.close()
	door := gateway.NewDoor(gateway.Door{
		Node: node, Handle: handle, Address: private.Address(), Paywall: paywall, Files: volumes, MostStatic: o.most << 20, Clock: supervision.RealClock{},
	})
	listeners, err := o.listen(door, door.Serves, logger)
	if err != nil {
		return err
	}
	tree, err := supervision.New(gateway.Tree(func() *gateway.Sender {
		return &gateway.Sender{Handle: handle, Node: node, Every: o.beat, Clock: supervision.RealClock{}, Observe: func(what string, err error) {
			logger.Info().Err(err).Msg(what)
		}}
	}), supervision.Config{})
	if err != nil {
		return errors.Join(err, listeners.close())
	}
	tree.Spawn()
	logger.Info().Str("gateway", private.Address().String()).Str("authority", filepath.Join(o.dir, gateway.AuthorityFile)).
		Strs("listening", listeners.addresses).Msg("the gateway is up")
	select {
	case h := <-tree.Halted():
		err = errors.New(h.String())
	case err = <-listeners.failed:
	case <-ctx.Done():
	}
	return errors.Join(err, listeners.close(), tree.Stop(context.Background()))
}

// listeners are the servers of a gateway.
type listeners struct {
	servers   []*http.Server
	quic      []*http3.Server
	addresses []string
	failed    chan error // has room for the end of each
	forget    func()     // ends renewals of certificates
}

// listen opens the ports and serves.
func (o *options) listen(h http.Handler, serves func(ctx context.Context, host string) error, logger zerolog.Logger) (*listeners, error) {
	quiet := log.New(logger, "", 0)
	l := &listeners{failed: make(chan error, 3), forget: func() {}}
	if o.https != "" {
		socket, err := net.Listen("tcp", o.https)
		if err != nil {
			return nil, err
		}
		config, forget, err := o.secure(socket.Addr().(*net.TCPAddr), serves, func(what, host string, err error) {
			logger.Info().Str("host", host).Err(err).Msg(what)
		})
		if err != nil {
			return nil, errors.Join(err, socket.Close())
		}
		l.forget = forget
		packets, err := net.ListenPacket("udp", socket.Addr().String())
		if err != nil {
			forget()
			return nil, errors.Join(err, socket.Close())
		}
		third := &http3.Server{
			Handler: h, TLSConfig: http3.ConfigureTLSConfig(config), MaxHeaderBytes: gateway.MaxHeaderBytes, IdleTimeout: gateway.IdleFor,
			QUICConfig: &quic.Config{MaxIncomingStreams: gateway.MaxStreams},
		}
		l.quic = append(l.quic, third)
		s := gateway.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_ = third.SetQUICHeaders(w.Header()) // it is not up yet: a client learns of it later
			h.ServeHTTP(w, r)
		}), config, quiet)
		l.serve(s, "https://"+socket.Addr().String(), func() error { return s.ServeTLS(socket, "", "") })
		go func() {
			if err := third.Serve(packets); !errors.Is(err, http.ErrServerClosed) {
				l.failed <- err
			}
		}()
	}
	if o.http != "" {
		socket, err := net.Listen("tcp", o.http)
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		s := gateway.NewServer(h, nil, quiet)
		l.serve(s, "http://"+socket.Addr().String(), func() error { return s.Serve(socket) })
	}
	return l, nil
}

func (l *listeners) serve(s *http.Server, at string, run func() error) {
	l.servers, l.addresses = append(l.servers, s), append(l.addresses, at)
	go func() {
		if err := run(); !errors.Is(err, http.ErrServerClosed) {
			l.failed <- err
		}
	}()
}

// close lets what is under way end for five seconds.
func (l *listeners) close() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	l.forget()
	for _, s := range l.quic {
		err = errors.Join(err, s.Close())
	}
	for _, s := range l.servers {
		if s.Shutdown(ctx) != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

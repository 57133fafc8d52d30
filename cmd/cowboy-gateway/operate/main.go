package operate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/cmd/internal/usage"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Options are what an operator says of a gateway.
type Options struct {
	Dir           string // of the development authority, certificates and files of volumes
	HTTPS, HTTP   string // host:port; "" for none
	Cert, CertKey string // PEM files; "" for none
	ACME, Email   string
	ACMECA        string
	Cycles, Cells uint64 // of a request that changes something
	Beat          time.Duration
	Kept, Most    int64 // GiB of files of volumes, MiB of one
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
	o := &Options{}
	var rpc, key string
	cmd := &cobra.Command{
		Use: "serve", Short: "Answer requests for names of the network", Args: cobra.NoArgs,
		Long: "With --acme certificates come from an authority that speaks ACME, for names that the chain has, when their first client comes. With\n" +
			"--tls-cert there is one certificate. Without either an authority in the data directory signs for the network's names; clients of a\n" +
			"development network trust its authority.pem. The account of --private-key pays for requests that change something and is registered\n" +
			"with `cowboy gateway register`.",
		RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd.Context(), rpc, key, cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	f.StringVar(&rpc, "rpc-url", "http://127.0.0.1:4000", "the node it asks and sends to")
	f.StringVar(&key, "private-key", "", "key file of the gateway's account")
	f.StringVar(&o.Dir, "data-dir", "cowboy-gateway-data", "where the development authority lies")
	f.StringVar(&o.HTTPS, "https", "127.0.0.1:8443", "host:port for HTTPS; \"\" for none")
	f.StringVar(&o.HTTP, "http", "", "host:port for plain HTTP; \"\" for none")
	o.Flags(f, "")
	_ = cmd.MarkFlagRequired("private-key")
	return cmd
}

// Flags are those that say how a gateway works, whatever runs it. Their names begin with a prefix.
func (o *Options) Flags(f *pflag.FlagSet, prefix string) {
	f.StringVar(&o.Cert, prefix+"tls-cert", "", "PEM file of a certificate, instead of the development authority")
	f.StringVar(&o.CertKey, prefix+"tls-key", "", "PEM file of its key")
	f.StringVar(&o.ACME, prefix+"acme", "", "directory address of an authority that speaks ACME; using it agrees to its terms")
	f.StringVar(&o.Email, prefix+"acme-email", "", "where the authority may write to")
	f.StringVar(&o.ACMECA, prefix+"acme-ca", "", "PEM file that the authority's own certificate is checked against, instead of the system's")
	f.Uint64Var(&o.Cycles, prefix+"cycles-limit", 2_000_000, "most cycles a request that changes something may use")
	f.Uint64Var(&o.Cells, prefix+"cells-limit", 200_000, "most cells it may use")
	f.Int64Var(&o.Kept, prefix+"cache-gib", 10, "most files of volumes that are kept in the data directory while it is up")
	f.Int64Var(&o.Most, prefix+"static-mib", gateway.MaxStatic>>20, "largest file of a volume that is served, 100 at most")
	f.DurationVar(&o.Beat, prefix+"heartbeat", gateway.DefaultBeat, "how often a heartbeat is sent; 0 for none")
}

// Check finds what is wrong before anything is started.
func (o *Options) Check() error {
	switch {
	case o.HTTPS == "" && o.HTTP == "":
		return errors.New("neither HTTPS nor plain HTTP says where to listen: --https, --http")
	case o.Kept < 1 || o.Most < 1 || o.Most > gateway.StaticCeiling>>20:
		return errors.New("the files that are kept are at least 1 GiB, and one of them has from 1 to 100 MiB")
	case o.ACME != "" && (o.Cert != "" || o.CertKey != ""):
		return errors.New("--acme and --tls-cert are two sources of certificates")
	}
	return nil
}

// certificates gives the certificates of HTTPS at an address, and what ends their renewals. Those that are made or ordered are for hosts that serves admits.
//
// Spec: gateway-payments-streams §B.
func (o *Options) certificates(at *net.TCPAddr, serves func(ctx context.Context, host string) error, observe func(what, host string, err error)) (
	*tls.Config, func(), error,
) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	none := func() {}
	switch {
	case o.Cert != "" || o.CertKey != "":
		pair, err := tls.LoadX509KeyPair(o.Cert, o.CertKey)
		config.Certificates = []tls.Certificate{pair}
		return config, none, err
	case o.ACME != "":
		a := gateway.ACME{
			Directory: o.ACME, Email: o.Email, Dir: filepath.Join(o.Dir, "acme"), Host: at.IP.String(), Port: at.Port, Serves: serves, Observe: observe,
		}
		if o.ACMECA != "" {
			text, err := os.ReadFile(o.ACMECA)
			if err != nil {
				return nil, nil, err
			}
			if a.Roots = x509.NewCertPool(); !a.Roots.AppendCertsFromPEM(text) {
				return nil, nil, fmt.Errorf("%s holds no certificate", o.ACMECA)
			}
		}
		c := gateway.NewCertificates(a)
		return c.TLS(), c.Close, nil
	}
	authority, err := gateway.OpenAuthority(o.Dir, time.Now)
	if err != nil {
		return nil, nil, err
	}
	config.GetCertificate = gateway.Gate(serves, "localhost", authority.Certificate)
	return config, none, nil
}

// serve runs a gateway until the context ends.
func (o *Options) serve(ctx context.Context, rpc, keyFile string, to io.Writer) error {
	if err := o.Check(); err != nil {
		return usage.Wrong(err)
	}
	key, err := KeyOf(keyFile)
	if err != nil {
		return err
	}
	g, err := New(&Setting{Options: *o, Node: openNode(rpc), Key: key, Log: zerolog.New(to).With().Timestamp().Logger()})
	if err != nil {
		return err
	}
	defer g.Close()
	tree, err := supervision.New(g.Tree, supervision.Config{})
	if err != nil {
		return err
	}
	tree.Spawn()
	select {
	case h := <-tree.Halted():
		err = errors.New(h.String())
	case <-ctx.Done():
	}
	return errors.Join(err, tree.Stop(context.Background()))
}

package daemon

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/cli"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// gatewayHere runs a node that is a gateway in this process, with a trivial actor under a name, and gives the gateway's address and its authority.
func gatewayHere(b *testing.B) (address string, authority *gateway.Authority, roots *x509.CertPool) {
	b.Helper()
	free, err := ports.Reserve(2)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(free.Release)
	dir := b.TempDir()
	s := &settings{}
	c := &cobra.Command{}
	nodeFlags(c, s)
	networkFlags(c, s)
	s.dataDir, s.chainID, s.rpcPort, s.paced = filepath.Join(dir, "data"), wire.ChainLocal, int(free.First), true
	address = fmt.Sprintf("127.0.0.1:%d", free.First+1)
	s.portal.HTTPS, s.portal.clock = address, bench.Hurried{Start: time.Now()}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, s, io.Discard) }()
	b.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
	url := fmt.Sprintf("http://127.0.0.1:%d", free.First)
	b.Chdir(dir)
	b.Setenv("COWBOY_RPC_URL", url)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for up := false; !up; <-tick.C {
		x, err := http.Get(url + "/health/ready")
		if err == nil {
			_ = x.Body.Close()
		}
		up = err == nil && x.StatusCode == http.StatusOK
	}
	bench.Open(b, dir, func(args ...string) string {
		var out, failed bytes.Buffer
		if code := cli.Main(args, os.Stdin, &out, &failed); code != 0 {
			b.Fatalf("%v: %d\n%s", args, code, failed.String())
		}
		return out.String()
	})
	under := filepath.Join(s.dataDir, "gateway")
	text, err := os.ReadFile(filepath.Join(under, gateway.AuthorityFile))
	roots = x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		b.Fatal(err)
	}
	if authority, err = gateway.OpenAuthority(under, time.Now); err != nil {
		b.Fatal(err)
	}
	return address, authority, roots
}

// BenchmarkGatewayInNode is requests for a trivial handler through a gateway that is a part of its node, beside a bare server with certificates of the same
// authority, turn by turn, all in one process with their clients; the processor time of each; and the latency with half the requests a second that it then can.
// "same": all requests are alike, so that the handler runs once for each block. "distinct": no two are, so that it runs for each.
//
// Spec: gateway-payments-streams §B (queries).
func BenchmarkGatewayInNode(b *testing.B) {
	const clients = 8
	const name = "trivial.cowboy.network"
	address, authority, roots := gatewayHere(b)
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	bare := gateway.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }),
		&tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: authority.Certificate}, log.New(io.Discard, "", 0))
	go func() { _ = bare.ServeTLS(socket, "", "") }() // until it is closed
	b.Cleanup(func() { _ = bare.Close() })
	client := func(at string) *http.Client {
		transport := &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: name}, MaxIdleConnsPerHost: clients, DialContext: bench.DialTo(at),
		}
		b.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	through, straight := client(address), client(socket.Addr().String())
	bench.Beside(b, through, straight, "https://"+name+"/", clients, nil)
}

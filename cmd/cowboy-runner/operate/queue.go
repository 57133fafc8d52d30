package operate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// secure gives the TLS of the queue's connections, or nil. It is for either side: a server with ca asks its clients for certificates.
func (c *config) secure(dir string) (*tls.Config, error) {
	q := &c.Queue
	if q.CA == "" && q.Cert == "" && q.Key == "" {
		return nil, nil
	}
	at := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	t := &tls.Config{MinVersion: tls.VersionTLS13}
	if q.CA != "" {
		text, err := os.ReadFile(at(q.CA))
		if err != nil {
			return nil, fmt.Errorf("queue.ca: %w", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("queue.ca: %s holds no certificate in PEM", at(q.CA))
		}
		t.ClientCAs, t.ClientAuth = t.RootCAs, tls.RequireAndVerifyClientCert
	}
	if (q.Cert == "") != (q.Key == "") {
		return nil, errors.New("queue.cert and queue.key come together")
	}
	if q.Cert != "" {
		pair, err := tls.LoadX509KeyPair(at(q.Cert), at(q.Key))
		if err != nil {
			return nil, fmt.Errorf("queue.cert: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

// own is the worker's key of this directory, which has the capabilities of its places.
func (c *config) own(public string) queue.Credential {
	w := queue.Credential{Key: public}
	for _, p := range c.Places {
		w.Capabilities = append(w.Capabilities, p.Capability)
	}
	return w
}

// joins reports whether a worker of another machine has a capability.
func (c *config) joins(key, capability string) bool {
	return slices.ContainsFunc(c.credentials(), func(w queue.Credential) bool { return w.Key == key && slices.Contains(w.Capabilities, capability) })
}

// asking is a connection over which a worker asks its dispatcher for secrets, made when the first job wants some.
type asking struct {
	joining queue.Joining
	fleet   []string

	mu sync.Mutex
	at *queue.Worker
}

func (a *asking) worker() (*queue.Worker, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at != nil {
		return a.at, nil
	}
	var err error
	a.at, err = queue.Join(a.joining)
	return a.at, err
}

func (a *asking) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at != nil {
		a.at.Close()
	}
}

// ask implements secrets.Remote's.
func (a *asking) ask(ctx context.Context, spec *job.Spec, body []byte) ([]byte, error) {
	name, err := runner.Capability(spec, a.fleet)
	if err != nil {
		return nil, err
	}
	w, err := a.worker()
	if err != nil {
		return nil, err
	}
	return w.Secrets(ctx, name, body)
}

func permissionsCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "permissions", Short: "Print what a nats-server's configuration needs for this runner and its workers", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return printPermissions(cmd.OutOrStdout(), *dir) }}
}

func printPermissions(out io.Writer, dir string) error {
	c, err := readConfig(dir)
	if err != nil {
		return err
	}
	keys := map[string]string{}
	for _, name := range []string{seedFile, workerFile} {
		seed, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			keys[name], err = publicOf(seed)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	_, err = io.WriteString(out, queue.ServerConfig(keys[seedFile], c.capabilities(), append(c.credentials(), c.own(keys[workerFile]))))
	return err
}

package operate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// What is printed for operators is what a nats-server reads: the dispatcher's key and those of all workers, each with subjects of its own.
func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runner")
	if status, _, errs := command(t, "init", "--data-dir", dir); status != 0 {
		t.Fatal(errs)
	}
	file, err := os.OpenFile(filepath.Join(dir, configFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	other, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("\n[[queue.worker]]\nkey = \"" + other + "\"\ncapabilities = [\"llm\"]\n"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	status, out, errs := command(t, "permissions", "--data-dir", dir)
	if status != 0 {
		t.Fatal(errs)
	}
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	options, err := server.ProcessConfigFile(path)
	if err != nil || len(options.Nkeys) != 3 {
		t.Fatalf("%+v, %v", options, err)
	}
	for i, want := range []string{"jobs.http", "results.llm", "results.http"} {
		p := options.Nkeys[i].Permissions
		if p == nil || p.Publish == nil || !slices.Contains(p.Publish.Allow, want) || p.Subscribe == nil || (p.Response != nil) != (i == 0) {
			t.Errorf("user %d: %+v", i, p)
		}
	}
}

func TestSecure(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, ca, cert, key, want string
	}{
		{"nothing", "", "", "", ""}, {"no file", "absent.pem", "", "", "queue.ca"}, {"no PEM", "text", "", "", "no certificate in PEM"},
		{"certificate alone", "", "a", "", "come together"}, {"key alone", "", "", "a", "come together"}, {"no pair", "", "text", "text", "queue.cert"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := &config{}
			config.Queue.CA, config.Queue.Cert, config.Queue.Key = c.ca, c.cert, c.key
			got, err := config.secure(dir)
			if c.want == "" {
				if got != nil || err != nil {
					t.Errorf("%v, %v", got, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
		})
	}
}

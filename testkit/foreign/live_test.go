package foreign

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/daemon"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// role makes the test binary a node.
const role = "COWBOY_FOREIGN_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(role) == "cowboyd" {
		os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestClient lets the foreign client use a running node: its transactions are mined, and every proof the node gives holds under its verifiers.
//
// Spec: WP §2.5; commonware §5, §6; node-rpc-cli §2, §3.
func TestClient(t *testing.T) {
	interpreter, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node on this machine")
	}
	free, err := ports.Reserve(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.Release)
	url := fmt.Sprintf("http://127.0.0.1:%d", free.First)
	node := exec.Command(os.Args[0], "--memory", "--rpc-port", fmt.Sprint(free.First), "--block-time", "200ms", "--rpc-rate", "0")
	node.Dir, node.Env = t.TempDir(), append(os.Environ(), role+"=cowboyd")
	var log bytes.Buffer
	node.Stdout, node.Stderr = &log, &log
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = node.Process.Signal(os.Interrupt)
		if err := node.Wait(); err != nil {
			t.Errorf("the node: %v\n%s", err, log.String())
		}
	})
	ready(t, url)
	out, err := exec.Command(interpreter, "client.mjs", "live", url).CombinedOutput()
	// Eight transfers with three proofs each, nine accounts and eight absences.
	if err != nil || strings.TrimSpace(string(out)) != "41 proofs hold" {
		t.Fatalf("%v\n%s", err, out)
	}
}

func ready(t *testing.T, url string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1_500 {
		if reply, err := http.Get(url + "/health/ready"); err == nil {
			_ = reply.Body.Close()
			if reply.StatusCode == http.StatusOK {
				return
			}
		}
		<-tick.C
	}
	t.Fatal("the node is never ready")
}

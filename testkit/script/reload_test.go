package script

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// reload is the command of the unit that systemd runs for `systemctl reload`, for a process.
func reload(t *testing.T, pid int) *exec.Cmd {
	t.Helper()
	unit, err := os.ReadFile("../../cmd/cowboyd/deploy/cowboyd.service")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(unit)) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "ExecReload="); ok {
			fields := strings.Fields(strings.ReplaceAll(command, "$MAINPID", fmt.Sprint(pid)))
			return exec.Command(fields[0], fields[1:]...)
		}
	}
	t.Fatal("the unit has no ExecReload")
	return nil
}

// TestReload does to a node what `systemctl reload` does: while it runs it reads the certificate again, though nobody connects; while it starts, here before
// it could read its genesis, it goes on starting. By default SIGHUP ends a process.
func TestReload(t *testing.T) {
	t.Parallel()
	r := newRegion(t)
	r.found(1, 60, 200e6)
	tls, genesis := filepath.Join(r.dir, "tls"), filepath.Join(r.dir, "net/node-0/genesis.json")
	if err := writeCertificate(tls, "first"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(genesis)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(genesis); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(genesis, 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.Command("cowboyd", "start", "--data-dir", "net/node-0", "--password-file", "password",
		"--rpc-cert", "tls/cert.pem", "--rpc-key", "tls/key.pem")
	node.Dir, node.SysProcAttr = r.dir, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	node.Stderr = node.Stdout
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	hangUp := func() {
		if out, err := reload(t, node.Process.Pid).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	pipe, err := os.OpenFile(genesis, os.O_WRONLY, 0) // waits until the node reads it
	if err != nil {
		t.Fatal(err)
	}
	hangUp()
	if _, err := pipe.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	up, again := false, false
	for lines := bufio.NewScanner(said); lines.Scan(); {
		fmt.Fprintln(&log, lines.Text())
		switch {
		case !up && strings.Contains(lines.Text(), " is up"):
			up = true
			if err := os.Remove(filepath.Join(tls, "key.pem")); err != nil {
				t.Error(err)
			}
			hangUp()
		case !again && up && strings.Contains(lines.Text(), "the new certificate cannot be used"):
			again = true
			if err := writeCertificate(tls, "second"); err != nil {
				t.Error(err)
			}
			hangUp()
		case again && strings.Contains(lines.Text(), "the certificate was read again"):
			if err := node.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		}
	}
	if err := node.Wait(); err != nil || !again {
		t.Errorf("up %v, told of the missing key %v, ended with %v\n%s", up, again, err, log.String())
	}
}

package daemon

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A network that cannot be made whole leaves nothing: neither nodes nor the directory, and what was there before stays.
func TestInitLeavesNothingHalfMade(t *testing.T) {
	dir := t.TempDir()
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte("worth nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	net := filepath.Join(dir, "net")
	begin := func(ports string) (int, string) {
		var said bytes.Buffer
		status := Main([]string{"init", "--validators", "3", "--data-dir", net, "--chain-id", "7", "--password-file", password, "--light-keys",
			"--rest", "0x00000000000000000000000000000000000c0ffe", "--p2p-port", ports}, &said, &said)
		return status, said.String()
	}
	if status, said := begin("65534"); status == 0 { // the third node's port is none
		t.Fatalf("it is made:\n%s", said)
	}
	if _, err := os.Stat(net); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(net, "node-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if status, said := begin("4300"); status == 0 {
		t.Fatalf("it is made over another:\n%s", said)
	}
	if list, err := os.ReadDir(net); err != nil || len(list) != 1 {
		t.Errorf("left are %v, %v", list, err)
	}
	if err := os.Remove(filepath.Join(net, "node-1")); err != nil {
		t.Fatal(err)
	}
	if status, said := begin("4300"); status != 0 {
		t.Errorf("it cannot be made:\n%s", said)
	}
}

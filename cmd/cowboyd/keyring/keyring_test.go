package keyring

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/replica/keyfile"
)

func ring(t *testing.T) Ring {
	t.Helper()
	r := Ring{Dir: filepath.Join(t.TempDir(), "keys"), Work: keyfile.Light}
	if err := r.Make(); err != nil {
		t.Fatal(err)
	}
	return r
}

// Keys are drawn once, opened by their password alone, and never lie open.
//
// Spec: EIP-2335.
func TestDraw(t *testing.T) {
	r := ring(t)
	if err := r.Draw("secret word", rand.Reader); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Vote, Account} {
		secret, err := r.Secret(name, "secret word")
		if err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(r.Path(name))
		if info, _ := os.Stat(r.Path(name)); info.Mode().Perm() != 0o600 || bytes.Contains(data, []byte(hex.EncodeToString(secret))) {
			t.Errorf("%s: mode %v", name, info.Mode())
		}
		if _, err := r.Secret(name, "another"); !errors.Is(err, keyfile.ErrPassword) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.Draw("x", rand.Reader); !errors.Is(err, ErrPresent) {
		t.Errorf("drawn over: %v", err)
	}
	if _, err := r.Secret(Share, "secret word"); !errors.Is(err, ErrAbsent) {
		t.Errorf("no share: %v", err)
	}
	if k, err := r.VoteKey("secret word"); err != nil || k == nil {
		t.Error(err)
	}
	first, err := r.Identity()
	if err != nil {
		t.Fatal(err)
	}
	if second, err := r.Identity(); err != nil || second.ID() != first.ID() {
		t.Errorf("the identity is drawn again: %v", err)
	}
}

// A file that says one key and holds another is found; so are permissions that let others in.
func TestRefusals(t *testing.T) {
	r := ring(t)
	if err := r.Draw("p", rand.Reader); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(r.Path(Vote))
	f, _ := keyfile.Parse(data)
	other := strings.Replace(string(data), f.PublicKey, strings.Repeat("00", 48), 1)
	if err := os.WriteFile(r.Path(Vote), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Secret(Vote, "p"); !errors.Is(err, ErrKey) {
		t.Errorf("another key: %v", err)
	}
	if err := os.Chmod(r.Path(Account), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Secret(Account, "p"); !errors.Is(err, ErrOpen) {
		t.Errorf("an open file: %v", err)
	}
	if err := os.Chmod(r.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Identity(); !errors.Is(err, ErrOpen) {
		t.Errorf("an open directory: %v", err)
	}
	if err := r.Put(Share, make([]byte, 32), "p"); !errors.Is(err, ErrKey) {
		t.Errorf("zero is no key: %v", err)
	}
}

// The password changes for all keys or none, and a change that was cut short can be repeated.
func TestChangePassword(t *testing.T) {
	r := ring(t)
	if err := r.Draw("old", rand.Reader); err != nil {
		t.Fatal(err)
	}
	vote, _ := r.Secret(Vote, "old")
	if err := r.ChangePassword("wrong", "new"); !errors.Is(err, keyfile.ErrPassword) {
		t.Errorf("with a wrong password: %v", err)
	}
	if err := r.write(Vote, vote, "new"); err != nil { // as a crash in the middle leaves it
		t.Fatal(err)
	}
	if err := r.ChangePassword("old", "new"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Vote, Account} {
		if _, err := r.Secret(name, "new"); err != nil {
			t.Error(err)
		}
	}
	if got, _ := r.Secret(Vote, "new"); !bytes.Equal(got, vote) {
		t.Error("another key")
	}
}

// What is restored is what was backed up, and counts as used.
func TestBackup(t *testing.T) {
	r := ring(t)
	if err := r.Draw("p", rand.Reader); err != nil {
		t.Fatal(err)
	}
	id, _ := r.Identity()
	backup := filepath.Join(t.TempDir(), "backup")
	if err := r.Backup(backup); err != nil {
		t.Fatal(err)
	}
	if err := r.Backup(backup); !errors.Is(err, ErrPresent) {
		t.Errorf("over another: %v", err)
	}
	if r.Used() {
		t.Error("new keys are used")
	}
	fresh := ring(t)
	if err := fresh.Restore(backup); err != nil {
		t.Fatal(err)
	}
	back, err := fresh.Identity()
	if err != nil || back.ID() != id.ID() || !fresh.Used() {
		t.Errorf("used %v, %v", fresh.Used(), err)
	}
	if _, err := fresh.VoteKey("p"); err != nil {
		t.Error(err)
	}
	if err := fresh.Restore(backup); !errors.Is(err, ErrPresent) {
		t.Errorf("over keys: %v", err)
	}
	if err := ring(t).Restore(t.TempDir()); !errors.Is(err, ErrAbsent) {
		t.Errorf("from nothing: %v", err)
	}
}

// Two holders of one directory's keys exclude each other.
//
// Spec: commonware §3.5.
func TestLock(t *testing.T) {
	r := ring(t)
	first, err := r.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Lock(); !errors.Is(err, ErrInUse) {
		t.Errorf("a second holder: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if second, err := r.Lock(); err != nil || second.Close() != nil {
		t.Errorf("after the first: %v", err)
	}
}

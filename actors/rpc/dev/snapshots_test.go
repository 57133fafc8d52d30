package dev

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
)

// chain writes a data directory whose files say text.
func chain(t *testing.T, dir, text string) {
	t.Helper()
	for _, name := range []string{"chain/0.seg", "chain/image", "journal/0.seg", "index.db", "log.txt"} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text+name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func says(t *testing.T, dir, text string) {
	t.Helper()
	for _, name := range []string{"chain/0.seg", "chain/image", "journal/0.seg", "index.db"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text+name {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "log.txt")); err != nil || string(got) == "" {
		t.Errorf("what is no part of the chain is gone: %q, %v", got, err)
	}
}

func TestSnapshots(t *testing.T) {
	dir := t.TempDir()
	s := &Snapshots{Dir: dir}
	chain(t, dir, "one ")
	if err := s.Save("first"); err != nil {
		t.Fatal(err)
	}
	if err := s.Save("first"); !errors.Is(err, ErrTaken) {
		t.Errorf("a second snapshot of the name: %v", err)
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", "A", "-a"} {
		if err := s.Save(name); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	chain(t, dir, "two ")
	if err := errors.Join(s.Restore("first"), s.Settle()); err != nil {
		t.Fatal(err)
	}
	says(t, dir, "one ")

	// A node that does not open on a snapshot goes on with what it had; so does one whose process ended before it was sure.
	chain(t, dir, "three ")
	if err := s.Restore("first"); err != nil {
		t.Fatal(err)
	}
	says(t, dir, "one ")
	if err := (&Snapshots{Dir: dir}).Undo(); err != nil {
		t.Fatal(err)
	}
	says(t, dir, "three ")
	if err := s.Undo(); err != nil {
		t.Errorf("nothing to undo: %v", err)
	}

	var dump bytes.Buffer
	if err := s.Dump("first", &dump); err != nil {
		t.Fatal(err)
	}
	if err := s.Load("second", &dump); err != nil {
		t.Fatal(err)
	}
	if got := s.List(); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("snapshots %v", got)
	}
	if err := errors.Join(s.Restore("second"), s.Settle(), s.Drop("second")); err != nil {
		t.Fatal(err)
	}
	says(t, dir, "one ")
	for _, err := range []error{s.Drop("second"), s.Restore("second"), s.Dump("second", &dump)} {
		if !errors.Is(err, ErrSnapshot) {
			t.Errorf("a snapshot that is gone: %v", err)
		}
	}
}

// TestHostileDumps: an archive that would reach out of its directory, or is none, leaves nothing.
func TestHostileDumps(t *testing.T) {
	archive := func(headers ...tar.Header) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range headers {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
		}
		_ = w.Flush()
		return b.Bytes()
	}
	for name, raw := range map[string][]byte{
		"nothing":       nil,
		"text":          []byte("this is no archive"),
		"a way out":     archive(tar.Header{Name: "chain/../../x", Typeflag: tar.TypeReg}),
		"a root":        archive(tar.Header{Name: "/chain/x", Typeflag: tar.TypeReg}),
		"another part":  archive(tar.Header{Name: "keys/vote", Typeflag: tar.TypeReg}),
		"a link":        archive(tar.Header{Name: "chain/x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}),
		"a device":      archive(tar.Header{Name: "chain/x", Typeflag: tar.TypeBlock}),
		"cut off":       archive(tar.Header{Name: "chain/x", Typeflag: tar.TypeReg})[:300],
		"the same file": archive(tar.Header{Name: "chain/x", Typeflag: tar.TypeReg}, tar.Header{Name: "chain/x", Typeflag: tar.TypeReg}),
	} {
		t.Run(name, func(t *testing.T) {
			s := &Snapshots{Dir: t.TempDir()}
			if err := s.Load("x", bytes.NewReader(raw)); err == nil || name != "the same file" && !errors.Is(err, ErrDump) {
				t.Errorf("%s: %v", name, err)
			}
			if left, _ := filepath.Glob(filepath.Join(s.Dir, "dev", "snapshots", "*")); len(left) > 0 || len(s.List()) > 0 {
				t.Errorf("%s leaves %v", name, left)
			}
		})
	}
}

// TestAllowed: only the development network of one validator has controls. Spec: governance-staking B10.
func TestAllowed(t *testing.T) {
	for validators, want := range map[int]bool{1: true, 2: false, 4: false} {
		t.Run(fmt.Sprint(validators), func(t *testing.T) {
			spec, err := genesis.Devnet(1, validators)
			if err != nil || Allowed(spec) != want {
				t.Errorf("%d validators: %v %v", validators, !want, err)
			}
		})
	}
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	spec.Validators[0].PublicKey[0] ^= 1
	if Allowed(spec) {
		t.Error("a validator of somebody's own")
	}
	if spec, err = genesis.Devnet(1, 1); err != nil {
		t.Fatal(err)
	}
	if spec.Faucet = nil; Allowed(spec) {
		t.Error("a network without a faucet")
	}
}

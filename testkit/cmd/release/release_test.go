package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

const moment = 1_700_000_000

// packed builds cowboyd as releases do, and packs it. The other programs are small stand-ins: nobody runs them here.
func packed(t *testing.T) (r *release, out string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a static program")
	}
	dir := t.TempDir()
	c := exec.Command("go", "build", "-trimpath", "-tags", "netgo osusergo", "-ldflags", "-s -w -linkmode external -extldflags -static",
		"-o", filepath.Join(dir, "cowboyd"), "./cmd/cowboyd")
	c.Dir = "../../.."
	if text, err := c.CombinedOutput(); err != nil {
		t.Skipf("a static program cannot be linked here: %v\n%s", err, text)
	}
	for _, name := range programs[1:] {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r = &release{bin: dir, root: "../../..", version: "1.2.3", arch: "amd64", at: time.Unix(moment, 0).UTC()}
	if text, err := exec.Command("go", "env", "GOARCH").Output(); err == nil {
		r.arch = strings.TrimSpace(string(text))
	}
	out = filepath.Join(dir, "out")
	if err := r.write(out); err != nil {
		t.Fatal(err)
	}
	return r, out
}

// inside gives a command that runs a program in a root of its own, or skips the test where the kernel does not allow that.
func inside(t *testing.T, root string, args ...string) *exec.Cmd {
	t.Helper()
	enter := []string{"chroot", root}
	if os.Getuid() != 0 {
		enter = append([]string{"unshare", "-r"}, enter...)
	}
	if text, err := exec.Command(enter[0], append(enter[1:], "/usr/bin/cowboyd", "--version")...).CombinedOutput(); err != nil {
		t.Skipf("this kernel allows no root of one's own: %v\n%s", err, text)
	}
	c := exec.Command(enter[0], append(enter[1:], args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

// live runs a network of one in a root until it serves, and stops it in order.
func live(t *testing.T, root string) {
	t.Helper()
	free, err := ports.Reserve(2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.Release)
	if err := os.MkdirAll(filepath.Join(root, "var/lib/cowboyd"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/cowboyd/password"), []byte("worth nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := inside(t, root, "/usr/bin/cowboyd", "init", "--validators", "1", "--data-dir", "/var/lib/cowboyd/net", "--chain-id", "7",
		"--rest", "0x00000000000000000000000000000000000c0ffe", "--password-file", "/var/lib/cowboyd/password", "--light-keys", "--block-time", "200ms",
		"--rpc-port", fmt.Sprint(free.First), "--p2p-port", fmt.Sprint(free.First+1))
	if text, err := made.CombinedOutput(); err != nil {
		t.Fatalf("init: %v\n%s", err, text)
	}
	node := inside(t, root, "/usr/bin/cowboyd", "start", "--data-dir", "/var/lib/cowboyd/net/node-0")
	said, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	node.Stderr = node.Stdout
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if !strings.Contains(lines.Text(), " INF block ") {
			continue
		}
		if blocks++; blocks != 3 {
			continue
		}
		resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/health/ready", free.First))
		if err != nil {
			t.Error(err)
		} else if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK {
			t.Errorf("it is not ready: %s", resp.Status)
		}
		if err := node.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
	if err := node.Wait(); err != nil || blocks < 3 {
		t.Errorf("%d blocks, and then %v", blocks, err)
	}
}

// TestRelease packs once and looks at what comes of it.
func TestRelease(t *testing.T) {
	r, out := packed(t)
	t.Run("debian package", func(t *testing.T) { debianPackage(t, r, out) })
	t.Run("image", func(t *testing.T) { unpackedImage(t, r, out) })
}

// debianPackage installs the package below a clean root, as dpkg does on a machine, runs what it installed there, and removes it. dpkg reads it; none
// of its code made it. The same inputs give the same bytes.
func debianPackage(t *testing.T, r *release, out string) {
	path := filepath.Join(out, fmt.Sprintf("cowboyd_1.2.3_%s.deb", r.arch))
	again, err := r.deb()
	if data, other := os.ReadFile(path); err != nil || other != nil || !bytes.Equal(again, data) {
		t.Errorf("the same inputs give other bytes: %v, %v", err, other)
	}
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip("there is no dpkg here")
	}
	root := t.TempDir()
	for _, dir := range []string{"etc", "var/lib/dpkg/info", "var/lib/dpkg/updates", "usr/bin"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	status := "Package: passwd\nStatus: install ok installed\nVersion: 1\nArchitecture: " + r.arch + "\nMaintainer: nobody\nDescription: users\n\n"
	for name, text := range map[string]string{ // order-free: files of a fresh system
		"var/lib/dpkg/status": status, "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n", "etc/group": "root:x:0:\n", "etc/shadow": "root:*:19000::::::\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dpkg := func(args ...string) string {
		t.Helper()
		c := exec.Command("dpkg", append([]string{"--root=" + root, "--force-script-chrootless", "--force-not-root"}, args...)...)
		text, err := c.CombinedOutput()
		if err != nil && os.Getuid() != 0 {
			t.Skipf("only root installs packages here: %v\n%s", err, text)
		}
		if err != nil {
			t.Fatalf("dpkg %v: %v\n%s", args, err, text)
		}
		return string(text)
	}
	dpkg("--install", path)
	if text := dpkg("--verify", "cowboyd"); text != "" {
		t.Errorf("dpkg finds other bytes than it installed: %s", text)
	}
	users, err := os.ReadFile(filepath.Join(root, "etc/passwd"))
	if err != nil || !strings.Contains(string(users), "cowboyd:") {
		t.Errorf("there is no user: %v\n%s", err, users)
	}
	if info, err := os.Stat(filepath.Join(root, "etc/cowboyd/password")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the place of the password: %v, %v", info, err)
	}
	live(t, root)
	dpkg("--purge", "cowboyd")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/cowboyd")); !os.IsNotExist(err) {
		t.Errorf("the program is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "var/lib/cowboyd/net/node-0/keys")); err != nil {
		t.Errorf("the keys are gone: %v", err)
	}
}

// unpackedImage unpacks the image's layers into a clean root by what its manifest says, each blob held to its hash, and runs its program there.
func unpackedImage(t *testing.T, r *release, out string) {
	data, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("cowboyd-1.2.3-%s.oci.tar", r.arch)))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.image(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("the same inputs give other bytes: %v", err)
	}
	layout := map[string][]byte{}
	unpack(t, bytes.NewReader(data), func(h *tar.Header, text []byte) { layout[h.Name] = text })
	blob := func(d descriptor, into any) []byte {
		t.Helper()
		text := layout["blobs/"+strings.ReplaceAll(d.Digest, ":", "/")]
		if len(text) != d.Size || sum(text) != d.Digest {
			t.Fatalf("%s is not its blob", d.Digest)
		}
		if into != nil {
			if err := json.Unmarshal(text, into); err != nil {
				t.Fatal(err)
			}
		}
		return text
	}
	var index, image manifest
	if err := json.Unmarshal(layout["index.json"], &index); err != nil || len(index.Manifests) != 1 {
		t.Fatalf("%v: %s", err, layout["index.json"])
	}
	blob(index.Manifests[0], &image)
	var config configuration
	blob(*image.Config, &config)
	if config.Config.User != "65532:65532" || config.Config.Entrypoint[0] != "/usr/bin/cowboyd" || len(config.RootFS.DiffIDs) != len(image.Layers) {
		t.Errorf("configuration %+v", config)
	}
	root := t.TempDir()
	for i, l := range image.Layers {
		plain, err := gzip.NewReader(bytes.NewReader(blob(l, nil)))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(plain)
		if err != nil || sum(layer) != config.RootFS.DiffIDs[i] {
			t.Fatalf("layer %d: %v", i, err)
		}
		unpack(t, bytes.NewReader(layer), func(h *tar.Header, text []byte) {
			at := filepath.Join(root, h.Name)
			var err error
			if h.Typeflag == tar.TypeDir {
				err = os.MkdirAll(at, 0o755)
			} else {
				err = os.WriteFile(at, text, os.FileMode(h.Mode))
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	live(t, root)
}

func unpack(t *testing.T, from io.Reader, each func(*tar.Header, []byte)) {
	t.Helper()
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		each(h, text)
	}
}

// Every program that runs for long has its unit in the package, which starts it from where the package puts it, as the user the package makes.
func TestEveryProgramHasItsUnit(t *testing.T) {
	dir := t.TempDir()
	for _, name := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files, err := (&release{bin: dir, root: "../../.."}).installed()
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]string{}
	for _, f := range files {
		if name, is := strings.CutPrefix(f.path, "usr/lib/systemd/system/"); is {
			units[name] = string(f.data)
		}
	}
	for _, name := range programs {
		if name == "cowboy" { // a client
			continue
		}
		t.Run(name, func(t *testing.T) {
			text := units[name+".service"]
			if !strings.Contains(text, "\nExecStart=/usr/bin/"+name+" ") || !strings.Contains(text, "\nUser=cowboyd\n") {
				t.Errorf("its unit is\n%s", text)
			}
		})
	}
}

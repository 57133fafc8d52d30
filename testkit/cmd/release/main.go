// Command release packs what `make build` would, linked statically, for those who run it: a Debian package, an image in the layout of the Open Container
// Initiative, and their checksums. It needs neither dpkg nor a container daemon, and the same inputs give the same bytes.
//
//	release -bin DIR -version 0.1.0 -time UNIX -out DIR
//
// Sources of the formats: deb(5); the OCI image specification 1.1 (layout, manifest, configuration, layers).
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// release is what is packed.
type release struct {
	bin     string // directory of the programs
	root    string // of the repository
	version string
	arch    string // as Debian and OCI both name it
	at      time.Time
}

func main() {
	r := &release{arch: runtime.GOARCH}
	var unix int64
	var out string
	flag.StringVar(&r.bin, "bin", "bin/static", "directory with the programs, linked statically")
	flag.StringVar(&r.root, "root", ".", "directory of the repository")
	flag.StringVar(&r.version, "version", "", "version of the release")
	flag.Int64Var(&unix, "time", 0, "time of every file, in seconds since 1970: that of the commit")
	flag.StringVar(&out, "out", "bin/release", "directory to write to")
	flag.Parse()
	r.at = time.Unix(unix, 0).UTC()
	if err := r.write(out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// programs are what a release has.
var programs = []string{"cowboyd", "cowboy", "cowboy-runner", "cowboy-gateway", "cowboy-proxy", "cowboy-relay"}

// write packs everything and writes the checksums.
func (r *release) write(out string) error {
	if r.version == "" {
		return fmt.Errorf("-version is missing")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, pack := range []struct {
		name string
		make func() ([]byte, error)
	}{
		{fmt.Sprintf("cowboyd-%s-%s.oci.tar", r.version, r.arch), r.image},
		{fmt.Sprintf("cowboyd_%s_%s.deb", r.version, r.arch), r.deb},
	} {
		data, err := pack.make()
		if err != nil {
			return fmt.Errorf("%s: %w", pack.name, err)
		}
		if err := os.WriteFile(filepath.Join(out, pack.name), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), pack.name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

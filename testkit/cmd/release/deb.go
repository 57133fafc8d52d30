package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"path/filepath"
)

// conffiles are those an upgrade leaves as the operator has them.
var conffiles = []string{"etc/cowboyd/cowboyd.env"}

// deb is the Debian package: an ar archive of a version, what the package is, and its files. deb(5).
func (r *release) deb() ([]byte, error) {
	files, err := r.installed()
	if err != nil {
		return nil, err
	}
	files = files.complete()
	control, err := r.control(files)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	member := func(name string, data []byte) {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, r.at.Unix(), 0, 0, 0o100644, len(data))
		out.Write(data)
		if len(data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	member("debian-binary", []byte("2.0\n"))
	for _, part := range []struct {
		name string
		tree tree
	}{{"control.tar.gz", control}, {"data.tar.gz", files}} {
		plain, err := part.tree.tar(r.at, "./")
		if err != nil {
			return nil, err
		}
		small, err := squeeze(plain)
		if err != nil {
			return nil, err
		}
		member(part.name, small)
	}
	return out.Bytes(), nil
}

// installed are the package's files.
func (r *release) installed() (t tree, err error) {
	add := func(at, from string, mode int64) {
		if err == nil {
			err = t.file(at, from, mode)
		}
	}
	for _, name := range programs {
		add("usr/bin/"+name, filepath.Join(r.bin, name), 0o755)
	}
	add("usr/lib/systemd/system/cowboyd.service", r.deploy("cowboyd.service"), 0o644)
	add("usr/lib/systemd/system/cowboyd-signer.service", r.deploy("cowboyd-signer.service"), 0o644)
	add("usr/lib/systemd/system/cowboy-runner.service", r.deploy("cowboy-runner.service"), 0o644)
	add("usr/lib/systemd/system/cowboy-gateway.service", r.deploy("cowboy-gateway.service"), 0o644)
	add("usr/lib/systemd/system/cowboy-proxy.service", r.deploy("cowboy-proxy.service"), 0o644)
	add("usr/lib/systemd/system/cowboy-relay.service", r.deploy("cowboy-relay.service"), 0o644)
	add("etc/cowboyd/cowboyd.env", r.deploy("debian/cowboyd.env"), 0o644)
	const docs = "usr/share/doc/cowboyd/"
	add(docs+"alerts.yml", r.deploy("alerts.yml"), 0o644)
	add(docs+"grafana.json", r.deploy("grafana.json"), 0o644)
	add(docs+"grafana-runner.json", r.deploy("grafana-runner.json"), 0o644)
	add(docs+"operating.md", filepath.Join(r.root, "docs", "operating.md"), 0o644)
	add(docs+"copyright", filepath.Join(r.root, "LICENSE"), 0o644)
	add(docs+"CHANGELOG.md", filepath.Join(r.root, "CHANGELOG.md"), 0o644)
	return t, err
}

// control is what dpkg reads of a package.
func (r *release) control(files tree) (t tree, err error) {
	size := 0
	var sums, settings bytes.Buffer
	for _, e := range files {
		if !e.dir {
			size += len(e.data)
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(e.data), e.path)
		}
	}
	for _, name := range conffiles {
		fmt.Fprintln(&settings, "/"+name)
	}
	t.text("control", fmt.Sprintf(`Package: cowboyd
Version: %s
Architecture: %s
Maintainer: The Cowboy developers <packages@cowboy.invalid>
Installed-Size: %d
Depends: passwd
Suggests: prometheus, chrony
Section: net
Priority: optional
Homepage: https://github.com/cowboyinc/cowboy-go
Description: node, client and signer of a Cowboy network
 A Layer-1 blockchain whose contracts are Python actors. This package has the node (cowboyd), which is a signer for a voting key as well, the client
 (cowboy) and the programs of runners (cowboy-runner), gateways
 (cowboy-gateway), proxies of secrets (cowboy-proxy) and relays of storage (cowboy-relay), with systemd units.
`, r.version, r.arch, (size+1023)/1024))
	t.text("conffiles", settings.String())
	t.text("md5sums", sums.String())
	for _, name := range []string{"postinst", "prerm", "postrm"} {
		if err := t.file(name, r.deploy("debian/"+name), 0o755); err != nil {
			return nil, err
		}
	}
	return t.complete(), nil
}

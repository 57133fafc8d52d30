package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
)

// user is who the image's process is: nobody with a name on the machine it runs on.
const user = 65532

// Media types of the OCI image specification.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// descriptor names a blob by its hash.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// manifest is an image, or as an index a list of images.
type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        *descriptor       `json:"config,omitempty"`
	Layers        []descriptor      `json:"layers,omitempty"`
	Manifests     []descriptor      `json:"manifests,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// configuration is how an image is run.
type configuration struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       struct {
		User         string
		ExposedPorts map[string]struct{}
		Env          []string
		Entrypoint   []string
		Cmd          []string
		Volumes      map[string]struct{}
		WorkingDir   string
		StopSignal   string
		Labels       map[string]string
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

func sum(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

// image is an OCI layout as one archive: what podman, skopeo and docker load.
func (r *release) image() ([]byte, error) {
	var layout tree
	blob := func(mediaType string, data []byte) descriptor {
		digest := sum(data)
		layout = append(layout, entry{path: "blobs/sha256/" + digest[len("sha256:"):], mode: 0o644, data: data})
		return descriptor{MediaType: mediaType, Digest: digest, Size: len(data)}
	}
	files, err := r.contained()
	if err != nil {
		return nil, err
	}
	plain, err := files.complete().tar(r.at, "")
	if err != nil {
		return nil, err
	}
	small, err := squeeze(plain)
	if err != nil {
		return nil, err
	}
	layer := blob(typeLayer, small)
	text, err := json.Marshal(r.configured(sum(plain)))
	if err != nil {
		return nil, err
	}
	config := blob(typeConfig, text)
	text, err = json.Marshal(manifest{SchemaVersion: 2, MediaType: typeManifest, Config: &config, Layers: []descriptor{layer}})
	if err != nil {
		return nil, err
	}
	of := blob(typeManifest, text)
	of.Platform, of.Annotations = &platform{r.arch, "linux"}, map[string]string{"org.opencontainers.image.ref.name": r.version}
	if text, err = json.Marshal(manifest{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{of}}); err != nil {
		return nil, err
	}
	layout.text("index.json", string(text))
	layout.text("oci-layout", `{"imageLayoutVersion":"1.0.0"}`)
	return layout.complete().tar(r.at, "")
}

// contained are the image's files: the programs, the name of their user, and the places they write to.
func (r *release) contained() (t tree, err error) {
	for _, name := range programs {
		if err := t.file("usr/bin/"+name, filepath.Join(r.bin, name), 0o755); err != nil {
			return nil, err
		}
	}
	t.text("etc/passwd", fmt.Sprintf("cowboyd:x:%d:%d:Cowboy node:/var/lib/cowboyd:/sbin/nologin\n", user, user))
	t.text("etc/group", fmt.Sprintf("cowboyd:x:%d:\n", user))
	t = append(t, entry{path: "tmp", mode: 0o1777, dir: true}, entry{path: "var/lib/cowboyd", mode: 0o700, dir: true, owner: user})
	err = t.file("usr/share/doc/cowboyd/copyright", filepath.Join(r.root, "LICENSE"), 0o644)
	return t, err
}

func (r *release) configured(layer string) *configuration {
	c := &configuration{Created: r.at, Architecture: r.arch, OS: "linux"}
	c.Config.User = fmt.Sprintf("%d:%d", user, user)
	c.Config.ExposedPorts = map[string]struct{}{"4300/udp": {}, "4000/tcp": {}}
	c.Config.Env = []string{"PATH=/usr/bin", "HOME=/var/lib/cowboyd"}
	c.Config.Entrypoint, c.Config.Cmd = []string{"/usr/bin/cowboyd"}, []string{"start", "--data-dir", "/var/lib/cowboyd"}
	c.Config.Volumes = map[string]struct{}{"/var/lib/cowboyd": {}}
	c.Config.WorkingDir, c.Config.StopSignal = "/var/lib/cowboyd", "SIGTERM"
	c.Config.Labels = map[string]string{
		"org.opencontainers.image.title": "cowboyd", "org.opencontainers.image.version": r.version,
		"org.opencontainers.image.source": "https://github.com/cowboyinc/cowboy-go",
	}
	c.RootFS.Type, c.RootFS.DiffIDs = "layers", []string{layer}
	return c
}

package work

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/opencontainers/runtime-spec/specs-go"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// folders are volumes of which each is a folder; what was there is noted when they are taken away.
type folders struct {
	dir    string
	failed error // of the last commit
	ended  int
	left   string
}

func (f *folders) Mount(_ context.Context, spec *job.Spec) (list []Mounted, done func() error, err error) {
	for _, v := range spec.Volumes {
		at := filepath.Join(f.dir, v.Name)
		if err := os.MkdirAll(at, 0o755); err != nil {
			return nil, nil, err
		}
		list = append(list, Mounted{Name: v.Name, Folder: at, Writes: v.AccessMode != "RO"})
	}
	return list, func() error {
		f.ended++
		text, _ := os.ReadFile(filepath.Join(f.dir, "docs", "out"))
		f.left = string(text)
		return f.failed
	}, nil
}

func attached(spec *job.Spec, names ...string) *job.Spec {
	for _, n := range names {
		spec.Volumes = append(spec.Volumes, job.Volume{Name: n, AccessMode: "RW", Mount: true})
	}
	return spec
}

// An executor is told where its volumes are, and writes there; the job is done only if what it wrote is committed, and its volumes go whatever becomes of it.
//
// Spec: storage-cbfs §2.5, §3.5.
func TestExecutorsFindVolumes(t *testing.T) {
	const writes = `at=$(sed 's/.*"docs":"\([^"]*\)".*/\1/'); echo -n text > "$at/out"; `
	for name, c := range map[string]struct {
		text   string
		failed error
		want   string // "" for an error
		kind   ErrorKind
	}{
		"writes":            {writes + `echo '{"data":"aGVsbG8="}'`, nil, "hello", 0},
		"is not committed":  {writes + `echo '{"data":"aGVsbG8="}'`, errors.New("no relay takes it"), "", Transient},
		"may not be":        {writes + `echo '{"data":"aGVsbG8="}'`, fail(Permanent, "more than its token allows"), "", Permanent},
		"writes, and fails": {writes + `echo '{"error":"no"}'`, nil, "", Permanent},
	} {
		t.Run(name, func(t *testing.T) {
			path, hash := program(t, c.text)
			f := &folders{dir: t.TempDir(), failed: c.failed}
			s := &Set{Volumes: f, Executors: map[job.Kind]Executor{
				job.Custom: &Custom{Executors: map[digest.Hash]string{hash: path}, Environment: []string{"PATH=/usr/bin:/bin"}},
			}}
			out, err := s.Do(within(t, time.Minute), attached(custom(hash), "docs"))
			if c.want == "" {
				wantKind(t, err, c.kind)
			} else if err != nil || string(out.Data) != c.want {
				t.Errorf("%q %v", out.Data, err)
			}
			if f.ended != 1 || f.left != "text" {
				t.Errorf("ended %d times with %q", f.ended, f.left)
			}
		})
	}
}

// Jobs whose volumes a program could not find are refused.
//
// Spec: storage-cbfs §2.5.
func TestVolumesThatAreRefused(t *testing.T) {
	servers := &MCP{Servers: map[string]Server{"here": {Command: []string{"/bin/true"}}, "there": {URL: "http://127.0.0.1:1"}}}
	all := map[job.Kind]Executor{job.HTTP: &HTTP{}, job.Custom: &Custom{}, job.Container: &Containers{}, job.MCP: servers}
	ask := func(server string) *job.Spec { return &job.Spec{Kind: job.MCP, MCP: &job.MCPJob{Server: server}} }
	plain := attached(custom(digest.Hash{}), "a")
	plain.Volumes[0].Mount = false
	for name, c := range map[string]struct {
		set  *Set
		spec *job.Spec
		ok   bool
	}{
		"an executor":             {&Set{Executors: all, Volumes: &folders{}}, attached(custom(digest.Hash{}), "a", "b"), true},
		"a container":             {&Set{Executors: all, Volumes: &folders{}}, attached(&job.Spec{Kind: job.Container}, "a"), true},
		"a server that is here":   {&Set{Executors: all, Volumes: &folders{}}, attached(ask("here"), "a"), true},
		"a server that is not":    {&Set{Executors: all, Volumes: &folders{}}, attached(ask("there"), "a"), false},
		"a fetch":                 {&Set{Executors: all, Volumes: &folders{}}, attached(&job.Spec{Kind: job.HTTP}, "a"), false},
		"a runner without mounts": {&Set{Executors: all}, attached(custom(digest.Hash{}), "a"), false},
		"one volume twice":        {&Set{Executors: all, Volumes: &folders{}}, attached(custom(digest.Hash{}), "a", "a"), false},
		"not as a folder":         {&Set{Executors: all, Volumes: &folders{}}, plain, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.set.Refusal(c.spec); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
}

// A container finds its volumes where the document has them, and writes to those alone that it may.
//
// Spec: runner-marketplace §2.9.
func TestContainersFindVolumes(t *testing.T) {
	s := &specs.Spec{Process: &specs.Process{Env: []string{"VOLUME_MOUNTS=", "HOME=/"}}}
	bindVolumes(t.Context(), s)
	if len(s.Mounts) > 0 || len(s.Process.Env) != 2 {
		t.Error("a job without volumes", s.Mounts, s.Process.Env)
	}
	list := []Mounted{{"docs", "/host/docs", true}, {"read", "/host/read", false}}
	bindVolumes(context.WithValue(t.Context(), volumesKey{}, list), s)
	if !slices.Contains(s.Process.Env, "VOLUME_MOUNTS=docs=/mnt/volumes/docs,read=/mnt/volumes/read") || slices.Contains(s.Process.Env, "VOLUME_MOUNTS=") {
		t.Error(s.Process.Env)
	}
	for i, want := range list {
		m := s.Mounts[i]
		if m.Destination != "/mnt/volumes/"+want.Name || m.Source != want.Folder || slices.Contains(m.Options, "ro") == want.Writes {
			t.Errorf("%+v", m)
		}
	}
	if list[0].Folder != "/host/docs" {
		t.Error("the job's own list is changed")
	}
	lent := &specs.Spec{Process: &specs.Process{}}
	bindVolumes(context.WithValue(t.Context(), volumesKey{}, []Mounted{{"/0x0a/docs", "/host/-0x0a-docs", true}}), lent)
	if m := lent.Mounts[0]; m.Destination != "/mnt/volumes/0x0a/docs" || m.Source != "/host/-0x0a-docs" ||
		!slices.Contains(lent.Process.Env, "VOLUME_MOUNTS=/0x0a/docs=/mnt/volumes/0x0a/docs") {
		t.Errorf("a volume that was granted to the submitter: %+v %q", m, lent.Process.Env)
	}
}

package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/opencontainers/runtime-spec/specs-go"

	"github.com/cowboyinc/cowboy-go/actors/runner/image"
)

// Runtime is an OCI runtime, as crun and runc are.
type Runtime struct {
	Path    string
	Cgroups bool // it can set limits of control groups; without, limits are those of each process
}

// ErrRuntime reports a machine on which no container can be run.
var ErrRuntime = errors.New("no OCI runtime that works here")

// runtimeNames are looked for in this order.
var runtimeNames = []string{"crun", "runc"}

const tryWithin = 20 * time.Second

// FindRuntime gives the runtime at a path, or the first one on PATH that starts a container here. Errors: ErrRuntime, which says what each one answers.
func FindRuntime(ctx context.Context, at string) (*Runtime, error) {
	names := runtimeNames
	if at != "" {
		names = []string{at}
	}
	why := []error{ErrRuntime}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			why = append(why, err)
			continue
		}
		for _, cgroups := range []bool{true, false} {
			r := &Runtime{path, cgroups}
			if err := r.try(ctx); err != nil {
				why = append(why, fmt.Errorf("%s: %w", path, err))
				continue
			}
			return r, nil
		}
	}
	return nil, errors.Join(why...)
}

// command is a call of the runtime, whose containers it keeps in a directory.
func (r *Runtime) command(ctx context.Context, state string, args ...string) *exec.Cmd {
	head := []string{"--root", state}
	if !r.Cgroups && strings.HasSuffix(r.Path, runtimeNames[0]) {
		head = append(head, "--cgroup-manager=disabled")
	}
	cmd := exec.CommandContext(ctx, r.Path, append(head, args...)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "XDG_RUNTIME_DIR=" + state}
	endWithParent(cmd)
	return cmd
}

// try starts a container whose command is not there: a runtime that finds this out has made all the rest.
func (r *Runtime) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, tryWithin)
	defer cancel()
	dir, err := os.MkdirTemp("", "cowboy-try-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, "rootfs")
	ids, err := r.mapping(0)
	if err != nil {
		return err
	}
	s := specs.Spec{
		Version: configVersion, Root: &specs.Root{Path: root, Readonly: true}, Mounts: mounts(1),
		Process: &specs.Process{Args: []string{"/nothing"}, Cwd: "/", NoNewPrivileges: true, Capabilities: &specs.LinuxCapabilities{}},
		Linux: &specs.Linux{UIDMappings: ids, GIDMappings: ids, Seccomp: seccomp(), Namespaces: []specs.LinuxNamespace{
			{Type: specs.PIDNamespace}, {Type: specs.NetworkNamespace}, {Type: specs.MountNamespace}, {Type: specs.UserNamespace},
		}},
	}
	if r.Cgroups {
		pids := int64(containerPids)
		s.Linux.Resources = &specs.LinuxResources{Pids: &specs.LinuxPids{Limit: &pids}}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	err = errors.Join(os.Chmod(dir, 0o711), os.Mkdir(root, 0o755), os.WriteFile(filepath.Join(dir, "config.json"), text, 0o600))
	for _, at := range []string{"", "proc", "dev", "dev/shm", "tmp", workspace} { // what an image has in any case
		at = filepath.Join(root, at)
		if at != root {
			err = errors.Join(err, os.Mkdir(at, 0o755))
		}
		if os.Geteuid() == 0 {
			err = errors.Join(err, os.Lchown(at, image.Base, image.Base))
		}
	}
	if err != nil {
		return err
	}
	name := filepath.Base(dir)
	said, err := r.command(ctx, filepath.Join(dir, "state"), "run", "--bundle", dir, name).CombinedOutput()
	_ = r.command(ctx, filepath.Join(dir, "state"), "delete", "--force", name).Run() // of one that came further than it should
	if text := string(said); strings.Contains(text, "/nothing") && strings.Contains(text, "not found") ||
		strings.Contains(text, "/nothing") && strings.Contains(text, "no such file") {
		return nil
	}
	return fmt.Errorf("%w: %.600s", err, strings.TrimSpace(string(said)))
}

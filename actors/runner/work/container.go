package work

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner/image"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Containers runs containers by an OCI runtime.
//
//	DIR/images   what package image keeps
//	DIR/state    what the runtime keeps of containers that run
//	DIR/bundles  the configuration of each
type Containers struct {
	Runtime  *Runtime
	Dir      string
	Images   *image.Store
	Runner   account.Address
	Out      Dial          // what containers reach outside, as their rules say; nil: jobs of containers with a network are refused
	Teardown time.Duration // 0 for 30 s; Spec: runner-marketplace §2.9

	made atomic.Uint64
}

// Exit statuses of containers. Spec: runner-marketplace §2.9.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
	exitKilled        = 137 // which is out of memory, where it was not this runner that ended it
)

// cannotRun is how runtimes that end with another status say that there is no command, or that it is none.
var cannotRun = regexp.MustCompile(`(?i)no such file or directory|permission denied`)

var (
	errTimedOut = errors.New("the container timed out (143)")
	errMemory   = errors.New("the container was killed for its memory (137)")
)

// Do implements Executor. What the container writes to its output is the result.
//
// Spec: runner-marketplace §2.9; CIP-10.
func (c *Containers) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	r := spec.Runtime
	switch {
	case r.Allowlist && c.Out == nil:
		return Output{}, fail(Refused, "this runner gives containers no network")
	case r.GPUCount > 0:
		return Output{}, fail(Refused, "this runner has no GPUs for containers")
	case r.CPUMilli == 0 || r.MemoryMiB == 0 || r.MaxDuration == 0:
		return Output{}, fail(Refused, "the container states no resources")
	}
	found, release, err := c.Images.Open(ctx, image.Ref{Registry: r.Registry, Repository: r.Repository, Digest: r.Digest})
	if err != nil {
		return Output{}, imageError(err)
	}
	defer release()
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(r.MaxDuration)*time.Second, errTimedOut)
	defer cancel()
	config, err := c.configure(spec, found)
	if err != nil {
		return Output{}, err
	}
	bindVolumes(ctx, config)
	name := fmt.Sprintf("cowboy-%d-%d", os.Getpid(), c.made.Add(1))
	bundle := filepath.Join(c.Dir, "bundles", name)
	if err := os.MkdirAll(bundle, 0o700); err != nil {
		return Output{}, err
	}
	defer os.RemoveAll(bundle)
	if r.Allowlist {
		out, err := c.open(ctx, r, found, bundle, config)
		if err != nil {
			return Output{}, err
		}
		defer func() {
			cancel()
			out.close()
		}()
	}
	text, err := json.Marshal(config)
	if err != nil {
		return Output{}, err
	}
	if err := os.WriteFile(filepath.Join(bundle, "config.json"), text, 0o600); err != nil {
		return Output{}, err
	}
	return c.run(ctx, name, bundle, returnLimit(spec))
}

// imageError sorts what is wrong with an image.
func imageError(err error) error {
	switch {
	case errors.Is(err, image.ErrAbsent), errors.Is(err, image.ErrForm):
		return &Error{Refused, err}
	case errors.Is(err, image.ErrLarge):
		return &Error{TooLarge, err}
	case errors.Is(err, image.ErrDigest), errors.Is(err, image.ErrPath), errors.Is(err, image.ErrKind):
		return &Error{Permanent, err}
	}
	return &Error{Transient, err}
}

// run runs a container to its end, or to its bounds, and takes it down.
func (c *Containers) run(ctx context.Context, name, bundle string, most int) (out Output, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	kept, said := &bounded{most: most, over: func() { cancel(errOutput) }}, &tail{}
	cmd := c.Runtime.command(ctx, c.state(), "run", "--bundle", bundle, name)
	cmd.Stdout, cmd.Stderr = kept, said
	defer func() { err = errors.Join(err, c.delete(name)) }()
	cmd.Cancel = func() error { return c.delete(name) } // which ends the command too
	cmd.WaitDelay = c.teardown()
	err = cmd.Run()
	out = Output{Data: kept.data, Usage: Usage{MemoryMB: peakMemory(cmd.ProcessState)}}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errOutput), errors.Is(cause, errTimedOut):
		return out, &Error{TooLarge, cause}
	case cause != nil:
		return out, &Error{Transient, cause}
	case err == nil:
		return out, nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return out, &Error{Transient, err}
	}
	switch status := exit.ExitCode(); {
	case status == exitKilled:
		return out, fail(TooLarge, "%w: %s", errMemory, said)
	case status == exitNotExecutable, status == exitNotFound, cannotRun.MatchString(said.String()):
		return out, fail(Permanent, "the container's command cannot be run: %s", said)
	default:
		return out, fail(Permanent, "the container ends with %d: %s", status, said)
	}
}

func (c *Containers) state() string { return filepath.Join(c.Dir, "state") }

func (c *Containers) teardown() time.Duration {
	if c.Teardown > 0 {
		return c.Teardown
	}
	return 30 * time.Second
}

// delete ends a container and all that is in it, and forgets it. One that is gone is no error.
func (c *Containers) delete(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), c.teardown())
	defer cancel()
	text, err := c.Runtime.command(ctx, c.state(), "delete", "--force", name).CombinedOutput()
	if _, left := os.Stat(filepath.Join(c.state(), name)); errors.Is(left, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("container %s: %w: %.200s", name, err, text)
	}
	return nil
}

// Sweep ends the containers an earlier process left behind. Nobody else may use the directory.
func (c *Containers) Sweep() error {
	for _, dir := range []string{c.state(), filepath.Join(c.Dir, "bundles")} {
		if err := os.MkdirAll(dir, 0o711); err != nil {
			return err
		}
	}
	left, err := os.ReadDir(c.state())
	if err != nil {
		return err
	}
	for _, e := range left {
		err = errors.Join(err, c.delete(e.Name()))
	}
	return errors.Join(err, os.RemoveAll(filepath.Join(c.Dir, "bundles")), os.MkdirAll(filepath.Join(c.Dir, "bundles"), 0o700))
}

// environment is what a container finds in its environment: the image's, the job's, and what says where it is, which nobody else can say.
//
// Spec: runner-marketplace §2.9.
func (c *Containers) environment(spec *job.Spec, found *image.Image) []string {
	values := map[string]string{"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": workspace, "TMPDIR": "/tmp"}
	for _, one := range found.Config.Env {
		if name, value, ok := strings.Cut(one, "="); ok {
			values[name] = value
		}
	}
	for _, one := range spec.Runtime.Env {
		values[one.Name] = one.Value
	}
	values["COWBOY_TASK_ID"], values["RUNNER_ADDRESS"] = hex.EncodeToString(spec.ID[:]), c.Runner.String()
	values["ACCOUNT_ADDRESS"] = spec.Submitter.String()
	values["TIMEOUT_BLOCK"] = strconv.FormatUint(uint64(spec.SubmittedAt)+spec.TimeoutBlocks, 10)
	values["VOLUME_MOUNTS"], values["NETWORK_POLICY"] = "", "NONE"
	if spec.Runtime.Allowlist {
		values["NETWORK_POLICY"] = "ALLOWLIST"
	}
	list := make([]string, 0, len(values))
	for name, value := range values { // order-free: a set of names
		list = append(list, name+"="+value)
	}
	return list
}

package work

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/opencontainers/runtime-spec/specs-go"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Mounted is a volume that a job's program finds as a folder.
type Mounted struct {
	Name, Folder string
	Writes       bool
}

// Volumes mounts what is attached to jobs. done commits what was written and takes the folders away; it is called once, and its error means that something is
// not committed. Errors: *Error; any other is Transient.
//
// Spec: storage-cbfs §2.5 (VolumeAttachment), §3.5.
type Volumes interface {
	Mount(ctx context.Context, spec *job.Spec) (list []Mounted, done func() error, err error)
}

// volumesAt is where containers find volumes.
//
// Spec: runner-marketplace §2.9.
const volumesAt = "/mnt/volumes"

// volumesRefusal says why a job with volumes is not one for this set, or nil.
func (s *Set) volumesRefusal(spec *job.Spec) error {
	if len(spec.Volumes) == 0 {
		return nil
	}
	if s.Volumes == nil {
		return fail(Refused, "this runner mounts no volumes")
	}
	switch spec.Kind {
	case job.Custom, job.Container:
	case job.MCP:
		if m, ok := s.Executors[job.MCP].(*MCP); ok && len(m.Servers[spec.MCP.Server].Command) == 0 {
			return fail(Refused, "a server that is somewhere else finds no volumes")
		}
	default:
		return fail(Refused, "volumes are for programs")
	}
	names := map[string]bool{}
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		if !v.Mount {
			return fail(Refused, "this runner gives volumes as folders alone")
		}
		if names[v.Name] {
			return fail(Refused, "the volume %.80q is attached twice", v.Name)
		}
		names[v.Name] = true
	}
	return nil
}

// volumesKey is where a job's folders lie in its context.
type volumesKey struct{}

func volumesOf(ctx context.Context) []Mounted {
	list, _ := ctx.Value(volumesKey{}).([]Mounted)
	return list
}

// withVolumes does a job whose volumes are mounted. What is written counts only if it is committed when the job ends.
//
// Spec: storage-cbfs §3.5.
func (s *Set) withVolumes(ctx context.Context, spec *job.Spec) (out Output, err error) {
	if len(spec.Volumes) == 0 {
		return s.do(ctx, spec)
	}
	list, done, err := s.Volumes.Mount(ctx, spec)
	if err != nil {
		return Output{}, err
	}
	defer func() {
		if failed := done(); failed != nil && err == nil {
			out, err = Output{}, &Error{KindOf(failed), failed}
		}
	}()
	return s.do(context.WithValue(ctx, volumesKey{}, list), spec)
}

// environment says where the volumes are: NAME=FOLDER, separated by commas, of which a name has none.
func volumesEnvironment(list []Mounted) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].Name + "=" + list[i].Folder
	}
	return "VOLUME_MOUNTS=" + strings.Join(texts, ",")
}

// volumeFolders are the folders by name, for executors; nil where there are none.
func volumeFolders(list []Mounted) map[string]string {
	if len(list) == 0 {
		return nil
	}
	folders := map[string]string{}
	for i := range list {
		folders[list[i].Name] = list[i].Folder
	}
	return folders
}

// bindVolumes lets a container find the volumes of its job.
//
// Spec: runner-marketplace §2.9.
func bindVolumes(ctx context.Context, s *specs.Spec) {
	list := slices.Clone(volumesOf(ctx))
	for i := range list {
		inside := path.Join(volumesAt, list[i].Name)
		options := []string{"bind", "nosuid", "nodev", "noexec"}
		if !list[i].Writes {
			options = append(options, "ro")
		}
		s.Mounts = append(s.Mounts, specs.Mount{Destination: inside, Type: "bind", Source: list[i].Folder, Options: options})
		list[i].Folder = inside
	}
	if len(list) > 0 {
		s.Process.Env = slices.DeleteFunc(s.Process.Env, func(one string) bool { return strings.HasPrefix(one, "VOLUME_MOUNTS=") })
		s.Process.Env = append(s.Process.Env, volumesEnvironment(list))
	}
}

// Joined is the mounting of several things: done of all that were mounted, whose errors are joined.
type Joined []func() error

// Done ends all of them, the last one first.
func (j Joined) Done() (err error) {
	for _, one := range slices.Backward(j) {
		err = errors.Join(err, one())
	}
	return err
}

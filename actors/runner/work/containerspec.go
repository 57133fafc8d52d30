package work

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/opencontainers/runtime-spec/specs-go"

	"github.com/cowboyinc/cowboy-go/actors/runner/image"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// configVersion is the version that configurations say they have: the oldest one that all they use is in. Runtimes of distributions know no later ones:
// crun 1.8, of Debian 12, takes 1.0 only.
const configVersion = "1.0.2"

const (
	workspace      = "/workspace" // Spec: runner-marketplace §2.9
	containerPids  = 256          // processes and threads of a container
	containerFiles = 1024         // open at a time
	temporaryMiB   = 64           // of /tmp and of shared memory
	nobodyID       = 65_534
	quotaPeriod    = 100_000 // microseconds
)

// configure is the OCI configuration of a container: namespaces of its own and no network, a root nobody writes to, no capability, no device but those that are
// none, no new privileges, and the limits of the job.
//
// Spec: runner-marketplace §2.9; CIP-10.
func (c *Containers) configure(spec *job.Spec, found *image.Image) (*specs.Spec, error) {
	r := spec.Runtime
	user, err := userOf(found.Config.User, r.AllowRoot)
	if err != nil {
		return nil, err
	}
	command := append(append([]string{}, found.Config.Entrypoint...), found.Config.Cmd...)
	if len(r.Command) > 0 {
		command = r.Command
	}
	if len(command) == 0 {
		return nil, fail(Permanent, "neither the job nor the image says what to run")
	}
	directory := workspace
	if r.WorkingDir != nil {
		directory = *r.WorkingDir
	}
	if !strings.HasPrefix(directory, "/") {
		return nil, fail(Permanent, "the working directory %.80q is not absolute", directory)
	}
	ids, err := c.Runtime.mapping(user.UID)
	if err != nil {
		return nil, err
	}
	s := &specs.Spec{
		Version: configVersion, Hostname: "container", Root: &specs.Root{Path: found.Root, Readonly: true},
		Process: &specs.Process{
			User: user, Args: command, Env: c.environment(spec, found), Cwd: directory, NoNewPrivileges: true, Capabilities: &specs.LinuxCapabilities{},
			Rlimits: []specs.POSIXRlimit{
				limit("RLIMIT_CORE", 0), limit("RLIMIT_DATA", uint64(r.MemoryMiB)<<20), limit("RLIMIT_NOFILE", containerFiles),
				limit("RLIMIT_NPROC", containerPids),
			},
		},
		Mounts: mounts(r.ScratchMiB),
		Linux: &specs.Linux{
			UIDMappings: ids, GIDMappings: ids, Seccomp: seccomp(),
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.PIDNamespace}, {Type: specs.NetworkNamespace}, {Type: specs.IPCNamespace}, {Type: specs.UTSNamespace},
				{Type: specs.MountNamespace}, {Type: specs.UserNamespace}, {Type: specs.CgroupNamespace},
			},
			MaskedPaths:   []string{"/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list", "/proc/sched_debug", "/proc/scsi"},
			ReadonlyPaths: []string{"/proc/asound", "/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"},
		},
	}
	if c.Runtime.Cgroups {
		s.Linux.Resources = resources(r)
	}
	return s, nil
}

func limit(kind string, n uint64) specs.POSIXRlimit {
	return specs.POSIXRlimit{Type: kind, Soft: n, Hard: n}
}

// resources are those of the control group. What is written to scratch is memory too, so it comes on top.
func resources(r *job.Runtime) *specs.LinuxResources {
	memory := (int64(r.MemoryMiB) + int64(min(r.ScratchMiB, math.MaxInt32)) + 2*temporaryMiB) << 20
	quota, period, pids := int64(r.CPUMilli)*quotaPeriod/1000, uint64(quotaPeriod), int64(containerPids)
	return &specs.LinuxResources{
		Memory: &specs.LinuxMemory{Limit: &memory}, CPU: &specs.LinuxCPU{Quota: &quota, Period: &period}, Pids: &specs.LinuxPids{Limit: &pids},
	}
}

// userOf is who runs in a container: whom the image names by number, nobody where it names none or root; root only where the job allows it.
func userOf(named string, root bool) (specs.User, error) {
	user, group, _ := strings.Cut(named, ":")
	uid, err := strconv.ParseUint(user, 10, 32)
	if user != "" && user != "root" && err != nil {
		return specs.User{}, fail(Refused, "the image names its user %.40q; this runner takes numbers", named)
	}
	gid, err := strconv.ParseUint(group, 10, 32)
	if group != "" && err != nil {
		return specs.User{}, fail(Refused, "the image names its group %.40q; this runner takes numbers", named)
	}
	if group == "" {
		gid = uid
	}
	if uid == 0 && !root {
		uid, gid = nobodyID, nobodyID
	}
	if uid >= image.IDs || gid >= image.IDs {
		return specs.User{}, fail(Permanent, "the user %.40q is above %d", named, image.IDs-1)
	}
	return specs.User{UID: uint32(uid), GID: uint32(gid)}, nil
}

// mounts are what a container finds beside its image: scratch in memory, of the size of the job's.
func mounts(scratch uint32) []specs.Mount {
	memory := func(at, options string, mib uint32) specs.Mount {
		list := append([]string{"nosuid", "nodev", fmt.Sprintf("size=%dm", max(mib, 1)), "nr_inodes=100k"}, strings.Split(options, ",")...)
		return specs.Mount{Destination: at, Type: "tmpfs", Source: "tmpfs", Options: list}
	}
	return []specs.Mount{
		{Destination: "/proc", Type: "proc", Source: "proc", Options: []string{"nosuid", "noexec", "nodev"}},
		{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "strictatime", "mode=755", "size=64k"}},
		memory("/dev/shm", "noexec,mode=1777", temporaryMiB), memory("/tmp", "noexec,mode=1777", temporaryMiB), memory(workspace, "mode=1777", scratch),
	}
}

// deniedCalls are those that programs in containers have no use for and that reach far into the kernel.
var deniedCalls = []string{
	"acct", "add_key", "bpf", "delete_module", "fanotify_init", "finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "init_module", "io_uring_enter",
	"io_uring_register", "io_uring_setup", "kexec_file_load", "kexec_load", "keyctl", "mount", "mount_setattr", "move_mount", "name_to_handle_at",
	"open_by_handle_at", "open_tree", "perf_event_open", "pivot_root", "process_vm_readv", "process_vm_writev", "ptrace", "quotactl", "reboot", "request_key",
	"setns", "swapoff", "swapon", "umount2", "unshare", "userfaultfd", "vhangup",
}

// seccomp refuses those, and new namespaces by clone; clone3, whose flags no filter can see, is said not to be there, and libraries use clone then.
func seccomp() *specs.LinuxSeccomp {
	const namespaces = 0x7e020000 // CLONE_NEW* of mount, cgroup, UTS, IPC, user, PID and network
	refused, absent := uint(1), uint(38)
	calls := []specs.LinuxSyscall{
		{Names: deniedCalls, Action: specs.ActErrno, ErrnoRet: &refused}, {Names: []string{"clone3"}, Action: specs.ActErrno, ErrnoRet: &absent},
	}
	for flag := uint64(1) << 17; flag <= 1<<30; flag <<= 1 {
		if flag&namespaces != 0 {
			calls = append(calls, specs.LinuxSyscall{Names: []string{"clone"}, Action: specs.ActErrno, ErrnoRet: &refused, Args: []specs.LinuxSeccompArg{
				{Index: 0, Value: flag, ValueTwo: flag, Op: specs.OpMaskedEqual},
			}})
		}
	}
	return &specs.LinuxSeccomp{DefaultAction: specs.ActAllow, Syscalls: calls}
}

// mapping gives containers the user ids from 0 on: those of package image where this process is root, this process's own for one user alone elsewhere.
func (r *Runtime) mapping(user uint32) ([]specs.LinuxIDMapping, error) {
	own := os.Geteuid()
	if own == 0 {
		return []specs.LinuxIDMapping{{ContainerID: 0, HostID: image.Base, Size: image.IDs}}, nil
	}
	if user != 0 {
		return nil, fail(Refused, "a runner that is not root has no user ids for containers but one, which is root's in them: the job has to allow root")
	}
	return []specs.LinuxIDMapping{{ContainerID: 0, HostID: uint32(own), Size: 1}}, nil
}

package work

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/zeebo/blake3"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// start starts a process; pipes connects it. Where the kernel refuses namespaces it has none, unless something has to be hidden from it.
func (s Self) start(ctx context.Context, l *launch, pipes func(*exec.Cmd) error) (*exec.Cmd, error) {
	cmd, err := s.try(ctx, l, pipes, true)
	if err != nil && ctx.Err() == nil && (!l.strange || len(s.Hide) == 0) {
		cmd, err = s.try(ctx, l, pipes, false)
	}
	if err != nil {
		return nil, &Error{Transient, err}
	}
	return cmd, nil
}

func (s Self) try(ctx context.Context, l *launch, pipes func(*exec.Cmd) error, namespaces bool) (*exec.Cmd, error) {
	own := syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	processes := uint64(0)
	if namespaces {
		own.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
		own.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		own.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		processes = l.limits.Processes
	}
	var hide []string
	if l.strange && len(s.Hide) > 0 {
		hide = s.Hide
		own.Cloneflags |= syscall.CLONE_NEWNS
		own.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP} // within its own namespaces; conceal gives them up
	}
	args := []string{confineMode}
	for _, n := range []uint64{l.limits.MemoryMB << 20, l.limits.ProcessorSeconds, processes, l.limits.Files, uint64(3 + len(l.extra)), uint64(len(hide))} {
		args = append(args, strconv.FormatUint(n, 10))
	}
	args = append(args, hide...)
	cmd := exec.CommandContext(ctx, s.path(), append(args, l.command...)...)
	cmd.Env, cmd.ExtraFiles, cmd.SysProcAttr, cmd.Dir = append([]string{}, l.env...), l.extra, &own, "/"
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.WaitDelay = windWithin
	if err := pipes(cmd); err != nil {
		return nil, err
	}
	return cmd, cmd.Start()
}

// processes reports whether jobs may be done in processes of their own.
const processes = true

// leaveNoCore has this process write no image of its memory when it crashes.
func leaveNoCore() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }

// endWithParent has a process end when this one does.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends a process and all that are in its group.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// peakMemory is in MiB, rounded up.
func peakMemory(s *os.ProcessState) uint64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return uint64(usage.Maxrss+1023) / 1024
	}
	return 0
}

// confine limits this process and becomes another program. Its arguments are memory in bytes, processor seconds, processes, files, the first descriptor that
// the program does not get, whoever opened it, how many paths are hidden from it, these paths, and the command.
func confine(args []string) error {
	kinds := []int{unix.RLIMIT_DATA, unix.RLIMIT_CPU, unix.RLIMIT_NPROC, unix.RLIMIT_NOFILE}
	if len(args) <= len(kinds)+2 {
		return fmt.Errorf("%d arguments", len(args))
	}
	first, err := strconv.ParseUint(args[len(kinds)], 10, 16)
	if err != nil {
		return err
	}
	hidden, err := strconv.ParseUint(args[len(kinds)+1], 10, 8)
	rest := args[len(kinds)+2:]
	if err != nil || uint64(len(rest)) <= hidden {
		return fmt.Errorf("%d arguments: %w", len(args), err)
	}
	command, environment := rest[hidden:], os.Environ()
	if hidden > 0 {
		runtime.LockOSThread() // capabilities are a thread's
		if err := conceal(rest[:hidden]); err != nil {
			return err
		}
	}
	if err := unix.CloseRange(uint(first), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil && !errors.Is(err, unix.ENOSYS) { // of Linux 5.11
		return err
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	limits := make([]unix.Rlimit, len(kinds))
	for i := range kinds {
		n, err := strconv.ParseUint(args[i], 10, 63)
		if err != nil {
			return err
		}
		limits[i] = unix.Rlimit{Cur: n, Max: n}
	}
	program, err := syscall.BytePtrFromString(command[0])
	if err != nil {
		return err
	}
	list, err := syscall.SlicePtrFromStrings(command)
	if err != nil {
		return err
	}
	variables, err := syscall.SlicePtrFromStrings(environment)
	if err != nil {
		return err
	}
	// Under the limits this program may get no more memory and no more threads, without which the runtime ends it. So nothing is allocated from here on,
	// nothing is left to sweep, and no call gives its thread away. The limit of memory comes last.
	debug.SetGCPercent(-1)
	runtime.GC()
	for i := len(kinds) - 1; i >= 0; i-- {
		if limits[i].Cur == 0 {
			continue
		}
		_, _, failed := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, uintptr(kinds[i]), uintptr(unsafe.Pointer(&limits[i])), 0, 0, 0)
		if failed != 0 {
			return fmt.Errorf("limit %d to %d: %w", kinds[i], limits[i].Cur, failed)
		}
	}
	_, _, failed := unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(&list[0])),
		uintptr(unsafe.Pointer(&variables[0])))
	return fmt.Errorf("%s: %w", command[0], failed)
}

// maxExecutor bounds the file of an executor, in bytes.
const maxExecutor = 256 << 20

// pinned is a sealed copy of a file with the hash. Errors: Refused for another hash; any other is the system's.
func pinned(path string, want digest.Hash) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.Size() > maxExecutor {
		return nil, fail(Refused, "the executor has %d bytes, and may have %d", info.Size(), maxExecutor)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if got := digest.Hash(blake3.Sum256(data)); got != want {
		return nil, fail(Refused, "the executor at %s has the hash %s instead of %s", path, got, want)
	}
	fd, err := unix.MemfdCreate("executor", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "executor")
	if _, err = file.Write(data); err == nil {
		_, err = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (closed: %w)", err, file.Close())
	}
	return file, nil
}

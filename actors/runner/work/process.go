package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Limits are those of a process.
type Limits struct {
	MemoryMB         uint64
	ProcessorSeconds uint64
	Processes        uint64 // threads included; held where there are user namespaces
	Files            uint64 // open at a time
	Output           int    // bytes
}

// Self is the program that limits itself before it becomes what it runs: the runner's own, whose main calls Reentered first.
type Self struct {
	Path string // "" for the program that runs
	// Hide are directories and files that programs of others find empty, whatever user they run as: where the runner's key is. They see no process but their
	// own then, and are not run where the system does not let that be.
	Hide []string
}

const (
	confineMode = "work-confine"
	examineMode = "work-examine"
	probeMode   = "work-probe"
	keepErrors  = 2 << 10 // bytes of what a process says on its error stream
	windWithin  = 2 * time.Second
)

// Reentered runs what this process was started for by another of the same program, and reports whether it was. It is the first call of main.
func Reentered(args []string) bool {
	if len(args) < 2 {
		return false
	}
	var err error
	switch args[1] {
	case confineMode:
		err = confine(args[2:])
	case examineMode:
		err = examine(os.Stdin, os.Stdout)
	case secretsMode:
		err = doApart(os.Stdin, os.Stdout)
	case probeMode:
		err = probe(args[2:])
	default:
		return false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// launch is a process that is to be started.
type launch struct {
	command []string
	env     []string
	extra   []*os.File // descriptors from 3 on
	in      []byte
	limits  Limits
	strange bool // the program is somebody else's
}

// again runs a mode of the program itself.
func (s Self) again(ctx context.Context, mode string, in []byte, limits Limits) ([]byte, error) {
	out, _, err := s.run(ctx, &launch{command: []string{s.path(), mode}, in: in, limits: limits})
	return out, err
}

func (s Self) path() string {
	if s.Path == "" {
		return "/proc/self/exe"
	}
	return s.Path
}

// Hides tries whether the system lets this program hide what it has to hide. An error says why not; it is nil where nothing has to be hidden.
func (s Self) Hides(ctx context.Context) error {
	if len(s.Hide) == 0 {
		return nil
	}
	_, _, err := s.run(ctx, &launch{
		command: append([]string{s.path(), probeMode}, s.Hide...), strange: true,
		limits: Limits{MemoryMB: 1024, ProcessorSeconds: 10, Files: 64, Output: keepErrors},
	})
	return err
}

// probe looks for anything in what is hidden.
func probe(hidden []string) error {
	for _, path := range hidden {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		var size int64
		if info.IsDir() {
			list, err := os.ReadDir(path)
			if err != nil {
				return err
			}
			size = int64(len(list))
		} else if data, err := os.ReadFile(path); err != nil || len(data) > 0 {
			size = 1
		}
		if size > 0 {
			return fmt.Errorf("%s can be read by programs of others", path)
		}
	}
	return nil
}

// run starts a process, gives it its input, and takes its output. memory is its peak in MiB. Errors: TooLarge for too much output, Transient for a process
// that fails or does not end in time.
func (s Self) run(ctx context.Context, l *launch) (out []byte, memory uint64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	kept := &bounded{most: l.limits.Output, over: func() { cancel(errOutput) }}
	said := &tail{}
	cmd, err := s.start(ctx, l, func(cmd *exec.Cmd) error {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(l.in)), kept, said
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	err = cmd.Wait()
	killGroup(cmd) // what it left behind
	memory = peakMemory(cmd.ProcessState)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errOutput):
		return nil, memory, &Error{TooLarge, errOutput}
	case cause != nil:
		return nil, memory, &Error{Transient, cause}
	case err != nil:
		return nil, memory, fail(Transient, "%w: %s", err, said)
	}
	return kept.data, memory, nil
}

// errOutput reports a process that says too much.
var errOutput = errors.New("the process gave more output than it may")

// bounded is output up to a limit.
type bounded struct {
	data []byte
	most int
	over func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.most {
		b.over()
		return 0, errOutput
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

// tail is the last of what was written.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - keepErrors; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// String is one line of printable text.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(t.data), "?")), " ")
}

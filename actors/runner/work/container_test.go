package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner/image"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/testkit/contained"
)

// madeImage is the directory of it; "" where no test has made it.
var madeImage string

// builtImage makes the tests' program into an image, once, in a layout that a foreign library writes.
var builtImage = sync.OnceValues(func() (digest string, err error) {
	dir, err := os.MkdirTemp("", "cowboy-layout-")
	if err != nil {
		return "", err
	}
	madeImage = dir
	return contained.Layout(dir)
})

// containers is an executor with a real runtime, and a job for the image; the test is skipped where no runtime works.
func containers(t *testing.T) (*Containers, job.Spec) {
	t.Helper()
	found, err := FindRuntime(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	text, err := builtImage()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := digest.ParseHash(text)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := contained.Passable(dir); err != nil {
		t.Fatal(err)
	}
	images, err := image.NewStore(image.Store{Dir: filepath.Join(dir, "images"), Layouts: []string{filepath.Join(madeImage, "layout")}})
	if err != nil {
		t.Fatal(err)
	}
	c := &Containers{Runtime: found, Dir: dir, Images: images, Runner: account.Address{0x11}}
	if err := c.Sweep(); err != nil {
		t.Fatal(err)
	}
	return c, job.Spec{Kind: job.Container, ID: digest.Hash{0xab}, Submitter: account.Address{0x22}, SubmittedAt: 100, TimeoutBlocks: 20, Runtime: &job.Runtime{
		Repository: "contained", Digest: hash, CPUMilli: 1000, MemoryMiB: 128, ScratchMiB: 16, MaxDuration: 60,
	}}
}

// does runs a container with a command of its own.
func does(t *testing.T, c *Containers, spec job.Spec, command ...string) (string, error) {
	t.Helper()
	r := *spec.Runtime
	spec.Runtime = &r
	if len(command) > 0 {
		r.Command = append([]string{"/contained"}, command...)
	}
	out, err := (&Set{Executors: map[job.Kind]Executor{job.Container: c}}).Do(t.Context(), &spec)
	left, stateErr := os.ReadDir(c.state())
	if stateErr != nil || len(left) != 0 {
		t.Errorf("the runtime still keeps %v, %v", left, stateErr)
	}
	return string(out.Data), err
}

// What a container prints is the result; where it runs, and as whom, is what the job and the image say, and nothing else is in its environment.
//
// Spec: runner-marketplace §2.9.
func TestContainer(t *testing.T) {
	c, spec := containers(t)
	for _, one := range []struct {
		name    string
		change  func(*job.Runtime)
		command []string
		want    string
	}{
		{"image's command", nil, nil, "what the image says"}, {"job's command", nil, []string{"say", "a", "b"}, "a b"},
		{"nobody", nil, []string{"who"}, "65534 65534 1 /workspace container"},
		{"root where allowed", func(r *job.Runtime) { r.AllowRoot = true }, []string{"who"}, "0 0 1 /workspace container"},
		{"directory", func(r *job.Runtime) { at := "/tmp"; r.WorkingDir = &at }, []string{"who"}, "65534 65534 1 /tmp container"},
		{"environment", func(r *job.Runtime) {
			r.Env = []job.Pair{{Name: "A", Value: "of the job"}, {Name: "COWBOY_TASK_ID", Value: "another"}}
		},
			[]string{"environment"}, "A=of the job\nACCOUNT_ADDRESS=" + account.Address{0x22}.String() + "\nB=2\nCOWBOY_TASK_ID=ab" + strings.Repeat("0", 62) +
				"\nHOME=/workspace\nNETWORK_POLICY=NONE\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nRUNNER_ADDRESS=" +
				account.Address{0x11}.String() + "\nTIMEOUT_BLOCK=120\nTMPDIR=/tmp\nVOLUME_MOUNTS="},
	} {
		t.Run(one.name, func(t *testing.T) {
			spec := spec
			r := *spec.Runtime
			spec.Runtime = &r
			if one.change != nil {
				one.change(&r)
			}
			if got, err := does(t, c, spec, one.command...); err != nil || got != one.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// How a container ends says what became of the job.
//
// Spec: runner-marketplace §2.9 (exit codes).
func TestContainerEnds(t *testing.T) {
	c, spec := containers(t)
	relative := "here"
	for _, one := range []struct {
		name    string
		change  func(*job.Spec)
		command []string
		want    ErrorKind
		says    string
	}{
		{"failed", nil, []string{"exit", "3"}, Permanent, "ends with 3: as told"},
		{"not executable", func(s *job.Spec) { s.Runtime.Command = []string{"/text"} }, nil, Permanent, "cannot be run"},
		{"not found", func(s *job.Spec) { s.Runtime.Command = []string{"/absent"} }, nil, Permanent, "cannot be run"},
		{"too long", func(s *job.Spec) { s.Runtime.MaxDuration = 1 }, []string{"sleep"}, TooLarge, "timed out (143)"},
		{"beyond the job's wall time", func(s *job.Spec) { s.Bounds.MaxWallTimeSeconds = 1 }, []string{"sleep"}, Transient, "deadline"},
		{"endless output", nil, []string{"endless"}, TooLarge, "more output"},
		{"network", func(s *job.Spec) { s.Runtime.Allowlist = true }, nil, Refused, "no network"},
		{"GPU", func(s *job.Spec) { s.Runtime.GPUCount = 1 }, nil, Refused, "no GPUs"},
		{"no resources", func(s *job.Spec) { s.Runtime.MemoryMiB = 0 }, nil, Refused, "no resources"},
		{"no image", func(s *job.Spec) { s.Runtime.Digest = digest.Hash{1} }, nil, Refused, "not in any layout"},
		{"relative directory", func(s *job.Spec) { s.Runtime.WorkingDir = &relative }, nil, Permanent, "not absolute"},
		{"volumes", func(s *job.Spec) { s.Volumes = make([]job.Volume, 1) }, nil, Refused, "no volumes"},
		{"secrets", func(s *job.Spec) { s.Secrets = make([]job.Secret, 1) }, nil, Refused, "SecretsNotApplicableHere"},
	} {
		t.Run(one.name, func(t *testing.T) {
			spec := spec
			r := *spec.Runtime
			spec.Runtime = &r
			if one.change != nil {
				one.change(&spec)
			}
			got, err := does(t, c, spec, one.command...)
			if err == nil || KindOf(err) != one.want || !strings.Contains(err.Error(), one.says) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// What a container may not do, it cannot: nothing of a list succeeds, as nobody and as its root.
//
// Spec: CIP-10 (isolation).
func TestContainerEscapes(t *testing.T) {
	c, spec := containers(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	hidden := "cowboy-test-" + strconv.Itoa(os.Getpid())
	abstract, err := net.Listen("unix", "@"+hidden)
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	file, err := os.Open(os.Args[0]) // a descriptor that must not be in it
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	t.Setenv("COWBOY_HIDDEN", "of the runner")
	key := filepath.Join(c.Dir, "runner.pem")
	if err := os.WriteFile(key, []byte("key"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, root := range map[string]bool{"nobody": false, "root": true} {
		t.Run(name, func(t *testing.T) {
			spec := spec
			r := *spec.Runtime
			r.AllowRoot, spec.Runtime = root, &r
			got, err := does(t, c, spec, "escape", listener.Addr().String(), hidden, key, "/etc/shadow", os.Args[0])
			if root {
				got = strings.Replace(got, "root\n", "", 1) // who is root becomes root
			}
			if err != nil || got != "" {
				t.Errorf("%v: what succeeds:\n%s", err, got)
			}
		})
	}
}

// Processes, memory and scratch are bounded, and nothing outlives a container.
//
// Spec: CIP-10 (resources).
func TestContainerBounds(t *testing.T) {
	c, spec := containers(t)
	t.Run("processes", func(t *testing.T) {
		got, err := does(t, c, spec, "bomb")
		if n, bad := strconv.Atoi(got); err == nil && (bad != nil || n < 1 || n >= containerPids) {
			t.Errorf("%q", got)
		}
	})
	t.Run("scratch", func(t *testing.T) {
		if got, err := does(t, c, spec, "fill"); err != nil || got != "16" {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("memory", func(t *testing.T) {
		got, err := does(t, c, spec, "hoard")
		if err == nil {
			t.Errorf("it has %q MiB", got)
		}
	})
	t.Run("children", func(t *testing.T) {
		if got, err := does(t, c, spec, "linger", token); err != nil || got != "<nil>" {
			t.Errorf("%q, %v", got, err)
		}
		if left := inContainers(t); left != "" {
			t.Errorf("still there: %s", left)
		}
	})
	t.Run("deadline", func(t *testing.T) { // of one that takes no signal, with a child in a session of its own
		r, spec := *spec.Runtime, spec
		r.MaxDuration, spec.Runtime = 1, &r
		if got, err := does(t, c, spec, "stubborn", token); err == nil || !strings.Contains(err.Error(), "timed out (143)") {
			t.Errorf("%q, %v", got, err)
		}
		if left := inContainers(t); left != "" {
			t.Errorf("still there: %s", left)
		}
	})
	t.Run("runner ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		r := *spec.Runtime
		spec.Runtime, r.Command = &r, []string{"/contained", "sleep", token}
		if _, err := c.Do(ctx, &spec); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if left := inContainers(t); left != "" {
			t.Errorf("still there: %s", left)
		}
	})
	t.Run("swept", func(t *testing.T) { // a container whose runner was killed
		dir := filepath.Join(c.Dir, "bundles", "left")
		found, release, err := c.Images.Open(t.Context(), image.Ref{Repository: "contained", Digest: spec.Runtime.Digest})
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		r := *spec.Runtime
		spec.Runtime, r.Command = &r, []string{"/contained", "sleep", token}
		config, err := c.configure(&spec, found)
		if err != nil {
			t.Fatal(err)
		}
		bundle(t, dir, config)
		if err := c.Runtime.command(t.Context(), c.state(), "run", "--detach", "--bundle", dir, "left").Run(); err != nil {
			t.Fatal(err)
		}
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for n := 0; inContainers(t) == ""; n++ { // the runtime becomes it
			if <-tick.C; n > 1_000 {
				t.Fatal("it does not run")
			}
		}
		if err := c.Sweep(); err != nil || inContainers(t) != "" {
			t.Errorf("%v, still there: %s", err, inContainers(t))
		}
	})
}

// A container with rules reaches what they name, under its name and port, and nothing else: no other port, host or address, and not this machine. What the
// rules name is what the runner's own dialler gives.
//
// Spec: runner-marketplace §2.9 (network); CIP-10.
func TestContainerNetwork(t *testing.T) {
	c, spec := containers(t)
	if os.Geteuid() != 0 {
		t.Skip("networks of containers are made by root")
	}
	site, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	go echo(site)
	_, port, err := net.SplitHostPort(site.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	names := fixed{"data.example": {netip.MustParseAddr("127.0.0.1")}, "other.example": {netip.MustParseAddr("127.0.0.1")}}
	c.Out = (&dialer{names, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}).dial
	r := *spec.Runtime
	spec.Runtime, r.Allowlist = &r, true
	r.Egress = []job.Egress{{Host: "data.example", Port: uint32(number), Protocol: "tcp"}, {Host: "absent.example", Port: 443, Protocol: "https"}}
	got, err := does(t, c, spec, "reach", "data.example:"+port, "data.example:81", "other.example:"+port, "absent.example:443", site.Addr().String(),
		"192.0.2.1:80", "127.77.0.3:"+port)
	want := "data.example:" + port + " says \"hello\\n\"\nnothing at data.example:81\nnothing at other.example:" + port +
		"\nabsent.example:443 says \"\"\nnothing at " + site.Addr().String() + "\nnothing at 192.0.2.1:80\nnothing at 127.77.0.3:" + port + "\n"
	if err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	t.Run("closed ranges", func(t *testing.T) {
		c.Out = (&dialer{names, nil}).dial
		if got, err := does(t, c, spec, "reach", "data.example:"+port); err != nil || got != "data.example:"+port+" says \"\"\n" {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("escapes", func(t *testing.T) {
		if got, err := does(t, c, spec, "escape", site.Addr().String(), "nobody"); err != nil || got != "" {
			t.Errorf("%v: what succeeds:\n%s", err, got)
		}
	})
	t.Run("rules", func(t *testing.T) {
		for _, bad := range []job.Egress{
			{Host: "data.example", Port: 53, Protocol: "udp"}, {Host: "127.0.0.1", Port: 80, Protocol: "tcp"}, {Host: "localhost", Port: 80, Protocol: "tcp"},
			{Host: "a\n127.0.0.1 b.example", Port: 80, Protocol: "tcp"}, {Host: "data.example", Port: 0, Protocol: "tcp"},
			{Host: "*", Port: 1, Protocol: "tcp"},
		} {
			r.Egress = []job.Egress{bad}
			if got, err := does(t, c, spec, "say"); KindOf(err) != Refused || err == nil {
				t.Errorf("%+v: %q, %v", bad, got, err)
			}
		}
	})
}

// fixed are the addresses of names.
type fixed map[string][]netip.Addr

// LookupNetIP implements Resolver.
func (f fixed) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if list, ok := f[host]; ok {
		return list, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// echo says back what each connection says.
func echo(at net.Listener) {
	for {
		c, err := at.Accept()
		if err != nil {
			return
		}
		go func() {
			_, _ = io.Copy(c, c)
			_ = c.Close()
		}()
	}
}

// token marks the processes of this test.
var token = fmt.Sprint("token-", os.Getpid())

// inContainers lists the processes of containers, as this machine sees them.
func inContainers(t *testing.T) (list string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(token)) && bytes.HasPrefix(text, []byte("/contained\x00")) {
			list += path + " "
		}
	}
	return list
}

func bundle(t *testing.T, dir string, config any) {
	t.Helper()
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

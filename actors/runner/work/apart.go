package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Filler is an executor that may put the secrets of a job into their places in a process of its own, so that this one never has more of them than bytes that
// it erases: what TLS, HTTP and texts copy, nobody can.
//
// Spec: secrets-cbss §4 (runner use: in-memory only, zeroised).
type Filler interface {
	Executor
	// Fills reports whether it does so.
	Fills() bool
}

// secretsMode is the process that does a job with secrets. It ends with the job.
const secretsMode = "work-secrets"

// mostApart bounds what goes to that process and what comes from it, in bytes.
const mostApart = 64 << 20

// apartEnvironment are the variables that say how servers are reached and trusted. The process has no others.
var apartEnvironment = []string{
	"SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "GODEBUG", "PATH", "TMPDIR",
}

// valuesKey is where the values of a job's secrets lie in its context, for a Filler.
type valuesKey struct{}

func valuesOf(ctx context.Context) map[string][]byte {
	values, _ := ctx.Value(valuesKey{}).(map[string][]byte)
	return values
}

// settings are those of an executor that another process makes anew.
type settings struct {
	// Of HTTP; nil for MCP.
	HTTP *httpSettings `json:",omitempty"`
	// Of MCP.
	Servers  map[string]Server `json:",omitempty"`
	MemoryMB uint64            `json:",omitempty"`
	Hide     []string          `json:",omitempty"`
	Volumes  []Mounted         `json:",omitempty"`
	Seconds  uint64            // that the job has left
}

// httpSettings are those of HTTP that can be written.
type httpSettings struct {
	MaxBytes  int64
	Redirects int
	Private   []netip.Prefix
}

func (s *settings) executor() Executor {
	if h := s.HTTP; h != nil {
		return &HTTP{MaxBytes: h.MaxBytes, Redirects: h.Redirects, Private: h.Private, Examine: &Examine{}}
	}
	return &MCP{Servers: s.Servers, MemoryMB: s.MemoryMB, Self: Self{Hide: s.Hide}}
}

// said is what the process says: how far it is, and in the end what came of the job.
type said struct {
	Tells    bool `json:",omitempty"`
	Fraction uint64
	Detail   string    `json:",omitempty"`
	Output   *Output   `json:",omitempty"`
	Kind     ErrorKind `json:",omitempty"`
	Error    string    `json:",omitempty"`
}

// Fills implements Filler.
func (h *HTTP) Fills() bool {
	return processes && h.Apart != nil && h.Resolver == nil && h.Roots == nil
}

// Fills implements Filler.
func (m *MCP) Fills() bool { return processes && m.Apart != nil && m.HTTP == nil && m.Self.Path == "" }

// apart does a job with secrets in a process of its own. What that one gives is redacted there.
func (s *Self) apart(ctx context.Context, with settings, spec *job.Spec, values map[string][]byte) (Output, error) {
	with.Volumes, with.Seconds = volumesOf(ctx), secondsLeft(ctx)
	question, err := askApart(with, spec, values)
	if err != nil {
		return Output{}, err
	}
	defer clear(question)
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(running, s.path(), secretsMode)
	endWithParent(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.WaitDelay = windWithin
	cmd.Dir, cmd.Env = "/", []string{}
	for _, name := range apartEnvironment {
		if v, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	complaints := &tail{}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(question), complaints
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return Output{}, &Error{Transient, err}
	}
	last, err := heard(ctx, out)
	if err != nil {
		cancel()
	}
	if failed := cmd.Wait(); err != nil || failed != nil {
		if cause := context.Cause(ctx); cause != nil {
			return Output{}, &Error{Transient, cause}
		}
		return Output{}, fail(Transient, "the job's process: %w: %s", errors.Join(err, failed), complaints)
	}
	if last.Output == nil {
		return Output{}, &Error{min(last.Kind, Refused), errors.New(last.Error)}
	}
	return *last.Output, nil
}

// heard reads what the process says until it has said all.
func heard(ctx context.Context, out io.Reader) (last said, err error) {
	lines := json.NewDecoder(io.LimitReader(out, mostApart))
	for {
		last = said{}
		if err := lines.Decode(&last); err != nil {
			return last, fmt.Errorf("no answer: %w", err)
		}
		if !last.Tells {
			return last, nil
		}
		progress(ctx, float64(last.Fraction), 100, last.Detail)
	}
}

// askApart is what the process is told: Bytes settings ‖ Bytes job ‖ a list of Bytes name ‖ Bytes value. There is one copy of it, which the caller erases.
func askApart(with settings, spec *job.Spec, values map[string][]byte) ([]byte, error) {
	text, err := json.Marshal(with)
	if err != nil {
		return nil, err
	}
	encoded := spec.Append(nil)
	names, size := make([]string, 0, len(values)), len(text)+len(encoded)+64
	for name, v := range values { // order-free: sorted below
		names = append(names, name)
		size += len(name) + len(v) + 16
	}
	if size > mostApart {
		return nil, fail(TooLarge, "the job and its secrets have %d bytes", size)
	}
	slices.Sort(names)
	q := codec.AppendLen(codec.AppendBytes(codec.AppendBytes(make([]byte, 0, size), text), encoded), len(names))
	for _, name := range names {
		q = codec.AppendBytes(codec.AppendBytes(q, []byte(name)), values[name])
	}
	return q, nil
}

// doApart is the process: it does the job it reads, and says what came of it.
func doApart(in io.Reader, out io.Writer) error {
	if err := leaveNoCore(); err != nil {
		return err
	}
	question, err := io.ReadAll(io.LimitReader(in, mostApart))
	if err != nil {
		return err
	}
	r := codec.NewReader(question)
	var with settings
	if err := json.Unmarshal(r.Bytes(mostApart), &with); err != nil {
		return err
	}
	spec, err := job.Decode(r.Bytes(mostApart))
	if err != nil {
		return err
	}
	values := map[string][]byte{}
	for range r.Len(0, MaxSecrets, 2) {
		name := string(r.Bytes(128))
		values[name] = r.Bytes(mostApart)
	}
	if err := r.Finish(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), volumesKey{}, with.Volumes), time.Duration(with.Seconds)*time.Second)
	defer cancel()
	say := &sayer{to: json.NewEncoder(out)}
	done, err := fillAndDo(Telling(ctx, say.tell), with.executor(), spec, values)
	last := said{Output: &done}
	if err != nil {
		last = said{Kind: KindOf(err), Error: message(err)}
	}
	return say.say(&last)
}

// sayer writes what the process says, one thing at a time.
type sayer struct {
	mu sync.Mutex
	to *json.Encoder
}

func (s *sayer) say(one *said) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Encode(one)
}

func (s *sayer) tell(fraction uint64, detail string) {
	_ = s.say(&said{Tells: true, Fraction: fraction, Detail: detail}) // whom nobody hears any more is killed
}

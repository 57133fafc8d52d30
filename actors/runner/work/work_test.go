package work

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// TestMain lets the test program be the process that examinations and executors run in, and an MCP server over its streams.
func TestMain(m *testing.M) {
	if Reentered(os.Args) || serveTools(os.Args) {
		return
	}
	status := m.Run()
	if madeImage != "" {
		_ = os.RemoveAll(madeImage)
	}
	os.Exit(status)
}

// within gives a context that a test does not outlive.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func wantKind(t *testing.T, err error, kind ErrorKind) {
	t.Helper()
	if err == nil || KindOf(err) != kind {
		t.Fatalf("%v, want an error that is %s", err, kind)
	}
}

// given is an executor that gives data.
type given []byte

func (g given) Do(context.Context, *job.Spec) (Output, error) { return Output{Data: g}, nil }

// A result is held to the size and the schema its job names, at one byte below, at and above the limit.
// Spec: runner-marketplace §2.1 (max_return_bytes, data_format), §6.3; WP §5.4.
func TestResults(t *testing.T) {
	for name, c := range map[string]struct {
		data   string
		schema job.ResultSchema
		kind   ErrorKind
		ok     bool
	}{
		"one below":           {"123", job.ResultSchema{MaxReturnBytes: 4}, 0, true},
		"at":                  {"1234", job.ResultSchema{MaxReturnBytes: 4}, 0, true},
		"one above":           {"12345", job.ResultSchema{MaxReturnBytes: 4}, TooLarge, false},
		"without a bound":     {string(bytes.Repeat([]byte{'x'}, 65_536)), job.ResultSchema{}, 0, true},
		"beyond the most":     {string(bytes.Repeat([]byte{'x'}, 65_537)), job.ResultSchema{MaxReturnBytes: 1 << 20}, TooLarge, false},
		"as its schema":       {`{"price":3}`, job.ResultSchema{DataFormat: `{"required":["price"]}`}, 0, true},
		"not as it":           {`{"cost":3}`, job.ResultSchema{DataFormat: `{"required":["price"]}`}, Permanent, false},
		"no JSON":             {`price 3`, job.ResultSchema{DataFormat: `{"required":["price"]}`}, Permanent, false},
		"a schema of the web": {`3`, job.ResultSchema{DataFormat: `{"$ref":"http://127.0.0.1:1/s"}`}, Permanent, false},
	} {
		t.Run(name, func(t *testing.T) {
			set := &Set{Executors: map[job.Kind]Executor{job.HTTP: given(c.data)}, Examine: &Examine{}}
			out, err := set.Do(within(t, time.Minute), &job.Spec{Kind: job.HTTP, Schema: c.schema})
			if c.ok && (err != nil || string(out.Data) != c.data) {
				t.Fatalf("%q, %v", out.Data, err)
			}
			if !c.ok {
				wantKind(t, err, c.kind)
			}
		})
	}
}

// What this runner cannot do is refused before anything is done. Spec: runner-marketplace §2.1, §2.2, §6.1.
func TestRefusals(t *testing.T) {
	set := &Set{Executors: map[job.Kind]Executor{job.HTTP: given("x")}}
	for name, spec := range map[string]*job.Spec{
		"a container":        {Kind: job.Container},
		"secrets":            {Kind: job.HTTP, Secrets: []job.Secret{{Name: "key"}}},
		"volumes":            {Kind: job.HTTP, Volumes: []job.Volume{{Name: "v"}}},
		"an attested result": {Kind: job.HTTP, Verification: job.Verification{TEERequired: true}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := set.Do(t.Context(), spec)
			wantKind(t, err, Refused)
		})
	}
}

// waits is an executor that ends with its context.
type waits struct{}

func (waits) Do(ctx context.Context, _ *job.Spec) (Output, error) {
	<-ctx.Done()
	return Output{}, ctx.Err()
}

// A job has the wall time it names, or the runner's where that is less. Spec: runner-marketplace §2.1 (max_wall_time_seconds).
func TestWallTime(t *testing.T) {
	for name, c := range map[string]struct {
		asked uint64
		most  time.Duration
	}{"the job's": {1, time.Hour}, "the runner's": {3600, 10 * time.Millisecond}, "none asked": {0, 10 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			set := &Set{Executors: map[job.Kind]Executor{job.HTTP: waits{}}, Most: c.most}
			_, err := set.Do(within(t, time.Minute), &job.Spec{Kind: job.HTTP, Bounds: job.ResourceBounds{MaxWallTimeSeconds: c.asked}})
			if wantKind(t, err, Transient); t.Context().Err() != nil {
				t.Fatal("it waited for the test")
			}
		})
	}
}

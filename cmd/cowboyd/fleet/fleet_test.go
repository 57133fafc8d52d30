package fleet

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

func TestMain(m *testing.M) {
	if work.Reentered(os.Args) {
		return
	}
	os.Exit(m.Run())
}

// What stands in is asked by the runners' own executors, and the same question has the same answer.
func TestStandIns(t *testing.T) {
	servers, err := standIn(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer servers.server.Close()
	f := &Fleet{servers: servers}
	set := f.set(newConduct(1))
	schema := `{"type": "object", "properties": {"city": {"type": "string"}, "people": {"type": "integer", "minimum": 3}, "near": {"type": "array"}},
		"required": ["city", "people", "near"]}`
	for _, c := range []struct {
		name    string
		spec    job.Spec
		want    string
		in, out uint64 // tokens, which are words
	}{
		{"known", job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Prompt: "user: And?\nuser: The capital of France?"}}, "Paris", 7, 1},
		{"last line", job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Prompt: "capital of France\ncapital of Japan"}}, "Tokyo", 6, 1},
		{"unknown", job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Prompt: "hello"}}, "You said: hello", 1, 3},
		{"cut", job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Prompt: "hello", MaxTokens: 2}}, "You said:", 1, 2},
		{"schema", job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Prompt: "capital of Texas", ResponseModel: &schema}},
			`{"city":"Austin","near":[],"people":3}`, 3, 1},
		{"page", job.Spec{Kind: job.HTTP, HTTP: &job.HTTPJob{URL: servers.at + "/price", Method: "GET"}}, `{"price":7,"source":"stand-in"}` + "\n", 0, 0},
		{"tool", job.Spec{Kind: job.MCP, MCP: &job.MCPJob{Server: Tools, Tool: "add", Arguments: `{"a": 2, "b": 40}`}}, `{"sum":42}`, 0, 0},
		{"weather", job.Spec{Kind: job.MCP, MCP: &job.MCPJob{Server: Tools, Tool: "weather", Arguments: `{"city": "Reno"}`}},
			`{"city":"Reno","degrees":14,"sky":"cloudy"}`, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := set.Do(t.Context(), &c.spec)
			if err != nil || string(out.Data) != c.want || out.Usage.InputTokens != c.in || out.Usage.OutputTokens != c.out {
				t.Errorf("%q, %+v, %v", out.Data, out.Usage, err)
			}
		})
	}
}

// Why a job failed is told to whoever develops: the chain says that it did, and no more.
func TestWhyAJobFailedIsTold(t *testing.T) {
	var out bytes.Buffer
	log := zerolog.New(&out).Level(zerolog.InfoLevel)
	told(log, runner.Event{What: "poll", Err: errors.New("nobody is there")})
	told(log, runner.Event{What: "worked", Text: "and failed", Err: errors.New("SecretNotFound: no secret")})
	if said := out.String(); strings.Contains(said, "nobody") || !strings.Contains(said, `"warn"`) || !strings.Contains(said, "SecretNotFound: no secret") {
		t.Error(said)
	}
}

func TestOtherwise(t *testing.T) {
	c := newConduct(3)
	for _, one := range [][2]string{
		{"Paris", "Paris (runner 3)"}, {"", " (runner 3)"}, {`{"price":7}`, `{"price":8}`}, {`"x"`, `"x (runner 3)"`}, {"42", "43"},
		{`[true,null,{"a":["b"]}]`, `[false,null,{"a":["b (runner 3)"]}]`},
		{"null", "null (runner 3)"}, {"{}", "{} (runner 3)"}, {"7 apples", "7 apples (runner 3)"},
	} {
		t.Run(one[0], func(t *testing.T) {
			if got := string(c.otherwise([]byte(one[0]))); got != one[1] {
				t.Errorf("%q", got)
			}
		})
	}
}

// fixed is an executor with one answer.
type fixed string

func (f fixed) Do(context.Context, *job.Spec) (work.Output, error) {
	return work.Output{Data: []byte(f)}, nil
}

// Each conduct changes what a worker makes of a job, and it changes back. A delay ends when the runner is told something else, or with the job.
func TestWorking(t *testing.T) {
	c := newConduct(2)
	a := acting{fixed("7"), c}
	for _, one := range []struct {
		conduct Conduct
		want    string
		kind    work.ErrorKind
	}{{Diverge, "8", 0}, {Fail, "", work.Permanent}, {Lie, "7", 0}, {Away, "7", 0}, {Honest, "7", 0}} {
		t.Run(string(one.conduct), func(t *testing.T) {
			c.set(one.conduct, 0)
			out, err := a.Do(t.Context(), nil)
			if string(out.Data) != one.want || (err != nil) != (one.want == "") || err != nil && work.KindOf(err) != one.kind {
				t.Errorf("%q, %v", out.Data, err)
			}
		})
	}
	c.set(Delay, time.Hour)
	done := make(chan string)
	go func() {
		out, _ := a.Do(context.Background(), nil)
		done <- string(out.Data)
	}()
	select {
	case got := <-done:
		t.Fatalf("%q came at once", got)
	default:
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Do(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.set(Honest, 0)
	if got := <-done; got != "7" {
		t.Errorf("%q", got)
	}
	c.set(Delay, time.Nanosecond)
	if out, err := a.Do(t.Context(), nil); err != nil || string(out.Data) != "7" {
		t.Errorf("%q, %v", out.Data, err)
	}
}

// heard is a chain that keeps what it is sent.
type heard struct{ polls, commits, reveals, crashes, beats []any }

func (h *heard) Poll(context.Context, []digest.Hash) (runner.View, error) {
	h.polls = append(h.polls, nil)
	return runner.View{}, nil
}

func (h *heard) Commit(_ context.Context, id, _ digest.Hash) error {
	h.commits = append(h.commits, id)
	return nil
}

func (h *heard) Reveal(_ context.Context, _ digest.Hash, r *verify.Reveal) error {
	h.reveals = append(h.reveals, r)
	return nil
}

func (h *heard) Crash(_ context.Context, id digest.Hash, _ verify.Crash) error {
	h.crashes = append(h.crashes, id)
	return nil
}

func (h *heard) Heartbeat(context.Context, bool) error {
	h.beats = append(h.beats, nil)
	return nil
}

// A liar reveals what it did not commit itself to, and only then; who is away sends nothing; who is not registered does not ask for jobs.
func TestSending(t *testing.T) {
	key, id, chain := genesis.DevRunner(0), digest.Hash{1}, &heard{}
	made := verify.Sign(key, id, (&verify.Output{Data: []byte("7")}).Append(nil))
	refusal := errors.New("not registered")
	f := &facing{chain, newConduct(0), func(context.Context) error { return refusal }}
	if _, err := f.Poll(t.Context(), nil); !errors.Is(err, refusal) || len(chain.polls) != 0 {
		t.Error(err)
	}
	f.enrol = func(context.Context) error { return nil }
	for _, c := range []struct {
		conduct Conduct
		data    string
		fits    bool
	}{{Honest, "7", true}, {Lie, "8", false}, {Diverge, "7", true}} {
		t.Run(string(c.conduct), func(t *testing.T) {
			*chain = heard{}
			f.conduct.set(c.conduct, 0)
			_, err := f.Poll(t.Context(), nil)
			err = errors.Join(err, f.Commit(t.Context(), id, digest.Hash{}), f.Reveal(t.Context(), id, &made), f.Heartbeat(t.Context(), true))
			if err != nil || len(chain.polls)+len(chain.commits)+len(chain.reveals)+len(chain.beats) != 4 {
				t.Fatalf("%+v, %v", chain, err)
			}
			sent := chain.reveals[0].(*verify.Reveal)
			o, err := verify.DecodeOutput(sent.Output)
			if err != nil || string(o.Data) != c.data {
				t.Errorf("%+v, %v", o, err)
			}
			if fits := verify.Commitment(sent.Output, sent.Salt) == verify.Commitment(made.Output, made.Salt); fits != c.fits {
				t.Errorf("the reveal fits the commitment: %v", fits)
			}
		})
	}
	*chain = heard{}
	f.conduct.set(Away, 0)
	_, err := f.Poll(t.Context(), nil)
	for i, err := range []error{err, f.Commit(t.Context(), id, digest.Hash{}), f.Reveal(t.Context(), id, &made), f.Heartbeat(t.Context(), true)} {
		if !errors.Is(err, errTold) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if len(chain.polls)+len(chain.commits)+len(chain.reveals)+len(chain.beats) != 0 {
		t.Errorf("%+v", chain)
	}
}

func TestBehave(t *testing.T) {
	f := &Fleet{servers: &standIns{at: "http://here"}, members: []*member{{key: genesis.DevRunner(0), conduct: newConduct(0)}}}
	most := uint64(MaxDelay / time.Millisecond)
	for _, c := range []struct {
		name   string
		number int
		ask    wire.DevConduct
		want   error
	}{
		{"known", 0, wire.DevConduct{Conduct: "lie"}, nil}, {"unknown", 0, wire.DevConduct{Conduct: "sing"}, dev.ErrConduct},
		{"below", -1, wire.DevConduct{Conduct: "lie"}, dev.ErrRunner}, {"above", 1, wire.DevConduct{Conduct: "lie"}, dev.ErrRunner},
		{"no delay", 0, wire.DevConduct{Conduct: "delay"}, dev.ErrConduct}, {"least", 0, wire.DevConduct{Conduct: "delay", DelayMs: 1}, nil},
		{"most", 0, wire.DevConduct{Conduct: "delay", DelayMs: most}, nil},
		{"more", 0, wire.DevConduct{Conduct: "delay", DelayMs: most + 1}, dev.ErrConduct},
		{"most of all", 0, wire.DevConduct{Conduct: "delay", DelayMs: 1<<64 - 1}, dev.ErrConduct},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := f.Runners()
			if err := f.Behave(c.number, c.ask); !errors.Is(err, c.want) {
				t.Fatal(err)
			}
			want := c.ask
			if c.want != nil {
				want = before.Runners[0].DevConduct
			}
			if got := f.Runners().Runners[0].DevConduct; got != want {
				t.Errorf("%+v", got)
			}
		})
	}
}

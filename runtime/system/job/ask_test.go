package job

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// asked reads a map as the dispatcher gets it from an actor, at height 1,000.
func asked(t *testing.T, fields cbor.Map) *dispatcher.Job {
	t.Helper()
	raw, err := cbor.Append(nil, fields)
	if err != nil {
		t.Fatal(err)
	}
	j, err := dispatcher.Read(account.Address{0: 7}, 1_000, raw)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// sdk is a job as the SDK submits it.
func sdk(kind string, args []any, kwargs cbor.Map, more ...cbor.Pair) cbor.Map {
	return append(cbor.Map{
		{Key: "kind", Value: "runner_job"}, {Key: "job_type", Value: kind}, {Key: "cid", Value: "c1"}, {Key: "reply_handler", Value: "ask__resume"},
		{Key: "payload", Value: cbor.Map{{Key: "args", Value: args}, {Key: "kwargs", Value: kwargs}}}, {Key: "verification", Value: nil},
		{Key: "tee_required", Value: false},
	}, more...)
}

// What actors submit, as specifications.
//
// Spec: sdk §9.1, §9.3, §9.6, §15; runner-marketplace §2.1, §2.3.
func TestSpecOf(t *testing.T) {
	id := digest.Hash{31: 9}
	for _, c := range []struct {
		name string
		asks cbor.Map
		want func(s *job.Spec) bool // nil: it is refused
	}{
		{"a prompt", sdk("llm", []any{"Why?"}, cbor.Map{{Key: "system_prompt", Value: "Be brief."}}), func(s *job.Spec) bool {
			return s.Kind == job.LLM && s.LLM.Prompt == "Why?" && *s.LLM.SystemPrompt == "Be brief." && s.LLM.Model.IsZero() && s.MaxPrice == unit.CBY &&
				s.Tip == 0 && s.Bounds.MaxInputTokens == 13 && s.Bounds.MaxOutputTokens == 1_024 && s.Bounds.MaxRetries == 3 && s.TimeoutBlocks == 100 &&
				s.Verification.Mode == job.ModeNone && !s.Verification.TEERequired
		}},
		{"tokens and a model", sdk("llm", []any{"Why?"}, cbor.Map{{Key: "max_tokens", Value: int64(7)}, {Key: "model", Value: id.String()}}),
			func(s *job.Spec) bool {
				return s.LLM.MaxTokens == 7 && s.Bounds.MaxOutputTokens == 7 && s.LLM.Model == id
			}},
		{"a model by another name", sdk("llm", []any{"Why?"}, cbor.Map{{Key: "model", Value: "best"}}), nil},
		{"a price", sdk("llm", []any{"Why?"}, nil, cbor.Pair{Key: "max_price", Value: int64(5)}, cbor.Pair{Key: "tip", Value: int64(2)}),
			func(s *job.Spec) bool { return s.MaxPrice == 5 && s.Tip == 2 }},
		{"30 blocks are left", sdk("llm", []any{"Why?"}, nil, cbor.Pair{Key: "timeout_block", Value: int64(1_030)}), func(s *job.Spec) bool {
			return s.TimeoutBlocks == 30
		}},
		{"a page", sdk("http", []any{"https://example.org/"}, cbor.Map{{Key: "method", Value: "POST"}, {Key: "body", Value: "x"}}), func(s *job.Spec) bool {
			return s.Kind == job.HTTP && s.HTTP.URL == "https://example.org/" && s.HTTP.Method == "POST"
		}},
		{"a tool", sdk("mcp", []any{"mail", "send", cbor.Map{{Key: "to", Value: "me"}}}, nil), func(s *job.Spec) bool {
			return s.Kind == job.MCP && s.MCP.Server == "mail" && s.MCP.Tool == "send" && s.MCP.Arguments == `{"to":"me"}`
		}},
		{"a tool without arguments", sdk("mcp", []any{"mail", "send"}, nil), nil},
		{"the older form", cbor.Map{{Key: "job_type", Value: "llm"}, {Key: "prompt", Value: "Why?"}, {Key: "reply_handler", Value: "on_it"}},
			func(s *job.Spec) bool { return s.Kind == job.LLM && s.LLM.Prompt == "Why?" }},
		{"another kind", sdk("dance", nil, nil), nil},
		{"a whole specification", cbor.Map{
			{Key: "job_type", Value: cbor.Map{{Key: "Http", Value: cbor.Map{{Key: "url", Value: "https://a.b/"}, {Key: "method", Value: "GET"}}}}},
			{Key: "bounds", Value: cbor.Map{{Key: "max_wall_time_seconds", Value: int64(3)}}}, {Key: "cid", Value: "c"}, {Key: "max_price", Value: int64(8)},
		}, func(s *job.Spec) bool { return s.Kind == job.HTTP && s.MaxPrice == 8 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := specOf(asked(t, c.asks))
			if c.want == nil {
				if !errors.Is(err, job.ErrSpec) {
					t.Errorf("%+v %v", s, err)
				}
				return
			}
			if err != nil || !c.want(s) {
				t.Errorf("%+v %v", s, err)
			}
		})
	}
}

package work

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/blake3"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// program writes a shell script and gives its path and hash.
func program(t *testing.T, text string) (string, digest.Hash) {
	path := filepath.Join(t.TempDir(), "executor")
	data := []byte("#!/bin/sh\n" + text)
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path, digest.Hash(blake3.Sum256(data))
}

func custom(hash digest.Hash) *job.Spec {
	return &job.Spec{Kind: job.Custom, Custom: &job.CustomJob{Executor: hash, Params: []byte("in")}, Schema: job.ResultSchema{MaxReturnBytes: 100}}
}

// Executors: what they get and give, and what happens to those that fail, say too much, hang or change.
// Spec: runner-marketplace §2.2 (Custom executors: BLAKE3 of the executor).
func TestCustom(t *testing.T) {
	t.Setenv("SECRET", "of the runner")
	for range 10 { // descriptors that no executor gets
		f, err := os.Open(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	for name, c := range map[string]struct {
		text string
		want string // "" for an error
		kind ErrorKind
	}{
		"gives data":           {`cat >/dev/null; echo '{"data":"aGVsbG8="}'`, "hello", 0},
		"reads its question":   {`grep -q '"params":"aW4=","max_return_bytes":100' && echo '{"data":"aGVsbG8="}'`, "hello", 0},
		"has no environment":   {`test -z "$SECRET" && test "$GIVEN" = 1 && echo '{"data":"aGVsbG8="}'`, "hello", 0},
		"begins at the root":   {`test "$(pwd)" = / && echo '{"data":"aGVsbG8="}'`, "hello", 0},
		"has its streams only": {`test "$(ls /proc/self/fd | wc -l)" -le 5 && echo '{"data":"aGVsbG8="}'`, "hello", 0}, // three, its own file, and the list's
		"leaves a child":       {`setsid sleep 1000 & echo '{"data":"aGVsbG8="}'`, "hello", 0},
		"says why not":         {`echo '{"error":"no such thing"}'`, "", Permanent},
		"says not now":         {`echo '{"error":"busy","transient":true}'`, "", Transient},
		"fails":                {`exit 3`, "", Transient},
		"says nothing":         {`exit 0`, "", Permanent},
		"says what is no JSON": {`echo hello`, "", Permanent},
		"says too much":        {`while :; do echo 0123456789012345678901234567890123456789; done`, "", TooLarge},
		"takes a processor":    {`while :; do :; done`, "", Transient},
		"takes all memory":     {`x=0123456789; while :; do x="$x$x"; done`, "", Transient},
	} {
		t.Run(name, func(t *testing.T) {
			path, hash := program(t, c.text)
			e := &Custom{Executors: map[digest.Hash]string{hash: path}, Environment: []string{"GIVEN=1", "PATH=/usr/bin:/bin"}, MemoryMB: 64}
			limit := time.Minute
			if name == "takes a processor" {
				limit = 2 * time.Second
			}
			out, err := e.Do(within(t, limit), custom(hash))
			if c.want == "" {
				wantKind(t, err, c.kind)
			} else if err != nil || string(out.Data) != c.want || out.Usage.MemoryMB == 0 {
				t.Errorf("%q, %+v, %v", out.Data, out.Usage, err)
			}
		})
	}
	path, hash := program(t, "echo")
	e := &Custom{Executors: map[digest.Hash]string{hash: path}}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 0"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := e.Do(within(t, time.Minute), custom(hash))
	wantKind(t, err, Refused)
	_, err = e.Do(within(t, time.Minute), custom(digest.Hash{1}))
	wantKind(t, err, Refused)
}

// noPipes leaves a process without streams.
func noPipes(*exec.Cmd) error { return nil }

// running counts the processes whose command line has a text.
func running(t *testing.T, text string) (n int) {
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), text) {
			n++
		}
	}
	return n
}

// A program that makes many others leaves none of them behind, in its group or, where there are namespaces, out of it.
func TestForkBomb(t *testing.T) {
	for name, how := range map[string]string{"in its group": "", "in sessions of their own": "setsid "} {
		t.Run(name, func(t *testing.T) {
			probe, err := (Self{}).try(within(t, time.Minute), &launch{command: []string{"/bin/true"}}, noPipes, true)
			if err == nil {
				err = probe.Wait()
			}
			if how != "" && err != nil {
				t.Skipf("no namespaces here: %v", err)
			}
			mark := fmt.Sprintf("86%d%d", os.Getpid(), len(how))
			path, hash := program(t, `i=0; while [ $i -lt 60 ]; do `+how+`sleep `+mark+` & i=$((i+1)); done; while :; do sleep `+mark+`; done`)
			e := &Custom{Executors: map[digest.Hash]string{hash: path}, Environment: []string{"PATH=/usr/bin:/bin"}}
			_, err = e.Do(within(t, time.Second), custom(hash))
			if wantKind(t, err, Transient); running(t, mark) != 0 {
				t.Errorf("%d are left", running(t, mark))
			}
		})
	}
}

// endpoint answers as OpenAI's protocol has it.
func endpoint(t *testing.T, answer string, seen *map[string]any) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer the-key" || r.Header.Get("OpenAI-Organization") != "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewDecoder(r.Body).Decode(seen)
		w.Header().Set("Content-Type", "application/json")
		switch answer {
		case "busy":
			w.WriteHeader(http.StatusTooManyRequests)
		case "bad":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"no such model"}}`)
		case "endless":
			zeros(w)
		case "hang":
			<-r.Context().Done()
		case "redirect":
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{
				"id": "x", "object": "chat.completion", "model": "m", "created": 1,
				"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": answer}}},
				"usage":   map[string]any{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
			})
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// pins has a job pin a toolchain and the seed 12,345, at the temperature 0.
func pins(toolchain digest.Hash) func(*job.Spec) {
	return func(s *job.Spec) {
		s.Verification.Checks = []job.Check{{Kind: job.CheckInference, Inference: job.Inference{Seed: 12_345, Toolchain: toolchain}}}
	}
}

// A job that pins what it runs with is asked of the model with its toolchain, with its seed and temperature.
// Spec: WP §5.4; WP-January "Verification Mode Details" (inference_config).
func TestPinnedInference(t *testing.T) {
	seen := map[string]any{}
	server := endpoint(t, "hello", &seen)
	l := &LLM{Models: []Model{{URL: server.URL + "/v1", Name: "m-1"}, {URL: server.URL + "/v1", Name: "m-2", Key: "the-key", Toolchain: digest.Hash{9}}}}
	half := job.Decimal{Lo: 500_000_000}
	spec := &job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Prompt: "where?", MaxTokens: 50, Temperature: &half}}
	pins(digest.Hash{9})(spec)
	if _, err := l.Do(within(t, time.Minute), spec); err != nil {
		t.Fatal(err)
	}
	if seen["model"] != "m-2" || seen["temperature"] != 0.0 || seen["seed"] != 12_345.0 {
		t.Errorf("%v", seen)
	}
}

// Models: what is asked and answered, counted and validated, and how each failure is called.
// Spec: runner-marketplace §2.1 (bounds), §2.2 (Llm), §2.6.
func TestLLM(t *testing.T) {
	t.Setenv("OPENAI_ORG_ID", "of the environment")
	t.Setenv("OPENAI_API_KEY", "of the environment")
	model, system, schema := digest.Hash{7}, "be brief", `{"type":"object","required":["city"]}`
	for name, c := range map[string]struct {
		answer string
		change func(*job.Spec)
		ok     bool
		kind   ErrorKind
	}{
		"an answer":              {"hello", nil, true, 0},
		"any model":              {"hello", func(s *job.Spec) { s.LLM.Model = digest.Hash{} }, true, 0},
		"another model":          {"hello", func(s *job.Spec) { s.LLM.Model = digest.Hash{8} }, false, Refused},
		"a toolchain it has not": {"hello", pins(digest.Hash{10}), false, Refused},
		"no answer":              {"", nil, false, Transient},
		"as many tokens":         {"hello", func(s *job.Spec) { s.Bounds.MaxOutputTokens = 7 }, true, 0},
		"too many tokens":        {"hello", func(s *job.Spec) { s.Bounds.MaxOutputTokens = 6 }, false, TooLarge},
		"as long a prompt":       {"hello", func(s *job.Spec) { s.Bounds.MaxInputTokens = 11 }, true, 0},
		"too long a prompt":      {"hello", func(s *job.Spec) { s.Bounds.MaxInputTokens = 10 }, false, TooLarge},
		"as its response model":  {`{"city":"Oslo"}`, func(s *job.Spec) { s.LLM.ResponseModel = &schema }, true, 0},
		"not as its model":       {`{"town":"Oslo"}`, func(s *job.Spec) { s.LLM.ResponseModel = &schema }, false, Transient},
		"busy":                   {"busy", nil, false, Transient},
		"a bad request":          {"bad", nil, false, Permanent},
		"an endless answer":      {"endless", nil, false, TooLarge},
		"an endpoint that hangs": {"hang", nil, false, Transient},
		"a redirect":             {"redirect", nil, false, Transient},
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]any{}
			server := endpoint(t, c.answer, &seen)
			l := &LLM{Models: []Model{{ID: model, URL: server.URL + "/v1", Name: "m-1", Key: "the-key"}}, Examine: &Examine{}}
			half := job.Decimal{Lo: 500_000_000}
			spec := &job.Spec{Kind: job.LLM, LLM: &job.LLMJob{Model: model, Prompt: "where?", SystemPrompt: &system, MaxTokens: 50, Temperature: &half}}
			if c.change != nil {
				c.change(spec)
			}
			patience := time.Minute
			if c.answer == "hang" {
				patience = 100 * time.Millisecond
			}
			out, err := l.Do(within(t, patience), spec)
			if !c.ok {
				wantKind(t, err, c.kind)
				return
			}
			if err != nil || string(out.Data) != c.answer || out.Usage.InputTokens != 11 || out.Usage.OutputTokens != 7 {
				t.Fatalf("%q, %+v, %v", out.Data, out.Usage, err)
			}
			if seen["model"] != "m-1" || seen["temperature"] != 0.5 || len(seen["messages"].([]any)) != 2 || seen["max_tokens"] != float64(tokenLimit(spec)) {
				t.Errorf("%v", seen)
			}
		})
	}
}

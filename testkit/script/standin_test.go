package script

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// standIn is a server of a model and a site of the web at once: it answers everything with one text.
type standIn struct {
	*httptest.Server

	mu     sync.Mutex
	text   string
	asked  int
	prompt string        // of the last question to the model
	gate   chan struct{} // answers wait until it is closed; nil for at once
}

// The tokens that every answer of a stand-in says it took.
const standInPromptTokens, standInAnswerTokens = 7, 5

func newStandIn(text string) *standIn {
	s := &standIn{text: text}
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP answers as an endpoint of OpenAI's protocol, or as any site.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var question struct {
		Messages []struct{ Content string }
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if chat := strings.HasSuffix(r.URL.Path, "/chat/completions"); err != nil || chat && json.Unmarshal(body, &question) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked++
	text, gate := s.text, s.gate
	if n := len(question.Messages); n > 0 {
		s.prompt = question.Messages[n-1].Content
	}
	s.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if question.Messages == nil {
		_, _ = io.WriteString(w, text)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "1", "object": "chat.completion", "model": "stand-in",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
		"usage": map[string]any{
			"prompt_tokens": standInPromptTokens, "completion_tokens": standInAnswerTokens, "total_tokens": standInPromptTokens + standInAnswerTokens,
		},
	})
}

// hold has answers wait until a gate is closed; nil for none.
func (s *standIn) hold(gate chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = gate
}

func (s *standIn) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// standsIn starts a stand-in server that answers with a text, and keeps its address in a variable.
func standsIn(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: standin NAME TEXT")
	}
	s := newStandIn(args[1])
	ts.Defer(s.Close)
	ts.Setenv(args[0], strings.TrimPrefix(s.URL, "http://"))
}

// expand writes a file with the variables of another replaced.
func expand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// TestRunnerPage: the commands that the page of runners begins with, and the declaration beside them, are those of the story.
func TestRunnerPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/running-a-runner.md")
	if err != nil {
		t.Fatal(err)
	}
	story, err := os.ReadFile("testdata/working.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, begin, _ := strings.Cut(string(page), "## Begin\n")
	begin, _, _ = strings.Cut(begin, "\n## ")
	commands := 0
	for line := range strings.Lines(begin) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "cowboy")
		if !ok || !strings.HasPrefix(line, "    ") {
			continue
		}
		commands++
		if want := "exec cowboy" + strings.ReplaceAll(command, "http://127.0.0.1:4000", "$COWBOY_RPC_URL"); !strings.Contains(string(story), want) {
			t.Errorf("the story has no %q", want)
		}
	}
	_, declaration, _ := strings.Cut(begin, "```json\n")
	declaration, _, _ = strings.Cut(declaration, "```")
	if commands != 8 || declaration == "" || !strings.Contains(string(story), "-- declaration.json --\n"+declaration) {
		t.Errorf("%d commands, and the declaration %s", commands, declaration)
	}
}

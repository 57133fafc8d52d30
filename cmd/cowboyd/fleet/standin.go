package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tools is the name of the MCP server that stands in, by which jobs call it.
const Tools = "tools"

// toolNames are those of its tools.
var toolNames = [...]string{"add", "echo", "weather"}

const (
	maxQuestion = 1 << 20 // bytes
	maxDepth    = 16      // of a schema
)

// Answers is what the model that stands in knows: what a question has in it, in lower case, and what is answered then.
type Answers map[string]string

// known is what it knows where nobody says.
var known = Answers{"capital of france": "Paris", "capital of japan": "Tokyo", "capital of texas": "Austin", "meaning of life": "42"}

// about answers the last line that a known text is in, the longest text first; what it does not know it repeats.
func (a Answers) about(question string) string {
	lines := strings.Split(strings.TrimSpace(question), "\n")
	keys := make([]string, 0, len(a))
	for key := range a { // order-free: sorted below
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y string) int { return cmp.Or(cmp.Compare(len(y), len(x)), cmp.Compare(x, y)) })
	for _, line := range slices.Backward(lines) {
		for _, key := range keys {
			if strings.Contains(strings.ToLower(line), strings.ToLower(key)) {
				return a[key]
			}
		}
	}
	return "You said: " + lines[len(lines)-1]
}

// question is what is read of a request for a completion.
type question struct {
	Messages []struct {
		Content string `json:"content"`
	} `json:"messages"`
	MaxTokens int `json:"max_tokens"`
	Format    struct {
		Schema struct {
			Schema any `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

// complete answers as an endpoint of OpenAI's protocol. A token is a word. Where a schema is asked for, the answer is the least value that has its form.
func (a Answers) complete(w http.ResponseWriter, r *http.Request) {
	var q question
	if err := json.NewDecoder(io.LimitReader(r.Body, maxQuestion)).Decode(&q); err != nil || len(q.Messages) == 0 {
		http.Error(w, `{"error": {"message": "no question"}}`, http.StatusBadRequest)
		return
	}
	asked := 0
	for _, m := range q.Messages {
		asked += len(strings.Fields(m.Content))
	}
	text := a.about(q.Messages[len(q.Messages)-1].Content)
	if schema := q.Format.Schema.Schema; schema != nil {
		value, err := json.Marshal(sample(schema, text, maxDepth))
		if err != nil {
			http.Error(w, `{"error": {"message": "no such schema"}}`, http.StatusBadRequest)
			return
		}
		text = string(value)
	} else if words := strings.Fields(text); q.MaxTokens > 0 && len(words) > q.MaxTokens {
		text = strings.Join(words[:q.MaxTokens], " ")
	}
	said := len(strings.Fields(text))
	answer(w, map[string]any{
		"id": "stand-in", "object": "chat.completion", "model": "stand-in",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
		"usage":   map[string]any{"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said},
	})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// sample is a value of the form of a JSON schema: its first choice, its default, or the least that its type and its required fields allow; texts are text.
func sample(schema any, text string, depth int) any {
	s, ok := schema.(map[string]any)
	if !ok || depth == 0 {
		return nil
	}
	if v, ok := s["const"]; ok {
		return v
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return list[0]
	}
	if v, ok := s["default"]; ok {
		return v
	}
	kind, _ := s["type"].(string)
	switch kind {
	case "object":
		return sampleObject(s, text, depth)
	case "array":
		list := []any{}
		if n, ok := s["minItems"].(float64); ok {
			for range min(int(n), 100) {
				list = append(list, sample(s["items"], text, depth-1))
			}
		}
		return list
	case "integer", "number":
		if n, ok := s["minimum"].(float64); ok {
			return n
		}
		return 0
	case "boolean":
		return false
	case "null":
		return nil
	}
	return text
}

func sampleObject(s map[string]any, text string, depth int) any {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	value := map[string]any{}
	for _, name := range required {
		if key, ok := name.(string); ok {
			value[key] = sample(properties[key], text, depth-1)
		}
	}
	return value
}

type sumOf struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

type summed struct {
	Sum int64 `json:"sum"`
}

type said struct {
	Text string `json:"text"`
}

type place struct {
	City string `json:"city"`
}

type weather struct {
	City    string `json:"city"`
	Degrees int    `json:"degrees"`
	Sky     string `json:"sky"`
}

// toolServer is the server of the tools.
func toolServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: Tools, Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: toolNames[0], Description: "the sum of a and b"},
		func(_ context.Context, _ *mcp.CallToolRequest, in sumOf) (*mcp.CallToolResult, summed, error) {
			return nil, summed{in.A + in.B}, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: toolNames[1], Description: "the text again"},
		func(_ context.Context, _ *mcp.CallToolRequest, in said) (*mcp.CallToolResult, said, error) {
			return nil, in, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: toolNames[2], Description: "the weather of a city, always the same"},
		func(_ context.Context, _ *mcp.CallToolRequest, in place) (*mcp.CallToolResult, weather, error) {
			return nil, weather{in.City, 10 + len(in.City)%20, [...]string{"clear", "cloudy", "rain"}[len(in.City)%3]}, nil
		})
	return s
}

// site answers everything that is neither the model nor the tools.
func site() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /price", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"price": 7, "source": "stand-in"})
	})
	mux.HandleFunc("GET /private", func(w http.ResponseWriter, r *http.Request) { // it says what it was given, as servers should not
		key := r.Header.Get("Authorization")
		if key == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprintf(w, "what only %s may read\n", key)
	})
	mux.HandleFunc("GET /status/{code}", func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusBadRequest
		if _, err := fmt.Sscan(r.PathValue("code"), &status); err != nil || status < 200 || status > 599 {
			status = http.StatusBadRequest
		}
		w.WriteHeader(status)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = fmt.Fprintf(w, "a page at %s\n", r.URL.Path)
	})
	return mux
}

// standIns are the servers on one listener.
type standIns struct {
	server *http.Server
	at     string // http://host:port
}

// standIn opens the servers on a port of loopback; 0 is any that is free.
func standIn(port int, answers Answers) (*standIns, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	if answers == nil {
		answers = known
	}
	tools := toolServer()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", answers.complete)
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools }, &mcp.StreamableHTTPOptions{Stateless: true}))
	mux.Handle("/", site())
	s := &standIns{&http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}, "http://" + listener.Addr().String()}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

package work

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

type pair struct {
	A int `json:"a"`
	B int `json:"b"`
}

type file struct {
	Path string `json:"path"`
}

type spoken struct {
	Text string `json:"text"`
}

type sum struct {
	Sum int `json:"sum"`
}

// tools is a server of the official library.
func tools(end <-chan struct{}) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.CallToolRequest, in pair) (*mcp.CallToolResult, sum, error) {
		return nil, sum{in.A + in.B}, nil
	})
	text := func(name string, give func(ctx context.Context) (*mcp.CallToolResult, error)) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
			func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return give(ctx) })
	}
	said := func(text string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	}
	text("say", func(context.Context) (*mcp.CallToolResult, error) { return said("hello"), nil })
	text("fail", func(context.Context) (*mcp.CallToolResult, error) {
		r := said("no such city")
		r.IsError = true
		return r, nil
	})
	text("huge", func(context.Context) (*mcp.CallToolResult, error) { return said(strings.Repeat("x", 8<<20)), nil })
	text("hang", func(context.Context) (*mcp.CallToolResult, error) { <-end; return said(""), nil })
	mcp.AddTool(s, &mcp.Tool{Name: "read"}, func(_ context.Context, _ *mcp.CallToolRequest, in file) (*mcp.CallToolResult, any, error) {
		data, err := os.ReadFile(in.Path)
		return said(string(data)), nil, err
	})
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(ctx context.Context, ask *mcp.CallToolRequest, in spoken) (*mcp.CallToolResult, any, error) {
		err := ask.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: ask.Params.GetProgressToken(), Progress: 1, Total: 2, Message: "half way with " + in.Text,
		})
		if err == nil { // which the client answers once it is through with the note; it may be through with the result before
			err = ask.Session.Ping(ctx, nil)
		}
		return said("it is " + in.Text), nil, err
	})
	text("environment", func(context.Context) (*mcp.CallToolResult, error) { return said(strings.Join(os.Environ(), " ")), nil })
	return s
}

// serveTools is the test program as a server over its streams, or as one that never answers.
func serveTools(args []string) bool {
	if len(args) < 2 || args[1] != "tools" && args[1] != "mute" {
		return false
	}
	if args[1] == "mute" {
		<-context.Background().Done()
	}
	_ = tools(nil).Run(context.Background(), &mcp.StdioTransport{})
	return true
}

// Tools are called over both transports; what they say, what they fail with, and what never comes.
// Spec: runner-marketplace §2.2 (Mcp).
func TestMCP(t *testing.T) {
	end := make(chan struct{})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools(end) }, nil)
	server := httptest.NewServer(handler)
	defer server.Close()
	defer close(end)
	t.Setenv("SECRET", "of the runner")
	m := &MCP{Servers: map[string]Server{
		"stdio": {Command: []string{"/proc/self/exe", "tools"}, Environment: []string{"ONLY=this"}},
		"http":  {URL: server.URL},
		"mute":  {Command: []string{"/proc/self/exe", "mute"}},
		"gone":  {Command: []string{"/nonexistent/program"}},
	}}
	second := uint64(1)
	call := func(server, tool, arguments string) (string, error) {
		out, err := m.Do(within(t, 30*time.Second), &job.Spec{
			Kind: job.MCP, MCP: &job.MCPJob{Server: server, Tool: tool, Arguments: arguments, TimeoutSeconds: &second},
		})
		return string(out.Data), err
	}
	for _, over := range []string{"stdio", "http"} {
		second = 20
		for _, c := range []struct{ tool, arguments, want string }{{"add", `{"a":2,"b":40}`, `{"sum":42}`}, {"say", "", "hello"}} {
			t.Run(over+" "+c.tool, func(t *testing.T) {
				if got, err := call(over, c.tool, c.arguments); err != nil || got != c.want {
					t.Errorf("%q, %v", got, err)
				}
			})
		}
		for _, c := range []struct {
			tool string
			kind ErrorKind
		}{{"fail", Permanent}, {"absent", Permanent}} {
			t.Run(over+" "+c.tool, func(t *testing.T) {
				_, err := call(over, c.tool, "")
				wantKind(t, err, c.kind)
			})
		}
		t.Run(over+" hang", func(t *testing.T) {
			second = 1
			_, err := call(over, "hang", "")
			wantKind(t, err, Transient)
		})
		t.Run(over+" huge", func(t *testing.T) {
			second = 20
			if got, err := call(over, "huge", ""); err == nil {
				t.Errorf("%d bytes", len(got))
			}
		})
	}
	t.Run("environment", func(t *testing.T) {
		if got, err := call("stdio", "environment", ""); err != nil || got != "ONLY=this" {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("mute", func(t *testing.T) {
		second = 1
		_, err := call("mute", "say", "")
		wantKind(t, err, Transient)
	})
	t.Run("gone", func(t *testing.T) {
		_, err := call("gone", "say", "")
		wantKind(t, err, Transient)
	})
	t.Run("not configured", func(t *testing.T) {
		_, err := call("other", "say", "")
		wantKind(t, err, Refused)
	})
}

package work

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Server is a configured MCP server: a command that speaks over its streams, or the address of one that speaks HTTP.
type Server struct {
	Command     []string // the path of a program, and its arguments
	Environment []string // NAME=value; nothing else is in it
	URL         string
}

// MCP calls tools.
type MCP struct {
	Self     Self
	Servers  map[string]Server // by the name jobs use
	HTTP     http.RoundTripper // nil for the default
	MemoryMB uint64            // of a server that is started; 0 for 1024
	Apart    *Self             // which jobs with secrets run through, in a process of their own; nil: in this one
}

// Do implements Executor: a session for each job.
//
// Spec: runner-marketplace §2.2 (Mcp).
func (m *MCP) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	if values := valuesOf(ctx); values != nil && m.Fills() {
		return m.Apart.apart(ctx, settings{Servers: m.Servers, MemoryMB: m.MemoryMB, Hide: m.Self.Hide}, spec, values)
	}
	ask := spec.MCP
	server, ok := m.Servers[ask.Server]
	if !ok {
		return Output{}, fail(Refused, "no MCP server is configured as %q", ask.Server)
	}
	if ask.TimeoutSeconds != nil && *ask.TimeoutSeconds > 0 && *ask.TimeoutSeconds < uint64(MostWallTime/time.Second) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*ask.TimeoutSeconds)*time.Second)
		defer cancel()
	}
	transport, end, err := m.transport(ctx, &server, spec)
	if err != nil {
		return Output{}, err
	}
	defer end()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "cowboy-runner", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, note *mcp.ProgressNotificationClientRequest) {
			progress(ctx, note.Params.Progress, note.Params.Total, note.Params.Message)
		},
	}).Connect(ctx, transport, nil)
	if err != nil {
		return Output{}, callError(ctx, err)
	}
	defer func() { go func() { _ = session.Close() }() }() // which may ask a server that hangs, as long as the client allows
	params := &mcp.CallToolParams{Name: ask.Tool, Arguments: json.RawMessage(arguments(ask.Arguments))}
	params.SetProgressToken(spec.ID.Hex())
	result, err := session.CallTool(ctx, params)
	if err != nil {
		return Output{}, callError(ctx, err)
	}
	data, err := toolResult(result)
	return Output{Data: data}, err
}

func arguments(text string) string {
	if text == "" {
		return "{}"
	}
	return text
}

// transport connects to a server; end takes down what was started.
func (m *MCP) transport(ctx context.Context, server *Server, spec *job.Spec) (t mcp.Transport, end func(), err error) {
	if len(server.Command) == 0 {
		round := m.HTTP
		if round == nil {
			round = http.DefaultTransport
		}
		return &mcp.StreamableClientTransport{
			Endpoint: server.URL, MaxRetries: -1, DisableStandaloneSSE: true,
			HTTPClient: &http.Client{
				Transport: limited{round}, CheckRedirect: noRedirect, Timeout: time.Duration(secondsLeft(ctx)) * time.Second,
			},
			MaxEventSize: mostCompletion,
		}, func() {}, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	env := server.Environment
	if list := volumesOf(ctx); len(list) > 0 {
		env = append(slices.Clone(env), volumesEnvironment(list))
	}
	var in io.WriteCloser
	var out io.ReadCloser
	cmd, err := m.Self.start(ctx, &launch{
		command: server.Command, env: env, strange: true,
		limits: Limits{MemoryMB: memoryFor(m.MemoryMB, spec), ProcessorSeconds: 4 * secondsLeft(ctx), Processes: 128, Files: 256},
	}, func(cmd *exec.Cmd) (err error) {
		if in, err = cmd.StdinPipe(); err == nil {
			out, err = cmd.StdoutPipe()
		}
		return err
	})
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return &mcp.IOTransport{Reader: &limitedBody{out, 4 * mostCompletion}, Writer: in, MaxLineLength: mostCompletion}, func() {
		cancel()
		killGroup(cmd)
		_ = cmd.Wait()
	}, nil
}

// callError sorts what the client reports: what the server itself says is permanent.
func callError(ctx context.Context, err error) error {
	var said *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return &Error{Transient, ctx.Err()}
	case errors.Is(err, errTooLarge):
		return &Error{TooLarge, errTooLarge}
	case errors.As(err, &said):
		return fail(Permanent, "the server says %.500q", said.Message)
	}
	return &Error{Transient, err}
}

// toolResult is what a tool gave.
func toolResult(result *mcp.CallToolResult) ([]byte, error) {
	data, err := json.Marshal(result.Content)
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, fail(Permanent, "the tool fails: %.500s", data)
	}
	if result.StructuredContent != nil {
		return json.Marshal(result.StructuredContent)
	}
	if len(result.Content) == 1 {
		if text, ok := result.Content[0].(*mcp.TextContent); ok {
			return []byte(text.Text), nil
		}
	}
	return data, nil
}

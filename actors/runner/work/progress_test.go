package work

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// listener keeps what executors tell.
type listener struct {
	mu    sync.Mutex
	heard []string
	news  chan struct{}
}

func listen(t *testing.T) (context.Context, *listener) {
	l := &listener{news: make(chan struct{}, 1_000)}
	return Telling(t.Context(), func(fraction uint64, detail string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.heard = append(l.heard, strings.TrimSpace(fmt.Sprintf("%d %s", fraction, detail)))
		l.news <- struct{}{}
	}), l
}

// said is what was told, without what is told twice in a row.
func (l *listener) said() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Compact(slices.Clone(l.heard))
}

// An answer of the web is told of by the part that is read, and by nothing where its length is not known.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func TestProgressOfHTTP(t *testing.T) {
	next := make(chan struct{}, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/known", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "200")
		for range 4 {
			fmt.Fprint(w, strings.Repeat("x", 50))
			w.(http.Flusher).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
	})
	mux.HandleFunc("/unknown", func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		fmt.Fprint(w, "hello")
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	h := &HTTP{Private: loopback}
	for _, c := range []struct {
		path string
		want []string
	}{{"/known", []string{"25", "50", "75", "100"}}, {"/unknown", []string{"0"}}} {
		t.Run(c.path, func(t *testing.T) {
			ctx, l := listen(t)
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			go func() { // each part is read before the next one is sent
				for {
					select {
					case <-l.news:
						next <- struct{}{}
					case <-ctx.Done():
						return
					}
				}
			}()
			if _, err := h.Do(ctx, fetch(server.URL+c.path)); err != nil {
				t.Fatal(err)
			}
			if got := l.said(); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What a server of tools says of its progress is told in its words; a claim that is no part of anything is none.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func TestProgressOfTools(t *testing.T) {
	ctx, l := listen(t)
	s := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "walk", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, ask *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for i, note := range []mcp.ProgressNotificationParams{
				{Progress: 1, Total: 4, Message: "one"}, {Progress: 2, Total: 4, Message: "two"}, {Progress: 3, Message: "on the way"}, {Progress: 9, Total: 4},
			} {
				note.ProgressToken = ask.Params.GetProgressToken()
				if err := ask.Session.NotifyProgress(ctx, &note); err != nil {
					return nil, fmt.Errorf("note %d: %w", i, err)
				}
				select {
				case <-l.news:
				case <-time.After(time.Minute):
					return nil, fmt.Errorf("nobody heard note %d", i)
				}
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "there"}}}, nil
		})
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	defer server.Close()
	m := &MCP{Servers: map[string]Server{"walker": {URL: server.URL}}}
	out, err := m.Do(ctx, &job.Spec{Kind: job.MCP, MCP: &job.MCPJob{Server: "walker", Tool: "walk"}})
	if err != nil || string(out.Data) != "there" {
		t.Fatalf("%q %v", out.Data, err)
	}
	if got, want := l.said(), []string{"25 one", "50 two", "0 on the way", "100"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Claims that are no numbers, or beyond all of it.
func TestProgressIsAPart(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name        string
		done, total float64
		want        string
	}{
		{"nothing", 0, 10, "0"}, {"nearly all", 9.999, 10, "99"}, {"all", 10, 10, "100"}, {"more", 11, 10, "100"}, {"without a total", 5, 0, "0"},
		{"of an unknown whole", 5, -1, "0"}, {"below nothing", -5, 10, "0"}, {"endless", inf, 10, "100"}, {"of an endless whole", 5, inf, "0"},
		{"both endless", inf, inf, "0"}, {"no number", nan, 10, "0"}, {"of no number", 5, nan, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, l := listen(t)
			progress(ctx, c.done, c.total, "")
			if got := l.said(); len(got) != 1 || got[0] != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	progress(t.Context(), 1, 2, "nobody listens")
}

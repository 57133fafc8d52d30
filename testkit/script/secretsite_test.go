package script

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// site is a server over TLS. Its page is for who knows the secret; what else it says has the secret in it, in several forms.
type site struct {
	*httptest.Server
	root  string        // the file with its certificate
	knew  atomic.Int64  // requests with the secret
	asked chan struct{} // of the first of them; the page is held back until
	free  chan struct{} // is closed
}

// saved is what is written. It has several chunks' worth of text.
var saved = strings.Repeat("what only one may read; ", 20_000)

func newSite(t *testing.T) *site {
	s := &site{root: filepath.Join(t.TempDir(), "root.pem"), asked: make(chan struct{}, 1), free: make(chan struct{})}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if got != storySecret || r.URL.Query().Get("k") != storySecret {
			http.Error(w, "who is it?", http.StatusUnauthorized)
			return
		}
		if s.knew.Add(1) == 1 {
			s.asked <- struct{}{}
		}
		<-s.free
		w.Header().Set("X-Echo", fmt.Sprintf("hello %s %s %x", got, base64.StdEncoding.EncodeToString([]byte("user:"+got)), got))
		_, _ = io.WriteString(w, saved)
	}))
	t.Cleanup(s.Close)
	if err := os.WriteFile(s.root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// saving are the arguments of the tool.
type saving struct {
	URL  string `json:"url"`
	Key  string `json:"key"`
	File string `json:"file"` // VOLUME/PATH
}

// webTool is an MCP server with a tool that saves a page in a volume of its job, and says what the server said beside it.
func webTool() {
	s := mcp.NewServer(&mcp.Implementation{Name: "web", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "save"}, func(ctx context.Context, _ *mcp.CallToolRequest, in saving) (*mcp.CallToolResult, any, error) {
		echo, err := in.save(ctx)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "saved; the server says " + echo}}}, nil, err
	})
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (in *saving) save(ctx context.Context) (echo string, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL+"?k="+url.QueryEscape(in.Key), nil)
	if err != nil {
		return "", err
	}
	q.Header.Set("Authorization", "Bearer "+in.Key)
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %w", r.Status, err)
	}
	name, rest, _ := strings.Cut(in.File, "/")
	for volume := range strings.SplitSeq(os.Getenv("VOLUME_MOUNTS"), ",") {
		if folder, ok := strings.CutPrefix(volume, name+"="); ok {
			return r.Header.Get("X-Echo"), os.WriteFile(filepath.Join(folder, rest), text, 0o600)
		}
	}
	return "", fmt.Errorf("there is no volume %s", name)
}

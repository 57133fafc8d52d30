package work

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

const theSecret = `sk-live/4f+a"9 &b<7c=Zq`

// vaulted has the values of secrets, and sees them erased.
type vaulted struct {
	last map[string][]byte
	err  error
}

func (g *vaulted) Get(context.Context, *job.Spec) (map[string][]byte, error) {
	g.last = map[string][]byte{"API_KEY": []byte(theSecret)}
	return g.last, g.err
}

func secretJob(url string) *job.Spec {
	s := fetch(url)
	s.Secrets = []job.Secret{{Name: "API_KEY"}}
	s.Bounds.MaxWallTimeSeconds, s.TimeoutBlocks, s.Schema.MaxReturnBytes = 60, 100, job.MaxResultBytes
	return s
}

// ways runs a test with executors that fill secrets in here, and with those that leave it to a process.
func ways(t *testing.T, test func(t *testing.T, apart *Self)) {
	t.Helper()
	t.Run("here", func(t *testing.T) { test(t, nil) })
	t.Run("apart", func(t *testing.T) { test(t, &Self{}) })
}

// TestPlaceholders sends a secret in the address, a header and the body of a request, as the server has to get it.
//
// Spec: secrets-cbss §4 (runner use).
func TestPlaceholders(t *testing.T) { ways(t, testPlaceholders) }

func testPlaceholders(t *testing.T, apart *Self) {
	var query, path, header, body string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		query, path, header, body = r.URL.Query().Get("key"), r.URL.Path, r.Header.Get("X-Key"), string(raw)
	}))
	defer server.Close()
	g := &vaulted{}
	set := &Set{Secrets: g, Executors: map[job.Kind]Executor{job.HTTP: &HTTP{Private: loopback, Apart: apart}}}
	s := secretJob(server.URL + "/at/${API_KEY}?key=${API_KEY}&b=1")
	s.HTTP.Method, s.HTTP.Body = "POST", []byte("{${API_KEY}}")
	s.HTTP.Headers = []job.Pair{{Name: "X-Key", Value: "Bearer ${API_KEY}"}}
	if _, err := set.Do(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string][2]string{
		"query": {query, theSecret}, "path": {path, "/at/" + theSecret}, "header": {header, "Bearer " + theSecret}, "body": {body, "{" + theSecret + "}"},
	} {
		t.Run(what, func(t *testing.T) {
			if got[0] != got[1] {
				t.Errorf("%q, want %q", got[0], got[1])
			}
		})
	}
	if !strings.Contains(s.HTTP.URL, "${API_KEY}") || string(s.HTTP.Body) != "{${API_KEY}}" {
		t.Error("the job itself was changed")
	}
	if strings.Trim(string(g.last["API_KEY"]), "\x00") != "" {
		t.Error("the value is not erased")
	}
}

// TestRedaction has a server give the secret back in every way this runner promises to find, and looks for more than half of it in the result.
//
// Spec: secrets-cbss §4.
func TestRedaction(t *testing.T) { ways(t, testRedaction) }

func testRedaction(t *testing.T, apart *Self) {
	half := theSecret[:len(theSecret)/2+1]
	for name, echo := range map[string]func(w http.ResponseWriter){
		"body":  func(w http.ResponseWriter) { _, _ = io.WriteString(w, "you sent "+theSecret+".") },
		"query": func(w http.ResponseWriter) { _, _ = io.WriteString(w, "k="+url.QueryEscape(theSecret)) },
		"path":  func(w http.ResponseWriter) { _, _ = io.WriteString(w, url.PathEscape(theSecret)) },
		"html":  func(w http.ResponseWriter) { _, _ = io.WriteString(w, html.EscapeString(theSecret)) },
		"json":  func(w http.ResponseWriter) { _, _ = fmt.Fprintf(w, "{%q:1}", theSecret) },
		"hex":   func(w http.ResponseWriter) { _, _ = io.WriteString(w, hex.EncodeToString([]byte(theSecret))) },
		"HEX":   func(w http.ResponseWriter) { _, _ = fmt.Fprintf(w, "%X", theSecret) },
		"base64": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, base64.StdEncoding.EncodeToString([]byte(theSecret)))
		},
		"base64+1": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, base64.StdEncoding.EncodeToString([]byte("u"+theSecret+"!")))
		},
		"base64+2": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, base64.URLEncoding.EncodeToString([]byte("u:"+theSecret+"!!")))
		},
		"header": func(w http.ResponseWriter) { w.Header().Set("X-Echo", theSecret) },
		"halves": func(w http.ResponseWriter) {
			w.Header().Set("X-Echo", half)
			_, _ = io.WriteString(w, theSecret[len(half):])
		},
		"error": func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/"+url.PathEscape(theSecret))
			w.WriteHeader(http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { echo(w) }))
			defer server.Close()
			set := &Set{Secrets: &vaulted{}, Executors: map[job.Kind]Executor{job.HTTP: &HTTP{Private: loopback, Apart: apart}}}
			out, err := set.Do(context.Background(), secretJob(server.URL+"/?k=${API_KEY}"))
			all := fmt.Sprintf("%s %v %+v", out.Data, err, out.Source)
			for i := 0; i+len(half) <= len(theSecret); i++ {
				part := theSecret[i : i+len(half)]
				for _, form := range []string{
					part, url.QueryEscape(part), url.PathEscape(part), html.EscapeString(part), fmt.Sprintf("%x", part), fmt.Sprintf("%X", part),
				} {
					if strings.Contains(all, form) {
						t.Fatalf("%q is in %s", form, all)
					}
				}
			}
			if strings.HasPrefix(name, "base64") && len(out.Data) > len(Redacted)+8 {
				t.Errorf("too much is left: %s", out.Data)
			}
		})
	}
}

// TestSecretRefusals are jobs that get no secrets, and requests that would carry one away.
//
// Spec: secrets-cbss §4, §9 (SecretsNotApplicableHere).
func TestSecretRefusals(t *testing.T) { ways(t, testSecretRefusals) }

func testSecretRefusals(t *testing.T, apart *Self) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	away := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer away.Close()
	text := &job.Spec{Kind: job.LLM, LLM: &job.LLMJob{}, Secrets: []job.Secret{{Name: "API_KEY"}}}
	many := secretJob(other.URL)
	many.Secrets = make([]job.Secret, MaxSecrets+1)
	for name, c := range map[string]struct {
		spec *job.Spec
		kind ErrorKind
		says string
	}{
		"a model":         {text, Refused, "SecretsNotApplicableHere"},
		"too many":        {many, Refused, "at most 8"},
		"another host":    {secretJob(away.URL + "/${API_KEY}"), Permanent, "redirects"},
		"a server's name": {secretJob("https://${API_KEY}.example.org/"), Permanent, "name of a server"},
		"without TLS":     {secretJob("http://example.org/${API_KEY}"), Permanent, "https alone"},
		"not declared":    {secretJob(other.URL + "/${OTHER}"), Permanent, "${OTHER} is not among"},
	} {
		t.Run(name, func(t *testing.T) {
			set := &Set{Secrets: &vaulted{}, Executors: map[job.Kind]Executor{job.HTTP: &HTTP{Private: loopback, Apart: apart}, job.LLM: &LLM{}}}
			_, err := set.Do(context.Background(), c.spec)
			if err == nil || KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %s: %s", err, c.kind, c.says)
			}
		})
	}
	if asked > 0 {
		t.Errorf("%d requests went out", asked)
	}
}

// A tool is called by a process apart, which starts the server: the tool finds the secret in its arguments and the volume's folder in its environment. What it
// says of the secret, in its result and on the way, is redacted; a job whose time is over takes that process and the server with it.
//
// Spec: secrets-cbss §4; storage-cbfs §3.5.
func TestToolsApart(t *testing.T) {
	servers := map[string]Server{"stdio": {Command: []string{"/proc/self/exe", "tools"}}}
	set := &Set{Secrets: &vaulted{}, Executors: map[job.Kind]Executor{job.MCP: &MCP{Servers: servers, Apart: &Self{}}}}
	call := func(tool, arguments string, seconds uint64) (Output, []string, error) {
		s := secretJob("")
		s.Kind, s.HTTP, s.MCP = job.MCP, nil, &job.MCPJob{Server: "stdio", Tool: tool, Arguments: arguments}
		s.Bounds.MaxWallTimeSeconds = seconds
		var told []string
		ctx := Telling(context.WithValue(t.Context(), volumesKey{}, []Mounted{{Name: "docs", Folder: "/mnt/docs"}}), func(_ uint64, detail string) {
			told = append(told, detail)
		})
		out, err := set.Do(ctx, s)
		return out, told, err
	}
	out, told, err := call("echo", `{"text":"${API_KEY}"}`, 300)
	if err != nil || string(out.Data) != "it is "+Redacted {
		t.Errorf("%q %v", out.Data, err)
	}
	if len(told) != 1 || told[0] != "half way with "+Redacted {
		t.Errorf("told %q", told)
	}
	if out, _, err = call("environment", "", 300); err != nil || !strings.Contains(string(out.Data), "VOLUME_MOUNTS=docs=/mnt/docs") {
		t.Errorf("%q %v", out.Data, err)
	}
	if _, _, err = call("fail", "", 300); err == nil || KindOf(err) != Permanent || !strings.Contains(err.Error(), "no such city") {
		t.Errorf("%v", err)
	}
	if _, _, err = call("hang", "", 1); KindOf(err) != Transient || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

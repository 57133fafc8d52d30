package work

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

type says string

// Do implements Executor.
func (s says) Do(context.Context, *job.Spec) (Output, error) { return Output{Data: []byte(s)}, nil }

// A result whose meaning is compared is embedded by the configured model, and its numbers are rounded: of 3, -4 and 0 the largest is 32,767, and 3 of 4 of it
// are 24,575.25.
//
// Spec: runner-marketplace §2.4 (5), §14 (12); WP-January "Verification Mode Details".
func TestEmbedding(t *testing.T) {
	seen := map[string]any{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&seen)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[3,-4,0]}],
			"usage":{"prompt_tokens":1,"total_tokens":1}}`)
	}))
	t.Cleanup(server.Close)
	similar := func(model string) *job.Spec {
		return &job.Spec{Kind: job.MCP, Verification: job.Verification{
			Mode: job.ModeStructuredMatch, Checks: []job.Check{{Kind: job.CheckSimilarity, Model: model}},
		}}
	}
	for name, c := range map[string]struct {
		embedder *Embedder
		spec     *job.Spec
		want     []int16
		ok       bool
	}{
		"the network's": {&Embedder{URL: server.URL, Name: "e"}, similar(""), []int16{24_575, -32_767, 0}, true},
		"by its name":   {&Embedder{URL: server.URL, Name: "e", Says: "mini"}, similar("mini"), []int16{24_575, -32_767, 0}, true},
		"by its mode": {
			&Embedder{URL: server.URL, Name: "e"}, &job.Spec{Kind: job.MCP, Verification: job.Verification{Mode: job.ModeSemanticSimilarity}},
			[]int16{24_575, -32_767, 0}, true,
		},
		"another":            {&Embedder{URL: server.URL, Name: "e", Says: "mini"}, similar("maxi"), nil, false},
		"none here":          {nil, similar(""), nil, false},
		"a job without them": {nil, &job.Spec{Kind: job.MCP}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Set{Executors: map[job.Kind]Executor{job.MCP: says("hello")}, Embedding: c.embedder}
			out, err := s.Do(within(t, time.Minute), c.spec)
			if !c.ok {
				wantKind(t, err, Refused)
				return
			}
			if err != nil || !slices.Equal(out.Embedding, c.want) {
				t.Errorf("%v %v", out.Embedding, err)
			}
			if c.want != nil && (seen["model"] != "e" || seen["input"] != "hello") {
				t.Errorf("%v", seen)
			}
		})
	}
	for name, vector := range map[string][]float64{
		"no numbers": {}, "too many": make([]float64, 1_025), "no direction": {0, 0}, "no number": {1, math.NaN()}, "no end": {1, math.Inf(1)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := quantised(vector)
			wantKind(t, err, Permanent)
		})
	}
}

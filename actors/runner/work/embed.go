package work

import (
	"context"
	"math"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Embedder asks a model for embeddings over OpenAI's protocol. All runners of a job have to have the network's model.
type Embedder struct {
	URL  string // base, as http://127.0.0.1:8000/v1
	Name string // of the model at the endpoint
	Says string // embedding_model, the network's name of it; "" where jobs may not name one
	Key  string // "" for none
	HTTP http.RoundTripper
}

// embedding is the check of a job that results are compared by; ok is false for a job whose results are not embedded.
func embedding(spec *job.Spec) (name string, ok bool) {
	ok = spec.Verification.Mode == job.ModeSemanticSimilarity
	for i := range spec.Verification.Checks {
		if c := &spec.Verification.Checks[i]; c.Kind == job.CheckSimilarity {
			name, ok = c.Model, true
		}
	}
	return name, ok
}

// refusal says why the results of a job cannot be embedded here, or nil.
func (e *Embedder) refusal(spec *job.Spec) error {
	switch name, asked := embedding(spec); {
	case !asked:
		return nil
	case e == nil:
		return fail(Refused, "this runner has no model for embeddings")
	case name != "" && name != e.Says:
		return fail(Refused, "this runner has no model for embeddings called %.64q", name)
	}
	return nil
}

// embed gives the embedding of a result, nil for a job that needs none.
//
// Spec: runner-marketplace §2.4 (5), §14 (12); WP-January "Verification Mode Details".
func (e *Embedder) embed(ctx context.Context, spec *job.Spec, data []byte) ([]int16, error) {
	if _, asked := embedding(spec); !asked {
		return nil, nil
	}
	key, transport := e.Key, e.HTTP
	if key == "" {
		key = "none"
	}
	if transport == nil {
		transport = http.DefaultTransport
	}
	service := openai.NewEmbeddingService(option.WithBaseURL(e.URL), option.WithAPIKey(key), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: limited{transport}, CheckRedirect: noRedirect}))
	reply, err := service.New(ctx, openai.EmbeddingNewParams{
		Model: e.Name, Input: openai.EmbeddingNewParamsInputUnion{OfString: openai.String(string(data))},
	})
	if err != nil {
		return nil, completionError(err)
	}
	if len(reply.Data) != 1 {
		return nil, fail(Transient, "the endpoint gives %d embeddings", len(reply.Data))
	}
	return quantised(reply.Data[0].Embedding)
}

// quantised rounds a vector to integers of two bytes, of which the largest is 32,767. Its direction, which alone counts, is kept to a part in thousands.
//
// Spec: runner-marketplace §14 (12) (int8 or int16).
func quantised(vector []float64) ([]int16, error) {
	if len(vector) == 0 || len(vector) > verify.MaxEmbedding {
		return nil, fail(Permanent, "an embedding of %d numbers, and the chain takes 1 to %d", len(vector), verify.MaxEmbedding)
	}
	largest := 0.0
	for _, x := range vector {
		largest = max(largest, math.Abs(x)) // NaN stays
	}
	if largest == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
		return nil, fail(Permanent, "an embedding without a direction")
	}
	out := make([]int16, len(vector))
	for i, x := range vector {
		out[i] = int16(math.RoundToEven(x / largest * math.MaxInt16))
	}
	return out, nil
}

package work

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Model is a model behind an endpoint that speaks OpenAI's protocol.
type Model struct {
	ID   digest.Hash // model_id; zero for jobs that take any
	URL  string      // base, as http://127.0.0.1:8000/v1
	Name string      // at the endpoint
	Key  string      // "" for none
	// Toolchain is the toolchain_digest of what runs the model; zero where nobody has stated it, so that jobs which pin one are refused.
	Toolchain digest.Hash
}

// LLM asks models.
type LLM struct {
	Models  []Model
	HTTP    http.RoundTripper // nil for the default
	Examine *Examine
}

// mostCompletion bounds the answer of an endpoint, in bytes.
const mostCompletion = 1 << 20

// find gives the model of a job: the first that fits, of the toolchain that the job pins if it pins one.
//
// Spec: WP §5.4 (toolchain_digest).
func (l *LLM) find(id digest.Hash, pinned *job.Inference) *Model {
	for i := range l.Models {
		if m := &l.Models[i]; (id.IsZero() || m.ID == id) && (pinned == nil || pinned.Toolchain.IsZero() || m.Toolchain == pinned.Toolchain) {
			return m
		}
	}
	return nil
}

// pinnedBy is what a job has all its runners run with; nil where it leaves that to them.
func pinnedBy(spec *job.Spec) *job.Inference {
	for i := range spec.Verification.Checks {
		if c := &spec.Verification.Checks[i]; c.Kind == job.CheckInference {
			return &c.Inference
		}
	}
	return nil
}

// temperatureOf gives a temperature as endpoints take it.
func temperatureOf(d job.Decimal) param.Opt[float64] {
	t, _ := new(big.Rat).SetFrac(d.Scaled(), big.NewInt(1e9)).Float64()
	return openai.Float(t)
}

// Do implements Executor. Tokens are counted by the endpoint; an answer that exceeds the job's bounds by that count is no result.
//
// Spec: runner-marketplace §2.1 (bounds), §2.2 (Llm), §2.6 (usage).
func (l *LLM) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	ask := spec.LLM
	pinned := pinnedBy(spec)
	model := l.find(ask.Model, pinned)
	if model == nil {
		return Output{}, fail(Refused, "no model is configured as %s with the toolchain of the job", ask.Model)
	}
	params := openai.ChatCompletionNewParams{Model: model.Name}
	if ask.SystemPrompt != nil {
		params.Messages = append(params.Messages, openai.SystemMessage(*ask.SystemPrompt))
	}
	params.Messages = append(params.Messages, openai.UserMessage(ask.Prompt))
	if most := tokenLimit(spec); most > 0 {
		params.MaxTokens = openai.Int(most)
	}
	if ask.Temperature != nil {
		params.Temperature = temperatureOf(*ask.Temperature)
	}
	if pinned != nil {
		params.Temperature, params.Seed = temperatureOf(pinned.Temperature), openai.Int(int64(pinned.Seed))
	}
	if ask.ResponseModel != nil {
		params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "response", Schema: json.RawMessage(*ask.ResponseModel)},
		}
	}
	key := model.Key
	if key == "" {
		key = "none"
	}
	transport := l.HTTP
	if transport == nil {
		transport = http.DefaultTransport
	}
	// The service is made without the client, which would read keys and addresses from the environment.
	service := openai.NewChatCompletionService(option.WithBaseURL(model.URL), option.WithAPIKey(key), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: limited{transport}, CheckRedirect: noRedirect}))
	reply, err := service.New(ctx, params)
	if err != nil {
		return Output{}, completionError(err)
	}
	return l.take(ctx, spec, reply)
}

// tokenLimit is how many tokens a model may answer with; 0 for as many as it likes.
func tokenLimit(spec *job.Spec) int64 {
	most, bound := int64(spec.LLM.MaxTokens), int64(spec.Bounds.MaxOutputTokens)
	if most == 0 || bound > 0 && bound < most {
		return bound
	}
	return most
}

func (l *LLM) take(ctx context.Context, spec *job.Spec, reply *openai.ChatCompletion) (Output, error) {
	usage := Usage{InputTokens: uint64(max(reply.Usage.PromptTokens, 0)), OutputTokens: uint64(max(reply.Usage.CompletionTokens, 0))}
	switch in, out := uint64(spec.Bounds.MaxInputTokens), tokenLimit(spec); {
	case len(reply.Choices) == 0 || reply.Choices[0].Message.Content == "":
		return Output{}, fail(Transient, "the model gives no answer")
	case in > 0 && usage.InputTokens > in:
		return Output{}, fail(TooLarge, "the prompt has %d tokens, and may have %d", usage.InputTokens, in)
	case out > 0 && usage.OutputTokens > uint64(out):
		return Output{}, fail(TooLarge, "the answer has %d tokens, and may have %d", usage.OutputTokens, out)
	}
	text := []byte(reply.Choices[0].Message.Content)
	if spec.LLM.ResponseModel != nil {
		if err := l.Examine.Validate(ctx, *spec.LLM.ResponseModel, text); err != nil {
			if errors.Is(err, errInvalid) {
				return Output{}, &Error{Transient, err} // another answer may match
			}
			return Output{}, err
		}
	}
	return Output{Data: text, Usage: usage}, nil
}

// completionError sorts what the client reports.
func completionError(err error) error {
	var status *openai.Error
	if errors.As(err, &status) && status.StatusCode < 500 && status.StatusCode != http.StatusTooManyRequests &&
		status.StatusCode != http.StatusRequestTimeout {
		return fail(Permanent, "the endpoint answers %d: %.200s", status.StatusCode, status.Message)
	}
	if errors.Is(err, errTooLarge) {
		return &Error{TooLarge, errTooLarge}
	}
	return &Error{Transient, err}
}

func noRedirect(*http.Request, []*http.Request) error { return errRedirects }

// errTooLarge reports an answer of a configured server that is beyond its limit.
var errTooLarge = errors.New("the answer is larger than it may be")

// limited bounds the body of each answer.
type limited struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		reply.Body = &limitedBody{reply.Body, mostCompletion}
	}
	return reply, err
}

type limitedBody struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

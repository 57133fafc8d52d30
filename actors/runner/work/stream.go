package work

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Question is what is asked of a model whose answer is taken part by part.
type Question struct {
	Model          digest.Hash // zero for the first there is
	System, Prompt string
	Most           uint64 // tokens of the answer; 0 for as many as the model likes
}

// Stream asks a model and gives each part of its answer, in order, to each, whose error ends it. Parts are those of the endpoint: a token each, as a rule.
//
// Spec: gateway-payments-streams §D; runner-marketplace §2.2 (Llm).
func (l *LLM) Stream(ctx context.Context, q Question, each func(text string) error) error {
	model := l.find(q.Model, nil)
	if model == nil {
		return fail(Refused, "no model is configured as %s", q.Model)
	}
	params := openai.ChatCompletionNewParams{Model: model.Name}
	if q.System != "" {
		params.Messages = append(params.Messages, openai.SystemMessage(q.System))
	}
	params.Messages = append(params.Messages, openai.UserMessage(q.Prompt))
	if q.Most > 0 {
		params.MaxTokens = openai.Int(int64(min(q.Most, 1<<31)))
	}
	key := model.Key
	if key == "" {
		key = "none"
	}
	transport := l.HTTP
	if transport == nil {
		transport = http.DefaultTransport
	}
	service := openai.NewChatCompletionService(option.WithBaseURL(model.URL), option.WithAPIKey(key), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: limited{transport}, CheckRedirect: noRedirect}))
	stream := service.NewStreaming(ctx, params)
	defer stream.Close()
	for stream.Next() {
		part := stream.Current()
		if len(part.Choices) == 0 || part.Choices[0].Delta.Content == "" {
			continue
		}
		if err := each(part.Choices[0].Delta.Content); err != nil {
			return err
		}
	}
	if err := stream.Err(); err != nil {
		return completionError(err)
	}
	return nil
}

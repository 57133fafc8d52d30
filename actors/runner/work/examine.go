package work

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Examine extracts and validates in a process of its own: documents, expressions and schemas are strangers', and some take for ever or all memory.
type Examine struct {
	Self Self
}

// examination is the question to the process, and its answer.
type examination struct {
	Kind       uint8  `json:"kind"`
	Expression string `json:"expression,omitempty"`
	Type       string `json:"type,omitempty"`
	Schema     string `json:"schema,omitempty"`
	Data       []byte `json:"data,omitempty"`

	Found   []byte `json:"found,omitempty"`
	Error   string `json:"error,omitempty"`
	Invalid bool   `json:"invalid,omitempty"`
}

// byValidation is the kind of an examination that is no extraction.
const byValidation = 255

// examineLimits are those of an examination, which is of a few megabytes at most.
var examineLimits = Limits{MemoryMB: 768, ProcessorSeconds: 10, Processes: 64, Files: 16, Output: 4 << 20}

// Extract takes a part out of a document.
//
// Spec: runner-marketplace §2.2 (extraction).
func (e *Examine) Extract(ctx context.Context, x *job.Extraction, data []byte, contentType string) ([]byte, error) {
	answer, err := e.ask(ctx, &examination{Kind: x.Kind, Expression: x.Expression, Data: data, Type: contentType})
	if err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, &Error{Permanent, errors.New(answer.Error)}
	}
	return answer.Found, nil
}

// Validate holds JSON against a schema. Errors: Permanent.
//
// Spec: runner-marketplace §2.1 (data_format), §6.3 (schema violation).
func (e *Examine) Validate(ctx context.Context, schema string, data []byte) error {
	answer, err := e.ask(ctx, &examination{Kind: byValidation, Schema: schema, Data: data})
	if err != nil {
		return err
	}
	if answer.Error == "" {
		return nil
	}
	if answer.Invalid {
		return fail(Permanent, "%w: %s", errInvalid, answer.Error)
	}
	return &Error{Permanent, errors.New(answer.Error)}
}

func (e *Examine) ask(ctx context.Context, question *examination) (*examination, error) {
	in, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	out, err := e.Self.again(ctx, examineMode, in, examineLimits)
	if err != nil {
		if ctx.Err() == nil && KindOf(err) == Transient {
			return nil, fail(Permanent, "the document, the expression or the schema takes more than its limits: %w", err)
		}
		return nil, err
	}
	answer := new(examination)
	if err := json.Unmarshal(out, answer); err != nil {
		return nil, fail(Permanent, "the examination gave no answer: %w", err)
	}
	return answer, nil
}

// examine is the process: it answers the question it reads.
func examine(in io.Reader, out io.Writer) error {
	var question, answer examination
	if err := json.NewDecoder(in).Decode(&question); err != nil {
		return err
	}
	var err error
	if question.Kind == byValidation {
		err = validate(question.Schema, question.Data)
	} else {
		answer.Found, err = extract(&job.Extraction{Kind: question.Kind, Expression: question.Expression}, question.Data, question.Type)
	}
	if err != nil {
		answer.Error, answer.Invalid = err.Error(), errors.Is(err, errInvalid)
		if len(answer.Error) > 1024 {
			answer.Error = answer.Error[:1024]
		}
	}
	return json.NewEncoder(out).Encode(&answer)
}

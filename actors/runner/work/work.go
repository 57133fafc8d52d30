package work

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Usage is what a job took (ResourceUsage).
//
// Spec: runner-marketplace §2.6.
type Usage struct {
	InputTokens, OutputTokens, WallTimeSeconds, MemoryMB uint64
}

// Source says where data was fetched (SourceAttestation).
//
// Spec: runner-marketplace §2.6.
type Source struct {
	FetchedAt   uint64       // seconds since 1970
	URL         string       // behind all redirects
	Status      uint16       // of HTTP
	Response    digest.Hash  // Keccak-256 of the decoded body
	Certificate *digest.Hash // SHA-256 of the leaf certificate; nil without TLS
	Headers     []job.Pair   // of the response, ascending by name, then as received
}

// Output is the result of a job.
type Output struct {
	Data   []byte
	Usage  Usage
	Source *Source // of kind HTTP
	// Embedding is what the result means, as the network's model has it; nil for jobs that compare no meanings.
	Embedding []int16
	TEE       []byte // evidence of the trusted environment, for jobs that require one
}

// ErrorKind says what may be done about a failure.
type ErrorKind uint8

const (
	// Transient failures may pass: the job may be tried again.
	Transient ErrorKind = iota
	// Permanent failures come again with every try.
	Permanent
	// TooLarge is what is beyond a limit of size.
	TooLarge
	// Refused is what this runner does not do.
	Refused
)

// String is the kind in lower case.
func (k ErrorKind) String() string {
	switch k {
	case Transient:
		return "transient"
	case Permanent:
		return "permanent"
	case TooLarge:
		return "too large"
	}
	return "refused"
}

// Error is the failure of a job.
type Error struct {
	Kind ErrorKind
	Err  error
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Kind, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func fail(kind ErrorKind, format string, args ...any) error {
	return &Error{kind, fmt.Errorf(format, args...)}
}

// KindOf is the kind of a failure; one that says nothing may pass.
func KindOf(err error) ErrorKind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Transient
}

// Executor does jobs of one kind. Errors: *Error; any other is Transient. It returns soon after the context ends.
type Executor interface {
	Do(ctx context.Context, spec *job.Spec) (Output, error)
}

// Set does jobs of all kinds it has an executor for.
type Set struct {
	Executors map[job.Kind]Executor
	Examine   *Examine      // which holds results against schemas
	Embedding *Embedder     // nil for a runner that compares no meanings
	Most      time.Duration // of wall time, whatever the job says; 0 for MostWallTime
	Secrets   Secrets       // nil: jobs with secrets are refused
	Volumes   Volumes       // nil: jobs with volumes are refused
	// Environment attests results; nil: jobs that require that are refused.
	Environment *Environment
}

// MostWallTime bounds a job where nothing else is configured.
const MostWallTime = 10 * time.Minute

// Refusal says why a job is not one for this set, or nil.
func (s *Set) Refusal(spec *job.Spec) error {
	switch {
	case s.Executors[spec.Kind] == nil:
		return fail(Refused, "this runner has no executor for jobs of kind %d", spec.Kind)
	case spec.Verification.TEERequired && s.Environment == nil:
		return fail(Refused, "this runner attests no results")
	}
	if err := s.Embedding.refusal(spec); err != nil {
		return err
	}
	if err := s.volumesRefusal(spec); err != nil {
		return err
	}
	return s.secretsRefusal(spec)
}

// Do does a job within its wall time.
//
// Spec: runner-marketplace §2.1 (bounds, result_schema); WP §5.4.
func (s *Set) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	if err := s.Refusal(spec); err != nil {
		return Output{}, err
	}
	most := s.Most
	if most == 0 {
		most = MostWallTime
	}
	if asked := spec.Bounds.MaxWallTimeSeconds; asked > 0 && asked < uint64(most/time.Second) {
		most = time.Duration(asked) * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	begun := time.Now()
	out, err := s.withVolumes(ctx, spec)
	if err != nil {
		return Output{}, err
	}
	out.Usage.WallTimeSeconds = uint64((time.Since(begun) + time.Second - 1) / time.Second)
	if limit := returnLimit(spec); len(out.Data) > limit {
		return Output{}, fail(TooLarge, "the result has %d bytes, and may have %d", len(out.Data), limit)
	}
	if format := spec.Schema.DataFormat; len(format) > 0 && format[0] == '{' {
		if err := s.Examine.Validate(ctx, format, out.Data); err != nil {
			return Output{}, err
		}
	}
	if out.Embedding, err = s.Embedding.embed(ctx, spec, out.Data); err != nil {
		return Output{}, err
	}
	return out, s.attested(ctx, spec, &out)
}

// returnLimit is how many bytes a result may have.
func returnLimit(spec *job.Spec) int {
	if n := spec.Schema.MaxReturnBytes; n > 0 && n < job.MaxResultBytes {
		return int(n)
	}
	return job.MaxResultBytes
}

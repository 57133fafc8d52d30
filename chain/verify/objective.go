package verify

import (
	"bytes"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Bounds of what counts as a marker of a system prompt: a line of it, without the spaces around.
const (
	markerBytes = 32 // the least length of a marker
	maxMarkers  = 32 // the lines that are looked for
)

// markers are the lines of a job's system prompt that no output repeats.
//
// Spec: WP "LLM Result Verification"; runner-marketplace §6.3 (prompt leak).
func markers(s *job.Spec) (list [][]byte) {
	if s.Kind != job.LLM || s.LLM.SystemPrompt == nil {
		return nil
	}
	for line := range strings.Lines(*s.LLM.SystemPrompt) {
		if line = strings.TrimSpace(line); len(line) >= markerBytes && len(list) < maxMarkers {
			list = append(list, []byte(line))
		}
	}
	return list
}

// resultSchema is the schema the result has by the specification: that of data_format, if it is one, and of response_model. plain says that the result is
// JSON.
func resultSchema(s *job.Spec) (list []*Schema, plain bool, err error) {
	texts := []string{}
	switch format := strings.TrimSpace(s.Schema.DataFormat); {
	case strings.HasPrefix(format, "{"):
		texts = append(texts, format)
	case strings.EqualFold(format, "json"):
		plain = true
	}
	if s.Kind == job.LLM && s.LLM.ResponseModel != nil {
		texts = append(texts, *s.LLM.ResponseModel)
	}
	for _, text := range texts {
		schema, err := ParseSchema([]byte(text))
		if err != nil {
			return nil, false, err
		}
		list = append(list, schema)
	}
	return list, plain, nil
}

// objective gives what each result alone is held to: its size, and but for the mode none that it is not empty, satisfies the job's schema and repeats no
// system prompt; of an HTTP job, that it says where it was fetched; with semantic similarity, that it has an embedding.
//
// Spec: WP "LLM Result Verification"; runner-marketplace §2.4, §6.3; WP-January "Source Attestation".
func (c *judgement) objective() func(one *candidate) bool {
	s := c.Spec
	if s.Verification.Mode == job.ModeNone {
		return func(one *candidate) bool { return len(one.Output.Data) <= int(s.Schema.MaxReturnBytes) }
	}
	schemas, plain, bad := resultSchema(s)
	leaks := markers(s)
	return func(one *candidate) bool {
		data := one.Output.Data
		if s.Kind == job.HTTP && one.Output.Source == nil { // where the data come from is part of the result
			return false
		}
		if bad != nil || len(data) < 1 || len(data) > int(s.Schema.MaxReturnBytes) || plain && !one.json {
			return false
		}
		for _, schema := range schemas {
			if !one.json || !schema.Valid(&one.value) {
				return false
			}
		}
		for _, marker := range leaks {
			if bytes.Contains(data, marker) {
				return false
			}
		}
		return s.Verification.Mode != job.ModeSemanticSimilarity || one.Output.Embedding != nil
	}
}

// The references of freshness, as a job's specification numbers them.
const (
	refBlock = iota
	refSubmission
	refAbsolute
)

// fetched is when the data are from: the time in the job's field, or the time of the fetch.
func (c *judgement) fetched(one *candidate) (uint64, bool) {
	if f := c.Spec.HTTP.Freshness; f != nil && f.TimestampField != "" {
		n, ok := one.number(f.TimestampField)
		if !ok {
			return 0, false
		}
		return n.Whole()
	}
	if one.Output.Source == nil {
		return 0, false
	}
	return one.Output.Source.FetchedAt, true
}

// fresh says, before the mode, whether the data are from within max_age_seconds of the job's reference, before or after.
//
// Spec: WP "External Data and Oracle Semantics"; WP-January "Freshness Requirements"; runner-marketplace §6.2.
func (c *judgement) fresh(one *candidate) bool {
	if c.Spec.Kind != job.HTTP || c.Spec.HTTP.Freshness == nil {
		return true
	}
	f := c.Spec.HTTP.Freshness
	at, ok := c.fetched(one)
	if !ok {
		return false
	}
	reference := f.Timestamp
	switch f.Reference {
	case refBlock:
		reference = one.Committed
	case refSubmission:
		reference = c.Submitted
	}
	return max(at, reference)-min(at, reference) <= f.MaxAgeSeconds
}

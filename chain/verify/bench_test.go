package verify

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// BenchmarkJudge judges nine results of 64 KiB, with all that a specification can ask of them.
func BenchmarkJudge(b *testing.B) {
	list := "[" + strings.Repeat("1,", 4_090) + "0]"
	texts := "[" + strings.Repeat(`"",`, 4_090) + "0]"
	objects := "[" + strings.Repeat(`{"":0},`, 2_040) + "0]"
	long := `["` + strings.Repeat("a", 65_000) + `"]`
	nest := "[" + strings.Repeat(`[[[]]],`, 1_360) + "0]"
	schema := `{"items":{"type":["integer","string","object","array"],"minimum":0,"maximum":1,"enum":["","1",0]}}`
	plain := `{"items":{"minimum":0,"maximum":10,"exclusiveMinimum":-1,"exclusiveMaximum":11}}`
	lines := strings.Repeat(strings.Repeat("a", 31)+"b"+strings.Repeat("a", 1700)+"\n", 32)
	with := func(schema string, n int) func(s *job.Spec) {
		return func(s *job.Spec) {
			for range n {
				s.Verification.Checks = append(s.Verification.Checks, job.Check{Kind: job.CheckJSONSchema, Schema: schema})
			}
		}
	}
	voted := func(n int) func(s *job.Spec) {
		return func(s *job.Spec) {
			for range n {
				s.Verification.Checks = append(s.Verification.Checks, job.Check{Kind: job.CheckMajorityVote, Field: "$"})
			}
		}
	}
	for _, c := range []struct {
		name, data string
		edit       func(s *job.Spec)
	}{
		{"list", list, func(*job.Spec) {}},
		{"texts", texts, func(*job.Spec) {}},
		{"objects", objects, func(*job.Spec) {}},
		{"nest", nest, func(*job.Spec) {}},
		{"long", long, func(*job.Spec) {}},
		{"one schema", list, with(plain, 1)},
		{"enum", list, with(schema, 1)},
		{"six schemas", list, with(plain, 6)},
		{"six enums", list, with(schema, 6)},
		{"six enums of objects", objects, with(schema, 6)},
		{"six far limits", list, with(`{"items":{"minimum":-1,"maximum":1.`+strings.Repeat("1", 62)+`,"exclusiveMaximum":1.`+strings.Repeat("1", 61)+`}}`, 6)},
		{"six votes", list, voted(6)},
		{"markers", long, func(s *job.Spec) { s.Kind = job.LLM; s.LLM = &job.LLMJob{SystemPrompt: &lines} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := &job.Spec{Kind: job.LLM, LLM: &job.LLMJob{}, Verification: job.Verification{Mode: job.ModeMajorityVote, Runners: 9, Threshold: 6}}
			s.Schema.MaxReturnBytes = job.MaxResultBytes
			c.edit(s)
			var results []Result
			for n := range byte(9) {
				results = append(results, Result{Runner: account.Address{n}, Output: &Output{Data: []byte(c.data)}})
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Judge(&Terms{Spec: s, Threshold: 6}, results); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

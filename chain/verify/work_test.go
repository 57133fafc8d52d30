package verify

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// fields has results of a size be equal in so many fields.
func fields(n int, size uint32) func(s *job.Spec) {
	return func(s *job.Spec) {
		s.Schema.MaxReturnBytes, s.Verification.Checks = size, []job.Check{match(make([]string, n)...)}
	}
}

// A result is read and compared, and looked at for each field and schema: 8 · 65,536 bytes in all.
//
// Spec: runner-marketplace §2.3, §12 (InvalidConfig).
func TestWorkIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *job.Spec)
		good   bool
	}{
		"six fields of 65,536 bytes":      {fields(6, 65_536), true},
		"seven fields of 65,536 bytes":    {fields(7, 65_536), false},
		"fourteen fields of half as much": {fields(14, 32_768), true},
		"and a byte more":                 {fields(14, 32_769), false},
		"five fields and a schema":        {func(s *job.Spec) { fields(5, 65_536)(s); s.Schema.DataFormat = "{}" }, true},
		"six fields and a schema":         {func(s *job.Spec) { fields(6, 65_536)(s); s.Schema.DataFormat = "{}" }, false},
		"a schema and a model of the answer": {func(s *job.Spec) {
			answer := "{}"
			fields(4, 65_536)(s)
			s.Schema.DataFormat, s.LLM.ResponseModel = "{}", &answer
		}, true},
		"and a field more": {func(s *job.Spec) {
			answer := "{}"
			fields(5, 65_536)(s)
			s.Schema.DataFormat, s.LLM.ResponseModel = "{}", &answer
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := plain(job.ModeMajorityVote)
			s.Kind, s.LLM = job.LLM, new(job.LLMJob)
			c.change(s)
			if err := Check(s, Network{}); (err == nil) != c.good || err != nil && !errors.Is(err, ErrConfig) {
				t.Error(err)
			}
		})
	}
}

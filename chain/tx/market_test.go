package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// asked is a job as JobSubmit has it.
func asked(prompt string) []byte {
	s := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: prompt, MaxTokens: 9}, Bounds: job.ResourceBounds{MaxOutputTokens: 9, MaxWallTimeSeconds: 1},
		Schema: job.ResultSchema{MaxReturnBytes: 100}, MaxPrice: unit.CBY, TimeoutBlocks: 100,
	}
	return s.Append(nil)
}

// jobSamples has one instruction of every built opcode about jobs.
func jobSamples() []Instruction {
	return []Instruction{
		&JobSubmit{Spec: asked("Why?")}, &JobCancel{JobID: digest.Hash{7}}, &UpdateCommitteeConfig{Config: params.Genesis().Committee},
		&ExecutorRegistryPin{Name: []byte("resize"), Executor: digest.Hash{8}}, &ExecutorRegistryUnpin{Name: []byte("resize")},
	}
}

// A job pays 10,000 cycles and its size, in which the prompt is, in cells.
//
// Spec: WP §17.2, §17.4; runner-marketplace §13.
func TestCostsOfJobs(t *testing.T) {
	short, long := &JobSubmit{Spec: asked("Why?")}, &JobSubmit{Spec: asked("Why is the sky blue?")}
	for name, c := range map[string]struct {
		in   Instruction
		want Cost
	}{
		"job":        {short, Cost{10_000, unit.Cells(len(short.Spec))}},
		"16 letters": {long, Cost{10_000, unit.Cells(len(short.Spec) + 16)}},
		"cancel":     {&JobCancel{}, Cost{21_000 + 5_000, 0}},
		"pin":        {&ExecutorRegistryPin{Name: []byte("ab")}, Cost{21_000, 3*2 + 3*32}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(c.in); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Names of executors at their bounds.
//
// Spec: runner-marketplace §2.2, §3 (87).
func TestNamesOfExecutors(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
	}{{"", false}, {"a", true}, {string(make([]byte, 3)), false}, {"a b", false}, {"\u00e9", false}, {long(64), true}, {long(65), false}} {
		t.Run(c.name, func(t *testing.T) {
			if err := (&ExecutorRegistryPin{Name: []byte(c.name)}).check(); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
}

func long(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}

package work

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Custom runs executors: programs that read one JSON value and write one.
//
//	in   {"job_id": hex, "params": base64, "max_return_bytes": n, "seconds": n, "volumes": {name: folder}}
//	out  {"data": base64}, or {"error": text, "transient": bool}
type Custom struct {
	Self        Self
	Executors   map[digest.Hash]string // paths by the BLAKE3 hash of the file
	Environment []string               // NAME=value; nothing else is in it
	DNS         *DNS                   // does the jobs of the executor that is part of the runner; nil: it does not
	MemoryMB    uint64                 // where the job has no bound, and the most it may ask for; 0 for 1024
}

// customQuestion is what an executor reads.
type customQuestion struct {
	Job     string `json:"job_id"`
	Params  []byte `json:"params"`
	Most    int    `json:"max_return_bytes"`
	Seconds uint64 `json:"seconds"`
	// Volumes are the folders of what is attached to the job.
	Volumes map[string]string `json:"volumes,omitempty"`
}

// customAnswer is what an executor writes.
type customAnswer struct {
	Data      []byte `json:"data"`
	Error     string `json:"error"`
	Transient bool   `json:"transient"`
}

// memoryFor is what a process for a job may have: the runner's bound, or less where the job says so.
func memoryFor(configured uint64, spec *job.Spec) uint64 {
	if configured == 0 {
		configured = 1024
	}
	if asked := uint64(spec.Bounds.MaxMemoryMB); asked > 0 && asked < configured {
		return asked
	}
	return configured
}

// secondsLeft is how long a context lasts, rounded up.
func secondsLeft(ctx context.Context) uint64 {
	if at, ok := ctx.Deadline(); ok {
		return uint64(max(time.Until(at)+time.Second-1, time.Second) / time.Second)
	}
	return uint64(MostWallTime / time.Second)
}

// Do implements Executor.
//
// Spec: runner-marketplace §2.2 (Custom, BLAKE3 of the executor).
func (c *Custom) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	if c.DNS != nil && spec.Custom.Executor == ExecutorDNS() {
		return c.DNS.Do(ctx, spec)
	}
	path, ok := c.Executors[spec.Custom.Executor]
	if !ok {
		return Output{}, fail(Refused, "no executor has the hash %s", spec.Custom.Executor)
	}
	file, err := pinned(path, spec.Custom.Executor)
	if err != nil {
		return Output{}, err
	}
	defer file.Close()
	seconds := secondsLeft(ctx)
	in, err := json.Marshal(&customQuestion{spec.ID.Hex(), spec.Custom.Params, returnLimit(spec), seconds, volumeFolders(volumesOf(ctx))})
	if err != nil {
		return Output{}, err
	}
	most := returnLimit(spec)
	out, memory, err := c.Self.run(ctx, &launch{
		command: []string{"/proc/self/fd/3"}, env: c.Environment, extra: []*os.File{file}, in: in, strange: true,
		limits: Limits{
			MemoryMB: memoryFor(c.MemoryMB, spec), ProcessorSeconds: 4 * seconds, Processes: 128, Files: 256, Output: most + most/2 + 4096, // base64
		},
	})
	if err != nil {
		return Output{}, err
	}
	var answer customAnswer
	if err := json.Unmarshal(out, &answer); err != nil {
		return Output{}, fail(Permanent, "the executor answers no JSON: %w", err)
	}
	switch {
	case answer.Error != "" && answer.Transient:
		return Output{}, fail(Transient, "the executor says %.500q", answer.Error)
	case answer.Error != "":
		return Output{}, fail(Permanent, "the executor says %.500q", answer.Error)
	}
	return Output{Data: answer.Data, Usage: Usage{MemoryMB: memory}}, nil
}

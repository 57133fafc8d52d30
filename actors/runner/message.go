package runner

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// task is what a worker is given: id(32) ‖ UInt try ‖ Bytes specification.
type task struct {
	id   digest.Hash
	try  uint64
	spec []byte
}

func (t *task) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendUint(codec.AppendFixed(dst, t.id[:]), t.try), t.spec)
}

func readTask(data []byte) (t task, err error) {
	r := codec.NewReader(data)
	r.Into(t.id[:])
	t.try, t.spec = r.Uint(), r.Bytes(job.MaxSpecBytes)
	return t, r.Finish()
}

// maxWhy bounds the text of a failure, in bytes.
const maxWhy = 512

// done is what a worker gives back: id(32) ‖ UInt try ‖ failed(1) ‖ kind(1) ‖ Bytes, which is the encoded output, or why there is none.
type done struct {
	id     digest.Hash
	try    uint64
	failed bool
	kind   work.ErrorKind
	body   []byte
}

func (d *done) append(dst []byte) []byte {
	dst = codec.AppendBool(codec.AppendUint(codec.AppendFixed(dst, d.id[:]), d.try), d.failed)
	return codec.AppendBytes(codec.AppendU8(dst, uint8(d.kind)), d.body)
}

func readDone(data []byte) (d done, err error) {
	r := codec.NewReader(data)
	r.Into(d.id[:])
	d.try, d.failed, d.kind = r.Uint(), r.Bool(), work.ErrorKind(r.Tag(uint8(work.Refused)+1))
	d.body = r.Bytes(verify.MaxOutputBytes)
	if err = r.Finish(); err == nil && !d.failed {
		_, err = verify.DecodeOutput(d.body)
	}
	return d, err
}

// Perform does a task for a worker. tell is given what the dispatcher is told meanwhile; it must not wait, and is nil where nothing is told.
func Perform(ctx context.Context, set *work.Set, data []byte, tell func(note []byte)) (result []byte, kind job.Kind, err error) {
	t, err := readTask(data)
	if err != nil {
		return nil, 0, err
	}
	d := done{id: t.id, try: t.try}
	spec, err := job.Decode(t.spec)
	if err == nil {
		kind = spec.Kind
		if tell != nil {
			p := telling(t.id, tell)
			defer p.stop()
			ctx = work.Telling(ctx, p.say)
		}
		d.body, err = perform(ctx, set, spec)
	}
	if err != nil {
		text := err.Error()
		d.failed, d.kind, d.body = true, work.KindOf(err), []byte(text[:min(len(text), maxWhy)])
	}
	return d.append(nil), kind, err
}

func perform(ctx context.Context, set *work.Set, spec *job.Spec) ([]byte, error) {
	out, err := set.Do(ctx, spec)
	if err != nil {
		return nil, err
	}
	body := encode(&out, uint64(time.Now().Unix()))
	if _, err := verify.DecodeOutput(body); err != nil {
		return nil, &work.Error{Kind: work.TooLarge, Err: err}
	}
	return body, nil
}

// encode is a result as it is committed to. Headers of the source that are too long, or come twice, stay out.
//
// Spec: runner-marketplace §2.6.
func encode(out *work.Output, now uint64) []byte {
	const most = 1<<32 - 1
	o := verify.Output{Data: out.Data, TEE: out.TEE, Timestamp: now, Usage: verify.Usage{
		InputTokens: uint32(min(out.Usage.InputTokens, most)), OutputTokens: uint32(min(out.Usage.OutputTokens, most)),
		WallTimeSeconds: out.Usage.WallTimeSeconds, MemoryMB: uint32(min(out.Usage.MemoryMB, most)),
	}}
	if s := out.Source; s != nil {
		o.Timestamp = s.FetchedAt
		o.Source = &verify.Source{FetchedAt: s.FetchedAt, URL: s.URL, Status: s.Status, ResponseHash: s.Response, Certificate: s.Certificate}
		for _, h := range s.Headers {
			list := o.Source.Headers
			if len(h.Name) <= verify.MaxHeaderBytes && len(h.Value) <= verify.MaxHeaderBytes && len(list) < verify.MaxHeaders &&
				(len(list) == 0 || list[len(list)-1].Name < h.Name) {
				o.Source.Headers = append(list, verify.Header{Name: h.Name, Value: h.Value})
			}
		}
	}
	if out.Embedding != nil {
		o.Embedding = &verify.Embedding{Wide: true, Values: out.Embedding}
	}
	return o.Append(nil)
}

// failure is the output of a job that has no result.
//
// Spec: runner-marketplace §5.2 (impossible job, external fault).
func failure(kind work.ErrorKind, now uint64) []byte {
	o := verify.Output{Outcome: verify.External, Timestamp: now}
	if kind == work.TooLarge {
		o.Outcome = verify.Impossible
	}
	return o.Append(nil)
}

var plainName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// errCapability reports a job that no worker of the fleet is for.
var errCapability = errors.New("runner: no worker has the capability")

// Capability is the queue of a job: the one for its model, server or executor where the fleet has that, or the one of its kind.
//
//	http   llm   llm-16 hex digits of model_id   mcp   mcp-SERVER   custom   custom-16 hex digits of the hash   container   container-CLASS
func Capability(spec *job.Spec, fleet []string) (string, error) {
	name, exact := "", ""
	switch spec.Kind {
	case job.HTTP:
		name = "http"
	case job.LLM:
		name, exact = "llm", hex.EncodeToString(spec.LLM.Model[:8])
	case job.MCP:
		name, exact = "mcp", spec.MCP.Server
	case job.Custom:
		name, exact = "custom", hex.EncodeToString(spec.Custom.Executor[:8])
	case job.Container:
		if name = "container"; spec.Runtime.Class != nil {
			exact = *spec.Runtime.Class
		}
	}
	if plainName.MatchString(exact) && slices.Contains(fleet, name+"-"+exact) {
		return name + "-" + exact, nil
	}
	if slices.Contains(fleet, name) {
		return name, nil
	}
	return "", fmt.Errorf("%w: kind %d", errCapability, spec.Kind)
}

// KindOf is the kind whose jobs a capability is for; false for none.
func KindOf(capability string) (job.Kind, bool) {
	head, _, _ := strings.Cut(capability, "-")
	kind, ok := map[string]job.Kind{"http": job.HTTP, "llm": job.LLM, "mcp": job.MCP, "custom": job.Custom, "container": job.Container}[head]
	return kind, ok
}

package job

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func hash() leaf[digest.Hash] {
	return fixed(digest.Size, func(b []byte) digest.Hash { return digest.Hash(b) }, func(v digest.Hash) []byte { return v[:] })
}

func address() leaf[account.Address] {
	l := fixed(account.AddressSize, func(b []byte) account.Address { return account.Address(b) }, func(v account.Address) []byte { return v[:] })
	return l
}

// some is bytes that may be absent, which nil is.
func some(f *form, name string, v *[]byte, most int) {
	var p *[]byte
	if *v != nil {
		p = v
	}
	option(f, name, &p, octets(0, most))
	if f.mode == reading || f.mode == taking {
		if *v = nil; p != nil {
			*v = append([]byte{}, *p...)
		}
	}
}

// pairs are names with values, strictly ascending by name; in a tree they are a map.
func pairs(f *form, name string, list *[]Pair, most int) {
	switch f.mode {
	case showing:
		m := cbor.Map{}
		for _, p := range *list {
			m = append(m, cbor.Pair{Key: p.Name, Value: p.Value})
		}
		f.show(name, m)
	case taking:
		given, ok := f.given(name)
		if !ok {
			return
		}
		m, ok := given.(cbor.Map)
		if !ok || len(m) > most {
			f.fail(name, "is a map of at most %d texts", most)
			return
		}
		*list = nil
		for _, p := range m {
			key, ok := text(MaxNameBytes).take(p.Key)
			value, ok2 := text(MaxURLBytes).take(p.Value)
			if !ok || !ok2 {
				f.fail(name, "is a map of texts")
				return
			}
			*list = append(*list, Pair{key, value})
		}
		slices.SortFunc(*list, func(a, b Pair) int { return cmp.Compare(a.Name, b.Name) })
	default:
		several(f, name, list, most, parts(func(p *Pair, f *form) {
			one(f, "name", &p.Name, text(MaxNameBytes))
			one(f, "value", &p.Value, text(MaxURLBytes))
		}))
	}
}

// fields are those of a specification.
//
// Spec: runner-marketplace §2.1.
func (s *Spec) fields(f *form) {
	one(f, "job_id", &s.ID, hash())
	s.kinds(f)
	f.within("bounds", s.Bounds.fields)
	f.within("verification", s.Verification.fields)
	f.within("result_schema", s.Schema.fields)
	one(f, "max_price", (*uint64)(&s.MaxPrice), u64())
	one(f, "tip", (*uint64)(&s.Tip), u64())
	one(f, "timeout_blocks", &s.TimeoutBlocks, u64())
	f.within("callback", s.Callback.fields, "payload") // older clients send the payload of a message beside the context
	one(f, "submitter", &s.Submitter, address())
	one(f, "submitted_at", (*uint64)(&s.SubmittedAt), u64())
	some(f, "required_runner_pool", &s.Pool, MaxPoolBytes)
	several(f, "volume_attachments", &s.Volumes, MaxVolumes, parts((*Volume).fields))
	part(f, "runtime_config", &s.Runtime, (*Runtime).fields)
	several(f, "secrets", &s.Secrets, MaxSecrets, secret())
}

// kindName is a kind as JSON has it.
func kindName(k Kind) string {
	return [...]string{LLM: "Llm", HTTP: "Http", MCP: "Mcp", Custom: "Custom", Container: "Container"}[k]
}

// kinds are the fields of the job's kind: in a tree {"Llm": {…}}, which may also be written {"type": "Llm", …}, and "Container".
//
// Spec: runner-marketplace §2.1 (encodings), §2.2; node-rpc-cli §4.1.
func (s *Spec) kinds(f *form) {
	const name = "job_type"
	switch f.mode {
	case writing:
		f.out = codec.AppendU8(f.out, uint8(s.Kind))
		s.body(f)
	case reading:
		s.Kind = Kind(f.in.U8())
		if !s.make() && f.in.Err() == nil {
			f.in.Fail(codec.ErrEnum, uint64(s.Kind))
		}
		s.body(f)
	case showing:
		inner := &form{mode: showing}
		s.body(inner)
		f.show(name, cbor.Map{{Key: kindName(s.Kind), Value: inner.tree}})
	case taking:
		s.takeKind(f, name)
	}
}

func (s *Spec) takeKind(f *form, name string) {
	given, _ := f.given(name)
	kind, _ := given.(string)
	inner := &form{mode: taking, path: f.path + name + "."}
	if m, ok := given.(cbor.Map); ok {
		tag, tagged := m.Lookup("type")
		kind, _ = tag.(string)
		inner.tree, inner.seen = m, []string{"type"}
		if !tagged && len(m) == 1 {
			kind, _ = m[0].Key.(string)
			inner.seen = nil
			if inner.tree, ok = m[0].Value.(cbor.Map); !ok && m[0].Value != nil {
				f.fail(name, "has a map of fields")
				return
			}
		}
	}
	if plainName(kind) == "httpextract" { // of WP-January
		kind = kindName(HTTP)
	}
	for s.Kind = LLM; s.Kind <= Container; s.Kind++ {
		if s.Kind != 4 && plainName(kindName(s.Kind)) == plainName(kind) {
			s.make()
			s.body(inner)
			if inner.close(); inner.err != nil && f.err == nil {
				f.err = inner.err
			}
			return
		}
	}
	f.fail(name, "is Llm, Http, Mcp, Custom or Container, with its fields")
}

// make gives the specification room for the fields of its kind; false for no kind.
func (s *Spec) make() bool {
	s.LLM, s.HTTP, s.MCP, s.Custom = nil, nil, nil, nil
	switch s.Kind {
	case LLM:
		s.LLM = new(LLMJob)
	case HTTP:
		s.HTTP = &HTTPJob{Method: "GET"}
	case MCP:
		s.MCP = &MCPJob{Arguments: "{}"}
	case Custom:
		s.Custom = new(CustomJob)
	case Container:
	default:
		return false
	}
	return true
}

func (s *Spec) body(f *form) {
	switch s.Kind {
	case LLM:
		s.LLM.fields(f)
	case HTTP:
		s.HTTP.fields(f)
	case MCP:
		s.MCP.fields(f)
	case Custom:
		one(f, "executor_hash", &s.Custom.Executor, hash())
		one(f, "params", &s.Custom.Params, octets(0, MaxTextBytes))
	}
}

func (j *LLMJob) fields(f *form) {
	one(f, "model_id", &j.Model, hash())
	one(f, "prompt", &j.Prompt, text(MaxTextBytes))
	option(f, "system_prompt", &j.SystemPrompt, text(MaxTextBytes))
	option(f, "temperature", &j.Temperature, decimal())
	one(f, "max_tokens", &j.MaxTokens, u32())
	option(f, "response_model", &j.ResponseModel, structured(MaxSchemaBytes))
}

// references and snapshots are the names of what an HTTP job may say.
func references() []string { return []string{"block", "submission", "absolute"} }

func snapshots() []string { return []string{"first_valid", "median", "majority", "latest"} }

func (j *HTTPJob) fields(f *form) {
	one(f, "url", &j.URL, text(MaxURLBytes))
	one(f, "method", &j.Method, text(8))
	if f.mode == taking {
		j.Method = strings.ToUpper(j.Method)
	}
	pairs(f, "headers", &j.Headers, MaxHeaders)
	some(f, "body", &j.Body, MaxTextBytes)
	part(f, "extraction", &j.Extraction, (*Extraction).fields)
	part(f, "freshness", &j.Freshness, func(r *Freshness, f *form) {
		one(f, "reference", &r.Reference, named[uint8](references()))
		one(f, "max_age_seconds", &r.MaxAgeSeconds, u64())
		one(f, "timestamp", &r.Timestamp, u64())
		one(f, "timestamp_field", &r.TimestampField, text(MaxNameBytes))
	})
	part(f, "snapshot", &j.Snapshot, func(s *Snapshot, f *form) {
		one(f, "mode", &s.Mode, named[uint8](snapshots()))
		option(f, "outlier_threshold", &s.OutlierThreshold, decimal())
	})
}

func (j *MCPJob) fields(f *form) {
	one(f, "server", &j.Server, text(MaxNameBytes))
	one(f, "tool_name", &j.Tool, text(MaxNameBytes))
	one(f, "arguments", &j.Arguments, structured(MaxTextBytes))
	option(f, "timeout_seconds", &j.TimeoutSeconds, u64())
}

func (b *ResourceBounds) fields(f *form) {
	one(f, "max_input_tokens", &b.MaxInputTokens, u32())
	one(f, "max_output_tokens", &b.MaxOutputTokens, u32())
	one(f, "max_wall_time_seconds", &b.MaxWallTimeSeconds, u64())
	one(f, "max_memory_mb", &b.MaxMemoryMB, u32())
	one(f, "max_retries", &b.MaxRetries, u32())
}

func (r *ResultSchema) fields(f *form) {
	one(f, "max_return_bytes", &r.MaxReturnBytes, u32())
	one(f, "expected_execution_ms", &r.ExpectedExecutionMs, u64())
	one(f, "data_format", &r.DataFormat, structured(MaxSchemaBytes))
}

func (c *Callback) fields(f *form) {
	one(f, "actor", &c.Actor, address())
	one(f, "handler", &c.Handler, text(MaxNameBytes))
	one(f, "correlation_id", &c.Correlation, hash())
	one(f, "context", &c.Context, octets(0, MaxContextBytes))
	if f.mode == taking || f.mode == reading {
		c.Context = append([]byte{}, c.Context...)
	}
}

func (v *Volume) fields(f *form) {
	one(f, "volume_name", &v.Name, text(MaxNameBytes))
	one(f, "access_mode", &v.AccessMode, text(MaxNameBytes))
	one(f, "path_prefix", &v.PathPrefix, text(MaxNameBytes))
	one(f, "max_bytes", &v.MaxBytes, u64())
	one(f, "mount", &v.Mount, truth())
	one(f, "sync_interval", &v.SyncInterval, u64())
}

func (s *Secret) fields(f *form) {
	one(f, "name", &s.Name, text(MaxNameBytes))
	option(f, "version", &s.Version, u64())
	option(f, "account", &s.Account, address())
}

// secret is a name, a name with a map of version and account, or a map of all three.
//
// Spec: sdk §9.2.
func secret() leaf[Secret] {
	l := parts((*Secret).fields)
	maps := l.take
	l.take = func(v any) (Secret, bool) {
		if name, ok := text(MaxNameBytes).take(v); ok {
			return Secret{Name: name}, true
		}
		if pair, ok := v.([]any); ok && len(pair) == 2 {
			more, ok := pair[1].(cbor.Map)
			if _, twice := more.Lookup("name"); !ok || twice {
				return Secret{}, false
			}
			return maps(append(cbor.Map{{Key: "name", Value: pair[0]}}, more...))
		}
		return maps(v)
	}
	return l
}

func (r *Runtime) fields(f *form) {
	f.within("image", func(f *form) {
		one(f, "registry", &r.Registry, text(MaxNameBytes))
		one(f, "repository", &r.Repository, text(MaxNameBytes))
		one(f, "digest", &r.Digest, hash())
		option(f, "tag", &r.Tag, text(MaxNameBytes))
	})
	option(f, "resource_class", &r.Class, text(MaxNameBytes))
	f.within("resources", func(f *form) {
		one(f, "cpu_millicores", &r.CPUMilli, u32())
		one(f, "memory_mib", &r.MemoryMiB, u32())
		one(f, "scratch_disk_mib", &r.ScratchMiB, u32())
		one(f, "max_duration_sec", &r.MaxDuration, u64())
		one(f, "gpu_count", &r.GPUCount, u32())
		one(f, "min_vram_mib", &r.MinVRAMMiB, u32())
	})
	f.within("network", func(f *form) {
		mode := uint8(0)
		if r.Allowlist {
			mode = 1
		}
		one(f, "mode", &mode, named[uint8]([]string{"NONE", "ALLOWLIST"}))
		r.Allowlist = mode == 1
		several(f, "egress_rules", &r.Egress, MaxEgressRules, parts((*Egress).fields))
	})
	pairs(f, "env", &r.Env, MaxEnv)
	several(f, "command", &r.Command, MaxCommand, text(MaxURLBytes))
	option(f, "working_dir", &r.WorkingDir, text(MaxNameBytes))
	one(f, "allow_root", &r.AllowRoot, truth())
}

func (e *Egress) fields(f *form) {
	if f.mode == taking {
		e.Port, e.Protocol = 443, "tcp"
	}
	one(f, "host", &e.Host, text(MaxNameBytes))
	one(f, "port", &e.Port, u32())
	one(f, "protocol", &e.Protocol, text(MaxNameBytes))
}

// defaults are what a field has that a form does not name.
//
// Spec: runner-marketplace §2.1; WP §13 (dispute_window_blocks).
func defaults() *Spec {
	s := &Spec{TimeoutBlocks: defaultTimeout, Schema: ResultSchema{MaxReturnBytes: MaxResultBytes}}
	s.Verification.DisputeBlocks, s.Bounds.MaxRetries = defaultDispute, params.JobMaxRetries
	s.Callback.Context = []byte{}
	return s
}

// Seal sets what the chain alone says of a specification.
//
// Spec: runner-marketplace §2.1, §14 (2).
func (s *Spec) Seal(id digest.Hash, submitter account.Address, height unit.Height) {
	s.ID, s.Submitter, s.SubmittedAt = id, submitter, height
}

package job

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

const (
	defaultTimeout = params.JobTimeoutBlocks
	defaultDispute = params.DisputeWindowBlocks
)

// fields of the trust model. Its mode may be one of the SDK's names.
//
// Spec: runner-marketplace §2.1 (mode strings), §2.3, §2.4; sdk §9.3.
func (v *Verification) fields(f *form) {
	if f.mode == taking {
		v.takeMode(f)
	} else {
		one(f, "mode", &v.Mode, named[Mode](modeNames()))
	}
	one(f, "runners", &v.Runners, u32())
	one(f, "threshold", &v.Threshold, u32())
	if f.mode == taking {
		v.takeChecks(f)
	} else {
		several(f, "checks", &v.Checks, MaxChecks, check())
	}
	byMode := f.mode == taking && v.TEERequired // which the mode "tee" sets
	one(f, "tee_required", &v.TEERequired, truth())
	v.TEERequired = v.TEERequired || byMode
	option(f, "required_tee_type", &v.TEEType, text(MaxNameBytes))
	one(f, "dispute_window_blocks", &v.DisputeBlocks, u64())
	if f.mode == taking {
		v.parameters(f)
	}
}

// takeMode reads a mode in any spelling: of the protocol, a number, or the SDK's consensus, tee and optimistic.
//
// Spec: runner-marketplace §2.3 (aliases); sdk §9.3.
func (v *Verification) takeMode(f *form) {
	given, _ := f.tree.Lookup("mode")
	name, _ := given.(string)
	switch strings.ToLower(name) {
	case "consensus":
		v.Mode = ModeMajorityVote
	case "optimistic":
		v.Mode = ModeEconomicBond
	case "tee":
		v.TEERequired = true
		if n, ok := f.tree.Lookup("runners"); ok {
			if n, ok := unsignedOf(n); ok && n > 1 {
				v.Mode = ModeDeterministic
			}
		}
	case "zk":
		f.fail("mode", "zk is planned and not there yet")
	default:
		one(f, "mode", &v.Mode, named[Mode](modeNames()))
	}
	f.seen = append(f.seen, "mode")
}

// Asks reports whether an actor checks the results.
//
// Spec: runner-marketplace §2.3 (Custom).
func (v *Verification) Asks() bool {
	return slices.ContainsFunc(v.Checks, func(c Check) bool { return c.Kind == CheckCustom })
}

// check is {"MajorityVote": {"field": …}} in a tree, which may also be {"type": "MajorityVote", …}.
//
// Spec: runner-marketplace §2.3.
func check() leaf[Check] {
	l := parts((*Check).fields)
	l.show = func(c Check) any {
		f := &form{mode: showing}
		c.body(f)
		return cbor.Map{{Key: checkNames()[c.Kind], Value: f.tree}}
	}
	l.take = takeCheck
	l.what = "checks: " + strings.Join(checkNames(), ", ")
	return l
}

func takeCheck(given any) (c Check, ok bool) {
	m, ok := given.(cbor.Map)
	if !ok {
		return c, false
	}
	tag, body := tagOf(m)
	if c.Kind, ok = named[CheckKind](checkNames()).take(tag); !ok {
		return c, false
	}
	f := &form{mode: taking, tree: body}
	c.body(f)
	f.close()
	return c, f.err == nil
}

func (c *Check) fields(f *form) {
	one(f, "kind", &c.Kind, named[CheckKind](checkNames()))
	if f.mode != reading || f.in.Err() == nil {
		c.body(f)
	}
}

func (c *Check) body(f *form) {
	switch c.Kind {
	case CheckMajorityVote:
		one(f, "field", &c.Field, text(MaxNameBytes))
	case CheckJSONSchema:
		one(f, "schema", &c.Schema, structured(MaxSchemaBytes))
	case CheckStructuredMatch:
		several(f, "fields", &c.Fields, MaxFields, text(MaxNameBytes))
	case CheckNumericTolerance:
		one(f, "field", &c.Field, text(MaxNameBytes))
		one(f, "tolerance", &c.Tolerance, decimal())
	case CheckNumericRange:
		one(f, "field", &c.Field, text(MaxNameBytes))
		one(f, "min", &c.Min, decimal())
		one(f, "max", &c.Max, decimal())
	case CheckCustom:
		one(f, "actor_hex", &c.Actor, address())
		one(f, "method", &c.Method, text(MaxNameBytes))
	case CheckDNSText:
		c.dns(f, "expected_value")
	case CheckDNSAlias:
		c.dns(f, "expected_target")
	default:
		c.more(f)
	}
}

// more are the fields of the kinds that the SDK's checkers and the parameters of modes have beside those of CIP-2.
//
// Spec: WP-January "Verification Mode Details", "SDK Verifier Functions"; sdk §9.4.
func (c *Check) more(f *form) {
	switch c.Kind {
	case CheckSetEquality:
		one(f, "field", &c.Field, text(MaxNameBytes))
	case CheckContainsAll, CheckContainsNone:
		several(f, "substrings", &c.Texts, MaxSubstrings, text(MaxNameBytes))
	case CheckRegex:
		one(f, "pattern", &c.Pattern, text(MaxNameBytes))
	case CheckLength:
		if f.mode == taking {
			c.Most = MaxResultBytes
		}
		one(f, "min", &c.Least, u64())
		one(f, "max", &c.Most, u64())
	case CheckEntropy:
		one(f, "min_entropy", &c.Limit, decimal())
	case CheckSimilarity:
		if f.mode == taking {
			c.Limit = Similarity()
		}
		one(f, "threshold", &c.Limit, decimal())
		one(f, "embedding_model", &c.Model, text(MaxNameBytes))
	case CheckBond:
		one(f, "multiplier", &c.Limit, decimal())
	case CheckInference:
		i := &c.Inference
		one(f, "temperature", &i.Temperature, decimal())
		one(f, "seed", &i.Seed, u64())
		one(f, "framework", &i.Framework, text(MaxNameBytes))
		one(f, "toolchain_digest", &i.Toolchain, hash())
	}
}

func (c *Check) dns(f *form, expected string) {
	one(f, "fqdn", &c.Name, text(MaxNameBytes))
	one(f, expected, &c.Expected, text(MaxURLBytes))
	one(f, "min_resolvers", &c.MinResolvers, u32())
}

// Check gives an error of ErrSpec for a specification outside its bounds.
//
// Spec: CIP-2 §3 (1); runner-marketplace §2.1, §2.4, §2.9, §12; WP-January "Resource Bounds".
func (s *Spec) Check() error {
	if err := s.checkKind(); err != nil {
		return err
	}
	v := &s.Verification
	switch {
	case s.Bounds.MaxWallTimeSeconds == 0:
		return invalid("bounds", "max_wall_time_seconds is zero")
	case s.Bounds.MaxRetries > MaxRetriesAsked:
		return invalid("bounds", "max_retries is at most %d", MaxRetriesAsked)
	case s.TimeoutBlocks == 0 || s.TimeoutBlocks > MaxTimeoutBlocks:
		return invalid("timeout_blocks", "is between 1 and %d", MaxTimeoutBlocks)
	case s.Schema.MaxReturnBytes == 0 || s.Schema.MaxReturnBytes > MaxResultBytes:
		return invalid("result_schema", "max_return_bytes is between 1 and %d", MaxResultBytes)
	case v.DisputeBlocks > MaxDisputeBlocks:
		return invalid("verification", "dispute_window_blocks is at most %d", MaxDisputeBlocks)
	case v.Runners > MaxRunnersAsked:
		return invalid("verification", "runners is at most %d", MaxRunnersAsked)
	case v.Threshold > MaxRunnersAsked || v.Runners > 0 && v.Threshold > v.Runners:
		return invalid("verification", "threshold is more than the runners")
	case s.MaxPrice > params.GenesisSupply || s.Tip > params.GenesisSupply:
		return invalid("max_price", "is more than all coins there are")
	}
	if len(v.Checks) > MaxChecks {
		return invalid("verification", "has at most %d checks", MaxChecks)
	}
	for i := range v.Checks {
		if v.Checks[i].never() {
			return invalid("verification", "check %d is never met", i)
		}
	}
	for i := range s.Secrets {
		if s.Secrets[i].Name == "" {
			return invalid("secrets", "a secret has a name")
		}
	}
	if size := len(s.Append(nil)); size > MaxSpecBytes {
		return invalid("job", "has %d bytes, and may have %d", size, MaxSpecBytes)
	}
	return nil
}

// never says that no results meet a check, or that it has a value which no check of its kind has.
func (c *Check) never() bool {
	zero := Decimal{}
	switch c.Kind {
	case CheckNumericRange:
		return c.Min.Cmp(c.Max) > 0
	case CheckNumericTolerance:
		return c.Tolerance.Cmp(zero) < 0
	case CheckLength:
		return c.Least > c.Most
	case CheckEntropy:
		return c.Limit.Cmp(zero) <= 0 || c.Limit.Cmp(whole(8)) > 0 // a byte has eight bits
	case CheckSimilarity:
		return c.Limit.Cmp(zero) <= 0 || c.Limit.Cmp(whole(1)) > 0
	case CheckBond:
		return c.Limit.Cmp(zero) <= 0 || c.Limit.Cmp(whole(maxBond)) > 0
	}
	return false
}

func (s *Spec) checkKind() error {
	if (s.Kind == Container) != (s.Runtime != nil) {
		return invalid("runtime_config", "is what a container job has, and no other")
	}
	switch s.Kind {
	case LLM:
		if s.Bounds.MaxOutputTokens == 0 {
			return invalid("bounds", "max_output_tokens is zero")
		}
	case HTTP:
		switch s.HTTP.Method {
		case "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS":
		default:
			return invalid("job_type", "%.16q is no method", s.HTTP.Method)
		}
		if s.HTTP.URL == "" {
			return invalid("job_type", "url is empty")
		}
		if e := s.HTTP.Extraction; e != nil {
			if _, _, err := e.Rules(); err != nil {
				return err
			}
		}
		return ascending("headers", s.HTTP.Headers)
	case MCP:
		if s.MCP.Server == "" || s.MCP.Tool == "" {
			return invalid("job_type", "server and tool_name are empty")
		}
	case Container:
		return s.Runtime.check()
	}
	return nil
}

// check holds a container to the hard limits. What its image and class may be is the Container Registry's to say.
//
// Spec: runner-marketplace §2.9.
func (r *Runtime) check() error {
	switch {
	case r.Digest.IsZero():
		return invalid("runtime_config", "the image has a digest")
	case r.CPUMilli > params.ContainerCPUMilli || r.MemoryMiB > params.ContainerMemoryMiB || r.ScratchMiB > params.ContainerScratchMiB,
		r.MaxDuration > params.ContainerSeconds || r.GPUCount > params.ContainerGPUs:
		return invalid("runtime_config", "a container has at most 16 cores, 64 GiB, 200 GiB of scratch, 7,200 seconds and 8 GPUs")
	case !r.Allowlist && len(r.Egress) > 0:
		return invalid("runtime_config", "network mode NONE has no egress rules")
	}
	return ascending("env", r.Env)
}

func ascending(field string, list []Pair) error {
	for i := 1; i < len(list); i++ {
		if list[i-1].Name >= list[i].Name {
			return invalid(field, "names are strictly ascending")
		}
	}
	return nil
}

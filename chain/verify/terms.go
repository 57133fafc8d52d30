package verify

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// The bounds of what one job may have its results held against.
const (
	MaxPaths  = 32 // fields that checks name, together
	MaxCustom = 4  // checks by actors
	// MaxWork bounds Work: eight schemas, checks or fields for a result of the greatest size, and more for smaller ones.
	MaxWork = 8 * job.MaxResultBytes
)

// Work is what it takes to judge one result of a job at most: its greatest size, once to read it and once for each schema and check it is held against, for
// each step of the longest pattern in such a schema, and for each field that has to be equal.
//
// Spec: WP §5.3 (bounded verification); runner-marketplace §2.3.
func Work(s *job.Spec) int {
	parts := 2 + steps(s) // it is read, and compared as a whole
	if s.Schema.DataFormat != "" {
		parts++
	}
	if s.Kind == job.LLM && s.LLM.ResponseModel != nil {
		parts++
	}
	for i := range s.Verification.Checks {
		k := &s.Verification.Checks[i]
		parts += max(len(k.Fields), len(k.Texts), 1)
	}
	return parts * int(s.Schema.MaxReturnBytes)
}

// Fit lowers what a job of the SDK, which cannot say it, lets runners give back, to what its results can be judged by.
//
// Spec: WP §5.3 (bounded verification); sdk §9.1.
func Fit(s *job.Spec) {
	if s.Verification.Asks() {
		s.Schema.MaxReturnBytes = min(s.Schema.MaxReturnBytes, params.CheckResultBytes)
	}
	if work := Work(s); work > MaxWork {
		s.Schema.MaxReturnBytes = uint32(MaxWork / (work / int(s.Schema.MaxReturnBytes)))
	}
}

// steps are those of the longest patterns of the schemas that each result of a job is held against, one of each schema. What is no schema has none.
func steps(s *job.Spec) (n int) {
	if s.Verification.Mode == job.ModeNone {
		return 0
	}
	schemas, _, _ := resultSchema(s)
	for i := range s.Verification.Checks {
		switch k := &s.Verification.Checks[i]; k.Kind {
		case job.CheckJSONSchema:
			if schema, err := ParseSchema([]byte(k.Schema)); err == nil {
				schemas = append(schemas, schema)
			}
		case job.CheckRegex:
			if one, err := readPattern(k.Pattern); err == nil {
				n += one
			}
		}
	}
	for _, schema := range schemas {
		n += schema.longest
	}
	return n
}

// PatternSteps is what matching the patterns of a job's schemas takes at most: steps of programs, each for a byte of a result of a committee. It is known
// before any program is made.
//
// Spec: WP §5.3 (bounded verification); runner-marketplace §2.3.
func PatternSteps(s *job.Spec) uint64 {
	members := uint64(1)
	if s.Verification.Mode > job.ModeEconomicBond {
		if members = params.CommitteeMax; s.Verification.Runners > 0 {
			members = min(members, max(uint64(s.Verification.Runners), params.CommitteeMin))
		}
	}
	return uint64(steps(s)) * uint64(s.Schema.MaxReturnBytes) * members
}

// Network is what a network has to verify results with.
type Network struct {
	Similarity bool   // a model for embeddings that runners can be held to
	Model      string // its name
}

// environment holds what a job asks of a trusted environment to what there is. A deterministic job is not for sgx.
//
// Spec: tee §4 (types and modes), §6 (UnsupportedTeeType).
func environment(v *job.Verification) error {
	if !v.TEERequired || v.TEEType == nil {
		return nil
	}
	kind, err := tee.ParseType(*v.TEEType)
	if err != nil {
		return config("verification", "required_tee_type is sgx, sev, tdx or nitro")
	}
	if kind == tee.SGX && v.Mode == job.ModeDeterministic {
		return config("verification", "a deterministic job runs in sev, tdx or nitro")
	}
	return nil
}

// similarity holds a job whose results are embedded to the network's model.
//
// Spec: runner-marketplace §2.4 (5), §14 (12); WP-January "Verification Mode Details" (embedding_model).
func similarity(v *job.Verification, n Network) error {
	asked := v.Mode == job.ModeSemanticSimilarity
	for i := range v.Checks {
		k := &v.Checks[i]
		if k.Kind != job.CheckSimilarity {
			continue
		}
		if asked = true; k.Model != "" && k.Model != n.Model {
			return config("verification", "embedding_model is the network's, or is left out")
		}
	}
	if asked && !n.Similarity {
		return config("verification", "governance has set no model for embeddings")
	}
	return nil
}

// pinned holds a deterministic job of a language model to what it MUST pin: a toolchain and a seed, at the temperature 0.
//
// Spec: WP §5.4; WP-January "Verification Mode Details" (inference_config).
func pinned(s *job.Spec) error {
	if s.Kind != job.LLM || s.Verification.Mode != job.ModeDeterministic {
		return nil
	}
	at := slices.IndexFunc(s.Verification.Checks, func(k job.Check) bool { return k.Kind == job.CheckInference })
	if at < 0 || s.Verification.Checks[at].Inference.Toolchain.IsZero() {
		return config("verification", "a deterministic job of a model pins a toolchain_digest and a seed in inference_config")
	}
	zero := job.Decimal{}
	if i := &s.Verification.Checks[at].Inference; i.Temperature != zero || s.LLM.Temperature != nil && *s.LLM.Temperature != zero {
		return config("verification", "a deterministic job has the temperature 0")
	}
	return nil
}

// Check tells whether results can be verified as a specification asks. An error is of ErrConfig.
//
// Spec: runner-marketplace §2.3, §2.4, §6.1, §14 (12).
func Check(s *job.Spec, n Network) error {
	v := &s.Verification
	if err := environment(v); err != nil {
		return err
	}
	if err := similarity(v, n); err != nil {
		return err
	}
	if err := pinned(s); err != nil {
		return err
	}
	if _, _, err := resultSchema(s); err != nil {
		return config("result_schema", "%v", err)
	}
	paths, actors := 0, 0
	for i := range v.Checks {
		k := &v.Checks[i]
		fields, err := checkable(k, v.Mode)
		if err != nil {
			return err
		}
		if k.Kind == job.CheckCustom {
			actors++
		}
		paths += len(fields)
		for _, path := range fields {
			if _, ok := parsePath(path); !ok {
				return config("checks", "%.64q is no path of a field", path)
			}
		}
	}
	if Work(s) > MaxWork {
		return config("checks", "are too many for results of %d bytes", s.Schema.MaxReturnBytes)
	}
	if actors > 0 && s.Schema.MaxReturnBytes > params.CheckResultBytes {
		return config("result_schema", "max_return_bytes is at most %d where an actor checks results", params.CheckResultBytes)
	}
	if paths > MaxPaths || actors > MaxCustom {
		return config("checks", "name at most %d fields and %d actors", MaxPaths, MaxCustom)
	}
	if s.Kind == job.HTTP {
		return checkSource(s.HTTP)
	}
	return nil
}

// checkable holds one check to what its kind needs, and gives the fields it names.
func checkable(k *job.Check, mode job.Mode) ([]string, error) {
	switch k.Kind {
	case job.CheckJSONSchema:
		if _, err := ParseSchema([]byte(k.Schema)); err != nil {
			return nil, config("checks", "%v", err)
		}
	case job.CheckStructuredMatch:
		if len(k.Fields) == 0 {
			return nil, config("checks", "StructuredMatch names fields")
		}
		return k.Fields, nil
	case job.CheckCustom:
		if k.Actor.IsZero() || k.Method == "" {
			return nil, config("checks", "Custom names an actor and a method")
		}
	case job.CheckContainsAll, job.CheckContainsNone:
		if len(k.Texts) == 0 || slices.Contains(k.Texts, "") {
			return nil, config("checks", "ContainsAll and ContainsNone name substrings")
		}
	case job.CheckRegex:
		if _, err := readPattern(k.Pattern); err != nil || k.Pattern == "" {
			return nil, config("checks", "RegexMatch has a pattern: %v", err)
		}
	case job.CheckLength, job.CheckEntropy, job.CheckSimilarity, job.CheckBond, job.CheckInference:
	case job.CheckDNSText, job.CheckDNSAlias:
		if mode != job.ModeMajorityVote || k.Name == "" || k.MinResolvers > maxResolvers {
			return nil, config("checks", "DNS checks have a name, at most %d resolvers and the mode majority_vote", maxResolvers)
		}
	default:
		return []string{k.Field}, nil
	}
	return nil, nil
}

func checkSource(h *job.HTTPJob) error {
	if h.Freshness != nil {
		if _, ok := parsePath(h.Freshness.TimestampField); !ok {
			return config("freshness", "%.64q is no path of a field", h.Freshness.TimestampField)
		}
	}
	if h.Snapshot != nil && h.Snapshot.OutlierThreshold != nil && h.Snapshot.OutlierThreshold.Cmp(job.Decimal{}) < 0 {
		return config("snapshot", "outlier_threshold is negative")
	}
	return nil
}

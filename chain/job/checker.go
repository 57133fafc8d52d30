package job

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// The least and the greatest number a check may name, as the ends of a range that names one of them alone.
const (
	leastNumber    = "-170141183460469231731687303715"
	greatestNumber = "170141183460469231731687303715"
)

// maxBond bounds a bond_multiplier.
const maxBond = 100

// whole is a whole number of 0 to 1,000,000,000.
func whole(n uint64) Decimal { return Decimal{Lo: n * 1_000_000_000} }

// Similarity is the cosine from which two texts mean the same where a job names none: 0.85.
//
// Spec: WP-January "Verification Mode Details" (similarity_threshold).
func Similarity() Decimal { return Decimal{Lo: 850_000_000} }

// takeChecks takes a list of checks in all spellings.
func (v *Verification) takeChecks(f *form) {
	given, ok := f.given("checks")
	if !ok {
		return
	}
	all, ok := given.([]any)
	if !ok || len(all) > MaxChecks {
		f.fail("checks", "is a list of at most %d", MaxChecks)
		return
	}
	v.Checks = nil
	for _, one := range all {
		v.add(f, "checks", one)
	}
}

// add takes one check, unless it is one that is made anyway.
func (v *Verification) add(f *form, name string, given any) {
	plain, keep := checker(given)
	if !keep {
		return
	}
	c, ok := check().take(plain)
	if !ok {
		f.fail(name, "holds %s", check().what)
		return
	}
	v.Checks = append(v.Checks, c)
}

// parameters take what texts have beside the mode for the checks that stand for it.
//
// Spec: runner-marketplace §2.4 (parameters of modes); WP-January "Verification Mode Details", "Extraction-Based Verification".
func (v *Verification) parameters(f *form) {
	if field, ok := f.given("vote_field"); ok {
		v.add(f, "vote_field", tagged(CheckMajorityVote, cbor.Map{{Key: "field", Value: field}}))
	}
	if fields, ok := f.given("fields"); ok {
		v.add(f, "fields", tagged(CheckStructuredMatch, cbor.Map{{Key: "fields", Value: fields}}))
	}
	if n, ok := f.given("bond_multiplier"); ok {
		v.add(f, "bond_multiplier", tagged(CheckBond, cbor.Map{{Key: "multiplier", Value: n}}))
	}
	cosine, some := f.given("similarity_threshold")
	model, other := f.given("embedding_model")
	if some || other {
		v.add(f, "similarity_threshold", tagged(CheckSimilarity, cbor.Map{{Key: "threshold", Value: cosine}, {Key: "embedding_model", Value: model}}))
	}
	if config, ok := f.given("inference_config"); ok {
		m, _ := config.(cbor.Map)
		v.add(f, "inference_config", tagged(CheckInference, m))
	}
	v.objectives(f)
}

// objectives take objective_checks: names, or maps of a name and its value. The schema, prompt leaks and that a result is not empty are looked at anyway.
func (v *Verification) objectives(f *form) {
	given, ok := f.given("objective_checks")
	if !ok {
		return
	}
	all, ok := given.([]any)
	if !ok || len(all) > MaxChecks {
		f.fail("objective_checks", "is a list of at most %d", MaxChecks)
		return
	}
	for _, one := range all {
		if m, ok := one.(cbor.Map); ok && len(m) == 1 {
			if name, _ := m[0].Key.(string); plainName(name) == "minlength" {
				v.add(f, "objective_checks", tagged(CheckLength, cbor.Map{{Key: "min", Value: m[0].Value}}))
				continue
			}
		}
		switch name, _ := one.(string); plainName(name) {
		case "schemavalid", "minlength", "nopromptleak":
		default:
			f.fail("objective_checks", "holds schema_valid, min_length and no_prompt_leak")
		}
	}
}

func tagged(kind CheckKind, body cbor.Map) cbor.Map {
	return append(cbor.Map{{Key: "kind", Value: checkNames()[kind]}}, body...)
}

// tagOf takes what names a check out of its map: the value of "fn", "type" or "kind", or else the only key.
func tagOf(given cbor.Map) (tag any, body cbor.Map) {
	for i, p := range given {
		if key, _ := p.Key.(string); key == "fn" || key == "type" || key == "kind" {
			return p.Value, append(append(cbor.Map{}, given[:i]...), given[i+1:]...)
		}
	}
	if len(given) == 1 {
		body, _ = given[0].Value.(cbor.Map)
		return given[0].Key, body
	}
	return nil, nil
}

// arguments are those of a checker; known are the names somebody asked for.
type arguments struct {
	body  cbor.Map
	known []string
}

// at is the first that is given of several names of one argument.
func (a *arguments) at(names ...string) (v any) {
	for _, n := range names {
		a.known = append(a.known, n)
		if given, ok := a.body.Lookup(n); ok && v == nil {
			v = given
		}
	}
	return v
}

// unknown says that an argument is given which nobody asked for.
func (a *arguments) unknown() bool {
	return slices.ContainsFunc(a.body, func(p cbor.Pair) bool {
		name, ok := p.Key.(string)
		return !ok || !slices.Contains(a.known, name)
	})
}

// checker gives a checker of the SDK, or of an older text, as the check it stands for; keep is false for one that is made anyway. What stands for none stays
// as it is, and is refused.
//
// Spec: runner-marketplace §2.3; sdk §9.4; WP-January "SDK Verifier Functions".
func checker(given any) (check any, keep bool) {
	m, ok := given.(cbor.Map)
	if !ok {
		return given, true
	}
	tag, body := tagOf(m)
	name, _ := tag.(string)
	a := &arguments{body: body}
	stands, keep := a.standsFor(plainName(name))
	if keep && stands == nil || a.unknown() {
		return given, true
	}
	return stands, keep
}

func or(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

// standsFor is the check a checker of a name stands for; nil for none, and keep is false for one that is made anyway.
func (a *arguments) standsFor(name string) (check any, keep bool) {
	field := func() cbor.Pair { return cbor.Pair{Key: "field", Value: or(a.at("field"), "")} }
	switch name {
	case "exactmatch": // nothing compares results with a value
		return tagged(CheckMajorityVote, nil), true
	case "majorityvote", "supermajorityvote":
		a.at("threshold") // which is the job's
		return tagged(CheckMajorityVote, cbor.Map{field()}), true
	case "numericrange":
		return tagged(CheckNumericRange, cbor.Map{
			field(), {Key: "min", Value: or(a.at("min_val", "min"), leastNumber)}, {Key: "max", Value: or(a.at("max_val", "max"), greatestNumber)},
		}), true
	case "customactor", "custom": // a name is nobody's, and a method is asked about results alone
		actor, method, none := a.at("actor_hex", "actor_address", "actor"), a.at("method"), a.at("args")
		if actor == nil || none != nil {
			return nil, true
		}
		return tagged(CheckCustom, cbor.Map{{Key: "actor_hex", Value: actor}, {Key: "method", Value: method}}), true
	case "lengthbounds", "lengthlimit":
		return tagged(CheckLength, cbor.Map{{Key: "min", Value: a.at("min_len", "min")}, {Key: "max", Value: a.at("max_len", "max")}}), true
	case "contains":
		return tagged(CheckContainsAll, cbor.Map{{Key: "substrings", Value: []any{or(a.at("substring"), "")}}}), true
	case "jsonschemavalid":
		return tagged(CheckJSONSchema, cbor.Map{{Key: "schema", Value: or(a.at("schema"), cbor.Map{})}}), true
	case "fieldexists":
		required := cbor.Map{{Key: "type", Value: "object"}, {Key: "required", Value: or(a.at("fields"), []any{})}}
		return tagged(CheckJSONSchema, cbor.Map{{Key: "schema", Value: required}}), true
	case "nopromptleak", "notempty":
		return nil, false
	}
	return nil, true
}

package verify

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// checks runs the check pipeline in its order. A check of single results takes out those that fail it; one of results together leaves the most that meet it
// together. The reason is that of the first check that fewer than a threshold meet.
//
// Spec: runner-marketplace §2.3, §2.4; WP-January "SDK Verifier Functions".
func (c *judgement) checks() (reason, err error) {
	for i := range c.Spec.Verification.Checks {
		k := &c.Spec.Verification.Checks[i]
		switch k.Kind {
		case job.CheckMajorityVote:
			if c.byMedian() {
				continue
			}
			c.agree(func(one *candidate) (string, bool) { return one.fieldKey(k.Field) })
			reason = ErrNoConsensus
		case job.CheckJSONSchema:
			schema, bad := ParseSchema([]byte(k.Schema))
			c.keep(func(one *candidate) bool { return bad == nil && one.json && schema.Valid(&one.value) })
			reason = ErrSchema
		case job.CheckStructuredMatch:
			c.agree(func(one *candidate) (string, bool) { return one.fieldsKey(k.Fields) })
			reason = ErrField
		case job.CheckNumericTolerance:
			c.near(k.Field, NumberOf(k.Tolerance))
			reason = ErrTolerance
		case job.CheckNumericRange:
			least, most := NumberOf(k.Min), NumberOf(k.Max)
			c.only(func(one *candidate) bool { return one.inRange(k.Field, least, most) })
			reason = ErrField
		case job.CheckCustom:
			reason = ErrNoConsensus
			ruling, err := c.Custom(i, c.left())
			if err != nil {
				return nil, err
			}
			switch {
			case ruling.Word == Faulted:
				c.fault = true
				return nil, nil
			case ruling.Word == Rejected:
				c.pool = nil
			case ruling.Canonical != nil:
				c.fixed = ruling.Canonical
			}
		case job.CheckDNSText, job.CheckDNSAlias:
			c.only(func(one *candidate) bool { return one.resolved(k) })
			reason = ErrField
		default:
			reason = c.more(k)
		}
		if reason = c.enough(reason); reason != nil {
			return reason, nil
		}
	}
	return nil, nil
}

// left are the results in the pool.
func (c *judgement) left() []Result {
	list := make([]Result, len(c.pool))
	for i, one := range c.pool {
		list[i] = one.Result
	}
	return list
}

// fieldsKey is what results have in common whose fields are all equal.
func (one *candidate) fieldsKey(fields []string) (string, bool) {
	list := Value{Kind: List}
	for _, path := range fields {
		v, ok := one.field(path)
		if !ok {
			return "", false
		}
		list.List = append(list.List, *v)
	}
	return string(list.canonical(nil)), true
}

// number is the number in a field.
func (one *candidate) number(path string) (Number, bool) {
	v, ok := one.field(path)
	if !ok || v.Kind != Num {
		return Number{}, false
	}
	return v.Number, true
}

// near leaves the most results whose numbers are no further apart than the tolerance; of as many, those of the lowest numbers.
func (c *judgement) near(path string, tolerance Number) {
	type entry struct {
		*candidate
		n Number
	}
	var list []entry
	for _, one := range c.pool {
		if n, ok := one.number(path); ok {
			list = append(list, entry{one, n})
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.n.Cmp(b.n) })
	var best []entry
	for from := range list {
		to := from
		for to < len(list) && list[to].n.Sub(list[from].n).Cmp(tolerance) <= 0 {
			to++
		}
		if to-from > len(best) {
			best = list[from:to]
		}
	}
	c.pool = nil
	for _, e := range best {
		c.pool = append(c.pool, e.candidate)
	}
	c.order()
}

// order brings the pool back into the order of addresses.
func (c *judgement) order() {
	slices.SortFunc(c.pool, func(a, b *candidate) int { return a.Runner.Compare(b.Runner) })
}

// inRange says whether the field is a number, or a list of numbers, all within bounds.
func (one *candidate) inRange(path string, least, most Number) bool {
	v, ok := one.field(path)
	if !ok {
		return false
	}
	list, ok := v.numbers()
	return ok && len(list) > 0 && !slices.ContainsFunc(list, func(n Number) bool { return n.Cmp(least) < 0 || n.Cmp(most) > 0 })
}

// The bounds of what a runner's resolvers say: a chain of aliases, and how many resolvers there are.
const (
	maxHops      = 8
	maxResolvers = 16
)

// resolved says whether a strict majority of the runner's resolvers, and there are as many as the check wants, see what is expected. The data have a list
// "resolvers" of objects {"resolver", "values"}: the texts that resolver gives, or the names along the chain of aliases, at most 8, the last of which counts.
//
// Spec: runner-marketplace §2.3 (DnsTxtRecordMatch, DnsCnameMatch).
func (one *candidate) resolved(k *job.Check) bool {
	resolvers, ok := one.field("resolvers")
	if !ok || resolvers.Kind != List {
		return false
	}
	var asked []string
	seen := 0
	for i := range resolvers.List {
		entry := &resolvers.List[i]
		name, ok1 := entry.Member("resolver")
		values, ok2 := entry.Member("values")
		if !ok1 || !ok2 || name.Kind != Text || values.Kind != List || len(asked) == maxResolvers || slices.Contains(asked, name.Text) {
			return false
		}
		asked = append(asked, name.Text)
		if sees(k, values.List) {
			seen++
		}
	}
	return len(asked) >= int(max(k.MinResolvers, 1)) && 2*seen > len(asked)
}

// sees says whether what one resolver gives is what the check expects. Names compare without case and without a point at their end.
func sees(k *job.Check, values []Value) bool {
	if k.Kind == job.CheckDNSText {
		return slices.ContainsFunc(values, func(v Value) bool { return v.Kind == Text && v.Text == k.Expected })
	}
	if len(values) == 0 || len(values) > maxHops {
		return false
	}
	last := values[len(values)-1]
	return last.Kind == Text && hostName(last.Text) == hostName(k.Expected)
}

func hostName(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

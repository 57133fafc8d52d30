package verify

import (
	"bytes"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// more runs a check of those the SDK has beside CIP-2's. Too short a result and one that repeats itself are objective failures; the others say what the job
// wants to have, which an honest runner may miss.
//
// Spec: WP-January "SDK Verifier Functions"; runner-marketplace §6.3 (empty, garbage); sdk §9.4.
func (c *judgement) more(k *job.Check) error {
	data := func(one *candidate) []byte { return one.Output.Data }
	switch k.Kind {
	case job.CheckSetEquality:
		c.agree(func(one *candidate) (string, bool) { return one.collection(k.Field) })
	case job.CheckContainsAll:
		c.only(func(one *candidate) bool {
			return !slices.ContainsFunc(k.Texts, func(text string) bool { return !bytes.Contains(data(one), []byte(text)) })
		})
	case job.CheckContainsNone:
		c.only(func(one *candidate) bool {
			return !slices.ContainsFunc(k.Texts, func(text string) bool { return bytes.Contains(data(one), []byte(text)) })
		})
	case job.CheckRegex:
		p := &pattern{text: k.Pattern}
		c.only(func(one *candidate) bool { return p.matches(string(data(one))) })
	case job.CheckLength:
		c.keep(func(one *candidate) bool { return uint64(len(data(one))) >= k.Least })
		c.only(func(one *candidate) bool { return uint64(len(data(one))) <= k.Most })
		return ErrSchema
	case job.CheckEntropy:
		least := entropyOf(k.Limit)
		c.keep(func(one *candidate) bool { return least.met(data(one)) })
		return ErrSchema
	case job.CheckSimilarity:
		c.cluster(k.Limit)
		return ErrNoConsensus
	}
	return ErrField
}

// collection is what two lists have in common that hold the same values as often, in any order.
func (one *candidate) collection(path string) (string, bool) {
	v, ok := one.field(path)
	if !ok || v.Kind != List {
		return "", false
	}
	keys := make([]string, len(v.List))
	for i := range v.List {
		keys[i] = string(v.List[i].canonical(nil))
	}
	slices.Sort(keys)
	sorted := &Value{Kind: List}
	for _, k := range keys {
		sorted.List = append(sorted.List, Value{Kind: Text, Text: k})
	}
	return string(sorted.canonical(nil)), true
}

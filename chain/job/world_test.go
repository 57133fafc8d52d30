package job

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// plain is a specification that is in order.
func plain() *Spec {
	return &Spec{
		Kind: LLM, LLM: &LLMJob{Prompt: "Why is the sky blue?", MaxTokens: 100},
		Bounds:   ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30},
		Schema:   ResultSchema{MaxReturnBytes: MaxResultBytes},
		MaxPrice: 5, TimeoutBlocks: 100, Verification: Verification{DisputeBlocks: 75}, Callback: Callback{Context: []byte{}},
	}
}

// dice draws specifications that are in order.
type dice struct{ *rand.Rand }

// fill draws every field below a value: now and then an option is absent, a list empty, a number at its end.
func (d dice) fill(v reflect.Value) {
	if !v.CanSet() { // what no encoding has
		return
	}
	switch v.Type() {
	case reflect.TypeFor[Decimal]():
		v.Set(reflect.ValueOf(Decimal{Hi: uint64(int64(d.IntN(5) - 2)), Lo: d.Uint64()}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			d.fill(v.Field(i))
		}
	case reflect.Pointer:
		if d.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.fill(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(d.text()))
			return
		}
		if n := d.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				d.fill(v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			d.fill(v.Index(i))
		}
	case reflect.String:
		v.SetString(d.text())
	case reflect.Bool:
		v.SetBool(d.IntN(2) == 0)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.Uint64() >> d.IntN(64) & (1<<v.Type().Bits() - 1))
	}
}

// text draws names, odd characters and nothing.
func (d dice) text() string {
	return []string{"", "field", `"quoted" \ back`, "tab\tline\n\x01", "snow ❄ & <tag>", "0x12", strings.Repeat("x", d.IntN(200))}[d.IntN(7)]
}

func (d dice) spec() *Spec {
	s := new(Spec)
	d.fill(reflect.ValueOf(s).Elem())
	s.Kind = []Kind{LLM, HTTP, MCP, Custom, Container}[d.IntN(5)]
	s.make()
	switch s.Kind {
	case LLM:
		d.fill(reflect.ValueOf(s.LLM).Elem())
	case HTTP:
		d.fill(reflect.ValueOf(s.HTTP).Elem())
		s.HTTP.URL, s.HTTP.Method = "https://a.example/", []string{"GET", "POST", "OPTIONS"}[d.IntN(3)]
		s.HTTP.Headers = d.pairs(s.HTTP.Headers)
		if e := s.HTTP.Extraction; e != nil {
			if e.Kind %= 8; e.Kind >= 4 {
				e.Expression = []string{`{"a":".b"}`, `[{"a":".b","c":"d"}]`}[d.IntN(2)]
			}
		}
		if r := s.HTTP.Freshness; r != nil {
			r.Reference %= 3
		}
		if n := s.HTTP.Snapshot; n != nil {
			n.Mode %= 4
		}
		if d.IntN(2) == 0 {
			s.HTTP.Body = nil
		}
	case MCP:
		d.fill(reflect.ValueOf(s.MCP).Elem())
		s.MCP.Server, s.MCP.Tool = "search", "find"
	case Custom:
		d.fill(reflect.ValueOf(s.Custom).Elem())
	}
	if s.Runtime = nil; s.Kind == Container {
		s.Runtime = new(Runtime)
		d.fill(reflect.ValueOf(s.Runtime).Elem())
		r := s.Runtime
		r.Digest[0], r.Allowlist, r.Class = 1, true, nil
		r.CPUMilli, r.MemoryMiB, r.ScratchMiB = r.CPUMilli%16_001, r.MemoryMiB%65_537, r.ScratchMiB%204_801
		r.MaxDuration, r.GPUCount = r.MaxDuration%7_201, r.GPUCount%9
		r.Env = d.pairs(r.Env)
	}
	s.Bounds.MaxWallTimeSeconds = max(s.Bounds.MaxWallTimeSeconds, 1)
	s.Bounds.MaxOutputTokens = max(s.Bounds.MaxOutputTokens, 1)
	s.Bounds.MaxRetries %= MaxRetriesAsked + 1
	s.TimeoutBlocks = 1 + s.TimeoutBlocks%MaxTimeoutBlocks
	s.Schema.MaxReturnBytes = 1 + s.Schema.MaxReturnBytes%MaxResultBytes
	v := &s.Verification
	v.Mode %= modes
	v.Runners, v.DisputeBlocks = 5+v.Runners%20, v.DisputeBlocks%MaxDisputeBlocks
	v.Threshold %= 6
	for i, c := range v.Checks {
		v.Checks[i] = d.check(c)
	}
	s.MaxPrice, s.Tip = s.MaxPrice%unit.CBY, s.Tip%unit.CBY
	if len(s.Pool) > MaxPoolBytes || d.IntN(2) == 0 {
		s.Pool = nil
	}
	for i := range s.Secrets {
		s.Secrets[i].Name = "key"
	}
	return s
}

// check is a check of a kind with the fields of that kind alone.
func (d dice) check(from Check) Check {
	c := Check{Kind: from.Kind % checkKinds}
	switch c.Kind {
	case CheckMajorityVote:
		c.Field = from.Field
	case CheckJSONSchema:
		c.Schema = from.Schema
	case CheckStructuredMatch:
		c.Fields = from.Fields
	case CheckNumericTolerance:
		c.Field, c.Tolerance = from.Field, Decimal{Lo: from.Tolerance.Lo}
	case CheckNumericRange:
		c.Field, c.Min, c.Max = from.Field, from.Min, Decimal{Hi: 9}
	case CheckCustom:
		c.Actor, c.Method = from.Actor, from.Method
	case CheckDNSText, CheckDNSAlias:
		c.Name, c.Expected, c.MinResolvers = from.Name, from.Expected, from.MinResolvers
	case CheckSetEquality:
		c.Field = from.Field
	case CheckContainsAll, CheckContainsNone:
		c.Texts = from.Texts
	case CheckRegex:
		c.Pattern = from.Pattern
	case CheckLength:
		c.Least, c.Most = from.Least%100, 100+from.Most%100
	case CheckEntropy, CheckBond:
		c.Limit = Decimal{Lo: 1 + from.Limit.Lo%8_000_000_000}
	case CheckSimilarity:
		c.Limit, c.Model = Decimal{Lo: 1 + from.Limit.Lo%1_000_000_000}, from.Model
	case CheckInference:
		c.Inference = from.Inference
	}
	return c
}

func (d dice) pairs(list []Pair) []Pair {
	slices.SortFunc(list, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(list, func(a, b Pair) bool { return a.Name == b.Name })
}

var somebody = account.Address{7, 19: 9}

var model = digest.Hash{1, 31: 2}

package job

import (
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// The least and the greatest number a check may name.
const (
	leastNumber    = "-170141183460469231731687303715"
	greatestNumber = "170141183460469231731687303715"
)

// protocol gives a verification of the SDK's builder in the words of the protocol: what an attempt has of time is the job's, checkers that a mode or the
// verifier itself makes are none, and the others are the checks they stand for. What stands for none stays as it is, and is refused with the specification.
//
// Spec: sdk §9.3, §9.4; runner-marketplace §2.3.
func protocol(given cbor.Map) cbor.Map {
	var m cbor.Map
	for _, p := range given {
		switch p.Key {
		case "timeout_blocks":
		case "checks":
			list, ok := p.Value.([]any)
			if !ok {
				m = append(m, p)
				continue
			}
			checks := []any{}
			for _, one := range list {
				if c, keep := checkOf(one); keep {
					checks = append(checks, c)
				}
			}
			m = append(m, cbor.Pair{Key: p.Key, Value: checks})
		default:
			m = append(m, p)
		}
	}
	return m
}

// checkOf is a checker of the SDK as a check; keep is false for one that is made anyway.
func checkOf(given any) (check any, keep bool) {
	m, ok := given.(cbor.Map)
	if !ok {
		return given, true
	}
	field := or(lookup(m, "field"), "")
	switch lookup(m, "kind") {
	case "exact_match":
		if lookup(m, "value") != nil {
			return given, true // nothing compares results with a value
		}
		return cbor.Map{{Key: "kind", Value: "majority_vote"}, {Key: "field", Value: ""}}, true
	case "majority_vote", "supermajority_vote":
		return cbor.Map{{Key: "kind", Value: "majority_vote"}, {Key: "field", Value: field}}, true
	case "numeric_range":
		least, most := or(lookup(m, "min_val"), lookup(m, "min")), or(lookup(m, "max_val"), lookup(m, "max"))
		return cbor.Map{
			{Key: "kind", Value: "numeric_range"}, {Key: "field", Value: field}, {Key: "min", Value: or(least, leastNumber)},
			{Key: "max", Value: or(most, greatestNumber)},
		}, true
	case "custom_actor", "custom":
		actor := or(lookup(m, "actor_address"), lookup(m, "actor"))
		if actor == nil || lookup(m, "args") != nil {
			return given, true // a name is nobody's, and a method is asked about results alone
		}
		return cbor.Map{{Key: "kind", Value: "custom"}, {Key: "actor_hex", Value: actor}, {Key: "method", Value: lookup(m, "method")}}, true
	case "no_prompt_leak":
		return nil, false
	}
	return given, true
}

// asksActor reports whether a check is an actor's.
func asksActor(check any) bool {
	m, ok := check.(cbor.Map)
	return ok && lookup(m, "kind") == "custom"
}

func lookup(m cbor.Map, name string) any {
	v, _ := m.Lookup(name)
	return v
}

package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
)

// groups gives the encodings of all groups by their keys.
func groups(p *params.Params) map[string]string {
	m := map[string]string{}
	for _, g := range p.Groups() {
		m[g.Key] = string(g.Value)
	}
	return m
}

// What is listed of a parameter can be set again and changes nothing; another value changes the group that is named beside it and no other. Every group is
// listed.
//
// Spec: WP §13.1.
func TestParametersAreSet(t *testing.T) {
	seen := map[string]bool{}
	for _, listed := range ParametersOf(params.Genesis()) {
		seen[listed.Key] = true
		t.Run(listed.Name, func(t *testing.T) {
			p, before := params.Genesis(), groups(params.Genesis())
			if listed.Value == "[]" {
				if _, err := SetParameter(p, listed.Name, "1"); err == nil || !strings.Contains(err.Error(), "no single value") {
					t.Errorf("a list is set: %v", err)
				}
				return
			}
			key, err := SetParameter(p, strings.ToUpper(listed.Name), listed.Value)
			if err != nil || key != listed.Key || fmt.Sprint(groups(p)) != fmt.Sprint(before) {
				t.Fatalf("%s: %v", key, err)
			}
			another := map[bool]string{true: "7", false: "true"}[listed.Value != "false"]
			if key, err = SetParameter(p, listed.Name, another); err != nil || key != listed.Key {
				t.Fatalf("%s: %v", key, err)
			}
			for group, value := range groups(p) {
				if (value != before[group]) != (group == listed.Key) {
					t.Errorf("%s = %s: %s is %x, was %x", listed.Name, another, group, value, before[group])
				}
			}
		})
	}
	for key := range groups(params.Genesis()) {
		if !seen[key] {
			t.Errorf("%s is not listed", key)
		}
	}
}

func TestParametersThatAreNotSet(t *testing.T) {
	for name, c := range map[string][2]string{
		"nobody":     {"Basefee.Cycles", "1"},
		"a group":    {"Basefee", "1"},
		"text":       {"Basefee.Alpha", "many"},
		"negative":   {"Basefee.Alpha", "-1"},
		"33 bits":    {"Lanes.User", "4294967296"},
		"65 bits":    {"Basefee.Alpha", "18446744073709551616"},
		"no boolean": {"Entitlements.RequireManifest", "maybe"},
	} {
		t.Run(name, func(t *testing.T) {
			p := params.Genesis()
			if key, err := SetParameter(p, c[0], c[1]); err == nil || fmt.Sprint(groups(p)) != fmt.Sprint(groups(params.Genesis())) {
				t.Errorf("%s: %v", key, err)
			}
		})
	}
}

package route

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Which route a request takes, by hand: priority first, then the longer beginning, then a method of its own; files for reading alone.
//
// Spec: storage-cbfs §3.2 (102); sdk §19.3 (tie-break); RFC 9110 §9.3.2.
func TestFind(t *testing.T) {
	m := &Manifest{
		Static: []Static{{"/", "root", 0}, {"/assets/*", "site", 1}, {"/assets/big", "big", 1}, {"/old", "old", 2}},
		Dynamic: []Dynamic{
			{"GET", "/items/{id}", "item", 10}, {"GET", "/items/new", "fresh", 10}, {"ANY", "/items/*rest", "any", 10}, {"POST", "/items/{id}", "put", 10},
			{"ANY", "/both", "every", 10}, {"GET", "/both", "own", 10}, {"GET", "/assets/live", "live", 10}, {"GET", "/items/high*", "never", 4},
			{"GET", "/x/{a}/{a}", "twice", 10}, {"HEAD", "/items/seen", "headed", 10}, {"GET", "/deep/*", "nameless", 10}, {"ANY", "/up/{n}", "low", 10},
			{"ANY", "/up/*", "high", 11},
		},
	}
	for name, c := range map[string]struct{ method, path, want string }{
		"a parameter":                   {"GET", "/items/7", "item id=7"},
		"a longer beginning":            {"GET", "/items/new", "fresh"},
		"a slash at the end":            {"GET", "/items/7/", "item id=7"},
		"the rest":                      {"GET", "/items/a/b", "any rest=a/b"},
		"the rest is nothing":           {"GET", "/items", "any rest="},
		"a method of its own":           {"POST", "/items/7", "put id=7"},
		"a method of ANY":               {"DELETE", "/items/7", "any rest=7"},
		"its own before ANY":            {"GET", "/both", "own"},
		"ANY for another":               {"PUT", "/both", "every"},
		"a handler before files":        {"GET", "/assets/live", "live"},
		"files":                         {"GET", "/assets/a/b.js", "site:a/b.js"},
		"files by a longer path":        {"GET", "/assets/big/x", "big:x"},
		"no part of a word":             {"GET", "/assets2", "root:assets2"},
		"the place itself":              {"GET", "/assets", "site:"},
		"files under a higher priority": {"HEAD", "/old/x", "old:x"},
		"files are not written":         {"POST", "/assets/a", ""},
		"HEAD as GET":                   {"HEAD", "/deep/1", "nameless"},
		"HEAD by GET before ANY":        {"HEAD", "/both", "own"},
		"HEAD by its own":               {"HEAD", "/items/seen", "headed"},
		"one name twice":                {"GET", "/x/1/2", "twice a=2"},
		"a rest without a name":         {"GET", "/deep/1/2", "nameless"},
		"a higher priority":             {"GET", "/up/1", "high"},
		"nothing but files":             {"GET", "/", "root:"},
		"nothing":                       {"POST", "/", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := m.Find(c.method, c.path)
			text := got.Handler
			if got.Volume != "" {
				text = got.Volume + ":" + got.File
			}
			for _, p := range got.Params {
				text += " " + p.Name + "=" + p.Value
			}
			if text != c.want || ok != (c.want != "") {
				t.Errorf("%q, want %q", text, c.want)
			}
		})
	}
}

// The winner is the first of all routes that fit after a stable sort: a second, obvious model of the rule, over random manifests.
//
// Spec: sdk §19.3 (tie-break).
func TestFindModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	paths := []string{"/", "/a", "/a/b", "/a/{x}", "/{x}/b", "/*", "/a/*y", "/{x}", "/b/{x}/c"}
	for n := range 2_000 {
		m := &Manifest{}
		for i := range r.IntN(8) {
			m.Dynamic = append(m.Dynamic, Dynamic{[]string{"GET", "POST", "ANY"}[r.IntN(3)], paths[r.IntN(len(paths))], fmt.Sprint("h", i), uint32(r.IntN(3))})
		}
		verb, path := []string{"GET", "POST"}[r.IntN(2)], []string{"/", "/a", "/a/b", "/b/q/c", "/a/b/c"}[r.IntN(5)]
		list := slices.DeleteFunc(slices.Clone(m.Dynamic), func(d Dynamic) bool {
			if d.Method != verb && d.Method != "ANY" {
				return true
			}
			want, given := strings.FieldsFunc(d.Path, isSlash), strings.FieldsFunc(path, isSlash)
			for i, part := range want {
				if part[0] == '*' {
					return false
				}
				if i >= len(given) || part[0] != '{' && part != given[i] {
					return true
				}
			}
			return len(want) != len(given)
		})
		slices.SortStableFunc(list, func(a, b Dynamic) int {
			key := func(d Dynamic) string {
				before, _, _ := strings.Cut(strings.ReplaceAll(d.Path, "*", "{"), "{")
				return fmt.Sprintf("%d %03d %v", d.Priority, len(before), d.Method != "ANY")
			}
			return strings.Compare(key(b), key(a))
		})
		got, ok := m.Find(verb, path)
		if ok != (len(list) > 0) || ok && got.Handler != list[0].Handler {
			t.Fatalf("%d: %s %s of %+v: %+v, want %+v", n, verb, path, m.Dynamic, got, list)
		}
	}
}

func isSlash(c rune) bool { return c == '/' }

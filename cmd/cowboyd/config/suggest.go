package config

import (
	"reflect"
	"sort"
	"strings"

	"github.com/cowboyinc/cowboy-go/cmd/spelling"
)

// Keys lists every key a file may hold, as section.key, in order.
func Keys() []string {
	var list []string
	sections := reflect.TypeFor[Config]()
	for i := range sections.NumField() {
		s := sections.Field(i)
		if !s.IsExported() {
			continue
		}
		for j := range s.Type.NumField() {
			list = append(list, s.Tag.Get("toml")+"."+s.Type.Field(j).Tag.Get("toml"))
		}
	}
	sort.Strings(list)
	return list
}

// suggest names the key that was probably meant.
func suggest(name string) string {
	best, distance := "", 4
	_, last, _ := strings.Cut(name, ".")
	if last == "" {
		last = name
	}
	for _, key := range Keys() {
		section, own, _ := strings.Cut(key, ".")
		for _, word := range []string{key, own, section} {
			for _, given := range []string{name, last} {
				if d := spelling.Distance(given, word); d < distance {
					best, distance = key, d
					if word == section && own != given {
						best = "[" + section + "]"
					}
				}
			}
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "the keys are " + strings.Join(Keys(), ", ")
}

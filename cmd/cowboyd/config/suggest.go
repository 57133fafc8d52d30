package config

import (
	"reflect"
	"sort"
	"strings"
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
				if d := edits(given, word); d < distance {
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

// edits counts the letters to change, add or remove between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

package sdk

import (
	"embed"
	"sort"
	"strings"
)

//go:embed cowboy_sdk/*.py
var files embed.FS

// Source gives the Python source of the module of the given dotted name, such as "cowboy_sdk" or "cowboy_sdk.types".
// Spec: sdk §2, §14.
func Source(module string) ([]byte, bool) {
	name, found := strings.CutPrefix(module, "cowboy_sdk")
	if !found {
		return nil, false
	}
	switch {
	case name == "":
		name = ".__init__"
	case name[0] != '.' || strings.ContainsAny(name[1:], "./\\") || name == ".__init__":
		return nil, false
	}
	source, err := files.ReadFile("cowboy_sdk/" + name[1:] + ".py")
	return source, err == nil
}

// Modules lists the dotted names Source knows, in ascending order.
func Modules() []string {
	entries, err := files.ReadDir("cowboy_sdk")
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".py")
		if name == "__init__" {
			names = append(names, "cowboy_sdk")
		} else {
			names = append(names, "cowboy_sdk."+name)
		}
	}
	sort.Strings(names)
	return names
}

package stubs

import (
	"embed"
	"sort"
)

//go:embed cowboy_sdk/*.pyi
var files embed.FS

// Paths lists the stub files, slash-separated and relative to a stub directory, in ascending order.
func Paths() []string {
	entries, err := files.ReadDir("cowboy_sdk")
	if err != nil {
		return nil
	}
	var paths []string
	for _, entry := range entries {
		paths = append(paths, "cowboy_sdk/"+entry.Name())
	}
	sort.Strings(paths)
	return paths
}

// Text gives the content of one of Paths.
func Text(path string) ([]byte, bool) {
	text, err := files.ReadFile(path)
	return text, err == nil
}

// Command fuzzall runs every fuzz target of the module one after the other for a given time each.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

var target = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

func main() {
	fuzztime := flag.String("fuzztime", "10s", "time for each target")
	only := flag.String("run", "", "only targets whose name contains this")
	flag.Parse()
	targets := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], *only) {
				dir := "./" + filepath.ToSlash(filepath.Dir(path))
				targets[dir] = append(targets[dir], m[1])
			}
		}
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	dirs := make([]string, 0, len(targets))
	for dir := range targets {
		dirs = append(dirs, dir)
	}
	sort.Strings(dirs)
	failed := 0
	for _, dir := range dirs {
		for _, name := range targets[dir] {
			fmt.Printf("%s %s\n", dir, name)
			// Making an input smaller that reached something new takes a minute at the most by default, during which nothing else is tried.
			cmd := exec.Command("go", "test", dir, "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", *fuzztime, "-fuzzminimizetime", "20x")
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if cmd.Run() != nil {
				failed++
			}
		}
	}
	if failed > 0 {
		fmt.Fprintf(os.Stderr, "%d fuzz targets failed\n", failed)
		os.Exit(1)
	}
}

package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rewrite says whether files are written instead of compared.
func Rewrite() bool { return os.Getenv("REWRITE") == "1" }

// File holds a file of the test's directory to what was made.
func File(t *testing.T, path string, got []byte) {
	t.Helper()
	if Rewrite() {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is no longer what is made:\n%s", path, got)
	}
}

// Recorded reads what a program of another author, or in another language, has recorded as JSON in a file below the test's directory.
func Recorded(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Each runs a subtest for every file a pattern matches; there must be one. path is below the test's directory.
func Each(t *testing.T, pattern string, run func(t *testing.T, path string)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s matches nothing (%v)", pattern, err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, filepath.Ext(name)), func(t *testing.T) { run(t, path) })
	}
}

// Scripts runs testdata/*.txt. begin starts a script and gives what runs its commands, whose output has no empty lines in it.
func Scripts(t *testing.T, begin func(t *testing.T) (run func(command string) string)) {
	t.Helper()
	Each(t, "testdata/*.txt", func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		run := begin(t)
		for _, block := range strings.Split(strings.TrimRight(string(text), "\n"), "\n\n") {
			if strings.HasPrefix(block, "#") {
				fmt.Fprintf(&out, "%s\n\n", block)
				continue
			}
			command, want, _ := strings.Cut(block+"\n", "\n----\n")
			want = strings.TrimRight(want, "\n")
			got := strings.TrimRight(run(command), "\n")
			if !Rewrite() && got != want {
				t.Errorf("%s:\n%s\n got %s\nwant %s", path, command, got, want)
			}
			fmt.Fprintf(&out, "%s\n----\n%s\n\n", command, got)
		}
		if Rewrite() {
			File(t, path, []byte(strings.TrimRight(out.String(), "\n")+"\n"))
		}
	})
}

// Seeds gives a fuzz target the files a pattern matches, those of at most a size in bytes; there must be one.
func Seeds(f *testing.F, pattern string, most int) {
	f.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		f.Fatalf("%s matches nothing (%v)", pattern, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) <= most {
			f.Add(data)
		}
	}
}

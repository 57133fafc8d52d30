package tidy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

const root = "../.."

// everything is the whole project, loaded once for all tests that read it.
var everything = sync.OnceValues(func() ([]*packages.Package, error) { return Load(root, "./...") })

// TestPurity holds chain and runtime to the purity rule. Spec: WP §3.1.
func TestPurity(t *testing.T) {
	loaded, err := Load(root, "./chain/...", "./runtime/...")
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded) < 2 {
		t.Fatalf("only %d pure packages found", len(loaded))
	}
	for _, pkg := range loaded {
		for _, p := range Purity(pkg) {
			t.Error(p)
		}
	}
}

// TestRings holds every import to the direction of the rings.
func TestRings(t *testing.T) {
	loaded, err := everything()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range loaded {
		for _, p := range Rings(pkg) {
			t.Error(p)
		}
	}
}

// TestPurityFindsEachBreach shows that the check can fail: a package that breaks every rule is reported once per rule.
func TestPurityFindsEachBreach(t *testing.T) {
	loaded, err := Load(".", "./testdata/impure")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range Purity(loaded[0]) {
		all = append(all, p.Text)
	}
	for _, want := range []string{
		"imports time", "starts a goroutine", "uses a channel", "ranges over a map", "host floats",
		"writes the package variable counter", "writes the package variable table",
	} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no problem mentions %q; got:\n%s", want, strings.Join(all, "\n"))
		}
	}
	if len(all) != 8 {
		t.Errorf("%d problems, want 8 (the remark on the second map range must silence it):\n%s", len(all), strings.Join(all, "\n"))
	}
}

// TestEveryPackageHasDoc wants a package comment in every package of the product: in doc.go, or in the one file there is.
func TestEveryPackageHasDoc(t *testing.T) {
	loaded, err := everything()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range loaded {
		if pkg.Name == "main" || len(pkg.GoFiles) == 0 {
			continue
		}
		name := filepath.Join(filepath.Dir(pkg.GoFiles[0]), "doc.go")
		if len(pkg.GoFiles) == 1 {
			name = pkg.GoFiles[0]
		}
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), "// Package ") {
			t.Errorf("%s: no package comment in %s", pkg.PkgPath, filepath.Base(name))
		}
	}
}

// TestNoUnfinishedWork refuses the words that mark work left for later, outside tests.
func TestNoUnfinishedWork(t *testing.T) {
	marks := regexp.MustCompile(`//.*\b(TODO|FIXME|XXX|not implemented|unimplemented)\b`)
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == ".git" || name == "bin" || name == "testdata" || name == "tidy") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if mark := marks.FindString(line); mark != "" {
				t.Errorf("%s:%d: %s", path, i+1, mark)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNoSleepingTests refuses tests that wait by the clock; progress is awaited by event or virtual time.
func TestNoSleepingTests(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(entry.Name(), "_test.go") || strings.Contains(path, "tidy") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), "time.Sleep(") {
			t.Errorf("%s sleeps", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

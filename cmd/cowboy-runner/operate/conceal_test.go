package operate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// What is hidden: the data directory behind all links, and a key of TLS that is not in it.
func TestKeys(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, link, outside := filepath.Join(root, "data"), filepath.Join(root, "link"), filepath.Join(root, "tls.key")
	for _, err := range []error{
		os.Mkdir(dir, 0o700), os.Symlink(dir, link), os.WriteFile(outside, nil, 0o600), os.WriteFile(filepath.Join(dir, "tls.key"), nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		key  string
		want []string
	}{
		"no key":                      {"", []string{dir}},
		"in the directory":            {"tls.key", []string{dir}},
		"by the link":                 {filepath.Join(link, "tls.key"), []string{dir}},
		"outside":                     {outside, []string{dir, outside}},
		"outside, from the directory": {"../tls.key", []string{dir, outside}},
	} {
		t.Run(name, func(t *testing.T) {
			var conf config
			conf.Queue.Key = c.key
			if got, err := conf.keys(link); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v %v, want %v", got, err, c.want)
			}
		})
	}
}

// Who starts programs of others: executors, and servers by a command.
func TestStrangers(t *testing.T) {
	url, command := work.Server{URL: "http://127.0.0.1:1"}, work.Server{Command: []string{"/bin/true"}}
	for name, c := range map[string]struct {
		set  map[job.Kind]work.Executor
		want int
	}{
		"none":        {map[job.Kind]work.Executor{job.HTTP: &work.HTTP{}}, 0},
		"an address":  {map[job.Kind]work.Executor{job.MCP: &work.MCP{Servers: map[string]work.Server{"a": url}}}, 0},
		"a command":   {map[job.Kind]work.Executor{job.MCP: &work.MCP{Servers: map[string]work.Server{"a": url, "b": command}}}, 1},
		"an executor": {map[job.Kind]work.Executor{job.Custom: &work.Custom{Executors: map[digest.Hash]string{{}: "/bin/true"}}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strangers(&work.Set{Executors: c.set}); len(got) != c.want {
				t.Errorf("%d, want %d", len(got), c.want)
			}
		})
	}
}

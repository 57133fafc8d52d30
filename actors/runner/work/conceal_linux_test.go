package work

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// concealed is a directory with a key, and who can hide it.
func concealed(t *testing.T) (self Self, dir, key string) {
	t.Helper()
	dir = t.TempDir()
	key = filepath.Join(dir, "runner.pem")
	other := filepath.Join(t.TempDir(), "tls.key")
	for _, path := range []string{key, other} {
		if err := os.WriteFile(path, []byte("the key"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self = Self{Hide: []string{dir, other}}
	if err := self.Hides(within(t, time.Minute)); err != nil {
		t.Skipf("nothing can be hidden here: %v", err)
	}
	return self, dir, key
}

// An executor does not find the runner's key, on any of the ways to it: by its path, through another process, by taking away what lies over it, or from
// namespaces of its own. It may do all else as before. The ways that need nothing to be hidden lead to it where nothing is.
//
// Spec: runner-marketplace §2.2 (Custom).
func TestKeyIsHidden(t *testing.T) {
	self, dir, key := concealed(t)
	me := os.Getpid()
	for name, way := range map[string]struct {
		attempt string
		open    bool // it leads to the key of a runner that hides nothing
	}{
		"by its path":             {"cat " + key, true},
		"in a list":               {"ls " + dir + " | grep .", true},
		"a file of another place": {"grep . " + self.Hide[1], true},
		"through the runner":      {fmt.Sprintf("cat /proc/%d/root%s", me, key), false}, // which the user namespace keeps from it too
		"through any process":     {"cat /proc/[0-9]*/root" + key, true},
		"in a runner's memory":    {fmt.Sprintf("cat /proc/%d/environ", me), false},
		"uncovered":               {"umount " + dir + " && cat " + key, false},
		"uncovered, lazily":       {"umount -l " + dir + " && cat " + key, false},
		"the list uncovered":      {fmt.Sprintf("umount /proc && cat /proc/%d/root%s", me, key), false},
		"in another namespace":    {"unshare -Urm sh -c 'umount " + dir + "; cat " + key + "'", true},
		"with all bound":          {"unshare -Urm sh -c 'mount --rbind / /mnt && cat /mnt" + key + "'", true},
		"with the top bound":      {"unshare -Urm sh -c 'mount --bind / /mnt && cat /mnt" + key + "'", false}, // which the kernel refuses
		"by a namespace's entry":  {fmt.Sprintf("nsenter -t %d -m cat %s", me, key), false},
		"a capability is left":    {"grep Cap /proc/self/status | grep -v '0000000000000000'", true},
		"it can get new ones":     {"grep 'NoNewPrivs:.0' /proc/self/status", true},
	} {
		t.Run(name, func(t *testing.T) {
			path, hash := program(t, "found=$("+way.attempt+` 2>/dev/null) && test -n "$found" && exec echo '{"error":"found"}'; echo '{"data":"aGVsbG8="}'`)
			e := &Custom{Self: self, Executors: map[digest.Hash]string{hash: path}, Environment: []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin"}}
			out, err := e.Do(within(t, 20*time.Second), custom(hash))
			if err != nil || string(out.Data) != "hello" {
				t.Errorf("%q %v", out.Data, err)
			}
			if way.open {
				e.Self = Self{}
				_, err := e.Do(within(t, 20*time.Second), custom(hash))
				wantKind(t, err, Permanent)
			}
		})
	}
	if data, err := os.ReadFile(key); err != nil || string(data) != "the key" {
		t.Errorf("the runner itself reads %q, %v", data, err)
	}
}

// A server over stdio does not find it either.
//
// Spec: runner-marketplace §2.2 (Mcp).
func TestKeyIsHiddenFromServers(t *testing.T) {
	self, _, key := concealed(t)
	ask := &job.Spec{Kind: job.MCP, MCP: &job.MCPJob{Server: "own", Tool: "read", Arguments: fmt.Sprintf(`{"path":%q}`, key)}}
	for name, c := range map[string]struct {
		self  Self
		finds bool
	}{"hidden": {self, false}, "in sight": {Self{}, true}} {
		t.Run(name, func(t *testing.T) {
			m := &MCP{Self: c.self, Servers: map[string]Server{"own": {Command: []string{os.Args[0], "tools"}}}}
			out, err := m.Do(within(t, time.Minute), ask)
			if found := strings.Contains(string(out.Data), "the key"); found != c.finds {
				t.Errorf("%s %v", out.Data, err)
			}
		})
	}
}

// Where it cannot be hidden nothing of others is run.
func TestNothingRunsWithTheKeyInSight(t *testing.T) {
	path, hash := program(t, `echo '{"data":"aGVsbG8="}'`)
	self := Self{Hide: []string{filepath.Join(t.TempDir(), "nowhere")}}
	if err := self.Hides(within(t, time.Minute)); err == nil {
		t.Error("what is not there is hidden")
	}
	e := &Custom{Self: self, Executors: map[digest.Hash]string{hash: path}}
	_, err := e.Do(within(t, time.Minute), custom(hash))
	wantKind(t, err, Transient)
}

package daemon

import (
	"testing"
	"testing/fstest"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// What a process may use is the least of the machine's memory and the limits of its control groups, of either version.
func TestAvailableMemory(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const meminfo = "MemTotal:       16384 kB\nMemFree:  1 kB\n"
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		want  int64
	}{
		{"nothing to read", fstest.MapFS{}, 0},
		{"a machine alone", fstest.MapFS{"proc/meminfo": file(meminfo)}, 16 << 20},
		{"a group without a limit", fstest.MapFS{
			"proc/meminfo": file(meminfo), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
		}, 16 << 20},
		{"a group", fstest.MapFS{
			"proc/meminfo": file(meminfo), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("4096\n"),
		}, 4096},
		{"the group above", fstest.MapFS{
			"proc/meminfo": file(meminfo), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
			"sys/fs/cgroup/a/memory.max": file("8192\n"),
		}, 8192},
		{"the first version", fstest.MapFS{
			"proc/meminfo": file(meminfo), "proc/self/cgroup": file("3:cpu:/x\n9:memory:/box\n"),
			"sys/fs/cgroup/memory/box/memory.limit_in_bytes": file("2048\n"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"),
		}, 2048},
		{"a group without a machine", fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("512\n")}, 512},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := available(c.files); got != c.want {
				t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
			}
		})
	}
}

// Connections have half of the clients' memory, and a node takes eight however little that is.
func TestConnectionsFitMemory(t *testing.T) {
	many := door.ConnectionLimits{Most: 8_192, Each: 2_048}
	if got := within(many, budget.NewAccount(1<<30)); got != many {
		t.Errorf("much memory: %+v", got)
	}
	if got := within(many, budget.NewAccount(64*connectionBytes)); got.Most != 32 || got.Each != 8 {
		t.Errorf("little memory: %+v", got)
	}
	if got := within(many, budget.NewAccount(0)); got.Most != connectionsLeast {
		t.Errorf("no memory: %+v", got)
	}
}

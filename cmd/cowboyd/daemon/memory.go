package daemon

import (
	"bufio"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// divide divides the memory this node may use: what the operator says, or half of what the machine and the control group leave. The runtime is told of it, so
// that it collects garbage before it asks for more; GOMEMLIMIT in the environment is the operator's own word and stays.
func (s *settings) divide() (*budget.Budget, error) {
	total := int64(s.memoryBudget) << 20
	if s.memoryBudget == 0 {
		total = budget.Machine(available(os.DirFS("/").(rootFS)))
	}
	b, err := budget.Divide(total)
	if err != nil {
		return nil, usageError{err}
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(b.Total)
	}
	return b, nil
}

// each is the memory budget of one of several processes of a development network, in MiB.
func (s *settings) each() int64 {
	if s.memoryBudget != 0 {
		return int64(s.memoryBudget)
	}
	return max(budget.Machine(available(os.DirFS("/").(rootFS)))/int64(max(s.validators, 1)), budget.Least) >> 20
}

// programs makes the cache of compiled programs of a worker. One worker runs at a time, the others stand by for it, so each may have the whole share; when
// one takes over from another, whose cache is garbage then, the account begins anew.
func programs(b *budget.Budget) *host.Programs {
	account, size := b.Of(budget.Programs), int64(0)
	return host.NewProgramsWithin(int(account.Limit()), func(delta int) {
		size += int64(delta)
		account.Set(size)
	})
}

// queries are the bounds of what is executed for clients. Its compiled programs take a quarter of the share of those of blocks at most.
func (s *settings) queries(b *budget.Budget) query.Limits {
	l := query.DefaultLimits()
	l.Programs = min(l.Programs, int(b.Of(budget.Programs).Limit())/4/(l.Workers+1)) // one executes blocks again
	l.Most, l.Within = unit.Cycles(s.queryCycles), s.queryTime
	l.Cycles = min(l.Cycles, l.Most)
	return l
}

// developing reports whether the network is a local or development one, whose chain id says so.
func (s *settings) developing() bool { return wire.Development(s.chainID) }

// within bounds the connections of clients by their share of the memory, of which connections may have half.
func within(c door.ConnectionLimits, account *budget.Account) door.ConnectionLimits {
	c.Most = min(c.Most, max(int(account.Limit()/2/connectionBytes), connectionsLeast))
	c.Each = min(c.Each, max(c.Most/clientShare, 1))
	return c
}

// connectionBytes is what an open connection of a client takes of the heap and of stacks: buffers for both directions and a goroutine.
const connectionBytes = 32 << 10

// storing adds to a store's options what its proofs may remember.
func storing(o store.Options, b *budget.Budget) store.Options {
	if b == nil {
		return o
	}
	o.ProofCache = int(b.Of(budget.Proofs).Limit())
	return o
}

// available is the memory this process may use at most: the machine's, or what its control group has if that is less; 0 if neither can be read.
func available(root rootFS) int64 {
	least := int64(math.MaxInt64)
	take := func(n int64) {
		if n > 0 {
			least = min(least, n)
		}
	}
	take(machineMemory(root))
	for _, name := range groupFiles(root) {
		text, err := root.ReadFile(name)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // not "max"
			take(n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// rootFS is a file system in which files are read.
type rootFS interface {
	ReadFile(name string) ([]byte, error)
}

// machineMemory reads MemTotal; 0 if there is none.
func machineMemory(root rootFS) int64 {
	text, err := root.ReadFile("proc/meminfo")
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemTotal:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

// groupFiles are the files that may hold the limit of this process's control group or of those above it, in either version.
func groupFiles(root rootFS) (list []string) {
	text, err := root.ReadFile("proc/self/cgroup")
	if err != nil {
		return nil
	}
	for _, line := range strings.Split(string(text), "\n") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		if parts[1] != "" {
			if parts[1] != "memory" {
				continue
			}
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			list = append(list, filepath.Join(base, at, file))
			if at == "/" {
				break
			}
		}
	}
	return list
}

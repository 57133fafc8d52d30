package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// What a disk should have left, in bytes: a node writes about this much in a busy day.
const (
	diskLow   = 10 << 30
	diskSpent = 1 << 30
)

// clockSkew is how far a running node's newest block may be from this machine's clock.
const clockSkew = 10 * time.Second

// finding is the outcome of one check.
type finding struct {
	level  string // ok, warn or fail
	what   string
	advice string
}

func good(format string, args ...any) finding { return finding{"ok", fmt.Sprintf(format, args...), ""} }
func warn(advice, format string, args ...any) finding {
	return finding{"warn", fmt.Sprintf(format, args...), advice}
}
func bad(advice, format string, args ...any) finding {
	return finding{"fail", fmt.Sprintf(format, args...), advice}
}

// doctorCommand looks at everything a node needs and says what to do.
func doctorCommand(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the data directory, disk, port and clock, and say what to do", Args: cobra.NoArgs,
		Long: "Check everything a node needs, whether it is running or not, and say what to do about what is wrong. Nothing is changed.\n" +
			"Exits 0 when the node can run or runs well, 1 otherwise.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			return report(out, diagnose(cmd.Context(), s))
		},
	}
}

func diagnose(ctx context.Context, s *settings) []finding {
	node, running := answering(ctx, s)
	list := []finding{checkSpace(s.dataDir), checkDescriptors(s)}
	known := checkFormats(s.dataDir, running)
	list = append(list, known...)
	if !slices.ContainsFunc(known, func(f finding) bool { return f.level != "ok" }) { // opening would change files
		list = append(list, checkData(s, running)...)
	}
	list = append(list, checkHalt(s)...)
	if !running {
		return append(list, checkPort(s))
	}
	list = append(list, good("a node answers on port %d: version %s, chain %d, block %d", s.rpcPort, node.Version, node.ChainID, node.BlockHeight))
	if node.ChainID != s.chainID {
		list = append(list, bad("use another --rpc-port, or --chain-id "+strconv.FormatUint(node.ChainID, 10),
			"that node is of chain %d, not %d", node.ChainID, s.chainID))
	}
	ready := readiness(ctx, s)
	for _, reason := range ready.Reason {
		list = append(list, bad(remedy(reason), "the node is not ready: %s", reason))
	}
	for _, text := range ready.Warnings {
		list = append(list, warn("", "%s", text))
	}
	return append(list, checkClock(ctx, s, explained(ready)))
}

// readiness asks the node whether it is ready, and what its operator should know.
func readiness(ctx context.Context, s *settings) (r wire.Ready) {
	if err := fetch(ctx, s, "/health/ready", &r); err != nil {
		r.Reason = []string{err.Error()}
	}
	return r
}

// remedy is the next step where a node is not ready for a reason.
func remedy(reason string) string {
	switch {
	case strings.HasPrefix(reason, noQuorum):
		return "bring the validators back that are away, or the network between them and this one: blocks go on by themselves then"
	case strings.HasPrefix(reason, catchingUp):
		return "wait; the log tells how fast it goes"
	case strings.Contains(reason, "no peer is connected"):
		return "compare p2p.peers, the firewall and the log's last lines about peers"
	case strings.Contains(reason, " is "):
		return "`cowboyd tree` shows which subsystem does not run and its last failure"
	}
	return ""
}

// explained reports whether the newest block is old for a reason that is told.
func explained(r wire.Ready) bool {
	return slices.ContainsFunc(r.Reason, func(reason string) bool {
		return strings.HasPrefix(reason, noQuorum) || strings.HasPrefix(reason, catchingUp)
	})
}

// answering asks the node on the configured port how it is.
func answering(ctx context.Context, s *settings) (h wire.Health, ok bool) {
	return h, fetch(ctx, s, "/health/detailed", &h) == nil && h.Version != ""
}

func fetch(ctx context.Context, s *settings, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	url, client := s.local()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
	if err != nil {
		return err
	}
	reply, err := client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	return json.NewDecoder(io.LimitReader(reply.Body, 1<<20)).Decode(into)
}

// checkDescriptors looks at how many files and connections a node that is started as this is may have.
func checkDescriptors(s *settings) finding {
	clients, _, err := s.connectionLimits()
	if err != nil {
		return bad("", "%v", err)
	}
	return good("a node may have %d connections of clients at once, %d of one address", clients.Most, clients.Each)
}

// checkSpace looks at the disk under the data directory, or under the nearest directory above it that exists.
func checkSpace(dir string) finding {
	path, err := filepath.Abs(dir)
	if err != nil {
		return bad("", "data directory %s: %v", dir, err)
	}
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	free, err := admin.Free(path)
	if err != nil {
		return bad("", "disk of %s: %v", path, err)
	}
	const advice = "make room, or use a --data-dir on a larger disk; a full disk halts the node, and loses nothing"
	switch text := fmt.Sprintf("disk of %s has %.1f GiB free", path, float64(free)/(1<<30)); {
	case free < diskSpent:
		return bad(advice, "%s", text)
	case free < diskLow:
		return warn(advice, "%s", text)
	default:
		return good("%s", text)
	}
}

// checkData opens the chain of a node that does not run.
func checkData(s *settings, running bool) []finding {
	if _, err := os.Stat(filepath.Join(s.dataDir, "chain")); errors.Is(err, os.ErrNotExist) {
		return []finding{good("%s holds no chain yet; one begins at the first start", s.dataDir)}
	}
	spec, err := s.spec(1)
	if err != nil {
		return []finding{bad("--chain-id names the network", "chain %d: %v", s.chainID, err)}
	}
	chain, err := openStore(s, spec, true, nil)
	var foreign *store.ForeignError
	var corrupt *store.CorruptError
	switch {
	case err == nil:
		defer chain.Close()
		list := []finding{good("%s holds a chain up to block %d", s.dataDir, chain.Header().Height)}
		first, err := chain.Block(0)
		if err != nil {
			return append(list, bad("", "%v", err))
		}
		return append(list, s.inspect(spec, first.Hash())...)
	case errors.Is(err, disk.ErrLocked) && running:
		return []finding{good("%s is in use by the running node", s.dataDir)}
	case errors.Is(err, disk.ErrLocked):
		return []finding{bad("say its port with --rpc-port if it is another; else end the process",
			"%s is in use by a process that does not answer on port %d", s.dataDir, s.rpcPort)}
	case errors.As(err, &foreign):
		return []finding{bad("use another --data-dir, or the --chain-id it was made with", "%s belongs to another chain", s.dataDir)}
	case errors.As(err, &corrupt) && strings.HasPrefix(corrupt.File, filepath.Join(s.dataDir, "chain", "image")):
		return []finding{warn("start the node: it makes the file anew from the log if the log still holds all of it, and says so if not",
			"the file of checkpoints is damaged: %v", err)}
	case errors.As(err, &corrupt):
		return []finding{bad(chainAdvice(s.dataDir), "%s is damaged: %v", s.dataDir, err)}
	}
	return []finding{bad("look at the owner and the permissions of the directory", "%s cannot be opened: %v", s.dataDir, err)}
}

// checkHalt reports what an earlier halt left behind.
func checkHalt(s *settings) []finding {
	var list []finding
	for _, name := range []string{haltFile, evidenceFile} {
		text, err := os.ReadFile(filepath.Join(s.dataDir, name))
		if err != nil {
			continue
		}
		if name == evidenceFile {
			list = append(list, warn("report it with this file, and remove it", "a block failed twice: %s says which", filepath.Join(s.dataDir, name)))
			continue
		}
		var halt struct{ Subsystem, Reason string }
		_ = json.Unmarshal(text, &halt)
		list = append(list, warn("read it, keep a copy of the directory if it happens again, and remove the file",
			"the node stopped itself before: %s says %s %s",
			filepath.Join(s.dataDir, name), halt.Subsystem, halt.Reason))
	}
	return list
}

func checkPort(s *settings) finding {
	l, err := rpc.Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(s.rpcPort)))
	if err != nil {
		return bad("end what uses it, or choose another --rpc-port", "port %d: %v", s.rpcPort, err)
	}
	_ = l.Close()
	return good("port %d is free", s.rpcPort)
}

// checkClock compares the newest block's time with this machine's. explained says that the block is known to be old for another reason than a wrong clock.
func checkClock(ctx context.Context, s *settings, explained bool) finding {
	var b wire.Block
	if err := fetch(ctx, s, "/block/latest", &b); err != nil {
		return warn("", "the newest block cannot be read: %v", err)
	}
	age := time.Since(time.UnixMilli(int64(b.TimestampMs))).Round(time.Millisecond)
	switch {
	case age > clockSkew && explained:
		return warn("", "the newest block is %s old", age)
	case age < -clockSkew || age > clockSkew:
		return bad("set the clock by NTP; if it is right, the chain has stopped: look at the peers", "the newest block is %s old", age)
	}
	return good("the newest block is %s old", age)
}

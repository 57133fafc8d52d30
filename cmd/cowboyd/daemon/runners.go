package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/fleet"
)

// runners are those a development network runs itself.
type runners struct {
	count   int
	port    int
	answers string // file; "" for a few that are built in
	running *fleet.Fleet
}

func (r *runners) flags(flags *pflag.FlagSet) {
	flags.IntVar(&r.count, "runners", 0, fmt.Sprintf("runners to run in this process, registered and funded, against servers that stand in for a model,\n"+
		"tools and a site; at most %d", fleet.MaxRunners))
	flags.IntVar(&r.port, "runner-port", 4200, "port of the servers that stand in; 0 is any that is free")
	flags.StringVar(&r.answers, "runner-answers", "", "JSON file of the stand-in model's answers: {\"words of the question\": \"the answer\"}")
}

// check finds what is wrong before anything is started.
func (r *runners) check() error {
	if r.count < 0 || r.count > fleet.MaxRunners {
		return fmt.Errorf("--runners is 0 to %d, not %d", fleet.MaxRunners, r.count)
	}
	if r.port < 0 || r.port > 65_535 {
		return fmt.Errorf("--runner-port is 0 to 65535, not %d", r.port)
	}
	return nil
}

// read gives what the model knows; nil where nobody says.
func (r *runners) read() (known fleet.Answers, err error) {
	if r.answers == "" {
		return nil, nil
	}
	text, err := os.ReadFile(r.answers)
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err != nil {
		return nil, fmt.Errorf("--runner-answers: %w", err)
	}
	return known, nil
}

// start runs the runners of a network whose first node listens at an address. They wait until it answers.
func (r *runners) start(ctx context.Context, s *settings, at net.Addr, log zerolog.Logger) error {
	if r.count == 0 {
		return nil
	}
	known, err := r.read()
	if err != nil {
		return err
	}
	node := s.nodeAt(at)
	dir := filepath.Join(s.dataDir, "runners")
	if s.memory {
		dir = ""
	}
	r.running, err = fleet.Start(ctx, fleet.Config{
		Runners: r.count, Dir: dir, Port: r.port, Answers: known, Node: node, ChainID: s.chainID, Every: r.every(s), Log: log,
	})
	if err != nil {
		return fmt.Errorf("%w\n  the servers that stand in use --runner-port %s", err, strconv.Itoa(r.port))
	}
	return nil
}

// every is the time between two polls of a runner: half a block, and so that all of them take a fifth of what the node answers.
func (r *runners) every(s *settings) time.Duration {
	every := s.blockTime / 2
	if s.rpcRate > 0 {
		every = max(every, time.Duration(r.count)*2*time.Second*5/time.Duration(s.rpcRate))
	}
	return min(max(every, 100*time.Millisecond), 5*time.Second)
}

// stop ends them, if they run.
func (r *runners) stop() error {
	if r.running == nil {
		return nil
	}
	return r.running.Stop()
}

// commanded puts the calls that tell runners what to do before others, where there are runners and no Controls.
func (r *runners) commanded(controls *dev.Controls, others http.Handler) http.Handler {
	if r.running == nil || controls != nil {
		return others
	}
	return dev.Commanding(r.running, others)
}

// errRunners reports runners where none can be.
var errRunners = errors.New("--runners is for a development network in one process")

package fleet

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// MaxRunners bounds a fleet: each runner has a queue of its own.
	MaxRunners = 16
	places     = 4       // jobs of a kind that a runner does at a time
	queueBytes = 8 << 20 // of a kind
	stopWithin = 40 * time.Second
)

// capabilities are the kinds of jobs a runner has places for.
var capabilities = []string{"http", "llm", "mcp"}

// Config is what a fleet is started with.
type Config struct {
	Runners int
	Dir     string // of the journals and queues; "" for journals in memory and queues in a temporary directory
	Port    int    // of the servers that stand in; 0 for any
	Answers Answers
	Node    *api.Client
	ChainID uint64
	Every   time.Duration // between two polls
	Log     zerolog.Logger
}

// Fleet is the runners that are up, and the servers they use. It implements dev.Fleet.
type Fleet struct {
	servers *standIns
	members []*member
	tree    *supervision.Tree
	scratch string // to be removed
}

// member is a runner.
type member struct {
	key     *sig.PrivateKey
	conduct *conduct
	queue   *queue.Queue
}

// Start opens the servers and starts the runners, which enrol as soon as the node answers.
func Start(ctx context.Context, c Config) (*Fleet, error) {
	if c.Runners < 1 || c.Runners > MaxRunners {
		return nil, fmt.Errorf("a development network has 1 to %d runners, not %d", MaxRunners, c.Runners)
	}
	f := &Fleet{}
	if err := f.start(ctx, &c); err != nil {
		return nil, errors.Join(err, f.Stop())
	}
	c.Log.Info().Str("model", f.servers.at+"/v1").Str("tools", f.servers.at+"/mcp").Str("site", f.servers.at).Msg("servers stand in for the world")
	for i, m := range f.members {
		c.Log.Info().Int("runner", i).Str("address", m.key.Address().String()).Str("jobs", strings.Join(capabilities, " ")).Msg("a runner is up")
	}
	return f, nil
}

func (f *Fleet) start(ctx context.Context, c *Config) (err error) {
	if f.servers, err = standIn(c.Port, c.Answers); err != nil {
		return err
	}
	under := c.Dir
	if under == "" {
		if f.scratch, err = os.MkdirTemp("", "cowboyd-runners-"); err != nil {
			return err
		}
		under = f.scratch
	}
	root := supervision.Spec{
		Name: "runners", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 10, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: time.Second, Max: 10 * time.Second},
	}
	faucet := operate.NewClient(c.Node, genesis.DevFaucet())
	for i := range c.Runners {
		spec, err := f.runner(ctx, c, i, filepath.Join(under, fmt.Sprintf("runner-%d", i)), faucet)
		if err != nil {
			return fmt.Errorf("runner %d: %w", i, err)
		}
		root.Children = append(root.Children, spec)
	}
	f.tree, err = supervision.New(root, supervision.Config{Observe: func(e supervision.Event) {
		c.Log.Debug().Str("subsystem", e.Subsystem).Str("event", string(e.Kind)).Msg(e.Text)
	}})
	if err == nil {
		f.tree.Spawn()
	}
	return err
}

// runner makes a runner, without starting it.
func (f *Fleet) runner(ctx context.Context, c *Config, i int, dir string, faucet *operate.Client) (supervision.Spec, error) {
	m := &member{key: genesis.DevRunner(byte(i)), conduct: newConduct(i)}
	f.members = append(f.members, m)
	files, err := journals(c, m.key, dir)
	if err != nil {
		return supervision.Spec{}, err
	}
	dispatcher, _, err := nkey()
	if err != nil {
		return supervision.Spec{}, err
	}
	worker, public, err := nkey()
	if err != nil {
		return supervision.Spec{}, err
	}
	m.queue, err = queue.Open(ctx, queue.Config{
		Capabilities: capabilities, Seed: dispatcher, Workers: []queue.Credential{{Key: public, Capabilities: capabilities}},
		Dir: filepath.Join(dir, "queue"), MaxBytes: queueBytes,
	})
	if err != nil {
		return supervision.Spec{}, err
	}
	handle := runner.NewHandle()
	if err := m.queue.Results(func(_ string, data []byte) bool { return handle.Result(data) }); err != nil {
		return supervision.Spec{}, err
	}
	if err := m.queue.Progress(handle.Progress); err != nil {
		return supervision.Spec{}, err
	}
	log := c.Log.With().Int("runner", i).Logger()
	chain := operate.NewClient(c.Node, m.key)
	enrolment := &enrolment{node: c.Node, chain: chain, faucet: faucet, key: m.key}
	connected := lines.NewHandle()
	chain.Result(connected.Result)
	set := f.set(m.conduct)
	set.Secrets = operate.NewSecrets(chain)
	spec := runner.Tree(func() *runner.Dispatcher {
		return &runner.Dispatcher{
			Handle: handle, Key: m.key, Genesis: operate.ChainOf(c.ChainID), Disk: files, Fleet: capabilities, Every: c.Every,
			Clock: supervision.RealClock{}, Observe: func(e runner.Event) { told(log, e) }, Tell: connected.Progress,
		}
	}, func() *runner.Courier {
		return &runner.Courier{Chain: &facing{chain, m.conduct, enrolment.enrol}, Queue: m.queue}
	}, worksOn(), func(capability string, in *supervision.Inbox) *runner.Worker {
		return &runner.Worker{Inbox: in, Capability: capability, Set: set, Join: func() (*queue.Worker, error) {
			return queue.Join(queue.Joining{Inside: m.queue.InProcess(), Seed: worker})
		}}
	}, lines.Spec(connected, func() *lines.Lines {
		return &lines.Lines{
			Handle: connected, Key: m.key, ChainID: c.ChainID, Directory: chain, Dispatcher: &reached{handle, m.conduct}, Capabilities: capabilities,
			Clock: supervision.RealClock{},
		}
	}))
	spec.Name = fmt.Sprintf("runner-%d", i)
	return spec, nil
}

func worksOn() (list []runner.Places) {
	for _, name := range capabilities {
		list = append(list, runner.Places{Capability: name, Count: places})
	}
	return list
}

// journals gives the disk of a runner's journal, and begins one where there is none.
func journals(c *Config, key *sig.PrivateKey, dir string) (disk.Disk, error) {
	var files disk.Disk = disk.NewMemory()
	if c.Dir != "" {
		var err error
		if files, err = disk.NewDirectory(filepath.Join(dir, "journal")); err != nil {
			return nil, err
		}
	}
	if err := runner.MakeJournal(files, key.Address(), operate.ChainOf(c.ChainID)); err != nil && !errors.Is(err, runner.ErrPresent) {
		return nil, err
	}
	return files, nil
}

func nkey() (seed []byte, public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, "", err
	}
	if seed, err = pair.Seed(); err == nil {
		public, err = pair.PublicKey()
	}
	return seed, public, err
}

// set are the executors of a runner: the real ones, which ask the servers that stand in, and any page of this machine or of the world.
func (f *Fleet) set(c *conduct) *work.Set {
	examine := &work.Examine{}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	return &work.Set{Examine: examine, Executors: map[job.Kind]work.Executor{
		job.HTTP: acting{&work.HTTP{Private: loopback, Examine: examine, Apart: &work.Self{}}, c},
		job.LLM:  acting{&work.LLM{Examine: examine, Models: []work.Model{{URL: f.servers.at + "/v1", Name: "stand-in"}}}, c},
		job.MCP:  acting{&work.MCP{Servers: map[string]work.Server{Tools: {URL: f.servers.at + "/mcp"}}, Apart: &work.Self{}}, c},
	}}
}

// told writes what a developer may want to know: how a job ended, and why one failed, which the chain does not say. Polls that fail while the network comes up
// are for debugging.
func told(log zerolog.Logger, e runner.Event) {
	line := log.Debug()
	switch e.What {
	case "ended":
		line = log.Info()
	case "worked":
		line = log.Warn()
	}
	line.Str("job", e.Job.Hex()).Err(e.Err).Msg(strings.TrimSpace(e.What + " " + e.Text))
}

// Stop ends the runners, then the servers.
func (f *Fleet) Stop() error {
	var err error
	if f.tree != nil {
		ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
		defer cancel()
		err = f.tree.Stop(ctx)
	}
	for _, m := range f.members {
		if m.queue != nil {
			m.queue.Close()
		}
	}
	if f.servers != nil {
		err = errors.Join(err, f.servers.server.Close())
	}
	if f.scratch != "" {
		err = errors.Join(err, os.RemoveAll(f.scratch))
	}
	return err
}

// Runners implements dev.Fleet.
func (f *Fleet) Runners() wire.DevFleet {
	all := wire.DevFleet{Model: f.servers.at + "/v1", Tools: f.servers.at + "/mcp", Site: f.servers.at, Runners: []wire.DevFleetRunner{}}
	for i, m := range f.members {
		now, delay, _ := m.conduct.get()
		one := wire.DevFleetRunner{Number: i, Address: m.key.Address().String(), DevConduct: wire.DevConduct{Conduct: string(now)}}
		if now == Delay {
			one.DelayMs = uint64(delay / time.Millisecond)
		}
		all.Runners = append(all.Runners, one)
	}
	return all
}

// Behave implements dev.Fleet.
func (f *Fleet) Behave(number int, q wire.DevConduct) error {
	if number < 0 || number >= len(f.members) {
		return fmt.Errorf("%w: there are runners 0 to %d", dev.ErrRunner, len(f.members)-1)
	}
	now, delay := Conduct(q.Conduct), time.Duration(0)
	switch now {
	case Honest, Diverge, Fail, Lie, Away:
	case Delay:
		delay = time.Duration(min(q.DelayMs, uint64(MaxDelay/time.Millisecond)+1)) * time.Millisecond
		if delay == 0 || delay > MaxDelay {
			return fmt.Errorf("%w: a delay is from 1ms to %v", dev.ErrConduct, MaxDelay)
		}
	default:
		return fmt.Errorf("%w: %q is none of honest, diverge, fail, delay, lie and away", dev.ErrConduct, q.Conduct)
	}
	f.members[number].conduct.set(now, delay)
	return nil
}

package operate

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/bind"
	"github.com/cowboyinc/cowboy-go/actors/runner/collect"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/actors/runner/purse"
	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/secrets"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// running is a runner that is up.
type running struct {
	config  *config
	dir     string
	log     zerolog.Logger
	metrics *prometheus.Registry
	jobs    *prometheus.CounterVec
	ended   *prometheus.CounterVec
}

func newRunning(dir string, c *config, to io.Writer) *running {
	r := &running{config: c, dir: dir, log: zerolog.New(to).With().Timestamp().Logger(), metrics: prometheus.NewRegistry()}
	r.jobs = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "cowboy_runner_work_total", Help: "Jobs workers have done, by kind and outcome."},
		[]string{"kind", "outcome"})
	r.ended = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "cowboy_runner_events_total", Help: "What the dispatcher tells of."}, []string{"what"})
	r.metrics.MustRegister(r.jobs, r.ended)
	return r
}

// worked counts a job.
func (r *running) worked(kind job.Kind, err error) {
	name := map[job.Kind]string{job.HTTP: "http", job.LLM: "llm", job.MCP: "mcp", job.Custom: "custom", job.Container: "container"}[kind]
	outcome := "success"
	if err != nil {
		outcome = work.KindOf(err).String()
	}
	r.jobs.WithLabelValues(name, outcome).Inc()
	r.log.Info().Str("kind", name).Err(err).Msg("a job was worked on: " + outcome)
}

func (r *running) told(e runner.Event) {
	r.ended.WithLabelValues(e.What).Inc()
	r.log.Info().Str("job", e.Job.Hex()).Err(e.Err).Msg(e.What + " " + e.Text)
}

func (r *running) read(name string) ([]byte, error) { return os.ReadFile(filepath.Join(r.dir, name)) }

// worker makes the leaf of a place.
func (r *running) worker(set *work.Set, j queue.Joining) func(string, *supervision.Inbox) *runner.Worker {
	return func(capability string, in *supervision.Inbox) *runner.Worker {
		return &runner.Worker{Inbox: in, Capability: capability, Set: set, Observe: r.worked, Join: func() (*queue.Worker, error) { return queue.Join(j) }}
	}
}

// serve runs a tree until the context ends, or it halts.
func (r *running) serve(ctx context.Context, spec supervision.Spec) error {
	tree, err := supervision.New(spec, supervision.Config{Observe: func(e supervision.Event) {
		r.log.Debug().Str("subsystem", e.Subsystem).Str("event", string(e.Kind)).Msg(e.Text)
	}})
	if err != nil {
		return err
	}
	tree.Spawn() // who is told to stop while it comes up stops in order too
	select {
	case h := <-tree.Halted():
		err = errors.New(h.String())
	case <-ctx.Done():
	}
	return errors.Join(err, tree.Stop(context.Background()))
}

// start runs a dispatcher with its workers.
func (r *running) start(ctx context.Context) error {
	key, err := wallet.Load(filepath.Join(r.dir, keyFile))
	if err != nil {
		return err
	}
	private, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		return err
	}
	seed, err := r.read(seedFile)
	if err != nil {
		return err
	}
	local, err := r.read(workerFile)
	if err != nil {
		return err
	}
	public, err := publicOf(local)
	if err != nil {
		return err
	}
	set, err := r.set(ctx, private.Address())
	if err != nil {
		return err
	}
	secure, err := r.config.secure(r.dir)
	if err != nil {
		return err
	}
	q, err := queue.Open(ctx, queue.Config{
		Capabilities: r.config.capabilities(), Seed: seed, URL: r.config.Queue.URL, Workers: append(r.config.credentials(), r.config.own(public)),
		TLS: secure, Keep: r.config.Queue.Replicas, AckWait: r.config.silence,
		Dir: filepath.Join(r.dir, queueDir), Listen: r.config.Queue.Listen, Port: r.config.Queue.Port,
	})
	if err != nil {
		return err
	}
	defer q.Close()
	files, err := disk.NewDirectory(filepath.Join(r.dir, journalDir))
	if err != nil {
		return err
	}
	handle := runner.NewHandle()
	if err := q.Results(func(_ string, data []byte) bool { return handle.Result(data) }); err != nil {
		return err
	}
	if err := q.Progress(handle.Progress); err != nil {
		return err
	}
	chain := NewClient(api.New(r.config.Runner.RPC), private)
	if err := r.config.equip(set, chain, r.dir); err != nil {
		return err
	}
	giver := &secrets.Giver{Secrets: set.Secrets, Open: handle.Open, Joins: r.config.joins}
	if err := q.Secrets(func(capability string, body []byte) []byte { return giver.Answer(ctx, capability, body) }); err != nil {
		return err
	}
	connected := lines.NewHandle()
	var beside []supervision.Spec
	var tell func(digest.Hash, uint8, string)
	if !r.config.Runner.PollOnly {
		chain.Result(connected.Result)
		tell = connected.Progress
		beside = append(beside, lines.Spec(connected, r.pushed(connected, chain, handle, private, supervision.RealClock{})))
	}
	closed, err := r.aggregates(chain, handle)
	if err != nil {
		return err
	}
	defer closed()
	of, more, err := r.beside(chain, set, handle)
	if err != nil {
		return err
	}
	beside, of.validators = append(beside, more...), connected
	stop, err := r.control(handle, private.Address().String(), of)
	if err != nil {
		return err
	}
	defer stop()
	r.log.Info().Str("runner", private.Address().String()).Str("queue", q.Address()).Msg("the runner is up")
	spec := runner.Tree(func() *runner.Dispatcher {
		return &runner.Dispatcher{
			Handle: handle, Key: private, Genesis: ChainOf(r.config.Runner.ChainID), Disk: files, Fleet: r.config.capabilities(),
			MaxOpen: r.config.Runner.MaxOpen, Every: r.config.poll, Clock: supervision.RealClock{}, Observe: r.told, Tell: tell,
			HandOver: !r.config.Aggregator.Alone, Collects: r.config.Aggregator.collects(),
		}
	}, func() *runner.Courier { return &runner.Courier{Chain: chain, Queue: q} }, r.config.places(),
		r.worker(set, queue.Joining{URL: q.Address(), Inside: q.InProcess(), Seed: local, TLS: secure}), beside...)
	if r.config.Sessions.Listen == "" {
		return r.serve(ctx, spec)
	}
	sessions, shut, err := r.sell(set, chain)
	if err != nil {
		return err
	}
	spec.Children = append(spec.Children, sessions)
	return errors.Join(r.serve(ctx, spec), shut())
}

// work runs workers that join a dispatcher elsewhere.
func (r *running) work(ctx context.Context, at string) error {
	seed, err := r.read(workerFile)
	if err != nil {
		return err
	}
	set, err := r.set(ctx, account.Address{})
	if err != nil {
		return err
	}
	secure, err := r.config.secure(r.dir)
	if err != nil {
		return err
	}
	joining := queue.Joining{URL: at, Seed: seed, TLS: secure}
	asks := &asking{joining: joining, fleet: r.config.capabilities()}
	defer asks.close()
	set.Secrets = &secrets.Remote{Seed: seed, Ask: asks.ask}
	stop, err := operator.Metrics(r.config.Runner.Metrics, r.metrics)
	if err != nil {
		return err
	}
	defer stop()
	return r.serve(ctx, runner.Tree(nil, nil, r.config.places(), r.worker(set, joining)))
}

// publicOf is the public key of an nkey's seed.
func publicOf(seed []byte) (string, error) {
	pair, err := nkeys.FromSeed(seed)
	if err != nil {
		return "", err
	}
	return pair.PublicKey()
}

// parts are what of a runner has a status beside the dispatcher.
type parts struct {
	validators *lines.Handle
	earnings   *purse.Handle
	binding    *bind.Handle // nil for none
}

// beside are the members of the tree that are there in any case, beside the dispatcher and its workers, and those of the configuration.
func (r *running) beside(chain *Client, set *work.Set, h *runner.Handle) (of parts, list []supervision.Spec, err error) {
	earnings, counting := r.counts(chain)
	bound, list, err := r.binds(chain, set.Environment)
	list = append(list, counting)
	if !r.config.Aggregator.Alone {
		list = append(list, runner.Messengers(h, collect.NewClient(chain, r.config.Aggregator.Private))...)
	}
	return parts{earnings: earnings, binding: bound}, list, err
}

// control serves status and drain on a socket of the data directory, and metrics where the configuration says.
func (r *running) control(h *runner.Handle, address string, of parts) (stop func(), err error) {
	mux := http.NewServeMux()
	now := func() (standing, bool) {
		s, ok := h.Status()
		all := standing{Status: s, Validators: of.validators.Status(), Earnings: of.earnings.Status()}
		if of.binding != nil {
			bound := of.binding.Status()
			all.Binding = &bound
		}
		return all, ok
	}
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		s, ok := now()
		if !ok {
			http.Error(w, "the dispatcher does not answer", http.StatusServiceUnavailable)
			return
		}
		_ = json.NewEncoder(w).Encode(s)
	})
	mux.HandleFunc("POST /drain", func(w http.ResponseWriter, ask *http.Request) {
		select {
		case <-h.Drain():
		case <-ask.Context().Done():
		}
		w.WriteHeader(http.StatusNoContent)
	})
	r.metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "cowboy_runner_open_jobs", Help: "Jobs that are open."}, func() float64 {
		p, _ := h.Pressure()
		return float64(p.Active)
	}), prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "cowboy_runner_validators_connected", Help: "Validators that push jobs to this runner.",
	}, func() float64 {
		s := of.validators.Status()
		return float64(s.Connected())
	}))
	shown, err := operator.Pages(r.config.Runner.Metrics, r.metrics, page(address, now))
	if err != nil {
		return nil, err
	}
	socket, err := operator.Control(filepath.Join(r.dir, socketFile), mux)
	if err != nil {
		shown()
		return nil, err
	}
	return func() { shown(); socket() }, nil
}

// ask asks the runner that is up.
func ask(ctx context.Context, dir, method, path string, to io.Writer) error {
	return operator.Ask(ctx, filepath.Join(dir, socketFile), "runner", method, path, to)
}

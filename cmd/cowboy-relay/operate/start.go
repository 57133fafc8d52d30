package operate

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// meters are the numbers of a relay.
type meters struct {
	registry *prometheus.Registry
	asked    *prometheus.CounterVec
	bytes    *prometheus.CounterVec
	done     *prometheus.CounterVec
	accounts *prometheus.CounterVec
}

func newMeters() *meters {
	m := &meters{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "cowboy_relay_" + name, Help: help}, labels)
	}
	m.asked = counter("questions_total", "Questions answered, by status.", "op", "status")
	m.bytes = counter("bytes_total", "Bytes of questions and answers.", "op")
	m.done = counter("events_total", "What the relay did, by outcome.", "what", "outcome")
	m.accounts = counter("account_requests_total", "Requests of the account API, by call and status.", "call", "status")
	m.registry.MustRegister(m.asked, m.bytes, m.done, m.accounts)
	return m
}

// watch adds the numbers that a status has.
func (m *meters) watch(r *Relay) {
	for name, one := range map[string]struct {
		help string
		read func(s relay.Status) float64
	}{
		"cowboy_relay_stored_bytes":   {"Bytes in the store.", func(s relay.Status) float64 { return float64(s.Bytes) }},
		"cowboy_relay_capacity_bytes": {"Bytes the store may hold.", func(s relay.Status) float64 { return float64(s.Capacity) }},
		"cowboy_relay_rotten_total":   {"Chunks found rotten since the start.", func(s relay.Status) float64 { return float64(s.Rotten) }},
		"cowboy_relay_slots":          {"Slots the chain gave it.", func(s relay.Status) float64 { return float64(s.Slots) }},
		"cowboy_relay_whole_slots":    {"Slots that were found whole.", func(s relay.Status) float64 { return float64(s.Whole) }},
	} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: one.help}, func() float64 {
			s, _ := r.Handle.Status()
			return one.read(s)
		}))
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "cowboy_relay_connections", Help: "Connections there are."},
		func() float64 { return float64(r.Connections()) }))
}

// start runs a relay until the context ends, or it halts.
func start(ctx context.Context, dir string, to io.Writer) error {
	c, err := readConfig(dir)
	if err != nil {
		return err
	}
	account, key, err := keys(dir)
	if err != nil {
		return err
	}
	log, m := zerolog.New(to).With().Timestamp().Logger(), newMeters()
	node := api.New(c.Relay.RPC)
	node.Tries = 1 // strangers' questions wait for it
	chain := NewChain(node, account)
	r, err := New(&Setting{
		Self: account.Address(), Key: key, Dir: c.Relay.Store, Bucket: c.bucket(key), Capacity: c.Relay.CapacityGiB * gib, Listen: c.Relay.Listen,
		ChainID: c.Relay.ChainID, Chain: chain, Every: c.poll, Retained: RetainedIn(dir), Contracts: Contracts{chain},
		Observe: func(what string, err error) {
			outcome := "success"
			if err != nil {
				outcome = "failure"
			}
			m.done.WithLabelValues(what, outcome).Inc()
			log.Info().Err(err).Msg(what)
		},
		Asked: func(op protocol.Op, s protocol.Status, bytes int) {
			status := s.Error()
			m.asked.WithLabelValues(op.String(), status).Inc()
			m.bytes.WithLabelValues(op.String()).Add(float64(bytes))
		},
		Accounts: Accounts{
			Listen: c.Relay.Accounts, Cert: c.Relay.Cert, Key: c.Relay.CertKey, Node: chain.Node,
			Observe: func(call string, status int) { m.accounts.WithLabelValues(call, strconv.Itoa(status)).Inc() },
		},
	})
	if err != nil {
		return err
	}
	m.watch(r)
	tree, err := supervision.New(r.Tree, supervision.Config{})
	if err != nil {
		return errors.Join(err, r.Stop())
	}
	shut, err := control(c, dir, r, m)
	if err != nil {
		return errors.Join(err, r.Stop())
	}
	defer shut()
	tree.Spawn()
	log.Info().Str("relay", account.Address().String()).Str("listening", r.Address()).Str("accounts", r.AccountsURL()).Msg("the relay is up")
	select {
	case h := <-tree.Halted():
		err = errors.New(h.String())
	case <-ctx.Done():
	}
	return errors.Join(err, r.Stop(), tree.Stop(context.Background()))
}

// control serves the status on a socket of the data directory, and metrics where the configuration says.
func control(c *config, dir string, r *Relay, m *meters) (shut func(), err error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		s, ok := r.Handle.Status()
		if !ok {
			http.Error(w, "the keeper does not answer", http.StatusServiceUnavailable)
			return
		}
		_ = json.NewEncoder(w).Encode(s)
	})
	socket, err := operator.Control(filepath.Join(dir, socketFile), mux)
	if err != nil {
		return nil, err
	}
	page, err := operator.Metrics(c.Relay.Metrics, m.registry)
	if err != nil {
		socket()
		return nil, err
	}
	return func() { page(); socket() }, nil
}

// ask prints the status of the relay that is up.
func ask(ctx context.Context, dir string, to io.Writer) error {
	return operator.Ask(ctx, filepath.Join(dir, socketFile), "relay", http.MethodGet, "/status", to)
}

package admin

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Work counts what a node spends its time on. Its methods may be called from any goroutine. The zero value is not usable; NewWork makes one.
type Work struct {
	turns, recoveries prometheus.Histogram
	builds, age       prometheus.Histogram
	requests          *prometheus.HistogramVec
}

// NewWork makes the counters.
func NewWork() *Work {
	histogram := func(subsystem, name, help string, start float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Subsystem: subsystem, Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(start, 4, 9),
		})
	}
	return &Work{
		turns:      histogram("execution", "turn_seconds", "Time a Python turn took.", 0.000_1),
		recoveries: histogram("verification", "signature_seconds", "Time it took to recover the signer of a transaction that was not known.", 0.000_01),
		builds:     histogram("block", "build_seconds", "Time it took to put a block of this node's own together.", 0.000_5),
		age:        histogram("consensus", "finality_seconds", "Age of blocks by this machine's clock when they became final here.", 0.02),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Subsystem: "rpc", Name: "request_seconds",
			Help:    "Time it took to answer a client, by route and class of status. Streams are left out.",
			Buckets: prometheus.ExponentialBuckets(0.000_25, 4, 9),
		}, []string{"route", "code"}),
	}
}

// Spend adds what a node spends its time on.
func (m *Metrics) Spend(w *Work) {
	m.registry.MustRegister(w.turns, w.recoveries, w.builds, w.age, w.requests)
}

// Proposed counts a block this node put together.
func (w *Work) Proposed(took time.Duration) { w.builds.Observe(took.Seconds()) }

// Finalized counts a block that became final here at an age.
func (w *Work) Finalized(age time.Duration) { w.age.Observe(age.Seconds()) }

// Runner measures the turns of a runner.
func (w *Work) Runner(r drain.Runner) drain.Runner { return timedRunner{r, w.turns} }

type timedRunner struct {
	drain.Runner
	turns prometheus.Histogram
}

// Run implements drain.Runner.
func (r timedRunner) Run(t *drain.Turn) (drain.Outcome, error) {
	began := time.Now()
	defer func() { r.turns.Observe(time.Since(began).Seconds()) }()
	return r.Runner.Run(t)
}

// Recoverer measures a recoverer.
func (w *Work) Recoverer(r sig.Recoverer) sig.Recoverer { return timedRecoverer{r, w.recoveries} }

type timedRecoverer struct {
	sig.Recoverer
	recoveries prometheus.Histogram
}

// Recover implements sig.Recoverer.
func (r timedRecoverer) Recover(hash digest.Hash, s sig.Signature) (account.Address, error) {
	began := time.Now()
	defer func() { r.recoveries.Observe(time.Since(began).Seconds()) }()
	return r.Recoverer.Recover(hash, s)
}

// Clients measures the answers to clients. Streams last as long as their clients like and pass unmeasured.
func (w *Work) Clients(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" || r.URL.Path == "/ws" {
			next.ServeHTTP(out, r)
			return
		}
		began := time.Now()
		status := &statusWriter{ResponseWriter: out, status: http.StatusOK}
		defer func() {
			route := r.Pattern // of the routes there are, so that strangers cannot make more
			if route == "" {
				route = "none"
			}
			w.requests.WithLabelValues(route, strconv.Itoa(status.status/100)+"xx").Observe(time.Since(began).Seconds())
		}()
		next.ServeHTTP(status, r)
	})
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

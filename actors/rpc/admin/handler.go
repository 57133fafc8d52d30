package admin

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Source is what the operator's pages are read from.
type Source interface {
	Health() wire.Health
	Ready() wire.Ready
	Height() wire.Height
	Basefee() wire.Basefee
	Tree() supervision.Status
}

// ErrAddress reports an address that others than this machine could reach.
var ErrAddress = errors.New("admin: the address is not a loopback address")

// CheckAddress refuses every address that is not on the loopback interface.
func CheckAddress(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAddress, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%w: %s", ErrAddress, host)
	}
	return nil
}

// New gives the operator's pages. levels may be nil.
func New(source Source, metrics *Metrics, levels *Levels) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { ready(w, r, source, metrics) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /debug/actors", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(source.Tree().Text())) })
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	if levels != nil {
		mux.HandleFunc("GET /log", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(levels.Text())) })
		mux.HandleFunc("PUT /log", func(w http.ResponseWriter, r *http.Request) { setLevel(w, r, levels) })
	}
	return Local(mux)
}

// Local refuses a browser that was led here from elsewhere: its Host or Origin is not this machine's.
func Local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && (ip == nil || !ip.IsLoopback()) || r.Header.Get("Origin") != "" {
			http.Error(w, "this port answers this machine only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ready answers 200 when the node serves, else 503; ?verbose lists every subsystem, and the latest turns that took too much of a block's time.
func ready(w http.ResponseWriter, r *http.Request, source Source, metrics *Metrics) {
	state := source.Ready()
	if !state.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if r.URL.Query().Has("verbose") {
		walk(source.Tree(), func(s supervision.Status) {
			if len(s.Children) > 0 {
				return
			}
			mark := "[+]"
			if s.State != supervision.Running.String() {
				mark = "[-]"
			}
			fmt.Fprintf(w, "%s%s %s\n", mark, s.Path, s.State)
		})
		if metrics.slows != nil {
			for _, line := range metrics.slows.Lines() {
				fmt.Fprintf(w, "[!]%s\n", line)
			}
		}
	}
	for _, reason := range state.Reason {
		fmt.Fprintf(w, "[-]%s\n", reason)
	}
	for _, text := range state.Warnings {
		fmt.Fprintf(w, "[!]%s\n", text)
	}
	if state.Ready {
		fmt.Fprintln(w, "ready")
		return
	}
	fmt.Fprintln(w, "not ready")
}

func walk(s supervision.Status, visit func(supervision.Status)) {
	visit(s)
	for _, c := range s.Children {
		walk(c, visit)
	}
}

// setLevel changes the level of a subsystem and everything under it, or of the node.
func setLevel(w http.ResponseWriter, r *http.Request, levels *Levels) {
	q := r.URL.Query()
	level, err := zerolog.ParseLevel(q.Get("level"))
	if err != nil || q.Get("level") == "" {
		http.Error(w, "level is debug, info, warn or error", http.StatusBadRequest)
		return
	}
	if err := levels.Set(q.Get("subsystem"), level); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = w.Write([]byte(levels.Text()))
}

package operator

import (
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The page of metrics is read while strangers of eight addresses hold as many connections as they may and say nothing; those beyond are closed.
func TestMetricsAmongStrangers(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	one := prometheus.NewGauge(prometheus.GaugeOpts{Name: "one", Help: "One."})
	registry.MustRegister(one)
	raw, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer serve(pageLimits.Bounded(raw), pages(registry, nil))()
	for n := range byte(8) {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 7, 0, 90+n)}}
		for i := range pageLimits.Each + 1 {
			conn, err := dialer.DialContext(t.Context(), "tcp", raw.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if i < pageLimits.Each {
				continue
			}
			if _, err := conn.Read(make([]byte, 1)); err == nil {
				t.Error("one more than a source may have is kept")
			}
		}
	}
	reply, err := http.Get("http://" + raw.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if text, err := io.ReadAll(reply.Body); err != nil || !strings.Contains(string(text), "\none 0\n") {
		t.Errorf("%q %v", text, err)
	}
	s := pages(registry, nil)
	for name, got := range map[string]time.Duration{
		"head": s.ReadHeaderTimeout, "request": s.ReadTimeout, "answer": s.WriteTimeout, "pause": s.IdleTimeout,
	} {
		t.Run(name, func(t *testing.T) {
			if got <= 0 || got > pageIdleFor {
				t.Error(got)
			}
		})
	}
}

// A program is asked over its socket, and nothing is served where no place is named.
func TestControl(t *testing.T) {
	at := filepath.Join(t.TempDir(), "s")
	for range 2 { // one that was left behind is replaced
		stop, err := Control(at, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "well") }))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := Ask(t.Context(), at, "runner", http.MethodGet, "/status", &out); err != nil || out.String() != "well" {
			t.Errorf("%q %v", out.String(), err)
		}
		stop()
	}
	stop, err := Metrics("", prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := Metrics("nowhere", nil); err == nil {
		t.Error("it is served nowhere")
	}
}

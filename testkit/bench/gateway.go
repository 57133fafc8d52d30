package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Hurried is a clock whose seconds are a thousand: the limits of an actor are not what is measured.
type Hurried struct {
	supervision.RealClock
	Start time.Time
}

// Now implements supervision.Clock.
func (h Hurried) Now() time.Time { return h.Start.Add(1_000 * time.Since(h.Start)) }

const trivial = `
from pvm_host import get_block_height
from cowboy_sdk import actor, routes


@actor
class Trivial:
    @routes.get("/")
    def page(self, request):
        return "hello"

    @routes.post("/")
    def change(self, request):
        return str(get_block_height())
`

// Open writes a wallet into a directory, gives it coins, deploys a trivial actor and registers its name, trivial.cowboy.network. run is the cowboy command in
// that directory.
func Open(b *testing.B, dir string, run func(args ...string) string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(dir, "trivial.py"), []byte(trivial), 0o600); err != nil {
		b.Fatal(err)
	}
	run("init", "local")
	run("dev", "balance", regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(run("wallet", "address")), "100000")
	const manifest = `{"entitlements":[{"id":"econ.hold_balance"},{"id":"ingress.http"},{"id":"storage.kv","params":{"max_bytes":4096}},` +
		`{"id":"timer.schedule","params":{"max_timers":64}}]}`
	out := run("actor", "deploy", "--code", "trivial.py", "--salt", "0x01", "--manifest-json", manifest, "--wait")
	run("route", "register", "trivial", "--actor", regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1], "--wait")
}

// Beside asks at an address through a gateway and straight at a bare server, turn by turn, with so many clients: requests that are all alike ("same"), and
// requests no two of which are ("distinct"). It reports requests a second of both, the processor time of a request, to which used adds that of other processes
// (nil: there are none), and the latency with half the requests a second that the gateway then can.
func Beside(b *testing.B, through, straight *http.Client, at string, clients int, used func() time.Duration) {
	if used == nil {
		used = func() time.Duration { return 0 }
	}
	for _, kind := range []string{"same", "distinct"} {
		b.Run(kind, func(b *testing.B) { beside(b, through, straight, at, clients, used, kind == "distinct") })
	}
}

func beside(b *testing.B, through, straight *http.Client, at string, clients int, used func() time.Duration, distinct bool) {
	const rounds = 5
	asked := 0
	page := func(i int) string {
		if distinct {
			return fmt.Sprintf("%s?n=%d-%d", at, asked, i)
		}
		return at
	}
	n := max(b.N/rounds, clients)
	ask := func(c *http.Client, rate float64) ([]time.Duration, time.Duration) {
		asked++
		return load(b, c, page, n, clients, rate)
	}
	ask(through, 0)
	ask(straight, 0)
	var slow, fast, work, least time.Duration
	b.ResetTimer()
	for range rounds {
		before := Processor() + used()
		_, x := ask(through, 0)
		slow += x
		work += Processor() + used() - before
		before = Processor()
		_, x = ask(straight, 0)
		fast += x
		least += Processor() - before
	}
	rate := float64(rounds*n) / slow.Seconds()
	took, _ := ask(through, rate/2)
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate, "gateway-req/s")
	b.ReportMetric(float64(rounds*n)/fast.Seconds(), "bare-req/s")
	b.ReportMetric(fast.Seconds()/slow.Seconds(), "ratio")
	b.ReportMetric(float64(work.Microseconds())/float64(rounds*n), "gateway-cpu-us/req")
	b.ReportMetric(float64(least.Microseconds())/float64(rounds*n), "bare-cpu-us/req")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1_000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1_000, "p50-ms")
}

// load asks n times with so many clients, each behind its own connection, at most so often a second (0: as often as it can), and gives how long each took.
// url is the address of each request, by its number.
func load(
	b *testing.B, client *http.Client, url func(i int) string, n, clients int, rate float64,
) (took []time.Duration, all time.Duration) {
	b.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	start := time.Now()
	for c := range clients {
		group.Go(func() {
			for i := c; i < n; i += clients {
				if rate > 0 {
					<-time.After(time.Until(start.Add(time.Duration(float64(i) / rate * float64(time.Second)))))
				}
				began := time.Now()
				x, err := client.Get(url(i))
				if err != nil {
					b.Error(err)
					return
				}
				body, err := io.ReadAll(x.Body)
				_ = x.Body.Close()
				if err != nil || string(body) != "hello" {
					b.Errorf("%d %q %v", x.StatusCode, body, err)
					return
				}
				mu.Lock()
				took = append(took, time.Since(began))
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return took, time.Since(start)
}

// DialTo connects to one address, whatever the name is.
func DialTo(at string) func(ctx context.Context, network, _ string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, at)
	}
}

package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// seed makes an nkey.
func seed(t *testing.T) (secret []byte, public string) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	secret, _ = pair.Seed()
	public, _ = pair.PublicKey()
	return secret, public
}

// fleet is a queue of two capabilities, with a worker's key for each.
type fleet struct {
	*Queue
	http, llm []byte
}

func open(t *testing.T, change func(*Config)) *fleet {
	dispatcher, _ := seed(t)
	f := &fleet{}
	c := Config{
		Capabilities: []string{"http", "llm"}, Seed: dispatcher, Dir: t.TempDir(), Listen: "127.0.0.1", AckWait: 300 * time.Millisecond, MaxBytes: 8 << 20,
	}
	for _, w := range []struct {
		secret *[]byte
		name   string
	}{{&f.http, "http"}, {&f.llm, "llm"}} {
		secret, public := seed(t)
		*w.secret = secret
		c.Workers = append(c.Workers, Credential{public, []string{w.name}})
	}
	if change != nil {
		change(&c)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var err error
	if f.Queue, err = Open(ctx, c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func (f *fleet) join(t *testing.T, secret []byte) *Worker {
	w, err := Join(Joining{URL: f.Address(), Seed: secret})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func (f *fleet) put(t *testing.T, name string, n int) {
	for i := range n {
		if err := f.Put(t.Context(), name, fmt.Sprintf("%s-%d", name, i), fmt.Appendf(nil, "%d", i)); err != nil {
			t.Fatal(err)
		}
	}
}

// Every job is done, and each worker does some: the work is shared. A job that is put twice is done once.
// Spec: runner-marketplace §9.
func TestJobsAreShared(t *testing.T) {
	f := open(t, func(c *Config) { c.AckWait = time.Minute }) // on a busy machine none comes again before it is done
	const jobs, workers = 60, 3
	results := make(chan string, 4*jobs)
	if err := f.Results(func(_ string, data []byte) bool { results <- string(data); return true }); err != nil {
		t.Fatal(err)
	}
	f.put(t, "http", jobs)
	f.put(t, "http", jobs)
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	var done [workers]atomic.Int64
	var met sync.WaitGroup // so that none can do all before another has begun
	met.Add(workers)
	for i := range workers {
		w := f.join(t, f.http)
		wait.Go(func() {
			_ = w.Work(ctx, "http", func(_ context.Context, job []byte) []byte {
				if done[i].Add(1) == 1 {
					met.Done()
					met.Wait()
				}
				return job
			})
		})
	}
	seen := map[string]int{}
	for len(seen) < jobs {
		select {
		case r := <-results:
			seen[r]++
		case <-time.After(30 * time.Second):
			t.Fatalf("%d of %d", len(seen), jobs)
		}
	}
	cancel()
	wait.Wait()
	total := int64(0)
	for i := range done {
		if total += done[i].Load(); done[i].Load() == 0 {
			t.Errorf("worker %d did nothing", i)
		}
	}
	if total != jobs {
		t.Errorf("%d jobs were done, of %d", total, jobs)
	}
}

// A job whose worker dies, or whose result is not taken, goes to another; one whose worker is slow stays.
func TestRedelivery(t *testing.T) {
	f := open(t, nil)
	var refusals atomic.Int64
	taken := make(chan string, 10)
	if err := f.Results(func(_ string, data []byte) bool {
		if refusals.Add(1) == 1 {
			return false
		}
		taken <- string(data)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	f.put(t, "llm", 1)
	dying, ctx := f.join(t, f.llm), t.Context()
	got := make(chan struct{})
	go func() {
		_ = dying.Work(ctx, "llm", func(ctx context.Context, job []byte) []byte {
			dying.Close()
			close(got)
			return job
		})
	}()
	<-got
	second := f.join(t, f.llm)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	var tries atomic.Int64
	slow := time.NewTimer(time.Second) // three times the wait for an acknowledgement
	go func() {
		defer close(ended)
		_ = second.Work(ctx, "llm", func(_ context.Context, job []byte) []byte {
			if tries.Add(1) == 2 {
				<-slow.C
			}
			return job
		})
	}()
	select {
	case r := <-taken:
		if r != "0" || tries.Load() != 2 {
			t.Errorf("%q after %d tries", r, tries.Load())
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nobody did the job")
	}
	cancel()
	<-ended
}

// delivered is a message that was delivered so often.
type delivered struct {
	jetstream.Msg
	times uint64
}

func (d delivered) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{NumDelivered: d.times}, nil
}

// A worker that says nothing loses its job in less than a second, and a job that was lost is waited for longer. A result that is not taken is brought again
// after a third of that, and then after four times as long.
func TestWaits(t *testing.T) {
	f := open(t, func(c *Config) { c.AckWait = 0 })
	from, err := f.stream.Consumer(t.Context(), "jobs-http", consumer)
	if err != nil {
		t.Fatal(err)
	}
	const ms = time.Millisecond
	c := from.CachedInfo().Config
	if want := []time.Duration{900 * ms, 2_700 * ms, 9_000 * ms, 27_000 * ms}; c.AckWait != want[0] || !slices.Equal(c.BackOff, want) {
		t.Errorf("%v %v", c.AckWait, c.BackOff)
	}
	for times, want := range map[uint64]time.Duration{0: 300 * ms, 1: 300 * ms, 2: 1_200 * ms, 3: 4_800 * ms, 5: 76_800 * ms, 1 << 63: 76_800 * ms} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			if got := refused(delivered{times: times}, c.AckWait); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// A queue refuses more than it may hold, one below, at and above.
func TestBounds(t *testing.T) {
	f := open(t, func(c *Config) { c.MaxJobs = 3 })
	for i, want := range []error{nil, nil, nil, ErrFull} {
		if err := f.Put(t.Context(), "http", fmt.Sprint(i), []byte("x")); !errors.Is(err, want) {
			t.Errorf("job %d: %v", i, err)
		}
	}
	if n, err := f.Waiting(t.Context(), "http"); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := f.Put(t.Context(), "llm", "large", make([]byte, MaxMessage+1)); err == nil {
		t.Error("a message that is too large was taken")
	}
	_, err := Open(t.Context(), Config{Capabilities: []string{"a.b"}})
	if !errors.Is(err, ErrName) {
		t.Error(err)
	}
}

// A worker's key does what it is for and nothing else: each attempt is refused by the server. Who has no key does not come in.
func TestLeastPrivilege(t *testing.T) {
	f := open(t, nil)
	f.put(t, "llm", 1)
	login, key, err := identity(f.http)
	if err != nil {
		t.Fatal(err)
	}
	refusals := make(chan string, 64)
	conn, err := nats.Connect(f.Address(), login, nats.CustomInboxPrefix(inbox(key)), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		refusals <- strings.ToLower(err.Error())
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	refused := func(what string) {
		t.Helper()
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
		select {
		case text := <-refusals:
			if !strings.Contains(text, "permissions violation") {
				t.Errorf("%s: %s", what, text)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s was not refused", what)
		}
	}
	for _, subject := range []string{"jobs.http", "jobs.llm", "results.llm", "secrets.llm", "progress.llm", "$JS.API.STREAM.CREATE.x",
		"$JS.API.STREAM.DELETE.jobs-http", "$JS.API.STREAM.PURGE.jobs-http",
		"$JS.API.STREAM.MSG.GET.jobs-http",
		"$JS.API.CONSUMER.CREATE.jobs-http", "$JS.API.CONSUMER.MSG.NEXT.jobs-llm.workers",
		"$JS.ACK.jobs-llm.workers.1.1.1.1.1", "$SYS.REQ.SERVER.PING"} {
		t.Run("publish "+subject, func(t *testing.T) {
			if err := conn.Publish(subject, []byte("x")); err != nil {
				t.Fatal(err)
			}
			refused(subject)
		})
	}
	for _, subject := range []string{">", "jobs.>", "results.http", "results.>", "secrets.http", "progress.http", "_INBOX.>", "_INBOX_*.>", "$JS.>"} {
		t.Run("subscribe "+subject, func(t *testing.T) {
			if _, err := conn.Subscribe(subject, func(*nats.Msg) {}); err != nil {
				t.Fatal(err)
			}
			refused(subject)
		})
	}
	stranger, _ := seed(t)
	if w, err := Join(Joining{URL: f.Address(), Seed: stranger}); err == nil {
		w.Close()
		t.Error("a stranger came in")
	}
	if c, err := nats.Connect(f.Address()); err == nil {
		c.Close()
		t.Error("somebody without a key came in")
	}
	if n, err := f.Waiting(t.Context(), "llm"); n != 1 || err != nil {
		t.Errorf("%d jobs, %v", n, err)
	}
	publish, subscribe := Permissions(Credential{key, []string{"http"}})
	want := []string{"results.http", "secrets.http", "progress.http", "$JS.API.CONSUMER.INFO.jobs-http.workers",
		"$JS.API.CONSUMER.MSG.NEXT.jobs-http.workers", "$JS.ACK.jobs-http.workers.>"}
	if !slices.Equal(publish, want) || len(subscribe) != 1 {
		t.Errorf("%v %v", publish, subscribe)
	}
}

// A worker's question for secrets reaches the dispatcher, and the answer that worker. (TestLeastPrivilege asks in the name of another capability.)
func TestQuestionsForSecrets(t *testing.T) {
	f := open(t, nil)
	if err := f.Secrets(func(name string, body []byte) []byte { return fmt.Appendf(nil, "%s: %s", name, body) }); err != nil {
		t.Fatal(err)
	}
	w := f.join(t, f.http)
	if answer, err := w.Secrets(t.Context(), "http", []byte("which?")); err != nil || string(answer) != "http: which?" {
		t.Errorf("%q %v", answer, err)
	}
}

// What a worker tells of its progress reaches the dispatcher without an answer; what is too long does not. A flood of it is cut to notesMost a second, and what
// is due meanwhile comes all the same. (TestLeastPrivilege tells in the name of another capability.)
func TestNotesOfProgress(t *testing.T) {
	f := open(t, nil)
	notes := make(chan string, 1<<20)
	if err := f.Progress(func(name string, note []byte) { notes <- name + ": " + string(note) }); err != nil {
		t.Fatal(err)
	}
	w := f.join(t, f.http)
	w.Progress("http", make([]byte, maxNote+1))
	w.Progress("http", []byte("half"))
	begun := time.Now()
	select {
	case note := <-notes:
		if note != "http: half" {
			t.Errorf("%.100q", note)
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not arrive")
	}
	for range 20_000 {
		w.Progress("http", []byte("x"))
	}
	if err := f.Results(func(string, []byte) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if answer, err := w.conn.Request("results.http", []byte("x"), time.Minute); err != nil || string(answer.Data) != "+" {
		t.Fatalf("%v", err)
	}
	if n, most := len(notes), notesMost*(2+int(time.Since(begun)/time.Second)); n > most {
		t.Errorf("%d notes were taken, and %d may be", n, most)
	}
}

// Jobs that wait outlive the server inside.
func TestRestart(t *testing.T) {
	dir, f := t.TempDir(), (*fleet)(nil)
	f = open(t, func(c *Config) { c.Dir = dir })
	f.put(t, "http", 5)
	f.Close()
	f = open(t, func(c *Config) { c.Dir = dir })
	if n, err := f.Waiting(t.Context(), "http"); n != 5 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	// The same server is one of the operator's to another dispatcher that has its key.
	other, err := Open(t.Context(), Config{Capabilities: []string{"http"}, Seed: f.config.Seed, URL: f.Address(), AckWait: time.Second, MaxBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if n, err := other.Waiting(t.Context(), "http"); n != 5 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

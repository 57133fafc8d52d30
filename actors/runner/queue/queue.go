package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"golang.org/x/time/rate"
)

// Bounds.
const (
	MaxMessage = 256 << 10 // bytes of a job or a result
	MaxDeliver = 5
	consumer   = "workers"
	answerIn   = 10 * time.Second
	secretsIn  = 30 * time.Second
	maxAsking  = 32
	maxNote    = 256 // bytes of what a worker tells of its progress
	notesAhead = 1024
	notesMost  = 256 // a second, of all workers
)

var (
	// ErrFull reports a queue that takes no more jobs now.
	ErrFull = errors.New("queue: full")
	// ErrRefused reports a result the dispatcher does not take.
	ErrRefused = errors.New("queue: the dispatcher did not take the result")
	// ErrName reports a capability that is none.
	ErrName = errors.New("queue: a capability is 1 to 64 of a-z, 0-9 and -")
)

var capability = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// Credential is whom a worker's key lets in, and to what.
type Credential struct {
	Key          string // public nkey, of kind user
	Capabilities []string
}

// Config says where jobs are kept.
type Config struct {
	Capabilities []string
	Seed         []byte // of the dispatcher's nkey

	TLS  *tls.Config // of connections; nil for none
	URL  string      // of a server of the operator's, or of a cluster's, separated by commas; "" for one inside the runner
	Keep int         // servers of a cluster that keep each job; 0 for 1

	// Of the server inside. Workers are those that may join.
	Workers []Credential
	Dir     string
	Listen  string // host; "" for none but this process
	Port    int    // 0 for any

	MaxJobs  int64 // waiting of a capability; 0 for 10,000
	MaxBytes int64 // likewise; 0 for 256 MiB
	// AckWait is how long a worker may say nothing before its job goes to another; 0 for DefaultAckWait. A job that comes again waits three times as long, then
	// ten and thirty times, so that a machine that is slow for a while does not have every job done many times.
	AckWait time.Duration
}

// DefaultAckWait is less than a second, so that a worker that dies costs its job no more than that; a worker at work says so three times in it.
const DefaultAckWait = 900 * time.Millisecond

// Queue is the dispatcher's side. Its methods may be called by several goroutines.
type Queue struct {
	config Config
	server *server.Server
	front  *front // of the server; nil where it is for this process alone
	conn   *nats.Conn
	stream jetstream.JetStream
}

// Permissions are the subjects of a worker's key, as the configuration of a server has them.
func Permissions(c Credential) (publish, subscribe []string) {
	for _, name := range c.Capabilities {
		stream := "jobs-" + name
		publish = append(publish, "results."+name, "secrets."+name, "progress."+name, "$JS.API.CONSUMER.INFO."+stream+"."+consumer,
			"$JS.API.CONSUMER.MSG.NEXT."+stream+"."+consumer, "$JS.ACK."+stream+"."+consumer+".>")
	}
	return publish, []string{inbox(c.Key) + ".>"}
}

// insideURL is where connections within a process say they go; they speak no TLS, whatever the server asks of others.
const insideURL = "nats://127.0.0.1"

func inbox(key string) string { return "_INBOX_" + key }

// dispatcherPermissions are the subjects of the dispatcher's key: it makes the streams of its capabilities, puts jobs into them and takes results.
func dispatcherPermissions(key string, capabilities []string) (publish, subscribe []string) {
	publish, subscribe = []string{"$JS.API.INFO"}, []string{inbox(key) + ".>"}
	for _, name := range capabilities {
		publish = append(publish, "jobs."+name, "$JS.API.CONSUMER.CREATE.jobs-"+name+"."+consumer)
		for _, what := range []string{"CREATE", "UPDATE", "INFO"} {
			publish = append(publish, "$JS.API.STREAM."+what+".jobs-"+name)
		}
		subscribe = append(subscribe, "results."+name, "secrets."+name, "progress."+name)
	}
	return publish, subscribe
}

// ServerConfig is the part of a nats-server's configuration that lets in a dispatcher and its workers, each to what it is for and nothing else.
func ServerConfig(dispatcher string, capabilities []string, workers []Credential) string {
	text := "authorization {\n users = [\n"
	user := func(key string, publish, subscribe []string, answers string) {
		list := func(subjects []string) string { return `["` + strings.Join(subjects, `", "`) + `"]` }
		text += fmt.Sprintf("  {nkey: %q, permissions: {\n   publish: {allow: %s}\n   subscribe: {allow: %s}%s\n  }}\n",
			key, list(publish), list(subscribe), answers)
	}
	publish, subscribe := dispatcherPermissions(dispatcher, capabilities)
	user(dispatcher, publish, subscribe, "\n   allow_responses: {max: 1, expires: \"1m\"}")
	for _, w := range workers {
		publish, subscribe := Permissions(w)
		user(w.Key, publish, subscribe, "")
	}
	return text + " ]\n}\n"
}

// Open connects to the server, or starts one, and makes the streams.
func Open(ctx context.Context, config Config) (*Queue, error) {
	for _, name := range config.Capabilities {
		if !capability.MatchString(name) {
			return nil, fmt.Errorf("%w: %q", ErrName, name)
		}
	}
	if config.AckWait == 0 {
		config.AckWait = DefaultAckWait
	}
	if config.MaxJobs == 0 {
		config.MaxJobs = 10_000
	}
	if config.MaxBytes == 0 {
		config.MaxBytes = 256 << 20
	}
	q := &Queue{config: config}
	if err := q.open(ctx); err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

func (q *Queue) open(ctx context.Context) error {
	login, key, err := identity(q.config.Seed)
	if err != nil {
		return err
	}
	at, options := q.config.URL, []nats.Option{login, nats.Name("dispatcher"), nats.MaxReconnects(-1), nats.CustomInboxPrefix(inbox(key))}
	if at == "" {
		if q.server, err = embed(&q.config, key); err != nil {
			return err
		}
		if q.config.Listen != "" {
			listen := net.JoinHostPort(q.config.Listen, strconv.Itoa(q.config.Port))
			if q.front, err = newFront(listen, q.server.Addr().String()); err != nil {
				return err
			}
		}
		at, options = insideURL, append(options, nats.InProcessServer(q.server))
	} else if q.config.TLS != nil {
		options = append(options, nats.Secure(q.config.TLS))
	}
	if q.conn, err = nats.Connect(at, options...); err != nil {
		return err
	}
	if q.stream, err = jetstream.New(q.conn); err != nil {
		return err
	}
	for _, name := range q.config.Capabilities {
		s, err := q.stream.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: "jobs-" + name, Subjects: []string{"jobs." + name}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
			MaxMsgs: q.config.MaxJobs, MaxBytes: q.config.MaxBytes, MaxMsgSize: MaxMessage, Storage: jetstream.FileStorage, MaxAge: 24 * time.Hour,
			Duplicates: 2 * time.Minute, Replicas: max(q.config.Keep, 1),
		})
		if err != nil {
			return fmt.Errorf("stream of %s: %w", name, err)
		}
		_, err = s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.config.AckWait, BackOff: waits(q.config.AckWait), MaxDeliver: MaxDeliver,
			MaxAckPending: 4096, MaxRequestBatch: 1,
		})
		if err != nil {
			return fmt.Errorf("consumer of %s: %w", name, err)
		}
	}
	return nil
}

// waits are how long deliveries of a job wait for an acknowledgement: the first, the second, and so on.
func waits(first time.Duration) []time.Duration {
	return []time.Duration{first, 3 * first, 10 * first, 30 * first}
}

// identity logs in with an nkey.
func identity(seed []byte) (login nats.Option, public string, err error) {
	pair, err := nkeys.FromSeed(seed)
	if err != nil {
		return nil, "", err
	}
	if public, err = pair.PublicKey(); err != nil {
		return nil, "", err
	}
	return nats.Nkey(public, pair.Sign), public, nil
}

// embed starts the server inside.
func embed(c *Config, dispatcher string) (*server.Server, error) {
	users := []*server.NkeyUser{{Nkey: dispatcher}}
	for _, w := range c.Workers {
		publish, subscribe := Permissions(w)
		users = append(users, &server.NkeyUser{Nkey: w.Key, Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe},
		}})
	}
	s, err := server.NewServer(&server.Options{ // the front listens for others
		ServerName: "cowboy-runner", Host: "127.0.0.1", Port: server.RANDOM_PORT, DontListen: c.Listen == "", NoSigs: true, NoLog: true, Nkeys: users,
		TLSConfig: c.TLS, MaxPayload: MaxMessage + 4096, MaxConn: 2 * maxConnections, MaxSubs: 64,
		JetStream: true, StoreDir: c.Dir, JetStreamMaxMemory: 16 << 20,
		JetStreamMaxStore: 2 * int64(max(len(c.Capabilities), 1)) * c.MaxBytes, SyncAlways: true, TLSTimeout: 5, AuthTimeout: 5,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		s.Shutdown()
		return nil, errors.New("queue: the server inside did not come up")
	}
	return s, nil
}

// Address is where workers join, or "".
func (q *Queue) Address() string {
	if q.front == nil {
		return q.config.URL
	}
	scheme := "nats://"
	if q.config.TLS != nil {
		scheme = "tls://"
	}
	_, port, _ := net.SplitHostPort(q.front.listener.Addr().String()) // a listener has one
	return scheme + net.JoinHostPort(q.config.Listen, port)
}

// Put makes a job wait for a worker. Errors: ErrFull; any other is the server's. key names the job and the try: the same one is taken once.
func (q *Queue) Put(ctx context.Context, name, key string, data []byte) error {
	_, err := q.stream.Publish(ctx, "jobs."+name, data, jetstream.WithMsgID(key), jetstream.WithRetryAttempts(0))
	var refused *jetstream.APIError
	if errors.As(err, &refused) && (refused.ErrorCode == 10077 || refused.ErrorCode == 10047) { // of a stream, of the store
		return ErrFull
	}
	return err
}

// Results has take called with each result, one at a time for each capability. What it returns says whether the worker may forget the job.
func (q *Queue) Results(take func(capability string, data []byte) bool) error {
	for _, name := range q.config.Capabilities {
		_, err := q.conn.Subscribe("results."+name, func(m *nats.Msg) {
			answer := []byte("-")
			if take(name, m.Data) {
				answer = []byte("+")
			}
			_ = m.Respond(answer) // a worker that hears nothing brings it again
		})
		if err != nil {
			return err
		}
	}
	return q.conn.Flush()
}

// Secrets has give called with each question for secrets of a job, at most maxAsking at a time; its answer goes back to the worker. Those beyond hear nothing,
// and ask again with their job.
func (q *Queue) Secrets(give func(capability string, body []byte) []byte) error {
	places := make(chan struct{}, maxAsking)
	for _, name := range q.config.Capabilities {
		_, err := q.conn.Subscribe("secrets."+name, func(m *nats.Msg) {
			select {
			case places <- struct{}{}:
			default:
				return
			}
			go func() {
				defer func() { <-places }()
				_ = m.Respond(give(name, m.Data)) // a worker that hears nothing fails its job, which is tried again
			}()
		})
		if err != nil {
			return err
		}
	}
	return q.conn.Flush()
}

// Progress has take called with what workers tell of how far they are, which nobody answers: what is too long, or more than notesMost a second, is lost. take
// must not wait.
func (q *Queue) Progress(take func(capability string, note []byte)) error {
	pace := rate.NewLimiter(notesMost, notesMost)
	for _, name := range q.config.Capabilities {
		s, err := q.conn.Subscribe("progress."+name, func(m *nats.Msg) {
			if len(m.Data) <= maxNote && pace.Allow() {
				take(name, m.Data)
			}
		})
		if err == nil {
			err = s.SetPendingLimits(notesAhead, notesAhead*maxNote)
		}
		if err != nil {
			return err
		}
	}
	return q.conn.Flush()
}

// Waiting is how many jobs of a capability wait or are at work.
func (q *Queue) Waiting(ctx context.Context, name string) (uint64, error) {
	s, err := q.stream.Stream(ctx, "jobs-"+name)
	if err != nil {
		return 0, err
	}
	return s.CachedInfo().State.Msgs, nil
}

// Close ends the connection, and the server inside.
func (q *Queue) Close() {
	if q.conn != nil {
		q.conn.Close()
	}
	if q.front != nil {
		q.front.close()
	}
	if q.server != nil {
		q.server.Shutdown()
		q.server.WaitForShutdown()
	}
}

// InProcess lets a worker of this process join without a socket.
func (q *Queue) InProcess() nats.InProcessConnProvider {
	if q.server == nil {
		return nil
	}
	return q.server
}

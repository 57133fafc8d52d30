package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Joining says where a worker joins, and as whom.
type Joining struct {
	URL    string
	Inside nats.InProcessConnProvider // of the same process; nil for URL
	Seed   []byte                     // of the worker's nkey
	TLS    *tls.Config
}

// Worker is a worker's side: a connection.
type Worker struct {
	conn   *nats.Conn
	stream jetstream.JetStream
}

// Join connects a worker.
func Join(j Joining) (*Worker, error) {
	login, key, err := identity(j.Seed)
	if err != nil {
		return nil, err
	}
	options := []nats.Option{login, nats.Name("worker"), nats.CustomInboxPrefix(inbox(key)), nats.MaxReconnects(-1)}
	if j.Inside != nil {
		j.URL = insideURL
		options = append(options, nats.InProcessServer(j.Inside))
	} else if j.TLS != nil {
		options = append(options, nats.Secure(j.TLS))
	}
	conn, err := nats.Connect(j.URL, options...)
	if err != nil {
		return nil, err
	}
	stream, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Worker{conn, stream}, nil
}

// Secrets asks the dispatcher for secrets of a job of a capability.
func (w *Worker) Secrets(ctx context.Context, name string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, secretsIn)
	defer cancel()
	answer, err := w.conn.RequestWithContext(ctx, "secrets."+name, body)
	if err != nil {
		return nil, err
	}
	return answer.Data, nil
}

// Progress tells the dispatcher how far a job of a capability is. It does not wait, and may come to nothing.
func (w *Worker) Progress(name string, note []byte) { _ = w.conn.Publish("progress."+name, note) }

// Close ends the connection; a job that is at work goes to another.
func (w *Worker) Close() { w.conn.Close() }

// Work does jobs of a capability one after the other until the context ends. do is given a job, and a context that ends with the worker; what it returns goes
// to the dispatcher. It returns the context's cause, or why it could not go on.
func (w *Worker) Work(ctx context.Context, name string, do func(ctx context.Context, job []byte) []byte) error {
	from, err := w.stream.Consumer(ctx, "jobs-"+name, consumer)
	if err != nil {
		return fmt.Errorf("jobs of %s: %w", name, err)
	}
	wait := from.CachedInfo().Config.AckWait
	for ctx.Err() == nil {
		message, err := from.Next(jetstream.FetchContext(ctx))
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, context.DeadlineExceeded):
		case err != nil:
			return err
		default:
			w.one(ctx, name, message, wait, do)
		}
	}
	return context.Cause(ctx)
}

// one does a job. Without the dispatcher's answer the job stays with the server.
func (w *Worker) one(ctx context.Context, name string, m jetstream.Msg, wait time.Duration, do func(context.Context, []byte) []byte) {
	ctx, cancel := context.WithCancel(ctx)
	working := make(chan struct{})
	go func() {
		defer close(working)
		tick := time.NewTicker(wait / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = m.InProgress() // lost: the job goes to another as well
			}
		}
	}()
	defer func() { cancel(); <-working }()
	result := do(ctx, m.Data())
	if ctx.Err() != nil {
		return
	}
	asking, done := context.WithTimeout(ctx, answerIn)
	defer done()
	answer, err := w.conn.RequestWithContext(asking, "results."+name, result)
	if err != nil || string(answer.Data) != "+" {
		_ = m.NakWithDelay(refused(m, wait))
		return
	}
	_ = m.Ack() // lost: the job is done again, and its result known
}

// refused is how long a job waits whose result the dispatcher did not take: a third of the wait for an acknowledgement, and four times as long each time.
func refused(m jetstream.Msg, wait time.Duration) time.Duration {
	times := uint64(1)
	if about, err := m.Metadata(); err == nil {
		times = min(max(about.NumDelivered, 1), MaxDeliver)
	}
	return wait / 3 << (2 * (times - 1))
}

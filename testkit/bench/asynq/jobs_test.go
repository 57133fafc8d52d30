package asynq

import (
	"context"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

const (
	jobs    = 2_000 // as BenchmarkTrivial of actors/runner
	workers = 8
)

// serve starts a Redis that only this machine's user can reach, with settings beside the defaults.
func serve(b *testing.B, settings ...string) asynq.RedisClientOpt {
	b.Helper()
	dir := b.TempDir()
	socket := filepath.Join(dir, "redis")
	cmd := exec.Command("redis-server", append([]string{"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", ""}, settings...)...)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	defer client.Close()
	every, limit := time.NewTicker(10*time.Millisecond), time.NewTimer(30*time.Second)
	defer every.Stop()
	defer limit.Stop()
	for client.Ping(b.Context()).Err() != nil {
		select {
		case <-every.C:
		case <-limit.C:
			b.Fatal("redis-server does not answer")
		}
	}
	return asynq.RedisClientOpt{Network: "unix", Addr: socket}
}

// BenchmarkTrivial has jobs of nothing put, done and acknowledged: with every write of Redis synced to disk, and with none, as asynq's documentation has it.
func BenchmarkTrivial(b *testing.B) {
	for _, c := range []struct {
		name     string
		settings []string
	}{
		{"synced", []string{"--appendonly", "yes", "--appendfsync", "always"}},
		{"memory", []string{"--appendonly", "no"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				at := serve(b, c.settings...)
				var done atomic.Int64
				all := make(chan struct{})
				server := asynq.NewServer(at, asynq.Config{Concurrency: workers, LogLevel: asynq.FatalLevel})
				client := asynq.NewClient(at)
				begun := time.Now()
				err := server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
					if done.Add(1) == jobs {
						close(all)
					}
					return nil
				}))
				if err != nil {
					b.Fatal(err)
				}
				for range jobs {
					if _, err := client.Enqueue(asynq.NewTask("nothing", []byte("x"))); err != nil {
						b.Fatal(err)
					}
				}
				<-all
				b.ReportMetric(jobs/time.Since(begun).Minutes(), "jobs/min")
				server.Shutdown()
				if err := client.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// questions are clients that query a trivial handler, each one question after the other over a connection that stays open.
type questions struct {
	url     string
	clients int

	mu     sync.Mutex
	took   []time.Duration
	failed int
}

// run asks until the context ends.
func (q *questions) run(ctx context.Context) {
	var all sync.WaitGroup
	for range q.clients {
		all.Add(1)
		go func() {
			defer all.Done()
			client := &http.Client{Transport: &http.Transport{}}
			for ctx.Err() == nil {
				began := time.Now()
				ok := q.ask(client)
				q.note(time.Since(began), ok)
			}
		}()
	}
	all.Wait()
}

func (q *questions) ask(client *http.Client) bool {
	reply, err := client.Post(q.url, "application/json", bytes.NewReader([]byte(`{"selector":"nothing","payload":""}`)))
	if err != nil {
		return false
	}
	defer reply.Body.Close()
	_, err = io.Copy(io.Discard, reply.Body)
	return err == nil && reply.StatusCode == http.StatusOK
}

func (q *questions) note(took time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !ok {
		q.failed++
		return
	}
	q.took = append(q.took, took)
}

// queries measures what queries of a trivial handler take on a node without other load, and what its blocks suffer: by one client, then by several.
func queries(ctx context.Context, n *node, actor string, clients int, length time.Duration) error {
	for _, count := range []int{0, 1, clients, 0} {
		q := &questions{url: n.url + "/actor/" + actor + "/read_handler", clients: count}
		asking, halt := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() { q.run(asking); close(done) }()
		s, err := n.measure(ctx, length)
		halt()
		<-done
		if err != nil {
			return err
		}
		fmt.Printf("%-22s %8d %8d %12v %12v %14v\n", fmt.Sprintf("%d clients query", count), s.blocks, s.txs, s.final(50), s.final(99), s.cpu)
		if slices.Sort(q.took); len(q.took) > 0 {
			fmt.Printf("  %.0f queries a second, p50 %v, p99 %v, %d failed\n",
				float64(len(q.took))/length.Seconds(), q.took[len(q.took)/2], q.took[len(q.took)*99/100], q.failed)
		}
	}
	return nil
}

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

	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// questions are clients that ask a node the same again and again, each one question after the other over a connection that stays open.
type questions struct {
	url     string
	media   string
	body    []byte
	clients int
	rate    int // questions a second of all clients together; zero: as fast as they are answered

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
			next := time.Now()
			for ctx.Err() == nil {
				if q.rate > 0 { // what falls due meanwhile is asked at once, so that a slow answer does not lower the rate
					next = next.Add(time.Second * time.Duration(q.clients) / time.Duration(q.rate))
					select {
					case <-ctx.Done():
						return
					case <-time.After(time.Until(next)):
					}
				}
				began := time.Now()
				ok := q.ask(client)
				q.note(time.Since(began), ok)
			}
		}()
	}
	all.Wait()
}

func (q *questions) ask(client *http.Client) bool {
	reply, err := client.Post(q.url, q.media, bytes.NewReader(q.body))
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

// stretch asks for so long, and prints what the node's blocks suffered and how long the answers took.
func (q *questions) stretch(ctx context.Context, n *node, what string, length time.Duration) error {
	asking, halt := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { q.run(asking); close(done) }()
	s, err := n.measure(ctx, length)
	halt()
	<-done
	if err != nil {
		return err
	}
	fmt.Printf("%-22s %8d %8d %12v %12v %14v\n", what, s.blocks, s.txs, s.final(50), s.final(99), s.cpu)
	if slices.Sort(q.took); len(q.took) > 0 {
		fmt.Printf("  %.0f answers a second, p50 %v, p99 %v, %d failed\n",
			float64(len(q.took))/length.Seconds(), q.took[len(q.took)/2], q.took[len(q.took)*99/100], q.failed)
	}
	return nil
}

// queries measures what queries of a trivial handler take on a node without other load, and what its blocks suffer: by one client, then by several.
func queries(ctx context.Context, n *node, actor string, clients int, length time.Duration) error {
	for _, count := range []int{0, 1, clients, 0} {
		q := &questions{
			url: n.url + "/actor/" + actor + "/read_handler", media: "application/json", body: []byte(`{"selector":"nothing","payload":""}`), clients: count,
		}
		if err := q.stretch(ctx, n, fmt.Sprintf("%d clients query", count), length); err != nil {
			return err
		}
	}
	return nil
}

// estimates measures the same of estimates of an actor's call, so many a second.
func estimates(ctx context.Context, n *node, l *load, clients, rate int, length time.Duration) error {
	owner, err := n.client.Account(ctx, l.keys[0].Address().String())
	if err != nil {
		return err
	}
	call := &tx.Tx{
		ChainID: chainID, Nonce: owner.Nonce, From: l.keys[0].Address(),
		Instruction: &tx.Execute{To: l.actor, Handler: []byte("tick"), Payload: []byte(`{"n":1}`)},
	}
	call.Signature = l.keys[0].Sign(call.SigningHash())
	for _, count := range []int{0, clients, 0, clients, 0} {
		q := &questions{url: n.url + "/estimate", media: "application/octet-stream", body: call.Encode(), clients: count, rate: rate}
		if err := q.stretch(ctx, n, fmt.Sprintf("%d clients estimate", count), length); err != nil {
			return err
		}
	}
	return nil
}

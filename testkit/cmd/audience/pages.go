package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// pages asks for the explorer's pages, one after the other, and keeps how long each took.
type pages struct {
	url    string
	client *http.Client
	order  []string
	took   map[string][]time.Duration
	failed map[string]int
	ended  chan struct{}
}

func newPages(url string) *pages {
	return &pages{
		url: url, client: &http.Client{Timeout: 10 * time.Second}, took: map[string][]time.Duration{}, failed: map[string]int{}, ended: make(chan struct{}),
	}
}

// run asks until ctx ends.
func (p *pages) run(ctx context.Context, l *load) {
	defer close(p.ended)
	reader := api.New(p.url)
	for ctx.Err() == nil {
		owner, actor := l.keys[0].Address().String(), l.actor.String()
		height := uint64(1)
		var at struct{ Height uint64 }
		if reader.Read(ctx, "/height", &at) == nil {
			height = at.Height
		}
		for _, page := range [...]struct{ name, path string }{
			{"overview", ""}, {"blocks", "blocks"}, {"block", fmt.Sprintf("block/%d", height)}, {"account", "account/" + owner}, {"actor", "account/" + actor},
			{"timers", "timers"}, {"validators", "validators"}, {"parameters", "parameters"}, {"tree", "tree"}, {"runners", "runners"}, {"actors", "actors"},
			{"activity", "activity"}, {"wall", "wall"}, {"live", fmt.Sprintf("live?after=%d", height-1)}, {"live, first", "live"}, {"search", "search?q=tick"},
		} {
			p.ask(ctx, page.name, page.path)
		}
		if hash := l.last.Load(); hash != nil {
			p.ask(ctx, "transaction", "tx/"+*hash)
		}
	}
}

func (p *pages) ask(ctx context.Context, name, path string) {
	request, err := http.NewRequestWithContext(ctx, "GET", p.url+"/explorer/"+path, nil)
	if err != nil {
		return
	}
	began := time.Now()
	answer, err := p.client.Do(request)
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
	if ctx.Err() != nil {
		return
	}
	if p.took[name] == nil {
		p.order = append(p.order, name)
	}
	p.took[name] = append(p.took[name], time.Since(began))
	if err != nil || answer.StatusCode != http.StatusOK {
		p.failed[name]++
	}
	select {
	case <-ctx.Done():
	case <-time.After(20 * time.Millisecond):
	}
}

// print writes the table.
func (p *pages) print() {
	<-p.ended
	fmt.Printf("\n%-14s %6s %10s %10s %10s\n", "page", "asked", "p50", "p99", "worst")
	for _, name := range p.order {
		list := p.took[name]
		slices.Sort(list)
		at := func(percent int) time.Duration {
			return list[min(len(list)-1, len(list)*percent/100)].Round(100 * time.Microsecond)
		}
		fmt.Printf("%-14s %6d %10v %10v %10v", name, len(list), at(50), at(99), at(100))
		if n := p.failed[name]; n > 0 {
			fmt.Printf("  %d failed", n)
		}
		fmt.Println()
	}
}

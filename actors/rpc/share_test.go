package rpc

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// A body takes its share as it comes, is refused where there is no room, and gives all of it back.
func TestBodiesAreCounted(t *testing.T) {
	account := budget.NewAccount(64 << 10)
	s := serve(t, newFake(3), func(cfg *Config) { cfg.Memory, cfg.Limits.RequestsPerSecond = account, 0 })
	if status, _ := ask(t, "POST", s.URL+"/submit", "application/json", `{"tx":"`+strings.Repeat("00", 1_000)+`"}`); status == http.StatusServiceUnavailable {
		t.Error("a body that fits is refused")
	}
	if used := account.Used(); used != 0 {
		t.Errorf("%d bytes are taken when nothing is asked", used)
	}
	status, answer := ask(t, "POST", s.URL+"/submit", "application/json", `{"tx":"`+strings.Repeat("00", 32_000)+`"}`)
	if status != http.StatusServiceUnavailable || answer["code"] != float64(4029) {
		t.Errorf("a body without room: %d %v", status, answer)
	}
	if used := account.Used(); used != 0 {
		t.Errorf("%d bytes are taken after a refusal", used)
	}
}

// An answer for which there is no room is replaced by a refusal.
func TestAnswersAreCounted(t *testing.T) {
	account := budget.NewAccount(1)
	s := serve(t, newFake(3), func(cfg *Config) { cfg.Memory = account })
	if status, _ := ask(t, "GET", s.URL+"/height", "", ""); status != http.StatusServiceUnavailable {
		t.Errorf("an answer without room: %d", status)
	}
	if account.Used() != 0 {
		t.Error("a refused answer is counted")
	}
}

// stubborn is a writer whose client takes nothing until it is told to.
type stubborn struct {
	*httptest.ResponseRecorder
	reached, taken chan struct{}
}

func (s *stubborn) Write(b []byte) (int, error) {
	close(s.reached)
	<-s.taken
	return s.ResponseRecorder.Write(b)
}

// A read holds its turn until its answer is written down, not until it is taken: a slow client keeps nobody waiting.
func TestReadsTakeTurns(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	c := &counted{fake: newFake(3), during: func(uint64) {
		inside <- struct{}{}
		<-leave
	}}
	cfg := Config{Backend: c, Limits: DefaultLimits(), Memory: budget.NewAccount(1 << 20)}
	cfg.Limits.Reads = 1
	h := NewHandler(cfg)
	get := func(w http.ResponseWriter, path string) <-chan struct{} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		}()
		return done
	}
	slow := &stubborn{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	first := get(slow, "/block/height/1/receipts")
	<-inside
	second := get(httptest.NewRecorder(), "/block/height/2/receipts")
	select {
	case <-inside:
		t.Fatal("two reads at the same time")
	default:
	}
	leave <- struct{}{}
	<-slow.reached // the first answer waits for its client, and the second read may begin
	<-inside
	leave <- struct{}{}
	<-second
	if cfg.Memory.Used() == 0 {
		t.Error("an answer that nobody takes is not counted")
	}
	close(slow.taken)
	<-first
	if cfg.Memory.Used() != 0 {
		t.Error("an answer that was taken is counted")
	}
}

// large is a backend whose blocks have large receipts.
type large struct{ *fake }

func (l large) BlockReceipts(height uint64) ([]wire.Receipt, error) {
	list, err := l.fake.BlockReceipts(height)
	for i := range list {
		list[i].ReturnData = strings.Repeat("ab", 32<<10)
	}
	return list, err
}

// Blocks kept ready for streams are bounded by their bytes; one that is larger than all of it is still told.
func TestFeedIsBoundedInBytes(t *testing.T) {
	f := feed{limit: 256 << 10}
	from := large{newFake(40)}
	for height := range uint64(30) {
		r, done, err := f.block(from, height+1, true)
		if err != nil || len(r.list) == 0 {
			t.Fatal(err)
		}
		done()
		size := 0
		for _, r := range f.kept {
			size += r.size
		}
		if size != f.bytes || f.bytes > f.limit || len(f.kept) != len(f.order) {
			t.Fatalf("%d blocks of %d bytes are kept, %d are counted", len(f.kept), size, f.bytes)
		}
	}
	if len(f.kept) == 0 {
		t.Error("nothing is kept")
	}
	f = feed{limit: 1}
	r, done, err := f.block(from, 1, true)
	if err != nil || len(r.list) == 0 || len(f.kept) != 0 {
		t.Fatalf("a large block: %+v, %v, %d kept", r, err, len(f.kept))
	}
	if done(); f.loose != 0 {
		t.Errorf("%d bytes are counted that nobody holds", f.loose)
	}
}

// What a page may remember follows its memory.
func TestPagesFitMemory(t *testing.T) {
	for pages, want := range map[int64]int{0: 32, keptBytes: 32, keptBytes / 2: 16, 1: 1} {
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			if got := (&Node{Pages: pages}).keep(32); got != want {
				t.Errorf("%d bytes: %d, want %d", pages, got, want)
			}
		})
	}
}

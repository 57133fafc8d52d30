package purse

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

var me, other = account.Address{1}, account.Address{2}

// said is an event by hand: job, runner and numbers, each as LEB128 of up to two bytes.
func said(topic string, who account.Address, numbers ...uint64) Event {
	data := append(make([]byte, 32), who[:]...)
	for _, n := range numbers {
		if n >= 128 {
			data = append(data, byte(n&127|128), byte(n>>7))
		} else {
			data = append(data, byte(n))
		}
	}
	return Event{Topic: topic, Data: "0x" + hex.EncodeToString(data)}
}

// Shares, bonuses, tips and slashes are a runner's own; whatever else the verifier announces, or is no event of that form, counts for nothing.
//
// Spec: runner-marketplace §5.2, §7, §8.1.
func TestCount(t *testing.T) {
	torn := said("verifier.paid", me, 1, 2, 3)
	torn.Data = torn.Data[:len(torn.Data)-2]
	for _, c := range []struct {
		name string
		e    Event
		want Count
	}{
		{"paid", said("verifier.paid", me, 1_000, 15, 7), Count{Jobs: 1, Shares: 1_000, Bonuses: 15, Tips: 7}},
		{"paid to another", said("verifier.paid", other, 1_000, 15, 7), Count{}},
		{"not revealed", said("verifier.unrevealed", me, 0, 500), Count{Slashed: 500}},
		{"excused", said("verifier.unrevealed", me, 1, 0), Count{}},
		{"a challenge was right", said("verifier.upheld", me, 2, 300), Count{Slashed: 300}},
		{"a challenge was wrong", said("verifier.dismissed", me, 2, 300), Count{}},
		{"crashed", said("verifier.crashed", me, 1), Count{}},
		{"torn", torn, Count{}},
		{"too long", said("verifier.paid", me, 1, 2, 3, 4), Count{}},
		{"no bytes", Event{Topic: "verifier.paid", Data: "zz"}, Count{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got Count
			if got.add(c.e, me); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// log is a node that has events, one in each block.
type log struct {
	list []Event
	away bool
}

func (l *log) Events(_ context.Context, after string, most int) (list []Event, next string, height uint64, err error) {
	if l.away {
		return nil, "", 0, errors.New("the node is away")
	}
	from := len(l.list) - most
	if after != "" {
		if _, err := fmt.Sscanf(after, "%d.", &from); err != nil {
			return nil, "", 0, err
		}
	}
	list = l.list[max(from, 0):]
	list = list[:min(len(list), most)]
	if len(list) == 0 {
		return nil, "", 0, nil
	}
	last := max(from, 0) + len(list)
	return list, fmt.Sprintf("%d.0", last), uint64(last), nil
}

// memory is a file.
type memory struct {
	mu   sync.Mutex
	data []byte
}

func (m *memory) Load() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data, nil
}

func (m *memory) Keep(data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.data = data
	return nil
}

// start runs a purse and gives how to let time pass until its count is as it is wanted.
func start(t *testing.T, events Events, file File) (want func(what string, is func(Status) bool), stop func()) {
	t.Helper()
	clock := supervision.NewVirtualClock(time.Unix(1_000, 0))
	h := NewHandle()
	tree, err := supervision.New(supervision.Spec{Name: "runner", Strategy: supervision.OneForOne, Children: []supervision.Spec{
		Spec(h, func() *Purse { return &Purse{Handle: h, Runner: me, Events: events, File: file, Clock: clock} }),
	}}, supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	want = func(what string, is func(Status) bool) {
		t.Helper()
		tick, limit := time.NewTicker(time.Millisecond), time.NewTimer(time.Minute)
		defer tick.Stop()
		defer limit.Stop()
		for !is(h.Status()) {
			select {
			case <-tick.C:
				clock.Advance(every)
			case <-limit.C:
				t.Fatalf("never: %s: %+v", what, h.Status())
			}
		}
	}
	return want, func() {
		if err := tree.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// What was announced before the first start does not count; what came while the runner was down does, once. A node that is away is told of, and asked again.
func TestPurse(t *testing.T) {
	l, file := &log{list: []Event{said("verifier.paid", me, 100, 0, 0), said("verifier.paid", me, 100, 0, 0)}}, &memory{}
	want, stop := start(t, l, file)
	want("it has begun", func(s Status) bool { return s.Since == 2 })
	stop()
	for range 250 { // more than two pages
		l.list = append(l.list, said("verifier.paid", me, 10, 1, 2), said("verifier.paid", other, 10, 1, 2))
	}
	all := Count{Since: 2, Jobs: 250, Shares: 2_500, Bonuses: 250, Tips: 500}
	want, stop = start(t, l, file)
	want("it has counted all", func(s Status) bool { return s == Status{Count: all, Earned: 3_250} })
	stop()
	l.away = true
	want, stop = start(t, l, file)
	want("it says that the node is away", func(s Status) bool { return s == Status{all, 3_250, "the node is away"} })
	stop()
	l.away = false
	want, stop = start(t, l, file)
	want("nothing is counted twice", func(s Status) bool { return s == Status{Count: all, Earned: 3_250} })
	stop()
}

// On a chain where nothing was announced yet, the first event counts. What cannot be read is named and stays.
func TestPurseAtTheBeginning(t *testing.T) {
	l, file := &log{}, &memory{}
	want, stop := start(t, l, file)
	want("it has begun", func(Status) bool { data, _ := file.Load(); return len(data) > 0 })
	stop()
	l.list = append(l.list, said("verifier.paid", me, 10, 1, 2))
	want, stop = start(t, l, file)
	want("it has counted", func(s Status) bool {
		return s == Status{Count: Count{Jobs: 1, Shares: 10, Bonuses: 1, Tips: 2}, Earned: 13}
	})
	stop()
	broken := &memory{data: []byte("{")}
	want, stop = start(t, l, broken)
	want("it says why", func(s Status) bool { return s.Why != "" && s.Count == (Count{}) })
	stop()
	if string(broken.data) != "{" {
		t.Errorf("%q", broken.data)
	}
}

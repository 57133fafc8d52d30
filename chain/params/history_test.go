package params

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// unreadable is a state that takes writes and whose reads fail.
type unreadable struct {
	state.Store
	fail error
}

func (u unreadable) Lookup([]byte) ([]byte, bool, error) { return nil, false, u.fail }

// Changes of all groups are counted together, each group has its own trail, and what was changed is there with who, when and by which transaction.
//
// Spec: WP §13.1; governance-staking B9 (audit trail, config_version).
func TestHistory(t *testing.T) {
	store := newState()
	if n, err := Version(store); n != 0 || err != nil {
		t.Fatalf("%d changes before the first, %v", n, err)
	}
	changes := map[string][]Change{}
	for i, key := range []string{KeyTimer, KeyBasefee, KeyTimer, KeyTimer} {
		c := Change{Height: 1_000, By: account.Address{byte(i)}, Tx: digest.Hash{31: byte(i)}, Value: []byte{byte(i), 7}}
		n, err := Update(store, key, c)
		if err != nil || n != uint64(i+1) {
			t.Fatalf("change %d has the number %d, %v", i+1, n, err)
		}
		if now, err := Version(store); now != n || err != nil {
			t.Fatalf("%d changes after %d, %v", now, n, err)
		}
		c.Version = n
		changes[key] = append(changes[key], c)
		if value, _, err := store.Lookup(StateKey(key)); err != nil || string(value) != string(c.Value) {
			t.Errorf("%s is %x, %v", key, value, err)
		}
	}
	entries := 0
	store.Changes(func(state.Change) bool { entries++; return true })
	if entries != 1+2+4 { // the number, two groups, four changes
		t.Errorf("%d entries", entries)
	}
	list := func(key string, after uint64, limit int) (got []Change, err error) {
		err = History(store, key, after, limit, func(c Change) bool { got = append(got, c); return true })
		return got, err
	}
	for key, want := range changes {
		t.Run(key, func(t *testing.T) {
			for after := range uint64(5) {
				var late []Change
				for _, c := range want {
					if c.Version > after {
						late = append(late, c)
					}
				}
				if got, err := list(key, after, 0); err != nil || !reflect.DeepEqual(got, late) {
					t.Errorf("%s after %d: %+v, %v", key, after, got, err)
				}
			}
		})
	}
	if got, err := list(KeyTimer, 0, 2); err != nil || !reflect.DeepEqual(got, changes[KeyTimer][:2]) {
		t.Errorf("two: %+v, %v", got, err)
	}
	if got := EventVersion(300, "k"); string(got) != "\xac\x02\x01k" {
		t.Errorf("the event is %x", got)
	}
	// what another key that continues this one has is not its own
	if _, err := Update(store, KeyTimer+":late", Change{Value: []byte{1}}); err != nil {
		t.Fatal(err)
	}
	if got, err := list(KeyTimer, 0, 0); err != nil || !reflect.DeepEqual(got, changes[KeyTimer]) {
		t.Errorf("beside a longer key: %+v, %v", got, err)
	}
	store.Set(historyKey(KeyTimer, 9), []byte{1})
	if _, err := list(KeyTimer, 0, 0); err == nil {
		t.Error("a change cut short")
	}
	fail := errors.New("disk")
	if n, err := Update(unreadable{store, fail}, KeyTimer, Change{}); !errors.Is(err, fail) || n != 0 {
		t.Errorf("a failing source: %d, %v", n, err)
	}
}

// BenchmarkLoad reads the parameters as each block does, from a state with the history of 10,000 changes.
func BenchmarkLoad(b *testing.B) {
	memory := state.NewMemory(state.Config{})
	commit := state.New(state.Config{}, memory)
	if err := memory.Add(commit.Delta()); err != nil {
		b.Fatal(err)
	}
	o := commit.Overlay()
	Genesis().Save(o)
	groups := Genesis().Groups()
	for i := range 10_000 {
		if _, err := Update(o, groups[i%len(groups)].Key, Change{Value: groups[i%len(groups)].Value}); err != nil {
			b.Fatal(err)
		}
	}
	next, err := o.Commit(1)
	if err == nil {
		err = memory.Add(next.Delta())
	}
	if err != nil {
		b.Fatal(err)
	}
	commit = next.Settled(memory)
	for b.Loop() {
		if _, err := Load(commit); err != nil {
			b.Fatal(err)
		}
	}
}

package stream

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// asks has ann ask for so many epochs so many times, and gives what became of the last one.
func (w *world) asks(epochs, times uint64) (err error) {
	id := w.stream()
	if _, err := w.acquire(id, ann, ann, 100); err != nil { // from 10 on, without a key
		return err
	}
	if _, err := w.register(ann, 7); err != nil {
		return err
	}
	w.committee()
	for range times {
		err = w.as(ann, func(m *Manager) error { _, err := m.Seal(ann, id, 20, 20+epochs-1); return err })
	}
	return err
}

// The limits of paid streams, one below each, at it, and one above.
//
// Spec: gateway-payments-streams §E.1 (fee > 0, bps 0 to 5,000, min_purchase ≥ 1, 8 keys, 64 authorizations, batches ≤ 10,000), §E.2 (min_purchase).
func TestLimitsOfStreams(t *testing.T) {
	config := func(change func(c *Config, n uint64)) func(w *world, n uint64) error {
		return func(w *world, n uint64) error {
			c := Config{Fee: 1, ProtocolBPS: 5, Treasury: till, EpochBlocks: 600, MinPurchase: 1}
			change(&c, n)
			return w.as(publisher, func(m *Manager) error { _, err := m.Configure(publisher, []byte("news"), c); return err })
		}
	}
	content := func(keys, size uint64) func(w *world) error {
		return func(w *world) error {
			id := w.stream()
			list := make([]Content, keys)
			for i := range list {
				list[i] = Content{uint64(i), bytes.Repeat([]byte{1}, int(size))}
			}
			return w.as(publisher, func(m *Manager) error { return m.RegisterContent(publisher, id, list) })
		}
	}
	for _, x := range []struct {
		name string
		at   []uint64
		want []error
		do   func(w *world, n uint64) error
	}{
		{"name", []uint64{0, 1, 63, 64, 65}, []error{ErrName, nil, nil, nil, ErrName}, func(w *world, n uint64) error {
			c := Config{Fee: 1, Treasury: till, EpochBlocks: 600, MinPurchase: 1}
			return w.as(publisher, func(m *Manager) error {
				_, err := m.Configure(publisher, []byte(strings.Repeat("n", int(n))), c)
				return err
			})
		}},
		{"fee", []uint64{0, 1, 2}, []error{ErrConfig, nil, nil}, config(func(c *Config, n uint64) { c.Fee = unit.Amount(n) })},
		{"protocol fee", []uint64{0, 4_999, 5_000, 5_001}, []error{nil, nil, nil, ErrConfig}, config(func(c *Config, n uint64) { c.ProtocolBPS = n })},
		{"epoch", []uint64{0, 1, 2}, []error{ErrConfig, nil, nil}, config(func(c *Config, n uint64) { c.EpochBlocks = n })},
		{"least purchase", []uint64{0, 1, 2}, []error{ErrConfig, nil, nil}, config(func(c *Config, n uint64) { c.MinPurchase = n })},
		{"bought of 3 at least", []uint64{2, 3, 4}, []error{ErrMinimum, nil, nil}, func(w *world, n uint64) error {
			c := Config{Fee: 1, Treasury: till, EpochBlocks: 600, MinPurchase: 3}
			var id digest.Hash
			w.must(w.as(publisher, func(m *Manager) (err error) { id, err = m.Configure(publisher, []byte("news"), c); return err }))
			return w.as(ann, func(m *Manager) error { _, err := m.Acquire(id, ann, ann, c.Epoch(w.now)+n-1); return err })
		}},
		{"keys", []uint64{7, 8, 9}, []error{nil, nil, ErrKeys}, func(w *world, n uint64) (err error) {
			for i := range n {
				_, err = w.register(ann, byte(i+1))
			}
			return err
		}},
		{"authorizations", []uint64{63, 64, 65}, []error{nil, nil, ErrAuthorized}, func(w *world, n uint64) (err error) {
			id := w.stream()
			for i := range n {
				err = w.as(ann, func(m *Manager) error { return m.Authorize(ann, account.Address{100, byte(i)}, id, true) })
			}
			return err
		}},
		{"batch", []uint64{0, 1, 9_999, 10_000, 10_001}, []error{ErrBatch, nil, nil, nil, ErrBatch}, func(w *world, n uint64) error {
			return content(n, 1)(w)
		}},
		{"epochs of a request", []uint64{0, 1, 31, 32, 33}, []error{ErrSpan, nil, nil, nil, ErrSpan}, func(w *world, n uint64) error { return w.asks(n, 1) }},
		{"open requests", []uint64{31, 32, 33}, []error{nil, nil, ErrOpen}, func(w *world, n uint64) error { return w.asks(1, n) }},
		{"wrapped key", []uint64{0, 1, 255, 256, 257}, []error{ErrBatch, nil, nil, nil, ErrBatch}, func(w *world, n uint64) error { return content(1, n)(w) }},
	} {
		for i, n := range x.at {
			t.Run(fmt.Sprint(x.name, " ", n), func(t *testing.T) {
				if err := x.do(newWorld(t), n); !errors.Is(err, x.want[i]) {
					t.Errorf("%v, want %v", err, x.want[i])
				}
			})
		}
	}
}

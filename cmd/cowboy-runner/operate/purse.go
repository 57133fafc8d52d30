package operate

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/purse"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// purseFile is where the count of what the runner earns is kept, below the data directory.
const purseFile = "earnings.json"

// Events implements purse.Events.
//
// Spec: node-rpc-cli §2.4.
func (c *Client) Events(ctx context.Context, after string, most int) (list []purse.Event, next string, height uint64, err error) {
	path := fmt.Sprintf("/actor/%s/events?limit=%d", account.System(account.ResultVerifier), most)
	if after != "" {
		path += "&cursor=" + url.QueryEscape(after)
	}
	var all wire.Events
	if err := c.wallet.Node.Read(ctx, path, &all); err != nil || len(all.Events) == 0 {
		return nil, "", 0, err
	}
	for _, e := range all.Events {
		list, height = append(list, purse.Event{Topic: e.Topic, Data: e.Data}), e.BlockHeight
	}
	return list, all.NextCursor, height, nil
}

// inFile keeps a count in a data directory.
type inFile struct{ dir string }

// Load implements purse.File.
func (f inFile) Load() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(f.dir, purseFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Keep implements purse.File.
func (f inFile) Keep(data []byte) error {
	path := filepath.Join(f.dir, purseFile)
	if err := os.WriteFile(path+".next", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".next", path)
}

// counts has what the runner earns counted, and shown as metrics.
func (r *running) counts(chain *Client) (*purse.Handle, supervision.Spec) {
	h := purse.NewHandle()
	gauge := func(name, help string, of func(s *purse.Status) uint64) {
		r.metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			s := h.Status()
			return float64(of(&s))
		}))
	}
	gauge("cowboy_runner_paid_jobs", "Jobs the runner was paid for, since its data directory was made.", func(s *purse.Status) uint64 { return s.Jobs })
	gauge("cowboy_runner_earned_base_units", "What it was paid for them.", func(s *purse.Status) uint64 { return s.Earned })
	gauge("cowboy_runner_slashed_base_units", "What it lost of its stake.", func(s *purse.Status) uint64 { return s.Slashed })
	return h, purse.Spec(h, func() *purse.Purse {
		return &purse.Purse{Handle: h, Runner: chain.wallet.Key.Address(), Events: chain, File: inFile{r.dir}, Clock: supervision.RealClock{}}
	})
}

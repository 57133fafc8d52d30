package rpc

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestRanks finds percentiles as the nearest rank has them, by hand. Spec: WP §17.10.
func TestRanks(t *testing.T) {
	sorted := []uint64{10, 20, 30, 40, 50}
	for percent, want := range map[uint64]uint64{0: 10, 1: 10, 20: 10, 21: 20, 50: 30, 90: 50, 100: 50} {
		t.Run(fmt.Sprint(percent), func(t *testing.T) {
			if got := rank(sorted, percent); got != want {
				t.Errorf("%d, want %d", got, want)
			}
		})
	}
	if rank(nil, 50) != 0 {
		t.Error("a rank of nothing")
	}
}

// TestPercentilesAreReadOnce counts the headers that are read: once for a newest block, a hundred of them at most, those there are at a young chain and behind
// the end of what is kept. The price of block h is h. A failure is nothing that is kept.
//
// Spec: WP §17.10.
func TestPercentilesAreReadOnce(t *testing.T) {
	var known recent.Table[digest.Hash, wire.Outlook]
	failed := errors.New("disk")
	for i, c := range []struct {
		hash           byte
		height, oldest unit.Height
		fail           error
		reads          int
		blocks, p10    uint64
	}{
		{1, 150, 0, nil, 100, 100, 60}, // of 51 to 150 the tenth
		{1, 150, 0, nil, 0, 100, 60},
		{2, 151, 0, nil, 100, 100, 61},
		{1, 150, 0, nil, 0, 100, 60},
		{3, 9, 0, nil, 10, 10, 0}, // of 0 to 9 the first
		{4, 160, 151, nil, 11, 10, 151},
		{5, 161, 0, failed, 1, 0, 0},
		{5, 161, 0, nil, 100, 100, 71},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			reads := 0
			w, err := percentiles(&known, digest.Hash{c.hash}, c.height, func(h unit.Height) (*block.Header, error) {
				reads++
				if h < c.oldest {
					return nil, ledger.ErrAbsent
				}
				return &block.Header{CycleBasefee: uint64(h), CellBasefee: 2 * uint64(h)}, c.fail
			})
			if !errors.Is(err, c.fail) || reads != c.reads || w.Blocks != c.blocks || w.CyclePercent.P10 != c.p10 || w.CellPercent.P10 != 2*c.p10 {
				t.Errorf("%d reads, %+v, %v", reads, w, err)
			}
		})
	}
}

// TestWeighedRanks weighs each tip by what its transaction used: of 100 units 60 tip 5, 30 tip 1 and 10 tip 9.
func TestWeighedRanks(t *testing.T) {
	list := []weighed{{5, 60}, {9, 10}, {1, 30}, {700, 0}}
	got := weighedRanks(list, []uint64{0, 30, 31, 90, 91, 100})
	if want := []uint64{1, 1, 5, 5, 9, 9}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := weighedRanks(nil, []uint64{50}); !reflect.DeepEqual(got, []uint64{0}) {
		t.Errorf("of an empty block: %v", got)
	}
}

// TestRangesAreBounded refuses ranges that are not there or too long, of the history of fees and of flows. The newest block is 1,000.
func TestRangesAreBounded(t *testing.T) {
	for _, c := range []struct {
		path   string
		status int // 0: taken
	}{
		{"/fees/history", 0},
		{"/fees/history?newest=1000&blocks=256&percentiles=0,50,50,100", 0},
		{"/fees/history?newest=1001", http.StatusNotFound},
		{"/fees/history?blocks=0", http.StatusBadRequest},
		{"/fees/history?blocks=257", http.StatusBadRequest},
		{"/fees/history?blocks=x", http.StatusBadRequest},
		{"/fees/history?newest=-1", http.StatusBadRequest},
		{"/fees/history?percentiles=50,10", http.StatusBadRequest},
		{"/fees/history?percentiles=101", http.StatusBadRequest},
		{"/fees/history?percentiles=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", http.StatusBadRequest},
		{"/flows", 0},
		{"/flows?from=501&to=1000", 0},
		{"/flows?from=500&to=1000", http.StatusBadRequest},
		{"/flows?from=9&to=8", http.StatusBadRequest},
		{"/flows?to=1001", http.StatusNotFound},
		{"/flows?from=x", http.StatusBadRequest},
	} {
		t.Run(c.path, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, c.path, nil)
			var err error
			if r.URL.Path == "/flows" {
				_, _, err = heights(r, 1_000)
			} else {
				_, _, _, err = historyOf(r, 1_000)
			}
			status := 0
			if refused := (*Refusal)(nil); errors.As(err, &refused) {
				status = refused.Status
			} else if err != nil {
				t.Fatal(err)
			}
			if status != c.status {
				t.Errorf("%d, want %d", status, c.status)
			}
		})
	}
	r := httptest.NewRequest(http.MethodGet, "/fees/history?newest=3&blocks=20", nil)
	if _, blocks, _, err := historyOf(r, 1_000); err != nil || blocks != 4 { // 0 to 3
		t.Errorf("%d blocks, %v", blocks, err)
	}
}

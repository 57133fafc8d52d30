package relay

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// market is the chain of a relay with contracts. It keeps what is sent.
type market struct {
	contracts map[digest.Hash]*Retention
	sent      [][]cbfs.Piece
	err       error // of a sending
}

func (m *market) Retention(_ context.Context, id digest.Hash) (*Retention, error) {
	if c := m.contracts[id]; c != nil {
		return c, nil
	}
	return nil, reach.ErrUnknown
}

func (m *market) ProveRetention(_ context.Context, _ digest.Hash, pieces []cbfs.Piece) error {
	if m.err == nil {
		m.sent = append(m.sent, pieces)
	}
	return m.err
}

// still is a clock that never comes to a deadline.
type still struct{ supervision.RealClock }

func (still) AfterFunc(time.Duration, func()) supervision.Deadline { return time.NewTimer(time.Hour) }

// retaining is a retainer that keeps one blob for a contract, with what it tells.
func retaining(t *testing.T) (r *Retainer, m *market, data []byte, told *[]error) {
	t.Helper()
	data = bytes.Repeat([]byte("what is kept for pay; "), 500)
	ref := cbfs.RefOf(cbfs.SHA256, data)
	ref.ChunkSize = 1_024
	b := retention.Blob{Ref: *ref, Root: cbfs.PieceRoot(data, 1_024)}
	s := &retained.Store{Dir: t.TempDir()}
	if err := s.Keep(vol, 0, &b, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	m, told = &market{contracts: map[digest.Hash]*Retention{vol: {Blobs: []retention.Blob{b}}}}, new([]error)
	return &Retainer{
		Chain: m, Store: s, Every: time.Second, Clock: still{}, Base: t.Context(), sent: map[digest.Hash]answered{},
		Observe: func(_ string, err error) { *told = append(*told, err) },
	}, m, data, told
}

// An audit is answered once with the pieces in the order they are asked for, and again after ten looks that still show it; the next audit at once.
//
// Spec: storage-cbfs §7 (every sample must pass).
func TestAudits(t *testing.T) {
	r, m, data, told := retaining(t)
	c := m.contracts[vol]
	r.look()
	if len(m.sent) > 0 || len(*told) > 0 {
		t.Fatalf("nothing is asked: %d, %v", len(m.sent), *told)
	}
	c.Audit, c.Asked = digest.Hash{1}, []retention.Place{{Piece: 9}, {Piece: 0}}
	want := []cbfs.Piece{cbfs.ProvePiece(data, 1_024, 9), cbfs.ProvePiece(data, 1_024, 0)}
	if r.look(); len(m.sent) != 1 || !reflect.DeepEqual(m.sent[0], want) {
		t.Fatalf("%d are sent", len(m.sent))
	}
	for range auditAgain {
		r.look()
	}
	if len(m.sent) != 1 {
		t.Fatalf("%d are sent while the first is on its way", len(m.sent))
	}
	if r.look(); len(m.sent) != 2 {
		t.Fatalf("%d are sent after %d looks", len(m.sent), auditAgain)
	}
	c.Audit = digest.Hash{2}
	if r.look(); len(m.sent) != 3 {
		t.Fatalf("%d are sent with another audit", len(m.sent))
	}
	if !reflect.DeepEqual(*told, []error{nil, nil, nil}) {
		t.Errorf("told %v", *told)
	}
}

// What cannot be answered is told at each look, and nothing is sent: a copy that is gone, a place that is none of the contract's, a node that takes nothing, a
// contract that is over.
//
// Spec: storage-cbfs §7.
func TestAuditsWithoutAnswer(t *testing.T) {
	refused := errors.New("not now")
	for name, c := range map[string]struct {
		change func(r *Retainer, m *market)
		want   error // nil: any
	}{
		"a copy that is gone":         {func(r *Retainer, m *market) { m.contracts[vol].Blobs[0].Root[0] ^= 1 }, retained.ErrMissing},
		"a place of no blob":          {func(r *Retainer, m *market) { m.contracts[vol].Asked[0].Blob = 1 }, nil},
		"a place before all blobs":    {func(r *Retainer, m *market) { m.contracts[vol].Asked[0].Blob = -1 }, nil},
		"a piece beyond the last one": {func(r *Retainer, m *market) { m.contracts[vol].Asked[0].Piece = 1_000 }, retained.ErrMissing},
		"a node that takes nothing":   {func(r *Retainer, m *market) { m.err = refused }, refused},
		"a contract that is over":     {func(r *Retainer, m *market) { delete(m.contracts, vol) }, reach.ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			r, m, _, told := retaining(t)
			m.contracts[vol].Audit, m.contracts[vol].Asked = digest.Hash{1}, []retention.Place{{Piece: 1}}
			c.change(r, m)
			r.look()
			r.look()
			if len(m.sent) > 0 || len(*told) != 2 || (*told)[0] == nil || c.want != nil && !errors.Is((*told)[1], c.want) {
				t.Errorf("%d are sent, told %v", len(m.sent), *told)
			}
		})
	}
}

// Anybody may ask for pieces of what is retained, eight at a time.
//
// Spec: storage-cbfs §7; WP §7.2.
func TestPiecesForAnybody(t *testing.T) {
	r, _, data, _ := retaining(t)
	d := &Responder{Retained: r.Store}
	for name, c := range map[string]struct {
		q      protocol.Request
		status protocol.Status
		pieces int
	}{
		"one":            {protocol.Request{Root: vol, Number: 3, Length: 1}, protocol.Ok, 1},
		"eight":          {protocol.Request{Root: vol, Length: 8}, protocol.Ok, 8},
		"up to the last": {protocol.Request{Root: vol, Number: 9, Length: 8}, protocol.Ok, 2},
		"nine":           {protocol.Request{Root: vol, Length: 9}, protocol.ErrInvalid, 0},
		"none":           {protocol.Request{Root: vol}, protocol.ErrInvalid, 0},
		"beyond":         {protocol.Request{Root: vol, Number: 11, Length: 1}, protocol.ErrInvalid, 0},
		"another blob":   {protocol.Request{Root: vol, Slot: 1, Length: 1}, protocol.ErrNotFound, 0},
		"a contract":     {protocol.Request{Root: root, Length: 1}, protocol.ErrNotFound, 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := d.pieces(&c.q)
			if a.Status != c.status {
				t.Fatal(a.Status)
			}
			if c.status != protocol.Ok {
				return
			}
			list, err := cbfs.DecodePieces(a.Data)
			if err != nil || len(list) != c.pieces || a.Total != 11 || len(a.Data) > piecesRoom {
				t.Fatalf("%d pieces of %d, %v", len(list), a.Total, err)
			}
			for i := range list {
				if !reflect.DeepEqual(list[i], cbfs.ProvePiece(data, 1_024, c.q.Number+uint64(i))) {
					t.Errorf("piece %d is another", i)
				}
			}
		})
	}
	if a := (&Responder{}).pieces(&protocol.Request{Root: vol, Length: 1}); a.Status != protocol.ErrNotFound {
		t.Error(a.Status)
	}
}

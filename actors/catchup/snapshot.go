package catchup

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Certifier is a replica.Committees that says by itself whether a certificate is of a quorum of a set. Where signatures are BLS12-381 there is no need
// for one.
type Certifier interface {
	Certified(set *stake.Set, c *sig.Certificate) error
}

// far reports whether a node that is behind that much fetches a state instead of blocks.
func (s *Subsystem) far(top unit.Height) bool {
	return s.Snapshot > 0 && top >= s.blocks.tip.height+s.Snapshot
}

// snapshotPays reports whether fetching the state after a final block is better than fetching the blocks it replaces: what peers claim about their height
// is not proven, a pivot is.
func (s *Subsystem) snapshotPays(height unit.Height) bool {
	return s.far(height) || s.stranded && height > s.blocks.tip.height
}

// collect begins to fetch a state, or goes on with one. begun says that it is to do so only if something was collected before.
func (s *Subsystem) collect(begun bool) {
	now := s.Clock.Now()
	if s.fetch != nil || s.Snapshot == 0 || now.Before(s.notBefore) {
		return
	}
	snapshots, ok := s.Ledger.Snapshots()
	if !ok {
		return
	}
	stage, err := snapshots.Stage()
	if err != nil {
		s.stalled(err)
		return
	}
	if _, _, ok := stage.Begun(); begun && !ok {
		s.must(stage.Close())
		return
	}
	client, err := s.follow()
	if err != nil {
		s.must(stage.Close())
		if errors.Is(err, stake.ErrNoEpoch) {
			return // this chain has no validator registry: only blocks prove anything
		}
		panic(err)
	}
	s.fetch = newFetch(client, stage)
	if stage.Sealed() {
		s.load()
	}
}

// follow makes a light client at the durable tip and takes it over the ends of epochs that are known here.
func (s *Subsystem) follow() (*light.Client, error) {
	tip := s.Ledger.Tip()
	client, err := light.New(tip.Header.ChainID, tip.State, s.Calendar.Epoch(tip.Header.Height+1))
	if err != nil {
		return nil, err
	}
	if c, ok := s.Committees.(Certifier); ok {
		client.JudgeBy(c.Certified)
	}
	for {
		x, err := s.Ledger.EpochProof(client.Epoch())
		if errors.Is(err, ledger.ErrAbsent) {
			return client, nil
		}
		if err != nil {
			return nil, err
		}
		if err := client.Advance(x); err != nil {
			return nil, fmt.Errorf("catchup: what was verified before: %w", err)
		}
	}
}

// must ends the node over a failure of its disk.
func (s *Subsystem) must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

// stalled takes a failure of the place where a snapshot is collected: a full disk is waited for, what was damaged is thrown away, anything else ends
// the node.
func (s *Subsystem) stalled(err error) {
	s.quit()
	var corrupt *store.CorruptError
	switch {
	case errors.Is(err, disk.ErrFull):
		s.trouble = err
	case errors.As(err, &corrupt):
		s.trouble = err
		s.reset()
	default:
		s.must(err)
	}
}

// reset throws away what was collected.
func (s *Subsystem) reset() {
	snapshots, ok := s.Ledger.Snapshots()
	if !ok {
		return
	}
	stage, err := snapshots.Stage()
	if err != nil {
		s.must(err)
	}
	s.must(errors.Join(stage.Reset(), stage.Close()))
}

// quit stops fetching a state for a while; what was collected stays.
func (s *Subsystem) quit() {
	s.leave()
	s.notBefore = s.Clock.Now().Add(rest)
}

// leave closes what a fetch has open.
func (s *Subsystem) leave() {
	if s.fetch != nil && s.fetch.stage != nil {
		_ = s.fetch.stage.Close()
	}
	s.fetch = nil
}

// gather asks whatever can be asked now about the state that is fetched.
func (s *Subsystem) gather() {
	f, now := s.fetch, s.Clock.Now()
	switch {
	case f.adopting > 0:
		s.adopted()
	case f.pivot == nil:
		s.seekPivot(now)
	case f.complete():
		s.seal()
	default:
		s.seekChunks(now)
	}
}

// seekPivot asks for the way out of the client's epoch, and at the end of the way for a state.
func (s *Subsystem) seekPivot(now time.Time) {
	f := s.fetch
	if len(f.calls) > 0 {
		return
	}
	to, ok, later := f.peer(s.blocks.peers, now)
	if !ok && !later {
		s.quit()
	}
	if !ok {
		return
	}
	id := f.call(to, span{}, now)
	if f.way {
		s.send(to, (&epochProofRequest{id, f.client.Epoch()}).encode())
		return
	}
	s.send(to, (&pivotRequest{id}).encode())
}

// seekChunks asks for chunks of the state. The first brings the nodes below it as well, and is waited for.
func (s *Subsystem) seekChunks(now time.Time) {
	f := s.fetch
	for len(f.calls) < callsMax {
		_, _, begun := f.stage.Begun()
		want, ok := f.wanted()
		if !ok || !begun && len(f.calls) > 0 || len(f.calls) > 0 && f.held()+chunkBytes > int(s.Memory.Limit()) {
			return
		}
		to, ok, later := f.peer(s.blocks.peers, now)
		if !ok && later {
			return
		}
		if !ok {
			break
		}
		f.take(want)
		id := f.call(to, want, now)
		s.send(to, (&chunkRequest{id, f.pivot.extent.Length, want.from, want.count, !begun}).encode())
	}
	if len(f.calls) > 0 {
		return
	}
	f.miss()
	if f.dry == dryMax {
		s.must(f.stage.Reset()) // perhaps what it began with is gone everywhere
	}
	if f.dry == 2*dryMax {
		s.quit()
	}
}

func (s *Subsystem) send(to link.Peer, frame []byte) { s.Link.Send(to, link.Sync, frame) }

// lied takes note of a peer that sent what no honest one sends.
func (s *Subsystem) lied(from link.Peer, err error) {
	s.fetch.liars[from] = true
	s.Link.Report(from, err.Error())
}

// shown takes the way out of an epoch, or learns that there is none yet.
func (s *Subsystem) shown(from link.Peer, a *epochProofAnswer) {
	f := s.fetch
	if f == nil {
		return
	}
	if _, ok := f.answered(from, a.id); !ok || f.pivot != nil || !f.way {
		return
	}
	if a.epochProof == nil {
		f.way = false
		return
	}
	err := f.client.Advance(a.epochProof)
	if err != nil {
		s.lied(from, err)
		return
	}
	f.dry = 0
	if err := s.Ledger.Keep(a.epochProof); err != nil {
		s.stalled(err)
	}
}

// named takes the state a peer can serve.
func (s *Subsystem) named(from link.Peer, a *pivotAnswer) {
	f := s.fetch
	if f == nil {
		return
	}
	if _, ok := f.answered(from, a.id); !ok || f.pivot != nil || f.way {
		return
	}
	if a.block == nil {
		f.idle[from] = true
		return
	}
	g, err := s.judge(a)
	switch {
	case errors.Is(err, light.ErrEpoch): // an epoch has ended meanwhile, or the peer is behind
		f.way = true
		if f.dry++; f.dry >= dryMax {
			f.idle[from] = true
		}
	case err != nil:
		s.lied(from, err)
	case !s.snapshotPays(g.block.Header.Height) || !f.fits(g.extent):
		f.idle[from] = true
	default:
		f.aim(g)
	}
}

// judge verifies a pivot.
// Spec: WP §6.1; commonware §3.8, §5.7.
func (s *Subsystem) judge(a *pivotAnswer) (*pivot, error) {
	return judged(s.fetch.client, s.fetch.stage.Config(), a)
}

// judged verifies a pivot by a light client.
func judged(client *light.Client, config state.Config, a *pivotAnswer) (*pivot, error) {
	b, err := block.Decode(bytes.Clone(a.block))
	if err != nil {
		return nil, err
	}
	if !bodyFits(b) {
		return nil, fmt.Errorf("%w: another body", errRange)
	}
	if head := client.Head(); head.Header() == nil || head.Hash() != b.Hash() {
		if head.Header() != nil && b.Header.Height < head.Header().Height {
			return nil, light.ErrEpoch // old, and not a lie
		}
		if _, err := client.Follow(&b.Header, a.finalization); err != nil {
			return nil, err
		}
	}
	extent, err := config.VerifyTarget(b.Header.StateRoot, a.target)
	if err != nil {
		return nil, err
	}
	if extent.Height != b.Header.Height {
		return nil, fmt.Errorf("%w: the state of another block", errRange)
	}
	return &pivot{b, a.finalization, extent}, nil
}

// brought takes a chunk of the state.
func (s *Subsystem) brought(from link.Peer, a *chunkAnswer) {
	f := s.fetch
	if f == nil {
		return
	}
	c, ok := f.answered(from, a.id)
	if !ok || f.pivot == nil || c.span.count == 0 {
		return
	}
	if len(a.operations) == 0 {
		f.restore(c.span)
		if a.wait == 0 {
			f.idle[from] = true
		} else {
			f.resting[from] = s.Clock.Now().Add(min(time.Duration(a.wait)*time.Millisecond, chunkWithin))
		}
		return
	}
	n, err := s.prove(c, a)
	if err != nil {
		f.restore(c.span)
		s.lied(from, err)
		return
	}
	f.dry = 0
	if n < c.span.count {
		f.restore(span{c.span.from + n, c.span.count - n})
	}
	f.ahead[c.span.from] = chunk{bytes.Clone(a.operations), n}
	if err := s.append(a); err != nil {
		s.stalled(err)
	}
}

// prove checks that a chunk is what stands in the log, and gives the number of its operations.
// Spec: commonware §5.6 (operations range), §5.7.
func (s *Subsystem) prove(c call, a *chunkAnswer) (n uint64, err error) {
	_, _, begun := s.fetch.stage.Begun()
	return proven(s.fetch.stage.Config(), s.fetch.pivot.extent, c.span, a, !begun)
}

// proven checks a chunk of a span of a state's log, the first with its foundation.
func proven(config state.Config, extent *state.Extent, at span, a *chunkAnswer, first bool) (n uint64, err error) {
	list, err := config.SplitOperations(a.operations, int(at.count))
	if err != nil {
		return 0, err
	}
	if err := config.VerifyRange(extent.OpsRoot, at.from, list, &a.proof); err != nil {
		return 0, err
	}
	if first {
		if a.foundation == nil {
			return 0, fmt.Errorf("%w: no foundation", errRange)
		}
		if err := config.VerifyFoundation(extent, at.from, a.foundation); err != nil {
			return 0, err
		}
	}
	return uint64(len(list)), nil
}

// append puts the chunks that follow each other behind what is collected.
func (s *Subsystem) append(a *chunkAnswer) error {
	f := s.fetch
	if _, _, begun := f.stage.Begun(); !begun {
		if err := f.stage.Begin(f.pivot.extent.Boundary(), a.foundation.Pinned); err != nil {
			return err
		}
	}
	for {
		_, at, _ := f.stage.Begun()
		p, ok := f.ahead[at]
		if !ok {
			return nil
		}
		if err := f.stage.Append(p.data, p.count); err != nil {
			return err
		}
		delete(f.ahead, at)
		if f.loose += len(p.data); f.loose >= syncEvery {
			f.loose = 0
			if err := f.stage.Sync(); err != nil {
				return err
			}
		}
	}
}

// seal ends the collection.
func (s *Subsystem) seal() {
	f := s.fetch
	if err := f.stage.Seal(ledger.Sealing(f.pivot.block, []*sig.Certificate{f.pivot.finalization}, f.pivot.extent)); err != nil {
		s.stalled(err)
		return
	}
	s.load()
}

// load makes the snapshot a store of its own and hands it to the ledger.
func (s *Subsystem) load() {
	f := s.fetch
	err := f.stage.Close()
	f.stage = nil
	if err != nil {
		s.stalled(err)
		return
	}
	snapshots, _ := s.Ledger.Snapshots()
	loaded, err := snapshots.Load()
	if err != nil {
		s.stalled(err)
		return
	}
	if loaded.Header.Height <= s.Ledger.Finalized() {
		s.must(loaded.Close())
		s.leave()
		s.reset()
		return
	}
	if s.Ledger.Adopt(loaded) != supervision.Accepted {
		s.must(loaded.Close())
		s.quit()
		return
	}
	f.adopting = loaded.Header.Height
}

// adopted looks whether the ledger has taken the snapshot over.
func (s *Subsystem) adopted() {
	tip := s.Ledger.Tip()
	if tip.Header.Height < s.fetch.adopting {
		return
	}
	s.leave()
	s.pivot, s.committee, s.trouble = nil, nil, nil
	s.blocks.start(place{tip.Header.Height, tip.Hash}, s.Clock.Now())
}

// tell publishes the status.
func (s *Subsystem) tell() {
	now := Status{Tip: s.blocks.tip.height, Target: s.blocks.target}
	if s.trouble != nil {
		now.Trouble = s.trouble.Error()
	}
	if f := s.fetch; f != nil {
		now.Snapshot = true
		if f.pivot != nil && f.stage != nil {
			e := f.pivot.extent
			now.Height, now.Total = e.Height, e.Length-e.Boundary()
			if boundary, length, ok := f.stage.Begun(); ok {
				now.Operations, now.Total = length-boundary, e.Length-boundary
			}
		}
	}
	if now != s.Handle.Status() {
		s.Handle.status.Store(&now)
	}
}

package netfault

import (
	"fmt"
	"syscall"
	"time"
)

// trouble is the course of events.
func (r *course) trouble() error {
	if err := r.advance(5, time.Minute); err != nil {
		return err
	}
	r.witness.able(true)
	steps := []func() error{r.kills, r.rolling}
	if r.spaces != nil {
		steps = append(steps, r.partitions, r.severed)
	}
	for _, step := range append(steps, r.wiping) {
		if err := step(); err != nil {
			return err
		}
		if err := r.witness.err(); err != nil {
			return err
		}
	}
	return nil
}

// advance waits for blocks.
func (r *course) advance(blocks uint64, within time.Duration) error {
	goal := r.height() + blocks
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(lookEvery) {
		if r.height() >= goal {
			return nil
		}
		if err := r.witness.err(); err != nil {
			return err
		}
	}
	return fmt.Errorf("no %d blocks within %v after block %d", blocks, within, r.height())
}

// back waits until a node is where the others are and takes part again: two are never away at once.
func (r *course) back(n *node) error {
	began := time.Now()
	for time.Since(began) < 2*time.Minute {
		height, err := n.height()
		if top := r.height(); err == nil && height+2 >= top && top > 0 {
			r.result.Recovery = max(r.result.Recovery, time.Since(began))
			return nil
		}
		time.Sleep(lookEvery)
	}
	return fmt.Errorf("%s does not come back to block %d", n.name, r.height())
}

// kills ends one process after the other at random moments, without warning.
func (r *course) kills() error {
	for i := range r.Kills {
		time.Sleep(time.Duration(r.draw.Int64N(int64(1500 * time.Millisecond))))
		n := r.nodes[r.draw.IntN(len(r.nodes))]
		n.end(syscall.SIGKILL)
		time.Sleep(time.Duration(r.draw.Int64N(int64(time.Second))))
		if err := n.start(); err != nil {
			return err
		}
		if err := r.back(n); err != nil {
			return err
		}
		r.result.Kills++
		if err := r.witness.err(); err != nil {
			return err
		}
		if (i+1)%10 == 0 {
			r.say("%d kills", i+1)
		}
	}
	return nil
}

// rolling restarts every node in turn, as an upgrade does.
func (r *course) rolling() error {
	for _, n := range r.nodes {
		n.end(syscall.SIGTERM)
		if err := n.start(); err != nil {
			return err
		}
		if err := r.back(n); err != nil {
			return err
		}
		if err := r.advance(3, 20*time.Second); err != nil {
			return err
		}
	}
	r.say("every node was restarted in turn")
	return nil
}

// partitions cut the network in halves, which stops it, and one node off, which must not; both are healed.
func (r *course) partitions() error {
	router := r.spaces.router
	router.Split(1, 2)
	time.Sleep(2 * time.Second) // what is under way may still arrive
	r.witness.able(false)
	frozen := r.height()
	time.Sleep(r.Partition)
	// A block may be final on one side before the cut and be told after it; without a quorum nothing new becomes so.
	if top := r.height(); top > frozen+1 {
		return fmt.Errorf("the chain went from block %d to %d without a quorum", frozen, top)
	}
	r.say("halves were cut off for %v", r.Partition)
	router.All(r.Wire)
	healed := time.Now()
	if err := r.advance(3, time.Minute); err != nil {
		return err
	}
	r.say("healed: new blocks after %v", time.Since(healed).Round(10*time.Millisecond))
	r.witness.able(true)

	router.Split(4)
	if err := r.advance(3, 20*time.Second); err != nil {
		return err
	}
	time.Sleep(r.Partition)
	router.All(r.Wire)
	if err := r.back(r.nodes[3]); err != nil {
		return err
	}
	r.say("one node was cut off for %v and is back", r.Partition)
	return nil
}

// severed cuts the wire between two nodes while a third is away, so that each vote of the others is needed: blocks and certificates go round by the fourth.
// Views of the two take a little longer, none waits for a deadline but the first of the third.
func (r *course) severed() error {
	r.spaces.router.Sever(1, 2)
	gone := r.nodes[2]
	gone.end(syscall.SIGKILL)
	const blocks = 40
	began := time.Now()
	if err := r.advance(blocks, blocks*time.Second); err != nil {
		return fmt.Errorf("two nodes that do not reach each other and one that is away: %w", err)
	}
	r.say("%d blocks in %v while two nodes did not reach each other and one was away", blocks, time.Since(began).Round(100*time.Millisecond))
	r.spaces.router.All(r.Wire)
	if err := gone.start(); err != nil {
		return err
	}
	return r.back(gone)
}

// wiping loses a disk: chain, journal and everything but keys, genesis and configuration.
func (r *course) wiping() error {
	i := r.draw.IntN(len(r.nodes))
	n := r.nodes[i]
	n.end(syscall.SIGKILL)
	if err := n.wipe(); err != nil {
		return err
	}
	r.witness.forget(i)
	began := time.Now()
	if err := n.start(); err != nil {
		return err
	}
	if err := r.back(n); err != nil {
		return err
	}
	r.say("%s lost its disk and is back after %v", n.name, time.Since(began).Round(10*time.Millisecond))
	if err := r.advance(5, time.Minute); err != nil {
		return err
	}
	// The whole chain is asked for again.
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(lookEvery) {
		r.witness.mu.Lock()
		done := r.witness.checked[i]+20 >= r.witness.height
		r.witness.mu.Unlock()
		if done {
			return nil
		}
	}
	return fmt.Errorf("%s does not serve the chain it fetched", n.name)
}

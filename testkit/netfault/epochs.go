package netfault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

const (
	// epochBlocks is the length of an epoch where epochs are what is looked at.
	epochBlocks = 60
	// doubleSign is what signing twice costs, in basis points of the stake. Spec: WP "Slashing".
	doubleSign = 100
)

// Epochs runs processes of this machine through changes of epochs, and has one key sign twice: two processes are given the same keys and the same
// journal, which no lock and no guard can prevent by then. The guilty one is jailed and loses its exact share of the stake when the epoch ends; the others
// go on without it, under a shared key that was made anew.
//
// Spec: WP "Validator Set", "Slashing", §3.4; governance-staking A1, A3.
func Epochs(c Config) (Result, error) {
	r := &course{Config: c, epochs: epochBlocks}
	err := r.watched(func(context.Context) error { return r.succession() })
	return r.result, err
}

// succession is the course of events.
func (r *course) succession() error {
	reshared := func(e wire.Epoch, members int) bool {
		return e.Members == members && e.Number >= 2 && e.KeySince == e.Number
	}
	before, err := r.epoch(func(e wire.Epoch) bool { return reshared(e, validators) })
	if err != nil {
		return fmt.Errorf("no new shared key: %w", err)
	}
	r.say("epoch %d: four validators, a shared key of its own", before.Number)
	r.witness.able(true) // from now on three honest ones are there all the time

	guilty := r.nodes[validators-1]
	key, err := exec.Command(r.Node, "keys", "show", "vote", "--data-dir", guilty.dir).Output()
	if err != nil {
		return err
	}
	name := strings.TrimSpace(string(key))
	honest, err := r.record(name, func(v wire.Validator) bool { return v.Status == "active" })
	if err != nil {
		return err
	}
	guilty.end(syscall.SIGTERM)
	twin, err := guilty.copy(r.free.First + 2*validators)
	if err != nil {
		return err
	}
	r.nodes = append(r.nodes, twin)
	for _, n := range []*node{guilty, twin} {
		if err := n.start(); err != nil {
			return err
		}
	}
	jailed, err := r.record(name, func(v wire.Validator) bool { return v.Status == "jailed" })
	if err != nil {
		return fmt.Errorf("two processes with one key are not jailed: %w", err)
	}
	if jailed.Stake != honest.Stake || jailed.Jailings != 1 || !slices.Equal(jailed.SlashesBPS, []uint32{doubleSign}) {
		return fmt.Errorf("jailed with %+v, before it was %+v", jailed, honest)
	}
	r.say("two processes with one key signed: jailed")
	for _, n := range []*node{guilty, twin} {
		n.end(syscall.SIGKILL)
	}
	left := honest.Stake - honest.Stake*doubleSign/10_000
	slashed, err := r.record(name, func(v wire.Validator) bool { return len(v.SlashesBPS) == 0 && v.Rank == nil })
	if err != nil {
		return fmt.Errorf("the guilty one stays: %w", err)
	}
	if slashed.Stake != left {
		return fmt.Errorf("the guilty one has %d of %d left, want %d", slashed.Stake, honest.Stake, left)
	}
	after, err := r.epoch(func(e wire.Epoch) bool { return reshared(e, validators-1) && e.Number > before.Number })
	if err != nil {
		return fmt.Errorf("no shared key without the guilty one: %w", err)
	}
	r.say("epoch %d: three validators, a shared key of theirs; the fourth has %d of %d left", after.Number, left, honest.Stake)
	r.nodes = r.nodes[:validators-1]
	return r.advance(5, time.Minute)
}

// patience is how long a change of epochs may take.
const patience = 3 * time.Minute

// epoch waits for an epoch.
func (r *course) epoch(want func(wire.Epoch) bool) (wire.Epoch, error) {
	return poll(r, "/epoch", want)
}

// record waits for a state of a validator.
func (r *course) record(key string, want func(wire.Validator) bool) (wire.Validator, error) {
	return poll(r, "/validators/"+key, want)
}

// poll asks the first node until what it answers will do.
func poll[T any](r *course, path string, want func(T) bool) (answer T, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * lookEvery) {
		var now T // what an answer leaves out is not what the one before said
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err = r.nodes[0].client.Read(ctx, path, &now)
		cancel()
		if answer = now; err == nil && want(now) {
			return now, nil
		}
		if err := r.witness.err(); err != nil {
			return now, err
		}
	}
	return answer, fmt.Errorf("%s answers %+v, %v", path, answer, err)
}

// copy is a second node on a copy of the first one's disk, keys and journal included. Only its network identity and its two ports, the free ones, are its own.
func (n *node) copy(free int) (*node, error) {
	twin := &node{name: n.name + "'s twin", bin: n.bin, dir: n.dir + "-twin", client: n.client}
	twin.arguments = append(slices.Clone(n.arguments), "--p2p-port", fmt.Sprint(free), "--rpc-port", fmt.Sprint(free+1))
	twin.client = clientAt(free + 1)
	if err := os.CopyFS(twin.dir, os.DirFS(n.dir)); err != nil {
		return nil, err
	}
	keys := filepath.Join(twin.dir, "keys")
	files, err := os.ReadDir(keys)
	if err != nil {
		return nil, err
	}
	for _, f := range files { // a copy is readable by all
		err = errors.Join(err, os.Chmod(filepath.Join(keys, f.Name()), 0o600))
	}
	return twin, errors.Join(err, os.Chmod(keys, 0o700), os.Remove(filepath.Join(keys, "network.key")))
}

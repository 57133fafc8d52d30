package secrets

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/nats-io/nkeys"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// workerInfo is the domain of what goes between a worker elsewhere and its dispatcher.
const workerInfo = "cowboy-runner/worker-secrets/v1"

// Bounds of what goes over the queue.
const (
	maxGiven   = 224 << 10 // bytes of a job's names and values together
	maxKeyText = 64        // of an nkey
	maxWhy     = 512
)

// question is what a worker asks for: job(32) ‖ X25519 key of its own(32) ‖ Bytes nkey ‖ signature(64) by it. The server of the queue can read it and answer
// it wrongly, and learns nothing: what comes back is sealed to the key, and the key is signed.
type question struct {
	job       digest.Hash
	key       [32]byte
	worker    string
	signature [64]byte
}

func (q *question) signed() []byte {
	return append(append([]byte(workerInfo), q.job[:]...), q.key[:]...)
}

func (q *question) append(dst []byte) []byte {
	dst = codec.AppendBytes(append(append(dst, q.job[:]...), q.key[:]...), []byte(q.worker))
	return append(dst, q.signature[:]...)
}

func readQuestion(data []byte) (q question, err error) {
	r := codec.NewReader(data)
	r.Into(q.job[:])
	r.Into(q.key[:])
	q.worker = string(r.Bytes(maxKeyText))
	r.Into(q.signature[:])
	return q, r.Finish()
}

// Remote gets the secrets of jobs for a worker that joined a dispatcher elsewhere, which has the runner's key. It implements work.Secrets.
type Remote struct {
	Seed []byte // of the worker's nkey
	// Ask brings a question to the dispatcher, by the capability of its job.
	Ask func(ctx context.Context, spec *job.Spec, body []byte) ([]byte, error)
}

// Get implements work.Secrets.
//
// Spec: secrets-cbss §4 (runner use: in memory only).
func (r *Remote) Get(ctx context.Context, spec *job.Spec) (map[string][]byte, error) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.FromSeed(r.Seed)
	if err != nil {
		return nil, err
	}
	q := question{job: spec.ID, key: [32]byte(key.PublicKey().Bytes())}
	if q.worker, err = pair.PublicKey(); err != nil {
		return nil, err
	}
	signature, err := pair.Sign(q.signed())
	if err != nil {
		return nil, err
	}
	copy(q.signature[:], signature)
	answer, err := r.Ask(ctx, spec, q.append(nil))
	if err != nil {
		return nil, &work.Error{Kind: work.Transient, Err: errors.New("the dispatcher does not answer for secrets")}
	}
	a := codec.NewReader(answer)
	given, kind, body := a.Bool(), work.ErrorKind(a.Tag(uint8(work.Refused)+1)), a.Bytes(2*maxGiven)
	if a.Finish() != nil {
		return nil, &work.Error{Kind: work.Transient, Err: errors.New("the dispatcher's answer is none")}
	}
	if !given {
		return nil, &work.Error{Kind: kind, Err: errors.New(string(body[:min(len(body), maxWhy)]))}
	}
	plain, err := frame.Open(key, workerInfo, spec.ID, body)
	if err != nil {
		return nil, &work.Error{Kind: work.Transient, Err: errors.New("what the dispatcher gave does not open")}
	}
	defer clear(plain)
	return readValues(plain)
}

func readValues(plain []byte) (map[string][]byte, error) {
	r, values := codec.NewReader(plain), map[string][]byte{}
	for range r.Len(0, work.MaxSecrets, 2) {
		name := string(r.Bytes(128))
		values[name] = slices.Clone(r.Bytes(maxGiven))
	}
	return values, r.Finish()
}

// Giver answers workers elsewhere, at the dispatcher.
type Giver struct {
	Secrets work.Secrets
	// Open is the specification of a job that waits in the queue of a capability, or is at work there; nil for any other.
	Open func(id digest.Hash, capability string) *job.Spec
	// Joins reports whether a worker's nkey has a capability.
	Joins func(key, capability string) bool
}

// Answer gives a worker the secrets of a job it may be at work at: Bool given ‖ kind of failure(1) ‖ Bytes, which is sealed, or why not.
//
// Spec: secrets-cbss §4 (runner use), §10 (2).
func (g *Giver) Answer(ctx context.Context, capability string, body []byte) []byte {
	sealed, err := g.give(ctx, capability, body)
	if err != nil {
		why := err.Error()
		var own *work.Error
		if errors.As(err, &own) {
			why = own.Err.Error()
		}
		return codec.AppendBytes(codec.AppendU8(codec.AppendBool(nil, false), uint8(work.KindOf(err))), []byte(why[:min(len(why), maxWhy)]))
	}
	return codec.AppendBytes(codec.AppendU8(codec.AppendBool(nil, true), 0), sealed)
}

func refused(why string) error { return &work.Error{Kind: work.Refused, Err: errors.New(why)} }

func (g *Giver) give(ctx context.Context, capability string, body []byte) ([]byte, error) {
	q, err := readQuestion(body)
	if err != nil {
		return nil, refused("not a question for secrets")
	}
	public, err := nkeys.FromPublicKey(q.worker)
	if err != nil || public.Verify(q.signed(), q.signature[:]) != nil || !g.Joins(q.worker, capability) {
		return nil, refused("not signed by a worker of this capability")
	}
	spec := g.Open(q.job, capability)
	if spec == nil {
		return nil, refused("the job is not one for this worker now")
	}
	values, err := g.Secrets.Get(ctx, spec)
	if err != nil {
		return nil, err
	}
	names, size := make([]string, 0, len(values)), 0
	for name, v := range values { // order-free: sorted below
		defer clear(v)
		names = append(names, name)
		size += len(name) + len(v) + 8
	}
	if size > maxGiven {
		return nil, &work.Error{Kind: work.TooLarge, Err: errors.New("the job's secrets are too long for a worker elsewhere")}
	}
	slices.Sort(names)
	plain := codec.AppendLen(make([]byte, 0, size+8), len(names))
	for _, name := range names {
		plain = codec.AppendBytes(codec.AppendBytes(plain, []byte(name)), values[name])
	}
	defer clear(plain)
	return frame.Seal(q.key, workerInfo, q.job, plain)
}

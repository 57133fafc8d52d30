package secrets

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// given is what a dispatcher would get for a job.
type given map[string][]byte

func (g given) Get(context.Context, *job.Spec) (map[string][]byte, error) {
	if g == nil {
		return nil, &work.Error{Kind: work.Permanent, Err: context.Canceled}
	}
	copied := map[string][]byte{}
	for name, v := range g {
		copied[name] = bytes.Clone(v)
	}
	return copied, nil
}

func workerKey(t *testing.T) (seed []byte, public string) {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	if seed, err = pair.Seed(); err == nil {
		public, err = pair.PublicKey()
	}
	if err != nil {
		t.Fatal(err)
	}
	return seed, public
}

// TestRemote has a worker elsewhere get secrets over a queue whose server reads, repeats and changes what goes over it: it learns nothing, and a worker gets
// what is its own or nothing.
//
// Spec: secrets-cbss §4 (runner use), §10 (1, 2).
func TestRemote(t *testing.T) {
	seed, public := workerKey(t)
	otherSeed, other := workerKey(t)
	spec := theJob()
	long, one := bytes.Repeat([]byte("x"), maxGiven), given{"A": []byte("x")}
	for name, c := range map[string]struct {
		values   given
		seed     []byte
		job      digest.Hash
		question func([]byte) []byte
		answer   func([]byte) []byte
		err      string
		kind     work.ErrorKind
	}{
		"right":           {values: given{"API_KEY": []byte(value), "B": {}}},
		"another worker":  {values: given{}, seed: otherSeed, err: "not signed by a worker", kind: work.Refused},
		"another job":     {values: given{}, job: digest.Hash{9}, err: "not one for this worker", kind: work.Refused},
		"none can be had": {err: "context canceled", kind: work.Permanent},
		"too long":        {values: given{"A": long}, err: "too long", kind: work.TooLarge},
		"the server changes a key": {
			values: one, question: func(b []byte) []byte { b[40] ^= 1; return b }, err: "not signed", kind: work.Refused,
		},
		"the server cuts": {values: one, question: func(b []byte) []byte { return b[:50] }, err: "not a question", kind: work.Refused},
		"the server makes up": {
			values: one, answer: func([]byte) []byte { return []byte{1, 0, 1, 7} }, err: "does not open", kind: work.Transient,
		},
		"the server garbles": {
			values: one, answer: func(b []byte) []byte { b[20] ^= 1; return b }, err: "does not open", kind: work.Transient,
		},
		"the server says nothing": {values: one, answer: func([]byte) []byte { return nil }, err: "answer is none", kind: work.Transient},
	} {
		t.Run(name, func(t *testing.T) {
			var wire []byte
			g := &Giver{
				Secrets: c.values,
				Open: func(id digest.Hash, capability string) *job.Spec {
					if id != spec.ID || capability != "http" {
						return nil
					}
					return spec
				},
				Joins: func(key, capability string) bool { return key == public && key != other && capability == "http" },
			}
			by, asked := seed, *spec
			if c.seed != nil {
				by = c.seed
			}
			if c.job != (digest.Hash{}) {
				asked.ID = c.job
			}
			r := &Remote{Seed: by, Ask: func(ctx context.Context, _ *job.Spec, body []byte) ([]byte, error) {
				if c.question != nil {
					body = c.question(body)
				}
				wire = append(wire, body...)
				answer := g.Answer(ctx, "http", body)
				wire = append(wire, answer...)
				if c.answer != nil {
					answer = c.answer(answer)
				}
				return answer, nil
			}}
			got, err := r.Get(t.Context(), &asked)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || work.KindOf(err) != c.kind {
					t.Fatalf("%v of kind %v, want %q", err, work.KindOf(err), c.err)
				}
				return
			}
			if err != nil || len(got) != len(c.values) {
				t.Fatalf("%d values, %v", len(got), err)
			}
			for name, v := range c.values {
				if !bytes.Equal(got[name], v) {
					t.Errorf("%s is %q", name, got[name])
				}
			}
			if bytes.Contains(wire, []byte(value)) {
				t.Error("the value can be read on the queue")
			}
			if again := g.Answer(t.Context(), "llm", wire); again[0] != 0 {
				t.Error("what went over the queue is a question elsewhere")
			}
		})
	}
}

package protocol

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

func frameOf(kind byte, payload []byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(1+len(payload))), kind), payload...)
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := cbor.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// No frame that is cut off, changed in what it may hold, or longer than its kind is read; nothing is taken from memory for what is refused by its head.
//
// Spec: runner-marketplace §9.3; RFC 8949 §4.2.
func TestBadFrames(t *testing.T) {
	job := make([]byte, digest.Size)
	ack := func(more ...cbor.Pair) cbor.Map {
		return append(cbor.Map{{Key: "job_id", Value: job}, {Key: "status", Value: 0}}, more...)
	}
	long := make([]byte, MaxDetail+1)
	for i := range long {
		long[i] = 'x'
	}
	for name, raw := range map[string][]byte{
		"no type":            {0, 0, 0, 0, typeAck},
		"another type":       frameOf(0x03, encoded(t, cbor.Map{})),
		"nothing in it":      frameOf(typeAck, nil),
		"no map":             frameOf(typeAck, encoded(t, []any{})),
		"a field less":       frameOf(typeAck, encoded(t, cbor.Map{{Key: "job_id", Value: job}})),
		"a field more":       frameOf(typeAck, encoded(t, ack(cbor.Pair{Key: "more", Value: 1}))),
		"a number for bytes": frameOf(typeAck, encoded(t, cbor.Map{{Key: "job_id", Value: 1}, {Key: "status", Value: 0}})),
		"too few bytes":      frameOf(typeAck, encoded(t, cbor.Map{{Key: "job_id", Value: job[1:]}, {Key: "status", Value: 0}})),
		"a fourth status":    frameOf(typeAck, encoded(t, cbor.Map{{Key: "job_id", Value: job}, {Key: "status", Value: 3}})),
		"a negative status":  frameOf(typeAck, encoded(t, cbor.Map{{Key: "job_id", Value: job}, {Key: "status", Value: -1}})),
		"a float":            frameOf(typeAck, encoded(t, cbor.Map{{Key: "job_id", Value: job}, {Key: "status", Value: cbor.Float(0)}})),
		"an empty reason":    frameOf(typeAck, encoded(t, ack(cbor.Pair{Key: "reason", Value: ""}))),
		"a long reason":      frameOf(typeAck, encoded(t, ack(cbor.Pair{Key: "reason", Value: string(long)}))),
		"keys out of order":  frameOf(typeGoodbye, []byte{0xa2, 0x66, 'r', 'e', 'a', 's', 'o', 'n', 1, 0x61, 'a', 1}),
		"a key twice":        frameOf(typeGoodbye, []byte{0xa2, 0x66, 'r', 'e', 'a', 's', 'o', 'n', 1, 0x66, 'r', 'e', 'a', 's', 'o', 'n', 1}),
		"a long number":      frameOf(typeGoodbye, []byte{0xa1, 0x66, 'r', 'e', 'a', 's', 'o', 'n', 0x18, 1}),
		"something behind":   frameOf(typeGoodbye, append(encoded(t, cbor.Map{{Key: "reason", Value: 1}}), 0)),
		"more than a result": binary.BigEndian.AppendUint32(nil, 1+resultMost+1),
		"work of 101 of 100": frameOf(typeProgress, encoded(t, cbor.Map{{Key: "job_id", Value: job}, {Key: "fraction", Value: 101}})),
		"no work":            frameOf(typeResult, encoded(t, cbor.Map{{Key: "job_id", Value: job}, {Key: "transaction", Value: []byte{}}})),
	} {
		t.Run(name, func(t *testing.T) {
			room := budget.NewAccount(1 << 20)
			if len(raw) == 4 {
				raw = append(raw, typeResult)
			}
			if m, err := Read(bytes.NewReader(raw), room, anything); !errors.Is(err, ErrFrame) {
				t.Errorf("%+v %v", m, err)
			}
			if room.Used() != 0 {
				t.Errorf("%d bytes are not given back", room.Used())
			}
		})
	}
	list, _, _ := messages(t)
	for name, m := range list {
		t.Run("cut "+name, func(t *testing.T) {
			raw := Append(nil, m)
			for cut := range raw {
				if _, err := Read(bytes.NewReader(raw[:cut]), nil, anything); err == nil {
					t.Fatalf("cut at %d it is read", cut)
				}
			}
			if len(raw)-headSize > m.most() {
				t.Errorf("%d bytes, and at most %d are read", len(raw)-headSize, m.most())
			}
		})
	}
}

// A frame for which there is no memory is not read, nor one that is not expected; neither costs more than its head.
func TestFramesOutOfTurn(t *testing.T) {
	raw := Append(nil, &Result{Transaction: make([]byte, 1_000)})
	in := bytes.NewReader(raw)
	if _, err := Read(in, budget.NewAccount(100), anything); !errors.Is(err, ErrRoom) || in.Len() != len(raw)-headSize {
		t.Errorf("%v, %d bytes are left", err, in.Len())
	}
	in = bytes.NewReader(raw)
	if _, err := Read(in, nil, func(m Message) bool { _, ok := m.(*Hello); return ok }); !errors.Is(err, ErrFrame) || in.Len() != len(raw)-headSize {
		t.Errorf("%v, %d bytes are left", err, in.Len())
	}
}

// A signature holds for its party, its hash and nothing else.
//
// Spec: runner-marketplace §9.2, §9.3.
func TestParties(t *testing.T) {
	key, node := sides(t)
	runner, validator := RunnerParty(key.Compressed()), ValidatorParty([32]byte(node.Public().(ed25519.PublicKey)))
	hash, other := digest.SHA256([]byte("this")), digest.SHA256([]byte("that"))
	byRunner, byValidator := SignAsRunner(key, hash), SignAsValidator(node, hash)
	changed := byRunner
	changed[64] ^= 1
	unmarked := byValidator
	unmarked[64] = 0
	for name, c := range map[string]struct {
		party Party
		hash  digest.Hash
		s     PartySignature
		want  bool
	}{
		"a runner's":              {runner, hash, byRunner, true},
		"a validator's":           {validator, hash, byValidator, true},
		"of something else":       {runner, other, byRunner, false},
		"of something else, too":  {validator, other, byValidator, false},
		"of the other":            {runner, hash, byValidator, false},
		"of the other, too":       {validator, hash, byRunner, false},
		"with another v":          {runner, hash, changed, false},
		"without the mark":        {validator, hash, unmarked, false},
		"of a key that is no key": {Party{4}, hash, byRunner, false},
		"nothing":                 {runner, hash, PartySignature{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.party.Verify(c.hash, c.s); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	if addr, err := runner.Address(); err != nil || addr != key.Address() {
		t.Errorf("%v %v", addr, err)
	}
	if _, err := validator.Address(); !errors.Is(err, ErrParty) {
		t.Errorf("a validator is a runner: %v", err)
	}
}

// What a challenge is bound to: whatever of it changes, it is another one.
//
// Spec: runner-marketplace §9.2 (channel binding).
func TestChallenges(t *testing.T) {
	a, b := &Hello{Version: Version, Role: Runner}, &Hello{Version: Version, Role: Validator}
	fresh, role := *a, *a
	fresh.Nonce[0], role.Role = 1, Validator
	seen := map[digest.Hash]string{}
	for name, hash := range map[string]digest.Hash{
		"it":              Bond{Chain: 1}.Challenge(a, b),
		"another chain":   Bond{Chain: 2}.Challenge(a, b),
		"another channel": Bond{Chain: 1, Channel: [32]byte{1}}.Challenge(a, b),
		"the other side":  Bond{Chain: 1}.Challenge(b, a),
		"another nonce":   Bond{Chain: 1}.Challenge(&fresh, b),
		"its nonce":       Bond{Chain: 1}.Challenge(a, &fresh),
		"another role":    Bond{Chain: 1}.Challenge(&role, b),
	} {
		t.Run(name, func(t *testing.T) {
			if with, ok := seen[hash]; ok {
				t.Errorf("it is the challenge of %s, too", with)
			}
			seen[hash] = name
		})
	}
}

// The times between attempts, from the document: 100 ms × 2^n, at most 30 s, a quarter more or less.
//
// Spec: runner-marketplace §9.4.
func TestBackoff(t *testing.T) {
	for _, c := range []struct {
		failures, draw int
		want           time.Duration
	}{
		{0, 500, 100 * time.Millisecond}, {1, 500, 200 * time.Millisecond}, {8, 500, 25_600 * time.Millisecond}, {9, 500, 30 * time.Second},
		{1_000_000, 500, 30 * time.Second}, {0, 0, 75 * time.Millisecond}, {0, 999, 124_950 * time.Microsecond}, {9, 0, 22_500 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%d failures, draw %d", c.failures, c.draw), func(t *testing.T) {
			if got := Backoff(c.failures, c.draw); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// An invitation is its validator's and its node's, on one chain, for one endpoint.
func TestInvitations(t *testing.T) {
	validators, _, err := genesis.DevValidators(2)
	if err != nil {
		t.Fatal(err)
	}
	_, node := sides(t)
	invite := func(vote int, endpoint string) *Invitation {
		v := &Invitation{Validator: validators[vote].Vote.PublicKey().Bytes(), Endpoint: endpoint, Number: 9}
		v.Sign(chain, node)
		if v.Introduction, err = validators[vote].Vote.Attest(roster.IntroductionPreimage(sig.NewNamespace(chain), v.Identity())); err != nil {
			t.Fatal(err)
		}
		return v
	}
	good := invite(0, "127.0.0.1:4301")
	if got, err := DecodeInvitation(good.Append(nil)); err != nil || !reflect.DeepEqual(got, good) {
		t.Errorf("%+v %v", got, err)
	}
	changed := func(change func(v *Invitation)) *Invitation {
		v := *good
		change(&v)
		return &v
	}
	for name, c := range map[string]struct {
		one   *Invitation
		chain uint64
		want  bool
	}{
		"it":                {good, chain, true},
		"by name":           {invite(1, "validator.example:1"), chain, true},
		"of another chain":  {good, chain + 1, false},
		"another endpoint":  {changed(func(v *Invitation) { v.Endpoint = "127.0.0.1:4302" }), chain, false},
		"another number":    {changed(func(v *Invitation) { v.Number++ }), chain, false},
		"another validator": {changed(func(v *Invitation) { v.Validator = validators[1].Vote.PublicKey().Bytes() }), chain, false},
		"another node":      {changed(func(v *Invitation) { v.Peer[0] ^= 1 }), chain, false},
		"not introduced":    {changed(func(v *Invitation) { v.Introduction = sig.BLSSignature{} }), chain, false},
		"no port":           {invite(0, "127.0.0.1"), chain, false},
		"port 0":            {invite(0, "127.0.0.1:0"), chain, false},
		"no host":           {invite(0, ":4301"), chain, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.one.Check(c.chain); (err == nil) != c.want {
				t.Error(err)
			}
		})
	}
}

// Whatever is read as a frame is the one encoding of what it says.
//
// Spec: runner-marketplace §9.3; RFC 8949 §4.2.
func FuzzFrame(f *testing.F) {
	list := []Message{
		&Hello{Version: Version}, &HelloAck{}, &Ping{Nonce: 1}, &Pong{}, &Backpressure{Reason: "x"}, &CapabilityDelta{Added: []string{"llm"}},
		&Assignment{Spec: []byte{1}}, &Ack{Reason: "x"}, &Progress{Detail: "x"}, &Result{Transaction: []byte{1}}, &Cancel{}, &Goodbye{},
	}
	for _, m := range list {
		f.Add(Append(nil, m))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		in := bytes.NewReader(raw)
		m, err := Read(in, nil, anything)
		if err != nil {
			return
		}
		if read := raw[:len(raw)-in.Len()]; !bytes.Equal(Append(nil, m), read) {
			t.Errorf("%x is read as %+v, which is %x", read, m, Append(nil, m))
		}
	})
}

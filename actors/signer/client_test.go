package signer

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const chainID = 7

var namespace = sig.NewNamespace(chainID)

func private(t *testing.T, last byte) *bls.PrivateKey {
	t.Helper()
	key, err := bls.ParsePrivateKey(append(make([]byte, 31), last))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sides are the TLS configurations of a signer and its node.
func sides(t *testing.T) (of, node *tls.Config) {
	t.Helper()
	now := time.Now()
	theirs, theirKey, err := NewCertificate(ServerName, now)
	if err != nil {
		t.Fatal(err)
	}
	ours, ourKey, err := NewCertificate(NodeName, now)
	if err != nil {
		t.Fatal(err)
	}
	if of, err = TLS(theirs, theirKey, ours); err != nil {
		t.Fatal(err)
	}
	if node, err = TLS(ours, ourKey, theirs); err != nil {
		t.Fatal(err)
	}
	return of, node
}

// running is a signer in its tree.
type running struct {
	t    *testing.T
	disk *disk.Memory
	tls  *tls.Config
	at   string
	tree *supervision.Tree
}

// run starts a signer of private(1) at a free port, or again at the one it had.
func (r *running) run() {
	r.t.Helper()
	if r.at == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			r.t.Fatal(err)
		}
		r.at = l.Addr().String()
		if err := l.Close(); err != nil {
			r.t.Fatal(err)
		}
	}
	inbox := supervision.NewInbox("votes", 64)
	key := private(r.t, 1)
	tree, err := supervision.New(supervision.Spec{
		Name: "signer", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 3, Within: time.Minute},
		Children: []supervision.Spec{{Name: "votes", Inbox: inbox, New: func() actor.Actor {
			return &Subsystem{Inbox: inbox, Address: r.at, TLS: r.tls, Disk: r.disk, Key: key, ChainID: chainID, Genesis: chain}
		}}},
	}, supervision.Config{})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := tree.Start(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	r.tree = tree
}

func (r *running) stop() {
	r.t.Helper()
	if err := r.tree.Stop(context.Background()); err != nil {
		r.t.Fatal(err)
	}
}

func newRunning(t *testing.T) (*running, *tls.Config) {
	t.Helper()
	of, node := sides(t)
	r := &running{t: t, disk: disk.NewMemory(), tls: of}
	if err := MakeJournal(r.disk, private(t, 1).PublicKey().Bytes(), chain, sig.Round{}); err != nil {
		t.Fatal(err)
	}
	r.run()
	t.Cleanup(func() { r.stop() })
	return r, node
}

func dialled(t *testing.T, at string, config *tls.Config) *Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := Dial(ctx, at, config, private(t, 1).PublicKey().Bytes(), chain)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// What comes from the signer is what the same keys in memory give, signature by signature. Signing is deterministic.
//
// Spec: commonware §3.6, §3.7.
func TestSignsLikeKeysInMemory(t *testing.T) {
	r, config := newRunning(t)
	client := dialled(t, r.at, config)
	share := bls.Share{Index: 2, Key: private(t, 9)}
	anchor := digest.SHA256([]byte("anchor"))
	memory := &quorum.Signer{Namespace: namespace, Key: private(t, 1), Share: share, Anchor: anchor}
	remote := client.Signer(namespace, share, anchor)

	votes := []*simplex.Vote{
		{Kind: sig.Notarization, Subject: subjectAt(0, 5, "b"), Signer: 2, Half: &simplex.Half{Parent: subjectAt(0, 4, "a")}},
		{Kind: sig.Notarization, Subject: subjectAt(0, 6, "c"), Signer: 2},
		{Kind: sig.Finalization, Subject: subjectAt(0, 5, "b"), Signer: 2},
	}
	for i, v := range votes {
		got, err := remote.SignVote(v)
		if err != nil {
			t.Fatal(err)
		}
		want := memory.SignVote(v)
		if got.Signature != want.Signature || got.Partial != want.Partial || (got.Half == nil) != (want.Half == nil) ||
			got.Half != nil && *got.Half != *want.Half {
			t.Errorf("vote %d differs", i)
		}
	}
	for _, highest := range []*sig.Certificate{nil, {Kind: sig.Notarization, Subject: subjectAt(0, 6, "c")}} {
		m := &simplex.NewView{Round: sig.Round{View: 8}, Signer: 2, Highest: highest}
		got, err := remote.SignNewView(m)
		if want := memory.SignNewView(m); err != nil || *got != *want {
			t.Errorf("NEW_VIEW differs: %v", err)
		}
	}
	a := &simplex.Accusation{Subject: subjectAt(0, 6, "c"), Accused: 1, Flaw: simplex.FlawedBlock}
	if got, err := remote.SignAccusation(a); err != nil || got.Signature != memory.SignAccusation(a).Signature {
		t.Errorf("an accusation differs: %v", err)
	}
	proof, err := remote.ProveVRF(chain[:], 12)
	if err != nil || proof != memory.Key.Sign(namespace.VRF(chain[:], 12)) {
		t.Errorf("a header proof differs: %v", err)
	}
	self := link.Peer{4}
	if s, err := remote.Introduce(self); err != nil || s != memory.Key.Sign(roster.IntroductionPreimage(namespace, self)) {
		t.Errorf("an introduction differs: %v", err)
	}
	secret, err := shares.Secret(chain, memory.Key)
	if err != nil || string(client.Sealing()) != string(secret) {
		t.Errorf("what shares are sealed with differs: %v", err)
	}
	var refused *Error
	if _, err := client.Attest(namespace.Notarize(subjectAt(0, 6, "d"))); !errors.As(err, &refused) || refused.Failure != Refused {
		t.Errorf("a vote is signed as a word: %v", err)
	}
}

// Two nodes with one signer ask for both of two blocks of each view, while the signer ends and starts again. Neither gets what
// excludes what the other has.
func TestTwoNodesOneSigner(t *testing.T) {
	r, config := newRunning(t)
	share := bls.Share{Key: private(t, 9)}
	signers := [2]interface {
		SignVote(*simplex.Vote) (*simplex.Vote, error)
	}{dialled(t, r.at, config).Signer(namespace, share, chain), dialled(t, r.at, config).Signer(namespace, share, chain)}
	for view := range uint64(12) {
		first, second := signers[view%2], signers[(view+1)%2]
		x, y := subjectAt(0, view, "x"), subjectAt(0, view, "y")
		if _, err := first.SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: x}); err != nil {
			t.Fatalf("view %d: %v", view, err)
		}
		if view%4 == 3 {
			r.stop()
			r.run()
		}
		var failure *Error
		if _, err := second.SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: y}); !errors.As(err, &failure) || failure.Failure != Refused ||
			!errors.Is(err, sig.ErrUnsigned) {
			t.Fatalf("view %d: the second block: %v", view, err)
		}
		if _, err := second.SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: x}); err != nil {
			t.Fatalf("view %d: the same block again: %v", view, err)
		}
	}
}

// liar is a signer that greets well and then does with each question what it is told.
func liar(t *testing.T, config *tls.Config, answer func(c net.Conn, id []byte, key *bls.PrivateKey)) string {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	key := private(t, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for greeted := false; ; greeted = true {
					body, err := readMessage(c)
					if err != nil {
						return
					}
					if greeted {
						answer(c, body[:8], key)
						continue
					}
					public := key.PublicKey().Bytes()
					_ = writeMessage(c, append(append(append(body[:8:8], 0), public[:]...), make([]byte, 96)...))
				}
			}()
		}
	}()
	return l.Addr().String()
}

// A signer that answers late, twice, not at all, with something else or wrongly costs the vote and nothing more: the failure has its name, and nobody
// waits long.
func TestSignersThatFail(t *testing.T) {
	vote := func(c *Client, view uint64) *Error {
		remote := c.Signer(namespace, bls.Share{Key: private(t, 9)}, chain)
		_, err := remote.SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: subjectAt(0, view, "x")})
		var failure *Error
		if err != nil && (!errors.As(err, &failure) || !errors.Is(err, sig.ErrUnsigned)) {
			t.Errorf("an error of another kind: %v", err)
		}
		return failure
	}
	good := func(id []byte, key *bls.PrivateKey, view uint64) []byte {
		s := key.Sign(namespace.Notarize(subjectAt(0, view, "x")))
		return append(append(id[:8:8], 0), s[:]...)
	}
	for _, c := range []struct {
		name   string
		answer func(conn net.Conn, id []byte, key *bls.PrivateKey)
		votes  []Failure // of consecutive votes; Failures for a good one
	}{
		{"not", func(net.Conn, []byte, *bls.PrivateKey) {}, []Failure{Late, Late}},
		{"cut", func(conn net.Conn, _ []byte, _ *bls.PrivateKey) { _ = conn.Close() }, []Failure{Away}},
		{"wrong", func(conn net.Conn, id []byte, key *bls.PrivateKey) { _ = writeMessage(conn, good(id, key, 99)) }, []Failure{Wrong}},
		{"short", func(conn net.Conn, id []byte, _ *bls.PrivateKey) {
			_ = writeMessage(conn, append(id[:8:8], 0, 1, 2))
		}, []Failure{Confused}},
		{"long", func(conn net.Conn, id []byte, key *bls.PrivateKey) {
			_ = writeMessage(conn, append(good(id, key, 1), 0))
		}, []Failure{Confused}},
		{"huge", func(conn net.Conn, _ []byte, _ *bls.PrivateKey) { _, _ = conn.Write([]byte{0xff, 0xff, 0xff, 0xff}) }, []Failure{Confused}},
		{"refused", func(conn net.Conn, id []byte, _ *bls.PrivateKey) {
			_ = writeMessage(conn, append(id[:8:8], 1, 2, 'n', 'o'))
		}, []Failure{Refused, Refused}},
		{"twice", func(conn net.Conn, id []byte, key *bls.PrivateKey) {
			_ = errors.Join(writeMessage(conn, good(id, key, 1)), writeMessage(conn, good(id, key, 1)))
		}, []Failure{Failures, Confused}},
		{"of another question", func(conn net.Conn, id []byte, key *bls.PrivateKey) {
			other := binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(id)+1)
			_ = writeMessage(conn, good(other, key, 1))
		}, []Failure{Confused}},
	} {
		t.Run(c.name, func(t *testing.T) {
			of, node := sides(t)
			client := dialled(t, liar(t, of, c.answer), node)
			var told atomic.Int32
			client.Observe = func(*Error) { told.Add(1) }
			for i, want := range c.votes {
				failure := vote(client, 1)
				if (want == Failures) != (failure == nil) || failure != nil && failure.Failure != want {
					t.Fatalf("vote %d: %v", i, failure)
				}
			}
			last := c.votes[len(c.votes)-1]
			status := client.Status()
			if last != Failures && (status.Failing == nil || status.Since.IsZero() || told.Load() != 1) {
				t.Errorf("status %+v, told %d times", status, told.Load())
			}
			if status.Failed[last] == 0 {
				t.Errorf("%v is not counted", last)
			}
		})
	}
}

// Strangers get no further than the handshake, and a signer of another key or chain is not taken for this validator's.
func TestStrangers(t *testing.T) {
	r, config := newRunning(t)
	_, stranger := sides(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	key := private(t, 1).PublicKey().Bytes()
	var failure *Error
	if _, err := Dial(ended, r.at, stranger, key, chain); !errors.As(err, &failure) || failure.Failure != Away {
		t.Errorf("another certificate: %v", err)
	}
	if _, err := Dial(ended, r.at, config, key, digest.Hash{1}); !errors.As(err, &failure) || failure.Failure != Refused {
		t.Errorf("another chain: %v", err)
	}
	if _, err := Dial(ended, r.at, config, private(t, 2).PublicKey().Bytes(), chain); !errors.As(err, &failure) || failure.Failure != Wrong {
		t.Errorf("another key: %v", err)
	}
	plain, err := net.Dial("tcp", r.at)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if err := writeMessage(plain, make([]byte, 40)); err != nil {
		t.Fatal(err)
	}
	if _, err := readMessage(plain); err == nil {
		t.Error("a question without TLS is answered")
	}
	if dialled(t, r.at, config).PublicKey().Bytes() != key {
		t.Error("the signer does not serve its node any more")
	}
}

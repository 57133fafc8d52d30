package proxy

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// admitting is a node that says what it is told to say.
type admitting struct {
	say  Admission
	seal SealAdmission
	err  error
}

func (a *admitting) Look(context.Context, []secret.Scope) (View, error) { return View{}, nil }

func (a *admitting) Admit(context.Context, []byte) (Admission, error) { return a.say, a.err }

func (a *admitting) AdmitSeal(context.Context, uint64) (SealAdmission, error) { return a.seal, a.err }

func (a *admitting) Recorded(context.Context, digest.Hash) (bool, error) { return false, nil }

func (a *admitting) Send(context.Context, tx.Instruction) error { return nil }

// gate is a door with one share, and a runner before it.
type gate struct {
	t      testing.TB
	door   *Door
	node   *admitting
	files  disk.Disk
	runner *ecdh.PrivateKey
	share  *cbss.Scalar
	to     *cbss.Identity
	of     secret.Scope
	nonce  byte
}

func newGate(t testing.TB) *gate {
	t.Helper()
	g := &gate{t: t, files: disk.NewMemory(), share: derived([32]byte{1}, 1, 1), of: secret.AccountScope(owner)}
	operator := testKey("operator", 0).Address()
	self, err := Make(g.files, []byte("a passphrase of the test"), testChain, func(k sig.CompressedKey) digest.Hash { return secret.ProxyID(operator, k) })
	if err != nil {
		t.Fatal(err)
	}
	if g.runner, err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
		t.Fatal(err)
	}
	g.to = &cbss.Identity{ChainID: testChain, Secret: cbss.SecretID{Account: owner}, Version: 1, Epoch: 1, Master: g.share.Public()}
	g.node = &admitting{say: Admission{
		Height: 100, Scope: g.of, Data: g.to.Bytes(), Generation: secret.Generation{Epoch: 1, Committee: []digest.Hash{self.ID}},
	}}
	g.open(self)
	return g
}

// open opens the door, as after a restart.
func (g *gate) open(self *Identity) {
	g.t.Helper()
	var err error
	if g.door, err = NewDoor(&Door{Self: self, Node: g.node, Clock: supervision.NewVirtualClock(time.Unix(0, 0))}, NewHandle(), g.files); err != nil {
		g.t.Fatal(err)
	}
	g.door.publish(map[secret.Scope][]*Share{g.of: {{Epoch: 1, Place: 1, Secret: g.share}}}, nil)
}

func (g *gate) request() (*cbss.Request, []byte) {
	g.nonce++
	q := &cbss.Request{
		ChainID: testChain, Secret: g.to.Secret, Version: 1, Actor: account.Address{7}, Runner: testKey("runner", 0).Address(), Nonce: digest.Hash{g.nonce},
		Block: 90, Epoch: 1, RunnerKey: [32]byte(g.runner.PublicKey().Bytes()), Proxy: g.door.Self.ID,
	}
	return q, q.Signed(testKey("runner", 0))
}

func (g *gate) ask(raw []byte) (byte, []byte) {
	return g.door.Answer(context.Background(), exchange.Origin{}, frame.PartialSign, raw)
}

func (g *gate) read(q *cbss.Request, sealed []byte) *cbss.Answer {
	g.t.Helper()
	plain, err := frame.Open(g.runner, frame.AnswerInfo, q.Hash(), sealed)
	if err != nil {
		g.t.Fatal(err)
	}
	r := codec.NewReader(plain)
	a, signature := cbss.ReadAnswer(r)
	if by, err := sig.Default().Recover(a.Hash(), signature); err != nil || r.Finish() != nil || by != g.door.Self.Key.Address() {
		g.t.Fatal("the answer is not the proxy's")
	}
	return a
}

// TestServing: a partial is sealed to the key in the request; whoever sees the answer without that key learns nothing of it.
//
// Spec: secrets-cbss §5, §10 (1, 2).
func TestServing(t *testing.T) {
	g := newGate(t)
	q, raw := g.request()
	status, sealed := g.ask(raw)
	if status != frame.Done {
		t.Fatalf("status %d: %s", status, sealed)
	}
	a := g.read(q, sealed)
	if a.Partial != cbss.Sign(g.share, g.to) || a.Request != q.Hash() || a.Epoch != 1 || a.Served != q.Block {
		t.Errorf("%+v", a)
	}
	if bytes.Contains(sealed, a.Partial[:8]) {
		t.Error("the partial is in the clear")
	}
	other, _ := ecdh.X25519().GenerateKey(rand.Reader)
	if _, err := frame.Open(other, frame.AnswerInfo, q.Hash(), sealed); err == nil {
		t.Error("another key opens the answer")
	}
	if _, err := frame.Open(g.runner, frame.AnswerInfo, digest.Hash{}, sealed); err == nil {
		t.Error("it opens as the answer to another request")
	}
}

// TestRefusals are requests the door does not serve, each with the digest's error.
//
// Spec: secrets-cbss §5 (proxy admission), §9.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(g *gate)
		status byte
		says   string
	}{
		"the chain refuses": {func(g *gate) { g.node.say.Refused = secret.ErrAccess.Error() }, frame.Refused, "SecretAccessDenied"},
		"no node":           {func(g *gate) { g.node.err = errUnknown }, frame.Later, "node"},
		"pending":           {func(g *gate) { g.node.say.Pending = true }, frame.Refused, "SecretPending"},
		"no share":          {func(g *gate) { g.door.publish(nil, nil) }, frame.Refused, "SecretCommitteeUnavailable"},
		"another epoch":     {func(g *gate) { g.node.say.Epoch = 2 }, frame.Refused, "SecretCommitteeUnavailable"},
		"another's request": {func(g *gate) { g.door.Self = &Identity{ID: digest.Hash{1}} }, frame.Refused, "not a signed request"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			_, raw := g.request()
			c.change(g)
			if status, answer := g.ask(raw); status != c.status || !strings.Contains(string(answer), c.says) {
				t.Errorf("status %d: %s; want %d: %s", status, answer, c.status, c.says)
			}
		})
	}
	g := newGate(t)
	if status, _ := g.ask([]byte("hello")); status != frame.Refused {
		t.Errorf("no request: status %d", status)
	}
	g.node.err = errUnknown // it is not asked
	q, _ := g.request()
	if status, answer := g.ask(q.Signed(testKey("another", 0))); status != frame.Refused || string(answer) != secret.ErrRunnerSig.Error() {
		t.Errorf("another's signature: status %d: %s", status, answer)
	}
}

// TestWhoMakesKeys: what proxies say to each other is taken from connections that show the key of one that the chain has, and from nobody else.
func TestWhoMakesKeys(t *testing.T) {
	g := newGate(t)
	g.door.introduce(map[digest.Hash]*Peer{{1}: {TLS: digest.Hash{2}}})
	ended, end := context.WithCancel(t.Context())
	end() // nobody answers behind the door
	for name, c := range map[string]struct {
		from   exchange.Origin
		status byte
	}{
		"a proxy": {exchange.Origin{Key: digest.Hash{2}}, frame.Later}, "another key": {exchange.Origin{Key: digest.Hash{3}}, frame.Refused},
		"no key": {exchange.Origin{}, frame.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range []byte{frame.DkgRound, frame.ReshareRound} {
				if status, answer := g.door.Answer(ended, c.from, kind, make([]byte, 33)); status != c.status {
					t.Errorf("kind %d: status %d: %s", kind, status, answer)
				}
			}
		})
	}
}

// TestReplay: a request is served once, also behind a restart. One that lost its journal gives the very same answer, so that nobody can show two.
//
// Spec: secrets-cbss §5 (replays; Equivocation), §10 (2).
func TestReplay(t *testing.T) {
	g := newGate(t)
	q, raw := g.request()
	_, sealed := g.ask(raw)
	first := g.read(q, sealed)
	if status, answer := g.ask(raw); status != frame.Refused || string(answer) != refusedReplay {
		t.Errorf("again: status %d: %s", status, answer)
	}
	if err := g.door.Close(); err != nil {
		t.Fatal(err)
	}
	g.open(g.door.Self)
	if status, answer := g.ask(raw); status != frame.Refused || string(answer) != refusedReplay {
		t.Errorf("behind a restart: status %d: %s", status, answer)
	}
	if err := errors.Join(g.door.Close(), g.files.Remove(served.File)); err != nil {
		t.Fatal(err)
	}
	g.node.say.Height++
	g.open(g.door.Self)
	_, sealed = g.ask(raw)
	if again := g.read(q, sealed); *again != *first {
		t.Errorf("two answers to one request:\n%+v\n%+v", first, again)
	}
}

// TestReleasesAreServedOnce has a runner sign a release anew, for another block, another key of its own and another epoch: the request's hash is another one,
// and the release is served already.
//
// Spec: secrets-cbss §10 (4).
func TestReleasesAreServedOnce(t *testing.T) {
	g := newGate(t)
	q, raw := g.request()
	if status, answer := g.ask(raw); status != frame.Done {
		t.Fatalf("status %d: %s", status, answer)
	}
	for name, change := range map[string]func(q *cbss.Request){
		"another block": func(q *cbss.Request) { q.Block++ },
		"another key":   func(q *cbss.Request) { q.RunnerKey[0]++ },
		"another epoch": func(q *cbss.Request) { q.Epoch++ },
	} {
		t.Run(name, func(t *testing.T) {
			again := *q
			change(&again)
			if again.Hash() == q.Hash() {
				t.Fatal("it is the same request")
			}
			if status, answer := g.ask(again.Signed(testKey("runner", 0))); status != frame.Refused || string(answer) != refusedReplay {
				t.Errorf("status %d: %s", status, answer)
			}
		})
	}
	other := *q
	other.Nonce[1]++
	if status, answer := g.ask(other.Signed(testKey("runner", 0))); status != frame.Done {
		t.Errorf("another release: status %d: %s", status, answer)
	}
}

// TestTornJournal: what was cut off in the middle of a record is gone, what stands before it is not.
func TestTornJournal(t *testing.T) {
	g := newGate(t)
	_, first := g.request()
	_, second := g.request()
	g.ask(first)
	g.ask(second)
	if err := g.door.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := g.files.Open(served.File)
	if err != nil {
		t.Fatal(err)
	}
	size, _ := f.Size()
	if err := errors.Join(f.Truncate(size-1), f.Close()); err != nil {
		t.Fatal(err)
	}
	g.open(g.door.Self)
	if n := len(g.door.replays.all()); n != 1 {
		t.Errorf("%d requests are known, want 1", n)
	}
	if status, _ := g.ask(first); status != frame.Refused {
		t.Error("the first request is served again")
	}
}

// TestDamagedJournal: a bad record with a good one behind it is damage, never a shorter journal, since a forgotten request would be served again.
func TestDamagedJournal(t *testing.T) {
	g := newGate(t)
	_, first := g.request()
	_, second := g.request()
	g.ask(first)
	g.ask(second)
	if err := g.door.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := g.files.Open(served.File)
	if err != nil {
		t.Fatal(err)
	}
	size, _ := f.Size()
	flip := make([]byte, 1)
	at := size / 2 // in the first record: the title is short
	_, err = f.ReadAt(flip, at)
	flip[0] ^= 1
	_, failed := f.WriteAt(flip, at)
	if err := errors.Join(err, failed, f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := openReplays(g.files); !errors.Is(err, ErrServed) {
		t.Errorf("opened: %v", err)
	}
}

// TestRateOfActor: an actor has 1,000 releases in an hour, of all its jobs together, whosever secrets and volumes they are for.
//
// Spec: secrets-cbss §5 (1,000 per hour per actor), §4 (RateLimited), §11.
func TestRateOfActor(t *testing.T) {
	g := newGate(t)
	q, _ := g.request()
	for range releasesPerHour {
		if _, err := g.door.recall(q, nil, &Admission{Pending: true}); err != nil {
			t.Fatal(err)
		}
	}
	_, raw := g.request()
	if status, answer := g.ask(raw); status != frame.Limited {
		t.Errorf("status %d: %s", status, answer)
	}
	lent, _ := g.request()
	lent.Secret.Account, lent.Recipient, lent.Job = account.Address{9}, uint8(secret.OfVolume), digest.Hash{1}
	if status, answer := g.ask(lent.Signed(testKey("runner", 0))); status != frame.Limited {
		t.Errorf("a volume that it was granted: status %d: %s", status, answer)
	}
	q.Actor = account.Address{8}
	if _, err := g.door.recall(q, nil, &Admission{Pending: true}); err != nil {
		t.Errorf("another actor: %v", err)
	}
}

// TestVault: what is kept comes back; a wrong passphrase, another chain and each damaged byte are found; no secret is in the file as it is.
//
// Spec: secrets-cbss §3 (cbss/share-storage/v1).
func TestVault(t *testing.T) {
	g := newGate(t)
	v, self, err := OpenVault(g.files, []byte("a passphrase of the test"), testChain)
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.load()
	if err != nil {
		t.Fatal(err)
	}
	d.shares[g.of] = []*Share{{Epoch: 3, Place: 2, Secret: g.share}}
	if err := v.save(d); err != nil {
		t.Fatal(err)
	}
	if d, err = v.load(); err != nil || d.held(g.of, 3) == nil || d.held(g.of, 3).Secret.Public() != g.share.Public() || d.self.ID != self.ID {
		t.Fatalf("the share is not kept: %v", err)
	}
	raw, err := v.read()
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range [][]byte{g.share.Bytes(), self.Key.Bytes(), self.HPKE.Bytes(), self.TLS.Seed()} {
		if bytes.Contains(raw, hidden[:8]) {
			t.Error("a secret is in the file")
		}
	}
	for name, open := range map[string]func() error{
		"passphrase": func() error { _, _, err := OpenVault(g.files, []byte("another passphrase"), testChain); return err },
		"chain": func() error {
			_, _, err := OpenVault(g.files, []byte("a passphrase of the test"), testChain+1)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := open(); !errors.Is(err, ErrPassphrase) {
				t.Errorf("%v", err)
			}
		})
	}
	for at := 0; at < len(raw); at += 97 {
		damaged := bytes.Clone(raw)
		damaged[at] ^= 1
		f, err := g.files.Create(vaultFile)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt(damaged, 0)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if at < len(vaultTitle)+saltSize { // the key comes of it
			_, _, err = OpenVault(g.files, []byte("a passphrase of the test"), testChain)
		} else {
			_, err = v.load()
		}
		if !errors.Is(err, ErrPassphrase) {
			t.Fatalf("byte %d is damaged: %v", at, err)
		}
	}
}

// TestColluders: t−1 proxies with their shares and everything that is on the chain, receipts of all five proxies among them, open nothing; t do.
//
// Spec: secrets-cbss §10 (1, 6).
func TestColluders(t *testing.T) {
	w := newWorld(t, 5, 11)
	of := secret.AccountScope(owner)
	w.must(w.service.RequestKey(owner, owner))
	if !w.until(of, 1, 30) {
		t.Fatal("no key is made")
	}
	k := w.key(of)
	e, to, data := w.sealed(k)
	var whole, blinded []cbss.Partial
	for _, p := range w.parties {
		share := p.held(of, 1)
		q := cbss.Request{ChainID: testChain, Block: 1, Epoch: 1, Proxy: p.self.ID}
		sent, err := p.receipt(&owed{raw: q.Signed(testKey("runner", 0)), scope: of, data: to.Bytes(), served: 1}, &q)
		w.must(err)
		in := sent.(*tx.SubmitReleaseReceipt)
		b := in.Proof().Blinded
		w.must(b.Check(to, k.Commitments, share.Place, q.Hash()))
		whole = append(whole, cbss.Partial{Place: share.Place, Point: cbss.Sign(share.Secret, to)})
		blinded = append(blinded, cbss.Partial{Place: share.Place, Point: in.Sigma})
	}
	opens := func(list []cbss.Partial) bool {
		sigma, err := cbss.Combine(list)
		if err != nil {
			return false
		}
		got, err := e.Open(sigma)
		return err == nil && got == data
	}
	if !opens(whole[:4]) {
		t.Fatal("four do not open it")
	}
	for missing := range blinded {
		for helped := range blinded {
			t.Run(fmt.Sprint(missing, helped), func(t *testing.T) {
				var list []cbss.Partial // three clear ones, and the receipt of another, or receipts alone
				for i := range whole {
					if i != missing && i != helped && len(list) < 3 {
						list = append(list, whole[i])
					}
				}
				if opens(list) {
					t.Error("three open it")
				}
				if opens(append(list, blinded[missing])) || opens(append(list, blinded[helped])) {
					t.Error("three and a receipt open it")
				}
			})
		}
	}
	if opens(blinded) || opens(blinded[:4]) {
		t.Error("receipts open it")
	}
}

// BenchmarkServe is one partial at one proxy, with its record on the disk and without its node.
func BenchmarkServe(b *testing.B) {
	g := newGate(b)
	var all [][]byte
	for n := range b.N {
		q, _ := g.request()
		q.Nonce = digest.SHA256(fmt.Append(nil, n))
		q.Actor = account.Address(q.Nonce[:20])
		all = append(all, q.Signed(testKey("runner", 0)))
	}
	b.ResetTimer()
	for _, raw := range all {
		if status, answer := g.ask(raw); status != frame.Done {
			b.Fatalf("%d: %s", status, answer)
		}
	}
}

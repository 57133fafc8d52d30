package secrets

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

const value = "sk-the-value"

var owner = account.Address{1}

func testKey(text string, n int) *sig.PrivateKey {
	raw := digest.SHA256(fmt.Append(nil, text, n))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		panic(err)
	}
	return key
}

func scalar(text string, n int) *cbss.Scalar {
	raw := digest.SHA256(fmt.Append(nil, text, n))
	raw[0] &= 0x3f
	k, err := cbss.ParseScalar(raw[:])
	if err != nil {
		panic(err)
	}
	return k
}

// committee is five proxies with shares of a key, four of which open; each does as it is told. It is the chain too.
type committee struct {
	sealed  *Sealed
	data    [cbss.DataKeySize]byte
	asked   []*cbss.Request
	to      *cbss.Identity
	shares  []*cbss.Scalar
	conduct map[int]string
	accused []*tx.SlashCbssProxy

	mu         sync.Mutex
	challenged []*tx.SubmitLivenessChallenge
	receipted  []digest.Hash
	early      bool // challenges are refused
}

func newCommittee(t testing.TB) *committee {
	t.Helper()
	c := &committee{conduct: map[int]string{}}
	poly := cbss.Polynomial{scalar("c", 0), scalar("c", 1), scalar("c", 2), scalar("c", 3)}
	id := cbss.SecretID{Account: owner, KeyHash: cbss.KeyHash(owner, "API_KEY")}
	c.to = &cbss.Identity{ChainID: 9, Secret: id, Version: 2, Epoch: 1, Master: poly[0].Public()}
	rand.Read(c.data[:])
	envelope, err := cbss.Wrap(c.to, scalar("r", 0), [cbss.NonceSize]byte{}, c.data)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := cbss.SealPayload(c.data, [cbss.NonceSize]byte{}, c.to.Bytes(), []byte(value))
	if err != nil {
		t.Fatal(err)
	}
	c.sealed = &Sealed{release.Sealed{ChainID: 9, Height: 50, Secret: id, Version: 2, Envelope: envelope}, payload}
	c.sealed.Serving = secret.Generation{Epoch: 1, Commitments: poly.Commitments()}
	for i := range 5 {
		share, err := poly.At(uint32(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		c.shares = append(c.shares, share)
		peer := proxy.Peer{ID: digest.Hash{byte(i + 1)}, Key: testKey("proxy", i).Compressed(), Address: fmt.Sprint(i)}
		c.sealed.Proxies = append(c.sealed.Proxies, peer)
		c.sealed.Serving.Committee = append(c.sealed.Serving.Committee, peer.ID)
	}
	return c
}

func (c *committee) Owner(context.Context, account.Address) (account.Address, error) {
	return owner, nil
}

func (c *committee) Sealed(_ context.Context, id cbss.SecretID, _ *uint64) (*Sealed, error) {
	if id != c.to.Secret {
		return nil, &work.Error{Kind: work.Permanent, Err: secret.ErrNotFound}
	}
	return c.sealed, nil
}

// Wrapped is the same key as that of a volume, which is a public one where its identity begins with zero.
func (c *committee) Wrapped(_ context.Context, volume digest.Hash) (*release.Sealed, error) {
	if volume[0] == 0 {
		return nil, nil
	}
	sealed := c.sealed.Sealed
	sealed.Recipient = secret.OfVolume
	return &sealed, nil
}

func (c *committee) Accuse(_ context.Context, in *tx.SlashCbssProxy) error {
	c.accused = append(c.accused, in)
	return nil
}

func (c *committee) Challenge(_ context.Context, in *tx.SubmitLivenessChallenge) error {
	if c.early {
		return secret.ErrPremature
	}
	c.challenged = append(c.challenged, in)
	return nil
}

func (c *committee) Receipted(context.Context, digest.Hash) ([]digest.Hash, error) {
	return c.receipted, nil
}

// Ask answers as the proxy at a place does.
func (c *committee) Ask(_ context.Context, to *proxy.Peer, _ byte, raw []byte) (byte, []byte, error) {
	i := int(to.ID[0]) - 1
	q, signature, err := cbss.ParseRequest(raw)
	if err != nil || q.Proxy != to.ID {
		return frame.Refused, []byte("no request"), nil
	}
	if by, err := sig.Default().Recover(q.Hash(), signature); err != nil || by != q.Runner {
		return frame.Refused, []byte("InvalidRunnerSignature"), nil
	}
	c.mu.Lock()
	c.asked = append(c.asked, q)
	c.mu.Unlock()
	share, key := c.shares[i], testKey("proxy", i)
	switch c.conduct[i] {
	case "gone":
		return 0, nil, errors.New("no route")
	case "refuses":
		return frame.Refused, []byte("SecretAccessDenied"), nil
	case "wrong":
		share = scalar("wrong", i)
	case "forges":
		key = testKey("somebody", i)
	}
	a := cbss.Answer{Request: q.Hash(), Proxy: to.ID, Epoch: q.Epoch, Served: q.Block, Partial: cbss.Sign(share, c.to)}
	sealed, err := frame.Seal(q.RunnerKey, frame.AnswerInfo, q.Hash(), a.Signed(key))
	return frame.Done, sealed, err
}

func theJob() *job.Spec {
	return &job.Spec{Kind: job.HTTP, Submitter: account.Address{2}, ID: digest.Hash{3}, Secrets: []job.Secret{{Name: "API_KEY"}}}
}

// TestRelease gets a secret from committees some of which do not do as they should.
//
// Spec: secrets-cbss §4 (runner use: re-asks on failure), §5 (InvalidPartialReencrypt), §9 (SecretCommitteeUnavailable).
func TestRelease(t *testing.T) {
	for name, c := range map[string]struct {
		conduct map[int]string
		ok      bool
		accused int // at most
	}{
		"all honest":              {nil, true, 0},
		"one is gone":             {map[int]string{2: "gone"}, true, 0},
		"one refuses":             {map[int]string{0: "refuses"}, true, 0},
		"one gives a wrong one":   {map[int]string{1: "wrong"}, true, 1},
		"one forges":              {map[int]string{4: "forges"}, true, 0},
		"two are gone":            {map[int]string{2: "gone", 3: "gone"}, false, 0},
		"one is gone, one wrong":  {map[int]string{2: "gone", 3: "wrong"}, false, 1},
		"all but three are wrong": {map[int]string{0: "wrong", 1: "wrong"}, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCommittee(t)
			w.conduct = c.conduct
			client := &Client{Key: testKey("runner", 0), Chain: w, Peers: w}
			for range 5 { // the order is drawn
				got, err := client.Get(context.Background(), theJob())
				if c.ok != (err == nil) || c.ok && string(got["API_KEY"]) != value {
					t.Fatalf("%q, %v", got["API_KEY"], err)
				}
				if len(w.accused) > 5*c.accused {
					t.Errorf("%d proxies are accused", len(w.accused))
				}
				for _, a := range w.accused {
					if w.conduct[int(a.Proxy[0])-1] != "wrong" {
						t.Errorf("proxy %d is accused, which %s", a.Proxy[0], w.conduct[int(a.Proxy[0])-1])
					}
				}
			}
		})
	}
}

// TestNoSecret: what is not there is said by name, and never by value.
func TestNoSecret(t *testing.T) {
	w := newCommittee(t)
	spec := theJob()
	spec.Secrets = append(spec.Secrets, job.Secret{Name: "OTHER"})
	_, err := (&Client{Key: testKey("runner", 0), Chain: w, Peers: w}).Get(context.Background(), spec)
	if !errors.Is(err, secret.ErrNotFound) && (err == nil || work.KindOf(err) != work.Permanent) {
		t.Errorf("%v", err)
	}
	w.sealed.Payload[20] ^= 1
	if _, err := (&Client{Key: testKey("runner", 0), Chain: w, Peers: w}).Get(context.Background(), theJob()); err == nil {
		t.Error("a damaged payload opens")
	}
}

// TestChallenges: a proxy that does not answer is challenged once it may be, in the window of the digest; one whose receipt is on the chain is not, nor is one
// that refuses; a challenge that the chain does not take yet is made again.
//
// Spec: secrets-cbss §4 (79), §5 (liveness challenge), §6 (MIN_CHALLENGE_DELAY, LIVENESS_MAX_AGE).
func TestChallenges(t *testing.T) {
	const asked = 50
	all := []digest.Hash{{1}, {2}, {3}, {4}, {5}}
	for name, c := range map[string]struct {
		conduct   string
		receipted []digest.Hash
		early     bool
		heights   []uint64
		want      int // challenges
	}{
		"not before":        {"gone", nil, false, []uint64{asked, asked + 415}, 0},
		"from then on":      {"gone", nil, false, []uint64{asked + 415, asked + 416, asked + 417, asked + 480}, 1},
		"in the last block": {"gone", nil, false, []uint64{asked + 480}, 1},
		"too late":          {"gone", nil, false, []uint64{asked + 481}, 0},
		"it has a receipt":  {"gone", all, false, []uint64{asked + 416, asked + 450}, 0},
		"it refuses":        {"refuses", nil, false, []uint64{asked + 416}, 0},
		"refused":           {"gone", nil, true, []uint64{asked + 416, asked + 431}, 0},
		"refused at first":  {"gone", nil, true, []uint64{asked + 416, asked + 432}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCommittee(t)
			w.conduct, w.receipted, w.early = map[int]string{2: c.conduct}, c.receipted, c.early
			client := &Client{Key: testKey("runner", 0), Chain: w, Peers: w}
			// The order is drawn, and the fifth is asked only where another failed.
			for n := 0; c.conduct == "gone" && len(client.silent) == 0 || c.conduct == "refuses" && n < 5; n++ {
				if _, err := client.Get(context.Background(), theJob()); err != nil {
					t.Fatal(err)
				}
			}
			for _, height := range c.heights {
				client.Tick(context.Background(), height)
				w.early = false
			}
			if len(w.challenged) != c.want {
				t.Fatalf("%d challenges, want %d", len(w.challenged), c.want)
			}
			for _, in := range w.challenged {
				q, signature, err := cbss.ParseRequest(in.Request)
				by, bad := sig.Default().Recover(q.Hash(), signature)
				if err != nil || bad != nil || in.Proxy != (digest.Hash{3}) || q.Proxy != in.Proxy || by != client.Key.Address() || q.Block != asked {
					t.Errorf("%+v of %s: %v, %v", q, by, err, bad)
				}
			}
		})
	}
}

// The key of a volume is released as a data key is, for the job that has the volume attached: its requests say so. A public volume has none.
//
// Spec: secrets-cbss §11.
func TestKeyOfAVolume(t *testing.T) {
	w := newCommittee(t)
	client := &Client{Key: testKey("runner", 0), Chain: w, Peers: w}
	if key, err := client.VolumeKey(context.Background(), theJob(), digest.Hash{}); key != nil || err != nil {
		t.Errorf("a public volume: %x, %v", key, err)
	}
	w.conduct = map[int]string{2: "gone"}
	key, err := client.VolumeKey(context.Background(), theJob(), digest.Hash{1})
	if err != nil || *key != w.data {
		t.Fatal(err)
	}
	if len(w.asked) < 4 {
		t.Errorf("%d proxies were asked", len(w.asked))
	}
	for _, q := range w.asked {
		if q.Recipient != 2 || q.Actor != theJob().Submitter || q.Job != theJob().ID || q.Runner != client.Key.Address() || q.Secret != w.to.Secret {
			t.Errorf("%+v", q)
		}
	}
	w.conduct = map[int]string{0: "refuses", 1: "refuses"}
	if key, err := client.VolumeKey(context.Background(), theJob(), digest.Hash{1}); key != nil || work.KindOf(err) != work.Permanent {
		t.Errorf("%x, %v", key, err)
	}
}

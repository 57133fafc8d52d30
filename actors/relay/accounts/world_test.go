package accounts

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Where the tests' relay is, and who asks it.
const (
	chainID  = 7
	ownPlace = "192.0.2.1:999"
)

var (
	ownNode = digest.Hash{1}
	network = cbfs.Network{ChainID: chainID, Name: "cowboy-7"}
	errDown = errors.New("the node is down")
)

func walletOf(n byte) *sig.PrivateKey {
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), n))
	if err != nil {
		panic(err)
	}
	return key
}

// desk is a relay's account API over a chain that the test makes up.
type desk struct {
	t       *testing.T
	now     time.Time
	server  *Server
	handler http.Handler

	account wire.StorageAccount // of walletOf(1)
	volumes map[digest.Hash]*reach.Volume
	revoked map[digest.Hash]uint64
	down    bool
	looks   int // at accounts
	refusal error
	sent    [][]byte
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, now: time.UnixMilli(1_750_000_000_000), volumes: map[digest.Hash]*reach.Volume{}, revoked: map[digest.Hash]uint64{}}
	d.account = wire.StorageAccount{
		Height: 9, Address: walletOf(1).Address().String(), Balance: 5, TotalVolumes: 3, TotalEffective: 60, Billed: 2, Reserved: 33,
	}
	for i, name := range []string{"docs", "art", "b-sides"} {
		id := cbfs.VolumeID(walletOf(1).Address(), name)
		d.account.Volumes = append(d.account.Volumes, wire.Volume{
			VolumeID: wire.Hash(id), Owner: d.account.Address, Name: name, Status: "ACTIVE", Reserve: uint64(10 + i), WrappedDEK: "aa",
		})
		d.volumes[id] = &reach.Volume{
			ID: id, Name: name, Version: 4, Slots: []reach.Slot{{Relay: account.Address{9}, Root: digest.Hash{3}}, {Relay: account.Address{8}, Degraded: true}},
			Tokens: []reach.Token{{ID: [16]byte{byte(i + 1)}, Mode: "RO", Body: (&cbfs.RunnerToken{Until: 77}).Encode()}},
		}
	}
	d.server = &Server{
		Node: ownNode, Network: network, Directory: reach.NewDirectory(d, func() time.Time { return d.now }), Chain: d, Now: func() time.Time { return d.now },
	}
	d.handler = d.server.Handler()
	return d
}

// Volume, Relay, Height, Revoked and Account implement reach.Source, Submit implements Node.
func (d *desk) Volume(_ context.Context, id digest.Hash) (*reach.Volume, error) {
	if d.down {
		return nil, errDown
	}
	if v := d.volumes[id]; v != nil {
		return v, nil
	}
	return nil, reach.ErrUnknown
}

func (d *desk) Relay(_ context.Context, owner account.Address) (*reach.Relay, error) {
	if d.down || owner != (account.Address{9}) {
		return nil, errDown
	}
	return &reach.Relay{Owner: owner, Status: "active", Endpoint: "relay.example:4433", Heartbeat: 8}, nil
}

func (d *desk) Height(context.Context) (uint64, error) { return d.account.Height, nil }

func (d *desk) Revoked(_ context.Context, _ account.Address, key digest.Hash) (uint64, error) {
	if d.down {
		return 0, errDown
	}
	return d.revoked[key], nil
}

func (d *desk) Account(_ context.Context, owner account.Address) (*wire.StorageAccount, error) {
	d.looks++
	switch {
	case d.down:
		return nil, errDown
	case owner != walletOf(1).Address():
		return &wire.StorageAccount{Height: d.account.Height, Address: owner.String()}, nil
	}
	a := d.account
	a.Volumes = slices.Clone(a.Volumes)
	return &a, nil
}

func (d *desk) Submit(_ context.Context, transaction []byte) error {
	if d.refusal == nil {
		d.sent = append(d.sent, transaction)
	}
	return d.refusal
}

// holder is who holds a key and a certificate for it.
type holder struct {
	wallet *sig.PrivateKey
	key    ed25519.PrivateKey
	cert   []byte
	from   string
}

// holderOf has a wallet make a certificate, which change changes before it is signed.
func (d *desk) holderOf(n byte, change func(c *cbfs.Certificate)) *holder {
	d.t.Helper()
	h := &holder{wallet: walletOf(n), key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize)), from: ownPlace}
	c := cbfs.Certificate{
		Wallet: h.wallet.Address(), Key: [32]byte(h.key.Public().(ed25519.PublicKey)), Scope: cbfs.Scope, ChainID: chainID, Network: network.Name,
		Audience: cbfs.Audience, ExpiresMs: uint64(d.now.Add(time.Hour).UnixMilli()),
	}
	if change != nil {
		change(&c)
	}
	c.Signature = h.wallet.Sign(c.Hash())
	h.cert = c.Encode()
	return h
}

// answer is what came back.
type answer struct {
	status int
	code   int
	body   []byte
	header http.Header
}

// into decodes the answer, which has to be of a status.
func (a *answer) into(t *testing.T, status int, v any) {
	t.Helper()
	if a.status != status {
		t.Fatalf("%d %s, want %d", a.status, a.body, status)
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatal(err)
	}
}

// take sends a request.
func (d *desk) take(r *http.Request) *answer {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	a := &answer{status: w.Code, body: w.Body.Bytes(), header: w.Header()}
	if w.Code >= 400 {
		var e wire.Error
		_ = json.Unmarshal(a.body, &e)
		a.code = e.Code
	}
	return a
}

// challenge asks for a challenge.
func (d *desk) challenge(h *holder) (*Message, *answer) {
	d.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/ras/challenge", nil)
	m := &Message{Node: ownNode, Certificate: h.cert}
	m.Sign(h.key, r.Header) // of which the certificate is all that counts
	r.RemoteAddr = h.from
	a := d.take(r)
	if a.status != http.StatusOK {
		return m, a
	}
	var given Challenge
	a.into(d.t, http.StatusOK, &given)
	id, err := hex.DecodeString(given.ID)
	if err != nil || given.NodeID != wire.Hash(ownNode) {
		d.t.Fatalf("%+v", given)
	}
	m.ChallengeID = [IDSize]byte(id)
	var raw []byte
	if err := json.Unmarshal([]byte(`"`+given.Challenge+`"`), &raw); err != nil || len(raw) != ChallengeSize {
		d.t.Fatalf("%+v", given)
	}
	m.Challenge = [ChallengeSize]byte(raw)
	return m, a
}

// request is a signed request with a challenge of its own.
func (d *desk) request(h *holder, method, target string, body []byte) (*http.Request, *Message) {
	d.t.Helper()
	m, a := d.challenge(h)
	if a.status != http.StatusOK {
		d.t.Fatalf("%d %s", a.status, a.body)
	}
	m.Method, m.Target, m.Body, m.TimestampMs, m.Nonce = method, target, body, uint64(d.now.UnixMilli()), strings.Repeat("n", minNonce)
	return h.signed(m), m
}

// signed is the request of a message.
func (h *holder) signed(m *Message) *http.Request {
	r := httptest.NewRequest(m.Method, m.Target, bytes.NewReader(m.Body))
	m.Sign(h.key, r.Header)
	r.Header.Set("Content-Type", "application/octet-stream")
	r.RemoteAddr = h.from
	return r
}

// ask sends a signed request.
func (d *desk) ask(h *holder, method, target string, body []byte) *answer {
	d.t.Helper()
	r, _ := d.request(h, method, target, body)
	return d.take(r)
}

func keyOf(seed []byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(seed) }

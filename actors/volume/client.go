package volume

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// Errors of a client. Others are those of relays (protocol.Status) and of the node.
var (
	// ErrRoot reports a manifest that is not the one of the root on chain.
	ErrRoot = errors.New("the manifest is not the one of the root on chain")
	// ErrFile reports a file that is not the one of the manifest.
	ErrFile = errors.New("the file is not the one of the manifest")
	// ErrPath reports a path the volume does not have.
	ErrPath = errors.New("the volume has no such file")
	// ErrKey reports a private volume whose key is not at hand, or is another one's.
	ErrKey = errors.New("the key of this private volume is not at hand, or it is not the right one")
	// ErrToken reports an account that may not do this with the volume.
	ErrToken = errors.New("the account has no token for this volume that allows it")
	// ErrRelays reports that too few relays took what was written.
	ErrRelays = errors.New("too few relays took it")
	// ErrChanged reports a file that is not what it was when its reading began.
	ErrChanged = errors.New("the file was changed while it was put")
	// ErrConflict reports that others commit all the time.
	ErrConflict = errors.New("the volume was changed by others meanwhile")
)

// KeySize is the length of a private volume's key.
const KeySize = 32

// Chain commits. ErrConflict says that the manifest it was made from is not the volume's any more.
type Chain interface {
	reach.Source
	Commit(ctx context.Context, v *reach.Volume, token *[cbfs.TokenIDSize]byte, c volume.Commit) error
}

// Client reads and writes volumes for an account. It is safe for many goroutines.
type Client struct {
	Chain   Chain
	Wallet  *sig.PrivateKey // nil for whoever only reads public volumes
	Network cbfs.Network    // without the time
	Key     *[KeySize]byte  // of private volumes; nil where there is none
	Journal Journal
	Least   int // slots that have to take what is written; 0 for k and half of m
	Now     func() time.Time
	Late    time.Duration            // after so long another slot is asked for a chunk besides; 0 for 250 ms, and more where chunks take longer
	Chunks  int                      // of a file that are asked for at a time, or those of one stripe where it has more; 0 for those of four stripes
	Told    func(done, total uint64) // bytes of what is put or got; may be nil; must not wait
	// Pick says which of the wallet's tokens of version 0 the client may use; nil for any.
	Pick func(t *cbfs.RunnerToken) bool

	once      sync.Once
	directory *reach.Directory
	pool      *reach.Pool
	wire      ed25519.PrivateKey
	usual     atomic.Int64                          // nanoseconds that chunks took of late
	pages     *recent.Sized[pageKey, []page.Record] // leaf pages that were read or made
	flight    singleflight.Group                    // pages that are read
	uploads   sync.RWMutex                          // for writing: what one upload sent is taken back, and may be another's too

	mu   sync.Mutex
	made map[digest.Hash]credit // by volume
	last *Snapshot              // that was read or made last
}

// credit is what lets the account in.
type credit struct {
	token, certificate []byte
	id                 *[cbfs.TokenIDSize]byte // of a token of version 0
	reads, writes      bool
	prefix             string
	until              time.Time
}

const (
	creditFor = 3 * time.Minute // of the five that a token may hold
	certFor   = 24 * time.Hour

	maxSyncSecs = 24 * 3_600 // of a token, that a mount heeds
)

// open makes what a client keeps: a key for its connections, of which its certificates speak.
func (c *Client) open() {
	c.once.Do(func() {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil { // the system's random source does not fail
			panic(err)
		}
		c.wire, c.made = key, map[digest.Hash]credit{}
		c.pages = recent.NewSized[pageKey, []page.Record](pagesKept)
		c.directory = reach.NewDirectory(c.Chain, c.Now)
		c.pool = &reach.Pool{Key: key, Now: c.Now}
	})
}

// Close ends the connections.
func (c *Client) Close() {
	c.open()
	c.pool.Close()
}

// certificate lets the connections' key speak for the wallet.
//
// Spec: storage-cbfs §2.5 (DelegationCert).
func (c *Client) certificate() cbfs.Certificate {
	cert := cbfs.Certificate{
		Wallet: c.Wallet.Address(), Scope: cbfs.Scope, ChainID: c.Network.ChainID, Network: c.Network.Name, Audience: cbfs.Audience,
		ExpiresMs: uint64(c.Now().Add(certFor).UnixMilli()),
	}
	copy(cert.Key[:], c.wire.Public().(ed25519.PublicKey))
	cert.Signature = c.Wallet.Sign(cert.Hash())
	return cert
}

// credit gives what lets the account read or write: an owner's token made here, or one that the chain has for it.
//
// Spec: storage-cbfs §2.5.
func (c *Client) credit(v *reach.Volume, writes bool) (credit, error) {
	if c.Wallet == nil {
		return credit{}, ErrToken
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.made[v.ID]; ok && c.Now().Before(one.until) && (one.writes || !writes) && (one.reads || writes) {
		return one, nil
	}
	one, err := c.make(v, writes)
	if err == nil {
		c.made[v.ID] = one
	}
	return one, err
}

func (c *Client) make(v *reach.Volume, writes bool) (credit, error) {
	cert, until := c.certificate(), c.Now().Add(creditFor)
	if c.Wallet.Address() == v.Owner {
		t := &cbfs.OwnerToken{
			Grant: cbfs.Grant{Volume: v.ID, Name: v.Name, Mode: cbfs.ReadWrite}, Owner: v.Owner, FromMs: uint64(c.Now().UnixMilli()), Certificate: cert,
		}
		rand.Read(t.ID[:])
		t.UntilMs = t.FromMs + cbfs.MaxTokenLifeMs
		copy(t.Signature[:], ed25519.Sign(c.wire, t.Signed()))
		return credit{token: t.Encode(), reads: true, writes: true, until: until}, nil
	}
	for i := range v.Tokens {
		t, err := cbfs.DecodeRunnerToken(v.Tokens[i].Body)
		if err == nil && t.Runner == c.Wallet.Address() && (c.Pick == nil || c.Pick(t)) && (t.Mode.Reads() || writes) && (t.Mode.Writes() || !writes) {
			return credit{v.Tokens[i].Body, cert.Encode(), &t.ID, t.Mode.Reads(), t.Mode.Writes(), t.Prefix, until}, nil
		}
	}
	return credit{}, ErrToken
}

// let puts what lets the account in into a question. Who may only write reads no more of a private volume than what a commit is made from.
func (c *Client) let(v *reach.Volume, writes bool) func(q *protocol.Request) error {
	return func(q *protocol.Request) error {
		if !writes && !v.Private {
			return nil
		}
		one, err := c.credit(v, writes)
		if errors.Is(err, ErrToken) && !writes {
			one, err = c.credit(v, true)
		}
		q.Token, q.Certificate = one.token, one.certificate
		return err
	}
}

// Rights is what the account may do with a volume.
//
// Spec: storage-cbfs §2.5.
type Rights struct {
	Reads, Writes bool
	Prefix        string        // of the paths it is for
	Left          uint64        // bytes the volume may still grow by
	Sync          time.Duration // between two commits of a mount; 0 where no token says
}

// Rights tells what the account may do. Error: ErrToken, where it may do nothing.
//
// Spec: storage-cbfs §2.5.
func (c *Client) Rights(v *reach.Volume) (Rights, error) {
	c.open()
	all := Rights{Reads: true, Left: volume.MaxRawBytes - min(v.Raw, volume.MaxRawBytes)}
	if c.Wallet != nil && c.Wallet.Address() == v.Owner {
		all.Writes = true
		return all, nil
	}
	found := false
	for i := range v.Tokens {
		t, err := cbfs.DecodeRunnerToken(v.Tokens[i].Body)
		if err != nil || c.Wallet == nil || t.Runner != c.Wallet.Address() || c.Pick != nil && !c.Pick(t) || found && !t.Mode.Writes() {
			continue
		}
		found = true
		left := t.MaxBytes - min(t.MaxBytes, v.Tokens[i].Used)
		all = Rights{t.Mode.Reads(), t.Mode.Writes(), t.Prefix, min(left, all.Left), time.Duration(min(t.SyncSecs, maxSyncSecs)) * time.Second}
		if t.Mode.Writes() {
			break
		}
	}
	if !found && v.Private {
		return Rights{}, ErrToken
	}
	return all, nil
}

// key is the volume's, where it is private.
func (c *Client) key(v *reach.Volume) (*[KeySize]byte, error) {
	if !v.Private {
		return nil, nil
	}
	if c.Key == nil {
		return nil, fmt.Errorf("%s: %w", v.Name, ErrKey)
	}
	return c.Key, nil
}

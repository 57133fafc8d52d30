package light

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Client follows one chain. It is not for concurrent use.
type Client struct {
	chainID  uint64
	calendar params.Calendar
	set      stake.Set
	record   stake.EpochRecord
	keys     *bls.Epoch
	head     Final
	judge    func(*stake.Set, *sig.Certificate) error // nil: keys
}

// JudgeBy lets somebody else say whether a certificate is of a quorum of a set: for simulations whose signatures are not BLS12-381.
func (c *Client) JudgeBy(judge func(*stake.Set, *sig.Certificate) error) { c.judge = judge }

// Final is a header that cannot be undone. Only a Client makes one; the zero Final is none.
type Final struct {
	header *block.Header
	hash   digest.Hash
}

// Header is the header, which must not be modified; nil for the zero Final.
func (f Final) Header() *block.Header { return f.header }

// Hash is the header's hash.
func (f Final) Hash() digest.Hash { return f.hash }

// New starts from the validator set of an epoch in a state the caller trusts. Errors: stake.ErrNoEpoch; anything else is a failing source, or a state no
// chain has.
func New(chainID uint64, trusted state.Reader, epoch uint64) (*Client, error) {
	raw, ok, err := trusted.Lookup(stake.EpochKey(epoch))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, stake.ErrNoEpoch
	}
	record, err := stake.DecodeEpoch(raw)
	if err != nil {
		return nil, err
	}
	set, err := stake.SetAt(trusted, epoch)
	if err != nil {
		return nil, err
	}
	calendar, err := params.LoadCalendar(trusted)
	if err != nil {
		return nil, err
	}
	c := &Client{chainID: chainID, calendar: calendar}
	return c, c.believe(*set, *record)
}

// believe makes a set the one whose word counts.
func (c *Client) believe(set stake.Set, record stake.EpochRecord) error {
	keys, sharing, err := set.Keys(sig.NewNamespace(c.chainID))
	if err != nil {
		return err
	}
	if int(sharing.Total()) != len(set.Members) {
		return bls.ErrSharing
	}
	c.set, c.record, c.keys = set, record, keys
	return nil
}

// Epoch is the epoch whose headers the client takes.
func (c *Client) Epoch() uint64 { return c.set.Epoch }

// Set is the validator set of that epoch. Read only.
func (c *Client) Set() *stake.Set { return &c.set }

// Record says from which epochs on set and shared key are held: what a handover may leave out.
func (c *Client) Record() stake.EpochRecord { return c.record }

// Head is the highest final header so far.
func (c *Client) Head() Final { return c.head }

// Follow takes a header that a certificate makes final. Headers in between may be left out. Errors: ErrHeader, ErrEpoch, ErrCertificate.
//
// The epoch's last block may be finalized in a later view than it was proposed in; any other in its own.
// Spec: WP §6.1; commonware §3.7, §3.8.
func (c *Client) Follow(h *block.Header, certificate *sig.Certificate) (Final, error) {
	switch {
	case h.ChainID != c.chainID || h.Height == 0 || c.head.header != nil && h.Height <= c.head.header.Height:
		return Final{}, ErrHeader
	case h.Epoch != c.set.Epoch || c.calendar.Epoch(h.Height) != h.Epoch:
		return Final{}, ErrEpoch
	}
	hash := h.Hash()
	if err := c.finalizes(h, hash, certificate); err != nil {
		return Final{}, fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	kept := *h
	c.head = Final{&kept, hash}
	return c.head, nil
}

func (c *Client) finalizes(h *block.Header, hash digest.Hash, certificate *sig.Certificate) error {
	at := certificate.Subject
	again := h.Height == c.calendar.Last(h.Epoch) && at.Round.Epoch == h.Epoch && at.Round.View > h.View
	if certificate.Kind != sig.Finalization || at.BlockHash != hash || at.Height != uint64(h.Height) || at.Round != h.Round() && !again {
		return bls.ErrVerify
	}
	if c.judge != nil {
		return c.judge(&c.set, certificate)
	}
	return c.keys.VerifyCertificate(certificate)
}

// Ancestor makes a header final that the given one builds on, through the headers between them: parents[0] is f's parent, the last one is the
// header. ErrAncestor unless each is the parent of the one before.
func (f Final) Ancestor(parents ...*block.Header) (Final, error) {
	at := f
	for _, p := range parents {
		hash := p.Hash()
		if at.header == nil || at.header.ParentHash != hash {
			return Final{}, ErrAncestor
		}
		kept := *p
		at = Final{&kept, hash}
	}
	if at.header == nil {
		return Final{}, ErrAncestor
	}
	return at, nil
}

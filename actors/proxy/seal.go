package proxy

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
)

// Seal is a SealRequest that wants this proxy's receipt.
type Seal struct {
	Number  uint64
	Scope   secret.Scope
	Data    []byte      // the associated data of its first key epoch
	Context digest.Hash // of the receipt
	Epoch   uint64      // of the committee that is asked

	Members, Quorum int // of that committee
}

// SealAdmission is what the chain says of a SealRequest that somebody asks this proxy to answer.
type SealAdmission struct {
	Height  uint64
	Refused string // why not; the rest is empty
	Scope   secret.Scope
	Answer  cbss.SealAnswer // without its proxy and its partials
	To      uint64          // the last key epoch
	Master  cbss.Key
	Public  [32]byte    // X25519, to which the answer is sealed
	Context digest.Hash // what it is sealed for
	Place   uint32      // of this proxy in the committee
}

// maxSeals bounds the SealRequests that are remembered; what a poll tells of is less.
const maxSeals = 1_024

// seal files the receipts that SealRequests want: as time locks' partials, by as many members as it takes at once, the others some blocks later.
//
// Spec: secrets-cbss §4 (receipts), §10 (1), §11.
func (d *state) seal(seals []Seal) {
	for i := range seals {
		q := &seals[i]
		w := wanted(d, d.seals, q.Number, maxSeals)
		if w == nil {
			continue
		}
		share := d.held(q.Scope, q.Epoch)
		if share != nil && w.rests(d.height, byte(q.Number), q.Members, q.Quorum, share.Place) {
			continue
		}
		in, err := d.sealReceipt(share, q)
		if err != nil {
			if !w.told {
				w.told = true
				d.tell("unsigned", q.Scope, fmt.Errorf("SealRequest %d, epoch %d: %w", q.Number, q.Epoch, err))
			}
			continue
		}
		w.sent = max(d.height, 1)
		d.send(in)
	}
	forget(d, d.seals)
}

// sealReceipt is a blinded partial of a request's first key epoch.
func (d *state) sealReceipt(share *Share, q *Seal) (tx.Instruction, error) {
	partial, err := signed(share, q.Data)
	if err != nil {
		return nil, err
	}
	rho, k := d.scalar(), d.scalar()
	defer rho.Erase()
	defer k.Erase()
	b, err := cbss.Blind(partial, share.Secret.Public(), rho, k, q.Context)
	if err != nil {
		return nil, err
	}
	return systemsecret.Receipt(q.Number, q.Epoch, b)
}

// rememberedSeals are the answers that are kept for those who ask again.
const rememberedSeals = 4_096

// sealed is an answer to a SealRequest, under the key it is sealed to.
type sealed struct {
	context digest.Hash
	public  [32]byte
	epoch   uint64
	body    []byte
}

// seal answers a SealRequest to whoever asks for it by its number: be8 number. Nobody but the beneficiary can open the answer, and it is the same whoever asks
// and however often, so it is no secret and nothing of it is in the journal.
//
// Spec: secrets-cbss §5 (proxy admission), §10 (1, 2, 5), §11.
func (d *Door) seal(ctx context.Context, from exchange.Origin, body []byte) (status byte, answer []byte) {
	if len(body) != 8 {
		return frame.Refused, []byte(refusedSeal)
	}
	n := binary.BigEndian.Uint64(body)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	place, err := d.asking.Wait(ctx, door.Source(from.Address), cancel)
	if err != nil {
		return frame.Later, []byte("the proxy has much to do")
	}
	defer place.Leave()
	a, err := d.Node.AdmitSeal(ctx, n)
	switch {
	case err != nil:
		return frame.Later, []byte("the node does not answer")
	case a.Refused != "":
		return frame.Refused, []byte(a.Refused)
	case a.To < a.Answer.From || a.To-a.Answer.From >= cbss.MaxSealed:
		return frame.Refused, []byte(refusedSeal)
	}
	if known, ok := d.sealed.Get(n); ok && known.context == a.Context && known.public == a.Public && known.epoch == a.Answer.Epoch {
		return frame.Done, known.body
	}
	plain, err := d.partials(&a)
	if err != nil {
		return frame.Refused, []byte(err.Error())
	}
	out, err := frame.Seal(a.Public, frame.SealInfo, a.Context, plain)
	clear(plain)
	if err != nil {
		return frame.Refused, []byte("the beneficiary's key is none")
	}
	d.sealed.Add(n, &sealed{a.Context, a.Public, a.Answer.Epoch, out})
	d.told(Event{What: "served", Scope: a.Scope})
	return frame.Done, out
}

// partials signs the key epochs of a request with the share of the epoch that serves.
func (d *Door) partials(a *SealAdmission) ([]byte, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, s := range d.shares[a.Scope] {
		if s.Epoch != a.Answer.Epoch || s.Place != a.Place {
			continue
		}
		said := a.Answer
		said.Proxy, said.Partials = d.Self.ID, make([]cbss.Point, a.To+1-said.From)
		for i := range said.Partials {
			said.Partials[i] = cbss.Sign(s.Secret, said.Identity(i, a.Master))
		}
		return said.Signed(d.Self.Key), nil
	}
	return nil, errShare
}

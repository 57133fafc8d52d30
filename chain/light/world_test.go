package light

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const chainID = 1

var namespace = sig.NewNamespace(chainID)

// world is a chain of which only the blocks that matter exist, and everybody's keys.
type world struct {
	t      testing.TB
	state  *state.Commit
	view   uint64
	votes  map[account.Address]*bls.PrivateKey
	shares map[account.Address]bls.Share
	blocks []*block.Header
	proofs []*sig.Certificate
}

// newWorld starts with four development validators.
func newWorld(t testing.TB) *world {
	t.Helper()
	spec, err := genesis.Devnet(chainID, 4)
	w := &world{t: t, votes: map[account.Address]*bls.PrivateKey{}, shares: map[account.Address]bls.Share{}}
	w.must(err)
	set, _, err := genesis.DevValidators(4)
	w.must(err)
	for _, v := range set {
		w.votes[v.Account.Address()], w.shares[v.Account.Address()] = v.Vote, v.Share
	}
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w.must(spec.Build(o))
	w.state, err = o.Commit(0)
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) key(label ...any) *bls.PrivateKey {
	w.t.Helper()
	h := digest.SHA256(fmt.Append(nil, label...))
	h[0] &= 0x3f
	k, err := bls.ParsePrivateKey(h[:])
	w.must(err)
	return k
}

// block makes the block at a height: edit changes its state before the registry's part. It gives the header and the certificate that makes it final,
// made by a quorum of the epoch's set.
func (w *world) block(height unit.Height, edit func(*stake.Registry)) (*block.Header, *sig.Certificate) {
	w.t.Helper()
	set, err := stake.SetAt(w.state, params.Calendar{}.Epoch(height))
	w.must(err)
	o := w.state.Overlay()
	g := &stake.Registry{State: o, Chain: namespace, Params: params.Genesis(), Height: height}
	if edit != nil {
		edit(g)
	}
	w.view++
	h := &block.Header{
		Version: params.ProtocolVersion, ChainID: chainID, Height: height, Epoch: set.Epoch, View: w.view,
		ParentSeed: &sig.Seed{Signature: sig.BLSSignature{byte(height)}},
	}
	if n := len(w.blocks); n > 0 {
		h.ParentHash = w.blocks[n-1].Hash()
	}
	_, err = g.EndBlock(h)
	w.must(err)
	w.state, err = o.Commit(height)
	w.must(err)
	h.StateRoot = w.state.Root()
	c := w.certify(set, h, sig.Finalization)
	w.blocks, w.proofs = append(w.blocks, h), append(w.proofs, c)
	return h, c
}

// certify signs with all of a set but the last f.
func (w *world) certify(set *stake.Set, h *block.Header, kind sig.CertificateKind) *sig.Certificate {
	w.t.Helper()
	c := &sig.Certificate{Kind: kind, Signers: sig.NewSigners(len(set.Members))}
	c.Subject = sig.Subject{BlockHash: h.Hash(), Height: uint64(h.Height), Round: h.Round()}
	return w.sign(set, c)
}

func (w *world) sign(set *stake.Set, c *sig.Certificate) *sig.Certificate {
	w.t.Helper()
	var signatures []sig.BLSSignature
	var partials []bls.Partial
	quorum := sig.Quorum(len(set.Members))
	for rank, m := range set.Members[:quorum] {
		c.Signers.Add(rank)
		signatures = append(signatures, w.votes[m.Address].Sign(c.Preimage(namespace)))
		partials = append(partials, w.shares[m.Address].Sign(namespace.Seed(c.Subject.Round)))
	}
	var err error
	c.Aggregate, err = bls.Aggregate(signatures)
	w.must(err)
	c.Seed, err = bls.Recover(quorum, partials)
	w.must(err)
	return c
}

// epoch runs an epoch in which some register and some exit, and reshares the key.
func (w *world) epoch(number uint64, joining []account.Address, leaving []account.Address) {
	w.t.Helper()
	first := max(params.Calendar{}.First(number), 1)
	w.block(first, func(g *stake.Registry) {
		for _, a := range joining {
			w.votes[a] = w.key("vote", a)
			w.must(g.Register(a, w.votes[a].PublicKey().Bytes(), w.votes[a].ProvePossession(namespace), params.MinimumValidatorStake))
		}
		for _, a := range leaving {
			w.must(g.Exit(a, nil))
		}
	})
	w.block(params.Calendar{}.Freeze(number), nil)
	shares := w.shares
	w.block(params.Calendar{}.Freeze(number)+7, func(g *stake.Registry) { shares = w.reshare(g, number) })
	w.block(params.Calendar{}.Last(number), nil)
	w.shares = shares
}

// reshare plays the ceremony and gives the new shares.
func (w *world) reshare(g *stake.Registry, epoch uint64) map[account.Address]bls.Share {
	w.t.Helper()
	info, list, ok, err := stake.Ceremony(g.State, namespace, epoch)
	if err != nil || !ok {
		w.t.Fatal("no ceremony", err)
	}
	set, err := stake.SetAt(g.State, epoch)
	w.must(err)
	players := make([]*beacon.Player, len(list))
	for i, m := range list {
		players[i], err = beacon.NewPlayer(info, uint32(i), w.votes[m.Address])
		w.must(err)
	}
	for rank, m := range set.Members {
		d, err := beacon.NewDealer(info, uint32(rank), w.votes[m.Address], w.shares[m.Address].Key)
		w.must(err)
		for i, p := range players {
			deal, err := d.Deal(uint32(i))
			w.must(err)
			ack, err := p.Receive(deal)
			w.must(err)
			w.must(d.Acknowledge(ack))
		}
		log, err := d.Log()
		w.must(err)
		w.must(g.Deal(m.Address, log.Encode()))
	}
	logs, err := stake.Logs(g.State.(*state.Overlay))
	w.must(err)
	outcome, err := info.Finish(logs)
	w.must(err)
	shares := map[account.Address]bls.Share{}
	for i, p := range players {
		shares[list[i].Address], err = p.Share(outcome)
		w.must(err)
	}
	return shares
}

// members are the accounts of an epoch's set, ascending.
func (w *world) members(epoch uint64) []account.Address {
	w.t.Helper()
	set, err := stake.SetAt(w.state, epoch)
	w.must(err)
	var list []account.Address
	for _, m := range set.Members {
		list = append(list, m.Address)
	}
	slices.SortFunc(list, account.Address.Compare)
	return list
}

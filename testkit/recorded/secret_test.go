package recorded

import (
	"crypto/sha512"
	"fmt"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// number is one below the order of the group, of a text.
func (p *player) number(text string) *cbss.Scalar {
	h := sha512.Sum512([]byte(text))
	n, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	s, err := cbss.ParseScalar(n.Mod(new(big.Int).SetBytes(h[:]), n).FillBytes(make([]byte, cbss.ScalarSize)))
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// polynomial is the secret of the committee of a person's key in an epoch; its constant coefficient stays.
func (p *player) polynomial(who int, epoch uint64) cbss.Polynomial {
	list := cbss.Polynomial{p.number(fmt.Sprint("master ", who))}
	for i := range secret.DefaultQuorum - 1 {
		list = append(list, p.number(fmt.Sprint("coefficient ", who, epoch, i)))
	}
	return list
}

// secret draws an instruction of the secret service, and who sends it.
func (p *player) secret() (tx.Instruction, *testkit.Account) {
	who := p.draw.IntN(len(p.people))
	me := p.people[who]
	of := secret.AccountScope(me.Address())
	name := cbss.KeyHash(me.Address(), fmt.Sprint("NAME", p.draw.IntN(3)))
	version := 1 + p.draw.Uint64N(4)
	proxy := secret.ProxyID(me.Address(), me.PublicKey())
	switch p.draw.IntN(21) {
	case 0, 1, 2:
		return &tx.RegisterCbssProxy{PublicKey: me.PublicKey(), HPKE: [32]byte{1}, NetworkAddr: []byte("127.0.0.1:9601"), Stake: 10_000 * unit.CBY}, me
	case 3:
		return &tx.RequestAccountDkg{Account: me.Address()}, me
	case 4, 5, 6:
		return p.rotation(who), me
	case 7, 8:
		return p.sealed(who, name), me
	case 9:
		n, q := uint64(5), uint64(3)
		return &tx.SetSecret{KeyHash: name, Recipient: 1, Members: &n, Quorum: &q}, me
	case 10:
		return &tx.UpdateSecretPolicy{KeyHash: name, Version: version, Restrict: p.draw.IntN(2) == 0, TEERequired: true}, me
	case 11:
		if p.draw.IntN(3) == 0 {
			return &tx.DeleteSecret{KeyHash: name}, me
		}
		return &tx.DeleteSecretVersion{KeyHash: name, Version: version}, me
	case 12:
		if p.draw.IntN(8) > 0 {
			return &tx.RequestReshare{Scope: of.Bytes()}, me
		}
		return &tx.DeregisterCbssProxy{}, me
	case 13:
		d := cbss.Deal{ChainID: testkit.ChainID, Scope: of.Bytes(), Dealer: proxy, Place: 1, Commitments: []cbss.Key{p.number("x").Public()}}
		copy(d.Share[:], p.number("x").Bytes())
		if p.draw.IntN(9) == 0 {
			d.Share[31] ^= 1
		}
		return &tx.SlashCbssProxy{Proxy: proxy, Fault: 1, Evidence: d.Signed(keyOf(who))}, p.person()
	case 14:
		q := &cbss.Request{ChainID: testkit.ChainID, Runner: me.Address(), Block: uint64(p.chain.Height()), Proxy: proxy}
		if p.draw.IntN(2) == 0 {
			return &tx.SubmitLivenessChallenge{Request: q.Signed(keyOf(who)), Proxy: proxy}, me
		}
		return &tx.SubmitReleaseReceipt{Request: q.Signed(keyOf(who)), Proxy: proxy}, me
	case 15:
		return &tx.LivenessChallengeResponse{Challenge: digest.Hash{1}}, me
	case 16:
		if p.draw.IntN(2) == 0 {
			return &tx.ExpireLivenessChallenge{Challenge: digest.Hash{1}}, me
		}
		return &tx.FinalizeSecretVersion{KeyHash: name, Version: version, Pointer: []byte{0, 1}, Wrapped: make([]byte, cbss.EnvelopeSize)}, me
	case 17:
		return p.locks(who), me
	case 18, 19:
		return p.unlocks()
	}
	return &tx.ExpireDkgPending{Scope: of.Bytes()}, me
}

// rotation is what the committee of a person's key brings; an empty one where none is drawn.
func (p *player) rotation(who int) tx.Instruction {
	of := secret.AccountScope(p.people[who].Address())
	in := &tx.RotateCommittee{Scope: of.Bytes()}
	pending, err := secret.LoadPending(p.chain.State(), of)
	if err != nil {
		p.t.Fatal(err)
	}
	if pending == nil || pending.Committee == nil {
		return in
	}
	t := cbss.Rotation{ChainID: testkit.ChainID, Scope: of.Bytes(), Epoch: 1, Committee: pending.Committee}
	k, err := secret.LoadKey(p.chain.State(), of)
	if err != nil {
		p.t.Fatal(err)
	}
	if k != nil {
		t.Epoch = k.Epoch + 1
	}
	t.Commitments = p.polynomial(who, t.Epoch).Commitments()
	t.Master = t.Commitments[0]
	sign := func(committee []digest.Hash) (out []byte) {
		for i, id := range committee {
			for n, person := range p.people {
				if secret.ProxyID(person.Address(), person.PublicKey()) == id {
					out = secret.Signed{Place: uint8(i), Signature: keyOf(n).Sign(t.Hash())}.Append(out)
				}
			}
		}
		return out
	}
	in.Epoch, in.Master, in.Signatures = t.Epoch, t.Master, sign(t.Committee)
	if k != nil {
		in.Prior = sign(k.Committee)
	}
	for _, id := range t.Committee {
		in.Committee = append(in.Committee, id[:]...)
	}
	for _, c := range t.Commitments {
		in.Commitments = append(in.Commitments, c[:]...)
	}
	return in
}

// sealed is a secret that is sealed to the key of a person, or to none.
func (p *player) sealed(who int, name digest.Hash) tx.Instruction {
	me, epoch := p.people[who].Address(), uint64(1)
	in := &tx.SetSecret{KeyHash: name, Pointer: []byte{1, 7}, WrapEpoch: &epoch, Wrapped: make([]byte, cbss.EnvelopeSize)}
	id := cbss.SecretID{Account: me, KeyHash: name}
	k, err := secret.LoadKey(p.chain.State(), secret.AccountScope(me))
	if err != nil {
		p.t.Fatal(err)
	}
	if k == nil {
		return in
	}
	to := &cbss.Identity{ChainID: testkit.ChainID, Secret: id, Version: 1, Epoch: k.Epoch, Master: k.Master}
	m, err := secret.LoadSecret(p.chain.State(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	if m != nil {
		to.Version = m.Latest + 1
	}
	e, err := cbss.Wrap(to, p.number(fmt.Sprint("wrap ", p.chain.Height())), [cbss.NonceSize]byte{}, [cbss.DataKeySize]byte{1})
	if err != nil {
		p.t.Fatal(err)
	}
	epoch, in.Wrapped = k.Epoch, e.Append(nil)
	return in
}

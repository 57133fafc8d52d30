package govern

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Council is the Security Council.
// Spec: WP §11; governance-staking B2.
type Council struct {
	Members  []account.Address // params.CouncilSeats, ascending
	Rotation uint64            // counts the councils
	Nonce    uint64            // of its next act
	Warnings uint32            // of reviews
}

// Encode is the canonical encoding: the fields in their order.
func (c *Council) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(appendAddresses(nil, c.Members), c.Rotation), c.Nonce)
	return codec.AppendUint(dst, uint64(c.Warnings))
}

// LoadCouncil reads the council; ok is false on a chain that has none.
func LoadCouncil(r state.Reader) (c *Council, ok bool, err error) {
	raw, ok, err := r.Lookup(recordKey(keyCouncil))
	if err != nil || !ok {
		return nil, false, err
	}
	d := codec.NewReader(raw)
	c = &Council{readAddresses(d, params.CouncilSeats, params.CouncilSeats), d.Uint(), d.Uint(), d.Uint32()}
	return c, true, d.Finish()
}

// Labs is the multisig that operates the portal. It has no power on chain.
// Spec: governance-staking B2.
type Labs struct {
	Members   []account.Address // ascending
	Threshold uint32
}

// Encode is the canonical encoding: the fields in their order.
func (l *Labs) Encode() []byte {
	return codec.AppendUint(appendAddresses(nil, l.Members), uint64(l.Threshold))
}

// LoadLabs reads the multisig; ok is false where none was named.
func LoadLabs(r state.Reader) (l *Labs, ok bool, err error) {
	raw, ok, err := r.Lookup(recordKey(keyLabs))
	if err != nil || !ok {
		return nil, false, err
	}
	d := codec.NewReader(raw)
	l = &Labs{readAddresses(d, 1, params.MaxLabsMembers), d.Uint32()}
	return l, true, d.Finish()
}

// Seats gives an error wrapping ErrPayload unless the addresses can be the council: params.CouncilSeats of them, ascending, none of them a system actor's.
func Seats(members []account.Address) error {
	if len(members) != params.CouncilSeats {
		return fmt.Errorf("%w: a council has %d members, not %d", ErrPayload, params.CouncilSeats, len(members))
	}
	return people(members)
}

func people(members []account.Address) error {
	for i, a := range members {
		if a.IsReserved() || i > 0 && members[i-1].Compare(a) >= 0 {
			return fmt.Errorf("%w: members ascend, and no system actor is one", ErrPayload)
		}
	}
	return nil
}

// Found writes the council of height 0; nobody: the chain has none.
// Spec: governance-staking B1, B2.
func Found(to state.Store, council []account.Address) {
	if len(council) > 0 {
		to.Set(recordKey(keyCouncil), (&Council{Members: council}).Encode())
	}
}

// actDomain begins what the council signs.
const actDomain = "cowboy-council-v1:"

// The acts, by the tag their bytes begin with.
const (
	actCancel byte = iota
	actPause
	actFast
)

// CancelAct is the act that cancels a proposal.
func CancelAct(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte{actCancel}, id) }

// PauseAct is the act that pauses a system actor.
func PauseAct(target account.Address) []byte { return append([]byte{actPause}, target[:]...) }

// FastTrack is the act that opens a proposal of somebody's without a temperature check.
func FastTrack(by account.Address, title digest.Hash, payload []byte) []byte {
	hash := digest.Keccak256(payload)
	return slices.Concat([]byte{actFast}, by[:], title[:], hash[:])
}

// Digest is what a member of the council signs for an act: keccak256 of the domain, and as eight bytes each chain, rotation and nonce, and the act.
// Spec: governance-staking B2.
func Digest(chainID, rotation, nonce uint64, act []byte) digest.Hash {
	head := []byte(actDomain)
	for _, n := range [...]uint64{chainID, rotation, nonce} {
		head = binary.BigEndian.AppendUint64(head, n)
	}
	return digest.Keccak256(head, act)
}

// authorize checks that the present council signed an act as its next, and counts it. Rejects: ErrNoCouncil, ErrSignatures.
// Spec: governance-staking B2 (7 of 9).
func (h *Registry) authorize(act []byte, signatures []sig.Signature) error {
	c, ok, err := LoadCouncil(h.State)
	if err != nil {
		return err
	}
	if !ok {
		return ErrNoCouncil
	}
	if len(signatures) < params.CouncilQuorum || len(signatures) > params.CouncilSeats {
		return fmt.Errorf("%w: %d, at least %d are needed", ErrSignatures, len(signatures), params.CouncilQuorum)
	}
	hash := Digest(h.ChainID, c.Rotation, c.Nonce, act)
	var signed []account.Address
	for i, s := range signatures {
		by, err := h.Recoverer.Recover(hash, s)
		if err != nil || !slices.Contains(c.Members, by) || slices.Contains(signed, by) {
			return fmt.Errorf("%w: number %d is no other member's over this act, rotation %d and nonce %d", ErrSignatures, i, c.Rotation, c.Nonce)
		}
		signed = append(signed, by)
	}
	c.Nonce++
	h.State.Set(recordKey(keyCouncil), c.Encode())
	return nil
}

// act is authorize for an act that names its nonce.
func (h *Registry) act(nonce uint64, act []byte, signatures []sig.Signature) error {
	c, ok, err := LoadCouncil(h.State)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrNoCouncil
	case nonce != c.Nonce:
		return fmt.Errorf("%w: %d, the next is %d", ErrNonce, nonce, c.Nonce)
	}
	return h.authorize(act, signatures)
}

// Cancel cancels a queued proposal of tiers 0 to 3 with the council's signatures. Its deposit goes back. Enough cancellations open a review of the council.
// Rejects: ErrNoCouncil, ErrNonce, ErrSignatures, ErrNoProposal, ErrStatus, ErrTier.
// Spec: governance-staking B2, B7.
func (h *Registry) Cancel(id, nonce uint64, signatures []sig.Signature) error {
	if err := h.act(nonce, CancelAct(id), signatures); err != nil {
		return err
	}
	p, err := Load(h.State, id)
	switch {
	case err != nil:
		return err
	case p.Status != Queued:
		return ErrStatus
	case p.Tier > protocolTier:
		return fmt.Errorf("%w: the council cannot cancel a proposal of tier %d", ErrTier, p.Tier)
	}
	h.emitNumbers(TopicCancelled, id, uint64(p.Deposit))
	if err := h.finish(p, Cancelled, true); err != nil {
		return err
	}
	return h.countCancellation()
}

// countCancellation remembers a cancellation, and opens a review when there were enough in a row of days.
// Spec: governance-staking B7 (three within 90 days).
func (h *Registry) countCancellation() error {
	list, err := heights(h.State, keyCancels)
	if err != nil {
		return err
	}
	window := h.Config.Blocks(h.Config.ReviewHours)
	list = append(slices.DeleteFunc(list, func(at unit.Height) bool { return h.Height-at > window }), h.Height)
	if len(list) >= int(h.Config.ReviewCancels) {
		list = nil
		const tier = params.GovernanceTiers - 1
		if _, err := h.open(tier, &ReviewCouncil{}, h.Height+h.Config.Blocks(h.Config.Tiers[tier].VoteHours)); err != nil {
			return err
		}
	}
	data := codec.AppendLen(nil, len(list))
	for _, at := range list {
		data = codec.AppendUint(data, uint64(at))
	}
	h.State.Set(recordKey(keyCancels), data)
	return nil
}

func heights(r state.Reader, name string) ([]unit.Height, error) {
	raw, ok, err := r.Lookup(recordKey(name))
	if err != nil || !ok {
		return nil, err
	}
	c := codec.NewReader(raw)
	list := make([]unit.Height, c.Len(0, params.MaxCancellations, 1))
	for i := range list {
		list[i] = unit.Height(c.Uint())
	}
	return list, c.Finish()
}

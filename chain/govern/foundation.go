package govern

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// TopicFoundation announces that the foundation's addresses were named anew.
const TopicFoundation = "foundation.changed"

// SetFoundation names the addresses of the foundation, ascending. It has no power in the protocol; what follows is that at most one of them is of the council.
//
// Spec: governance-staking B2 (foundation: at most one seat of the council).
type SetFoundation struct{ Members []account.Address }

// Name implements Payload.
func (*SetFoundation) Name() string { return "MetaGovernance.SetFoundation" }

func (p *SetFoundation) append(dst []byte) []byte {
	return appendAddresses(append(dst, tagMeta, opFoundation), p.Members)
}

// LoadFoundation reads the addresses of the foundation, ascending; none where none were named.
//
// Spec: governance-staking B2.
func LoadFoundation(r state.Reader) ([]account.Address, error) {
	raw, ok, err := r.Lookup(recordKey(keyFoundation))
	if err != nil || !ok {
		return nil, err
	}
	d := codec.NewReader(raw)
	list := readAddresses(d, 1, params.MaxLabsMembers)
	return list, d.Finish()
}

// validFoundation gives an error for addresses of which the council has more than one.
func (h *Registry) validFoundation(p *SetFoundation) error {
	council, ok, err := LoadCouncil(h.State)
	if err == nil {
		err = people(p.Members)
	}
	if err != nil || !ok {
		return err
	}
	return shareAtMostOne(p.Members, council.Members)
}

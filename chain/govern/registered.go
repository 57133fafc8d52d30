package govern

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// TopicRegistered announces a parameter: Bytes key, u8 tier.
const TopicRegistered = "param.registered"

// RegistryUpdate registers a parameter, so that proposals of its tier may set it, or gives a registered one another tier.
//
// Spec: governance-staking B3, B4, B9 (any other); WP §13.1 (any registered parameter, tier 0 or 3).
type RegistryUpdate struct {
	Key  string // of governance: "system:gov:param:…"
	Tier uint8  // 0 or 3
}

// Name implements Payload.
func (*RegistryUpdate) Name() string { return "RegistryUpdate" }

func (p *RegistryUpdate) append(dst []byte) []byte {
	return codec.AppendU8(codec.AppendBytes(append(dst, tagRegistry), []byte(p.Key)), p.Tier)
}

// group finds a parameter group: one that the node reads, or one that was registered, which may get any bytes.
func (h *Registry) group(key string) (Group, bool, error) {
	if g, ok := h.Group(key); ok {
		return g, true, nil
	}
	raw, ok, err := h.State.Lookup(registeredKey(key))
	if err != nil || !ok {
		return Group{}, false, err
	}
	r := codec.NewReader(raw)
	g := Group{Tier: r.U8()}
	return g, true, r.Finish()
}

func registeredKey(key string) []byte { return recordKey(keyRegistered + key) }

func (h *Registry) validRegistry(p *RegistryUpdate) error {
	name, generic := strings.CutPrefix(p.Key, params.KeyGenericPrefix)
	_, taken := h.Group(p.Key)
	switch {
	case !generic || name == "" || strings.HasPrefix(p.Key, params.KeyHistoryPrefix) || len(p.Key) > maxKeyBytes:
		return refused("%.64q is no key of a parameter that can be registered", p.Key)
	case taken:
		return refused("%s is a parameter of the protocol", p.Key)
	case p.Tier != 0 && p.Tier != protocolTier:
		return refused("a registered parameter is of tier 0 or 3, not %d", p.Tier)
	}
	was, again, err := h.group(p.Key)
	if err != nil {
		return err
	}
	if again && was.Tier == p.Tier {
		return refused("%s is registered so", p.Key)
	}
	count, err := number(h.State, keyParams)
	if err == nil && !again && count >= params.MaxRegistered {
		err = refused("%d parameters are registered, and no more can be", count)
	}
	return err
}

func (h *Registry) applyRegistry(p *RegistryUpdate) error {
	_, again, err := h.group(p.Key)
	if err != nil {
		return err
	}
	if !again {
		count, err := number(h.State, keyParams)
		if err != nil {
			return err
		}
		setNumber(h.State, keyParams, count+1)
	}
	h.State.Set(registeredKey(p.Key), []byte{p.Tier})
	h.emit(TopicRegistered, codec.AppendU8(codec.AppendBytes(nil, []byte(p.Key)), p.Tier))
	return nil
}

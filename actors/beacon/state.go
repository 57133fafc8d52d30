package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// seedsKept bounds the cache of recent seeds.
const seedsKept = 64

// state makes partials and seeds.
type state struct {
	namespace sig.Namespace
	share     bls.Share
	sharing   *bls.Sharing
	seeds     map[sig.Round]sig.Seed
	order     []sig.Round // of seeds, oldest first
}

// contribute signs a round with the share. Spec: commonware §2.5.
func (s *state) contribute(r sig.Round) bls.Partial {
	return s.share.Sign(s.namespace.Seed(r))
}

// recover combines partials into the round's seed and verifies it. There is one valid seed per round, so a cached one is the
// answer. Spec: WP §3.4; commonware §2.5, §4.2.
func (s *state) recover(r sig.Round, partials []bls.Partial) (sig.Seed, error) {
	if seed, ok := s.seeds[r]; ok {
		return seed, nil
	}
	signature, err := bls.Recover(s.sharing.Threshold(), partials)
	if err != nil {
		return sig.Seed{}, err
	}
	if err := bls.Verify(s.sharing.GroupKey(), s.namespace.Seed(r), signature); err != nil {
		return sig.Seed{}, err
	}
	seed := sig.Seed{Round: r, Signature: signature}
	s.keep(seed)
	return seed, nil
}

func (s *state) keep(seed sig.Seed) {
	if s.seeds == nil {
		s.seeds = map[sig.Round]sig.Seed{}
	}
	if len(s.order) == seedsKept {
		delete(s.seeds, s.order[0])
		s.order = append(s.order[:0], s.order[1:]...)
	}
	s.seeds[seed.Round] = seed
	s.order = append(s.order, seed.Round)
}
